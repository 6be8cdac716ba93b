"""Places that a point of a robot can reach within joint limits, and how singular they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, require_known
from torseur.figures import Figure, figure, labelled, written
from torseur.model.description import Mechanism
from torseur.model.values.scales import state_units
from torseur.plain import entries
from torseur.result import Result
from torseur.robotics.branch import DrivenBranch, branch, require_independent
from torseur.robotics.joint_limits import joint_limits
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say, worded

Array = np.ndarray
_FLAT = 1e-9  # of the extent: places in one plane
_SLACK = 1e-9  # rad, or part of the size: what a limit is passed by
_MOST = 200_000  # configurations of a grid
_STEPS, _MANY = 24, 20_000  # of each coordinate, and in all, where nothing is said
_MOVES = 1e-7  # of the largest singular value: a direction that a place can take
_EQUAL = 1e-4  # of the largest: components that are as large


@final
class Workspace(Result):
    """Configurations on one branch of a robot, and where a place is in each of them."""

    sizes: SingularSizes
    ranges: dict[str, tuple[float, float]]  # of the driven coordinates
    index: Array  # (N, driven): the node of the grid; −1 for what was drawn
    q: Array  # (N, nq)
    points: Array  # (N, 3) [m]
    serial: Array  # (N): vanishes where the place loses a direction
    parallel: Array  # (N): vanishes where passive coordinates escape the driven ones
    missing: int  # nodes that loops or limits of passive joints do not let reach
    steps: int

    @property
    def place(self) -> str:
        """Name of the place that moves."""
        return self.sizes.place

    @property
    def driven(self) -> tuple[str, ...]:
        """Driven coordinates."""
        return self.sizes.branch.driven

    @property
    def low(self) -> Array:
        """The least x, y and z [m]."""
        return np.asarray(self.points.min(axis=0))

    @property
    def high(self) -> Array:
        """The largest x, y and z [m]."""
        return np.asarray(self.points.max(axis=0))

    @property
    def nodes(self) -> dict[tuple[int, ...], int]:
        """The configurations of the grid by their node."""
        return {tuple(map(int, node)): k for k, node in enumerate(self.index) if node[0] >= 0}

    @property
    def edges(self) -> Array:
        """(N): where a driven coordinate is at the end of its range, or a neighbour is missing."""
        known, last = self.nodes, self.steps - 1
        result = np.zeros(len(self.q), dtype=bool)
        for node, k in known.items():
            result[k] = any(x in (0, last) for x in node) or any(
                other not in known for other in _neighbours(node)
            )
        return result

    @property
    def document(self) -> dict[str, Any]:
        """Plain data, without the configurations."""
        reached = entries(self, "place", "driven") | {"reached": len(self.q)}
        return reached | entries(self, "missing", "low", "high")

    def __str__(self) -> str:
        ends = ", ".join(
            f"{x} {a:.4g} … {b:.4g} m" for x, a, b in zip("xyz", self.low, self.high, strict=True)
        )
        text = self.say(
            '"{place}" reaches {ends}: {count} configurations of {driven}.',
            ends=ends,
            count=len(self.q),
            driven=", ".join(self.driven),
        )
        if not self.missing:
            return text
        return text + " " + say("{count} others cannot be assembled.", self.missing)

    def plot(self, path: str | Path | None = None, singular: Sequence[Any] = ()) -> Figure:
        """The places, dark where a direction is nearly lost, with their edges; written to a path.

        Places in one plane are drawn in it, others seen along x, y and z. `singular` are places
        that `singular_places` found, drawn over them.
        """
        flat = self.high - self.low <= _FLAT * max(float((self.high - self.low).max()), 1e-300)
        pairs = combinations(range(3), 2)
        views = [(i, j) for i, j in pairs if not (flat[i] or flat[j])] or [(0, 1)]
        drawn = figure(5.0 * len(views), 4.5)
        panels = drawn.subplots(1, len(views), squeeze=False)[0]
        for panel, (i, j) in zip(panels, views, strict=True):
            self._draw(panel, i, j, singular)
        return written(drawn, path, say('where "{place}" can be', self.place))

    def _draw(self, panel: Any, i: int, j: int, singular: Sequence[Any]) -> None:
        shades = dict(c=self.serial, cmap="viridis", s=6, linewidths=0)
        panel.scatter(self.points[:, i], self.points[:, j], **shades)
        edge = self.points[self.edges]
        panel.scatter(edge[:, i], edge[:, j], s=3, color="black", linewidths=0)
        for kind, colour in (("serial", "tab:red"), ("parallel", "tab:orange")):
            result = np.array([x.point for x in singular if x.kind == kind]).reshape(-1, 3)
            if len(result):
                panel.scatter(result[:, i], result[:, j], s=8, color=colour, label=worded(kind))
        if singular:
            panel.legend(fontsize="small")
        panel.set_aspect("equal")
        labelled(panel, f"{'xyz'[i]} [m]", f"{'xyz'[j]} [m]")


def workspace(
    mechanism: Mechanism | Assembled,
    place: str,
    *,
    driven: Sequence[str] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    steps: int | None = None,
    random: int = 0,
    seed: int = 0,
) -> Workspace:
    """Places that a point, a frame or a body can reach within the limits of the joints.

    The driven coordinates take `steps` values each, from end to end of their range: that given,
    the limits of their joints, or a whole turn about the start; `random` further values are drawn
    after `seed`. Without `steps` there are 24, or fewer where many coordinates are driven. Loops
    stay closed from value to value, starting from the assembled mechanism: what is found is one
    branch, within the limits of passive joints that close no loop too. Without loops, what is not
    driven stays where it is. What is driven is what motions impose, else the inputs, else what
    motors drive, else every coordinate of a mechanism without loops.
    """
    driven_branch = branch(
        mechanism if isinstance(mechanism, Assembled) else assemble(mechanism), driven
    )
    require_independent(driven_branch)
    spans = _ranges(driven_branch, ranges or {})
    if steps is None:
        steps = max(2, min(_STEPS, int(_MANY ** (1 / len(spans)))))
    _require_counts(steps, len(spans), random, seed)
    sizes = SingularSizes(driven_branch, place)
    sizes.points(driven_branch.start[np.newaxis])  # an unknown place is reported at once
    axes = [np.linspace(*span, steps) for span in spans.values()]
    result = _reached_nodes(driven_branch, axes)
    index, q = np.array(list(result)), np.array(list(result.values()))
    if random:
        more = _random_configurations(
            driven_branch, q, np.array(list(spans.values())), random, seed
        )
        index = np.concatenate([index, np.full((len(more), len(axes)), -1)])
        q = np.concatenate([q, more])
    missing = steps ** len(axes) - len(result)
    return Workspace(sizes, spans, index, q, sizes.points(q), sizes.serial(q), sizes.parallel(q),
                     missing, steps)  # fmt: skip


def _require_counts(steps: int, coordinates: int, random: int, seed: int) -> None:
    """Refuse grids without a neighbour, and what would take too long."""
    total = steps**coordinates
    if steps < 2 or total > _MOST:
        raise ModelError(
            "workspace",
            say(
                "{steps} steps of {count} coordinates are {total} configurations.",
                steps,
                coordinates,
                total,
            ),
            say("Take 2 steps or more, and at most {most} configurations.", _MOST),
            "Name the coordinates that matter: driven=(…).",
        )
    if not 0 <= random <= _MOST or seed < 0:
        raise ModelError(
            "workspace",
            say("{count} configurations cannot be drawn after the seed {seed}.", random, seed),
            say("Draw at most {most}, after a seed from 0 on.", _MOST),
        )


def _ranges(
    branch: DrivenBranch, given: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """From where to where each driven coordinate goes."""
    require_known("ranges", "coordinate", given, branch.driven)
    limits, units = joint_limits(branch.model, branch.driven), state_units(branch.model.mechanism)
    spans = {}
    for k, name in enumerate(branch.driven):
        low, high = given.get(name, (limits.low[k], limits.high[k]))
        if not np.isfinite([low, high]).all() and units[name] == "rad":
            middle = float(branch.start[branch.places[k]])
            low, high = middle - np.pi, middle + np.pi
        if not (np.isfinite([low, high]).all() and low < high):
            raise ModelError(
                f'coordinate "{name}"',
                say("its range goes from {low} to {high}.", low, high),
                say("Give its joint limits, or ranges={{'{name}': (0.1, 0.5)}}.", name),
            )
        spans[name] = (float(low), float(high))
    return spans


def within_limits(branch: DrivenBranch, q: Array) -> Array:
    """(N): whether the passive coordinates of the tree are within the limits of their joints."""
    limits = joint_limits(branch.model, branch.model.coordinates)
    units = branch.model.sizes.coordinates
    inside = (q >= limits.low - _SLACK * units) & (q <= limits.high + _SLACK * units)
    inside[:, branch.places] = True  # their ranges say where they go
    return np.asarray(inside.all(axis=1))


def _reached_nodes(branch: DrivenBranch, axes: list[Array]) -> dict[tuple[int, ...], Array]:
    """The nodes of a grid that are reached from the start, from neighbour to neighbour."""
    result = dict([_first(branch, axes)])
    fresh = list(result)
    while fresh:
        pairs = [
            (node, other)
            for node in fresh
            for other in _neighbours(node)
            if other not in result
            and all(0 <= x < len(a) for x, a in zip(other, axes, strict=True))
        ]
        if not pairs:
            break
        values = np.array([[a[x] for a, x in zip(axes, to, strict=True)] for _, to in pairs])
        q, fine = branch.followed(np.array([result[node] for node, _ in pairs]), values)
        fine &= within_limits(branch, q)
        fresh = []
        for (_, other), there, reached in zip(pairs, q, fine, strict=True):
            if reached and other not in result:
                result[other] = there
                fresh.append(other)
    return result


def _first(branch: DrivenBranch, axes: list[Array]) -> tuple[tuple[int, ...], Array]:
    """The node nearest to the start that can be reached from it."""
    current = branch.start[branch.places]
    near = [np.argsort(np.abs(a - x))[:3] for a, x in zip(axes, current, strict=True)]
    for node in sorted(product(*near), key=lambda node: _far(node, axes, current)):
        values = np.array([[a[x] for a, x in zip(axes, node, strict=True)]])
        q, fine = branch.followed(branch.start[np.newaxis], values)
        if fine[0]:
            return tuple(map(int, node)), q[0]
    raise ModelError(
        "workspace",
        "no configuration of the grid near the start can be assembled.",
        "Take more steps, or ranges about the start.",
    )


def _far(node: tuple[int, ...], axes: list[Array], place: Array) -> float:
    return sum(
        float((a[x] - y) / np.ptp(a)) ** 2 for a, x, y in zip(axes, node, place, strict=True)
    )


def _neighbours(node: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for k in range(len(node)):
        for way in (-1, 1):
            yield (*node[:k], node[k] + way, *node[k + 1 :])


def _random_configurations(
    branch: DrivenBranch, known: Array, spans: Array, count: int, seed: int
) -> Array:
    """Further configurations with driven coordinates drawn within their ranges."""
    low, high = spans.T
    values = np.random.default_rng(seed).uniform(low, high, size=(count, len(spans)))
    wide = np.ptp(spans, axis=1)
    apart = [(np.square((known[:, branch.places] - x) / wide).sum(axis=1)).argmin() for x in values]
    q, fine = branch.followed(known[apart], values)
    return np.asarray(q[fine & within_limits(branch, q)])


# --- distance from singular configurations -------------------------------------------------------
#
# Serial: the driven coordinates move, the place loses a direction. Parallel: the driven coordinates
# stand still, passive ones move (Gosselin and Angeles 1990, singularities of the first and second
# type).


@final
@dataclass(frozen=True, eq=False)
class SingularSizes:
    """The smallest singular values that count, of a place on a branch."""

    branch: DrivenBranch
    place: str

    @cached_property
    def degree(self) -> int:
        """Number of directions of the place, where it is not singular."""
        rng, branch = np.random.default_rng(0), self.branch
        q = np.repeat(branch.start[np.newaxis], 8, axis=0)
        away = 0.1 * rng.normal(size=(8, len(branch.driven))) * branch.units[branch.columns]
        near, fine = branch.followed(q, q[:, branch.places] + away)
        motions = self.motions(np.concatenate([q[:1], near[fine]]))
        sizes = np.linalg.svd(motions, compute_uv=False)
        return int((sizes > _MOVES * sizes.max(initial=1e-300)).sum(axis=1).max())

    def motions(self, q: Array) -> Array:
        """(N, 3 or 6, driven): motions of the place for rates of driven coordinates."""
        model = self.branch.model
        J = np.array([model.jacobian(self.place, one) for one in q]) * self.branch.units
        J[:, -3:] /= model.sizes.scales.length
        return np.asarray(J @ self.branch.rates(q))

    def points(self, q: Array) -> Array:
        """(N, 3): where the place is."""
        model = self.branch.model
        return np.array([model.pose(self.place, one)[:3, 3] for one in q]).reshape(-1, 3)

    def serial(self, q: Array) -> Array:
        """(N): vanishes where the place loses a direction."""
        sizes = np.linalg.svd(self.motions(q), compute_uv=False)
        return np.asarray(sizes[:, self.degree - 1]) if self.degree else np.zeros(len(q))

    def parallel(self, q: Array) -> Array:
        """(N): vanishes where passive coordinates move while the driven ones stand still."""
        if not self.branch.constraints or not self.branch.passive:
            return np.ones(len(q))
        sizes = np.linalg.svd(self.branch.J(q)[:, :, self.branch.passive], compute_uv=False)
        return np.asarray(sizes[:, len(self.branch.passive) - 1])

    def lost(self, q: Array) -> tuple[str, Array]:
        """Driven coordinate without effect at a serial singularity, and the lost direction."""
        left, _, right = np.linalg.svd(self.motions(q[np.newaxis])[0])
        k = self.degree - 1
        direction = left[:, k] * np.sign(left[_most(left[:, k]), k])
        return self.branch.driven[_most(right[k])], direction

    def loose(self, q: Array) -> str:
        """At a parallel singularity: the passive coordinate that moves most."""
        branch = self.branch
        right = np.linalg.svd(branch.J(q[np.newaxis])[0][:, branch.passive])[2]
        k = branch.passive[_most(right[len(branch.passive) - 1])]
        return branch.model.speeds[k].removesuffix(".")


def _most(motion: Array) -> int:
    """The first of the components that are largest but for rounding."""
    sizes = np.abs(motion)
    return int((sizes > (1 - _EQUAL) * sizes.max()).argmax())
