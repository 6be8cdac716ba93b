"""Functions written for every scalar as machine code: the same text, calling itself.

Text may call functions that work on memory in place of those that its modules import.
"""

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from numba import njit

from torseur.machine.runtime.text_compiler import OPTIONS

_CALLED: Any = {**OPTIONS, "no_cfunc_wrapper": True}  # by other kernels only
# Products and sums are rounded one by one, in the order in which they are written.
apart: Any = njit(**_CALLED)
inlined: Any = njit(**_CALLED, forceinline=True)

# The same for numbers that are finite: a product with a zero that is written there is left out.
_FINITE: Any = {**_CALLED, "fastmath": {"nnan", "ninf", "nsz"}}
finite_apart: Any = njit(**_FINITE)
finite: Any = njit(**_FINITE, forceinline=True)


def machine_text(
    *modules: ModuleType,
    given: Mapping[str, Any] | None = None,
    decorate: Callable[[Any], Any] = inlined,
    apart: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The functions of modules by name, compiled when they are used, with all that is `given`.

    Those that are named `apart` are called, the others copied to where they are used.
    """
    known: dict[str, Any] = dict(given or {})
    text: dict[str, Any] = {"__name__": modules[0].__name__}
    for module in modules:
        text |= vars(module)
    text |= known
    for module in modules:
        for name, function in vars(module).items():
            is_local = isinstance(function, FunctionType) and function.__module__ == module.__name__
            if is_local and name not in known:
                copied = FunctionType(function.__code__, text, name)
                text[name] = finite_apart(copied) if name in apart else decorate(copied)
    return text
