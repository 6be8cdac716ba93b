"""Flywheels: the coefficient of fluctuation of a cycle, and the inertia that limits it.

At a constant speed ω_r a drive gives the couple C(θ), of mean C̄ over a cycle, and the mechanism has
the kinetic energy T(θ) = ½ I(θ) ω_r². With a flywheel J and the constant couple C̄ instead,
½ (J + I(θ)) ω² = K₀ + ∫ (C̄ − C) dθ + T(θ) (Wittenbauer 1923). K₀ and J follow from the mean speed
and from ε = (ω_max − ω_min)/ω_mean, ω_mean = (ω_max + ω_min)/2. Forces are those at ω_r.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from torseur.errors import ModelError, SolveError, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.model.constraints.selection import imposed_coordinates
from torseur.plain import plain
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
TURN = 2 * np.pi
_STATIONS = 1440  # of a cycle
_STEADY = 1e-6  # a change of the speed of the drive, beside it
_REPEATED = 1e-3  # a difference of the ends of a cycle, beside the largest
_MOST = 1e9  # inertia of a flywheel, beside that of the first approximation


@final
class Fluctuation(Result, document=("coordinate", "least", "most", "mean", "coefficient", "span")):
    """The speed of a coordinate during the last cycle of a run."""

    coordinate: str
    least: float  # [rad/s]
    most: float  # [rad/s]
    span: tuple[float, float]  # of the cycle [s]

    @property
    def mean(self) -> float:
        """Half the sum of the extremes [rad/s]."""
        return (self.most + self.least) / 2

    @property
    def coefficient(self) -> float:
        """ε = (ω_max − ω_min)/ω_mean."""
        return (self.most - self.least) / abs(self.mean)

    def __str__(self) -> str:
        return self.say(
            "{coordinate}: speed {least:.6g} to {most:.6g} rad/s, "
            "coefficient of fluctuation {coefficient:.4g}"
        )


@final
class Flywheel(Result):
    """The flywheel with which a speed fluctuates by a given part over a cycle."""

    drive: str
    speed: float  # mean [rad/s]
    cycle: float  # [rad]
    fluctuation: float  # ε
    inertia: float  # to add at the axis of the drive [kg m²]; 0: none is needed
    excess: float  # largest less smallest of ∫ (C − C̄) dθ [J]
    mean_couple: float  # C̄ [N m]
    without: float | None  # ε without a flywheel; None where the drive would stop
    angle: Array  # [rad]
    couple: Array  # C at the constant speed [N m]
    speeds: Array  # with the flywheel and the constant couple C̄ [rad/s]

    @property
    def power(self) -> float:
        """Mean power of the drive [W]."""
        return self.mean_couple * self.speed

    @property
    def approximation(self) -> float:
        """ΔW/(ε ω²): the inertia without that of the mechanism [kg m²]."""
        return self.excess / (self.fluctuation * self.speed**2)

    @property
    def document(self) -> dict[str, object]:
        """Plain data, without the curves."""
        listed = ("drive", "speed", "cycle", "fluctuation", "inertia", "excess", "mean_couple",
                  "power", "approximation", "without")  # fmt: skip
        return {name: plain(getattr(self, name)) for name in listed}

    def __str__(self) -> str:
        without = (
            say("the drive stops within a cycle")
            if self.without is None
            else say("coefficient of fluctuation {value:.4g}", self.without)
        )
        lines = [
            self.say(
                "{drive}: mean couple {mean_couple:.6g} N·m, mean power {power:.6g} W "
                "at {speed:.6g} rad/s"
            ),
            self.say("energy stored and returned in a cycle {excess:.6g} J"),
            say("without a flywheel: {without}", without),
            self.say(
                "flywheel for {fluctuation:g}: {inertia:.6g} kg·m² "
                "(ΔW/(ε ω²) = {approximation:.6g} kg·m²)"
            ),
        ]
        if not self.inertia:
            lines[-1] = self.say("no flywheel is needed for {fluctuation:g}")
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Couple at the constant speed, and speed with the flywheel, over the cycle."""
        drawn = figure(7.0, 5.0)
        upper, lower = drawn.subplots(2, 1, sharex=True)
        degrees = np.degrees(self.angle - self.angle[0])
        upper.plot(degrees, self.couple, label="C")
        upper.axhline(self.mean_couple, color="0.5", linewidth=0.9, label=say("mean"))
        upper.legend(frameon=False)
        lower.plot(degrees, self.speeds)
        for side in (-1, 1):
            limit = self.speed * (1 + side * self.fluctuation / 2)
            lower.axhline(limit, color="0.5", linewidth=0.9, linestyle="--")
        labelled(upper, "", say("couple [N·m]"))
        labelled(lower, say("angle of the drive [°]"), say("speed [rad/s]"))
        return written(drawn, path, self.drive)


