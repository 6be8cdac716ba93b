"""Limits of a motion along a path: torques, speeds and accelerations over ṡ² and s̈.

Along q(s) accelerations are q′ u + q″ x with u = s̈ and x = ṡ², and torques M q′ u + F(s, x). F is
linear in x but for forces such as viscous friction, which go with ṡ: it is replaced by its tangent
at the x of the pass before, until both agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy

from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.robotics.follow import followed
from torseur.robotics.joint_limits import joint_limits
from torseur.robotics.joint_paths import Limits, given_limits
from torseur.robotics.timing.speed_profile import IntervalLimits
from torseur.robotics.trajectory import Trajectory, arranged
from torseur.words.sentence import say

Array = np.ndarray
PLACE = "time_optimal"
_NEAR = 1e-3  # of x: where the tangent is taken
_SLOWEST = 1e-6  # of the greatest x: where friction is still that of a motion


@final
@dataclass(frozen=True, eq=False)
class MotionLimits:
    """The limits of the joints of a model along paths of the driven coordinates `names`."""

    model: CompiledModel
    names: tuple[str, ...]
    torque: Array  # of `names`; infinite: none
    speed: Array  # of all speeds of the model
    acceleration: Array

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """Kind and coordinate of each limit that is finite, in the order of rows; speeds last."""
        coordinates = [name.removesuffix(".") for name in self.model.speeds]
        listed = (("torque", self.names, self.torque),
                  ("acceleration", coordinates, self.acceleration),
                  ("speed", coordinates, self.speed))  # fmt: skip
        return tuple(
            (kind, name)
            for kind, names, values in listed
            for name, value in zip(names, values, strict=True)
            if np.isfinite(value)
        )

    def torques(self, q: Array, v: Array, a: Array) -> Array:
        """Forces along the driven coordinates."""
        t = np.zeros(len(q))
        if self.model.system.constrained:
            solve = self.model.function("inverse_dynamics")
            return np.asarray(solve(q, v, a, t, actuators=self.names))
        columns = [self.model.speeds.index(f"{name}.") for name in self.names]
        return np.asarray(self.model.timed("inverse_dynamics")(q, v, a, t))[:, columns]

    def ratios(self, q: Array, v: Array, a: Array) -> Array:
        """The part of each limit that states use, with its sign: (states, labels)."""
        parts = [
            (values / limit)[:, np.isfinite(limit)]
            for values, limit in ((self.torques(q, v, a), self.torque),
                                  (a, self.acceleration), (v, self.speed))
        ]  # fmt: skip
        return np.concatenate(parts, axis=1)


def motion_limits(
    model: CompiledModel,
    names: tuple[str, ...],
    torque: Limits | None,
    speed: Limits | None,
    acceleration: Limits | None,
) -> MotionLimits:
    """Limits that are given, for the others those of the joints."""
    stated = joint_limits(model, names)
    coordinates = tuple(name.removesuffix(".") for name in model.speeds)
    known = joint_limits(model, coordinates)
    result = MotionLimits(
        model,
        names,
        given_limits(PLACE, "torque", torque, names, stated.effort),
        given_limits(PLACE, "speed", speed, coordinates, known.speed),
        given_limits(PLACE, "acceleration", acceleration, coordinates, np.inf),
    )
    if not np.isfinite([*result.torque, *result.acceleration]).any():
        raise ModelError(
            PLACE,
            "no limit of torque or acceleration is known: any time will do.",
            "Give torque= or acceleration=, or `effort` of the joints.",
        )
    return result


@final
class PathStates:
    """q, q′ and q″ of a model at both ends of every interval of a section."""

    def __init__(
        self,
        limits: MotionLimits,
        section: scipy.interpolate.PPoly,
        grid: Array,
        guess: Mapping[str, float] | None,
    ) -> None:
        ends = np.nextafter(grid[1:], -np.inf)  # of the interval before, where q″ jumps
        both = np.stack([grid[:-1], ends], axis=1).ravel()
        motion = Trajectory(limits.names, both, section)
        model = limits.model
        if model.system.constrained:
            states: Any = followed(model, motion, guess)
        else:
            order = arranged(limits.names, model.coordinates, PLACE)
            states = [section(both, k)[:, order] for k in range(3)]
        self._limits, self._steps = limits, np.diff(grid)
        self.q, self.d1, self.d2 = (np.asarray(x) for x in states)
        still = np.zeros_like(self.d1)
        self._rest = limits.torques(self.q, still, still)
        self._push = limits.torques(self.q, still, self.d1) - self._rest

    def free(self, x: Array) -> Array:
        """F(s, x): torques at both ends of intervals where s̈ is zero."""
        x = x[:, np.newaxis]
        return self._limits.torques(self.q, np.sqrt(x) * self.d1, x * self.d2)

    def at(self, x: Array) -> IntervalLimits:
        """Rows of the limits, with the tangent of F at x, given at grid points."""
        limits = self._limits
        near = np.maximum(_both_ends(x), _SLOWEST * x.max())
        F = self.free(near)
        slope = (self.free((1 + _NEAR) * near) - F) / (_NEAR * near[:, np.newaxis])
        c = F - slope * near[:, np.newaxis]
        at_rest = c.copy()  # dry friction, which helps to brake, is gone at rest
        at_rest[[0, -1]] = self._rest[[0, -1]]
        rows = [
            (self._push, slope, c, limits.torque),
            (self.d1, self.d2, 0 * self.d1, limits.acceleration),
            (self._push, slope, at_rest, limits.torque),
        ]
        parts = []
        for k in range(3):
            columns = [(row[k] / row[3])[:, np.isfinite(row[3])] for row in rows]
            parts.append(np.concatenate(columns, axis=1))
        a, b, c = (np.stack([part[::2], part[1::2]]) for part in parts)
        return IntervalLimits(self._steps, a, b, c, self.most)

    @property
    def most(self) -> Array:
        """The greatest x at each grid point that the limits of speed allow."""
        with np.errstate(divide="ignore"):
            most = np.square(self._limits.speed / self.d1).min(axis=1)
        return np.append(np.minimum(most[::2], np.append(np.inf, most[1:-1:2])), most[-1])

    def error(self, rows: IntervalLimits, x: Array) -> float:
        """Largest difference between F and its tangents at x, as a part of limits of torque."""
        finite = np.isfinite(self._limits.torque)
        number = int(finite.sum())
        tangent = np.empty((2 * len(self._steps), number))
        for end in (0, 1):
            there = x[end : len(x) - 1 + end, np.newaxis]
            tangent[end::2] = rows.b[end, :, :number] * there + rows.c[end, :, :number]
        slowest = np.maximum(_both_ends(x), _SLOWEST * x.max())
        F = (self.free(slowest) / self._limits.torque)[:, finite]
        return float(np.abs(F - tangent).max(initial=0.0))


def _both_ends(x: Array) -> Array:
    """Values at grid points, at both ends of every interval."""
    return np.stack([x[:-1], x[1:]], axis=1).ravel()


def require_within(limits: MotionLimits, q: Array) -> None:
    """Raise if a path leaves the range of a joint."""
    known = joint_limits(limits.model, limits.model.coordinates)
    for k, name in enumerate(limits.model.coordinates):
        for side, end in ((-1.0, known.low[k]), (1.0, known.high[k])):
            worst = q[:, k][int((side * q[:, k]).argmax())]
            if np.isfinite(end) and side * (worst - end) > 1e-9 * max(1.0, abs(end)):
                raise ModelError(
                    PLACE,
                    say("{name} reaches {worst:.5g} on the path; its limit is {end:.5g}.",
                        name, float(worst), float(end)),
                    "Move the points of the path, or the limits of the joint.",
                )  # fmt: skip
