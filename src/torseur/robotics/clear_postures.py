"""Postures that reach a target and keep clear: other starts, and pushes by gradients of distances.

What a target leaves free is moved so that the nearest pairs of bodies come apart: a step in the
null space of the place and of the loops, after which the target is reached again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from torseur.machine.collision import probe_layout as at
from torseur.machine.collision.distances import Pairs
from torseur.machine.compiled import CompiledModel
from torseur.machine.reaching.places_reached import ReachedTargets
from torseur.robotics.clearance import pairs_that_move
from torseur.robotics.joint_limits import JointLimits
from torseur.simulation.constraints.displacement import advanced

Array = np.ndarray
_PUSHES, _HALVINGS = 30, 4
_BAND = 0.02  # of the size: pairs that are nearer than the clearance by this are pushed too
_LONGEST = 0.3  # of characteristic displacements: a push
_RANK = 1e-9
_DAMPING = 1e-4  # of the square of a rate of distance, without dimension


class Solver(Protocol):
    """Steps of inverse kinematics."""

    @property
    def model(self) -> CompiledModel: ...
    @property
    def length(self) -> float: ...
    @property
    def limits(self) -> JointLimits: ...
    def solved(
        self, goals: Array, guesses: Array, prefer: Mapping[str, float], middle: bool = True
    ) -> ReachedTargets: ...
    def reaches(self, found: ReachedTargets) -> Array: ...
    def held_rows(self, q: Array, number: int) -> Array: ...


@final
@dataclass(frozen=True, eq=False)
class ClearPosture:
    """Coordinates that reach a target, their least distance and its pair."""

    found: ReachedTargets
    distance: float
    pair: tuple[str, str]


@final
class ClearSearch:
    """Search for postures whose bodies are nowhere nearer than a clearance."""

    def __init__(
        self,
        solver: Solver,
        prefer: Mapping[str, float],
        clearance: float,
        pairs: Pairs | None,
    ) -> None:
        self._solver, self._prefer, self.clearance = solver, prefer, clearance
        self._distances = pairs_that_move(solver.model, pairs)

    def looked_at(self, found: ReachedTargets) -> ClearPosture:
        """A posture with its least distance."""
        gaps = self._distances.at(found.q[:1])[0, :, at.GAP]
        k = int(gaps.argmin())
        return ClearPosture(found, float(gaps[k]), self._distances.pair(k))

    def _from(self, goal: Array, start: Array, eases: bool) -> ReachedTargets:
        """Coordinates for a target, from one start."""
        prefer = self._prefer if eases else {}
        return self._solver.solved(goal[np.newaxis], start[np.newaxis], prefer, eases)

    def best(self, goal: Array, first: ReachedTargets, starts: Array) -> ClearPosture | None:
        """The first clear posture, or that with the largest distance; None if none is reached."""
        best: ClearPosture | None = None
        for found in self._reached(goal, first, starts):
            pushed = self._pushed(goal, self.looked_at(found))
            if best is None or pushed.distance > best.distance:
                best = pushed
            if best.distance >= self.clearance:
                break
        return best

    def _reached(
        self, goal: Array, first: ReachedTargets, starts: Array
    ) -> Iterator[ReachedTargets]:
        if self._solver.reaches(first).all():
            yield first
        for start in starts:
            found = self._from(goal, start, eases=True)
            if self._solver.reaches(found).all():
                yield found

    def _pushed(self, goal: Array, posture: ClearPosture) -> ClearPosture:
        """A posture moved while that parts its nearest pairs."""
        for _ in range(_PUSHES):
            if posture.distance >= self.clearance:
                break
            push = self._push(posture.found.q[0], 3 if goal.ndim == 1 else 6)
            better = None if push is None else self._along(goal, posture, push)
            if better is None:
                break
            posture = better
        return posture

    def _along(self, goal: Array, posture: ClearPosture, push: Array) -> ClearPosture | None:
        """A posture that is clearer, a push or a part of it away."""
        solver = self._solver
        for halvings in range(_HALVINGS):
            q = advanced(solver.model, posture.found.q[0], push / 2**halvings)
            within = np.clip(q, solver.limits.low, solver.limits.high)
            found = self._from(goal, within, eases=False)
            if solver.reaches(found).all():
                other = self.looked_at(found)
                if other.distance > posture.distance:
                    return other
        return None

    def _push(self, q: Array, number: int) -> Array | None:
        """A motion that leaves the place where it is and parts all pairs that are too near."""
        solver, c = self._solver, self._solver.model.sizes.displacements
        band = self.clearance + _BAND * solver.length
        nearest = self._distances.at(q[np.newaxis], band)
        near = (nearest[0, :, at.GAP] < band) & (nearest[0, :, at.IS_EXACT] > 0)
        G = self._distances.rates(q[np.newaxis], nearest)[0][near] * c / solver.length
        _, sizes, V = np.linalg.svd(solver.held_rows(q, number))
        free = V[int((sizes > _RANK).sum()) :]
        G = G @ free.T
        if not G.size or np.abs(G).max() < _RANK:
            return None
        goal = self.clearance + _BAND / 4 * solver.length
        lacking = np.maximum(goal - nearest[0, near, at.GAP], 0.0) / solver.length
        A = G @ G.T + _DAMPING * np.eye(len(G))
        step = free.T @ (G.T @ np.linalg.solve(A, lacking))
        return np.asarray(step * min(1.0, _LONGEST / float(np.abs(step).max())) * c)
