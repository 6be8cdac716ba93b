"""A motion in memory: a record, and the kernel that moves it by a budget of steps."""

from __future__ import annotations

import ctypes
from typing import final

from torseur.machine.runtime.loop_kernel import LoopKernel
from torseur.machine.runtime.memory import Record

_MOVES = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


@final
class KernelMotion:
    """A record that one kernel moves; the record has a field `budget`."""

    def __init__(self, record: Record, kernel: LoopKernel) -> None:
        self.record, self.kernel = record, kernel
        self._words, self._budget = record.words, record.layout.words["budget"]
        self._place = record.address
        self._move = _MOVES(kernel.address)

    def advance(self, budget: int) -> int:
        """Make so many steps at most; the code says why no more were made."""
        self._words[self._budget] = budget  # quicker than the field
        code: int = self._move(self._place)
        return code
