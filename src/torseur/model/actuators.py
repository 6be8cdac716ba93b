"""Actuators of a mechanism, by the names of its description."""

from __future__ import annotations

from collections.abc import Sequence

from torseur.errors import unknown
from torseur.model.description import JointLoad, Mechanism
from torseur.model.forces.joint import freedom_index


def actuator_speed(mechanism: Mechanism, name: str, speeds: Sequence[str], place: str) -> str:
    """The speed, one of those that may be driven, along which an actuator pushes.

    It is named by its speed or coordinate, or by a force or motor along it.
    """
    for speed in (name, f"{name}.", f"{pushed_coordinate(mechanism, name)}."):
        if speed in speeds:
            return speed
    loads = (x.name for x in mechanism.loads.values() if isinstance(x, JointLoad))
    known = (*(x.removesuffix(".") for x in speeds), *mechanism.motors, *loads)
    raise unknown(place, "actuator", name, known)


def pushed_coordinate(mechanism: Mechanism, name: str) -> str:
    """The coordinate that a motor, a joint force or a joint pushes along; another name is its own.

    A joint must have one coordinate only.
    """
    motor, load = mechanism.motors.get(name), mechanism.loads.get(name)
    if motor is not None:
        return mechanism.joints[motor.joint].coordinates[0]
    if isinstance(load, JointLoad):
        driven = mechanism.joints[load.joint]
        return driven.coordinates[freedom_index(load.place, driven, load.coordinate, load.unit)]
    joint = None if name in mechanism.every_coordinate else mechanism.joints.get(name)
    return name if joint is None or len(joint.coordinates) != 1 else joint.coordinates[0]
