"""Singular places of a robot, along a motion or over its workspace, told apart by their kind.

A serial one is where the place loses a direction: it is at an edge of what it can reach. A parallel
one is where a passive coordinate moves while all that is driven stands still: there the motors do
not hold the robot (Gosselin and Angeles 1990, Singularity analysis of closed-loop kinematic
chains).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import final

import numpy as np

from torseur.brief import values_text, without_rounding
from torseur.result import Result
from torseur.robotics.branch import DrivenBranch, branch, folds, require_independent
from torseur.robotics.workspace import SingularSizes, Workspace, within_limits
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import Assembled

Array = np.ndarray
# parameters and configurations near by → configurations, and which of them exist
Family = Callable[[Array, Array], tuple[Array, Array]]
_GOLDEN = (np.sqrt(5) - 1) / 2
_NARROWED = 45  # times: to 1e-9 of a step
_DIPS = 0.6
_VANISHED = 1e-6  # of its middle value: a singular value that is zero
_ZERO = 1e-9  # of a coordinate that is printed [rad or m]
_SAME = 1e-5  # rad, or part of the size: two places that are one


@final
class SingularPlace(Result):
    """A configuration in which a robot loses a direction, or its motors lose the robot."""

    kind: str  # serial or parallel
    coordinate: (
        str  # serial: driven, and moves without effect; parallel: passive, and moves by itself
    )
    coordinates: dict[str, float]
    place: str
    point: Array  # (3): where the place is [m]
    direction: Array | None  # serial: the motion it cannot have, v or (ω; v) without dimension
    t: float | None = None  # when, in a run [s]

    def __repr__(self) -> str:
        return f"<{self.kind} singularity, {self.coordinate}>"

    def __str__(self) -> str:
        rounded = {name: without_rounding(x, _ZERO) for name, x in self.coordinates.items()}
        where = values_text(rounded, 5)
        where = where if self.t is None else f"t = {self.t:.5g} s, {where}"
        if self.direction is None:
            return self.say(
                "parallel singularity: {coordinate} moves while the driven coordinates stand "
                "still: {where}",
                where=where,
            )
        along = ", ".join(f"{x:.3g}" for x in self.direction.round(9) + 0.0)
        return self.say(
            'serial singularity: "{place}" cannot move along ({along}), {coordinate} moves '
            "without effect: {where}",
            along=along,
            where=where,
        )


def singular_places(
    of: Workspace | Run, place: str = "", *, driven: Sequence[str] = ()
) -> tuple[SingularPlace, ...]:
    """The singular places met along a run, or along the lines of the grid of a workspace.

    With a run, name a point, a frame or a body, and the driven coordinates, as for a workspace.
    Each place is found to rounding, however coarse the samples or the grid; one that lies between
    two of them within which it comes and goes is not seen.
    """
    if isinstance(of, Run):
        return tuple(_along(of, place, driven))
    return tuple(_over(of))


def _along(run: Run, place: str, driven: Sequence[str]) -> Iterator[SingularPlace]:
    """Where singular values vanish between the samples of a run."""
    driven_branch = branch(Assembled(run.model, run.q[0], run.v[0], 0.0, {}), driven)
    usual = run.q[SingularSizes(driven_branch, place).parallel(run.q).argmax()]
    sizes = SingularSizes(replace(driven_branch, start=usual), place)
    require_independent(sizes.branch)

    def sampled(t: Array, _: Array) -> tuple[Array, Array]:
        return run.at(t).q, np.ones(len(t), dtype=bool)

    for kind, measure in (("serial", sizes.serial), ("parallel", sizes.parallel)):
        values = measure(run.q)
        lowest = _lowest(values)
        ends = np.array([[run.t[k - 1], run.t[k + 1]] for k in lowest]).reshape(-1, 2)
        times, states, left = _narrowed(sampled, measure, ends, run.q[lowest])
        gone = left < _VANISHED * np.median(values)
        for t, q in zip(times[gone], states[gone], strict=True):
            yield _place(sizes, kind, q, float(t))


def _over(workspace: Workspace) -> Iterator[SingularPlace]:
    """Where singular values vanish along the lines of a grid, and where its branch folds."""
    sizes, driven_branch = workspace.sizes, workspace.sizes.branch
    known: list[tuple[str, Array]] = []
    measured = (
        ("serial", sizes.serial, workspace.serial),
        ("parallel", sizes.parallel, workspace.parallel),
    )
    for k, rows in _lines(workspace):
        for kind, measure, values in measured:
            for q in _crossed(workspace, k, rows, measure, values):
                if _is_new(kind, q, known, driven_branch):
                    yield _place(sizes, kind, q)
    for k, way, starts in _ends(workspace):
        turned = folds(
            driven_branch, workspace.q[starts], k, way, workspace.ranges[workspace.driven[k]]
        )
        for q in turned[within_limits(driven_branch, turned)]:
            if _is_new("parallel", q, known, driven_branch):
                yield _place(sizes, "parallel", q)


def _is_new(kind: str, q: Array, known: list[tuple[str, Array]], branch: DrivenBranch) -> bool:
    units = branch.model.sizes.coordinates
    if any(kind == other and np.abs((q - there) / units).max() < _SAME for other, there in known):
        return False
    known.append((kind, q))
    return True


def _place(sizes: SingularSizes, kind: str, q: Array, t: float | None = None) -> SingularPlace:
    coordinate, way = sizes.lost(q) if kind == "serial" else (sizes.loose(q), None)
    values = dict(zip(sizes.branch.model.coordinates, map(float, q), strict=True))
    point = sizes.points(q[np.newaxis])[0]
    return SingularPlace(kind, coordinate, values, sizes.place, point, way, t)


# --- where a singular value vanishes --------------------------------------------------------------


def _lowest(values: Array) -> Array:
    """Where values fall far enough below those on both sides that they may vanish there.

    One that vanishes half-way between two samples is a third of the next one on its other side.
    """
    before, current, after = values[:-2], values[1:-1], values[2:]
    inner = (current < before) & (current <= after) & (current < _DIPS * np.maximum(before, after))
    return np.flatnonzero(inner) + 1


def _narrowed(
    family: Family, measure: Callable[[Array], Array], ends: Array, start: Array
) -> tuple[Array, Array, Array]:
    """Where a measure is least between two parameters: these, configurations, how large it is.

    The golden section, of all of them at a time, each from the configuration found before.
    """
    if not len(ends):
        return np.zeros(0), start, np.zeros(0)
    low, high = ends.T.copy()

    def at(x: Array, near: Array) -> tuple[Array, Array]:
        q, exist = family(x, near)
        size = np.where(exist, measure(q), np.inf)
        return size, np.where(exist[:, np.newaxis], q, near)

    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    (at_a, q_a), (at_b, q_b) = at(a, start), at(b, start)
    for _ in range(_NARROWED):
        left = at_a < at_b
        low, high = np.where(left, low, a), np.where(left, b, high)
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        rows = left[:, np.newaxis]
        at_new, q_new = at(new, np.where(rows, q_a, q_b))
        a, b = np.where(left, new, b), np.where(left, a, new)
        at_a, at_b = np.where(left, at_new, at_b), np.where(left, at_a, at_new)
        q_a, q_b = np.where(rows, q_new, q_b), np.where(rows, q_a, q_new)
    left = at_a < at_b
    best = np.where(left[:, np.newaxis], q_a, q_b)
    return np.where(left, a, b), best, np.minimum(at_a, at_b)


def _lines(workspace: Workspace) -> Iterator[tuple[int, list[Array]]]:
    """For each driven coordinate, the runs of configurations along the grid."""
    known = workspace.nodes
    for k in range(len(workspace.driven)):
        lines = []
        firsts = [x for x in known if (*x[:k], x[k] - 1, *x[k + 1 :]) not in known]
        for first in firsts:
            node, line = first, []
            while node in known:
                line.append(known[node])
                node = (*node[:k], node[k] + 1, *node[k + 1 :])
            lines.append(np.array(line))
        yield k, lines


def _crossed(
    workspace: Workspace,
    k: int,
    lines: list[Array],
    measure: Callable[[Array], Array],
    values: Array,
) -> Array:
    """Configurations along lines of the grid where a measure vanishes."""
    driven_branch, column = workspace.sizes.branch, workspace.sizes.branch.places[k]
    middle = [line[i] for line in lines if len(line) > 2 for i in _lowest(values[line])]
    low, high = workspace.ranges[workspace.driven[k]]
    step, start = (high - low) / (workspace.steps - 1), workspace.q[np.array(middle, dtype=int)]

    def along(x: Array, near: Array) -> tuple[Array, Array]:
        goal = start[:, driven_branch.places].copy()
        goal[:, k] = x
        return driven_branch.followed(near, goal)

    ends = start[:, [column]] + np.array([-step, step])
    _, q, left = _narrowed(along, measure, ends, start)
    return np.asarray(q[left < _VANISHED * np.median(values)])


def _ends(workspace: Workspace) -> Iterator[tuple[int, int, list[int]]]:
    """Configurations whose next one along a driven coordinate is within its range, but missing."""
    known = workspace.nodes
    for k in range(len(workspace.driven)):
        for way in (-1, 1):
            last = [
                row
                for node, row in known.items()
                if 0 <= node[k] + way < workspace.steps
                and (*node[:k], node[k] + way, *node[k + 1 :]) not in known
            ]
            yield k, way, last
