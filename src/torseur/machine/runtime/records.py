"""Records: what Python and the kernels both know by name, declared once for both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.machine.runtime.memory import table

Array = np.ndarray
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
        self.values = np.zeros((), dtype=layout.dtype)
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
            self.values[name] = array.ctypes.data

    def hold(self, **arrays: Array) -> None:
        """Copies of arrays."""
        self.keep(**{name: np.array(given, order="C") for name, given in arrays.items()})

    def call(self, name: str, address: int, constants: Array) -> None:
        """A function of (y, t), by its address and the constants that it takes."""
        clock = np.zeros(1)
        listed = table(constants, clock, clock, clock)
        self.owners += [constants, clock, listed]
        self.write(**{name: address, f"{name}_table": listed.ctypes.data})
