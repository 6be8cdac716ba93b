"""Clocks: the shortest of many repeats, in the time of this process or of a child process."""

from __future__ import annotations

import gc
import os
import subprocess
import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, final

Key = TypeVar("Key")
BUSY = 2.0  # load average above which everything is repeated more
_REPEAT = 2e-3  # what one repeat of a short call should last [s]


@final
@dataclass(frozen=True)
class Job:
    """A statement to time, the names in it, and the clock.

    The default clock is the processor time of the process, which other programs that run on the
    same core do not lengthen.
    """

    statement: str
    names: Mapping[str, Any]
    clock: Callable[[], float] = time.process_time

    def timer(self) -> timeit.Timer:
        """A timer of the statement; garbage collection is off while it runs."""
        return timeit.Timer(self.statement, globals=dict(self.names), timer=self.clock)


@final
@dataclass(frozen=True)
class Effort:
    """How long the best time of a statement is looked for."""

    seconds: float = 0.1  # in each round
    rounds: int = 6

    @property
    def adapted(self) -> Effort:
        """Three times more rounds on a busy machine."""
        return Effort(self.seconds, self.rounds * (3 if load() > BUSY else 1))


def load() -> float:
    """The load average of the last minute; zero where the system keeps none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def race(jobs: Mapping[Key, Job], effort: Effort) -> dict[Key, float]:
    """The time of each statement [s]: the best of repeats of about 2 ms.

    The jobs take turns, round after round, so that a disturbance hits all of them and the best
    time of each is one without.
    """
    effort = effort.adapted
    timers = {key: job.timer() for key, job in jobs.items()}
    numbers = {key: _number(timer) for key, timer in timers.items()}
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(effort.rounds):
        for key, timer in timers.items():
            end = time.perf_counter() + effort.seconds
            while True:
                best[key] = min(best[key], timer.timeit(numbers[key]) / numbers[key])
                if time.perf_counter() > end:
                    break
    return best


def _number(timer: timeit.Timer) -> int:
    """How many statements last about one repeat."""
    timer.timeit(1)
    guess = max(1, int(_REPEAT / max(timer.timeit(1), 1e-8)))
    return max(1, int(guess * _REPEAT / max(timer.timeit(guess), 1e-9)))


def fastest(function: Callable[[], Any], repeats: int) -> float:
    """The processor time [s] of a long computation, the best of several."""
    times = []
    for _ in range(repeats * (3 if load() > BUSY else 1)):
        gc.collect()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


@final
@dataclass(frozen=True)
class Lasted:
    """What a process took."""

    wall: float  # [s]
    cpu: float  # user and system [s]
    output: str


def process(command: list[str], environment: Mapping[str, str] | None = None) -> Lasted:
    """A command run in a new process."""
    start = time.perf_counter()
    before = os.times()
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} stopped with {done.returncode}:\n{done.stderr}")
    spent = after.children_user - before.children_user
    spent += after.children_system - before.children_system
    return Lasted(wall, spent, done.stdout)


def fastest_process(
    command: list[str], repeats: int, environment: Mapping[str, str] | None = None
) -> Lasted:
    """The shortest of several runs of a command."""
    times = repeats * (2 if load() > BUSY else 1)
    return min((process(command, environment) for _ in range(times)), key=lambda run: run.wall)
