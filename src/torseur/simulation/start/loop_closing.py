"""Loops closed by Newton's method, some coordinates keeping their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.dynamics.tree.closure import Closure, closures
from torseur.errors import SolveError
from torseur.model.description import Mechanism
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import LOOSE, Look, largest, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.numeric_tree import NumericTree, least_step
from torseur.spatial import quaternion
from torseur.words.sentence import say

Array = np.ndarray


@final
class LoopClosing:
    """Loops to close, with some coordinates of closing joints where given.

    Displacements and openings are in parts of the size of the mechanism, or in radians.
    """

    def __init__(
        self,
        constraints: NumericConstraints,
        t: float,
        fixed: Sequence[int] = (),
        branch: ClosingBranch | None = None,
        pins: Sequence[Pin] = (),
        metric: Callable[[Array], Array] | None = None,
    ) -> None:
        self.held, self.t, self.fixed = constraints, t, list(fixed)
        self._branch, self._kept, self._metric = branch, pins, metric
        self._sizes = constraints.model.sizes.displacements
        self._free = [k for k in range(len(self._sizes)) if k not in self.fixed]

    @property
    def is_fixed(self) -> bool:
        """Whether no coordinate can move: all guesses are the same one."""
        return not self._free

    def opening(self, q: Array) -> Array:
        """Gaps of the loops and of the pins."""
        gaps = self.held.opening(q, self.t)
        if self._branch is None or not self._kept:
            return gaps
        off = self._branch.deviations(q)
        return np.concatenate([gaps, *(off[pin] for pin in self._kept)])

    def slopes(self, q: Array) -> Array:
        """The derivative of the opening; what is fixed does not move."""
        constraints = self.held
        J = (
            np.array(constraints.J(q, self.t))[constraints.positions]
            / constraints.gap_sizes[:, np.newaxis]
        )
        if self._branch is not None and self._kept:
            rows = self._branch.tree.rows(q)
            J = np.concatenate(
                [J * self._sizes, [rows[name] for pin in self._kept for name in pin.speeds]]
            )
        else:
            J = J * self._sizes
        J[:, self.fixed] = 0.0
        return np.asarray(J)

    def displaced(self, q: Array, step: Array) -> Array:
        """The coordinates after a small displacement."""
        return advanced(self.held.model, q, step * self._sizes)

    def closed(self, q: Array) -> Array:
        """Everything closed, by the smallest change at each step, in the metric at the guess."""
        metric: Array | None = None

        def step(place: Array, opening: Array) -> Array:
            nonlocal metric
            if metric is None and self._metric is not None:
                metric = self._metric(q)[np.ix_(self._free, self._free)]
            displacement = np.zeros(len(self._sizes))
            displacement[self._free] = least_step(
                self.slopes(place)[:, self._free], -opening, metric
            )
            return displacement

        def look(place: Array) -> Look[Array]:
            opening = self.opening(place)
            return Look(
                opening, lambda: step(place, opening), lambda along: self.displaced(place, along)
            )

        result = returned(look, q, self.held.closed_within)
        if not result.is_closed and np.isfinite(result.opening).all():
            raise self._open(result.q, result.opening)
        return result.q

    def _open(self, q: Array, opening: Array) -> SolveError:
        """Loops that stay open, with their gaps."""
        constraints, count = self.held, len(self.held.positions)
        names = [pin.coordinates[0] for pin in self._kept for _ in pin.speeds]
        if count and largest(opening[:count]) >= constraints.closed_within(q, LOOSE):
            name, size = constraints.worst(constraints.gap(q, self.t))
        else:
            worst = int(np.abs(opening[count:]).argmax())
            name, size = names[worst], float(abs(opening[count + worst]))
        if name in constraints.model.mechanism.joints:
            place, problem = f'joint "{name}"', say("the loop it closes stays open")
        elif name in names:
            place, problem = f'coordinate "{name}"', say("it cannot have its value: it stays off")
        else:
            place, problem = f'constraint "{name}"', say("it cannot be held: it stays off")
        return SolveError(
            place,
            say("{problem} by {size:.3g} (m or rad).", problem, size),
            "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
        )


# --- closing joints that are given ----------------------------------------------------------------


@final
class ClosingBranch:
    """The assembly in which closing joints have the given coordinates and speeds."""

    def __init__(self, tree: NumericTree, given: Mapping[str, float]) -> None:
        model = tree.model
        mechanism, carried = model.mechanism, {*model.coordinates, *model.speeds}
        known = dict.fromkeys(pin for n, pin in pins(mechanism).items() if n not in carried)
        self.tree = tree
        self.given = {n: float(given[n]) for pin in known for n in pin.coordinates if n in given}
        self.pins = tuple(pin for pin in known if self.given.keys() & set(pin.coordinates))
        closing = {n for j in mechanism.joints.values() for n in j.speeds} - carried
        self.speeds = {n: float(given[n]) for n in given if n in closing}
        for pin in self.pins:
            if pin.is_attitude:
                self.given |= dict(zip(pin.coordinates, self._attitude(pin), strict=True))

    def _attitude(self, pin: Pin) -> Array:
        """The unit quaternion that is given; what is missing is that of no rotation."""
        neutral = zip(pin.coordinates, (1.0, 0.0, 0.0, 0.0), strict=True)
        quaternion = np.array([self.given.get(name, x) for name, x in neutral])
        return np.asarray(quaternion / np.linalg.norm(quaternion))

    def _closing(self, q: Array) -> list[Closure]:
        """The closing joints of which something is given."""
        names = {*self.given, *self.speeds}
        if not names:
            return []
        parts = self.tree.structure
        cuts = tuple(cut for cut in parts.cuts if names & {*cut.coordinates, *cut.speeds})
        return closures(parts.tree, cuts, q)

    def off(self, q: Array) -> float:
        """Distance of closing joints from their given coordinates [rad, or part of the size]."""
        sizes, length = [0.0], self.tree.model.sizes.scales.length
        for closure in self._closing(q):
            read = np.array(closure.coordinates, dtype=float)
            named = zip(closure.cut.coordinates, read, strict=True)
            X = closure.cut.joint.transform(np.array([self.given.get(n, x) for n, x in named]))
            sizes.append(float(np.abs(np.asarray(X.R.matrix - closure.R, dtype=float)).max()))
            sizes.append(float(np.abs(np.asarray(X.p - closure.p, dtype=float)).max()) / length)
        return max(sizes)

    def values(self, q: Array) -> dict[str, float]:
        """The given coordinates as they are at q, angles and quaternions as near as they are."""
        by_name: dict[str, float] = {}
        for closure in self._closing(q):
            joint, names = closure.cut.joint, closure.cut.coordinates
            read = np.array(closure.coordinates, dtype=float)
            given = np.array([self.given.get(n, x) for n, x in zip(names, read, strict=True)])
            if joint.turning and read[-4:] @ given[-4:] < 0:
                read[-4:] *= -1
            turns = np.round((given - read) / (2 * np.pi))
            read += 2 * np.pi * turns * [unit == "rad" for unit in joint.coordinate_units]
            by_name |= {n: float(x) for n, x in zip(names, read, strict=True) if n in self.given}
        return by_name

    def deviations(self, q: Array) -> dict[Pin, Array]:
        """Deviation of every pin from its given value: rows [rad, or part of the size]."""
        values, by_pin = self.values(q), {}
        for pin in self.pins:
            given, current = (
                np.array([x[n] for n in pin.coordinates]) for x in (self.given, values)
            )
            by_pin[pin] = away(pin, given, current) / self.tree.size(pin.speeds[0])
        return by_pin


@final
@dataclass(frozen=True)
class Pin:
    """Coordinates of a joint that are kept together, and the speeds that move them."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]

    @property
    def is_attitude(self) -> bool:
        """Whether the coordinates are a unit quaternion."""
        return len(self.coordinates) > 1


def pins(mechanism: Mechanism) -> dict[str, Pin]:
    """The pin of every coordinate of a joint."""
    by_name: dict[str, Pin] = {}
    for joint in mechanism.joints.values():
        names, speeds = joint.coordinates, joint.speeds
        if joint.kind.turning:
            ball = Pin(names[-4:], speeds[-3:])
            by_name |= dict.fromkeys(ball.coordinates, ball)
            names, speeds = names[:-4], speeds[:-3]
        if len(names) == len(speeds):
            pairs = zip(names, speeds, strict=True)
            by_name |= {name: Pin((name,), (speed,)) for name, speed in pairs}
    return by_name


def away(pin: Pin, given: Array, current: Array) -> Array:
    """Deviation of a pin's coordinates from the given ones, a row for each of its speeds."""
    if pin.is_attitude:
        return np.asarray(2 * quaternion.product(quaternion.conjugate(given), current)[1:])
    return np.asarray(current - given)
