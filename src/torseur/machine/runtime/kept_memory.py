"""Memory of large results, used again once the result that was in it is released.

The system clears the pages of new memory one by one, which takes half as long as filling them with
the mass matrices of an arm. An array that is handed out is a view, and every view of it holds the
array that owns the memory: when only this module holds it, it is free.
"""

import sys
import threading

import numpy as np

Array = np.ndarray
_LEAST = 1 << 20  # bytes from which memory is kept
_MOST = 1 << 27  # bytes that are kept in all
_ALONE = 3  # references to an array that is held here only: the list, the loop, the call that asks
_LOCK = threading.Lock()
_KEPT: list[Array] = []


def empty(shape: tuple[int, ...]) -> Array:
    """An array of doubles with anything in it."""
    size = int(np.prod(shape))
    if not _LEAST <= 8 * size <= _MOST // 2 or not _counts():
        return np.empty(shape)
    with _LOCK:
        whole = _free(size)
        if whole is None:
            whole = np.empty(size)
            while _KEPT and sum(x.nbytes for x in _KEPT) + whole.nbytes > _MOST:
                _KEPT.pop(0)  # who holds a view of it keeps its memory
            _KEPT.append(whole)
        return whole[:size].reshape(shape)


def _counts() -> bool:
    """Whether references are counted at once, as CPython with its lock does."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)
    return sys.implementation.name == "cpython" and locked()


def _free(size: int) -> Array | None:
    """Memory of about that size that only this module refers to."""
    for whole in _KEPT:
        fits = size <= whole.size <= 2 * size
        if fits and sys.getrefcount(whole) == _ALONE:
            return whole
    return None
