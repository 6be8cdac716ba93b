"""The time and the quality of many motions: the engines take turns, round after round."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from benchmarks.moving import OURS, Ready, Stopped, Way
from benchmarks.moving.reference import Case
from benchmarks.moving.rods import Quality, quality
from benchmarks.timing import BUSY, load

BUDGET = 120.0  # processor time that one motion may be expected to need [s]
_ENOUGH = 2.0  # processor time after which a motion is not repeated [s]


@final
@dataclass(frozen=True)
class Measured:
    """A motion by one way at one setting; without quality, why there is none."""

    way: Way
    setting: float
    seconds: float  # processor time for a second of motion [s]
    quality: Quality | None
    message: str = ""


@final
@dataclass
class _Job:
    """A motion that is timed several times."""

    way: Way
    setting: float
    ready: Ready | None
    best: float = float("inf")  # [s]
    spent: float = 0.0  # in all [s]
    result: Any = None
    message: str = ""

    @property
    def least(self) -> int:
        """How often it runs at least: the first time, Torseur may make code for what it meets."""
        return 2 if self.way.engine == OURS else 1

    def run(self) -> None:
        """Once more, unless it failed before."""
        if self.ready is None:
            return
        gc.collect()
        began = time.process_time()
        try:
            self.result = self.ready.go()
        except Stopped as stopped:
            self.ready, self.message = None, f"stopped: {_first_line(stopped)}"
            return
        taken = time.process_time() - began
        self.best, self.spent = min(self.best, taken), self.spent + taken


def measure(
    case: Case, wanted: list[tuple[Way, float]], *, rounds: int, budget: float = BUDGET
) -> list[Measured]:
    """Every way at its setting: processor time, best of the rounds, and quality.

    What a first piece of the motion tells to exceed the budget is left out, with a message.
    """
    jobs = [_job(case, way, setting, budget) for way, setting in wanted]
    for turn in range(rounds * (2 if load() > BUSY else 1)):
        for job in jobs:
            if turn < job.least or job.spent < _ENOUGH:
                job.run()
    return [_measured(case, job) for job in jobs]


def _job(case: Case, way: Way, setting: float, budget: float) -> _Job:
    """Ready to run, unless its first part stops or tells that the whole would take too long.

    Torseur is not left out: the first time it makes its code, which peers bring with them.
    """
    part = _Job(way, setting, way.ready(setting, case.times[:2]))
    part.run()
    if part.ready is None:
        return part
    needed = part.best * (len(case.times) - 1)
    if needed > budget and way.engine != OURS:
        return _Job(way, setting, None, message=f"left out: about {needed:.0f} s of processor time")
    return _Job(way, setting, way.ready(setting, case.times))


def _measured(case: Case, job: _Job) -> Measured:
    if job.ready is None:
        return Measured(job.way, job.setting, float("nan"), None, job.message)
    times, states = job.ready.read(job.result)
    if times[-1] < case.times[-1] - 1e-6 or not np.isfinite(states).all():
        return Measured(job.way, job.setting, float("nan"), None, "stopped before the end")
    found = quality(case.rods, states, case.exact(times))
    return Measured(job.way, job.setting, job.best / case.duration, found)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:60] if str(error).strip() else "no reason given"
