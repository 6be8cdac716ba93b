"""Quantities that a law of control measures besides the state, by name: reactions and sensors.

Reactions have the names of expressions (`model/contact/reactions.py`); `imu_a_x` is the column a_x
of the sensor imu.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import Expr, symbol
from torseur.model.constraints.pile import Pile
from torseur.model.contact.element import Element, JointWrenchLoad
from torseur.model.contact.elements import elements
from torseur.model.contact.of_forces import REACTION
from torseur.model.contact.reactions import Reaction, reaction, reaction_names
from torseur.model.description import Mechanism
from torseur.model.sensors import ContactSensor, Encoder, ForceTorque, Imu, Range, Sensor
from torseur.model.values.scales import state_units

AXES = ("x", "y", "z")
_VECTORS = {Imu: dict(a="m/s^2", w="rad/s"), ForceTorque: dict(F="N", M="N.m")}


@final
@dataclass(frozen=True)
class SensorColumn:
    """A number that a sensor measures, without its errors."""

    sensor: str
    column: int


Measured = Reaction | SensorColumn


# --- columns of sensors ---------------------------------------------------------------------------


def columns(mechanism: Mechanism, sensor: Sensor) -> dict[str, str]:
    """The names of what a sensor measures at an instant, with units."""
    if isinstance(sensor, Encoder):
        return {sensor.coordinate: state_units(mechanism)[sensor.coordinate]}
    if isinstance(sensor, ContactSensor):
        pressing = pressing_elements(mechanism, sensor.contact)
        count = _directions(pressing[0]) if len(pressing) == 1 else 0
        return dict.fromkeys(("N", *(f"T_{k + 1}" for k in range(count))), "N")
    if isinstance(sensor, Range):
        return {"distance": "m"}
    vectors = _VECTORS[type(sensor)]
    return {f"{x}_{axis}": unit for x, unit in vectors.items() for axis in AXES}


def column_names(mechanism: Mechanism, names: Collection[str]) -> dict[str, SensorColumn]:
    """The columns of some sensors, by their names in laws."""
    return {
        f"{name}_{column}": SensorColumn(name, k)
        for name in names
        for k, column in enumerate(columns(mechanism, mechanism.sensors[name]))
    }


def pressing_elements(mechanism: Mechanism, contact: str) -> tuple[Element, ...]:
    """The elements of a contact that press: one, or those of its points."""
    return _pressing(elements(mechanism), contact)


def _pressing(parts: Collection[Element], contact: str) -> tuple[Element, ...]:
    named = (x for x in parts if x.name == contact or x.name.startswith(f"{contact}."))
    return tuple(x for x in named if x.pushes)


def _directions(element: Element) -> int:
    """The number of directions of friction of an element that presses."""
    return element.count - 1 - (element.patch is not None)


# --- names in laws --------------------------------------------------------------------------------


def measurable(mechanism: Mechanism) -> dict[str, Expr]:
    """Symbols of all that a law may measure besides the state, by name."""
    sensed = column_names(mechanism, mechanism.sensors)
    return {name: symbol(name, REACTION) for name in sensed} | measurable_reactions(mechanism)


def measurable_reactions(mechanism: Mechanism) -> dict[str, Expr]:
    """The reactions that a law may measure, those of imposed motions too."""
    rows = {
        x.name: len(x.meanings)
        for x in (*mechanism.constraints.values(), *mechanism.motions.values())
    }
    single = [name for name, count in rows.items() if count == 1]
    contacts = [name for name, x in mechanism.contacts.items() if not isinstance(x, Pile)]
    named = reaction_names(mechanism.joints, contacts, single)
    return {name: x for name, (x, _) in named.items()}


def measured(mechanism: Mechanism, name: str, parts: Collection[Element]) -> Measured:
    """The reaction or the column of a sensor that a name stands for.

    The column of a wrench in a joint is a component of it.
    """
    if name in measurable_reactions(mechanism):
        return reaction(mechanism, name, parts)
    column = column_names(mechanism, mechanism.sensors)[name]
    sensor = mechanism.sensors[column.sensor]
    if isinstance(sensor, ForceTorque):
        return JointWrenchLoad(sensor.joint, np.eye(6, dtype=int)[[column.column]])
    return column
