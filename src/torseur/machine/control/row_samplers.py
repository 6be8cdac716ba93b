"""The loops of control of many motions in memory: a record for each row, by which lanes act."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.machine.control.layout import LOOP
from torseur.machine.control.sampler import Wiring, sampling_code
from torseur.machine.evaluator import Evaluator
from torseur.machine.runtime.memory import table

Array = np.ndarray


@final
class RowSamplers:
    """The act of one sample in every row, each with a memory of its own."""

    def __init__(self, law: Evaluator, values: Array, wiring: Wiring, rows: int) -> None:
        """The parameters of the law are those of each row, (rows, …), or of all, (1, …)."""
        constants = np.zeros((len(values), max(law.constants, 1)))
        for given, into in zip(np.ascontiguousarray(values, dtype=float), constants, strict=True):
            both = table(given, into)  # named: it must outlive the call
            law.entries.constants(both.ctypes.data)
        every, clocks = np.arange(rows), np.zeros(rows)
        tables = np.zeros((rows, 4), dtype=np.int64)  # [constants, measured, t, output]
        tables[:, 0] = constants.ctypes.data + every * (len(values) > 1) * constants.strides[0]
        tables[:, 2] = clocks.ctypes.data + every * clocks.strides[0]
        self._records, self._code = np.zeros(rows, dtype=LOOP), sampling_code()
        for name, count in wiring.counts.items():
            self._records[name] = count
        self._records["law"] = law.entries.addresses["single"]
        self._records["law_table"] = tables.ctypes.data + every * tables.strides[0]
        own = {n: np.repeat(x[np.newaxis], rows, axis=0) for n, x in wiring.changing.items()}
        for name, array in own.items():
            self._records[name] = array.ctypes.data + every * array.strides[0]
        shared = {name: np.ascontiguousarray(x) for name, x in wiring.settled.items()}
        for name, array in shared.items():
            self._records[name] = array.ctypes.data
        self._kept = law, constants, clocks, tables, own, shared

    @property
    def address(self) -> int:
        """Of the function that changes a state, of a table [record, y, t, output]."""
        return self._code.address

    @property
    def places(self) -> Array:
        """(rows): the address of the record of each."""
        return self._records.ctypes.data + np.arange(len(self._records)) * LOOP.itemsize
