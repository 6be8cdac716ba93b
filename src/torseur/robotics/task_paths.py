"""Trajectories of a tool: lines and circles in the ground, followed through inverse kinematics.

Coordinates are found at instants, speeds and accelerations from J v = V and J a + J̇ v = A there,
and polynomials of degree five go through them. Between instants the tool leaves its path by as
much as such a polynomial does, which is measured half-way and kept below a tolerance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
import scipy

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.robotics.inverse_kinematics import (
    REACHED,
    Reach,
    given_coordinates,
    out_of_reach,
    required_target,
    rotation_vector,
)
from torseur.robotics.trajectory import Trajectory, hermite, instants
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.spatial.rotation import rodrigues
from torseur.words.sentence import say

Array = np.ndarray
_FIRST, _MOST = 16, 1024  # intervals
_PATH = 1e-6  # of the size of the mechanism: how far the tool may leave its path
_RANK = 1e-9


@final
@dataclass(frozen=True)
class _Screw:
    """A motion of the tool: a turn about an axis and a slide, both in proportion to s in [0, 1].

    The tool turns by s × `turn` about its own origin, while that is carried by s × `carried` about
    a fixed `centre` and slides by s × `slide`. Slerp of the orientation is the constant axis.
    """

    X: Array  # the pose at s = 0
    turn: Array  # rotation vector [rad], zero where only a point matters
    slide: Array
    carried: Array
    centre: Array

    def at(self, s: float) -> Array:
        """The pose."""
        X = np.eye(4)
        X[:3, :3] = _rotation(s * self.turn) @ self.X[:3, :3]
        arm = _rotation(s * self.carried) @ (self.X[:3, 3] - self.centre)
        X[:3, 3] = self.centre + arm + s * self.slide
        return X

    def rates(self, s: float, ds: float, dds: float) -> tuple[Array, Array]:
        """(ω; v) and its rate, in ground axes."""
        arm = _rotation(s * self.carried) @ (self.X[:3, 3] - self.centre)
        across = np.cross(self.carried, arm)
        V = np.concatenate([self.turn, across + self.slide])
        inwards = np.concatenate([np.zeros(3), np.cross(self.carried, across)])
        return ds * V, dds * V + ds**2 * inwards


def _rotation(vector: Array) -> Array:
    angle = float(np.linalg.norm(vector))
    return rodrigues(vector / angle, angle) if angle else np.eye(3)


def line(
    mechanism: Mechanism | CompiledModel,
    frame: str,
    target: np.ndarray,
    duration: float,
    start: Mapping[str, float] | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
) -> Trajectory:
    """Trajectory of a frame, a point or a body on a straight line, from rest to rest.

    From where it is at `start`, which the initial values of the mechanism complete, to a point (3)
    or to a pose (4, 4) of the ground; the orientation turns about one axis at the pace of the way
    (slerp). The way is 10 τ³ − 15 τ⁴ + 6 τ⁵.
    """
    begin = _Start(mechanism, frame, start, parameters)
    goal, X = required_target(target), begin.pose
    turn = np.zeros(3) if goal.ndim == 1 else rotation_vector(goal[:3, :3] @ X[:3, :3].T)
    slide = (goal if goal.ndim == 1 else goal[:3, 3]) - X[:3, 3]
    screw = _Screw(X, turn, slide, np.zeros(3), X[:3, 3])
    return _Follower(begin, screw, duration, 3 if goal.ndim == 1 else 6).trajectory()


def circle(
    mechanism: Mechanism | CompiledModel,
    frame: str,
    centre: np.ndarray,
    axis: np.ndarray,
    duration: float,
    start: Mapping[str, float] | None = None,
    *,
    angle: float = 2 * np.pi,
    orientation: str = "free",
    parameters: Mapping[str, float] | None = None,
) -> Trajectory:
    """Trajectory of a frame, a point or a body on a circle, from rest to rest.

    From where it is at `start`, by `angle`. Its orientation is "free", "kept", or "turning" with
    the way.
    """
    begin = _Start(mechanism, frame, start, parameters)
    c, u = (np.asarray(x, dtype=float) for x in (centre, axis))
    if c.shape != (3,) or u.shape != (3,) or not 0 < np.linalg.norm(u) < np.inf:
        problem = say("a centre (3) and an axis (3) are expected, got {c} and {u}.", c, u)
        raise ModelError("circle", problem)
    kinds = {"free": (3, 0.0), "kept": (6, 0.0), "turning": (6, 1.0)}
    if orientation not in kinds:
        raise ModelError(
            "circle",
            say('the orientation cannot be "{orientation}".', orientation),
            say("Possible: {choices}.", ", ".join(kinds)),
        )
    number, share = kinds[orientation]
    carried = angle * u / np.linalg.norm(u)
    screw = _Screw(begin.pose, share * carried, np.zeros(3), carried, c)
    return _Follower(begin, screw, duration, number).trajectory()


@final
class _Start:
    """Where a place of a model starts, from named coordinates."""

    def __init__(
        self,
        mechanism: Mechanism | CompiledModel,
        frame: str,
        start: Mapping[str, float] | None,
        parameters: Mapping[str, float] | None,
    ) -> None:
        self.model, self.frame = compiled_at(mechanism, parameters), frame
        self.q = given_coordinates(self.model, start, "start")
        balls = [x for x in self.model.coordinates if f"{x}." not in self.model.speeds]
        if balls:
            raise ModelError(
                f'mechanism "{self.model.mechanism.name}"',
                say("{names} have no speeds of their own: a trajectory cannot have them.",
                    ", ".join(balls)),
            )  # fmt: skip

    @property
    def pose(self) -> Array:
        """Where the place is."""
        return np.asarray(self.model.function(f"pose:{self.frame}")(self.q))


@final
class _Follower:
    """A place of a model that follows a screw from a start; some rows of J tell how it goes."""

    def __init__(self, start: _Start, screw: _Screw, duration: float, number: int) -> None:
        self._start, self._screw, self._duration, self._number = start, screw, duration, number
        self._model, self._frame = start.model, start.frame
        self._reach = Reach(self._model, self._frame)
        self._held = NumericConstraints(self._model)
        if not 0 < duration < np.inf:
            problem = say("the duration must be positive, got {duration}.", duration)
            raise ModelError(self._frame, problem)

    def trajectory(self) -> Trajectory:
        """With as many instants as the tolerance asks for."""
        count = _FIRST
        while True:
            t = np.linspace(0.0, self._duration, count + 1)
            course = hermite(t, *self._at(t))
            away = self._away(course)
            if away <= _PATH or count >= _MOST:
                break
            count *= 2
        if away > 1e3 * _PATH:
            raise SolveError(
                self._frame,
                say("the tool leaves its path by {away:.1e} of the size of the mechanism.", away),
                "It passes near a singular posture: choose another start or a path beside it.",
            )
        units = coordinate_units(self._model.mechanism)
        names = self._model.coordinates
        used_units = {name: units[name] for name in names}
        return Trajectory(names, instants(t, max(200, count)), course, used_units)

    def _goal(self, now: float) -> Array:
        """Where the place should be: a pose, or a point."""
        X = self._screw.at(_pace(now / self._duration)[0])
        return X if self._number == 6 else X[:3, 3]

    def _rates(self, now: float) -> tuple[Array, Array]:
        """(ω; v) that the place should have and its rate, or v and its rate."""
        s, ds, dds = _pace(now / self._duration)
        V, A = self._screw.rates(s, ds / self._duration, dds / self._duration**2)
        return V[-self._number :], A[-self._number :]

    def _at(self, t: Array) -> tuple[Array, Array, Array]:
        """Coordinates, speeds and accelerations at every instant.

        What the path leaves free moves as little as possible: v = J⁺ V is integrated by the method
        of Runge and Kutta, corrected onto the path, and its own rate is that of a spline.
        """
        positions, speeds = [], []
        q, before = self._start.q, t[0]
        for now in t:
            guess = q if now == before else self._carried(q, before, now)
            posture = self._reach.towards(guess, self._goal(now))
            if self._reach.size(posture.residual) > 1e2 * REACHED:
                raise out_of_reach(say("t = {now:.4g} s", now), self._frame, posture)
            q, before = posture.q, now
            positions.append(q)
            speeds.append(self._speeds(q, now))
        drift = scipy.interpolate.CubicSpline(t, np.array(speeds))(t, 1)
        rows = zip(positions, speeds, t, drift, strict=True)
        accelerations = [self._accelerations(*row) for row in rows]
        return np.array(positions), np.array(speeds), np.array(accelerations)

    def _carried(self, q: Array, start: float, end: float) -> Array:
        """The coordinates at the end of a span, by one step of Runge and Kutta."""
        h, mid = end - start, (start + end) / 2
        k1 = self._speeds(q, start)
        k2 = self._speeds(q + h / 2 * k1, mid)
        k3 = self._speeds(q + h / 2 * k2, mid)
        k4 = self._speeds(q + h * k3, end)
        return np.asarray(q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))

    def _rows(self, q: Array) -> tuple[Array, int]:
        """The rows of the loops and of the place, and how many are those of loops."""
        J = self._reach.rows("jacobian", self._number, q)
        if not self._held:
            return J, 0
        loops = self._held.J(q, 0.0)
        return np.vstack([loops, J]), len(loops)

    def _speeds(self, q: Array, now: float) -> Array:
        """The smallest speeds with J v = V."""
        rows, loops = self._rows(q)
        V, _ = self._rates(now)
        return np.asarray(np.linalg.pinv(rows, rcond=_RANK) @ np.concatenate([np.zeros(loops), V]))

    def _accelerations(self, q: Array, v: Array, now: float, free: Array) -> Array:
        """J a = A − J̇ v; what that leaves free is given."""
        rows, loops = self._rows(q)
        _, A = self._rates(now)
        bias = self._reach.rows("jacobian_rate", self._number, q, v) @ v
        gamma = self._held.bias(q, v, 0.0) if loops else np.zeros(0)
        back = np.linalg.pinv(rows, rcond=_RANK)
        return np.asarray(free + back @ (np.concatenate([-gamma, A - bias]) - rows @ free))

    def _away(self, course: scipy.interpolate.PPoly) -> float:
        """Distance of the place from its path half-way between instants, without dimension."""
        middles = (course.x[1:] + course.x[:-1]) / 2
        errors = (self._reach.error(course(now), self._goal(now)) for now in middles)
        return max(map(self._reach.size, errors))


def _pace(tau: float) -> tuple[float, float, float]:
    """s, ds/dτ and d²s/dτ² of the way from rest to rest with the least jerk."""
    tau = min(max(tau, 0.0), 1.0)
    s = tau**3 * (10 - 15 * tau + 6 * tau**2)
    return s, 30 * tau**2 * (1 - tau) ** 2, 60 * tau * (1 - tau) * (1 - 2 * tau)
