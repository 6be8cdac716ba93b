"""Work and precision: what an error costs, by every engine over its steps or tolerances."""

from __future__ import annotations

import numpy as np

from benchmarks import machine
from benchmarks.moving import OURS, PEERS, installed, ways
from benchmarks.moving.clock import Measured, measure
from benchmarks.moving.reference import Case, chain_case, windows_case
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.work_precision_plot import plot

ERRORS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # of the table at equal error [m]
USEFUL = 0.1  # an error that hides the motion of rods of 1 m: nothing beyond is compared [m]


def run(*, quick: bool) -> Part:
    """Ten windows of IFToMM A02, and a chain of a hundred links let go."""
    cases = [windows_case(10, 10.0), chain_case(100, 1.0)]
    found = [_measured(case, quick) for case in cases]
    titles = [f"{case.rods.name}, {case.duration:g} s" for case in cases]
    paths = plot(dict(zip(titles, found, strict=True)), machine.processor())
    return Part(
        "work_precision",
        [
            table(title, all_of)
            for table in (_table, _equal)
            for title, all_of in zip(titles, found, strict=True)
        ],
        [bar for case, all_of in zip(cases, found, strict=True) for bar in _bars(case, all_of)],
        [
            "Error: the largest distance of a watched end from the reference at any sample. "
            "Times and reference as in the part `absolute`.",
            f"Bars: at each point of a peer's front with an error below {USEFUL:g} m, its time "
            "over that of Torseur's front at the same error, by interpolation of logarithms; the "
            "least of them. Where a peer is less exact than all of Torseur's points, the "
            "cheapest of these counts; where it is more exact, nothing does.",
            f"Figure: {', '.join(map(str, paths))}.",
            *(f"{name} is not installed." for name in PEERS if name not in installed()),
        ],
    )


def _measured(case: Case, quick: bool) -> list[Measured]:
    """Every way at every setting; a look takes every third one, and no long one."""
    wanted = [
        (way, setting)
        for way in ways(case.rods)
        for setting in (way.settings[::3] if quick else way.settings)
    ]
    return measure(case, wanted, rounds=1 if quick else 4, budget=2.0 if quick else 60.0)


def _table(title: str, found: list[Measured]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        setting = f"{one.setting:g} s" if one.way.turned == "step" else f"{one.setting:g}"
        if one.quality is None:
            rows.append((one.way.name, setting, one.message, None, None, None))
            continue
        reached = one.quality
        figures = 1e3 * one.seconds, reached.error, reached.closure, reached.energy
        rows.append((one.way.name, setting, *figures))
    head = ("engine", "step or tolerance", "ms for a second", "off by [m]", "open [m]", "energy")
    return Table(title, head, rows)


# --- fronts -------------------------------------------------------------------------------------


def front(found: list[Measured]) -> list[tuple[float, float]]:
    """Errors and times of the points that no other one beats in both, from exact to coarse."""
    points = sorted((x.quality.error, x.seconds) for x in found if x.quality is not None)
    kept: list[tuple[float, float]] = []
    for error, seconds in points:
        if not kept or seconds < kept[-1][1]:
            kept.append((error, seconds))
    return kept


def cost(front: list[tuple[float, float]], error: float) -> float | None:
    """The time of an error, between points of a front by logarithms; None if it is too exact."""
    if not front or error < front[0][0]:
        return None
    errors, times = np.log(np.array(front)).T
    return float(np.exp(np.interp(np.log(error), errors, times)))


def _fronts(found: list[Measured]) -> dict[str, list[tuple[float, float]]]:
    return {name: front([x for x in found if x.way.engine == name]) for name in installed()}


def _equal(title: str, found: list[Measured]) -> Table:
    """The time of each engine at the same errors [ms]."""
    fronts = _fronts(found)
    rows: list[tuple[Cell, ...]] = []
    for error in ERRORS:
        spent = [cost(points, error) for points in fronts.values()]
        rows.append((f"{error:g}", *(None if x is None else 1e3 * x for x in spent)))
    return Table(f"{title}: ms for a second, at equal error", ("error [m]", *fronts), rows)


def _bars(case: Case, found: list[Measured]) -> list[Bar]:
    fronts = _fronts(found)
    bars = []
    for name, points in fronts.items():
        beside = [(cost(fronts[OURS], e), seconds, e) for e, seconds in points if e <= USEFUL]
        ratios = [(seconds / ours, e) for ours, seconds, e in beside if ours is not None]
        if name != OURS and ratios:
            ratio, error = min(ratios)
            what = f"{case.rods.name}: {name}'s time over ours, least, at an error of {error:.0e} m"
            bars.append(Bar(what, ratio, 1.0, "×", at_least=True))
    return bars
