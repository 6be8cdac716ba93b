"""Memory that machine code points to: views, tables of addresses, and records.

A record is what Python and the kernels both know by name, declared once for both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

Array = np.ndarray
_LINE = 64  # bytes that a processor fetches together
WORD = 8  # bytes
TABLE = 5  # words of the table of a function: [constants, y, t, output, room]


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


def in_words(given: Array) -> Array:
    """An array in words of 64 bits, also where whole numbers of NumPy have fewer."""
    array = np.asarray(given)
    return array.astype(np.int64) if array.dtype.kind == "i" and array.itemsize < WORD else array


def side_by_side(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Copies of arrays in one stretch of memory, each from the start of a cache line.

    A long stretch is given large pages, which the processor finds and fetches ahead more easily
    than those of many arrays.
    """
    arrays = {name: in_words(x) for name, x in arrays.items()}
    lengths = {name: -(-array.nbytes // _LINE) * _LINE for name, array in arrays.items()}
    whole = np.zeros(sum(lengths.values()) + _LINE, dtype=np.uint8)
    place, copies = -whole.ctypes.data % _LINE, {}
    for name, array in arrays.items():
        part = whole[place : place + array.nbytes].view(array.dtype).reshape(array.shape)
        part[...] = array
        copies[name] = part
        place += lengths[name]
    return copies


def one_after_the_other(numbers: Array, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    """Views of arrays that stand one after the other, by name."""
    views, place = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        views[name] = numbers[place : place + size].reshape(shape)
        place += size
    return views


# --- memory that records lead to ------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Piece:
    """An array that a record leads to; of its words, all that are no numbers or counts."""

    name: str
    memory: Array
    addresses: Sequence[int] = ()  # words that lead to other pieces
    functions: Mapping[int, str] = field(default_factory=dict)  # addresses of functions, by word
    passing: Sequence[int] = ()  # words that are written before each use


class Reaching(Protocol):
    """Memory from which other memory is reached."""

    def pieces(self, path: str) -> Iterator[Piece]:
        """All of it; `path` names what leads there."""
        ...


class Callee(Reaching, Protocol):
    """A function of (y, t), by its address and the constants that it takes."""

    @property
    def address(self) -> int: ...
    @property
    def constants(self) -> Array: ...
    @property
    def room(self) -> int: ...


def below(path: str, name: str) -> str:
    """The name of what a path leads to."""
    return f"{path}.{name}" if path else name


# --- records --------------------------------------------------------------------------------------

Shape = tuple[str | int, ...]  # of an array: counts by their names, and numbers


@final
@dataclass(frozen=True)
class Columns:
    """Columns of an array of whole numbers that are no counts."""

    width: int
    addresses: tuple[int, ...] = ()
    functions: tuple[int, ...] = ()
    passing: tuple[int, ...] = ()

    def piece(self, name: str, array: Array) -> Piece:
        """The array with all words declared."""
        starts = range(0, array.size, self.width)
        functions = {
            first + k: below(name, str(row)) for row, first in enumerate(starts)
            for k in self.functions
        }  # fmt: skip
        addresses, passing = (
            [first + k for first in starts for k in columns]
            for columns in (self.addresses, self.passing)
        )
        return Piece(name, array, addresses, functions, passing)


@final
@dataclass(frozen=True)
class Layout:
    """The fields of a record; in kernels those that lead to arrays are the arrays.

    A function is the address of its entry, 0 where there is none, and that of its table
    [constants, y, t, output, room], where the kernel writes the addresses of y and of the output.
    """

    numbers: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()  # functions without a table
    arrays: Iterable[str] = ()  # of numbers
    wholes: Iterable[str] = ()  # of whole numbers
    complexes: Iterable[str] = ()  # of complex numbers
    columns: Mapping[str, Columns] = field(default_factory=dict)  # of `wholes` with addresses
    passing: tuple[str, ...] = ()  # addresses that are written before each use

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The fields in memory."""
        wholes = *self.counts, *self.functions, *self.helpers, *self.passing, *self.leading
        kinds = [(name, np.float64) for name in self.numbers]
        return np.dtype(kinds + [(name, np.int64) for name in wholes], align=True)

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """The fields that lead to other memory."""
        tables = (f"{name}_table" for name in self.functions)
        return *tables, *self.arrays, *self.wholes, *self.complexes

    @cached_property
    def words(self) -> dict[str, int]:
        """The place of each field."""
        fields = self.dtype.fields
        assert fields is not None, "a record has fields"
        return {name: place[1] // 8 for name, place in fields.items()}

    def piece(self, path: str, words: Array) -> Piece:
        """A record, or several one after the other, with all words declared."""
        size, places = self.dtype.itemsize // 8, self.words
        called = *self.functions, *self.helpers
        starts = range(0, words.size, size)
        functions = {n + places[x]: below(path, x) for n in starts for x in called}
        addresses = [n + places[x] for n in starts for x in self.leading]
        passing = [n + places[x] for n in starts for x in self.passing]
        return Piece(path, words, addresses, functions, passing)


def room(
    shapes: Mapping[str, Shape], counts: Mapping[str, int], kind: type = float
) -> dict[str, Array]:
    """Arrays of zeros."""
    kind = np.int64 if kind is int else kind
    return {
        name: np.zeros([x if isinstance(x, int) else counts[x] for x in shape], dtype=kind)
        for name, shape in shapes.items()
    }


@final
class Called:
    """A function that a record calls, with its table, a clock and room."""

    def __init__(self, code: Callee) -> None:
        self.code, self.clock, self.room = code, np.zeros(1), np.zeros(max(code.room, 1))
        self.table = table(code.constants, self.clock, self.clock, self.clock, self.room)

    def pieces(self, path: str) -> Iterator[Piece]:
        """The table and all that it leads to."""
        yield Piece(f"{path}_table", self.table, addresses=(0, 2, 4), passing=(1, 3))
        yield Piece(f"{path}_clock", self.clock)
        yield Piece(f"{path}_room", self.room)
        yield from self.code.pieces(path)


@final
class Record:
    """A record in memory, and the arrays that it leads to, which live as long as it does."""

    def __init__(self, layout: Layout) -> None:
        size = layout.dtype.itemsize
        lines = np.zeros(size + 2 * _LINE, dtype=np.uint8)  # that no record of a thread shares
        start = -lines.ctypes.data % _LINE
        self.layout = layout
        self.words = lines[start : start + size].view(np.int64)
        self.values = self.words.view(layout.dtype).reshape(())
        self.arrays: dict[str, Array] = {}
        self.called: dict[str, Called] = {}
        self.further: list[tuple[str, Reaching]] = []  # memory that columns of arrays lead to
        self.owners: list[Any] = []  # of code

    def copied(self, **numbers: Any) -> Record:
        """A record that leads to the same memory, with some other numbers."""
        other = Record(self.layout)
        other.words[:] = self.words
        other.arrays, other.called, other.further = self.arrays, self.called, self.further
        other.owners.append(self)
        other.write(**numbers)
        return other

    def __getitem__(self, name: str) -> Any:
        """A number or a count."""
        return self.values[name].item()

    @property
    def address(self) -> int:
        """Where it stands."""
        return int(self.values.ctypes.data)

    def write(self, **numbers: Any) -> None:
        """Numbers, counts and addresses of helpers."""
        for name, value in numbers.items():
            self.values[name] = value

    def keep(self, **arrays: Array) -> None:
        """Arrays as they are, in words of 64 bits."""
        places, words = self.layout.words, self.words  # a word is written quicker than a field
        for name, array in arrays.items():
            assert array.flags.c_contiguous, f"{name} is not contiguous"
            assert array.itemsize >= WORD, f"{name} has words that are too short"
            self.arrays[name] = array
            words[places[name]] = array.__array_interface__["data"][0]  # quicker than `ctypes.data`

    def keep_alike(self, names: Sequence[str], whole: Array) -> None:
        """The rows of one array as arrays that follow each other in the record."""
        count, place = len(names), self.layout.words[names[0]]
        self.arrays.update(zip(names, whole, strict=True))
        places = whole.ctypes.data + whole.strides[0] * np.arange(count)
        self.words[place : place + count] = places

    def hold(self, **arrays: Array) -> None:
        """Copies of arrays."""
        self.keep(**{name: np.array(in_words(x), order="C") for name, x in arrays.items()})

    def call(self, name: str, code: Callee) -> None:
        """A function of (y, t)."""
        self.called[name] = called = Called(code)
        self.write(**{name: code.address, f"{name}_table": called.table.ctypes.data})

    def pieces(self, path: str) -> Iterator[Piece]:
        """The record and all memory that it leads to."""
        yield self.layout.piece(path, self.words)
        for name, array in self.arrays.items():
            columns = self.layout.columns.get(name)
            one = below(path, name)
            yield Piece(one, array) if columns is None else columns.piece(one, array)
        for name, called in self.called.items():
            yield from called.pieces(below(path, name))
        for name, reached in self.further:
            yield from reached.pieces(below(path, name))
