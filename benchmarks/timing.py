"""Clocks: the shortest of many repeats, in the time of this process or of a child process."""

from __future__ import annotations

import gc
import os
import subprocess
import time
import timeit
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

BUSY = 2.0  # load average above which everything is repeated more
_REPEAT = 2e-3  # what one repeat of a short call should last [s]
_LEAST = 5  # repeats, however long one is


@final
@dataclass(frozen=True)
class Effort:
    """How long a figure may be looked for."""

    seconds: float = 0.4

    @property
    def budget(self) -> float:
        """Three times longer on a busy machine."""
        return self.seconds * (3.0 if load() > BUSY else 1.0)


def load() -> float:
    """The load average of the last minute; zero where the system keeps none."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def per_call(
    statement: str,
    names: Mapping[str, Any],
    effort: Effort,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """The time of one statement [s]: the best of repeats of about 2 ms, garbage collection off.

    The default clock is the processor time of the process, which other programs do not lengthen.
    """
    timer = timeit.Timer(statement, globals=dict(names), timer=clock)
    timer.timeit(1)
    once = max(timer.timeit(1), 1e-8)
    number = max(1, int(_REPEAT / once))
    number = max(1, int(number * _REPEAT / max(timer.timeit(number), 1e-9)))
    best, done = float("inf"), 0
    end = time.perf_counter() + effort.budget
    while done < _LEAST or time.perf_counter() < end:
        best = min(best, timer.timeit(number) / number)
        done += 1
    return best


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
