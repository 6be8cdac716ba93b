"""Points and frames by name: where they are and how they move, relative to any frame.

The motion of every body at every sample is found at once: one recursion on symbols, run on columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.brief import numbered
from torseur.dynamics.tree.kinematics import acceleration_tensor, accelerations, velocities
from torseur.equations.expressions.sampling import over_samples
from torseur.errors import ModelError, require_known, unknown
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import GROUND, Mechanism
from torseur.simulation.observe.moving import MovingPoint, ObservedFrame, each, still, times
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross, skew
from torseur.words.sentence import say

Array = np.ndarray
# a named point, a frame or a body (its origin), or a frame and coordinates in it
PointGiven = str | tuple[str, Sequence[float]]
_HIGHEST = 2  # derivatives


class Samples(Protocol):
    """States of a mechanism at successive times, such as those of a run."""

    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...  # (samples)
    @property
    def q(self) -> Array: ...  # (samples, nq)
    @property
    def v(self) -> Array: ...
    @property
    def a(self) -> Array: ...


def symbol_values(samples: Samples, order: int = 2) -> dict[str, Any]:
    """Time, parameters and the symbols of q, v and a at every sample, by name.

    Speeds and accelerations are computed only where the order needs them.
    """
    system, values = samples.model.system, {"t": samples.t, **samples.model.parameters}
    for symbols, name in ((system.q, "q"), (system.v, "v"), (system.a, "a"))[: order + 1]:
        columns = getattr(samples, name)
        values |= {x.name: columns[:, k] for k, x in enumerate(symbols)}
    return values


@final
@dataclass(frozen=True)
class GivenMotion:
    """A motion that is known, planned or measured: arrays of one row a sample."""

    model: CompiledModel
    t: Array  # (samples) [s]
    q: Array  # (samples, coordinates)
    v: Array  # (samples, speeds)
    a: Array


def given_motion(
    mechanism: Mechanism | CompiledModel, t: Array, q: Array, v: Array, a: Array
) -> GivenMotion:
    """The motion with the given coordinates, speeds and accelerations of the tree at times t.

    Quaternions are brought to unit length, as those of a description are.
    """
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    times = np.atleast_1d(np.asarray(t, dtype=float))
    arrays = []
    for letter, given, names in (
        ("q", q, model.coordinates),
        ("v", v, model.speeds),
        ("a", a, model.speeds),
    ):
        array, expected = np.asarray(given, dtype=float), (len(times), len(names))
        if array.shape != expected:
            raise ModelError(
                f"given motion, argument {letter}",
                say(
                    "expected shape {wanted}, one row for each time, got {shape}.",
                    expected,
                    array.shape,
                ),
                say("In this order: {names}.", ", ".join(names)),
            )
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            row, k = wrong[0]
            problem = say("{name} is {value} in row {row}.", names[k], array[row, k], int(row))
            raise ModelError(f"given motion, argument {letter}", problem, "Give finite numbers.")
        arrays.append(array)
    positions, *rates = arrays
    return GivenMotion(model, times, _unit_quaternions(model, positions), *rates)


def _unit_quaternions(model: CompiledModel, q: Array) -> Array:
    """The coordinates with every quaternion of length one."""
    result = q.copy()
    for four in model.system.tree.quaternions:
        sizes = np.linalg.norm(q[:, four], axis=1, keepdims=True)
        if not sizes.all():
            names = ", ".join(model.coordinates[four])
            problem = say("{names} are all 0 in row {row}.", names, int(np.argmin(sizes)))
            raise ModelError("given motion, argument q", problem, "For instance 1, 0, 0, 0.")
        result[:, four] = q[:, four] / sizes
    return result


@final
class Observer:
    """Motion of a mechanism relative to its frames.

    A frame is a named one, a body, or the ground. Arrays have one row a sample, in SI.
    """

    def __init__(self, samples: Samples) -> None:
        self._samples, self.model, self.t = samples, samples.model, samples.t
        self._index = {link.name: i for i, link in self.model.system.tree}

    def __repr__(self) -> str:
        return f"<Observer of {numbered(len(self.t), 'sample')} of {self.model!r}>"

    def frame(self, name: str, relative_to: str = GROUND, *, derivatives: int = 2) -> ObservedFrame:
        """X_AB of the frame `name` (B) seen from the frame `relative_to` (A), with derivatives."""
        absolute = self._in_ground(name, derivatives + 1)
        if relative_to == GROUND:
            return absolute
        return self._in_ground(relative_to, derivatives + 1).inverse @ absolute

    def moving_point(
        self, point: PointGiven, frame: str = GROUND, *, derivatives: int = 2
    ) -> MovingPoint:
        """A point seen from a frame, in its axes. A pair is a frame and coordinates in it."""
        carrier, r = self._located(point)
        return self.frame(carrier, frame, derivatives=derivatives).fixed(r)

    def point(
        self, point: PointGiven, derivative: int = 0, *, frame: str = GROUND, axes: str = ""
    ) -> Array:
        """Position, velocity or acceleration of a point relative to a frame (samples, 3).

        The components are along the axes of the frame itself unless `axes` names another one.
        """
        if derivative not in range(_HIGHEST + 1):
            raise ModelError(
                "observe",
                say("the derivative {derivative} of a point is not known.", derivative),
                "0 is its position, 1 its velocity, 2 its acceleration.",
            )
        moving = self.moving_point(point, frame, derivatives=derivative)
        return self.in_axes(moving.x[derivative], frame, axes)

    def angular_velocity(self, name: str, frame: str = GROUND, *, axes: str = "") -> Array:
        """Ω of a frame relative to another, along the axes of that one or of `axes` [rad/s]."""
        moving = self.frame(name, frame, derivatives=1)
        return self.in_axes(moving.angular_velocity, frame, axes)

    def angular_acceleration(self, name: str, frame: str = GROUND, *, axes: str = "") -> Array:
        """The derivative of Ω of a frame relative to another, seen from either [rad/s²]."""
        return self.in_axes(self.frame(name, frame).angular_acceleration, frame, axes)

    @property
    def poses(self) -> dict[str, tuple[Array, Array]]:
        """R (samples, 3, 3) and p (samples, 3) of every body in the ground, by name."""
        by_body = {name: self._body(name, 1) for name in self._index}
        return {name: (X.R[0], X.p[0]) for name, X in by_body.items()}

    def in_axes(self, components: Array, frame: str, axes: str) -> Array:
        """Vectors given along the axes of a frame (samples, 3), along other axes."""
        if axes in ("", frame):
            return components
        return times(self.frame(frame, axes, derivatives=0).R[0], components)

    def _in_ground(self, name: str, orders: int) -> ObservedFrame:
        mechanism = self.model.mechanism
        if name == GROUND or name in mechanism.bodies:
            return self._body(name, orders)
        if name not in mechanism.frames:
            known = {GROUND, *mechanism.bodies, *mechanism.frames}
            raise unknown("observe", "frame", name, known)
        frame = mechanism.frames[name]
        pose = frame.pose.numeric(lambda x: float(evaluate(x, self.model.parameters)))
        carrier = self._body(frame.body, orders)
        return carrier @ still(pose, orders, len(self.t))

    def _located(self, point: PointGiven) -> tuple[str, Array]:
        """The frame a point is fixed in, and its coordinates there."""
        if not isinstance(point, str):
            frame, coordinates = point
            if np.shape(coordinates) != (3,):
                problem = say("the point {point} has not three coordinates.", list(point))
                raise ModelError("observe", problem, 'For instance ("arm", [0, 0, 0.1]).')
            return frame, np.asarray(coordinates, dtype=float)
        mechanism = self.model.mechanism
        points, frames = mechanism.points, (*mechanism.frames, *mechanism.bodies, GROUND)
        require_known("observe", "point", point, (*points, *frames))
        if point not in points:
            return point, np.zeros(3)  # its origin
        given = points[point]
        values = evaluate(np.asarray(given.position, dtype=object), self.model.parameters)
        return given.body, np.asarray(values, dtype=float)

    # --- the bodies, each order of derivatives when it is asked for -------------------------------

    def _body(self, name: str, orders: int) -> ObservedFrame:
        """The frame of a body in the ground, with orders − 1 derivatives."""
        if name == GROUND:
            return still(Pose(), orders, len(self.t))
        i = self._index[name]
        R = self._placed[:, i, :9].reshape(-1, 3, 3)
        turned, positions = [R], [self._placed[:, i, 9:]]
        if orders > 1:
            w, v = np.split(self._moving[:, i], 2, axis=-1)
            turned.append(R @ each(skew, w))
            positions.append(times(R, v))
        if orders > 2:
            dw, acc = np.split(self._accelerated[:, i], 2, axis=-1)
            turned.append(R @ each(acceleration_tensor, w, dw))
            positions.append(times(R, acc))
        return ObservedFrame(np.array(turned), np.array(positions))

    @cached_property
    def _placed(self) -> Array:
        """R and p of every body in the ground (samples, bodies, 12)."""
        q, tree = self.model.system.q, self.model.system.tree
        R: list[Array] = []  # of the computing frames
        p: list[Array] = []
        rows = []
        for X, link in zip(tree.poses(q), tree.links, strict=True):
            carrier, origin = (
                (R[link.parent], p[link.parent]) if link.parent >= 0 else (np.eye(3), np.zeros(3))
            )
            R.append(carrier @ X.R.matrix)
            p.append(origin + carrier @ X.p)
            body_pose = R[-1] @ link.X_MB.R.matrix, p[-1] + R[-1] @ link.X_MB.p
            rows.append([*body_pose[0].ravel(), *body_pose[1]])
        return self._over_samples(rows, 12, 0)

    @cached_property
    def _moving(self) -> Array:
        """ω and the velocity of the origin of every body, in its axes (samples, bodies, 6)."""
        known, rows = self.model.system, []
        motions = velocities(known.tree, known.q, known.v)
        for one, link in zip(motions, known.tree.links, strict=True):
            X = link.X_MB
            rows.append([*X.R.into(one.w), *X.R.into(one.v + cross(one.w, X.p))])
        return self._over_samples(rows, 6, 1)

    @cached_property
    def _accelerated(self) -> Array:
        """ω̇ and the acceleration of the origin of every body, in its axes (samples, bodies, 6)."""
        known, rows = self.model.system, []
        motions = accelerations(known.tree, known.q, known.v, known.a, np.zeros(3))
        for one, link in zip(motions, known.tree.links, strict=True):
            X = link.X_MB
            rows.append([*X.R.into(one.dw), *X.R.into(one.acc + one.U @ X.p)])
        return self._over_samples(rows, 6, 2)

    def _over_samples(self, rows: list[list[Any]], width: int, order: int) -> Array:
        outputs = np.array(rows, dtype=object).reshape(len(rows), width)
        return over_samples(outputs, symbol_values(self._samples, order), len(self.t))


def observe(motion: Samples | Observer) -> Observer:
    """The observer of a run or of a given motion, from which points and frames are read."""
    return motion if isinstance(motion, Observer) else Observer(motion)
