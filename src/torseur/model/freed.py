"""A mechanism whose bodies are all free, each placed by itself, and whose joints all close loops.

So are absolute coordinates said in the terms of every other mechanism: the position of the mass
centre of each body and its quaternion are the coordinates, and every joint restrains them by the
rows of one that closes a loop. A pose tells an angle but for whole turns; these are known from
coordinates that follow the speeds of the joints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from torseur.errors import ModelError
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import ANYWHERE, Ball, Freedoms, Turn
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

COORDINATES = ("x", "y", "z", "qw", "qx", "qy", "qz")  # of a body: its centre, its attitude
SPEEDS = ("x.", "y.", "z.", "wx", "wy", "wz")


@final
@dataclass(frozen=True)
class Placed(Composed):
    """A body that no other carries: six degrees of freedom, and never part of a loop."""

    names = ("placed", "placé")
    words: ClassVar = {"en": "placed", "fr": "placé"}
    closes = False

    @property
    def freedoms(self) -> Freedoms:
        return (*ANYWHERE, Ball())


def freed(mechanism: Mechanism) -> Mechanism:
    """The same mechanism in absolute coordinates."""
    _check(mechanism)
    placing = (_placing(mechanism, name) for name in mechanism.bodies)
    return replace(mechanism, joints={**{x.name: x for x in placing}, **mechanism.joints})


def bound(mechanism: Mechanism) -> Mechanism:
    """The same mechanism in the coordinates of its joints."""
    joints = mechanism.joints.items()
    return replace(mechanism, joints={n: x for n, x in joints if not isinstance(x.kind, Placed)})


def is_freed(mechanism: Mechanism) -> bool:
    """Whether its bodies are placed each by itself."""
    return any(isinstance(x.kind, Placed) for x in mechanism.joints.values())


def followed(mechanism: Mechanism) -> dict[str, tuple[str, int]]:
    """The coordinates that follow angles of joints: of each, the joint and which of its angles."""
    if not is_freed(mechanism):
        return {}
    return {
        follower(joint.coordinates[k]): (joint.name, k)
        for joint in mechanism.joints.values()
        for k in angles(joint)
    }


def follower(coordinate: str) -> str:
    """The coordinate that follows an angle: no name that a user may give."""
    return f"turn of {coordinate}"


def angles(joint: Joint) -> list[int]:
    """Which coordinates of a joint are angles that its pose tells but for whole turns."""
    freedoms = enumerate(joint.kind.freedoms or ())
    return [k for k, freedom in freedoms if isinstance(freedom, Turn)]


def names_of(body: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """The coordinates or the speeds of a body: no names that a user may give."""
    return tuple(f"{part} of {body}" for part in parts)


def _placing(mechanism: Mechanism, body: str) -> Joint:
    """What places a body, by its mass centre."""
    return Joint(
        f"place of {body}",
        Placed(),
        GROUND,
        body,
        X_BM=Pose(mechanism.bodies[body].centre),
        coordinates=names_of(body, COORDINATES),
        speeds=names_of(body, SPEEDS),
    )


def _check(mechanism: Mechanism) -> None:
    """Refuse what cannot close a loop, or has inertia of its own in a joint."""
    for joint in mechanism.joints.values():
        if not joint.kind.closes:
            raise ModelError(
                joint.place or f'joint "{joint.name}"',
                say(
                    "its pose is known from {names} only, which are no coordinates where every "
                    "body is placed by itself.",
                    ", ".join(joint.coordinates),
                ),
                'With contacts, simulate it in the coordinates of joints: coordinates="joint".',
            )
    for motor in mechanism.motors.values():
        if motor.rotor_inertia:
            raise ModelError(
                motor.place or f'motor "{motor.name}"',
                say(
                    'its rotor turns with joint "{joint}", which carries nothing where every body '
                    "is placed by itself.",
                    motor.joint,
                ),
                'With contacts, simulate it in the coordinates of joints: coordinates="joint".',
            )
