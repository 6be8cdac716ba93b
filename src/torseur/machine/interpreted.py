"""Entry points of kernels in NumPy code, for machines without LLVM."""

from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.equations.functions.kernel import Kernel
from torseur.machine.runtime.memory import addresses, view

Array = np.ndarray


@final
class Interpreted:
    """Entries that take the address of a table of addresses, as machine code does."""

    def __init__(self, kernel: Kernel, parameters: tuple[str, ...]) -> None:
        self._kernel = kernel
        self._names = parameters

    def constants(self, table: int) -> None:
        """constants ← parameters."""
        given, out = addresses(table, 2)
        values = dict(zip(self._names, view(given, (len(self._names),)), strict=True))
        formulas = self._kernel.constants
        if formulas:
            view(out, (len(formulas),))[:] = evaluate(list(formulas), values)

    def single(self, table: int) -> None:
        """output ← inputs, for one state."""
        self._rows(addresses(table, len(self._kernel.inputs) + 2), 1)

    def batch(self, table: int) -> None:
        """output ← inputs, row by row in one broadcast."""
        pointers = addresses(table, len(self._kernel.inputs) + 3)
        rows = int(view(pointers[0], (1,), np.int64)[0])
        self._rows(pointers[1:], rows)

    def _rows(self, pointers: list[int], rows: int) -> None:
        kernel = self._kernel
        constants = view(pointers[0], (len(kernel.constants),))
        known = {x.key: c for x, c in zip(kernel.constants, constants, strict=True)}
        values: dict[str, Array] = {}
        for pointer, (_, names) in zip(pointers[1:-1], kernel.inputs, strict=True):
            columns = view(pointer, (rows, len(names))).T
            values |= dict(zip(names, columns, strict=True))
        output = view(pointers[-1], (rows, kernel.size))
        for k, column in enumerate(evaluate(list(kernel.outputs), values, known)):
            output[:, k] = column
