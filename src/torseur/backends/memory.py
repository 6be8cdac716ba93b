"""Views of memory that machine code points to."""

import ctypes
from typing import Any

import numpy as np

Array = np.ndarray


def addresses(table: int, count: int) -> list[int]:
    """The entries of a table of addresses."""
    return [int(x) for x in view(table, (count,), np.int64)]


def view(address: int, shape: tuple[int, ...], dtype: Any = np.float64) -> Array:
    """The array that stands at an address; it is not copied."""
    size = int(np.prod(shape)) * 8
    if size == 0:
        return np.zeros(shape, dtype)
    memory: Any = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


def table(*arrays: Array) -> Array:
    """The addresses of arrays; it must be kept as long as they are used."""
    return np.array([array.ctypes.data for array in arrays], dtype=np.int64)
