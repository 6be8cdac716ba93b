"""The joint that a whole mechanism makes between two of its bodies (liaison équivalente)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.at_a_state.pose import Posed, posed, seen_from
from torseur.analyse.mobility.twists import CLOSE, BodyFreedom, freedom
from torseur.brief import brief
from torseur.model.constraints.catalogue import called_body
from torseur.model.description import Mechanism
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
# Joints whose motions are the same at every pose, seen from the first body.
_INVARIANT = ("fixed", "revolute", "prismatic", "screw", "cylindrical", "spherical", "planar")


@final
@dataclass(frozen=True)
class EquivalentJoint(BodyFreedom):
    """What the second body can do relative to the first, at the assembled configuration."""

    __repr__ = brief

    first: str = ""
    second: str = ""
    lasting: bool = True  # whether nearby configurations give the same joint

    def __str__(self) -> str:
        here = "" if self.lasting else say("; at this configuration only")
        return say(
            "{second} relative to {first}: {words}{here}.",
            called_body(self.second),
            called_body(self.first),
            self.words,
            here,
        )


def equivalent_joint(mechanism: Mechanism | Assembled, first: str, second: str) -> EquivalentJoint:
    """The motions of `second` relative to `first` that all the joints together allow.

    They are the relative twists of the kernel of J, whether the joints between the two bodies are
    in series, in parallel or both. A mechanism may behave as a joint at one configuration only, as
    a coupler does that turns about its instantaneous centre: `lasting` says whether it goes on.
    """
    here = posed(mechanism)
    freedom = _at(here, first, second)
    near = here.neighbours()
    lasting = all(_same(here, there, freedom, first, second) for there in near)
    return EquivalentJoint(**vars(freedom), first=first, second=second, lasting=lasting)


def _at(here: Posed, first: str, second: str) -> BodyFreedom:
    motions = here.relative(first, second) @ here.ranks.kernel
    return freedom(motions, here.centre, here.size)


def _same(here: Posed, there: Posed, freedom: BodyFreedom, first: str, second: str) -> bool:
    """Whether another configuration gives the same joint, in the same place of the first body."""
    other = _at(there, first, second)
    if (other.rank, other.name) != (freedom.rank, freedom.name):
        return False
    if freedom.name not in _INVARIANT or freedom.basis is None or other.basis is None:
        return True
    length = np.array([1, 1, 1, here.size, here.size, here.size])[:, np.newaxis]
    before, after = (
        np.linalg.qr(seen_from(where.pose_of(first), space) / length)[0]
        for where, space in ((here, freedom.basis), (there, other.basis))
    )
    return bool(np.abs(after - before @ (before.T @ after)).max(initial=0.0) < 100 * CLOSE)
