"""The motors of a task: what each must give, its best ratio, whether all can, and how fast.

Whether a task can be executed is the first use of the dynamic model (report of 1980, §1.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.brief import numbered
from torseur.errors import ModelError, SolveError, require_known
from torseur.figures import Figure, figure, labelled, written
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.robotics.inverse import TaskEfforts, inverse, root_mean_square
from torseur.robotics.joint_limits import joint_limits
from torseur.robotics.motor_table import MotorData, motor_table
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
_DECADES, _GRID = 3, 241  # either side of the ratio that suits inertia alone
_MOST = 1024.0  # times faster or slower
_WITHIN = 1e-4  # of the shortest time


@final
class Check(Result):
    """A limit, and how near the task comes to it."""

    coordinate: str
    what: str  # position, speed, effort; motor torque, motor rms torque, motor speed
    value: float  # the one that comes nearest
    limit: float
    time: float | None  # when [s]; None for what belongs to the whole task
    margin: float  # part of the limit that is left; below zero: too much
    unit: str = ""

    @property
    def kept(self) -> bool:
        """Whether the task stays within the limit."""
        return self.margin >= -1e-9

    def __str__(self) -> str:
        at = say("over the task") if self.time is None else say("at t = {t:.4g} s", self.time)
        return self.say(
            "{coordinate}: {what} {value:.5g} {unit} {at}, limit {limit:.5g}, margin {left:.1f} %",
            at=at,
            left=100 * self.margin,
        )


@final
class MotorRow(Result):
    """One motor along the task."""

    coordinate: str
    motor: MotorData
    torque: Array  # of the motor (samples) [N m]
    speed: Array  # of the motor (samples) [rad/s]
    output_peak: float  # along the coordinate [N m, N]
    output_rms: float
    output_speed: float
    peak: float  # of the motor [N m]
    rms: float
    top_speed: float
    rms_speed: float
    peak_power: float  # [W]
    best_ratio: float | None  # that needs the smallest peak torque; None: the larger the better
    best_peak: float | None

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        names = (
            "output_peak", "output_rms", "output_speed", "peak", "rms", "top_speed", "rms_speed",
            "peak_power", "best_ratio", "best_peak",
        )  # fmt: skip
        return {"ratio": self.motor.ratio} | entries(self, *names)

    def __str__(self) -> str:
        best = ""
        if self.best_ratio is not None:
            best = say("; ratio {ratio:.4g} would need {peak:.4g}", self.best_ratio, self.best_peak)
        return self.say(
            "  {coordinate}: output peak {output_peak:.5g}, rms {output_rms:.5g}, "
            "speed {output_speed:.4g}; motor (ratio {ratio:g}) peak {peak:.4g} N·m, "
            "rms {rms:.4g} N·m, speed {top_speed:.4g} rad/s, power {peak_power:.4g} W{best}",
            ratio=self.motor.ratio,
            best=best,
        )


@final
class MotorSheet(Result):
    """Torques and speeds of the motors of a task, and every limit with its margin."""

    task: TaskEfforts
    rows: tuple[MotorRow, ...]
    checks: tuple[Check, ...]

    def __repr__(self) -> str:
        passed = numbered(len(self.violations), "limit")
        verdict = "executable" if self.executable else f"{passed} passed"
        return f"<MotorSheet of {numbered(len(self.rows), 'motor')}: {verdict}>"

    def __getitem__(self, coordinate: str) -> MotorRow:
        require_known("motor sheet", "coordinate", coordinate, self.task.actuators)
        return self.rows[self.task.actuators.index(coordinate)]

    @property
    def violations(self) -> tuple[Check, ...]:
        """The limits that are not kept."""
        return tuple(check for check in self.checks if not check.kept)

    @property
    def executable(self) -> bool:
        """Whether the task can be executed: no limit is passed."""
        return not self.violations

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "executable": self.executable,
            "motors": {row.coordinate: plain(row.document, finite=True) for row in self.rows},
            "checks": [plain(vars(check), finite=True) | {"kept": check.kept}
                       for check in self.checks],
        }  # fmt: skip

    def __str__(self) -> str:
        lines = [*map(str, self.rows)]
        nearest = min(self.checks, key=lambda x: x.margin, default=None)
        if not self.executable:
            lines.append(say("the task cannot be executed:"))
            lines += [f"  {check}" for check in self.violations]
        elif nearest is None:
            lines.append(say("the task can be executed: no limit is known"))
        else:
            lines.append(say("the task can be executed; nearest limit: {limit}", nearest))
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Torque over speed of each motor, with what it can give."""
        count = len(self.rows)
        drawn = figure(4.0 * min(count, 3), 3.2 * -(-count // 3))
        panels = np.atleast_1d(drawn.subplots(-(-count // 3), min(count, 3))).ravel()
        for panel, row in zip(panels, self.rows, strict=False):
            panel.plot(np.abs(row.speed), np.abs(row.torque))
            for limit, style in ((row.motor.rated_torque, "--"), (row.motor.peak_torque, "-")):
                if np.isfinite(limit):
                    panel.axhline(limit, linestyle=style, color="0.4")
            if np.isfinite(row.motor.max_speed):
                panel.axvline(row.motor.max_speed, color="0.4")
            panel.set_title(row.coordinate)
            labelled(panel, "speed [rad/s]", "torque [N·m]")
        return written(drawn, path, self.task.model.mechanism.name)


def motor_sheet(
    task: TaskEfforts, motors: Mapping[str, Any] | str | Path | None = None
) -> MotorSheet:
    """Peak and RMS torques and speeds of the motors of a task, and whether it can be executed.

    `motors` is a table by coordinate or joint, or a file (.yaml) of one: ratio, rotor_inertia,
    viscous, dry, efficiency, rated_torque, peak_torque, max_speed, all on the side of the motor. A
    motor of the mechanism itself has its own ratio, rotor and friction. Limits are those of the
    table, and position, velocity and effort of joints.
    """
    table = motor_table(task.model, task.actuators, motors)
    rows = tuple(
        _row(task, k, name, table.get(name, MotorData())) for k, name in enumerate(task.actuators)
    )
    return MotorSheet(task, rows, (*_joint_checks(task), *_motor_checks(task, rows)))


def _row(task: TaskEfforts, k: int, name: str, motor: MotorData) -> MotorRow:
    effort, v, a = task.efforts[:, k], task.speeds[:, k], task.accelerations[:, k]
    n = motor.ratio
    load = effort - n * motor.own(n, v, a) if motor.described else effort
    torque, speed = motor.torque(n, load, v, a), n * v
    best, peak = best_ratio(motor, load, v, a)
    rms = [float(root_mean_square(task.t, x)) for x in (effort, torque, speed)]
    tops = [float(np.abs(x).max()) for x in (effort, v, torque, speed, torque * speed)]
    return MotorRow(
        name, motor, torque, speed, tops[0], rms[0], tops[1], tops[2], rms[1], tops[3], rms[2],
        tops[4], best, peak,
    )  # fmt: skip


def best_ratio(
    motor: MotorData, load: Array, v: Array, a: Array
) -> tuple[float | None, float | None]:
    """The ratio with the smallest peak torque of the motor, and that torque.

    Of a pure inertia it is √(J of the load / J of the rotor). The motor must not turn faster than
    it can. Without inertia and friction of a rotor, the larger the better: none is best.
    """
    top, rotor_torque = float(np.abs(v).max()), motor.rotor_inertia * float(np.abs(a).max())
    fastest = motor.max_speed / top if top else np.inf
    size = float(np.abs(load).max())
    guess = np.sqrt(size / rotor_torque) if rotor_torque and size else np.nan
    if not np.isfinite(guess):
        return None, None
    sign = np.sign(motor.ratio)

    def peak(log: float) -> float:
        return float(np.abs(motor.torque(sign * np.exp(log), load, v, a)).max())

    middle, wide = np.log(guess), _DECADES * np.log(10)
    high = min(middle + wide, np.log(fastest))
    grid = np.linspace(min(middle - wide, high - 1.0), high, _GRID)
    k = int(np.argmin([peak(x) for x in grid]))
    ends = grid[max(k - 1, 0)], grid[min(k + 1, _GRID - 1)]
    result = scipy.optimize.minimize_scalar(
        peak, bounds=ends, method="bounded", options={"xatol": 1e-10}
    )
    return float(sign * np.exp(result.x)), float(result.fun)


# --- limits -------------------------------------------------------------------------------------


def _joint_checks(task: TaskEfforts) -> Iterator[Check]:
    """Position, speed and effort of joints."""
    limits = joint_limits(task.model, task.actuators)
    for k, (name, unit) in enumerate(zip(task.actuators, task.units, strict=True)):
        q, length = task.positions[:, k], "m" if unit == "N" else "rad"
        low, high, v, force = (
            float(x[k]) for x in (limits.low, limits.high, limits.speed, limits.effort)
        )
        wide = high - low if np.isfinite(high - low) else 1.0
        for room, limit in ((q - low, low), (high - q, high)):
            if np.isfinite(limit):
                at = int(room.argmin())
                value, when, margin = float(q[at]), float(task.t[at]), float(room[at]) / wide
                yield Check(name, say("position"), value, limit, when, margin, length)
        yield from _largest(task, name, say("speed"), task.speeds[:, k], v, f"{length}/s")
        yield from _largest(task, name, say("effort"), task.efforts[:, k], force, unit)


def _motor_checks(task: TaskEfforts, rows: tuple[MotorRow, ...]) -> Iterator[Check]:
    """Torque, its root mean square, and speed of motors."""
    for row in rows:
        name, motor = row.coordinate, row.motor
        yield from _largest(task, name, say("motor torque"), row.torque, motor.peak_torque, "N·m")
        yield from _largest(task, name, say("motor speed"), row.speed, motor.max_speed, "rad/s")
        if np.isfinite(motor.rated_torque):
            margin = 1 - row.rms / motor.rated_torque
            what, limit = say("motor rms torque"), motor.rated_torque
            yield Check(name, what, row.rms, limit, None, margin, "N·m")


def _largest(
    task: TaskEfforts, name: str, what: str, values: Array, limit: float, unit: str
) -> Iterator[Check]:
    """The largest size of some values beside their limit; nothing if there is none."""
    if np.isfinite(limit):
        at = int(np.abs(values).argmax())
        value, when = float(values[at]), float(task.t[at])
        yield Check(name, what, value, limit, when, 1 - abs(value) / limit, unit)


# --- the shortest time --------------------------------------------------------------------------
#
# In k times the time speeds are divided by k and what inertia needs by k², while weight and dry
# friction stay: Hollerbach (1984), Dynamic scaling of manipulator trajectories.


def shortest_time(
    task: TaskEfforts, motors: Mapping[str, Any] | str | Path | None = None
) -> Trajectory:
    """Path of the task in the shortest time within all limits of joints and motors.

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
