"""Motion in absolute coordinates by the engines of joint coordinates.

Nothing of an engine knows which coordinates it moves in. With contacts, what it asks of a state is
one compiled function: M, forces, the rows of everything that holds, their gaps and loads
(`equations/functions/contact.py`); by symplectic steps, the canonical equations
(`equations/functions/canonical.py`). In absolute coordinates these are those of the same
mechanism with every body placed by itself and every joint closing a loop (`model/freed.py`), so
that modes, events, shocks, impulses, projection and dense output are the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.machine.contact.model import ContactModel
from torseur.machine.control.sampler import Asked
from torseur.model.contact.elements import elements
from torseur.model.freed import COORDINATES, SPEEDS, follower, names_of, spinning_names
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.phase_space import PhaseSpace
from torseur.simulation.formulations.protocol import MotionStates
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.sensing import read, sensed_by
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.run.contact_samples import ContactSamples
from torseur.simulation.run.freed_samples import (
    FreedSamples,
    coordinates_read,
    free_model,
    rates_read,
)
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.placed_bodies import body_states, every_coordinate
from torseur.simulation.run.samples import Happened, Samples
from torseur.topology.structure import structure

Array = np.ndarray
Engine = ContactFormulation | SteppedFormulation | PhaseSpace


@final
class FreedFormulation:
    """A mechanism whose bodies are each placed by itself."""

    def __init__(
        self,
        begin: JointStart,
        engine: Callable[[JointStart, Control | None], Engine],
        control: Control | None = None,
    ) -> None:
        self._model, self._first = begin.model, begin.y[: len(begin.model.coordinates)]
        placed = _placed(begin)
        if control is not None:
            placed = self._let_see(control, begin, placed)
        self._bodies = engine(placed, control)
        self.stepping = self._bodies.stepping
        self.notices = (*begin.notices, *self._bodies.notices)
        self.start = self._bodies.start

    def _let_see(self, control: Control, begin: JointStart, placed: JointStart) -> JointStart:
        """The law measures coordinates and speeds of joints, read of the poses of bodies."""
        size, signals = len(placed.y), len(self._model.system.signals)
        sensed, whole = self._sensed(control, begin, placed)

        def measure(t: float, y: Array) -> Array:
            one = JointSamples(placed.model, np.array([t]), y[np.newaxis, :size], placed.given)
            q = coordinates_read(self._model, one, self._first)[0]
            acting = y[size - 1 - signals : size]
            measured = [q, rates_read(self._model, one, 1)[0], acting]
            return np.concatenate([*measured, sensed(t, y)])

        control.sees_in_python(measure, size, size - signals, whole, senses=True)
        return replace(placed, measured=measure)

    def _sensed(self, control: Control, begin: JointStart, placed: JointStart) -> tuple[Asked, int]:
        """Reader of reactions and sensors of a state of bodies, and the size of that state."""
        if not control.reactions:
            return lambda t, y: np.zeros(0), len(placed.y)
        reactions, _ = sensed_by(control, begin)
        if not elements(begin.model.mechanism):
            samples = partial(self._samples, placed.samples)
            return partial(read, samples, list(reactions.values())), len(placed.y)
        contacts = ContactModel(placed.model)

        def touching(t: Array, states: Array, whole: Samples | None) -> ContactSamples:
            return ContactSamples(contacts, t, states, placed.given)

        reading = partial(read, partial(self._samples, touching), list(reactions.values()))
        return reading, contacts.size + contacts.reported

    def move(self, state: Array, request: Request) -> MotionStates:
        """The states at the times asked for; events have coordinates of joints."""
        motion = self._bodies.move(state, request)
        return replace(motion, events=self._read(motion))

    def samples(self, t: Array, states: Array, whole: Samples | None) -> Samples:
        """Samples of states."""
        return self._samples(self._bodies.samples, t, states, whole)

    def _samples(
        self,
        read: Callable[[Array, Array, Samples | None], JointSamples],
        t: Array,
        states: Array,
        whole: Samples | None,
    ) -> FreedSamples:
        assert whole is None or isinstance(whole, FreedSamples), "a motion is read in one way"
        bodies = read(t, states, None if whole is None else whole.bodies)
        return FreedSamples(self._model, bodies, self._first)

    def _read(self, motion: MotionStates) -> tuple[Happened, ...]:
        """The events, their states being coordinates, speeds and work."""
        events = motion.events
        if not events:
            return ()
        times, states = np.array([x.t for x in events]), np.array([x.state for x in events])
        engine, whole = self._bodies, self.samples(motion.t, motion.states, None)
        # those of a phase space have speeds in place of momenta
        read = engine.begin.samples if isinstance(engine, PhaseSpace) else engine.samples
        samples = self._samples(read, times, states, whole)
        rows = np.column_stack([samples.q, samples.v, samples.work])
        return tuple(replace(x, state=y) for x, y in zip(events, rows, strict=True))


def _placed(begin: JointStart) -> JointStart:
    """The start of the same motion where every body is placed by itself."""
    model = begin.model
    free = free_model(model)
    numbers, nq = numeric_mechanism(model.mechanism, model.parameters), len(model.coordinates)
    q, v = begin.y[:nq], begin.y[nq : nq + len(model.speeds)]
    graph = structure(numbers)
    coordinates = every_coordinate(model.mechanism, graph, q, begin.given)
    values = {follower(name): x for name, x in coordinates.items()}
    of_joints = coordinates | dict(zip(model.speeds, map(float, v), strict=True))
    for motor in filter(lambda x: x.rotor_inertia, model.mechanism.motors.values()):
        angle, spin = spinning_names(motor.name)
        ratio = float(evaluate(motor.ratio, model.parameters))
        joint = numbers.joints[motor.joint]
        values[angle] = ratio * of_joints[joint.coordinates[0]]
        values[spin] = ratio * of_joints[joint.speeds[0]]
    for body, states in body_states(numbers, graph.tree, q[np.newaxis], v[np.newaxis]):
        names = (*names_of(body, COORDINATES), *names_of(body, SPEEDS))
        values |= dict(zip(names, map(float, states[0]), strict=True))
    state = [values[name] for name in (*free.coordinates, *free.speeds)]
    work_and_signals = begin.y[nq + len(model.speeds) :]
    y = np.array([*state, *work_and_signals])
    return JointStart(NumericConstraints(free), y=y, t=begin.t, given=coordinates)
