"""Settings shared by all tests: Hypothesis draws the same examples in every run."""

import gc
import os
import sys
from pathlib import Path

from hypothesis import settings

# a test uses what stands in `support`, and the mechanisms of other tests, whatever their room
ROOMS = sorted(str(place) for place in Path(__file__).parent.iterdir() if place.is_dir())
sys.path[1:1] = ROOMS

# the workers share the cores: threads of theirs would wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# whatever the locale, texts that tests compare are English
os.environ["TORSEUR_LANG"] = "en"

# byte code that is not wanted beside the sources: the workers and the processes that tests start
# share it in build/
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    place = Path(__file__).parents[1] / "build" / "bytecode"
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(place))

gc.set_threshold(50_000, 20, 20)

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("fixed")


def pytest_collection_finish():
    """What is there before the first test stays: a search for garbage need not look at it."""
    gc.collect()
    gc.freeze()
