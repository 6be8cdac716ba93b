"""Rows moved by the lanes of one or several threads, which take the next row where one ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Dop853, FixedStep
from torseur.machine.lanes.memory import Lanes, Shared
from torseur.machine.lanes.problem import LaneOutcome, LaneProblem, Rows

_BUDGET = 4096  # steps of all lanes between two looks at what Python wants


def moved_in_lanes(
    problem: LaneProblem,
    rows: Rows,
    method: Dop853 | FixedStep,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> LaneOutcome:
    """All rows moved; `progress` is told how many were begun.

    An interruption from the keyboard ends all of them: nothing of a batch is returned then.
    """
    shared = Shared(rows, method)
    crew = [Lanes(problem, shared) for _ in range(max(1, min(threads, len(rows.starts))))]
    stop = threading.Event()

    def work(own: Lanes) -> None:
        while own.advance(_BUDGET) is Code.PAUSED and not stop.is_set():
            if progress is not None and own is crew[0]:
                progress(shared.taken)

    if len(crew) == 1:
        work(crew[0])
    else:
        with ThreadPoolExecutor(len(crew), thread_name_prefix="torseur") as pool:
            try:
                for done in [pool.submit(work, own) for own in crew]:
                    done.result()
            except KeyboardInterrupt:
                stop.set()
                raise
    return shared.outcome([found for own in crew for found in own.events])
