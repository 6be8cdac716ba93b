"""The coordinates of a mechanism as a space to search: distances, periods, starting points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import final

import numpy as np

from torseur.analyse.at_a_state.statics import AtState, Deflation, Unknowns, closed_state
from torseur.errors import ModelError, require_known
from torseur.simulation.constraints.displacement import advanced
from torseur.spatial import quaternion
from torseur.words.sentence import say

Array = np.ndarray
Box = Mapping[str, tuple[float, float]]
_SAME = 1e-6  # distance of two equilibria that are one
_SLIDES, _STEPS = 8, 40  # slides along a family of equilibria, and steps of each


@final
class SearchSpace:
    """The configurations of a mechanism around its start."""

    def __init__(self, start: AtState, rate: float = 1.0) -> None:
        self.tangent = start.tangent
        self.start = start.q
        self.t = start.t
        self.rate = rate  # what speeds are compared with [1/s]
        self.size = start.pose.size  # a length of the mechanism [m]
        known = start.pose.units
        self.units = [known[name] for name in self.tangent.coordinates]

    @property
    def _quaternions(self) -> tuple[slice, ...]:
        return self.tangent.model.system.tree.quaternions

    @property
    def turning(self) -> bool:
        """Whether a quaternion is among the coordinates."""
        return bool(self._quaternions)

    @cached_property
    def _plain(self) -> list[int]:
        turning = {k for four in self._quaternions for k in range(four.start, four.stop)}
        return [k for k in range(len(self.units)) if k not in turning]

    # --- periods and distances ------------------------------------------------------------------

    @cached_property
    def periodic(self) -> frozenset[int]:
        """The angles that a whole turn changes nothing of; a torsion spring counts turns."""
        turns = 2 * np.pi * np.eye(len(self.units))
        angles = (k for k in self._plain if self.units[k] == "rad")
        return frozenset(k for k in angles if self._unchanged(turns[k]))

    def _unchanged(self, turns: Array) -> bool:
        """Whether turns of coordinates change neither loads nor loops, seen at one place."""
        rng, sizes = np.random.default_rng(1), self.tangent.model.sizes
        lam = rng.normal(size=self.tangent.rows)
        q = self.start + 0.3 * sizes.coordinates * rng.normal(size=len(self.start))
        before, after = (self.tangent.at(x, self.t, lam=lam) for x in (q, q + turns))
        loads = before.r * sizes.displacements
        changed = np.abs((after.r - before.r) * sizes.displacements).max(initial=0.0)
        opened = (after.gap - before.gap) / sizes.rows[self.tangent.positions]
        same = changed <= 1e-9 * np.abs(loads).max(initial=0.0)
        return bool(same and np.abs(opened).max(initial=0.0) < 1e-9)

    def embedded(self, q: Array) -> Array:
        """Numbers whose differences measure how far configurations are from each other."""
        parts: list[float] = []
        for four in self._quaternions:
            parts.extend(np.asarray(quaternion.matrix(q[four]), dtype=float).ravel() / 2)
        for k in self._plain:
            if k in self.periodic:
                parts += (np.cos(q[k]), np.sin(q[k]))
            else:
                parts.append(q[k] / (self.size if self.units[k] == "m" else 1.0))
        return np.array(parts, dtype=float)

    def distance(self, a: AtState, b: AtState) -> float:
        """Distance of two states, speeds included."""
        return self._distance(a.q, b.q, a.v - b.v)

    def _distance(self, a: Array, b: Array, v: Array) -> float:
        apart = np.linalg.norm(self.embedded(a) - self.embedded(b))
        return float(np.hypot(apart, np.linalg.norm(v) / self.rate))

    def tidy(self, q: Array, unchanged: frozenset[int] = frozenset()) -> Array:
        """Configuration with angles within half a turn and quaternions with w ≥ 0.

        `kept` are displacements, by their speeds, that stay as they are.
        """
        tidied, speeds = q.copy(), self.tangent.speeds
        names = {speeds[k].removesuffix(".") for k in unchanged}
        for k in self.periodic:
            if self.tangent.coordinates[k] in names:
                continue
            tidied[k] = np.pi - (np.pi - q[k]) % (2 * np.pi)
        for four in self._quaternions:
            lead = tidied[four][np.abs(tidied[four]) > 1e-9]
            tidied[four] *= np.sign(lead[0])
        return tidied

    # --- starting points ------------------------------------------------------------------------

    def points(self, count: int, box: Box) -> Array:
        """(count, coordinates): the start, then points spread evenly (Roberts 2018).

        Multiples of powers of 1/φ, with φ^(d+1) = φ + 1, fill a box of d dimensions evenly.
        """
        self._checked(box)
        d = len(self.units)
        phi = 2.0
        for _ in range(60):
            phi = (1 + phi) ** (1 / (d + 1))
        steps = phi ** -np.arange(1.0, d + 1)
        spread = (0.5 + np.outer(np.arange(1, count + 1), steps)) % 1.0
        low, high = np.array([self.limits(k, box) for k in range(d)]).reshape(d, 2).T
        points = low + (high - low) * spread
        for four in self._quaternions:
            points[:, four] = _rotations(spread[:, four])
        first = np.clip(self.start, low, high)
        for four in self._quaternions:
            first[four] = self.start[four]
        return np.concatenate([[first], points])

    def limits(self, k: int, box: Box) -> tuple[float, float]:
        """Where a coordinate is looked for."""
        name = self.tangent.coordinates[k]
        if name in box:
            return box[name]
        if k in self.periodic:
            return -np.pi, np.pi
        half = 2 * self.size if self.units[k] == "m" else np.pi
        return self.start[k] - half, self.start[k] + half

    def _checked(self, box: Box) -> None:
        require_known("box", "coordinate", box, self.tangent.coordinates)
        for name, (low, high) in box.items():
            if not low < high:
                problem = say('"{name}" goes from {low} to {high}.', name, low, high)
                raise ModelError("box", problem, "Low, then high.")

    def inside(self, q: Array, box: Box) -> bool:
        """Whether a configuration is in the box, or is so after whole turns."""
        for name, (low, high) in box.items():
            k = self.tangent.coordinates.index(name)
            x, slack = q[k], 1e-9 * (high - low)
            if k in self.periodic:
                x = low + (x - low + slack) % (2 * np.pi) - slack
            if not low - slack <= x <= high + slack:
                return False
        return True

    # --- families -------------------------------------------------------------------------------

    def same(self, a: AtState, b: AtState, sought: Unknowns) -> bool:
        """Whether two equilibria are one, or belong to one family."""
        if self.is_one(a, b):
            return True
        # what is frozen in a quaternion is not put back to its start: it may differ as well
        unknown = None if self.turning else sought
        along = kernel(a, unknown).shape[1]
        return along > 0 and along == kernel(b, unknown).shape[1] and self._reached(a, b, sought)

    def is_one(self, a: AtState, b: AtState) -> bool:
        """Whether two states are one, or whole turns of angles together lead to the other.

        Where gears tie two angles, a turn of one alone is no period.
        """
        if self.distance(a, b) < _SAME:
            return True
        whole = np.zeros(len(self.units))
        angles = [k for k in self._plain if self.units[k] == "rad"]
        whole[angles] = 2 * np.pi * np.round((b.q - a.q)[angles] / (2 * np.pi))
        near = self._distance(a.q + whole, b.q, a.v - b.v) < _SAME
        return near and bool(whole.any()) and self._unchanged(whole)

    def _reached(self, a: AtState, b: AtState, sought: Unknowns) -> bool:
        """Whether sliding along a family leads from one to the other.

        A family that goes round may stop a slide half-way: then it begins again elsewhere in it.
        """
        rng = np.random.default_rng(4)
        begin: AtState | None = a
        for _ in range(_SLIDES):
            if begin is not None and self._slid(begin, b, sought):
                return True
            free = kernel(a, None if self.turning else sought)
            if free.shape[1] < 2 and begin is not a:
                return False
            begin = self._shifted(a, free @ rng.normal(size=free.shape[1]), sought)
        return False

    def _slid(self, a: AtState, b: AtState, sought: Unknowns) -> bool:
        """Whether going straight along the family comes nearer and nearer, up to the end."""
        left = self.distance(a, b)
        for _ in range(_STEPS):
            free = kernel(a, None if self.turning else sought)
            units = self.tangent.model.sizes.displacements
            offset = self._difference(a.q, b.q) / units
            plain = free / units[:, np.newaxis]
            towards = free @ np.linalg.lstsq(plain, offset, rcond=1e-9)[0]
            size = np.abs(towards / units).max(initial=0.0)
            if size < 1e-9:
                return False
            there = self._shifted(a, towards * min(1.0, 0.4 / size), sought)
            if there is None:
                return False
            before, left = left, self.distance(there, b)
            if left < _SAME:
                return True
            if left > before - 1e-9:
                return False
            a = there
        return False

    def _shifted(self, state: AtState, way: Array, sought: Unknowns) -> AtState | None:
        """The equilibrium after a displacement along its family."""
        q = advanced(self.tangent.model, state.q, way)
        return sought.solved(closed_state(self.tangent, q, self.t, state.v, sought))

    def _difference(self, a: Array, b: Array) -> Array:
        """The displacement that leads from one configuration towards another, whole turns apart."""
        near = b.copy()
        for k in self.periodic:
            near[k] = a[k] + (b[k] - a[k] + np.pi) % (2 * np.pi) - np.pi
        return self.tangent.displacement(a, near)


def kernel(state: AtState, sought: Unknowns | None = None) -> Array:
    """(n, k): the displacements that leave an equilibrium balanced to first order.

    With `sought`, those among its unknowns.
    """
    at = state.chart
    free = list(range(len(at.shifts))) if sought is None else sought.places(at).shifts
    if not free:
        return np.zeros((len(state.v), 0))
    lengths = state.tangent.model.sizes.displacements
    units = state.units[free]
    K = state.reduced.K[:, free] * lengths[list(at.speeds), np.newaxis] * units
    _, sizes, right = np.linalg.svd(K)
    rank = int((sizes > 1e4 * state.rounding).sum())
    return np.asarray(at.P[:, free] @ (units[:, np.newaxis] * right[rank:].T))


def _rotations(spread: Array) -> Array:
    """Quaternions spread evenly, from numbers between 0 and 1 (Shoemake 1992)."""
    a, b, c = spread[:, 0], 2 * np.pi * spread[:, 1], 2 * np.pi * spread[:, 2]
    low, high = np.sqrt(1 - a), np.sqrt(a)
    return np.stack([low * np.sin(b), low * np.cos(b), high * np.sin(c), high * np.cos(c)], axis=1)


def deflating(space: SearchSpace, known: list[AtState]) -> Deflation:
    """By how much a step goes on, so that known equilibria push it away (Farrell et al. 2015).

    F is multiplied by Π (1 + 1/d²), d being the distance to each known one.
    """
    h = 1e-6

    def placed(q: Array, v: Array) -> Array:
        return np.concatenate([space.embedded(q), v / space.rate])

    others = np.array([placed(x.q, x.v) for x in known])

    def logarithm(q: Array, v: Array) -> float:
        squares = ((placed(q, v) - others) ** 2).sum(axis=1)
        return float(np.log1p(1 / np.maximum(squares, 1e-24)).sum())

    def factor(state: AtState, shift: Array, rates: Array) -> float:
        ahead = advanced(space.tangent.model, state.q, h * shift)
        slope = (logarithm(ahead, state.v + h * rates) - logarithm(state.q, state.v)) / h
        return float(np.clip(1 / (1 - slope), -5.0, 5.0)) if slope != 1 else 5.0

    return factor


# --- cyclic ---------------------------------------------------------------------------------------

# Cyclic displacements, on which nothing depends, and balances that last.
#
# A coordinate is cyclic when neither the independent accelerations nor the rates of the others
# depend on it: in a steady motion it may turn for ever.


def cyclic_displacements(state: AtState, speed: float = 0.0) -> frozenset[int]:
    """The displacements that no independent acceleration and no rate of the others depends on.

    Seen at states around this one: at rest, or with random independent speeds of about `speed`.
    """
    rng = np.random.default_rng(2)
    tangent, at = state.tangent, state.chart
    lengths = tangent.model.sizes.displacements
    flat = np.ones(len(at.shifts), dtype=bool)
    rates = np.zeros((len(at.shifts), len(at.shifts)), dtype=bool)
    for _ in range(4):
        step = at.P @ (0.3 * state.units * rng.normal(size=len(at.shifts)))
        v = state.v + speed * lengths * rng.normal(size=tangent.size)
        steady = state.beside(step, v)
        if steady is None:
            continue
        there = steady.moving()
        arms = lengths[list(at.speeds), np.newaxis]
        kinetic = np.abs(there.reduced.M * arms * arms.T).max(initial=0.0) * speed**2
        size = max(1e3 * there.rounding, 1e-9 * kinetic)
        flat &= (np.abs(there.reduced.K * arms * state.units) <= size).all(axis=0)
        shaken = there.reduced.H / state.units[:, np.newaxis] * state.units
        rates |= np.abs(shaken) > 1e-9 * max(speed, 1e-300)
    while True:
        shaken = rates[~flat].any(axis=0) if (~flat).any() else np.zeros_like(flat)
        if not (flat & shaken).any():
            return frozenset(i for k, i in enumerate(at.shifts) if flat[k])
        flat &= ~shaken


def check_autonomous(state: AtState) -> None:
    """Reject loads that depend on time; imposed motions may."""
    later = state.t + 0.7123
    loads = [state.tangent.at(state.q, t, state.v).r for t in (state.t, later)]
    changes = (loads[1] - loads[0]) * state.tangent.model.sizes.displacements
    if np.abs(changes).max(initial=0.0) > 1e-9 * max(state.largest, 1e-300):
        raise ModelError(
            f'mechanism "{state.tangent.model.mechanism.name}"',
            say(
                "a load depends on time: it changes between t = {t:g} s and {later:g} s.",
                state.t,
                later,
            ),
            "Give t=… to take it as it is at that instant.",
        )


def stays_balanced(state: AtState, sought: Unknowns) -> bool:
    """Whether the state is still balanced when what moves has gone on for a while.

    The speeds that are to be constant are the same then: in a steady motion the independent ones,
    those given and those of what stands still; under imposed motions all of them.
    """
    if not state.v.any() or not (state.tangent.model.mechanism.motions or sought.turning):
        return True
    lengths = state.tangent.model.sizes.displacements
    size = float(np.abs(state.v / lengths).max())
    constant = list(range(state.tangent.size))
    if sought.turning:
        resting = (i for i in state.chart.shifts if i not in sought.turning)
        constant = sorted({*state.chart.speeds, *(i for i, _ in sought.given_speeds), *resting})
    for angle in (0.4, 1.7):
        later = angle / size
        q = state.q.copy()
        for _, link in state.tangent.model.system.tree:
            if not link.joint.turning:
                q[link.q] += later * state.v[link.v]
        after = state.t + later
        there = closed_state(state.tangent, q, after, state.v, sought, previous=state.chart)
        if there is None:
            return False
        changed = np.abs((there.v - state.v) / lengths)[constant].max(initial=0.0)
        if not sought.balanced(there) or changed > 1e-7 * size:
            return False
    return True
