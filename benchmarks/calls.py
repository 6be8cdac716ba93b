"""The time of one call and of a row of a batch, beside the other engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import machine, robots
from benchmarks.call_bars import Times, bars_of, loop_bars, words
from benchmarks.engines import FUNCTIONS, OF_THE_TOOL, Engine, Rows, agree, ours
from benchmarks.outcome import Cell, Part, Table, written
from benchmarks.robots import Robot
from benchmarks.timing import Effort, Job, race

Array = np.ndarray
Jobs = dict[tuple[str, ...], Job]
PLAIN = FUNCTIONS[:3]
CHECKED = 200  # states on which engines must agree
SLOW = 2_000  # rows of a batch that Python loops over


def run(*, quick: bool) -> Part:
    """Three robots, seven functions, four engines."""
    effort = Effort(0.02, 2) if quick else Effort()
    tables, bars, notes = [], [], {}
    for robot in (robots.puma(), robots.seven(), robots.tree_of_thirty()):
        big = len(robot.mechanism.bodies) > 10
        functions = PLAIN if big and quick else FUNCTIONS
        functions += OF_THE_TOOL if "tool" in robot.mechanism.points else ()
        found = list(engines(robot, functions, big=big))
        check(robot, functions, found)
        single = race(_singles(robot, functions, found), effort)
        rows = 10_000 if big else 100_000
        batch = _per_row(_batches(robot, functions, found, rows), effort)
        loop = _per_row(_loops(robot, functions, found), effort)
        tables += [
            _single_table(robot, functions, found, single),
            _batch_table(robot, functions, found, batch, rows),
            _loop_table(robot, functions, found, loop),
        ]
        bars += [*bars_of(robot.name, single, batch), *loop_bars(robot.name, loop)]
        notes |= dict.fromkeys(remark for engine in found for remark in engine.remarks)
    lacking = [name for name in machine.missing() if name != "SymPy"]
    if lacking:
        notes[f"Not installed: {', '.join(lacking)}. To compare with them: {machine.HOW}."] = None
    notes |= dict.fromkeys(_METHOD)
    return Part("calls", tables, bars, list(notes))


_METHOD = (
    f"Every engine agrees with Torseur to 1e-10 on {CHECKED} states before anything is timed.",
    "One call: processor time, best of repeats of about 2 ms. Batch: all the rows in one call, "
    f"the result allocated by the call; loops in Python over {SLOW} rows. Two threads: wall time, "
    "which needs two idle cores.",
    "Torseur's parameters stay changeable: none of their values is in the code, but for the column "
    "where they are fixed.",
    "Pose and Jacobian of the tool are called by its name; Pinocchio's by the number of a frame.",
    "Compiled loop: the entry for one state called row by row by compiled code; CasADi's C by "
    "gcc -O3 -march=native, called by a loop in the same C file.",
)


def engines(robot: Robot, functions: tuple[str, ...], *, big: bool) -> Iterator[Engine]:
    """Torseur, then the peers that are installed."""
    yield ours.engine(robot, functions)
    if machine.version("pin"):
        from benchmarks.engines import with_pinocchio

        yield with_pinocchio.engine(robot)
    if machine.version("mujoco"):
        from benchmarks.engines import with_mujoco

        yield with_mujoco.engine(robot)
    if machine.version("casadi"):
        from benchmarks.engines import with_casadi

        yield with_casadi.engine(robot, PLAIN if big else FUNCTIONS)
    if any(robot.nil):
        yield ours.loops_without_zeros(robot, functions)
    if not big:
        yield ours.loops_of_fixed_values(robot, functions)


def states(robot: Robot, rows: int) -> tuple[Array, Array, Array]:
    """Random q, v and accelerations or forces."""
    Q, V, X = np.random.default_rng(rows).normal(size=(3, rows, len(robot.mechanism.bodies)))
    return Q, V, X


def check(robot: Robot, functions: tuple[str, ...], found: list[Engine]) -> None:
    """Nothing, if every way of every engine gives the same answers."""
    Q, V, X = states(robot, CHECKED)
    for name in functions:
        call = found[0].calls[name]
        expected = np.array([call.value(*row) for row in zip(Q, V, X, strict=True)])
        for engine in found:
            if name in engine.calls:
                one = engine.calls[name].value(Q[0], V[0], X[0]).reshape(expected[0].shape)
                agree(robot, name, one, expected[0], engine.name)
            for way, rows in [*engine.batches.items(), ("loop", engine.loops)]:
                if name in rows:
                    agree(robot, name, rows[name](Q, V, X), expected, f"{engine.name}, {way}")


def _singles(robot: Robot, functions: tuple[str, ...], found: list[Engine]) -> Jobs:
    """(engine, function) → one call from Python."""
    q, v, x = (rows[0] for rows in states(robot, CHECKED))
    return {
        (engine.name, name): Job(call.statement, {**call.names, "q": q, "v": v, "x": x})
        for engine in found
        for name, call in engine.calls.items()
        if name in functions
    }


def _batches(robot: Robot, functions: tuple[str, ...], found: list[Engine], count: int) -> Jobs:
    """(engine, way, function) → a batch."""
    many, few = states(robot, count), states(robot, SLOW)
    jobs = {
        (engine.name, way, name): _rows(rows, few if way == "row by row" else many, _clock(way))
        for engine in found
        for way, batch in engine.batches.items()
        for name, rows in batch.items()
        if name in functions
    }
    for name in functions:  # both sides of the gain of a second thread on the same clock
        batch = found[0].batches["batch"][name]
        jobs["Torseur", "wall", name] = _rows(batch, many, time.perf_counter)
    return jobs


def _clock(way: str) -> Callable[[], float]:
    return time.perf_counter if way == "two threads" else time.process_time


def _rows(rows: Rows, given: tuple[Array, Array, Array], clock: Callable[[], float]) -> Job:
    names = {"rows": rows, "Q": given[0], "V": given[1], "X": given[2]}
    return Job("rows(Q, V, X)", names, clock)


def _loops(robot: Robot, functions: tuple[str, ...], found: list[Engine]) -> Jobs:
    """(engine, function) → a compiled loop over rows."""
    given = states(robot, SLOW)
    return {
        (engine.name, name): _rows(rows, given, time.process_time)
        for engine in found
        for name, rows in engine.loops.items()
        if name in functions
    }


def _per_row(jobs: Jobs, effort: Effort) -> Times:
    """Seconds a row; two threads need two idle cores, which are waited for longer."""
    times = race(jobs, effort)
    walls = {key: job for key, job in jobs.items() if job.clock is time.perf_counter}
    again = race(walls, Effort(effort.seconds, 2 * effort.rounds))
    times |= {key: min(times[key], found) for key, found in again.items()}
    return {key: times[key] / len(job.names["Q"]) for key, job in jobs.items()}


def _beside(theirs: float | None, own: float, scale: float) -> Cell:
    """A peer's figure and how many times ours it is."""
    return None if theirs is None else f"{written(scale * theirs)} (×{written(theirs / own)})"


