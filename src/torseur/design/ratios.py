"""The ratios of gears with which the motors of a task have the smallest peak torques."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from torseur.result import Result
from torseur.robotics.inverse import TaskEfforts
from torseur.robotics.motor_sheet import MotorSheet, motor_sheet
from torseur.words.sentence import say


@final
class Ratios(Result, document=("ratios", "before", "after")):
    """Motors of a task with their present gear ratios, and with the best ones."""

    before: MotorSheet
    after: MotorSheet
    ratios: dict[str, float]  # the best, by coordinate

    def __str__(self) -> str:
        return "\n".join(
            say(
                "{name}: ratio {old:.5g} → {new:.5g}, peak torque {peak:.5g} → {less:.5g} N·m",
                old.coordinate, old.motor.ratio, new.motor.ratio, old.peak, new.peak,
            )
            for old, new in zip(self.before.rows, self.after.rows, strict=True)
        )  # fmt: skip


def motor_ratios(task: TaskEfforts, motors: Mapping[str, Mapping[str, Any]]) -> Ratios:
    """Best gear ratio of each motor of a task, and the motor sheet with these ratios.

    Of a pure inertia J and a rotor of inertia j the best ratio is √(J/j). A motor without inertia
    and friction of its own keeps its ratio: none is best.
    """
    before = motor_sheet(task, motors)
    best = {row.coordinate: row.best_ratio for row in before.rows if row.best_ratio is not None}
    owner = {name: _entry(task, name, motors) for name in best}
    table = {key: dict(row) for key, row in motors.items()}
    for coordinate, ratio in best.items():
        table.setdefault(owner[coordinate], {})["ratio"] = float(ratio)
    return Ratios(before, motor_sheet(task, table), {k: float(x) for k, x in best.items()})


def _entry(task: TaskEfforts, coordinate: str, motors: Mapping[str, Any]) -> str:
    """Key of the motor of a coordinate in a table: the coordinate, or its joint."""
    joints = task.model.mechanism.joints.values()
    names = (joint.name for joint in joints if coordinate in joint.coordinates)
    return next((name for name in names if name in motors), coordinate)
