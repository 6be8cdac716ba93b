"""Settings shared by all tests: Hypothesis draws the same examples in every run."""

import gc
import os
import sys
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path

import pytest
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of each kind of case in a `sampled` family, all cases but n are slow: always the same n."""
    kinds = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            kind = mark.kwargs.get("kind", lambda **_: None)(**item.callspec.params)
            kinds[item.path, item.originalname, kind, *mark.args].append(item)
    for (*_, n), cases in kinds.items():
        cases.sort(key=lambda item: sha256(item.callspec.id.encode()).digest())
        for item in cases[n:]:
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter):
    """The ten files that take longest, for whoever makes the tests quicker."""
    seconds = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if seconds:
        dearest = (f"{time:.1f} s {file}" for file, time in seconds.most_common(10))
        terminalreporter.write_line(f"dearest files: {', '.join(dearest)}")
