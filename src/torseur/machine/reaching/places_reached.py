"""Inverse kinematics of a place of a mechanism, by its kernel."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.evaluator import Evaluator
from torseur.machine.native import Calls
from torseur.machine.reaching.layout import FUNCTIONS, ORDER, OUTPUT, REACH, ROOM, STEPS, TABLE
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, room

Array = np.ndarray
_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


@final
@dataclass(frozen=True, eq=False)
class Ranges:
    """Limits of coordinates, where they should be, and weights of speeds."""

    low: Array
    high: Array
    middle: Array  # not a number: any value will do
    weight: Array  # 1; large where a coordinate may go anywhere to let others be where they should


@final
@dataclass(frozen=True, eq=False)
class ReachedCoordinates:
    """Arrays that describe the coordinates and loops of a mechanism."""

    displacement: Array
    gap_size: Array
    own: Array  # the coordinate of each speed; -1 where it has none
    quaternion: Array
    held: Array


@final
@dataclass(frozen=True, eq=False)
class ReachedTargets:
    """Coordinates for each target, with the errors that are left."""

    q: Array  # (targets, nq)
    residual: Array  # (targets, rows): of loops, then radians, then parts of the length
    steps: Array  # (targets,)


@final
class _Function:
    """A function of q as the kernel calls it, at time zero and without signals."""

    def __init__(self, code: Evaluator, numbers: Array) -> None:
        self.calls, self.code = Calls(code, numbers), code
        self._inputs = [np.zeros(max(len(names), 1)) for _, names in code.inputs]
        self._room = np.zeros(max(code.room, 1))
        self.output = len(self._inputs) + 1
        self.size = int(np.prod(code.shape))

    def write(self, run: Record, name: str) -> None:
        """Let a record call it."""
        inputs = (self.calls.constants, *self._inputs, self._room, self._room)
        table = np.zeros(TABLE, dtype=np.int64)
        table[: len(inputs)] = [array.ctypes.data for array in inputs]
        run.keep(**{f"{name}_table": table})
        address = self.code.entries.addresses["single"]
        run.write(**{name: address, f"{name}_output": self.output})


@final
class ReachingCode:
    """Machine code that brings a place of a mechanism to targets, at one set of parameters."""

    def __init__(
        self,
        kernel: Callable[[str], tuple[Evaluator, Array]],
        names: dict[str, str],
        frame: ReachedCoordinates,
        length: float,
    ) -> None:
        """`names` are those of the functions of the record, which `kernel` gives by name."""
        self._functions = {one: _Function(*kernel(name)) for one, name in names.items()}
        self._frame, self._length = frame, length
        self._code = loop_kernel(f"{__package__}.kernels.reaching", "reach")
        self._reach = _CALL(self._code.address)

    def reach(
        self, goals: Array, guesses: Array, ranges: Ranges, reached: float, eases: bool
    ) -> ReachedTargets:
        """Coordinates that bring the place to points (targets, 3) or poses (targets, 4, 4)."""
        loops, place_rows = len(self._frame.gap_size), 3 if goals.ndim == 2 else 6
        poses = np.zeros((len(goals), 4, 4))
        poses[:, :3, 3] = goals if place_rows == 3 else goals[:, :3, 3]
        if place_rows == 6:
            poses[:, :3, :3] = goals[:, :3, :3]
        counts = {
            "n": len(self._frame.displacement),
            "nq": guesses.shape[1],
            "loops": loops,
            "rows": loops + place_rows,
            "targets": len(goals),
        }
        sizes = {"placed": self._size("placing"), "J_loops": self._size("holding")}
        run = Record(REACH)
        run.hold(goals=poses, guesses=guesses, **vars(ranges), **vars(self._frame))
        run.keep(**room(ROOM | OUTPUT, counts | sizes), **room(STEPS | ORDER, counts, np.int64))
        run.write(**counts, starts=len(guesses), balls=len(self._frame.quaternion))
        run.write(length=self._length, reached=reached, eases=int(eases))
        for name in FUNCTIONS:
            if name in self._functions:
                self._functions[name].write(run, name)
        self._reach(run.address)
        arrays = run.arrays
        return ReachedTargets(arrays["found"], arrays["residual"], arrays["steps"])

    def _size(self, name: str) -> int:
        return self._functions[name].size if name in self._functions else 0
