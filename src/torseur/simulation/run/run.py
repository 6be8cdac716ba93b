"""The result of a simulation: coordinates, points, reactions and energies by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import numbered, shortened
from torseur.equations.actions.applied import powers
from torseur.equations.symbols.system import signal_names
from torseur.errors import ModelError, require_known, unknown
from torseur.machine.compiled import CompiledModel
from torseur.model.commands import command_places
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import between_frames, restraints
from torseur.model.description import GROUND
from torseur.model.values.scales import chosen_units, state_units
from torseur.simulation.control.measurement import Measurement
from torseur.simulation.observe.observer import Observer
from torseur.simulation.run.contact_samples import ContactHistory, ContactSamples
from torseur.simulation.run.freed_samples import FreedSamples
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.measurements import measure
from torseur.simulation.run.quantities import no_coordinate
from torseur.simulation.run.samples import Course, Happened, Samples, energy_drift
from torseur.simulation.run.saving import save, to_csv, to_xarray
from torseur.simulation.run.spreadsheet import to_excel
from torseur.simulation.run.touching import PileContacts
from torseur.words.sentence import say

Array = np.ndarray


@final
class Run:
    """Samples of a motion.

    `run["alpha"]` is a coordinate, `run["alpha."]` its speed, `run["alpha.."]` its acceleration;
    `run(t)` is the state at any time of the motion.
    """

    _repr_html_ = notebook.html

    def __init__(
        self,
        samples: Samples,
        notices: tuple[str, ...] = (),
        events: tuple[Happened, ...] = (),
        course: Course[Samples] | None = None,
    ) -> None:
        self.samples = samples
        self.model = samples.model
        self.t = samples.t  # (samples) [s]
        self.q = samples.q  # the coordinates of the tree
        self.v = samples.v  # its speeds
        self.work = samples.work  # of the forces without potential [J]
        self.inputs = samples.inputs  # the forces given while it moved, as by control
        self.notices = notices
        self.events = events  # in order of time
        self._course = course  # None: these samples are all there is

    @classmethod
    def of_states(cls, model: CompiledModel, t: Array, states: Array) -> Run:
        """The run of coordinates, speeds and work, a row a time."""
        return cls(JointSamples(model, t, states))

    def __repr__(self) -> str:
        lasts = f"{numbered(len(self.t), 'sample')} from {self.t[0]:g} to {self.t[-1]:g} s"
        return f'<Run of "{self.model.mechanism.name}": {lasts}>'

    def __reduce__(self) -> tuple[Any, ...]:
        return Run, (self.samples, self.notices, self.events)

    # --- the motion between samples -----------------------------------------------------------

    @property
    def span(self) -> tuple[float, float]:
        """When the motion starts and ends [s], samples or not."""
        t = self.t if self._course is None else self._course.t
        return float(t[0]), float(t[-1])

    @property
    def end(self) -> State:
        """The state at the end of the motion, sampled or not."""
        course = self._course
        return State(self if course is None else Run(course.whole, course=course), -1)

    def at(self, times: Any) -> Run:
        """Run sampled at other times within it, in any order."""
        if self._course is None:
            raise ModelError(
                "run",
                "it was not made by simulate: nothing is known between its samples.",
                say(
                    "Its samples are at run.t, {number} from {t:g} to {t2:g} s.",
                    len(self.t),
                    self.t[0],
                    self.t[-1],
                ),
            )
        return Run(self._course.at(times), self.notices, self.events, self._course)

    def __call__(self, t: Any) -> State:
        """The state at a time of the motion, or at several, by name and as q and v.

        Dense output: the motion is integrated from the sample before, to the same tolerance.
        """
        return State(self.at(t), 0 if np.ndim(t) == 0 else slice(None))

    # --- coordinates, speeds, accelerations ---------------------------------------------------

    @property
    def a(self) -> Array:
        """The accelerations of the tree (samples, nv)."""
        return self.samples.a

    @property
    def lambdas(self) -> Array:
        """The multipliers of the closing joints (samples, rows)."""
        return self.samples.lambdas

    def __getitem__(self, name: str) -> Array:
        """A coordinate, a speed or an acceleration by name, those of closing joints too.

        Coordinates that the description chooses are combined of them; first-order states too.
        The acceleration is named after its speed, with one more dot: it is the rate of the speed.
        """
        if name in self.model.coordinates:
            return self.q[:, self.model.coordinates.index(name)]
        if name in self.model.speeds:
            return self.v[:, self.model.speeds.index(name)]
        if name in self.model.mechanism.states:
            return self.inputs[:, signal_names(self.model.mechanism).index(name)]
        if name in self._accelerations:
            return self.a[:, self._accelerations.index(name)]
        for coordinate in self.model.mechanism.chosen.values():
            if name in coordinate.names:
                dots = name[len(coordinate.name) :]
                parts = (c * self[f"{x}{dots}"] for x, c in coordinate.slopes.items())
                return np.asarray(sum(parts) + (0.0 if dots else coordinate.zero))
        for joint in self.samples.closing_joints:
            listed = (joint.coordinates, joint.speeds, tuple(f"{x}." for x in joint.speeds))
            for order, names in enumerate(listed):
                if name in names:
                    return self.samples.closing(joint, order)[:, names.index(name)]
        raise no_coordinate(self, name, (*self.names, *self._accelerations))

    @property
    def _accelerations(self) -> tuple[str, ...]:
        """The names of the entries of a."""
        return tuple(f"{name}." for name in self.model.speeds)

    @property
    def seen(self) -> Observer:
        """Points and frames of the motion, relative to any frame."""
        return self.samples.seen

    def point(self, name: str, derivative: int = 0, frame: str = GROUND) -> Array:
        """A point, or the origin of a body or frame (samples, 3), or a derivative, in a frame."""
        return self.samples.point(name, derivative, frame)

    # --- forces and energies --------------------------------------------------------------------

    def reaction(self, joint: str, at: Array | str | None = None, frame: str = GROUND) -> Array:
        """Force then couple of the first body on the second (samples, 6), all that passes through.

        The reaction of the joint itself and, along its freedoms, whatever acts in it: drives of its
        coordinates, motors less what their rotors take, its springs, dampers and loads, its share
        of relations. So it is for every joint, closing loops or not: the reactions of the joints of
        a body, its weight, and the loads that act on it elsewhere are its dynamic torseur. Springs
        and dampers between points of two bodies and teeth of gears do not pass through joints.
        At the origin of the joint's frame M unless `at` gives a point of the ground, one for each
        sample, or the name of a point; in ground axes, in those of M with frame="joint", or in
        those of a body or a frame by its name. Contacts and imposed motions of bodies have
        reactions too, under their names; the ground is the first body of such a motion.
        """
        require_known("run", "joint", joint, self.samples.wrenches)
        frames = (GROUND, "joint", *self.model.mechanism.bodies, *self.model.mechanism.frames)
        require_known("run", "frame of a reaction", frame, frames)
        wrench = self.samples.wrenches[joint]
        force, couple, origin = wrench[:, :3], wrench[:, 3:6], wrench[:, 6:9]
        if at is not None:
            couple = couple - np.cross(self._places(at) - origin, force)
        if frame != GROUND:
            axes = wrench[:, 9:].reshape(-1, 3, 3)
            R = axes if frame == "joint" else self.seen.frame(frame, derivatives=0).R[0]
            force, couple = (np.einsum("kij,ki->kj", R, x) for x in (force, couple))
        return np.concatenate([force, couple], axis=1)

    def _places(self, at: Array | str) -> Array:
        """A point by its name, or by its coordinates in the ground: (3,) or (samples, 3)."""
        if isinstance(at, str):
            return self.point(at)
        try:
            places = np.asarray(at, dtype=float)
        except (TypeError, ValueError):
            places = np.empty(0)
        if places.shape not in ((3,), (len(self.t), 3)) or not np.isfinite(places).all():
            problem = say("at={given} is not a point.", shortened(repr(at)))
            raise ModelError(
                "run", problem, "Give three numbers in metres, or the name of a point."
            )
        return places

    def contact(self, name: str) -> ContactHistory:
        """A contact, a stop or a friction by name: .gap, .state, .force, .slip, .adherence, .work.

        The force is that of the first body on the second: normal, then along the directions of
        friction. Stops are called after their coordinate ("theta: upper stop"), friction in joints
        after the joint ("O: friction").
        """
        if not isinstance(self.samples, ContactSamples | FreedSamples):
            raise unknown("run", "contact", name, ())
        return self.samples.contact(name)

    def adherence(self, name: str) -> Array:
        """|T| / N of a contact (samples), also of one that is held to roll by assumption.

        It would slip where this is more than the coefficient of friction, and lift where the normal
        force pulls: there it is infinite. A contact that is open has none: not a number.
        """
        if name in self.samples.contacts_named:
            return self.contact(name).adherence
        rows = getattr(self.model.mechanism.constraints.get(name), "rows", None)
        if not isinstance(rows, JointRows) or not rows.rolls:
            rolling = (x.name for x in between_frames(restraints(self.model.mechanism)) if x.rolls)
            raise unknown("run", "contact", name, (*self.samples.contacts_named, *rolling))
        N, force = self.multiplier(name)[:, 0], self.reaction(name)[:, :3]
        T = np.sqrt(np.maximum((force**2).sum(axis=1) - N**2, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(N > 0, T / N, np.inf)

    def sensor(self, name: str, seed: int = 0) -> Measurement:
        """Values of a sensor of the description: .values (samples, k), .names, .units, .t.

        Its noise is that of the seed.
        """
        return measure(self, name, seed)

    def input(self, actuator: str) -> Array:
        """Command of a law, as it acted (samples), by the name of an actuator or a parameter.

        By that of a coordinate or a speed, a force along it [N or N m].
        """
        places = command_places(self.model.mechanism)
        require_known("run", "input", actuator.removesuffix("."), places)
        return self.inputs[:, places[actuator.removesuffix(".")]]

    def drive(self, motion: str) -> Array:
        """Force or couple that an imposed motion needs.

        That of a coordinate: a force or a couple along it (samples) [N or N m]. That of a body:
        force then couple on it, in ground axes at the point that is moved (samples, 6) [N, N m];
        the couple is zero where only a point is moved. It is the `reaction` of the same name.
        """
        motions = self.model.mechanism.motions
        if motion not in motions or motion not in self.samples.owners:
            raise unknown("run", "motion", motion, motions)
        if isinstance(motions[motion].rows, JointRows):
            return self.reaction(motion)
        return self.multiplier(motion)[:, 0]

    @property
    def multiplier_meanings(self) -> tuple[str, ...]:
        """Meaning of each multiplier: its owner, the force or couple, of which body on which."""
        return self.samples.multiplier_meanings

    def multiplier(self, name: str) -> Array:
        """The multipliers of a closing joint, a contact, a motion or a relation (samples, rows)."""
        owners = self.samples.owners
        if name not in owners:
            raise unknown("run", "constraint", name, dict.fromkeys(owners))
        return self.lambdas[:, [k for k, owner in enumerate(owners) if owner == name]]

    @property
    def touching(self) -> PileContacts:
        """Contacts of a pile at every sample, with penetrations and residuals."""
        contacts = self.samples.touching
        if contacts is None:
            name = self.model.mechanism.name
            raise ModelError(
                "run",
                say('nothing touches in "{name}".', name),
                'Contacts among bodies are moved by method="moreau".',
            )
        return contacts

    @property
    def energy(self) -> dict[str, Array]:
        """Kinetic and potential energy, and the work of the forces without potential [J]."""
        return self.samples.energy

    @cached_property
    def power(self) -> dict[str, Array]:
        """The power of each motor, each force and each friction, by name (samples) [W]."""
        model = self.samples.smooth_model
        names = tuple(powers(model.system))
        watts = np.asarray(model.timed("powers")(self.q, self.v, self.t))
        columns = watts.reshape(len(self.t), len(names)).T
        rubbing = {name: self.contact(name) for name in self.samples.contacts_named}
        friction = {name: (x.tangential * x.slip).sum(axis=1) for name, x in rubbing.items()}
        return dict(zip(names, columns, strict=True)) | friction

    @property
    def energy_drift(self) -> float:
        """The largest error of T + V − work, beside the energies that were exchanged."""
        return float(energy_drift(self.energy, self.model.sizes.energy))

    @property
    def closure_error(self) -> float:
        """The largest gap of any loop at any sample [m or rad; of a relation, its own unit]."""
        return float(self.samples.gaps.max(initial=0.0))

    def save(self, path: str | Path, of: Sequence[str] = ()) -> None:
        """The run as a netCDF file that other programs open (xarray, MATLAB, Panoply).

        `of` adds accelerations ("alpha.."), drives ("motor"), sensors ("imu", with the noise of
        seed 0) and reactions ("A.force", or all of them: "reactions").
        """
        save(self, path, of)

    @property
    def names(self) -> dict[str, str]:
        """Every coordinate and speed with its unit, those of closing joints after the others."""
        model, units = self.model, state_units(self.model.mechanism)
        closing = [x for j in self.samples.closing_joints for x in (*j.coordinates, *j.speeds)]
        listed = (*model.coordinates, *model.speeds, *closing, *model.mechanism.states)
        return {name: units[name] for name in listed} | chosen_units(model.mechanism)

    @property
    def table(self) -> Array:
        """The samples of everything in `names`, a column each."""
        return np.column_stack([self[name] for name in self.names])

    def to_xarray(self, of: Sequence[str] = ()) -> Any:
        """The run as an xarray.Dataset, with names, units and remarks; `of` as for `save`."""
        return to_xarray(self, of)

    def to_csv(self, path: str | Path, of: Sequence[str] = ()) -> None:
        """Time, coordinates and speeds, one row a sample, with a line of names and units.

        `of` adds accelerations ("alpha.."), drives ("motor"), sensors ("imu", with the noise of
        seed 0) and reactions ("A.force", or all of them: "reactions").
        """
        to_csv(self, path, of)

    def to_excel(self, path: str | Path, of: Sequence[str] = ()) -> None:
        """The columns of `to_csv` as .xlsx, with extremes and parameters (extra `excel`)."""
        to_excel(self, path, of)


@final
class State(Mapping[str, Any]):
    """Samples of a run; each entry is a number if there is one sample, else an array.

    A mapping of the names of coordinates and speeds, those of closing joints too, so that a run can
    start from it; accelerations are read by name as well. `samples` is the run it belongs to.
    """

    def __init__(self, samples: Run, place: int | slice) -> None:
        self.samples = samples
        self._place = place
        self.t = samples.t[place]  # [s]

    @property
    def q(self) -> Array:
        """The coordinates of the tree, (nq) or (times, nq)."""
        return self.samples.q[self._place]

    @property
    def v(self) -> Array:
        """The speeds of the tree, (nv) or (times, nv)."""
        return self.samples.v[self._place]

    @property
    def a(self) -> Array:
        """The accelerations of the tree, (nv) or (times, nv)."""
        return self.samples.a[self._place]

    def __getitem__(self, name: str) -> Any:
        return self.samples[name][self._place]

    def __contains__(self, name: object) -> bool:
        return name in self.samples.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.samples.names)

    def __len__(self) -> int:
        return len(self.samples.names)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}: {np.asarray(x)}" for name, x in self.items())
        return f"<state at t = {self.t} s: {values}>"
