"""The general method in absolute coordinates: cost of a step and a body; windows and chains."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.moving import OURS, PEERS, Way, installed, ways
from benchmarks.moving.clock import Measured, measure
from benchmarks.moving.reference import Case, chain_case, windows_case
from benchmarks.moving.rods import Quality, Rods, chain, windows
from benchmarks.moving.with_torseur import mechanism
from benchmarks.outcome import Bar, Cell, Part, Table, written
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.integrators.drive import integrate
from torseur.machine.integrators.methods import RK4
from torseur.simulation.formulations.absolute import problem
from torseur.simulation.run.placed_bodies import placed
from torseur.topology.structure import structure

Array = np.ndarray
_LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
_COUNTS = (10, 100, 1_000)  # of windows whose cost by the step is compared
_STEP = 1e-3  # of the runs whose cost is counted by the step [s]
_LINKS = (100, 1_000)
# Exudyn with steps of 1 ms, on one machine: the limit where it is not installed.
# Windows and processor seconds for a second of motion.
_WINDOWS = {1: 0.019, 10: 0.17, 40: 0.80}
_CHAIN = 6.0  # of the longest chain, for a second of motion [s]


def run(*, quick: bool) -> Part:
    """Growth with size, the windows of IFToMM benchmark A02, and chains let go."""
    rounds = 2 if quick else 6
    chains, by_link = _growth("Chains", chain, _LENGTHS[::3] if quick else _LENGTHS, rounds)
    wider, by_window = _growth("Windows", windows, _COUNTS, rounds)
    moved, bars = _windows(2.0 if quick else 10.0, 1 if quick else 3)
    hanging, more = _hanging(0.2, 1, _LINKS[:1]) if quick else _hanging(1.0, 3, _LINKS)
    return Part(
        "absolute",
        [chains, wider, moved, hanging],
        [
            Bar(
                "chains: a step and a body, dearest over cheapest",
                max(by_link.values()) / min(by_link.values()),
                1.5,
                "×",
            ),
            Bar(
                f"windows: a step and a body, {_COUNTS[-1]} over {_COUNTS[0]}",
                by_window[_COUNTS[-1]] / by_window[_COUNTS[0]],
                1.3,
                "×",
            ),
            *bars,
            *more,
        ],
        [
            "Processor time, all on one thread. Growth: steps of RK4 of 1 ms with the return onto "
            "the constraints, the sizes in turns. Torseur: whole calls of simulate, "
            "starting state and numerical model included; peers: models made before the clock "
            "starts.",
            "Errors against equations in angles solved by SciPy's DOP853 at 1e-13 (windows: one "
            "freedom): B0 of windows, the ends of all links of chains, the largest at any sample. "
            "Energy relative to the largest kinetic energy or spread of potential energy.",
            *(f"{name} is not installed." for name in PEERS if name not in installed()),
        ],
    )


# --- growth with size ---------------------------------------------------------------------------


def _growth(
    title: str, make: Callable[[int], Rods], sizes: tuple[int, ...], rounds: int
) -> tuple[Table, dict[int, float]]:
    """The cost of a step and a body by size [s]: the sizes take turns, the best of each counts."""
    models = {size: AbsoluteModel(mechanism(make(size)), {}) for size in sizes}
    starts = {size: _start(make(size), model) for size, model in models.items()}
    bodies = {size: len(model.graph.bodies) for size, model in models.items()}
    steps = {size: max(20, 20_000 // bodies[size]) for size in sizes}
    best = dict.fromkeys(sizes, float("inf"))
    for _ in range(rounds + 1):  # the first one loads the code
        for size in sizes:
            times = np.array([0.0, steps[size] * _STEP])
            moving = problem(models[size])
            began = time.process_time()
            integrate(moving, starts[size], times, RK4(_STEP), closed=1e-9)
            spent = time.process_time() - began
            best[size] = min(best[size], spent / (steps[size] * bodies[size]))
    rows: list[tuple[Cell, ...]] = [
        (size, bodies[size], steps[size], 1e9 * best[size], models[size].graph.elimination.fill)
        for size in sizes
    ]
    head = ("size", "bodies", "steps", "a step and a body [ns]", "blocks filled in")
    return Table(f"{title}, steps of RK4 of 1 ms", head, rows), best


def _start(rods: Rods, model: AbsoluteModel) -> Array:
    """All bodies placed by the angles of the tree that the model has chosen.

    Chains bend a little, so that no link starts as another one.
    """
    given = {pin.name: rods.between(pin) for pin in rods.pins}
    names = structure(model.numbers).coordinates
    q, v = np.array([given[name] for name in names]).T
    return placed(model, q if rods.closing else q + 0.01, v)


# --- whole motions ------------------------------------------------------------------------------


def _usual(case: Case) -> list[tuple[Way, float]]:
    """Every engine at its usual setting, Torseur's joint coordinates only where nothing loops."""
    found = ways(case.rods)
    left_out = "joint" if case.rods.closing else ""
    return [(x, x.usual) for x in found if x.engine != OURS or x.method != left_out]


