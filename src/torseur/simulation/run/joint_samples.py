"""The samples of a motion in the coordinates of joints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from torseur.equations.actions.reactions import wrench_names
from torseur.equations.constraints.unknowns import closing_meanings, row_meanings
from torseur.equations.expressions.sampling import over_samples
from torseur.equations.symbols.system import signal_names
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.tree.evaluator import suits
from torseur.model.constraints.selection import meshes
from torseur.model.description import Joint
from torseur.model.freed import follower
from torseur.model.joints.protocol import JointType
from torseur.model.values.numeric import numeric_mechanism
from torseur.once import once
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.sharing_loads import shared
from torseur.simulation.observe.observer import observe
from torseur.simulation.run.joint_wrenches import Wrenches
from torseur.simulation.run.placed_bodies import (
    angles,
    beside,
    followed,
    motion_values,
    poses,
    speeds_read,
    turns,
    with_coordinates,
)
from torseur.simulation.run.touching import PileContacts
from torseur.topology.structure import Cut

Array = np.ndarray
_RANK = 1e-10


class JointSamples:
    """Samples of coordinates, speeds, work and inputs (samples, nq + nv + 1 + inputs)."""

    contacts_named: tuple[str, ...] = ()
    touching: PileContacts | None = None  # None: nothing touches as bodies of a pile do

    def __init__(
        self,
        model: CompiledModel,
        t: Array,
        states: Array,
        given: Mapping[str, float] | None = None,
        whole: JointSamples | None = None,
    ) -> None:
        nq, nv = len(model.coordinates), len(model.speeds)
        given_while = len(signal_names(model.mechanism))
        commanded = states[:, nq + nv + 1 : nq + nv + 1 + given_while]
        self.inputs = commanded  # what is given while it moves
        self.kept_states: Array | None = commanded if commanded.shape[1] else None
        self.model = model.with_signals(t, commanded) if commanded.shape[1] else model
        self.t, self.states = t, states
        self.q = states[:, :nq]
        self.v = states[:, nq : nq + nv]
        self.work = states[:, nq + nv]
        self._given = given  # coordinates that the motion started from
        self._whole = whole  # the same motion at all that was kept of it; None: this is it

    def __reduce__(self) -> tuple[Any, ...]:
        return JointSamples, (self.model, self.t, self.states, self._given, self._whole)

    @property
    def smooth_model(self) -> CompiledModel:
        """The model without what opens, sticks or slides."""
        return self.model

    @cached_property
    def _constraints(self) -> NumericConstraints:
        return once(NumericConstraints)(self.model)

    @cached_property
    def _solved(self) -> tuple[Array, Array]:
        a, lambdas = self._constraints.accelerations(self.q, self.v, self.t)
        lambdas = shared(self._constraints, self.q, self.v, a, lambdas, self.t)
        return a, with_teeth(self._constraints, self.q, self.t, lambdas)

    @property
    def a(self) -> Array:
        """The accelerations of the tree (samples, nv)."""
        return self._solved[0]

    @property
    def lambdas(self) -> Array:
        """The multipliers (samples, rows)."""
        return self._solved[1]

    @cached_property
    def closing_joints(self) -> list[Joint]:
        """The joints that close loops and have coordinates."""
        return with_coordinates(self.model.system)

    @cached_property
    def _cuts(self) -> dict[str, tuple[int, Cut, Any]]:
        """The closing joints with coordinates: place, names, and joint with numbers."""
        joints = numeric_mechanism(self.model.mechanism, self.model.parameters).joints
        cuts = [cut for cut in self.model.system.cuts if cut.coordinates]
        return {cut.name: (k, cut, joints[cut.name].kind) for k, cut in enumerate(cuts)}

    def _of_closing(self, name: str, *arrays: Array) -> Array:
        """One of the model's functions of closing joints (samples, joints, …)."""
        return self._batch(name, *arrays).reshape(len(self.t), len(self._cuts), -1)

    @cached_property
    def _motions(self) -> Array:
        """The pose of M in F, R and p, and its motion t of each closing joint (…, 18)."""
        return self._of_closing("closing_motions", self.q, self.v)

    def closing(self, joint: Joint, order: int) -> Array:
        """The coordinates (order 0), speeds or accelerations of a closing joint (samples, n)."""
        if order < 2:
            return self._closing[joint.name][order]
        k, _, kind = self._cuts[joint.name]
        rates = self._of_closing("closing_accelerations", self.q, self.v, self.a)[:, k]
        values = motion_values(self._closing[joint.name][0], self._motions[:, k])
        values |= {f"t.[{n}]": x for n, x in enumerate(rates.T)}
        return over_samples(speeds_read(kind)[1], values, len(self.t))

    def first_of(self, joint: Joint) -> Array:
        """The coordinates of a closing joint at the start of the motion (n)."""
        whole = self if self._whole is None else self._whole
        return np.asarray(whole._closing[joint.name][0][0])

    @cached_property
    def _closing(self) -> dict[str, tuple[Array, Array]]:
        """Coordinates and speeds of each closing joint (samples, n), by name."""
        by_joint: dict[str, tuple[Array, Array]] = {}
        for name, (k, cut, joint) in self._cuts.items():
            motions = self._motions[:, k]
            R, p = motions[:, :9].T.reshape(3, 3, -1), motions[:, 9:12].T
            q = np.stack(np.broadcast_arrays(*joint.read(R, p), self.t)[:-1], axis=1).astype(float)
            v = over_samples(speeds_read(joint)[0], motion_values(q, motions), len(self.t))
            by_joint[name] = self._continued(cut, joint, q, v), v
        return by_joint

    def _continued(self, cut: Cut, joint: JointType, q: Array, v: Array) -> Array:
        """Coordinates without jumps: from the samples of the whole motion, or from its start.

        Where the state follows angles, it knows their turns itself.
        """
        whole = self._whole
        if whole is not None:
            place = np.searchsorted(whole.t, self.t, side="right") - 1
            known, speeds = (x[place] for x in whole._closing[cut.name])
            ahead = (speeds + v) / 2 * (self.t - whole.t[place])[:, np.newaxis]
            return beside(joint, q, known, ahead)
        continued = followed(joint, self.t, q, v)
        for k in angles(joint):
            given = (self._given or {}).get(cut.coordinates[k])
            follows = follower(cut.coordinates[k])
            if follows in self.model.coordinates:
                known = self.q[:, self.model.coordinates.index(follows)]
                continued[:, k] = q[:, k] + turns(known, q[:, k])
            elif given is not None:
                continued[:, k] += turns(given, continued[0, k])
        return continued

    seen = cached_property(observe)  # points and frames of the motion, relative to any frame

    def point(self, name: str, derivative: int, frame: str) -> Array:
        """A named point (samples, 3), its velocity or its acceleration, relative to a frame."""
        return self.seen.point(name, derivative, frame=frame)

    def _batch(self, name: str, *arrays: Array) -> Array:
        """One of the model's functions at every sample."""
        return np.asarray(self.model.timed(name)(*arrays, self.t))

    @cached_property
    def wrenches(self) -> Mapping[str, Array]:
        """Force, couple and frame M of every joint at every sample, by the joint's name.

        Those of a large tree follow from the poses of its bodies: straight-line code would be too
        long.
        """
        if suits(self.model.mechanism, "forward_dynamics") and not self.inputs.shape[1]:
            model = AbsoluteModel(self.model.mechanism, self.model.parameters)
            return Wrenches(poses(model, self.t, self.q, self.v))
        multipliers = [self.lambdas] if self.lambdas.shape[1] else []
        arrays = self._batch("joint_wrenches", self.q, self.v, self.a, *multipliers)
        return {name: arrays[:, k] for k, name in enumerate(wrench_names(self.model.system))}

    @property
    def owners(self) -> tuple[str, ...]:
        """Owner of each multiplier."""
        return self._constraints.owners

    @property
    def multiplier_meanings(self) -> tuple[str, ...]:
        """The force or couple that each multiplier is, in words, with its owner."""
        carried = closing_meanings(self.model.constraints.closures)
        return row_meanings(self.model.mechanism, self.owners, carried)

    @cached_property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        return {
            "kinetic": self._batch("kinetic_energy", self.q, self.v),
            "potential": self._batch("potential_energy", self.q),
            "work": self.work,
        }

    @property
    def gaps(self) -> Array:
        """The largest gap of any loop at each sample [m or rad]."""
        return _largest(self._constraints.gap(self.q, self.t), len(self.t))

    @property
    def openings(self) -> Array:
        """Gaps relative to the size of the mechanism, or in radians."""
        return _largest(self._constraints.opening(self.q, self.t), len(self.t))

    def worst_gap(self, sample: int) -> tuple[str, float]:
        """Largest gap at a sample: its owner and size [m or rad]."""
        gap = self._constraints.gap(self.q[sample], self.t[sample])
        return self._constraints.worst(gap)


def _largest(gaps: Array, samples: int) -> Array:
    """Largest value of each sample; zero where there is none."""
    return np.asarray(np.abs(gaps.reshape(samples, -1)).max(axis=1, initial=0.0))


def with_teeth(constraints: NumericConstraints, q: Array, t: Array, multipliers: Array) -> Array:
    """The multipliers (samples, rows) when teeth push apart by |multiplier of the gear| × apart.

    That force works in no motion, so that accelerations and gears do not feel it; it is found from
    Jᵀ Δλ = −Q on the rows of all else.
    """
    gears = {gear.name: gear.pushes_apart for gear in meshes(constraints.model.mechanism)}
    pushing = any(gears.values())
    rows = (
        [k for k, owner in enumerate(constraints.owners) if owner not in gears] if pushing else []
    )
    if not rows:
        return multipliers
    result, pushed = multipliers.copy(), constraints.model.timed("pushed_apart")
    for row, place, now in zip(result, q, t, strict=True):
        J = constraints.J(place, now)[rows]
        row[rows] -= scipy.linalg.lstsq(J.T, pushed(place, row, now), cond=_RANK)[0]
    return result
