"""Runs of integrators: checks, pauses, interruption; many rows by the lanes of threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.lanes import CLOSED, Lanes, Shared
from torseur.machine.integrators.methods import Method, Radau
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.outcome import Outcome, Reached, RowsOutcome
from torseur.machine.integrators.problem import MotionRows, Problem
from torseur.machine.llvm.width import lane_width
from torseur.machine.runtime.bitcode import available
from torseur.words.sentence import say

Progress = Callable[[float], None]
Attend = Callable[[float, Any], Any]  # of a time and a state: the one to go on with; None: it
Judge = Callable[[Code, Reached], Method | None]  # the method to go on with; None: the same

_MOST_STEPS = 1_000_000_000  # between two pauses
_PAUSE = 0.05  # seconds between two turns of Python, about
_FIRST_BUDGET = 32  # steps before the first pause
_GOES_ON = (Code.PAUSED, Code.STIFF)
_CHANGE = 4  # most that the number of steps between two pauses is multiplied or divided by
_ROWS_BUDGET = 4096  # steps of all lanes between two looks at what Python wants


def require_available(place: str, problem: str) -> None:
    """Refuse what only machine code does, where it cannot be made."""
    if not available():
        raise ModelError(place, problem, "Install numba.")


def integrate(
    problem: Problem,
    start: Any,
    times: Any,
    method: Method,
    *,
    closed: float = CLOSED,
    progress: Progress | None = None,
    pause: float = _PAUSE,
    judge: Judge | None = None,
    attend: Attend | None = None,
) -> Outcome:
    """The states at increasing times, the first being that of the start.

    A loop is closed when the norm of its gap is less than `closed`, and what rounding adds to it.
    Python has its turn about every `pause` seconds: `progress` gets the time reached, `judge`
    may change the method, and an interruption from the keyboard ends the run with what was
    computed. `attend` is called before every step, with the time and the state, and may change it.
    """
    y, samples = np.array(start, dtype=float, ndmin=1), np.array(times, dtype=float, ndmin=1)
    if not np.all(np.diff(samples) > 0):
        raise ModelError("integrate", say("the times must increase, got {samples}.", samples))
    memory = MotionMemory(problem, y, samples, method, closed)
    return driven(memory, progress=progress, pause=pause, judge=judge, attend=attend)


def driven(
    memory: MotionMemory,
    *,
    progress: Progress | None = None,
    pause: float = _PAUSE,
    judge: Judge | None = None,
    attend: Attend | None = None,
) -> Outcome:
    """The states of a run that is in memory, as `integrate` gives them."""
    try:
        code = _drive(memory, progress=progress, pause=pause, judge=judge, attend=attend)
    except KeyboardInterrupt:
        code = Code.INTERRUPTED
    return memory.outcome(code)


def finish(memory: MotionMemory, attend: Attend | None = None) -> Code:
    """The reason of the end of a run that is in memory; an interruption is raised as it is.

    Most often the first steps are enough, and nothing more is done than these.
    """
    code = memory.advance(_FIRST_BUDGET) if attend is None else Code.PAUSED
    return _drive(memory, attend=attend) if code in _GOES_ON else code


def _drive(
    memory: MotionMemory,
    *,
    progress: Progress | None = None,
    pause: float = _PAUSE,
    judge: Judge | None = None,
    attend: Attend | None = None,
) -> Code:
    """The reason of the end of a run, from where it is."""
    code, budget = Code.PAUSED, _FIRST_BUDGET
    while code in _GOES_ON:
        if attend is not None:
            memory.place(attend(memory.time, memory.reached.state))
            budget = 1
        began, before = time.perf_counter(), memory.steps
        code = memory.advance(budget)
        # it may have stopped before its budget was spent: what it did tells the pace
        pace = max(memory.steps - before, 1) / max(time.perf_counter() - began, 1e-9)
        steps = pause * pace
        budget = int(min(max(steps, budget / _CHANGE, 1), budget * _CHANGE, _MOST_STEPS))
        if progress is not None:
            progress(memory.time)
        chosen = judge(code, memory.reached) if judge and code in _GOES_ON else None
        if chosen is not None:
            memory.adopt(chosen)
            budget = _FIRST_BUDGET
    return code


def integrate_rows(
    problem: Problem,
    rows: MotionRows,
    method: Method,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> RowsOutcome:
    """All rows moved by lanes that take the next row where one ends; Radau has one a thread.

    `progress` gets the number of rows begun. An interruption from the keyboard ends all of them:
    nothing of a batch is returned then.
    """
    return RowsMemory(problem, rows, method, threads).move(progress)


@final
class RowsMemory:
    """Lanes of threads that move rows, also again and again from other starts."""

    def __init__(
        self, problem: Problem, rows: MotionRows, method: Method, threads: int = 1
    ) -> None:
        self._shared = Shared(rows, problem)
        width = 1 if isinstance(method, Radau) else lane_width()
        count = max(1, min(threads, len(rows.starts)))
        self._crew = [Lanes(problem, self._shared, method, width) for _ in range(count)]

    def restart(self, starts: Any) -> None:
        """Go to other starts, when all rows have ended."""
        self._shared.arrays["starts"][:] = starts
        self._shared.arrays["counter"][0] = 0

    def move(self, progress: Callable[[int], None] | None = None) -> RowsOutcome:
        """All rows to their ends."""
        shared, crew, events = self._shared, self._crew, list[np.ndarray]()
        stop = threading.Event()

        def work(lanes: Lanes) -> None:
            code = Code.PAUSED
            while code is Code.PAUSED and not stop.is_set():
                code, happened = lanes.advance(_ROWS_BUDGET)
                if happened is not None:
                    events.append(happened)
                if progress is not None and lanes is crew[0] and code is Code.PAUSED:
                    progress(shared.begun)

        if len(crew) == 1:
            work(crew[0])
        else:
            with ThreadPoolExecutor(len(crew), thread_name_prefix="torseur") as pool:
                try:
                    for done in [pool.submit(work, lanes) for lanes in crew]:
                        done.result()
                except KeyboardInterrupt:
                    stop.set()
                    raise
        return shared.outcome(events)
