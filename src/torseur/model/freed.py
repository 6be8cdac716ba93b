"""A mechanism whose bodies are all free, each placed by itself, and whose joints all close loops.

So are absolute coordinates said in the terms of every other mechanism: the position of the mass
centre of each body and its quaternion are the coordinates, and every joint restrains them by the
rows of one that closes a loop. A pose tells an angle but for whole turns; these are known from
coordinates that follow the speeds of the joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.model.constraints.relation import Relation
from torseur.model.description import GROUND, Body, Joint, Mechanism, Motor
from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import ANYWHERE, Ball, Freedoms, Turn
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

COORDINATES = ("x", "y", "z", "qw", "qx", "qy", "qz")  # of a body: its centre, its attitude
SPEEDS = ("x.", "y.", "z.", "wx", "wy", "wz")
_ADVICE = 'Simulate it in the coordinates of joints: coordinates="joint".'


@final
@dataclass(frozen=True)
class Placed(Composed):
    """A body that no other carries: six degrees of freedom, and never part of a loop."""

    names = ("placed", "placé")
    words: ClassVar = "placed"
    closes = False

    @property
    def freedoms(self) -> Freedoms:
        return (*ANYWHERE, Ball())


@final
@dataclass(frozen=True)
class Spun(Composed):
    """A rotor on the ground: it turns about an axis, and is never part of a loop."""

    names = ("spun", "rotor")
    words: ClassVar = "spun"
    closes = False

    @property
    def freedoms(self) -> Freedoms:
        return (Turn(2),)


def freed(mechanism: Mechanism) -> Mechanism:
    """The same mechanism in absolute coordinates."""
    _check(mechanism)
    spinning = [motor for motor in mechanism.motors.values() if motor.rotor_inertia]
    placing = [_placing(mechanism, name) for name in mechanism.bodies]
    placing += [_spinning(motor) for motor in spinning]
    rotors = {rotor_of(motor.name): _rotor(motor) for motor in spinning}
    geared = {rotor_of(motor.name): _geared(mechanism, motor) for motor in spinning}
    motors = mechanism.motors.items()
    return replace(
        mechanism,
        bodies={**mechanism.bodies, **rotors},
        joints={**{x.name: x for x in placing}, **mechanism.joints},
        constraints={**mechanism.constraints, **geared},
        motors={name: replace(motor, rotor_inertia=ZERO) for name, motor in motors},
    )


def bound(mechanism: Mechanism) -> Mechanism:
    """The same mechanism in the coordinates of its joints."""
    joints = mechanism.joints.items()
    kept = {name: x for name, x in joints if not isinstance(x.kind, Placed)}
    return replace(mechanism, joints=kept, carried_by=())


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
        if joint.kind.closes
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


# --- rotors: bodies that turn with joints, of which only the reflected inertia counts ------------


def rotor_of(motor: str) -> str:
    """The name of the rotor of a motor as a body: no name that a user may give."""
    return f"rotor of {motor}"


def spinning_names(motor: str) -> tuple[str, str]:
    """The coordinate and the speed of a rotor."""
    angle = f"angle of {rotor_of(motor)}"
    return angle, f"{angle}."


def _rotor(motor: Motor) -> Body:
    inertia = expressions(np.diag([ZERO, ZERO, motor.rotor_inertia]))
    return Body(rotor_of(motor.name), inertia=inertia, place=motor.place)


def _spinning(motor: Motor) -> Joint:
    """What carries a rotor, on the ground."""
    body, (angle, spin) = rotor_of(motor.name), spinning_names(motor.name)
    placing = f"place of {body}"
    return Joint(placing, Spun(), GROUND, body, coordinates=(angle,), speeds=(spin,))


def _geared(mechanism: Mechanism, motor: Motor) -> Relation:
    """A rotor has turned by the ratio times the coordinate of the joint."""
    angle = symbol(spinning_names(motor.name)[0], "coordinate")
    carried = symbol(mechanism.joints[motor.joint].coordinates[0], "coordinate")
    return Relation(rotor_of(motor.name), angle - motor.ratio * carried, motor.place)


def can_be_freed(mechanism: Mechanism) -> bool:
    """Whether every body of a mechanism can be placed by itself."""
    return not any(_obstacles(mechanism))


def _check(mechanism: Mechanism) -> None:
    for error in _obstacles(mechanism):
        raise error


def _obstacles(mechanism: Mechanism) -> Iterator[ModelError]:
    """Joints that cannot close a loop, and rotors that feel how their carrier turns."""
    for joint in mechanism.joints.values():
        if not joint.kind.closes:
            yield ModelError(
                joint.place or f'joint "{joint.name}"',
                say(
                    "its pose is known from {names} only, which are no coordinates where every "
                    "body is placed by itself.",
                    ", ".join(joint.coordinates),
                ),
                _ADVICE,
            )
    for motor in mechanism.motors.values():
        if motor.rotor_inertia and motor.axis is not None:
            yield ModelError(
                motor.place or f'motor "{motor.name}"',
                say(
                    'its rotor turns in a body that joint "{joint}" does not carry where every '
                    "body is placed by itself.",
                    motor.joint,
                ),
                _ADVICE,
            )
