"""A mechanism whose bodies are all free, each placed by itself, and whose joints all close loops.

So are absolute coordinates described in the terms of every other mechanism: the position of the
mass centre of each body and its quaternion are the coordinates, and a joint restrains them by the
rows of one that closes a loop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import ANYWHERE, Ball, Freedoms
from torseur.spatial.pose import Pose

COORDINATES = ("x", "y", "z", "qw", "qx", "qy", "qz")
SPEEDS = ("x.", "y.", "z.", "wx", "wy", "wz")


@final
@dataclass(frozen=True)
class Placed(Composed):
    """A body that nothing carries: six degrees of freedom, and never part of a loop."""

    names = ("placed", "placé")
    words: ClassVar = {"en": "placed", "fr": "placé"}
    closes = False

    @property
    def freedoms(self) -> Freedoms:
        return (*ANYWHERE, Ball())


def freed(mechanism: Mechanism) -> Mechanism:
    """The same mechanism in absolute coordinates."""
    placing = {placing_joint(name): _placed(mechanism, name) for name in mechanism.bodies}
    return replace(mechanism, joints={**placing, **mechanism.joints})


def placing_joint(body: str) -> str:
    """The name of what places a body: no name that a user may give."""
    return f"place of {body}"


def _placed(mechanism: Mechanism, body: str) -> Joint:
    coordinates, speeds = (
        tuple(f"{part} of {body}" for part in parts) for parts in (COORDINATES, SPEEDS)
    )
    centre = Pose(mechanism.bodies[body].centre)
    return Joint(
        placing_joint(body), Placed(), GROUND, body, Pose(), centre, coordinates, speeds
    )
