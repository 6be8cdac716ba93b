"""How much work a computation is, counted in function calls: the same on every machine."""

import gc
import sys

from torseur.errors import ModelError


def work(function, *arguments):
    """The number of calls of Python and built-in functions; a refusal must be short to read."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    gc.collect()  # what other computations left behind is not work of this one
    gc.disable()
    sys.setprofile(count)
    try:
        function(*arguments)
    except ModelError as error:
        sys.setprofile(None)
        assert len(str(error)) < 1000
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls
