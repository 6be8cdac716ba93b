"""Views of memory that machine code points to."""

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray
_LINE = 64  # bytes that a processor fetches together


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


def side_by_side(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Copies of arrays in one stretch of memory, each from the start of a cache line.

    A long stretch is given large pages, which the processor finds and fetches ahead more easily
    than those of many arrays.
    """
    lengths = {name: -(-array.nbytes // _LINE) * _LINE for name, array in arrays.items()}
    whole = np.empty(sum(lengths.values()) + _LINE, dtype=np.uint8)
    place, made = -whole.ctypes.data % _LINE, {}
    for name, array in arrays.items():
        part = whole[place : place + array.nbytes].view(array.dtype).reshape(array.shape)
        part[...] = array
        made[name] = part
        place += lengths[name]
    return made
