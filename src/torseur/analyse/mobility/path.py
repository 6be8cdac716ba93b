"""The path of a mechanism with one motion: configurations followed along their tangent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.at_a_state.pose import Posed
from torseur.analyse.at_a_state.ranks import inside, ranks
from torseur.analyse.mobility.internal import internal_motions
from torseur.errors import ModelError, SolveError, require_known
from torseur.words.sentence import say

Array = np.ndarray
STEP = 0.04  # rad, or part of the size of the mechanism: about 160 steps a turn
_MOST = 3000
_RANK = 1e-7


@final
@dataclass(frozen=True)
class Station:
    """A configuration of a path with its tangent, of unit size, in the speeds of the tree."""

    pose: Posed
    tangent: Array
    pinned: tuple[str, ...] = ()  # coordinates that are held

    def rate(self, coordinate: str) -> float:
        """How fast a coordinate changes along the path."""
        return float(self.pose.rates[coordinate] @ self.tangent)

    @property
    def smallest(self) -> float:
        """The smallest singular value that counts: it vanishes where paths meet."""
        return ranks(_held(self.pose, self.pinned)).smallest

    def ahead(self, step: float) -> Station:
        """The configuration at a distance along the tangent, with loops closed."""
        there = self.pose.moved(step * self.tangent, self.pinned)
        if there is None:
            q = ", ".join(f"{name} = {x:.4g}" for name, x in self.pose.coordinates.items())
            raise SolveError("dead_points", say("the loops do not close beyond {q}.", q))
        return self.like(there)

    def like(self, there: Posed) -> Station:
        """Another configuration, looking the same way; where two paths meet, straight on."""
        kernel = ranks(_held(there, self.pinned), _RANK).kernel
        along = kernel @ (kernel.T @ (self.tangent / there.scale))
        return Station(there, there.scale * along / np.linalg.norm(along), self.pinned)

    def turned(self) -> Station:
        """The same place, looking back."""
        return Station(self.pose, -self.tangent, self.pinned)


def _held(pose: Posed, pinned: tuple[str, ...]) -> Array:
    """The constraints with the pinned coordinates, lengths in units of the mechanism's size."""
    rows = (pose.rates[name][np.newaxis] * pose.scale / pose.unit(name) for name in pinned)
    return np.concatenate([pose.plain_J, *rows])


def first_station(start: Posed, pinned: tuple[str, ...] = ()) -> Station:
    """A configuration with its tangent; next to the start when the start is singular."""
    require_known("dead_points", "coordinate", pinned, start.rates)
    pose, found = start, _tangents(start, pinned)
    if found.shape[1] > 1:
        near = [(there, _tangents(there, pinned)) for there in start.neighbours()]
        pose, found = min([(pose, found), *near], key=lambda pair: pair[1].shape[1])
    left = found.shape[1]
    if left == 0:
        raise SolveError("dead_points", say("the mechanism cannot move (m = {left}).", left))
    if left > 1:
        problem = say("the mechanism has {left} useful motions; a path has one.", left)
        raise ModelError(
            "dead_points", problem, say("Hold {left} of its coordinates: pinned=(…).", left - 1)
        )
    return Station(pose, pose.scale * found[:, 0], pinned)


def _tangents(pose: Posed, pinned: tuple[str, ...]) -> Array:
    """The useful motions of unit size, lengths in units of the mechanism's size."""
    kernel = ranks(_held(pose, pinned), _RANK).kernel
    inner = [part.motions.T / pose.scale for part in internal_motions(pose)]
    return inside(kernel, np.concatenate(inner)) if inner else kernel


def stations(first: Station) -> Iterator[Station]:
    """The path step by step, up to a configuration already seen."""
    pose, inner = first.pose, [part.motions for part in internal_motions(first.pose)]

    def stirred(name: str) -> bool:
        """Whether an internal motion changes a coordinate."""
        nothing = _RANK * pose.unit(name)
        return any(np.abs(pose.rates[name] @ motions).max() > nothing for motions in inner)

    named = [name for name in pose.coordinates if name in pose.rates]
    moving = [name for name in named if not stirred(name)]
    here, far = first, False
    for _ in range(_MOST):
        yield here
        here = here.ahead(STEP)
        apart = _apart(pose, here.pose, moving)
        if far and apart < STEP and sum(here.rate(n) * first.rate(n) for n in moving) > 0:
            yield here
            return
        far = far or apart > 3 * STEP
    problem = say("it goes on after {most} steps.", _MOST)
    raise SolveError("dead_points", problem, "Give the range of the coordinate: between=(…, …).")


def _apart(a: Posed, b: Posed, names: list[str]) -> float:
    """The largest difference of coordinates, angles without whole turns."""
    changes = {name: b.coordinates[name] - a.coordinates[name] for name in names}
    return max((abs(a.turned(name, change)) for name, change in changes.items()), default=0.0)
