"""Inverse kinematics: coordinates that bring a place to a point or to a pose.

Damped least squares on the displacements that speeds stand for (Wampler 1986; Levenberg and
Marquardt's damping), loops kept closed by their rows beside those of the place. A coordinate that
arrives at a limit stays there until the step leads back. What the place leaves free moves towards
the middle of the limits, or towards what is preferred (Liegeois 1977).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.joint_limits import JointLimits, joint_limits
from torseur.simulation.constraints.displacement import advanced, named_state
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import given_values
from torseur.words.sentence import say

Array = np.ndarray
REACHED = 1e-9  # of the size of the mechanism, or radians
_STEPS = 200
_STARTS = 12  # other postures tried if the guess does not lead there
_TOWARDS_MIDDLE = 0.2  # of the way to the middle of the limits, a step that approaches
_MOST_DAMPED = 1e8  # steps that are damped more lead nowhere
_BACK, _LEAST_SHARE = 12, 1e-3  # steps back to the place, and the least part of the way, a step
_SETTLED = 1e-6  # a motion towards the middle that is over [rad, or part of the size]
_MOVES, _FREE = 1e-12, 1e-6  # of J: what moves the place at all, and what hardly does
_ADVANCES = 1 - 1e-6  # of the error: a step that leaves more leads nowhere
_AWAY = 0.7  # rad, or part of the size: the longest step


@final
class Posture(Result):
    """Coordinates that bring a place where it was asked for."""

    names: tuple[str, ...]
    q: Array
    residual: Array  # metres, or radians then metres (in ground axes)
    at_limits: tuple[str, ...]  # coordinates that stand at a limit
    steps: int

    @property
    def coordinates(self) -> dict[str, float]:
        """The coordinates by name."""
        return dict(zip(self.names, map(float, self.q), strict=True))


def inverse_kinematics(
    mechanism: Mechanism | CompiledModel,
    frame: str,
    target: np.ndarray,
    guess: Mapping[str, float] | None = None,
    *,
    prefer: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Posture:
    """Coordinates, within their limits, that bring a frame, a point or a body to a target.

    The target is a point (3) or a pose (4, 4) of the ground. The guess is completed by the initial
    values of the mechanism, then by zeros; if it does not lead there, other postures are tried.
    What the target leaves free comes near to the coordinates that `prefer` names; without them, to
    the middle of the limits.
    Loops of a closed mechanism stay closed. A target that is out of reach is a SolveError, which
    says how far the nearest posture is and which limits hold it.
    """
    model = compiled_at(mechanism, parameters)
    q = given_coordinates(model, guess, "guess")
    reach = Reach(model, frame, given_state(model.mechanism, prefer or {}, "prefer"))
    goal = required_target(target)
    best: Posture | None = None
    for start in reach.starts(q):
        result = reach.towards(start, goal)
        if reach.size(result.residual) <= REACHED:
            return result
        if best is None or reach.size(result.residual) < reach.size(best.residual):
            best = result
    assert best is not None, "the guess is a start"
    raise out_of_reach("inverse_kinematics", frame, best)


def given_coordinates(model: CompiledModel, given: Mapping[str, float] | None, place: str) -> Array:
    """Coordinates by name, completed by the initial values of the mechanism, then by zeros."""
    state = given_state(model.mechanism, given or {}, place)
    known = given_values(model.mechanism, model.parameters, state)
    return named_state(model.system.tree, model.coordinates, model.speeds, known)[0]


def required_target(target: np.ndarray) -> Array:
    """A point or a pose, or what was expected."""
    goal = np.asarray(target, dtype=float)
    fits = goal.shape in ((3,), (4, 4)) and bool(np.isfinite(goal).all())
    if fits and goal.ndim == 2:
        fits = np.allclose(goal[:3, :3] @ goal[:3, :3].T, np.eye(3), atol=1e-6)
        fits = fits and np.linalg.det(goal[:3, :3]) > 0
    if not fits:
        raise ModelError(
            "target",
            say("a point (3) or a pose (4, 4) [R p; 0 1] is expected, got {goal}.", goal.tolist()),
            "For instance: f.pose(\"tool\", q).",
        )  # fmt: skip
    return goal


def out_of_reach(place: str, frame: str, posture: Posture) -> SolveError:
    """The place stays away: by how much, and what holds it."""
    away = float(np.linalg.norm(posture.residual[-3:]))
    turn = float(np.linalg.norm(posture.residual[:-3]))
    limited = ", ".join(posture.at_limits) or say("none")
    return SolveError(
        place,
        say('"{frame}" stays {away:.4g} m and {turn:.4g} rad away from it.', frame, away, turn),
        say("Coordinates at their limits: {held}.", limited),
        "Give a nearer target, or another guess.",
    )


@final
class Reach:
    """A place of a model and what moves it."""

    def __init__(
        self, model: CompiledModel, frame: str, prefer: Mapping[str, float] | None = None
    ) -> None:
        self.model, self.frame, self._prefer = model, frame, prefer or {}
        self._held = NumericConstraints(model)
        self._pose = model.function(f"pose:{frame}")
        # coordinates that have their own speed, and where these speeds stand
        rates = [f"{name}." in model.speeds for name in model.coordinates]
        self._own = np.flatnonzero(rates)
        self._columns = [model.speeds.index(f"{model.coordinates[k]}.") for k in self._own]

    @cached_property
    def limits(self) -> JointLimits:
        """Limits of the coordinates."""
        return joint_limits(self.model, self.model.coordinates)

    def starts(self, q: Array) -> Iterator[Array]:
        """The guess within the limits, then other postures."""
        low, high = self.limits.low, self.limits.high
        yield np.clip(q, low, high)
        chance = np.random.default_rng(0)
        for _ in range(_STARTS):
            far = chance.uniform(-np.pi, np.pi, len(self.model.speeds))
            elsewhere = advanced(self.model, q, far * self.model.sizes.displacements)
            anywhere = chance.uniform(size=len(q))
            both = np.isfinite(low) & np.isfinite(high)
            within = np.where(both, low, 0) + anywhere * np.where(both, high - low, 0)
            yield np.where(both, within, np.clip(elsewhere, low, high))

    def error(self, q: Array, goal: Array) -> Array:
        """Error of the place: a rotation vector if the goal is a pose, then a displacement."""
        X = np.asarray(self._pose(q))
        if goal.ndim == 1:
            return np.asarray(goal - X[:3, 3])
        turn = rotation_vector(goal[:3, :3] @ X[:3, :3].T)
        return np.concatenate([turn, goal[:3, 3] - X[:3, 3]])

    def size(self, error: Array) -> float:
        """Size of an error, without dimension."""
        return float(np.abs(self._scaled(error)).max(initial=0.0))

    def _scaled(self, error: Array) -> Array:
        parts = error.copy()
        parts[-3:] /= self.model.sizes.scales.length
        return parts

    def rows(self, name: str, number: int, *state: Array) -> Array:
        """The "jacobian" of q or the "jacobian_rate" of q, v in ground axes: 3 or 6 rows.

        They are those of a point or of a pose; a named point turns as its body does.
        """
        rows = np.asarray(self.model.function(f"{name}:{self.frame}")(*state))
        if number > len(rows):
            body = self.model.mechanism.points[self.frame].body
            turns = np.asarray(self.model.function(f"{name}:{body}")(*state))[:3]
            rows = np.concatenate([turns, rows])
        return rows[-number:]

    def _look(self, q: Array, goal: Array) -> tuple[Array, Array]:
        """Error and J without dimension, those of loops first."""
        e = self.error(q, goal)
        c = self.model.sizes.displacements
        J = self.rows("jacobian", len(e), q) * c
        J[-3:] /= self.model.sizes.scales.length
        if not self._held:
            return self._scaled(e), J
        loops = self._held.scaled_J(q, 0.0)[self._held.positions]
        return np.concatenate([-self._held.opening(q, 0.0), self._scaled(e)]), np.vstack([loops, J])

    def towards(self, q: Array, goal: Array, middle: bool = True) -> Posture:
        """The posture that damped steps lead to."""
        steps = 0
        for pull in (_TOWARDS_MIDDLE, 0.0) if middle else (0.0,):
            q, more = self._approached(q, goal, pull, _STEPS)
            steps += more
        if middle and _near(self._look(q, goal)[0]):
            q, more = self._eased(q, goal)
            steps += more
        return self._finished(q, goal, steps)

    def _approached(self, q: Array, goal: Array, pull: float, most: int) -> tuple[Array, int]:
        """The place brought as near as steps lead, and their number."""
        damping, steps = 1e-3, 0
        e, J = self._look(q, goal)
        while steps < most and not _near(e) and damping <= _MOST_DAMPED:
            steps += 1
            trial = self._configuration_after(q, self._step(q, e, J, damping, pull)[0])
            e_next, J_next = self._look(trial, goal)
            if not _norm(e_next) <= _norm(e):  # further away, or nowhere
                damping *= 10
                continue
            stuck = _norm(e_next) > _ADVANCES * _norm(e)
            q, e, J, damping = trial, e_next, J_next, max(damping / 10, 1e-15)
            if stuck:
                break
        return q, steps

    def _eased(self, q: Array, goal: Array) -> tuple[Array, int]:
        """The place kept where it is, the rest moved towards the middle as far as that leads."""
        share, steps = 1.0, 0
        while share > _LEAST_SHARE and steps < _STEPS:
            e, J = self._look(q, goal)
            step, aside = self._step(q, e, J, 0.0, share)
            if share * aside < _SETTLED:
                break
            trial, more = self._approached(self._configuration_after(q, step), goal, 0.0, _BACK)
            steps += more + 1
            left = _norm(self._to_middle(trial)), _norm(self._to_middle(q))
            if _near(self._look(trial, goal)[0]) and left[0] < left[1]:
                q, share = trial, min(2 * share, 1.0)
            else:
                share /= 4
        return q, steps

    def _finished(self, q: Array, goal: Array, steps: int) -> Posture:
        """The posture after whole Gauss-Newton steps, which leave rounding only."""
        for _ in range(3):
            e, J = self._look(q, goal)
            trial = self._configuration_after(q, self._step(q, e, J, 1e-15, 0.0)[0])
            if _norm(self._look(trial, goal)[0]) < _norm(e):
                q = trial
        names, at = self.model.coordinates, self._at_limits(q)
        limited = tuple(name for name, at_limit in zip(names, at, strict=True) if at_limit)
        left = self.error(q, goal)
        opening = np.abs(self._held.opening(q, 0.0)).max(initial=0.0) if self._held else 0.0
        if opening > 1e3 * REACHED:  # where loops do not close nothing is reached
            left = np.full_like(left, np.nan_to_num(opening, nan=np.inf)) + left
        return Posture(names, q, left, limited, steps)

    def _at_limits(self, q: Array) -> Array:
        near = 1e-9 * np.maximum(np.abs(q), 1.0)
        return np.asarray((q <= self.limits.low + near) | (q >= self.limits.high - near))

    def _step(
        self, q: Array, e: Array, J: Array, damping: float, pull: float
    ) -> tuple[Array, float]:
        """A displacement without dimension, and how far it would go towards the middle.

        Coordinates at a limit that would leave it outwards are held, one after the other.
        """
        free = np.ones(J.shape[1], dtype=bool)
        for _ in range(len(free) + 1):
            U, s, Vt = np.linalg.svd(J[:, free])
            k = int((s > _MOVES).sum())  # directions that the place can be moved in
            factors = s[:k] / (s[:k] ** 2 + damping * s.max(initial=1.0) ** 2)
            step, aside = np.zeros(len(free)), 0.0
            step[free] = Vt[:k].T @ (factors * (U.T[:k] @ e))
            if pull:
                N = Vt[int((s > _FREE).sum()) :]
                cared = self._cared[free]
                way = self._to_middle(q)[free][cared]
                drift = N.T @ np.linalg.lstsq(N.T[cared], way, rcond=_FREE)[0]
                step[free] += pull * drift
                aside = float(np.abs(drift).max(initial=0.0))
            stuck = self._leaving(q, step) & free
            if not stuck.any():
                break
            free &= ~stuck
        longest = float(np.abs(step).max(initial=0.0))
        return step * min(1.0, _AWAY / max(longest, 1e-300)), aside

    @cached_property
    def _preferred(self) -> Array:
        """Preferred coordinates, within their limits; nan where any value will do."""
        preferred = [self._prefer.get(name, np.nan) for name in self.model.coordinates]
        return np.clip(preferred, self.limits.low, self.limits.high)

    @cached_property
    def _cared(self) -> Array:
        """The speeds whose coordinates matter: all, or those of what is preferred."""
        if not self._prefer:
            return np.ones(len(self.model.speeds), dtype=bool)
        result = np.zeros(len(self.model.speeds), dtype=bool)
        result[self._columns] = np.isfinite(self._preferred[self._own])
        return result

    def _to_middle(self, q: Array) -> Array:
        """The way to the middle of the limits, or to what is preferred, without dimension."""
        way = np.zeros(len(self.model.speeds))
        middle = self.limits.middle if not self._prefer else self._preferred
        way[self._columns] = np.where(np.isfinite(middle), middle - q, 0.0)[self._own]
        return np.asarray(way / self.model.sizes.displacements)

    def _leaving(self, q: Array, step: Array) -> Array:
        """The speeds whose coordinates stand at a limit and would pass it."""
        result, moves = np.zeros(len(step), dtype=bool), step[self._columns]
        is_low = (q - self.limits.low < self.limits.high - q)[self._own]
        outwards = np.where(is_low, moves < 0, moves > 0)
        result[self._columns] = self._at_limits(q)[self._own] & outwards
        return result

    def _configuration_after(self, q: Array, step: Array) -> Array:
        """The coordinates after a step, within their limits."""
        ahead = advanced(self.model, q, step * self.model.sizes.displacements)
        return np.asarray(np.clip(ahead, self.limits.low, self.limits.high))


def _near(e: Array) -> bool:
    return float(np.abs(e).max(initial=0.0)) <= REACHED


def _norm(x: Array) -> float:
    return float(np.linalg.norm(x))


def rotation_vector(R: Array) -> Array:
    """θ u of a rotation, 0 ≤ θ ≤ π."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())
