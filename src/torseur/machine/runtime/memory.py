"""Memory that machine code points to: views, tables of addresses, and records.

A record is what Python and the kernels both know by name, declared once for both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

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


def one_after_the_other(numbers: Array, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    """Views of arrays that stand one after the other, by name."""
    found, place = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        found[name] = numbers[place : place + size].reshape(shape)
        place += size
    return found


# --- records --------------------------------------------------------------------------------------

Shape = tuple[str | int, ...]  # of an array: counts by their names, and numbers


@final
@dataclass(frozen=True)
class Layout:
    """The fields of a record; in kernels those that lead to arrays are the arrays.

    A function is the address of its entry, 0 where there is none, and that of its table
    [constants, y, t, output], where the kernel writes the addresses of y and of the output.
    """

    numbers: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()  # and addresses
    functions: tuple[str, ...] = ()
    arrays: Iterable[str] = ()  # of numbers
    wholes: Iterable[str] = ()  # of whole numbers
    complexes: Iterable[str] = ()  # of complex numbers

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The fields in memory."""
        tables = (f"{name}_table" for name in self.functions)
        wholes = *self.counts, *self.functions, *tables, *self.arrays, *self.wholes, *self.complexes
        kinds = [(name, np.float64) for name in self.numbers]
        return np.dtype(kinds + [(name, np.int64) for name in wholes], align=True)


def room(
    shapes: Mapping[str, Shape], counts: Mapping[str, int], kind: type = float
) -> dict[str, Array]:
    """Arrays of zeros."""
    return {
        name: np.zeros([x if isinstance(x, int) else counts[x] for x in shape], dtype=kind)
        for name, shape in shapes.items()
    }


@final
class Record:
    """A record in memory, and the arrays that it leads to, which live as long as it does."""

    def __init__(self, layout: Layout) -> None:
        size = layout.dtype.itemsize
        lines = np.zeros(size + 2 * _LINE, dtype=np.uint8)  # that no record of a thread shares
        start = -lines.ctypes.data % _LINE
        self.words = lines[start : start + size].view(np.int64)
        self.values = self.words.view(layout.dtype).reshape(())
        self.arrays: dict[str, Array] = {}
        self.owners: list[Any] = []  # of code and memory that it leads to

    def __getitem__(self, name: str) -> Any:
        """A number or a count."""
        return self.values[name].item()

    @property
    def address(self) -> int:
        """Where it stands."""
        return int(self.values.ctypes.data)

    def write(self, **numbers: Any) -> None:
        """Numbers, counts and addresses."""
        for name, value in numbers.items():
            self.values[name] = value

    def keep(self, **arrays: Array) -> None:
        """Arrays as they are."""
        for name, array in arrays.items():
            assert array.flags.c_contiguous, f"{name} is not contiguous"
            self.arrays[name] = array
            self.values[name] = array.__array_interface__["data"][0]  # quicker than `ctypes.data`

    def keep_alike(self, names: Sequence[str], whole: Array) -> None:
        """The rows of one array as arrays that follow each other in the record."""
        fields, count = self.values.dtype.fields, len(names)
        assert fields is not None, "a record has fields"
        place = fields[names[0]][1] // 8
        self.arrays.update(zip(names, whole, strict=True))
        places = whole.ctypes.data + whole.strides[0] * np.arange(count)
        self.words[place : place + count] = places

    def hold(self, **arrays: Array) -> None:
        """Copies of arrays."""
        self.keep(**{name: np.array(given, order="C") for name, given in arrays.items()})

    def call(self, name: str, address: int, constants: Array) -> None:
        """A function of (y, t), by its address and the constants that it takes."""
        clock = np.zeros(1)
        listed = table(constants, clock, clock, clock)
        self.owners += [constants, clock, listed]
        self.write(**{name: address, f"{name}_table": listed.ctypes.data})
