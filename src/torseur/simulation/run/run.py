"""The result of a simulation: coordinates, points, reactions and energies by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.equations.applied import powers
from torseur.equations.reactions import wrench_names
from torseur.errors import ModelError, unknown
from torseur.machine.absolute.model import AbsoluteModel
from torseur.machine.compiled import CompiledModel
from torseur.machine.tree.tree_rate import only_falls
from torseur.model.constraints.protocol import JointRows
from torseur.model.description import GROUND, Joint
from torseur.simulation.formulations.mover import solved
from torseur.simulation.observe import Observer, observe
from torseur.simulation.run.closing_joints import Closing
from torseur.simulation.run.energy_error import energy_drift
from torseur.simulation.run.gear_separation import with_teeth
from torseur.simulation.run.state import State
from torseur.simulation.run.track import Track
from torseur.simulation.start.numeric_constraints import Held
from torseur.simulation.start.placing import poses

if TYPE_CHECKING:
    from torseur.simulation.run.poses import Poses

Array = np.ndarray
Read = Callable[[Array, Array], "tuple[Array, Poses | None]"]  # of times and states of a track


@final
@dataclass(frozen=True)
class Origin:
    """The motion that a run is made of samples of."""

    model: CompiledModel
    track: Track
    read: Read  # coordinates, speeds and work, from states as the integrator knows them
    given: Mapping[str, float] = field(default_factory=dict)  # coordinates it started from

    @cached_property
    def whole(self) -> Run:
        """All that was kept of it."""
        return self.sampled(self.track.t, self.track.states)

    def sampled(
        self,
        t: Array,
        states: Array,
        notices: tuple[str, ...] = (),
        events: tuple[Happened, ...] = (),
    ) -> Run:
        """A run with these samples."""
        read, poses = self.read(t, states)
        return Run(self.model, t, read, notices, events, poses, self)


@final
@dataclass(frozen=True)
class Happened:
    """An event that was found: its name, its instant and the state then."""

    name: str
    t: float  # [s]
    state: Array  # coordinates, speeds and work


@final
class Run:
    """Samples of a motion.

    `run["alpha"]` is a coordinate, `run["alpha."]` its speed, `run["alpha.."]` its acceleration;
    `run(t)` is the state at any time of the motion.
    """

    def __init__(
        self,
        model: CompiledModel,
        t: Array,
        states: Array,
        notices: tuple[str, ...] = (),
        events: tuple[Happened, ...] = (),
        poses: Poses | None = None,
        origin: Origin | None = None,
    ) -> None:
        nq, nv = len(model.coordinates), len(model.speeds)
        self.model = model
        self.t = t  # (samples) [s]
        self.q = states[:, :nq]  # the coordinates of the tree
        self.v = states[:, nq : nq + nv]  # its speeds
        self.work = states[:, nq + nv]  # of the forces without potential [J]
        self.notices = notices
        self.events = events  # in order of time
        self._poses = poses  # of a motion in absolute coordinates, which knows its own forces
        self._origin = origin  # None: these samples are all there is

    # --- the motion between samples -----------------------------------------------------------

    @property
    def span(self) -> tuple[float, float]:
        """When the motion starts and ends [s], samples or not."""
        t = self.t if self._origin is None else self._origin.track.t
        return float(t[0]), float(t[-1])

    @property
    def end(self) -> State:
        """The state at the end of the motion, sampled or not."""
        return State(self if self._origin is None else self._origin.whole, -1)

    def at(self, times: Any) -> Run:
        """The same motion sampled at other times within it, in any order."""
        if self._origin is None:
            raise ModelError(
                "run",
                "it was not made by simulate: nothing is known between its samples.",
                f"Its samples are at run.t, {len(self.t)} from {self.t[0]:g} to {self.t[-1]:g} s.",
            )
        track = self._origin.track
        wanted = track.within(np.atleast_1d(np.asarray(times, dtype=float)))
        return self._origin.sampled(wanted, track.at(wanted), self.notices, self.events)

    def __call__(self, t: Any) -> State:
        """The state at a time of the motion, or at several, by name and as q and v.

        Dense output: the motion is integrated from the sample before, to the same tolerance.
        """
        return State(self.at(t), 0 if np.ndim(t) == 0 else slice(None))

    # --- coordinates, speeds, accelerations ---------------------------------------------------

    @cached_property
    def _solved(self) -> tuple[Array, Array]:
        if self._poses is not None:
            return self._poses.a, self._poses.lambdas
        if only_falls(self.model.mechanism):
            a = self.model.forward_dynamics(self.q, self.v, np.zeros_like(self.v))
            return a, np.zeros((len(self.t), 0))
        held = Held(self.model)
        a, lambdas = solved(held, self.q, self.v, self.t)
        return a, with_teeth(held, self.q, self.t, lambdas)

    @property
    def a(self) -> Array:
        """The accelerations of the tree (samples, nv)."""
        return self._solved[0]

    @property
    def lambdas(self) -> Array:
        """The multipliers of the closing joints (samples, rows)."""
        return self._solved[1]

    def __getitem__(self, name: str) -> Array:
        """A coordinate, a speed or an acceleration by name, those of closing joints too.

        The acceleration is named after its speed, with one more dot: it is the rate of the speed.
        """
        if name in self.model.coordinates:
            return self.q[:, self.model.coordinates.index(name)]
        if name in self.model.speeds:
            return self.v[:, self.model.speeds.index(name)]
        if name in self._accelerations:
            return self.a[:, self._accelerations.index(name)]
        for joint in self._closing_joints:
            listed = (joint.coordinates, joint.speeds, tuple(f"{x}." for x in joint.speeds))
            for order, names in enumerate(listed):
                if name in names:
                    return self._closing(joint, order)[:, names.index(name)]
        raise unknown("run", "coordinate", name, (*self.names, *self._accelerations))

    @property
    def _accelerations(self) -> tuple[str, ...]:
        """The names of the entries of a."""
        return tuple(f"{name}." for name in self.model.speeds)

    @cached_property
    def _closing_joints(self) -> list[Joint]:
        """The joints that close loops."""
        if self._poses is not None:
            return self._poses.closing
        joints = self.model.mechanism.joints
        found = [joints[cut.name] for cut in self.model.system.cuts if cut.name in joints]
        return [joint for joint in found if joint.coordinates]

    def _closing(self, joint: Joint, order: int) -> Array:
        """The coordinates (order 0), speeds or accelerations of a closing joint (samples, n)."""
        if self._poses is not None:
            reads = (self._poses.coordinates, self._poses.speeds, self._poses.accelerations)
            return np.stack(reads[order](joint), axis=1)
        if order == 2:
            return self.closing.accelerations(joint.name, self.a)
        return self.closing.joints[joint.name][order]

    @cached_property
    def closing(self) -> Closing:
        """What joints that close loops do, in a motion in the coordinates of joints."""
        origin = self._origin
        if origin is None or origin.whole is self:
            return Closing(self.model, self.t, self.q, self.v, given=origin and origin.given)
        whole = origin.whole.closing
        same = self.t is origin.track.t
        return whole if same else Closing(self.model, self.t, self.q, self.v, whole=whole)

    @cached_property
    def seen(self) -> Observer:
        """Points and frames of the motion, relative to any frame."""
        return observe(self)

    def point(self, name: str, derivative: int = 0, frame: str = GROUND) -> Array:
        """A named point (samples, 3), its velocity or its acceleration, relative to a frame."""
        if self._poses is not None and frame == GROUND and name in self.model.mechanism.points:
            return self._poses.point(name, derivative)
        return self.seen.point(name, derivative, frame=frame)

    # --- forces and energies --------------------------------------------------------------------

    def _batch(self, name: str, *arrays: Array) -> Array:
        """One of the model's functions at every sample, with the time where it needs it."""
        function = self.model.function(name)
        timed = self.model.takes_time(name)
        return np.asarray(function(*arrays, *([self.t[:, None]] if timed else [])))

    @cached_property
    def _wrenches(self) -> Mapping[str, Array]:
        """Force, couple and frame M of every joint at every sample, by the joint's name."""
        if self._poses is not None:
            return self._poses.wrenches
        if only_falls(self.model.mechanism):  # straight-line code would be too long
            model = AbsoluteModel(self.model.mechanism, self.model.parameters)
            return poses(model, self.t, self.q, self.v).wrenches
        multipliers = [self.lambdas] if self.lambdas.shape[1] else []
        found = self._batch("joint_wrenches", self.q, self.v, self.a, *multipliers)
        names = wrench_names(self.model.system)
        return {name: found[:, k] for k, name in enumerate(names)}

    def reaction(self, joint: str, at: Array | None = None, frame: str = "ground") -> Array:
        """Force then couple of the first body on the second (samples, 6), all that passes through.

        The reaction of the joint itself and, along its freedoms, whatever acts in it: drives of its
        coordinates, motors less what their rotors take, its springs, dampers and loads, its share
        of relations. So it is for every joint, closing loops or not: the reactions of the joints of
        a body, its weight, and the loads that act on it elsewhere are its dynamic torseur. Springs
        and dampers between points of two bodies and teeth of gears do not pass through joints.
        At the origin of the joint's frame M unless `at` gives a point of the ground; in ground
        axes, or in those of M with frame="joint". Contacts and imposed motions of bodies have
        reactions too, under their names; the ground is the first body of such a motion.
        """
        if joint not in self._wrenches:
            raise unknown("run", "joint", joint, self._wrenches)
        if frame not in ("ground", "joint"):
            raise unknown("run", "frame of a reaction", frame, ("ground", "joint"))
        found = self._wrenches[joint]
        force, couple, origin = found[:, :3], found[:, 3:6], found[:, 6:9]
        if at is not None:
            couple = couple - np.cross(np.asarray(at, dtype=float) - origin, force)
        if frame == "joint":
            R = found[:, 9:].reshape(-1, 3, 3)
            force, couple = (np.einsum("kij,ki->kj", R, x) for x in (force, couple))
        return np.concatenate([force, couple], axis=1)

    def drive(self, motion: str) -> Array:
        """What an imposed motion needs.

        That of a coordinate: a force or a couple along it (samples) [N or N m]. That of a body:
        force then couple on it, in ground axes at the point that is moved (samples, 6) [N, N m];
        the couple is zero where only a point is moved. It is the `reaction` of the same name.
        """
        motions = self.model.mechanism.motions
        if motion not in motions or motion not in self._owners:
            raise unknown("run", "motion", motion, motions)
        if isinstance(motions[motion].rows, JointRows):
            return self.reaction(motion)
        return self.multiplier(motion)[:, 0]

    @property
    def multiplier_meanings(self) -> tuple[str, ...]:
        """The owner of each multiplier, and in absolute coordinates what it is, in words."""
        return self._owners if self._poses is None else self._poses.meanings

    @property
    def _owners(self) -> tuple[str, ...]:
        """What each multiplier belongs to."""
        return Held(self.model).owners if self._poses is None else self._poses.owners

    def multiplier(self, name: str) -> Array:
        """The multipliers of a closing joint, a contact, a motion or a relation (samples, rows)."""
        owners = self._owners
        if name not in owners:
            raise unknown("run", "constraint", name, dict.fromkeys(owners))
        return self.lambdas[:, [k for k, owner in enumerate(owners) if owner == name]]

    @cached_property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        if self._poses is not None:
            return self._poses.energy
        return {
            "kinetic": self._batch("kinetic_energy", self.q, self.v),
            "potential": self._batch("potential_energy", self.q),
            "work": self.work,
        }

    @cached_property
    def power(self) -> dict[str, Array]:
        """The power of each motor and each force, by name (samples) [W]."""
        names = tuple(powers(self.model.system))
        found = self._batch("powers", self.q, self.v).reshape(len(self.t), len(names))
        return {name: found[:, k] for k, name in enumerate(names)}

    @property
    def energy_drift(self) -> float:
        """The largest error of T + V − work, beside the energies that were exchanged."""
        return energy_drift(self.energy, float(self.model.sizes.scales.of(["J"])[0]))

    @property
    def closure_error(self) -> float:
        """The largest gap of any loop at any sample [m or rad]."""
        if self._poses is not None:
            return self._poses.closure_error
        if not self.model.system.constrained:
            return 0.0
        return float(np.abs(self._batch("closure_gap", self.q)).max(initial=0.0))

    @property
    def openings(self) -> Array:
        """The largest gap at each sample, in parts of the size of the mechanism or in radians."""
        if self._poses is not None:
            return self._poses.openings
        held = Held(self.model)
        if not held:
            return np.zeros(len(self.t))
        return np.abs(held.opening(self.q, self.t)).max(axis=1, initial=0.0)

    def worst_gap(self, sample: int) -> tuple[str, float]:
        """What is furthest from closed at a sample, and by how much [m or rad]."""
        if self._poses is not None:
            return self._poses.worst_gap(sample)
        held = Held(self.model)
        return held.worst(held.gap(self.q[sample], self.t[sample]))

    def save(self, path: str | Path, of: Sequence[str] = ()) -> None:
        """The run as a netCDF file that other programs open (xarray, MATLAB, Panoply).

        `of` adds accelerations ("alpha.."), drives ("motor") and reactions ("A.force").
        """
        from torseur.simulation.run.files import save

        save(self, path, of)

    @property
    def names(self) -> dict[str, str]:
        """Every coordinate and speed with its unit, those of closing joints after the others."""
        joints = self.model.mechanism.joints.values()
        units = {n: u for j in joints for n, u in zip(j.coordinates, _units(j), strict=True)}
        units |= {n: u for j in joints for n, u in zip(j.speeds, j.kind.speed_units, strict=True)}
        closing = [name for j in self._closing_joints for name in (*j.coordinates, *j.speeds)]
        listed = (*self.model.coordinates, *self.model.speeds, *closing)
        return {name: units[name] for name in listed}

    @property
    def table(self) -> Array:
        """The samples of everything in `names`, a column each."""
        return np.column_stack([self[name] for name in self.names])

    def to_xarray(self, of: Sequence[str] = ()) -> Any:
        """The run as an xarray.Dataset, with names, units and remarks; `of` as for `save`."""
        from torseur.simulation.run.xarray_form import to_xarray

        return to_xarray(self, of)

    def to_csv(self, path: str | Path, of: Sequence[str] = ()) -> None:
        """Time, coordinates and speeds, one row a sample, with a line of names and units.

        `of` adds accelerations ("alpha.."), drives ("motor") and reactions ("A.force").
        """
        from torseur.simulation.run.files import to_csv

        to_csv(self, path, of)


def _units(joint: Joint) -> tuple[str, ...]:
    return joint.kind.coordinate_units
