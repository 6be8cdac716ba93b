"""A law tied to a compiled model: what an integrator calls at the instants of its samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.brief import shortened
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import inputs_of_state
from torseur.equations.symbols.system import System, signal_names
from torseur.errors import ModelError, require_known, unknown
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.control.sampler import Asked, Sampler, Wiring, asked_in_python
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.problem import Entry, entry_of
from torseur.machine.native import Calls
from torseur.model.commands import (
    command_places,
    described_command,
    described_commands,
)
from torseur.model.contact.of_forces import reactions_in
from torseur.model.description import Mechanism
from torseur.model.measured import SensorColumn, column_names, columns, measurable
from torseur.simulation.control.loop import (
    Instants,
    Law,
    Loop,
    SymbolicLaw,
    clipped,
    of_measured,
    saturated,
    with_commands,
)
from torseur.simulation.control.measurement import Measurement, measurement
from torseur.simulation.control.sensor_errors import errors_at, has_noise, quantum
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class WithInputs:
    """Makes the model of a mechanism that is commanded; equal ones make the same.

    The values of a law's parameters are those of the first law; other laws give theirs.
    """

    actuators: tuple[str, ...] | None
    names: tuple[str, ...] = ()  # parameters of a law
    values: tuple[float, ...] = field(default=(), compare=False)

    def __call__(self, mechanism: Mechanism) -> CompiledModel:
        parameters = dict(zip(self.names, self.values, strict=True))
        return CompiledModel(with_commands(mechanism, self.actuators, parameters))


def commanded_model(
    model: CompiledModel, loop: Loop, parameters: Mapping[str, Any]
) -> CompiledModel:
    """A model with forces that are given while it moves; its code is made once."""
    tuning = loop.law.parameters if isinstance(loop.law, SymbolicLaw) else {}
    names = loop.commanded(model.mechanism)
    inputs = WithInputs(names, tuple(tuning), tuple(tuning.values()))
    with_inputs = model.once(inputs)
    changed = {n: x for n, x in tuning.items() if x != with_inputs.parameters[n]}
    return compiled_at(with_inputs, {**model.given, **changed, **parameters})


@final
class Control:
    """Control of one run: changes its state at the instants of samples."""

    def __init__(self, model: CompiledModel, loop: Loop, instants: Instants) -> None:
        self.instants = instants
        self._model, self._raised = model, list[list[BaseException]]()
        self._speeds = model.mechanism.commanded
        self._first = len(model.coordinates) + len(model.speeds) + 1  # of the commanded forces
        self._size = self._first + len(signal_names(model.mechanism))
        self._state = self._size  # numbers that an act copies
        self.view_senses = False  # whether the view gives all that is measured
        self._sensors: tuple[str, ...] = ()  # that a law in Python sees
        self._seen = 0  # reactions that it sees
        self._law: Calls | None = None  # the code of a law that is no function of Python
        memory = loop.law.memory if isinstance(loop.law, SymbolicLaw) else {}
        if isinstance(loop.law, SymbolicLaw):
            code, reactions = law_code(model, loop.law)
            self._law = Calls(code, model.numbers(code))
            law = entry_of(self._law)
            self.reactions = _named(model.mechanism, reactions)
        else:
            self._sensors = _sensor_names(model.mechanism, loop)
            self._seen = len(_named(model.mechanism, loop.reactions))
            sensed = column_names(model.mechanism, self._sensors)
            self.reactions = (*_named(model.mechanism, loop.reactions), *sensed)
            size = self._size + len(self.reactions)
            law = self._in_python(self._law_function(loop.law), size, len(self._speeds))
        self.wiring = self._wiring(loop, memory)
        self._sampler = Sampler(law, self.wiring)

    @property
    def act(self) -> Entry:
        """The function that changes the state."""
        return self._sampler.act

    def acted(self, y: Array, t: float) -> Array:
        """A state with what acts from then on."""
        changed = y.copy()
        changed[: self._state] = self.act.value(y, t, self._state)
        self.check()
        return changed

    def restart(self, model: CompiledModel) -> None:
        """Begin another run of the same length, perhaps with other values of parameters."""
        for raised in self._raised:
            raised.clear()
        if self._law is not None:
            self._law.set(model.numbers(self._law.evaluator))
        self._sampler.restart(self.wiring)

    def check(self) -> None:
        """Raise what the law raised."""
        for raised in self._raised:
            if raised:
                raise raised[0]

    def sees(self, view: Entry, size: int, first: int) -> None:
        """Integrated is another state than (q, v, work, commanded forces): `view` gives this one.

        The other has a size, and the commanded forces stand in it from `first` on.
        """
        self._state = size
        self._sampler.see(view, size, first)

    def sees_in_python(
        self, view: Asked, size: int, first: int, whole: int = 0, *, senses: bool = False
    ) -> None:
        """`sees` for a view that is a function of Python, of states of a `whole` size.

        Where it `senses`, it gives what is measured besides too.
        """
        self.view_senses = senses
        outputs = self._size + (len(self.reactions) if senses else 0)
        self.sees(self._in_python(view, whole or size, outputs), size, first)

    def sense(self, reactions: Entry | Asked, size: int) -> None:
        """Measure reactions by machine code or in Python, from states of a size.

        Those are states as the law sees them, if it sees others than are integrated.
        """
        if not isinstance(reactions, Entry):
            reactions = self._in_python(reactions, size, len(self.reactions))
        self._sampler.sense(reactions)

    def _in_python(self, function: Asked, size: int, outputs: int) -> Entry:
        """A function of Python for machine code to call; `check` raises what it raised."""
        entry, raised = asked_in_python(function, size, outputs)
        self._raised.append(raised)
        return entry

    def _wiring(self, loop: Loop, memory: Mapping[str, float]) -> Wiring:
        model, instants = self._model, self.instants
        measured = (*model.coordinates, *model.speeds, *self.reactions)
        low, high = saturated(loop.saturation, self._speeds)
        if loop.saturation is None:
            low, high = clipped(model.mechanism, model.parameters, self._speeds)
        return Wiring(
            size=self._size,
            measured=len(measured) - len(self.reactions),
            sensed=len(self.reactions),
            first=self._first,
            low=low,
            high=high,
            whole=instants.whole,
            waits=instants.waits,
            quantum=self._quantum(loop, measured),
            noise=self._noise(loop, measured),
            memory=np.array([float(x) for x in memory.values()]),
            described=np.array(described_commands(model.mechanism, model.parameters)),
        )

    def _noise(self, loop: Loop, measured: Sequence[str]) -> Array:
        """(samples or 1 or 0, measured): what is added to what is measured, sample after sample."""
        spread, times = of_measured(say("the noise"), loop.noise, measured), self.instants.measured
        columns = self._columns
        names = {x.sensor for x in columns.values()}
        changes = spread.any() or any(has_noise(self._model, name) for name in names)
        times = times if changes else times[:1]
        noise = np.zeros((len(times), len(measured)))
        if spread.any():
            rng = np.random.default_rng(loop.seed)
            noise += spread * rng.standard_normal(noise.shape)
        for name in names:
            errors = errors_at(self._model, name, loop.seed, times, self._widths[name])
            for k, one in enumerate(measured):
                if one in columns and columns[one].sensor == name:
                    noise[:, k] += errors[:, columns[one].column]
        return noise if noise.any() else noise[:0]

    def _quantum(self, loop: Loop, measured: Sequence[str]) -> Array:
        """The resolution of each measured number, that of the loop or of its sensor."""
        steps = of_measured(say("the resolution"), loop.resolution, measured)
        for k, name in enumerate(measured):
            if name in self._columns and not steps[k]:
                steps[k] = quantum(self._model, self._columns[name].sensor)
        return steps

    @property
    def _columns(self) -> dict[str, SensorColumn]:
        """The columns of sensors among what is measured, by name."""
        mechanism = self._model.mechanism
        known = column_names(mechanism, mechanism.sensors)
        return {name: known[name] for name in self.reactions if name in known}

    @property
    def _widths(self) -> dict[str, int]:
        """The number of columns of each sensor."""
        mechanism = self._model.mechanism
        return {name: len(columns(mechanism, x)) for name, x in mechanism.sensors.items()}

    # --- laws in Python -------------------------------------------------------------------------

    def _law_function(self, law: Law) -> Any:
        """The law as a function of the time and the measured state."""
        nq, last = len(self._model.coordinates), self._first - 1
        mechanism, parameters = self._model.mechanism, self._model.parameters
        names, places = self._speeds, command_places(mechanism)
        described = described_commands(mechanism, parameters)
        shape, size, end = (len(names),), self._size, self._size + self._seen
        nothing, sensors = np.zeros(shape), self._readings()

        def commands_at(t: float, measured: Array) -> Array:
            state = measured.copy()  # the law may keep what it is given
            more = (state[size:end],) if end > size else ()
            if sensors:
                more = (
                    *more,
                    {name: one(t, state[end:]) for name, one in sensors.items()},
                )
            given = law(t, state[:nq], state[nq:last], *more)
            if type(given) is not np.ndarray and isinstance(given, Mapping):
                given = _by_name(given, places, described)
            commands = _numbers(t, given)
            if commands.shape != shape and not (commands.ndim == 0 and len(names) == 1):
                raise ModelError(
                    say("control law at t = {t:.6g} s", t),
                    say("it gave {shape} numbers, {wanted} expected.", commands.shape, shape),
                    say("In this order: {names}.", ", ".join(names)),
                )
            if nothing.dot(commands.reshape(shape)) != 0:  # 0 × ∞ and 0 × NaN are not zero
                raise ModelError(
                    say("control law at t = {t:.6g} s", t),
                    say("it gave {found}, which is not finite.", commands),
                )
            return commands

        return commands_at

    def _readings(self) -> dict[str, Callable[[float, Array], Measurement]]:
        """Makers of the measurement of each sensor, of a time and the columns of all."""
        readings, first = dict[str, Callable[[float, Array], Measurement]](), 0
        for name in self._sensors:
            listed = columns(self._model.mechanism, self._model.mechanism.sensors[name])
            rows = slice(first, first + len(listed))
            readings[name] = partial(_reading, rows, listed)
            first += len(listed)
        return readings


def _reading(rows: slice, listed: Mapping[str, str], t: float, values: Array) -> Measurement:
    return measurement(t, values[rows], listed)


def _sensor_names(mechanism: Mechanism, loop: Loop) -> tuple[str, ...]:
    """The sensors that a law in Python sees."""
    if not loop.sees_sensors:
        return ()
    given = mechanism.sensors if loop.sensors is None else loop.sensors
    listed = (given,) if isinstance(given, str) else tuple(given)
    require_known("control", "sensor", listed, mechanism.sensors)
    return listed


def _numbers(t: float, given: Any) -> Array:
    """The commands of a law as numbers."""
    if given is None:
        raise ModelError(
            say("control law at t = {t:.6g} s", t),
            "it gave nothing.",
            "End the function with its commands: return -20 * q - 2 * v.",
        )
    try:
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(
            say("control law at t = {t:.6g} s", t),
            say("it gave {shown}, which is not numbers.", shortened(repr(given))),
        ) from None


def law_code(model: CompiledModel, law: SymbolicLaw) -> tuple[Evaluator, tuple[str, ...]]:
    """The machine code of a law, and the reactions that it names."""
    commands = law_kernel(model.system, law)
    names = " ".join(name for _, listed in commands.inputs for name in listed)
    code = kernel_code(commands, f"control {names} {[x.key for x in commands.outputs]}")
    return code, tuple(reactions_in(commands.outputs))


def law_kernel(system: System, law: SymbolicLaw) -> Kernel:
    """The commands along the inputs of a system and what is to be remembered, one after the other.

    A function of the state, the reactions it names, what is remembered, and the time.
    """
    memory, given, mechanism = tuple(law.memory), dict(law.commands(system)), system.mechanism
    places = command_places(mechanism)
    commands = [described_command(mechanism, name) for name in mechanism.commanded]
    for name, value in given.items():
        place = places.get(name.removesuffix("."))
        if place is not None:
            commands[place] = value
        elif name not in memory:
            raise unknown("control", "actuator", name, mechanism.commanded)
    outputs = expressions([*commands, *(given[name] for name in memory)])
    (_, y), clock = inputs_of_state(system)
    sensed = reactions_in(outputs)
    known = {*y, *sensed, *memory, TIME.name}
    for x in free_symbols(outputs):
        if x.kind != "parameter" and x.name not in known:
            raise unknown("control", "quantity", x.name, sorted(known))
    return kernel("control", (("y", (*y, *sensed, *memory)), clock), outputs)


def _named(mechanism: Mechanism, names: Sequence[str]) -> tuple[str, ...]:
    """Reactions by name, each of which exists."""
    listed = (names,) if isinstance(names, str) else tuple(names)
    if listed:
        require_known("control", "reaction", listed, measurable(mechanism))
    return listed


def _by_name(
    given: Mapping[str, Any], places: Mapping[str, int], described: Sequence[float]
) -> list[Any]:
    """The commands of a law that names them; the others are those of the description."""
    commands: list[Any] = list(described)
    for name, value in given.items():
        place = places.get(name.removesuffix("."))
        if place is None:
            raise unknown("control", "actuator", name, places)
        commands[place] = value
    return commands
