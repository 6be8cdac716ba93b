"""How much work a computation is, counted in function calls: the same on every machine."""

import gc
from cProfile import Profile

from torseur.errors import ModelError


def work(function, *arguments):
    """The number of calls of Python and built-in functions; a refusal must be short to read."""
    gc.disable()  # what other computations left behind is not work of this one
    counted = Profile(subcalls=False)
    try:
        counted.runcall(function, *arguments)
    except ModelError as error:
        assert len(str(error)) < 1000
    finally:
        gc.enable()
    return sum(entry.callcount for entry in counted.getstats())
