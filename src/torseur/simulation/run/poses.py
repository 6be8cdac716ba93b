"""The bodies of a motion in absolute coordinates: what joints and points were at its samples.

Everything is computed for all samples at once; a vector is a tuple of three columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.dynamics.absolute.elementary_rows import speed
from torseur.dynamics.absolute.joint_rows import (
    Advance,
    DefinedCoordinate,
    Frame,
    Spin,
    measure_row,
)
from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.absolute_model import AbsoluteModel, Report
from torseur.machine.absolute.forms import FormElement
from torseur.machine.absolute.joint_elements import ROW, Measure, frame_of, measures_of
from torseur.model.description import GROUND, Joint
from torseur.model.freed import COORDINATES, SPEEDS
from torseur.model.joint_graph import Spanning, spanning
from torseur.simulation.run.touching import PileContacts
from torseur.spatial import quaternion
from torseur.spatial.triples import cross, dot, plus

Array = np.ndarray
Columns = Any  # three columns
STILL = (0.0, 0.0, 0.0)


@final
class Moving:
    """A body at every sample: rotation by rows, centre, velocity, angular velocity."""

    def __init__(self, states: Array | None) -> None:
        if states is None:
            self.attitude: Any = (1.0, 0.0, 0.0, 0.0)
            self.R: Any = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
            self.end: Any = (STILL, STILL, STILL)
            return
        self.attitude = tuple(states[:, at.ATTITUDE : at.VELOCITY].T)
        self.R = tuple(quaternion.matrix(self.attitude).reshape(9, -1))
        r, v, w = (tuple(states[:, k : k + 3].T) for k in (at.POSITION, at.VELOCITY, at.SPIN))
        self.end = (r, v, self.out(w))

    def out(self, a: Any) -> Columns:
        """From body axes to ground axes."""
        return tuple(dot(self.R[3 * k : 3 * k + 3], a) for k in range(3))

    def into(self, a: Any) -> Columns:
        """From ground axes to body axes."""
        return tuple(dot(self.R[k::3], a) for k in range(3))


@final
class Poses:
    """The states of all bodies at all samples of a run."""

    def __init__(
        self,
        model: AbsoluteModel,
        t: Array,
        states: Array,
        start: Array | None = None,
        touching: PileContacts | None = None,
    ) -> None:
        self.model = model
        self.t = t
        self.states = states  # all that is integrated (samples, 13 bodies + followers + 1)
        self._start = start  # of the motion; None: the first sample
        self.touching = touching  # None: no shocks and no contacts
        self._moving: dict[str, Moving] = {}
        self._defined: dict[str, list[Any]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Poses, (self.model, self.t, self.states, self._start, self.touching)

    @property
    def work(self) -> Array:
        """Work of the forces without potential [J]."""
        return self.states[:, -1]

    def body(self, name: str) -> Moving:
        """A body at every sample."""
        if name not in self._moving:
            self._moving[name] = Moving(None if name == GROUND else self.state(name))
        return self._moving[name]

    def state(self, body: str) -> Array:
        """The 13 numbers of a body (samples, 13)."""
        k = at.STATE * (self.model.index[body] - 1)
        return self.states[:, k : k + at.STATE]

    # --- joints -----------------------------------------------------------------------------

    def coordinates(self, joint: Joint) -> list[Array]:
        """Each coordinate of a joint (samples)."""
        columns = [
            self._value(measure)
            for measure in self._measures(joint)
            if not isinstance(measure.freedom, Spin)
        ]
        if joint.kind.turning:
            columns += list(self._attitude(joint))
        return columns

    def _measures(self, joint: Joint) -> Iterator[Measure]:
        return measures_of(self.model.numbers.joints[joint.name])

    def speeds(self, joint: Joint) -> list[Array]:
        """Each speed of a joint (samples)."""
        return [self._speed(measure) for measure in self._measures(joint)]

    def accelerations(self, joint: Joint) -> list[Array]:
        """The rate of each speed of a joint (samples)."""
        return [self.rate_of_speed(measure) for measure in self._measures(joint)]

    def _value(self, measure: Measure) -> Array:
        if isinstance(measure.freedom, Advance):
            return self._everywhere(self.measure_row(measure)[0])
        return self.states[:, self._followers[measure.name]]

    @cached_property
    def _followers(self) -> dict[str, int]:
        first = at.STATE * len(self.model.graph.bodies)
        return {measure.name: first + k for k, measure in enumerate(self.model.followers)}

    def _everywhere(self, x: Any) -> Array:
        return np.broadcast_to(np.asarray(x, dtype=float), self.t.shape)

    def _bodies_of(self, name: str) -> tuple[Moving, Moving]:
        joint = self.model.numbers.joints[name]
        return self.body(joint.first), self.body(joint.second)

    def frames(self, name: str) -> tuple[Frame, Frame]:
        """F and M of a joint."""
        joint, numbers = self.model.numbers.joints[name], self.model.numbers
        listed = []
        for body, pose in ((joint.first, joint.X_AF), (joint.second, joint.X_BM)):
            moving, (p, axes) = self.body(body), frame_of(numbers, body, pose)
            columns = np.stack([np.array(moving.out(axes[:, k])) for k in range(3)], axis=1)
            listed.append((moving.end, moving.out(p), columns))
        return listed[0], listed[1]

    def measure_row(self, measure: Measure) -> Any:
        """The row of a measure; see `dynamics.absolute.elementary_rows`."""
        if isinstance(measure.freedom, DefinedCoordinate):
            return self.defined(measure.joint)[measure.freedom.index]
        return measure_row(measure.freedom, *self.frames(measure.joint))

    def defined(self, name: str) -> list[Any]:
        """The rows of the coordinates of a defined joint, then those that hold it."""
        if name not in self._defined:
            values = self.outputs(self.model.ground_rows(name))
            rows = (values[k : k + ROW] for k in range(0, len(values), ROW))
            self._defined[name] = [
                (x[0], tuple(x[2:5]), tuple(x[5:8]), tuple(x[8:]), x[1]) for x in rows
            ]
        return self._defined[name]

    def outputs(self, element: FormElement) -> list[Array]:
        """Outputs of an element, each at every sample."""
        used = {x.name for x in free_symbols(element.outputs)}
        values: dict[str, Any] = {TIME.name: self.t}
        for n, body in enumerate(element.bodies):
            names = (f"{part} of {n}" for part in (*COORDINATES, *SPEEDS))
            values |= dict(zip(names, self.state(body).T, strict=True))
        for n, name in enumerate(element.measures):
            measure = self.model.place[name][1]
            for symbol, read in ((f"coordinate {n}", self._value), (f"speed {n}", self._speed)):
                values |= {symbol: read(measure)} if symbol in used else {}
        values |= {f"number {n}": x for n, x in enumerate(element.numbers)}
        values_of_outputs = evaluate(np.array(element.outputs, dtype=object), values)
        return [self._everywhere(x) for x in values_of_outputs]

    def _speed(self, measure: Measure) -> Array:
        first, second = self._bodies_of(measure.joint)
        return self._everywhere(speed(self.measure_row(measure), first.end, second.end))

    def rate_of_speed(self, measure: Measure) -> Array:
        """The rate of the speed of a measure (samples)."""
        joint = self.model.numbers.joints[measure.joint]
        row = self.measure_row(measure)
        i, j = ((STILL, *self.acceleration(name)) for name in (joint.first, joint.second))
        return self._everywhere(speed(row, i, j) + row[4])

    def acceleration(self, body: str) -> tuple[Columns, Columns]:
        """Acceleration of the centre of a body and of its angular velocity, in ground axes."""
        if body == GROUND:
            return STILL, STILL
        columns = self._accelerations[:, self.model.index[body] - 1].T
        return tuple(columns[:3]), self.body(body).out(columns[3:])

    def _attitude(self, joint: Joint) -> Array:
        """The quaternion of M in F (4, samples); w ≥ 0 at first if the joint closes a loop.

        It has no jumps because those of the bodies have none, and starts as it was given.
        """
        attitude = self._turned(joint)
        if all(joint.name != other.name for other in self.closing):
            return attitude
        first = attitude
        if self._start is not None:
            first = Poses(self.model, self.t[:1], self._start[np.newaxis])._turned(joint)
        return -attitude if first[0, 0] < 0 else attitude

    def _turned(self, joint: Joint) -> Array:
        """One of the two quaternions of M in F, the same all along."""
        numbers = self.model.numbers.joints[joint.name]
        first, second = self._bodies_of(joint.name)
        F, M = (
            quaternion.from_matrix(np.asarray(X.R.matrix, dtype=float))
            for X in (numbers.X_AF, numbers.X_BM)
        )
        inverse = quaternion.conjugate(quaternion.product(first.attitude, F))
        relative = quaternion.product(inverse, quaternion.product(second.attitude, M))
        return np.array([self._everywhere(x) for x in relative])

    # --- the tree ---------------------------------------------------------------------------

    @cached_property
    def q(self) -> Array:
        """The coordinates of the joints that carry bodies (samples, nq)."""
        return self._tree(self.coordinates)

    @cached_property
    def v(self) -> Array:
        """Their speeds (samples, nv)."""
        return self._tree(self.speeds)

    @cached_property
    def a(self) -> Array:
        """The rates of their speeds (samples, nv)."""
        return self._tree(self.accelerations)

    def _tree(self, read: Callable[[Joint], list[Array]]) -> Array:
        carrying = {joint.name for joint, _ in self._spanning.carrying}
        joints = self.model.mechanism.joints.values()
        columns = [x for joint in joints if joint.name in carrying for x in read(joint)]
        return np.array(columns).reshape(len(columns), len(self.t)).T

    @cached_property
    def _spanning(self) -> Spanning:
        return spanning(self.model.mechanism)

    @property
    def closing(self) -> list[Joint]:
        """The other joints that have coordinates."""
        return [joint for joint in self._spanning.closing if joint.coordinates]

    # --- points -----------------------------------------------------------------------------

    def point(self, name: str, derivative: int) -> Array:
        """A named point in the ground (samples, 3), its velocity or its acceleration."""
        given = self.model.mechanism.points[name]
        local = np.asarray(evaluate(given.position, self.model.values), dtype=float)
        centre = (
            np.zeros(3) if given.body == GROUND else self.model.numbers.bodies[given.body].centre
        )
        body = self.body(given.body)
        p, (r, v, w) = body.out(local - centre), body.end
        if derivative == 0:
            place = plus(r, p)
        elif derivative == 1:
            place = plus(v, cross(w, p))
        else:
            a, dw = self.acceleration(given.body)
            place = plus(a, plus(cross(dw, p), cross(w, cross(w, p))))
        return np.stack([self._everywhere(x) for x in place], axis=1)

    # --- what the kernel reports --------------------------------------------------------------

    @cached_property
    def reports(self) -> list[Report]:
        """At every sample."""
        return [self.model.report(y, t) for y, t in zip(self.states, self.t, strict=True)]

    @cached_property
    def _accelerations(self) -> Array:
        if self.touching is not None:
            return self.touching.accelerations
        return np.array([report.accelerations for report in self.reports])

    @cached_property
    def reported(self) -> Array:
        """λ (samples, sets of rows, 6), but for what the teeth of gears push apart."""
        return np.array([report.multipliers for report in self.reports])

    def multipliers_with(self, extra: Array) -> Array:
        """λ when other forces act too (samples, bodies, 6); see `AbsoluteModel.report`."""
        samples = zip(self.states, self.t, extra, strict=True)
        return np.array([self.model.report(y, t, more).multipliers for y, t, more in samples])
