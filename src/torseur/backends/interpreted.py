"""The same entry points in NumPy code, for machines without LLVM."""

import ctypes
from typing import final

import numpy as np

from torseur.algebra.graph import evaluate
from torseur.backends.kernel import Kernel

Array = np.ndarray


@final
class Interpreted:
    """Entries that take the address of a table of addresses, as machine code does."""

    def __init__(self, kernel: Kernel, parameters: tuple[str, ...]) -> None:
        self._kernel = kernel
        self._names = parameters

    def constants(self, table: int) -> None:
        """constants ← parameters."""
        given, out = _addresses(table, 2)
        values = dict(zip(self._names, _array(given, (len(self._names),)), strict=True))
        wanted = self._kernel.constants
        if wanted:
            _array(out, (len(wanted),))[:] = evaluate(list(wanted), values)

    def single(self, table: int) -> None:
        """output ← inputs, for one state."""
        self._rows(_addresses(table, len(self._kernel.inputs) + 2), 1)

    def batch(self, table: int) -> None:
        """output ← inputs, row by row in one broadcast."""
        pointers = _addresses(table, len(self._kernel.inputs) + 3)
        rows = int(ctypes.c_int64.from_address(pointers[0]).value)
        self._rows(pointers[1:], rows)

    def _rows(self, pointers: list[int], rows: int) -> None:
        kernel = self._kernel
        constants = _array(pointers[0], (len(kernel.constants),))
        known = {x.key: c for x, c in zip(kernel.constants, constants, strict=True)}
        values: dict[str, Array] = {}
        for pointer, (_, names) in zip(pointers[1:-1], kernel.inputs, strict=True):
            columns = _array(pointer, (rows, len(names))).T
            values |= dict(zip(names, columns, strict=True))
        output = _array(pointers[-1], (rows, kernel.size))
        for k, column in enumerate(evaluate(list(kernel.outputs), values, known)):
            output[:, k] = column


def _addresses(table: int, count: int) -> list[int]:
    return [int(x) for x in _array(table, (count,), np.int64)]


def _array(address: int, shape: tuple[int, ...], dtype: type = np.float64) -> Array:
    """A view of memory."""
    size = int(np.prod(shape)) * 8
    if size == 0:
        return np.zeros(shape, dtype)
    memory = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memoryview(memory), dtype=dtype).reshape(shape)