def _single_table(robot: Robot, functions, found: list[Engine], times: Times) -> Table:
    others = [engine.name for engine in found[1:] if engine.calls]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", name]
        theirs = (_beside(times.get((other, name)), own, 1e6) for other in others)
        rows.append((words(name), 1e6 * own, *theirs))
    return Table(f"{robot.name}: one call from Python [µs]", ("", "Torseur", *others), rows)


def _batch_table(robot: Robot, functions, found: list[Engine], times: Times, count: int) -> Table:
    ways = [(engine.name, way) for engine in found[1:] for way in engine.batches]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", "batch", name]
        gain = times["Torseur", "wall", name] / times["Torseur", "two threads", name]
        theirs = (_beside(times.get((*way, name)), own, 1e9) for way in ways)
        rows.append((words(name), 1e9 * own, f"×{gain:.3g}", *theirs))
    heads = (f"{engine} {way}" for engine, way in ways)
    title = f"{robot.name}: a row of a batch of {count}, one core [ns]"
    return Table(title, ("", "Torseur", "2 threads", *heads), rows)


def _loop_table(robot: Robot, functions, found: list[Engine], times: Times) -> Table:
    others = [engine.name for engine in found[1:] if engine.loops]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", name]
        theirs = (_beside(times.get((other, name)), own, 1e9) for other in others)
        rows.append((words(name), 1e9 * own, *theirs))
    head = ("", "Torseur", *(other.replace("CasADi", "CasADi, gcc -O3") for other in others))
    return Table(f"{robot.name}: one state inside a compiled loop [ns]", head, rows)
