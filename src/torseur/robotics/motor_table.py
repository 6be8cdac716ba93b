"""A table of motors: ratio, rotor, friction, efficiency, and what each can give, by coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.algebra.forms.dimensions import dimension
from torseur.errors import ModelError, unknown
from torseur.language.text.given import given_number
from torseur.language.yaml.fields import Faults, Fields, read_parts, text
from torseur.language.yaml.source import Item, read_data, read_yaml
from torseur.machine.compiled import CompiledModel
from torseur.words.sentence import say

Array = np.ndarray
UNITS = {
    "ratio": "",
    "rotor_inertia": "kg.m^2",
    "viscous": "N.m.s/rad",
    "dry": "N.m",
    "efficiency": "1",
    "rated_torque": "N.m",
    "peak_torque": "N.m",
    "max_speed": "rad/s",
}
_OF_DRIVE = ("ratio", "rotor_inertia", "viscous", "dry")


@final
@dataclass(frozen=True)
class MotorData:
    """A motor and its gear; torques, speeds and friction are on the side of the motor."""

    ratio: float = 1.0  # speed of the motor / speed of the coordinate
    rotor_inertia: float = 0.0  # [kg m²]
    viscous: float = 0.0  # [N m s/rad]
    dry: tuple[float, float] = (0.0, 0.0)  # at positive, negative speed outside [N m]
    efficiency: float = 1.0  # of the gear
    rated_torque: float = np.inf  # that it can give for ever [N m]
    peak_torque: float = np.inf
    max_speed: float = np.inf  # [rad/s]
    described: bool = False  # its rotor and friction are part of the mechanism already

    def own(self, ratio: float, v: Array, a: Array) -> Array:
        """Torque for rotor and friction of the motor at speeds and accelerations of the output."""
        positive, negative = self.dry
        dry = np.where(v > 0, positive, np.where(v < 0, -negative, 0.0)) * np.sign(ratio)
        return np.asarray(ratio * (self.rotor_inertia * a + self.viscous * v) + dry)

    def torque(self, ratio: float, load: Array, v: Array, a: Array) -> Array:
        """Torque of the motor for a gear ratio and a load at its output.

        Where the load is driven the gear loses a part of the power, and where it drives, too.
        """
        driven = load * v > 0
        share = np.where(driven, 1 / self.efficiency, self.efficiency)
        return np.asarray(share * load / ratio + self.own(ratio, v, a))


def motor_table(
    model: CompiledModel, coordinates: tuple[str, ...], given: Mapping[str, Any] | str | Path | None
) -> dict[str, MotorData]:
    """The motors of some coordinates: those of the mechanism, with what a table says of them.

    A table is a file (.yaml) or a mapping: `q1: {ratio: 100, rotor_inertia: 2e-4, rated_torque:
    0.5 N.m, peak_torque: 1.6, max_speed: 3000 tr/min, efficiency: 0.9, viscous: …, dry: …}`, by
    coordinate or by joint.
    """
    known = _described(model, coordinates)
    if given is None:
        return known
    faults = Faults()
    table = read_data(given, "motors") if isinstance(given, Mapping) else read_yaml(given)
    rows = read_parts(table, faults, _entry)
    faults.raised()
    names = {
        joint.name: joint.coordinates[0]
        for joint in model.mechanism.joints.values()
        if len(joint.coordinates) == 1 and joint.coordinates[0] in coordinates
    }
    for name, (place, row) in rows.items():
        coordinate = names.get(name, name)
        if coordinate not in coordinates:
            raise unknown("motors", "coordinate", name, coordinates)
        known[coordinate] = _joined(known.get(coordinate), row, place)
    return known


def _entry(name: str, item: Item) -> tuple[str, dict[str, float]]:
    entry = Fields(item, "a motor", UNITS)
    row = {
        key: entry.read(key, 0.0, _number, unit)
        for key, unit in UNITS.items()
        if entry.item(key) is not None
    }
    entry.faults.raised()
    for key, value in row.items():
        positive = key in ("efficiency", "rated_torque", "peak_torque", "max_speed")
        if (positive and value <= 0) or (key == "ratio" and value == 0) or value > 1e30:
            raise item.fault(say("{key} of a motor cannot be {value:g}.", key, value))
    if row.get("efficiency", 1.0) > 1:
        raise item.fault(say("the efficiency {value:g} is more than 1.", row["efficiency"]))
    return str(item.place), row


def _number(item: Item, unit: str) -> float:
    return given_number(text(item), str(item.place), dimension(unit) if unit else None, unit)


def _joined(motor: MotorData | None, row: dict[str, float], place: str) -> MotorData:
    """Motor with the values of a table, which cannot change a drive of the mechanism."""
    twice = [key for key in row if key in _OF_DRIVE]
    if motor is not None and twice:
        raise ModelError(
            place,
            say("{keys} of this motor are in the mechanism already.", ", ".join(twice)),
            say("Leave out {keys} here, or the motor in the model.", ", ".join(twice)),
        )
    result: dict[str, Any] = {**row}
    if "dry" in row:
        result["dry"] = (row["dry"], row["dry"])
    return replace(motor or MotorData(), **result)


def _described(model: CompiledModel, coordinates: tuple[str, ...]) -> dict[str, MotorData]:
    """The motors of the mechanism, by coordinate."""
    result = {}
    for motor in model.mechanism.motors.values():
        listed = model.mechanism.joints[motor.joint].coordinates
        if len(listed) == 1 and listed[0] in coordinates:
            numbers = [
                float(evaluate(x, model.parameters))
                for x in (motor.ratio, motor.rotor_inertia, motor.viscous_motor, *motor.dry_motor)
            ]
            ratio, inertia, viscous, positive, negative = numbers
            result[listed[0]] = MotorData(
                ratio, inertia, viscous, (positive, negative), described=True
            )
    return result