def _row(case: Case, one: Measured) -> tuple[Cell, ...]:
    setting = f"{one.setting:g} s" if one.way.turned == "step" else f"{one.setting:g}"
    if one.quality is None:
        return case.rods.name, one.way.name, setting, one.message, None, None, None
    found = one.quality
    return (
        case.rods.name,
        one.way.name,
        setting,
        one.seconds,
        found.error,
        found.closure,
        found.energy,
    )


_HEAD = (
    "mechanism",
    "engine",
    "step or tolerance",
    "s for a second",
    "off by [m]",
    "open [m]",
    "energy",
)


def _windows(duration: float, rounds: int) -> tuple[Table, list[Bar]]:
    rows: list[tuple[Cell, ...]] = []
    bars = []
    for count, known in _WINDOWS.items():
        case = windows_case(count, duration)
        found = measure(case, _usual(case), rounds=rounds)
        rows += [_row(case, one) for one in found]
        exudyn = [x.seconds for x in found if x.way.engine == "Exudyn" and x.quality]
        seconds, reached = _ours(found)
        what = case.rods.name
        limit = float(written(exudyn[0])) if exudyn else known
        bars += [
            Bar(f"{what}: s for a second, beside Exudyn's", seconds, limit, "s"),
            Bar(f"{what}: energy", reached.energy, 1e-7),
            Bar(f"{what}: joints open by", reached.closure, 1e-12, "m"),
        ]
    return Table(f"Windows through singular positions, {duration:g} s", _HEAD, rows), bars


def _ours(found: list[Measured]) -> tuple[float, Quality]:
    """Torseur's time and quality, in the coordinates that it is quicker in."""
    one = min((x for x in found if x.way.engine == OURS), key=lambda x: x.seconds)
    nothing = float("nan")  # which meets no bar
    return one.seconds, one.quality or Quality(nothing, nothing, nothing)


def _hanging(duration: float, rounds: int, beside: tuple[int, ...]) -> tuple[Table, list[Bar]]:
    """Chains with peers `beside` them."""
    rows: list[tuple[Cell, ...]] = []
    bars: list[Bar] = []
    for links in _LINKS:
        case = chain_case(links, duration, rate=10 / duration)
        wanted = [x for x in _usual(case) if links in beside or x[0].engine == OURS]
        found = measure(case, wanted, rounds=rounds)
        rows += [_row(case, one) for one in found]
        seconds, reached = _ours(found)
        bars = [
            Bar(f"{case.rods.name}: s for a second", seconds, _CHAIN, "s"),
            Bar(f"{case.rods.name}: energy", reached.energy, 1e-6),
            Bar(f"{case.rods.name}: joints open by", reached.closure, 1e-9, "m"),
        ]
    return Table(f"Chains let go, {duration:g} s", _HEAD, rows), bars