def fluctuation(run: Run, coordinate: str, cycle: float = TURN) -> Fluctuation:
    """The coefficient of fluctuation of a coordinate over its last cycle in a run."""
    speed = f"{coordinate}."
    if run.names.get(coordinate) != "rad" or speed not in run.names:
        angles = [name for name, unit in run.names.items() if unit == "rad"]
        raise unknown("flywheel", "angle", coordinate, angles)
    angle = np.asarray(run[coordinate])
    turned = angle[-1] - angle
    inside = np.abs(turned) >= _positive(cycle)
    if not inside.any():
        problem = say(
            '"{coordinate}" turns by {turned:.4g} rad, less than a cycle of {cycle:.4g} rad.',
            coordinate,
            float(np.abs(turned).max()),
            cycle,
        )
        raise ModelError("flywheel", problem, "Simulate longer.")
    k = int(np.flatnonzero(inside)[-1])

    def beyond(t: float) -> float:
        return abs(float(angle[-1] - run(t)[coordinate])) - cycle

    low, high = float(run.t[k]), float(run.t[min(k + 1, len(run.t) - 1)])
    start = low if beyond(low) <= 0 else float(brentq(beyond, low, high, xtol=1e-14))
    span = (start, float(run.t[-1]))
    speeds = np.asarray(run.at(np.linspace(*span, _STATIONS + 1))[speed])
    return Fluctuation(coordinate, *_extremes(speeds), span)


def _extremes(values: Array) -> tuple[float, float]:
    """Least and largest value of a smooth curve, between its samples too, by parabolas."""
    low, high = float(values.min()), float(values.max())
    for k, sign in ((int(values.argmin()), -1), (int(values.argmax()), 1)):
        if 0 < k < len(values) - 1:
            before, middle, after = values[k - 1 : k + 2]
            bend = before - 2 * middle + after
            beyond = float(-((after - before) ** 2) / (8 * bend)) if bend else 0.0
            low, high = (low + beyond, high) if sign < 0 else (low, high + beyond)
    return low, high


def _spread(values: Array) -> float:
    """The largest value less the smallest."""
    low, high = _extremes(values)
    return high - low


def flywheel(run: Run, drive: str, fluctuation: float, cycle: float = TURN) -> Flywheel:
    """The inertia that limits the fluctuation of a speed to ε, from a run at constant speed.

    `drive` is the imposed motion of an angle at a constant speed, the only freedom of the
    mechanism; `cycle` is the angle after which forces repeat (4π for a four-stroke engine). The
    flywheel is for a drive of constant couple, or an engine with a constant load.
    """
    if not 0 < fluctuation < 2:
        problem = say("the coefficient of fluctuation {value:g} is not possible.", fluctuation)
        raise ModelError("flywheel", problem, "It is (ω_max − ω_min)/ω_mean, such as 0.02.")
    coordinate = _driven(run, drive)
    part = _last_cycle(run, coordinate, _positive(cycle))
    angle = np.asarray(part[coordinate], dtype=float)
    speed = float(np.mean(part[f"{coordinate}."]))
    couple = np.asarray(part.drive(drive), dtype=float)
    kinetic = np.asarray(part.energy["kinetic"], dtype=float)
    for values in (couple, kinetic):
        _check_repeated(values, drive)
    integral = CubicSpline(angle * np.sign(speed), couple * np.sign(speed)).antiderivative()
    work = integral(angle * np.sign(speed))
    mean = float(work[-1] - work[0]) / cycle
    surplus = mean * np.abs(angle - angle[0]) - (work - work[0])
    inertia = 2 * kinetic / speed**2
    cycled = _Cycle(surplus + kinetic, inertia, abs(speed))
    J = cycled.flywheel(fluctuation)
    with_it = cycled.speeds(J)
    assert with_it is not None, "a speed was found with this flywheel"
    signed = with_it * np.sign(speed)
    excess, without = _spread(surplus), cycled.fluctuation(0.0)
    mean *= float(np.sign(speed))
    return Flywheel(
        drive, speed, cycle, fluctuation, J, excess, mean, without, angle, couple, signed
    )


def _positive(cycle: float) -> float:
    if not cycle > 0:
        problem = say("the angle of a cycle is {cycle:g} rad.", cycle)
        raise ModelError("flywheel", problem, "It is positive: 2π for a turn.")
    return cycle


