"""The shortest time in which a path can be executed, uniformly faster or slower.

In k times the time speeds are divided by k and what inertia needs by k², while weight and dry
friction stay: Hollerbach (1984), Dynamic scaling of manipulator trajectories.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torseur.errors import ModelError, SolveError
from torseur.robotics.inverse import TaskEfforts, inverse
from torseur.robotics.motor_sheet import MotorSheet, motor_sheet
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

_MOST = 1024.0  # times faster or slower
_WITHIN = 1e-4  # of the time


def shortest_time(
    task: TaskEfforts, motors: Mapping[str, Any] | str | Path | None = None
) -> Trajectory:
    """The same path in the shortest time in which every limit of joints and motors is kept.

    The pace is that of the task, faster or slower throughout; `motors` is a table as for
    `motor_sheet`. A path that cannot be executed however slowly is a SolveError that says why.
    """
    first = motor_sheet(task, motors)
    if all(check.what == "position" for check in first.checks):
        problem = "no limit of speed, effort or torque is known: any time will do."
        raise ModelError("shortest_time", problem, "Give a table of motors.")
    slow, fast = (1.0, 0.5) if first.executable else (2.0, 1.0)
    while not first.executable and not (sheet := _at(task, slow, motors)).executable:
        if slow > _MOST or any(check.what == "position" for check in sheet.violations):
            worst = min(sheet.violations, key=lambda check: check.margin)
            raise SolveError("shortest_time", say("no time is long enough: {worst}.", str(worst)))
        slow, fast = 2 * slow, slow
    while first.executable and fast > 1 / _MOST and _at(task, fast, motors).executable:
        slow, fast = fast, fast / 2
    while slow - fast > _WITHIN * slow:
        middle = (slow + fast) / 2
        slow, fast = (middle, fast) if _at(task, middle, motors).executable else (slow, middle)
    return task.trajectory.slowed(slow)


def _at(task: TaskEfforts, factor: float, motors: Any) -> MotorSheet:
    """The motors when the task takes a factor of its time."""
    guess = dict(zip(task.model.coordinates, map(float, task.q[0]), strict=True))
    slowed = task.trajectory.slowed(factor)
    scaled = inverse(task.model, slowed, actuators=task.actuators, guess=guess)
    return motor_sheet(scaled, motors)
