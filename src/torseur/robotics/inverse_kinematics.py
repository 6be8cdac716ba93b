"""Inverse kinematics: coordinates that bring a place to a point or to a pose, or to many.

The steps are those of `machine/reaching`: damped least squares from the guess, then from other
postures, within limits and with loops closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import final

import numpy as np

from torseur.brief import numbered
from torseur.errors import ModelError, SolveError
from torseur.language.text.given import given_state
from torseur.machine.collision.distances import Pairs
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.reaching.places_reached import (
    Ranges,
    ReachedCoordinates,
    ReachedTargets,
    ReachingCode,
)
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.clear_postures import ClearSearch
from torseur.robotics.clearance import nearness
from torseur.robotics.joint_limits import JointLimits, joint_limits
from torseur.simulation.constraints.displacement import advanced, named_state
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import given_values
from torseur.words.sentence import say

Array = np.ndarray
REACHED = 1e-9  # of the size of the mechanism, or radians
_STARTS = 50  # other postures tried if the guess does not lead there
_ANYWHERE = 1e6  # weight of coordinates that no preference names


@final
class Posture(Result):
    """Coordinates that bring a place where it was asked for."""

    names: tuple[str, ...]
    q: Array
    residual: Array  # metres, or radians then metres (in ground axes)
    at_limits: tuple[str, ...]  # coordinates that stand at a limit
    steps: int
    distance: float | None = None  # of the nearest bodies, where clearance was asked for [m]
    pair: tuple[str, str] | None = None  # these bodies

    @property
    def coordinates(self) -> dict[str, float]:
        """The coordinates by name."""
        return dict(zip(self.names, map(float, self.q), strict=True))


@final
class Postures(Result):
    """Coordinates for many targets, one row each."""

    names: tuple[str, ...]
    q: Array  # (targets, coordinates); where a target is not reached, the nearest that was found
    residual: Array  # (targets, 3 or 6): metres, or radians then metres (in ground axes)
    reached: Array  # (targets,) whether the place is there, and clear where that was asked for
    steps: Array  # (targets,)
    distance: Array | None = None  # (targets,) of the nearest bodies, where it was asked for [m]
    pairs: tuple[tuple[str, str], ...] = ()  # these bodies

    def __repr__(self) -> str:
        return f"<Postures: {int(self.reached.sum())} of {numbered(len(self.q), 'target')} reached>"


def inverse_kinematics(
    mechanism: Mechanism | CompiledModel,
    frame: str,
    target: np.ndarray,
    guess: Mapping[str, float] | None = None,
    *,
    prefer: Mapping[str, float] | None = None,
    clear: float | None = None,
    pairs: Pairs | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Posture | Postures:
    """Coordinates, within their limits, that bring a frame, a point or a body to a target.

    The target is a point (3) or a pose (4, 4) of the ground. The guess is completed by the initial
    values of the mechanism, then by zeros; if it does not lead there, other postures are tried.
    What the target leaves free comes near to the coordinates that `prefer` names; without them, to
    the middle of the limits.
    Loops of a closed mechanism stay closed. A target that is out of reach is a SolveError, which
    says how far the nearest posture is and which limits hold it. Many targets, (N, 3) or (N, 4, 4),
    give `Postures`, which says of each whether it is reached.
    With `clear`, all bodies keep this distance [m] from each other and from obstacles. Pairs are
    those of `collisions`, or `pairs` by name.
    """
    model = compiled_at(mechanism, parameters)
    reach: Reach = model.value(f"reach {frame}", lambda: Reach(model, frame))
    q = given_coordinates(model, guess, "guess") if guess else reach.initial
    wanted = given_state(model.mechanism, prefer, "prefer") if prefer else {}
    goals, alone = required_targets(target)
    found = reach.searched(goals, q, wanted)
    looked = None
    if clear is not None:
        search = ClearSearch(reach, wanted, required_clearance(clear), pairs)
        looked = reach.cleared(search, goals, q, found)
    if not alone:
        return reach.postures(found, goals, looked, clear)
    posture = reach.posture(found, goals)
    if reach.size(posture.residual) > REACHED:
        raise out_of_reach("inverse_kinematics", frame, posture)
    if looked is None or clear is None:
        return posture
    ((gap, pair),) = looked
    if gap >= clear:
        return replace(posture, distance=gap, pair=pair)
    raise SolveError(
        "inverse_kinematics",
        say('no posture was found that brings "{frame}" there and keeps clear.', frame),
        say("The clearest one: {nearness}", nearness(*pair, gap, clear)),
        "Give a smaller clearance, another target or guess, or pairs=[…] without those that touch.",
    )


def required_clearance(clear: float) -> float:
    """A clearance [m]; a ModelError where it is none."""
    if not 0 <= clear < np.inf:
        problem = say("the clearance is {clearance}; 0 or more is expected.", clear)
        raise ModelError("inverse_kinematics", problem)
    return float(clear)


def given_coordinates(model: CompiledModel, given: Mapping[str, float] | None, place: str) -> Array:
    """Coordinates by name, completed by the initial values of the mechanism, then by zeros."""
    state = given_state(model.mechanism, given or {}, place)
    known = given_values(model.mechanism, model.parameters, state)
    return named_state(model.system.tree, model.coordinates, model.speeds, known)[0]


def required_target(target: np.ndarray) -> Array:
    """A point or a pose, or what was expected."""
    goals, alone = required_targets(target)
    if not alone:
        raise _no_target(goals)
    return np.asarray(goals[0])


def required_targets(target: np.ndarray) -> tuple[Array, bool]:
    """Points (N, 3) or poses (N, 4, 4), and whether one was given alone."""
    goals = np.asarray(target, dtype=float)
    alone = goals.shape in ((3,), (4, 4))
    goals = goals[np.newaxis] if alone else goals
    fits = goals.shape[1:] in ((3,), (4, 4)) and bool(np.isfinite(goals).all())
    if fits and goals.ndim == 3:
        R = goals[:, :3, :3]
        fits = np.allclose(R @ R.transpose(0, 2, 1), np.eye(3), atol=1e-6)
        fits = fits and bool((np.linalg.det(R) > 0).all())
    if not fits:
        raise _no_target(goals)
    return goals, alone


def _no_target(goals: Array) -> ModelError:
    shown = (goals[0] if len(goals) == 1 else goals).tolist() if goals.size < 100 else goals.shape
    return ModelError(
        "target",
        say("a point (3) or a pose (4, 4) [R p; 0 1] is expected, got {goal}.", shown),
        "For instance: f.pose(\"tool\", q).",
    )  # fmt: skip


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
    """A place of a model and the code that brings it to targets."""

    def __init__(self, model: CompiledModel, frame: str) -> None:
        self.model, self.frame = model, frame
        self._held = NumericConstraints(model)
        self._pose = model.function(f"pose:{frame}")
        self.length = float(model.sizes.scales.length)

    @cached_property
    def limits(self) -> JointLimits:
        """Limits of the coordinates."""
        return joint_limits(self.model, self.model.coordinates)

    @cached_property
    def _code(self) -> ReachingCode:
        model, held = self.model, self._held
        places = {name: k for k, name in enumerate(model.coordinates)}
        own = [places.get(name.removesuffix("."), -1) for name in model.speeds]
        four = [slice_.start for slice_ in model.system.tree.quaternions]
        names = {"placing": f"pose_and_jacobian:{self.frame}"}
        if held:
            names |= {"opening": "closure_gap", "holding": "constraint_jacobian"}
        if four:
            names["rates"] = "rates"
        frame = ReachedCoordinates(
            model.sizes.displacements,
            held.gap_sizes,
            np.array(own, dtype=np.int64),
            np.array(four, dtype=np.int64),
            np.array(held.positions if held else [], dtype=np.int64),
        )
        return ReachingCode(model.kernel, names, frame, self.length)

    def searched(self, goals: Array, q: Array, prefer: Mapping[str, float]) -> ReachedTargets:
        """Coordinates for many targets, from the guess, then from other postures."""
        guess = np.clip(q, self.limits.low, self.limits.high)
        found = self.solved(goals, guess[np.newaxis], prefer)
        sizes = np.abs(found.residual).max(axis=1)
        left = np.flatnonzero(~(sizes <= REACHED))
        if left.size:
            elsewhere = self._known_elsewhere if q is self.initial else self._elsewhere(q)
            others = self.solved(goals[left], elsewhere, prefer)
            found.steps[left] += others.steps
            nearer = np.abs(others.residual).max(axis=1) < sizes[left]
            found.q[left[nearer]] = others.q[nearer]
            found.residual[left[nearer]] = others.residual[nearer]
        return found

    def cleared(
        self, search: ClearSearch, goals: Array, q: Array, found: ReachedTargets
    ) -> list[tuple[float, tuple[str, str]]]:
        """found ← clear postures where there are any; their least distances and pairs."""
        result = []
        starts = self._known_elsewhere if q is self.initial else self._elsewhere(q)
        for k, goal in enumerate(goals):
            one = ReachedTargets(
                found.q[k : k + 1], found.residual[k : k + 1], found.steps[k : k + 1]
            )
            best = search.best(goal, one, starts) if self.reaches(one).all() else None
            best = best or search.looked_at(one)
            found.q[k], found.residual[k] = best.found.q[0], best.found.residual[0]
            result.append((best.distance, best.pair))
        return result

    def reaches(self, found: ReachedTargets) -> Array:
        """(targets,): whether the place is there."""
        return np.asarray(np.abs(found.residual).max(axis=1) <= REACHED)

    def postures(
        self,
        found: ReachedTargets,
        goals: Array,
        looked: Sequence[tuple[float, tuple[str, str]]] | None,
        clear: float | None,
    ) -> Postures:
        """The result for many targets."""
        loops = found.residual.shape[1] - (3 if goals.ndim == 2 else 6)
        residual = found.residual[:, loops:].copy()
        residual[:, -3:] *= self.length
        result = Postures(
            self.model.coordinates, found.q, residual, self.reaches(found), found.steps
        )
        if looked is None or clear is None:
            return result
        gaps = np.array([gap for gap, _ in looked])
        reached, pairs = result.reached & (gaps >= clear), tuple(pair for _, pair in looked)
        return replace(result, reached=reached, distance=gaps, pairs=pairs)

    def held_rows(self, q: Array, number: int) -> Array:
        """Rows of the place and of loops, without dimension."""
        c = self.model.sizes.displacements
        rows: Array = self.rows("jacobian", number, q) * c
        rows[-3:] /= self.length
        if not self._held:
            return rows
        return np.asarray(np.concatenate([self._held.scaled_J(q, 0.0), rows]))

    @cached_property
    def initial(self) -> Array:
        """The initial coordinates of the mechanism."""
        return given_coordinates(self.model, None, "guess")

    @cached_property
    def _known_elsewhere(self) -> Array:
        return self._elsewhere(self.initial)

    def _elsewhere(self, q: Array) -> Array:
        """Postures other than the guess: within limits anywhere, else turned and moved from it."""
        low, high = self.limits.low, self.limits.high
        chance, result = np.random.default_rng(0), []
        both = np.isfinite(low) & np.isfinite(high)
        for _ in range(_STARTS):
            far = chance.uniform(-np.pi, np.pi, len(self.model.speeds))
            elsewhere = advanced(self.model, q, far * self.model.sizes.displacements)
            anywhere = chance.uniform(size=len(q))
            within = np.where(both, low, 0) + anywhere * np.where(both, high - low, 0)
            result.append(np.where(both, within, np.clip(elsewhere, low, high)))
        return np.array(result)

    def solved(
        self, goals: Array, guesses: Array, prefer: Mapping[str, float], middle: bool = True
    ) -> ReachedTargets:
        """Coordinates for many targets, from the guesses one after the other."""
        ranges = self._preferring(prefer) if prefer else self._ranges
        return self._code.reach(goals, guesses, ranges, REACHED, middle)

    @cached_property
    def _ranges(self) -> Ranges:
        ones = np.ones(len(self.model.speeds))
        return Ranges(self.limits.low, self.limits.high, self.limits.middle, ones)

    def _preferring(self, prefer: Mapping[str, float]) -> Ranges:
        """Limits, with preferred coordinates instead of the middle."""
        low, high = self.limits.low, self.limits.high
        wanted = np.array([prefer.get(name, np.nan) for name in self.model.coordinates])
        named = [name.removesuffix(".") in prefer for name in self.model.speeds]
        return Ranges(low, high, np.clip(wanted, low, high), np.where(named, 1.0, _ANYWHERE))

    def posture(self, found: ReachedTargets, goals: Array) -> Posture:
        """The posture of the first target."""
        q, own = found.q[0], 3 if goals.ndim == 2 else 6
        names, at = self.model.coordinates, self._at_limits(q)
        limited = tuple(name for name, at_limit in zip(names, at, strict=True) if at_limit)
        left = found.residual[0, -own:].copy()
        left[-3:] *= self.length
        opening = np.abs(found.residual[0, :-own]).max(initial=0.0)
        if opening > 1e3 * REACHED:  # where loops do not close nothing is reached
            left = np.full_like(left, np.nan_to_num(opening, nan=np.inf)) + left
        return Posture(names, q, left, limited, int(found.steps[0]))

    def towards(self, q: Array, goal: Array) -> Posture:
        """The posture nearest to a guess, without a motion towards the middle of limits."""
        guess = np.clip(q, self.limits.low, self.limits.high)
        goals = goal[np.newaxis]
        return self.posture(self.solved(goals, guess[np.newaxis], {}, middle=False), goals)

    def error(self, q: Array, goal: Array) -> Array:
        """Error of the place: a rotation vector if the goal is a pose, then a displacement."""
        X = np.asarray(self._pose(q))
        if goal.ndim == 1:
            return np.asarray(goal - X[:3, 3])
        turn = rotation_vector(goal[:3, :3] @ X[:3, :3].T)
        return np.concatenate([turn, goal[:3, 3] - X[:3, 3]])

    def size(self, error: Array) -> float:
        """Size of an error, without dimension."""
        parts = error.copy()
        parts[-3:] /= self.length
        return float(np.abs(parts).max(initial=0.0))

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

    def _at_limits(self, q: Array) -> Array:
        near = 1e-9 * np.maximum(np.abs(q), 1.0)
        return np.asarray((q <= self.limits.low + near) | (q >= self.limits.high - near))


def rotation_vector(R: Array) -> Array:
    """θ u of a rotation, 0 ≤ θ ≤ π."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())
