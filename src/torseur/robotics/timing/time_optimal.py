"""Motions along a path in the least time within limits of torque, speed and acceleration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.algebra.core.expr import Expr
from torseur.errors import ModelError, SolveError
from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.result import Result
from torseur.robotics.follow import followed
from torseur.robotics.inverse import require_driven
from torseur.robotics.joint_paths import Limits
from torseur.robotics.timing.geometric_path import geometric_path
from torseur.robotics.timing.path_limits import (
    PLACE,
    MotionLimits,
    PathStates,
    motion_limits,
    require_within,
)
from torseur.robotics.timing.speed_profile import SpeedProfile, Unreachable, fastest_profile
from torseur.robotics.trajectory import Trajectory, arranged
from torseur.words.sentence import say, worded

Array = np.ndarray
_FIRST, _MOST = 400, 3200  # intervals of a section
_OVER = 1e-3  # of a limit: how much it may be passed between grid points
_PASSES, _AGREE = 30, 1e-7  # of tangents of friction; their error, as a part of limits
_ACTIVE = 1e-3  # of a limit: how near it must be to be active


@final
class TimeOptimal(Result, document=("duration", "t", "q", "v", "a", "torques", "active")):
    """Path followed in the least time: the trajectory, and the active limit along it."""

    model: CompiledModel
    trajectory: Trajectory
    s: Array  # (instants) length along the path, in characteristic displacements
    pace: Array  # (instants) ds/dt
    fastest: Array  # (instants) the greatest pace from which the end can be reached
    torques: Array  # (instants, names) [N m, N]
    use: Array  # (instants) the largest part of a limit that is used, on either side
    active: tuple[str, ...]  # that limit at each instant, as "torque q1"; empty: none

    def __repr__(self) -> str:
        return f"<TimeOptimal of {', '.join(self.names)}: {self.duration:.6g} s>"

    def __str__(self) -> str:
        counts = Counter(dict.fromkeys(filter(None, self.active), 0.0))
        steps = np.append(np.diff(self.t), 0.0) / 2 + np.append(0.0, np.diff(self.t)) / 2
        for name, step in zip(self.active, steps, strict=True):
            counts[name] += step / self.duration
        del counts[""]
        named = ((name.partition(" "), share) for name, share in counts.most_common())
        shares = ", ".join(f"{worded(x[0])} {x[2]} {share:.0%}" for x, share in named)
        return self.say("{duration:.5g} s; active limits: {shares}", shares=shares or say("none"))

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates of the path."""
        return self.trajectory.names

    @property
    def duration(self) -> float:
        """The least time [s]."""
        return self.trajectory.duration

    @property
    def t(self) -> Array:
        """Instants of the grid [s]."""
        return self.trajectory.t

    @cached_property
    def q(self) -> Array:
        """Positions (instants, names)."""
        return self.trajectory.q()

    @cached_property
    def v(self) -> Array:
        """Speeds (instants, names)."""
        return self.trajectory.v()

    @cached_property
    def a(self) -> Array:
        """Accelerations (instants, names); where they jump, those after."""
        return self.trajectory.a()

    def expressions(self) -> dict[str, Expr]:
        """The positions as expressions of t, as references of controllers are."""
        return self.trajectory.expressions()

    def figure(self, path: str | Path | None = None) -> Figure:
        """The pace along the path below the greatest possible one, and torques over time."""
        drawn = figure(8.0, 6.0)
        upper, lower = drawn.subplots(2, 1)
        upper.plot(self.s, self.fastest, "--", color="0.5", label=worded("greatest"))
        upper.plot(self.s, self.pace, label=worded("taken"))
        labelled(upper, "length s", "ds/dt [1/s]")
        for k, name in enumerate(self.names):
            lower.plot(self.t, self.torques[:, k], label=name)
        labelled(lower, "t [s]", "torque [N·m]")
        for panel in (upper, lower):
            panel.legend()
        return written(drawn, path, self.model.mechanism.name)


