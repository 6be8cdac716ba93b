"""Sensors of a description: where they are and what spoils their values.

A sensor declares its entries in the YAML form as forces do; a run computes what it measures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.errors import unknown
from torseur.model.forces.protocol import OF_COORDINATE, Key, Kind, no_vector
from torseur.model.joints.catalogue import plain, shown_name, type_called
from torseur.spatial.rotation import IDENTITY, Rotation

Array = np.ndarray


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """A sensor by its name."""

    names: ClassVar[tuple[str, ...]]  # English first, then French
    keys: ClassVar[tuple[Key, ...]]  # its entries
    name: str
    place: str = ""


@final
@dataclass(frozen=True)
class ImuErrors:
    """Errors of an inertial unit along its axes."""

    acceleration: Array = field(default_factory=no_vector)  # (3,) [m/s²]
    rate: Array = field(default_factory=no_vector)  # (3,) [rad/s]


@final
@dataclass(frozen=True, kw_only=True)
class Imu(Sensor):
    """An accelerometer and a gyroscope at a point of a body, along axes of their own."""

    body: str
    point: Array = field(default_factory=no_vector)
    rotation: Rotation = IDENTITY  # of its axes in the body
    noise: ImuErrors = field(default_factory=ImuErrors)  # standard deviation of each sample
    bias: ImuErrors = field(default_factory=ImuErrors)  # constant

    names = ("imu", "centrale inertielle")
    keys = (
        Key("body", Kind.BODY, "trunk"),
        Key("point", Kind.POINT),
        Key("rotation", Kind.ROTATION),
        Key("noise", Kind.IMU_ERRORS),
        Key("bias", Kind.IMU_ERRORS),
    )


@final
@dataclass(frozen=True, kw_only=True)
class ForceTorque(Sensor):
    """The wrench through a joint, in the axes of the joint."""

    joint: str

    names = ("force-torque", "capteur d'effort")
    keys = (Key("joint", Kind.JOINT, "wrist"),)


@final
@dataclass(frozen=True, kw_only=True)
class ContactSensor(Sensor):
    """The normal force of a contact, then its friction.

    Of a contact of several points, or of bodies among each other, the sum of the normal forces: on
    `body`, where it is given.
    """

    contact: str
    body: str = ""  # of a pile

    names = ("contact", "capteur de contact")
    keys = (Key("contact", Kind.CONTACT, "foot"), Key("body", Kind.BODY))


@final
@dataclass(frozen=True, kw_only=True)
class Encoder(Sensor):
    """A coordinate, rounded to the nearest multiple of the resolution."""

    coordinate: str
    resolution: Expr = ZERO  # 0: exact

    names = ("encoder", "codeur")
    keys = (
        Key("coordinate", Kind.ANY_COORDINATE, "q1"),
        Key("resolution", Kind.CONSTANT, unit=OF_COORDINATE),
    )


@final
@dataclass(frozen=True, kw_only=True)
class Range(Sensor):
    """The distance from a point of a body along an axis of it to the nearest shape of another."""

    body: str
    axis: Array  # (3,) in body axes
    point: Array = field(default_factory=no_vector)
    reach: Expr | None = None  # the greatest distance [m]; it is the value where nothing is nearer
    noise: Expr = ZERO  # standard deviation of each sample [m]

    names = ("range", "télémètre")
    keys = (
        Key("body", Kind.BODY, "trunk"),
        Key("point", Kind.POINT),
        Key("axis", Kind.DIRECTION, "x"),
        Key("reach", Kind.CONSTANT, unit="m"),
        Key("noise", Kind.CONSTANT, unit="m"),
    )


SENSORS: tuple[type[Sensor], ...] = (Imu, ForceTorque, ContactSensor, Encoder, Range)
_BY_NAME = {plain(name): kind for kind in SENSORS for name in kind.names}


def sensor_class(name: str, place: str) -> type[Sensor]:
    """The sensor of this name."""
    kind = type_called(name, _BY_NAME)
    if kind is None:
        raise unknown(place, "sensor type", name, [shown_name(x.names) for x in SENSORS])
    return kind
