"""What drives a mechanism, by the names that a description gives it."""

from __future__ import annotations

from collections.abc import Sequence

from torseur.errors import unknown
from torseur.model.description import Mechanism
from torseur.model.forces.joint import JointForce


def actuator_speed(mechanism: Mechanism, name: str, speeds: Sequence[str], place: str) -> str:
    """The speed along which an actuator pushes.

    An actuator is named by its speed or coordinate, by a joint that has one freedom, by a motor,
    or by a force that acts in a joint. Any of the `speeds` may be driven.
    """
    for speed in (name, f"{name}."):
        if speed in speeds:
            return speed
    driven = _driven_joints(mechanism)
    joint, coordinate = driven.get(name, (name, ""))
    found = mechanism.joints[joint].speeds if joint in mechanism.joints else ()
    if coordinate:
        found = tuple(x for x in found if x.removesuffix(".") == coordinate)
    if len(found) == 1 and found[0] in speeds:
        return found[0]
    raise unknown(place, "actuator", name, [*(x.removesuffix(".") for x in speeds), *driven])


def _driven_joints(mechanism: Mechanism) -> dict[str, tuple[str, str]]:
    """The joint that each motor and each force in a joint drives, and the coordinate it names."""
    forces = (x for x in mechanism.loads.values() if isinstance(x, JointForce))
    return {
        **{force.name: (force.joint, force.coordinate) for force in forces},
        **{motor.name: (motor.joint, "") for motor in mechanism.motors.values()},
    }
