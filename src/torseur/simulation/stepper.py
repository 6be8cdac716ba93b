"""A stepper driven by the caller: real time, learning, co-simulation."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Any, final

import numpy as np

from torseur.algebra.core.called import raise_what_functions_raised
from torseur.brief import shortened
from torseur.errors import ModelError, require_known
from torseur.language.load import load
from torseur.language.text.given import given_state, values_by_name
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.drive import finish
from torseur.machine.integrators.methods import Method, Moreau, Symplectic
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.problem import StateSizes
from torseur.model.commands import command_places, described_commands
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.control.control import WithInputs
from torseur.simulation.control.loop import actuator_names, check_sample, clipped
from torseur.simulation.control.measurement import Measurement
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.moreau import check_contacts, check_touching
from torseur.simulation.formulations.protocol import FAILURES
from torseur.simulation.formulations.request import Beginning
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.formulations.selection import require_forces_to_move
from torseur.simulation.formulations.shorthands import settings_of
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.formulations.trouble import Halt, trouble
from torseur.simulation.run.measurements import measure
from torseur.simulation.run.passed_limits import with_limit_notices
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_Moving = ContactFormulation | SteppedFormulation | JointFormulation


@final
class Stepper:
    """A mechanism at a state that you move: `step(forces)`, `reset()`.

    Commands are those of `actuators`: actuators, forces along coordinates or speeds, parameters of
    forces, by name (the mechanism's `inputs`, its actuators, or forces along all speeds, if none
    are named). They hold during a step of `sample` seconds. Each step is
    integrated to the tolerance `rtol`, whatever its length; loops stay closed, contacts open and
    close. `method` and `step` are those of `simulate`: "moreau" makes steps of a fixed length, also
    with contacts among bodies. `q`, `v` and `t` give the state, `stepper["theta"]` reads by name.
    """

    def __init__(
        self,
        mechanism: Mechanism | CompiledModel | str | os.PathLike[str] | Mapping[str, Any],
        sample: float = 1e-3,
        *,
        actuators: Sequence[str] | None = None,
        initial: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        method: str | Method = "auto",
        rtol: float | None = None,
        step: float | None = None,
    ) -> None:
        check_sample("stepper", sample)
        if not isinstance(mechanism, Mechanism | CompiledModel):
            mechanism = load(mechanism)
        model = compiled_at(mechanism)
        self._settings = settings_of(method, rtol=rtol, step=step)
        if not isinstance(self._settings.method, Moreau):
            check_contacts(model.mechanism, self._settings.name)
        with_inputs = model.once(WithInputs(actuator_names(actuators)))
        self.model = moving_model(with_inputs, {**model.given, **(parameters or {})})
        self.sample = float(sample)
        self.actuators = tuple(x.removesuffix(".") for x in self.model.mechanism.commanded)
        self._require_steps()
        self._initial: Mapping[str, Any] = initial or {}
        nq, nv = len(self.model.coordinates), len(self.model.speeds)
        self._forces = slice(nq + nv + 1, nq + nv + 1 + len(self.actuators))
        known = self.model.mechanism, self.model.parameters
        self._described = described_commands(*known)
        self._least, self._most = clipped(*known, self.model.mechanism.commanded)
        self._clips = bool(np.isfinite(self._most).any())
        self.reset()

    def reset(self, initial: Mapping[str, Any] | None = None, t: float = 0.0) -> Stepper:
        """At the start again, with other values of coordinates and speeds if they are given."""
        given = {**values_by_name(self._initial), **values_by_name(initial or {})}
        self._begun = dict(initial or {}), float(t)
        begin = joint_start(
            self.model, Beginning(given_state(self.model.mechanism, given), float(t))
        )
        mechanism = self.model.mechanism
        touches = bool(elements(mechanism)) or isinstance(self._settings.method, Moreau)
        require_forces_to_move(begin, say("a stepper"), touches)
        self.t = float(t)
        self._memory: MotionMemory | None = None
        self._sizes: StateSizes | None = None  # those of the first step
        self._h = 0.0  # the step that the integrator tries next; 0: it guesses one
        self._moving = self._moving_from(begin, touches)
        self._y = self._moving.start.copy()
        return self

    def _moving_from(self, begin: JointStart, touches: bool) -> _Moving:
        """The formulation at a start; the tables of contacts are used again."""
        known = self.__dict__.get("_moving")
        if isinstance(known, ContactFormulation | SteppedFormulation):
            known.start_from(begin)
            return known
        if isinstance(self._settings.method, Moreau):
            return SteppedFormulation(begin, self._settings, Schedule(np.array([0.0, self.sample])))
        make = ContactFormulation if touches else JointFormulation
        return make(begin, self._settings.stepping(self.sample))

    def _require_steps(self) -> None:
        """Refuse a method that cannot be stopped at every sample."""
        if isinstance(self._settings.method, Symplectic):
            raise ModelError(
                "stepper",
                say('the method "{method}" is not available.', self._settings.name),
                "Leave method out; simulate(…, control=law) takes symplectic steps.",
            )
        if isinstance(self._settings.method, Moreau):
            check_touching(self.model.mechanism)

    def __getstate__(self) -> dict[str, Any]:
        """Without machine code and the memory of the integrator, which are made again."""
        return {n: x for n, x in self.__dict__.items() if n not in ("_memory", "_moving")}

    def __setstate__(self, known: dict[str, Any]) -> None:
        self.__dict__.update(known)
        self.reset(*known["_begun"])
        self.__dict__.update(known | {"_y": known["_y"].copy()})

    @property
    def q(self) -> Array:
        """The coordinates, in the order of `model.coordinates`."""
        return self._y[: len(self.model.coordinates)].copy()

    @property
    def v(self) -> Array:
        """The speeds, in the order of `model.speeds`."""
        return self._y[len(self.model.coordinates) : self._forces.start - 1].copy()

    @property
    def state(self) -> dict[str, float]:
        """Coordinates, speeds and first-order states by name; a run can start from it."""
        names = (*self.model.coordinates, *self.model.speeds)
        motion = dict(zip(names, self._y[: len(names)].tolist(), strict=True))
        states = zip(self.model.mechanism.states, self._y[self._forces.stop :], strict=False)
        return motion | {name: float(x) for name, x in states}

    def __getitem__(self, name: str) -> float:
        require_known("stepper", "coordinate", name, self.state)
        return self.state[name]

    @property
    def current(self) -> Run:
        """Run of one sample: the current state under the forces that act, with notices."""
        moving = self._moving
        samples = moving.samples(np.array([self.t]), self._y[np.newaxis], None)
        return with_limit_notices(Run(samples))

    def sensor(self, name: str, seed: int = 0) -> Measurement:
        """Current measurement of a sensor under the last forces, with noise of the seed."""
        one = measure(self.current, name, seed)
        return replace(one, t=self.t, values=one.values[0])

    def __repr__(self) -> str:
        name = self.model.mechanism.name
        return f'<Stepper of "{name}" at t = {self.t:g} s, every {self.sample:g} s>'

    @property
    def commands(self) -> slice:
        """The places of the commands in the whole state."""
        return self._forces

    @property
    def y(self) -> Array:
        """The whole state: coordinates, speeds, work of the forces without potential, forces."""
        return self._y.copy()

    def hold(self, forces: Any) -> None:
        """Commands of the actuators from now on: one for each in order, one for all, or by name."""
        self._y[self._forces] = self._understood(forces)

    def step(self, forces: Any = None, duration: float | None = None) -> Stepper:
        """Go on for one sampling time, or for a duration [s], with commands as `hold` takes them.

        Without any, no forces act along speeds, and actuators have the commands of the description.

        A step that fails, or is interrupted from the keyboard, changes neither state nor time.
        """
        self.hold(forces)
        length = self.sample if duration is None else float(duration)
        if not 0 < length < inf:
            raise ModelError("stepper", say("the duration must be positive, got {length}.", length))
        end = self.t + length
        if not isinstance(self._moving, JointFormulation):
            memory, self._memory = self._memory, None  # of a step that fails nothing goes on
            times = np.array([self.t, end])
            self._y, self._memory = self._moving.step_to(self._y, times, memory)
        else:
            memory = self._advanced(self._moving, end)
            self._y[:], self._h = memory.state, memory.step
        self.t = end
        return self

    def _advanced(self, moving: JointFormulation, end: float) -> MotionMemory:
        """The memory of the integrator at the end of a step; it is used again from step to step."""
        memory = self._memory or self._fresh(moving, end)
        memory.restart(self._y, (self.t, end), step=self._h)
        code = finish(memory, moving.attend)
        raise_what_functions_raised()
        if code in FAILURES:
            raise trouble(Halt(moving, memory.time, memory.state.copy()), FAILURES[code])
        return memory

    def _fresh(self, moving: JointFormulation, end: float) -> MotionMemory:
        """Memory of the integrator; the first step tells what states are compared with."""
        times = np.array([self.t, end])
        if self._sizes is None:
            self._sizes = moving.begin.sizes(moving, self._y, times)
        problem = moving.problem().with_sizes(self._sizes)
        self._memory = MotionMemory(problem, self._y, times, moving.method())
        return self._memory

    def _by_name(self, given: Mapping[str, Any]) -> list[Any]:
        """The commands in order; those of the description where none are given."""
        places = command_places(self.model.mechanism)
        commands: list[Any] = list(self._described)
        for name, value in given.items():
            require_known("stepper", "actuator", name.removesuffix("."), places)
            commands[places[name.removesuffix(".")]] = value
        return commands

    def _understood(self, forces: Any) -> Array:
        if forces is None or isinstance(forces, Mapping):
            forces = self._by_name(forces or {})
        try:
            values = np.asarray(forces, dtype=float)
        except (TypeError, ValueError):
            raise ModelError(
                "stepper",
                say("the forces are {shown}, not numbers.", shortened(repr(forces))),
                say("In this order: {names}.", ", ".join(self.actuators)),
            ) from None
        if values.ndim and values.shape != (len(self.actuators),):
            raise ModelError(
                "stepper",
                say(
                    "{count} forces are given, {wanted} expected.", values.size, len(self.actuators)
                ),
                say("In this order: {names}.", ", ".join(self.actuators)),
            )
        listed = values.tolist() if values.ndim else [values]
        if not all(map(isfinite, listed)):
            raise ModelError("stepper", say("the forces are {found}, not finite.", values))
        return np.clip(values, self._least, self._most) if self._clips else values
