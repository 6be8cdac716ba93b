"""Singular configurations: what a mechanism gains or loses there, compared with nearby."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
# A rate is of order one where a coordinate moves and of the order of the step close to a dead
# point; where it vanishes only rounding is left.
_STILL = 1e-6
# A singular value that falls by this much within one step vanishes here: assembly finds a double
# root to 1e-6 only, and J is then no better.
_FALL = 1e-3


@final
class Singularity(Result):
    """A configuration compared with its neighbours."""

    degree: int  # m here
    generic: int  # m nearby; 0 when the mechanism cannot leave this configuration
    leaves: bool  # whether it can leave it
    special: tuple[str, ...]  # what is singular, in words
    dead: dict[str, str]  # coordinates that stand still here, but not nearby, in words
    blocked: tuple[str, ...]  # coordinates that stand still here and nearby

    @property
    def gained(self) -> int:
        """Number of motions that exist only at this configuration."""
        return self.degree - self.generic

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on singular motions and dead coordinates."""
        return (*self.special, *self.dead.values())

    def __bool__(self) -> bool:
        return bool(self.sentences)

    def __str__(self) -> str:
        return "\n".join(self.sentences) or say("The configuration is not singular.")


def singularities(mechanism: Mechanism | Assembled) -> Singularity:
    """Singularity of the assembled configuration: motions gained, coordinates that are dead.

    A coordinate can drive the mechanism where its rate is not zero in all the motions that remain,
    that is where J without its column keeps its rank. At a dead point it cannot.
    """
    pose = posed(mechanism)
    near = pose.neighbours()
    degree = _degree(pose, near)
    generic = min((len(there.numbers.speeds) - there.ranks.rank for there in near), default=0)
    dead, blocked = _standing(pose, near)
    owner = {n: joint.name for joint in pose.mechanism.joints.values() for n in joint.coordinates}
    text = {
        name: say(
            'dead point: coordinate {name} (joint "{joint}") cannot drive the mechanism here, '
            "although m = {degree}.",
            name,
            owner[name],
            degree,
        )
        for name in dead
    }
    special = _special(degree, generic, bool(near))
    return Singularity(degree, generic, bool(near), special, text, blocked)


def _degree(pose: Posed, near: list[Posed]) -> int:
    """m here, counting a singular value that vanishes but for the rounding of a double root."""
    n, sizes = len(pose.numbers.speeds), np.linalg.svd(pose.plain_J, compute_uv=False)
    degree = n - pose.ranks.rank
    for there in near:
        usual = np.linalg.svd(there.plain_J, compute_uv=False)
        falls = sizes < _FALL * usual
        degree = max(degree, n - min(len(sizes), n) + int((falls | (usual <= 1e-9)).sum()))
    return degree


def _standing(pose: Posed, near: list[Posed]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The coordinates without a rate: here only, and everywhere."""
    still = [name for name in pose.rates if _rate(pose, name) < _STILL]
    moving = {name for name in still for there in near if _rate(there, name) > 100 * _STILL}
    dead = tuple(name for name in still if name in moving)
    return dead, tuple(name for name in still if name not in moving)


def _rate(pose: Posed, name: str) -> float:
    """The largest rate of a coordinate in motions of unit size, lengths relative to the size."""
    return float(np.linalg.norm(pose.rates[name] @ pose.ranks.kernel) / pose.unit(name))


def _special(degree: int, generic: int, leaves: bool) -> tuple[str, ...]:
    if degree and not leaves:
        text = say(
            "shaky: {count} of first order only; the mechanism cannot leave this configuration.",
            _motions(degree),
        )
        return (text,)
    if degree > generic:
        text = say(
            "singular: the mechanism gains {count} here: m = {degree}, and {generic} nearby.",
            _motions(degree - generic),
            degree,
            generic,
        )
        return (text,)
    return ()


def _motions(count: int) -> str:
    return say("{count} motion", count) if count == 1 else say("{count} motions", count)