def _driven(run: Run, drive: str) -> str:
    """The angle that a motion imposes; the motion is the only freedom."""
    imposed = imposed_coordinates(run.model.mechanism)
    if drive not in imposed:
        raise unknown("flywheel", "imposed motion", drive, imposed)
    coordinate = str(imposed[drive].coordinate)
    if run.names.get(coordinate) != "rad":
        problem = say('"{drive}" moves "{coordinate}", which is no angle.', drive, coordinate)
        raise ModelError("flywheel", problem, "A flywheel turns: drive the angle of its axis.")
    if len(run.model.mechanism.motions) > 1:
        named = ", ".join(run.model.mechanism.motions)
        problem = say("several motions are imposed: {names}.", named)
        raise ModelError("flywheel", problem, "Only the drive may be imposed.")
    return coordinate


def _last_cycle(run: Run, coordinate: str, cycle: float) -> Run:
    """Samples of the last cycle, at equal angles."""
    speeds = np.asarray(run[f"{coordinate}."], dtype=float)
    speed = float(speeds.mean())
    if not np.abs(speeds - speed).max() <= _STEADY * abs(speed):
        problem = say(
            'the speed of "{coordinate}" changes from {low:.6g} to {high:.6g} rad/s.',
            coordinate,
            float(speeds.min()),
            float(speeds.max()),
        )
        raise ModelError("flywheel", problem, "Impose a constant speed: law: Omega*t.")
    first, last = run.span
    lasts = cycle / abs(speed)
    if last - first < lasts * (1 - 1e-9):
        problem = say(
            "the run of {duration:.4g} s is shorter than a cycle of {lasts:.4g} s.",
            last - first,
            lasts,
        )
        raise ModelError("flywheel", problem, "Simulate longer.")
    return run.at(np.linspace(max(first, last - lasts), last, _STATIONS + 1))


def _check_repeated(values: Array, drive: str) -> None:
    """Reject a cycle whose ends differ: a wrong angle, or other freedoms that move."""
    size = float(np.abs(values).max())
    if abs(values[-1] - values[0]) > _REPEATED * size:
        problem = say(
            '"{drive}" does not repeat after a cycle: {first:.6g} and {last:.6g}.',
            drive,
            float(values[0]),
            float(values[-1]),
        )
        advice = "Give the angle of a whole cycle, and simulate until the motion is periodic."
        raise SolveError("flywheel", problem, advice)


@final
@dataclass(frozen=True)
class _Cycle:
    """The speed over a cycle, as it follows from energy: ω² = 2 (K₀ + E(θ))/(J + I(θ))."""

    energy: Array  # E(θ) [J]
    inertia: Array  # I(θ) [kg m²]
    mean: float  # half the sum of the extreme speeds [rad/s]

    def speeds(self, J: float) -> Array | None:
        """The speeds whose extremes have the mean, with a flywheel; None where it would stop."""
        total = J + self.inertia
        if not (total > 0).all():
            return None

        def off(K: float) -> float:
            return self._middle(np.sqrt(2 * np.maximum(K + self.energy, 0.0) / total)) - self.mean

        low = -float(self.energy.min())
        if off(low) >= 0:
            return None
        high = low + float(np.ptp(self.energy)) + 2 * float(total.max()) * self.mean**2
        K = float(brentq(off, low, high, xtol=1e-13 * high, rtol=8.9e-16))
        return np.asarray(np.sqrt(2 * (K + self.energy) / total))

    def _middle(self, speeds: Array) -> float:
        return sum(_extremes(speeds)) / 2

    def fluctuation(self, J: float) -> float | None:
        """ε with a flywheel; None where the drive would stop."""
        speeds = self.speeds(J)
        return None if speeds is None else _spread(speeds) / self.mean

    def flywheel(self, target: float) -> float:
        """The least inertia with which ε is as target; 0 if it is so without one."""
        bare = self.fluctuation(0.0)
        if bare is not None and bare <= target:
            return 0.0

        def off(J: float) -> float:
            result = self.fluctuation(J)
            return 2.0 if result is None else result - target

        size = (float(np.ptp(self.energy)) + self.mean**2 * float(np.ptp(self.inertia))) / (
            target * self.mean**2
        )
        high = size
        while off(high) > 0:
            high *= 2
            assert high < _MOST * size, "a heavier flywheel always turns more evenly"
        return float(brentq(off, 0.0, high, xtol=1e-12 * high, rtol=8.9e-16))
