"""A single motion in memory: one row in one lane; it may pause, start again, change its method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.lanes import CLOSED, CODES, Lanes, Shared
from torseur.machine.integrators.methods import Method
from torseur.machine.integrators.outcome import INDEX, STATE, TIME, Outcome, Reached, SignChange
from torseur.machine.integrators.problem import MotionRows, Problem, StateSizes, of_size_one
from torseur.machine.integrators.run_record import RUN
from torseur.machine.runtime.loop_kernel import LoopKernel
from torseur.machine.runtime.memory import Record

Array = np.ndarray

_END, _FIRST, _SAMPLES = (RUN.words[name] for name in ("end", "first", "samples"))
_GROWTH = 10  # most that a step is multiplied by for the next one


@final
class MotionMemory:
    """All that a run remembers, and the steps that change it."""

    def __init__(
        self, problem: Problem, start: Array, times: Array, method: Method, closed: float = CLOSED
    ) -> None:
        rows = MotionRows(np.array(start, ndmin=2), times, problem.sizes or of_size_one(len(start)))
        self._shared, self._events = Shared(rows, problem, closed), list[SignChange]()
        self._lanes = Lanes(problem, self._shared, method, 1)
        self._run = self._lanes.run
        self._run.keep(y=self._shared.arrays["starts"].T)  # it moves from where its start stands
        self._arrays = arrays = self._run.arrays
        self._y, self._t, self._row = arrays["y"][:, 0], arrays["t"], arrays["row"]
        self._counter, self._numbers = arrays["counter"], self._run.words.view(float)
        self._t[0] = times[0]
        self._bytes = self._run.values.reshape(1).view(np.uint8)
        self._fresh = self._bytes.copy()

    def restart(self, start: Array, times: Sequence[float] | Array, step: float = 0.0) -> None:
        """Go to another start of the same problem, with as many times as before or fewer.

        `step` is the first step that a method with control of the error tries. One much shorter
        than the run is guessed instead: that costs less than many short steps.
        """
        arrays, count = self._arrays, len(times)
        self._bytes[:] = self._fresh
        self._events = []
        self._counter[0], self._row[0], self._t[0] = 0, -1.0, times[0]
        self._y[:] = start
        arrays["times"][:count] = times
        if self._shared.acting is not None:
            self._shared.hold_acting(count)
        self._numbers[_END], self._run.words[_SAMPLES] = times[-1], count
        if 0.0 < times[-1] - times[0] <= _GROWTH * step:
            self._numbers[_FIRST] = step

    def compare_with(self, sizes: StateSizes) -> None:
        """Go to another start, whose components are compared with other sizes; no step is known."""
        arrays = self._arrays
        arrays["h"][0] = 0.0
        arrays["row_usual"][0], arrays["row_grain"][0] = sizes.usual, sizes.grain
        arrays["most"][:, 0] = sizes.most
        self._lanes.set_tolerances()

    def adopt(self, method: Method) -> None:
        """From here on the steps are those of this method."""
        self._lanes.adopt(method)

    @property
    def record(self) -> Record:
        """The record that the kernel moves."""
        return self._run

    @property
    def kernel(self) -> LoopKernel:
        """The kernel that moves it."""
        return self._lanes.motion.kernel

    @property
    def steps(self) -> int:
        """Steps tried."""
        return int(self._arrays["accepted"][0] + self._arrays["rejected"][0])

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self._t[0])

    @property
    def step(self) -> float:
        """The step to try next."""
        return float(self._arrays["h"][0])

    @property
    def state(self) -> Array:
        """The state reached, which the next steps change."""
        return self._y

    @property
    def reached(self) -> Reached:
        """Where the run is."""
        accepted, bend = int(self._arrays["accepted"][0]), float(self._arrays["bend"][0])
        return Reached(self.time, self.state.copy(), self.step, accepted, bend)

    @property
    def last_event(self) -> int:
        """The number of the event function that ended the run."""
        return self._events[-1].index

    def place(self, state: Array | None) -> None:
        """Go on from another state; None: from where it is."""
        if state is not None:
            self._y[:] = state

    def advance(self, budget: int) -> Code:
        """Some more steps; the events found are taken out of the table."""
        code, events = self._lanes.advance(budget)
        if events is not None:
            self._events += [SignChange(float(x[TIME]), int(x[INDEX]), x[STATE:]) for x in events]
        if code is Code.PAUSED:
            return code
        why: Code = CODES[self._arrays["codes"].item(0)]
        if why is Code.STIFF:  # it may go on where it is
            self._row[0] = 0.0
            self._run.write(busy=1)
        return why

    def outcome(self, code: Code) -> Outcome:
        """The outcome so far, whatever the reason of the end."""
        arrays = self._arrays
        return Outcome(
            arrays["states"][0, : int(arrays["filled"][0])].copy(),
            tuple(self._events),
            code,
            self.time,
            self.state.copy(),
            int(arrays["accepted"][0]),
            int(arrays["rejected"][0]),
            self._run["evaluations"],
        )
