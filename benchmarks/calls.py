"""The time of one call and of a row of a batch, beside the other engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import machine, robots
from benchmarks.call_bars import Times, bars_of
from benchmarks.engines import FUNCTIONS, Engine, Rows, agree, ours
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.robots import Robot
from benchmarks.timing import Effort, per_call

Array = np.ndarray
PLAIN = FUNCTIONS[:3]
CHECKED = 200  # states on which engines must agree
SLOW = 2_000  # rows of a batch that Python loops over


def run(*, quick: bool) -> Part:
    """Three robots, five functions, four engines."""
    effort = Effort(0.05 if quick else 0.4)
    tables, bars, notes = [], [], {}
    for robot in (robots.puma(), robots.seven(), robots.tree_of_thirty()):
        big = len(robot.mechanism.bodies) > 10
        functions = PLAIN if big and quick else FUNCTIONS
        found = list(engines(robot, functions, big=big))
        check(robot, functions, found)
        single = _singles(robot, functions, found, effort)
        rows = 10_000 if big else 100_000
        batch = _batches(robot, functions, found, rows, effort)
        loop = _loops(robot, functions, found, effort)
        tables += [
            _single_table(robot, functions, found, single),
            _batch_table(robot, functions, found, batch, rows),
            _loop_table(robot, functions, found, loop),
        ]
        bars += bars_of(robot.name, single, batch)
        notes |= dict.fromkeys(remark for engine in found for remark in engine.remarks)
    lacking = [name for name in machine.missing() if name != "SymPy"]
    if lacking:
        notes[f"Not installed: {', '.join(lacking)}. To compare with them: {machine.HOW}."] = None
    notes |= dict.fromkeys(_METHOD)
    return Part("calls", tables, bars, list(notes))


_METHOD = (
    f"Every engine agrees with Torseur to 1e-10 on {CHECKED} states before anything is timed.",
    "One call: processor time, best of repeats of about 2 ms. Batch: all the rows in one call, "
    f"the result allocated by the call; loops in Python over {SLOW} rows. Two threads: wall time.",
    "Torseur's parameters stay changeable: none of their values is in the code.",
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

        yield with_casadi.engine(robot, PLAIN if big else functions)


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


def _singles(robot: Robot, functions, found: list[Engine], effort: Effort) -> Times:
    """(engine, function) → seconds for one call from Python."""
    q, v, x = (rows[0] for rows in states(robot, CHECKED))
    state = {"q": q, "v": v, "x": x}
    return {
        (engine.name, name): per_call(
            engine.calls[name].statement, {**engine.calls[name].names, **state}, effort
        )
        for name in functions
        for engine in found
        if name in engine.calls
    }


def _per_row(
    rows: Rows, given: tuple[Array, ...], effort: Effort, clock: Callable[[], float]
) -> float:
    names = {"rows": rows, "Q": given[0], "V": given[1], "X": given[2]}
    return per_call("rows(Q, V, X)", names, effort, clock) / len(given[0])


def _batches(robot: Robot, functions, found: list[Engine], rows: int, effort: Effort) -> Times:
    """(engine, way, function) → seconds a row."""
    many, few = states(robot, rows), states(robot, SLOW)
    times = {}
    for engine in found:
        for way, batch in engine.batches.items():
            clock = time.perf_counter if "two" in way else time.process_time
            for name in functions:
                if name in batch:
                    given = few if way == "row by row" else many
                    times[engine.name, way, name] = _per_row(batch[name], given, effort, clock)
    for name in functions:  # both sides of the gain of a second thread on the same clock
        batch = found[0].batches["batch"][name]
        times["Torseur", "wall", name] = _per_row(batch, many, effort, time.perf_counter)
    return times


def _loops(robot: Robot, functions, found: list[Engine], effort: Effort) -> Times:
    """(engine, function) → seconds a row inside a compiled loop."""
    given = states(robot, SLOW)
    return {
        (engine.name, name): _per_row(engine.loops[name], given, effort, time.process_time)
        for name in functions
        for engine in found
        if name in engine.loops
    }


def _beside(theirs: float | None, own: float, scale: float) -> Cell:
    """A peer's figure and how many times ours it is."""
    return None if theirs is None else f"{scale * theirs:.3g} (×{theirs / own:.3g})"


def _single_table(robot: Robot, functions, found: list[Engine], times: Times) -> Table:
    others = [engine.name for engine in found[1:]]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", name]
        theirs = (_beside(times.get((other, name)), own, 1e6) for other in others)
        rows.append((name.replace("_", " "), 1e6 * own, *theirs))
    return Table(f"{robot.name}: one call from Python [µs]", ("", "Torseur", *others), rows)


def _batch_table(robot: Robot, functions, found: list[Engine], times: Times, count: int) -> Table:
    ways = [(engine.name, way) for engine in found[1:] for way in engine.batches]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", "batch", name]
        gain = times["Torseur", "wall", name] / times["Torseur", "two threads", name]
        theirs = (_beside(times.get((*way, name)), own, 1e9) for way in ways)
        rows.append((name.replace("_", " "), 1e9 * own, f"×{gain:.3g}", *theirs))
    heads = (f"{engine} {way}" for engine, way in ways)
    title = f"{robot.name}: a row of a batch of {count}, one core [ns]"
    return Table(title, ("", "Torseur", "2 threads", *heads), rows)


def _loop_table(robot: Robot, functions, found: list[Engine], times: Times) -> Table:
    others = [engine.name for engine in found[1:] if engine.loops]
    rows: list[tuple[Cell, ...]] = []
    for name in functions:
        own = times["Torseur", name]
        theirs = (_beside(times.get((other, name)), own, 1e9) for other in others)
        rows.append((name.replace("_", " "), 1e9 * own, *theirs))
    head = ("", "Torseur", *(f"{other}, gcc -O3" for other in others))
    return Table(f"{robot.name}: one state inside a compiled loop [ns]", head, rows)