def time_optimal(
    mechanism: Mechanism | CompiledModel,
    path: Trajectory | Mapping[str, Sequence[float | str]],
    *,
    torque: Limits | None = None,
    speed: Limits | None = None,
    acceleration: Limits | None = None,
    guess: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> TimeOptimal:
    """A path followed in the least time, from rest to rest, within limits.

    The path is the one of a trajectory, whose own times do not matter, or a cubic spline through
    points, given by name. Limits are one number for all coordinates or one by name; for those that
    are not given, `effort` and `velocity` of the joints count. At corners of the path the motion
    rests. Where loops close, the path gives the driven coordinates, and the others follow, nearest
    to `guess`.
    """
    model = compiled_at(mechanism, parameters)
    c = dict(
        zip((x.removesuffix(".") for x in model.speeds), model.sizes.displacements, strict=True)
    )
    course = geometric_path(PLACE, path, c)
    require_driven(model, PLACE, course.names)
    if not model.system.constrained:
        arranged(course.names, model.coordinates, PLACE)
    if model.takes_time("applied") or model.takes_time("gravity"):
        problem = "forces depend on time: the least time depends on when the motion starts."
        raise ModelError(PLACE, problem, "Leave them out of the model.")
    limits = motion_limits(model, course.names, torque, speed, acceleration)
    parts, state = [], guess
    for section in course.sections:
        part = _Section(limits, section, state)
        parts.append(part)
        state = dict(zip(model.coordinates, map(float, part.states.q[-1]), strict=True))
    return _joined(limits, parts)


@final
class _Section:
    """A smooth section of a path, followed in the least time on a grid that is fine enough."""

    def __init__(
        self,
        limits: MotionLimits,
        section: scipy.interpolate.PPoly,
        guess: Mapping[str, float] | None,
    ) -> None:
        self._limits, self.section = limits, section
        count = _FIRST
        while True:
            self.grid = _grid(section, count)
            self.states = PathStates(limits, section, self.grid, guess)
            require_within(limits, self.states.q)
            self.profile = self._profile()
            self.course = _course(section, self.grid, self.profile)
            if count >= _MOST or self._between(guess) <= 1 + _OVER:
                break
            count *= 2

    def _profile(self) -> SpeedProfile:
        """The greatest speed, after as many passes as forces need that go with the speed."""
        x = np.minimum(self.states.most, 1.0)
        for _ in range(_PASSES):
            rows = self.states.at(x)
            try:
                profile = fastest_profile(rows)
            except Unreachable as error:
                raise self._not_followed(error.point) from None
            if self.states.error(rows, profile.x) <= _AGREE:
                return profile
            x = profile.x
        return profile

    def _between(self, guess: Mapping[str, float] | None) -> float:
        """The largest part of a limit used in the middle of intervals."""
        x = self.course.x
        names = self._limits.names
        middle = Trajectory(names, (x[1:] + x[:-1]) / 2, self.course)
        return float(np.abs(self._limits.ratios(*_states(self._limits, middle, guess))).max())

    def _not_followed(self, point: int) -> SolveError:
        """The path cannot be followed: the limit that the weight alone passes there, if one is."""
        share = self.grid[point] / self.grid[-1]
        q, rest = self.states.q, np.zeros_like(self.states.q)
        ratios = np.abs(self._limits.ratios(q, rest[:, : self.states.d1.shape[1]],
                                            rest[:, : self.states.d1.shape[1]]))  # fmt: skip
        k, row = np.unravel_index(int(ratios.argmax()), ratios.shape)
        if ratios[k, row] <= 1:
            problem = say("no speed keeps the limits after {share:.1%} of the path.", share)
            return SolveError(PLACE, problem, "Raise the limits, or choose another path.")
        kind, name = self._limits.labels[row]
        problem = say(
            "at rest, {name} already needs {ratio:.3g} times its limit of {kind}, at {share:.1%} "
            "of the path.",
            name,
            float(ratios[k, row]),
            worded(kind),
            self.grid[(k + 1) // 2] / self.grid[-1],
        )
        return SolveError(PLACE, problem, "Raise the limit, or choose another path.")

    def uses(self) -> Array:
        """The part of each limit used at both ends of intervals: (2 intervals, labels)."""
        states, profile = self.states, self.profile
        x = np.stack([profile.x[:-1], profile.x[1:]], axis=1).ravel()[:, np.newaxis]
        u = np.repeat(profile.u, 2)[:, np.newaxis]
        slowest = np.maximum(x, 1e-12 * x.max())
        v, a = np.sqrt(slowest) * states.d1, states.d2 * x + states.d1 * u
        return np.asarray(np.abs(self._limits.ratios(states.q, v, a)))


def _states(
    limits: MotionLimits, motion: Trajectory, guess: Mapping[str, float] | None
) -> tuple[Array, Array, Array]:
    """q, v and a of the model at the instants of a motion of the driven coordinates."""
    if limits.model.system.constrained:
        return followed(limits.model, motion, guess)
    order = arranged(motion.names, limits.model.coordinates, PLACE)
    q, v, a = (x[:, order] for x in (motion.q(), motion.v(), motion.a()))
    return q, v, a


def _grid(section: scipy.interpolate.PPoly, count: int) -> Array:
    """Grid points: the breaks of a section, and others between them, `count` or more.

    They are denser towards both ends, where the motion is slow: about evenly spaced in time.
    """
    x, length = section.x, section.x[-1]
    angles = np.arccos(np.clip(1 - 2 * x / length, -1, 1))
    counts = np.maximum(np.ceil(count * np.diff(angles) / np.pi - 1e-9), 1).astype(int)
    parts = []
    for k, number in enumerate(counts):
        inner = np.linspace(angles[k], angles[k + 1], number, endpoint=False)[1:]
        parts.append([x[k], *(length * (1 - np.cos(inner)) / 2)])
    return np.array([*np.concatenate(parts), x[-1]])


def _course(
    section: scipy.interpolate.PPoly, grid: Array, profile: SpeedProfile
) -> scipy.interpolate.PPoly:
    """The positions over time, exactly: cubics of s, which is quadratic on each interval."""
    w, start = np.sqrt(profile.x), grid[:-1]
    t = np.concatenate([[0.0], np.cumsum(2 * np.diff(grid) / (w[:-1] + w[1:]))])
    degree = len(section.c) - 1
    coefficients = np.zeros((2 * degree + 1, len(start), section.c.shape[2]))
    power, factorial = np.ones((1, len(start))), 1.0  # of δ = w τ + u τ²/2, lowest first
    for j in range(degree + 1):
        derivative = section(start, j) / factorial
        for k, factor in enumerate(power):
            coefficients[2 * degree - k] += factor[:, np.newaxis] * derivative
        longer = np.zeros((len(power) + 2, len(start)))
        longer[1:-1] += power * w[:-1]
        longer[2:] += power * profile.u / 2
        power, factorial = longer, factorial * (j + 1)
    return scipy.interpolate.PPoly(coefficients, t)


def _joined(limits: MotionLimits, parts: list[_Section]) -> TimeOptimal:
    """The result of all sections, one after the other."""
    courses = [part.course for part in parts]
    offsets = np.concatenate([[0.0], np.cumsum([course.x[-1] for course in courses])])
    t = _in_line([course.x for course in courses], offsets)
    lengths = np.concatenate([[0.0], np.cumsum([part.grid[-1] for part in parts])])
    most = max(len(course.c) for course in courses)
    whole = [np.pad(course.c, ((most - len(course.c), 0), (0, 0), (0, 0))) for course in courses]
    course = scipy.interpolate.PPoly(np.concatenate(whole, axis=1), t)
    units = coordinate_units(limits.model.mechanism)
    known = {name: units[name] for name in limits.names}
    uses = np.concatenate([part.uses() for part in parts])
    sides = np.concatenate([uses[:1], np.maximum(uses[1:-1:2], uses[2::2]), uses[-1:]])
    labels = [f"{kind} {name}" for kind, name in limits.labels]
    active = tuple(
        labels[k] if row[k] >= 1 - _ACTIVE else ""
        for row, k in zip(sides, sides.argmax(axis=1), strict=True)
    )
    return TimeOptimal(
        limits.model,
        Trajectory(limits.names, t, course, known),
        _in_line([part.grid for part in parts], lengths),
        np.sqrt(_in_line([part.profile.x for part in parts], 0 * lengths)),
        np.sqrt(_in_line([part.profile.high for part in parts], 0 * lengths)),
        _torques(limits, parts),
        sides.max(axis=1),
        active,
    )


def _in_line(parts: list[Array], offsets: Array) -> Array:
    """Arrays that end where the next starts, moved by offsets."""
    moved = [part + offset for part, offset in zip(parts, offsets, strict=False)]
    return np.concatenate([moved[0], *(part[1:] for part in moved[1:])])


def _torques(limits: MotionLimits, parts: list[_Section]) -> Array:
    """Torques at grid points; where they jump, those after."""
    result: list[Any] = []
    for part in parts:
        states, x, u = part.states, part.profile.x, part.profile.u
        slow = np.maximum(x, 1e-12 * x.max())
        ends = ((states.q[::2], states.d1[::2], states.d2[::2], slow[:-1], u),
                (states.q[-1:], states.d1[-1:], states.d2[-1:], slow[-1:], u[-1:]))  # fmt: skip
        last = []
        for q, d1, d2, at, rate in ends:
            w = at[:, np.newaxis]
            a = d2 * w + d1 * rate[:, np.newaxis]
            last.append(limits.torques(q, np.sqrt(w) * d1, a))
        result = [*result[:-1], *np.concatenate(last)]
    return np.array(result)
