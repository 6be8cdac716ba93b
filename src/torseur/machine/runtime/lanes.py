"""Number of lanes of the kernels whose modules are being imported; a single motion has one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

KERNELS = "torseur.machine.integrators.kernels"  # imported anew for each number of lanes
_LOCK = threading.RLock()
_NOW = [1]
_IMPORTED: dict[int, dict[str, ModuleType]] = {}  # the modules for other numbers of lanes


def lanes() -> int:
    """Return the number of lanes that a module is imported for."""
    return _NOW[-1]


@contextmanager
def imported_for(count: int) -> Iterator[None]:
    """Import kernels for a number of lanes; the modules for one lane are put back at the end.

    numba compiles a function once for the types of its arguments, and the number of lanes is no
    type: every number has functions of its own.
    """
    with _LOCK:
        if count == lanes():
            yield
            return
        _NOW.append(count)
        before = _exchanged(_IMPORTED.get(count, {}))
        try:
            yield
        finally:
            _IMPORTED[count] = _exchanged(before)
            _NOW.pop()


def _exchanged(modules: dict[str, ModuleType]) -> dict[str, ModuleType]:
    """Put modules of kernels in the place of those that are known, which are returned."""
    known = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_kernel(name)}
    sys.modules.update(modules)
    home, _, name = KERNELS.rpartition(".")
    if home in sys.modules and KERNELS in modules:
        setattr(sys.modules[home], name, modules[KERNELS])
    return known


def _is_kernel(name: str) -> bool:
    return name == KERNELS or name.startswith(f"{KERNELS}.")
