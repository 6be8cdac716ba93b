"""A loop of control: a law, when it is sampled, what it sees and how its commands act."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.brief import shortened
from torseur.equations.constraints.constraint_rows import Constraints
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, require_known, unknown
from torseur.language.text.expression import parse_expression
from torseur.language.text.given import values_by_name
from torseur.model.checks.limits import sensible
from torseur.model.commands import command_name, uncommanded, with_commanded
from torseur.model.description import Mechanism
from torseur.model.joints.mesh_points import SIGNAL
from torseur.model.measured import measurable
from torseur.model.parameters import Parameter
from torseur.model.values.numbers import Values
from torseur.words.sentence import say

Array = np.ndarray
Law = Callable[..., Any]  # of t, q, v, of reactions and sensors if it names any: the commands
Limits = float | tuple[float, float]
_ROUNDING = 1e-9  # of a sampling time: two instants that are one


@runtime_checkable
class SymbolicLaw(Protocol):
    """Control law given by expressions of the state, compiled to machine code."""

    @property
    def parameters(self) -> Mapping[str, float]:
        """Parameters that tune it, with values; those of the mechanism need not be listed."""

    @property
    def memory(self) -> Mapping[str, float]:
        """Variables that it remembers from one sample to the next, with their first values."""

    def commands(self, system: System) -> Mapping[str, Expr]:
        """The forces along speeds, and what is to be remembered, by name.

        Expressions of the system's coordinates, speeds and parameters, of time, of reactions, and
        of what is remembered, as symbols of the kind "input".
        """


@final
@dataclass(frozen=True)
class Loop:
    """A law (t, q, v) → forces, called every `sample` seconds; its commands hold until the next.

    The forces are along `actuators`, speeds or coordinates by name: those of the mechanism's
    `inputs`, or all speeds, if none are named. A command acts `delay` seconds after its
    measurement, within its limits: `saturation` is one number ±, two, or some for each actuator.
    What is measured has `noise` (standard deviations by the name of the coordinate or speed), drawn
    after `seed`, and is rounded to multiples of its `resolution`. A law that is a function sees
    besides, as a fourth argument, the `reactions` it names: "X_A" … "N_A" of joint A in the axes of
    its frame, "N_c" of contact c, "F_g" of a constraint or an imposed motion g; they are those of
    the instant of the sample, under the commands that acted until then. A law with an argument
    `sensors` sees in it a `Measurement` for each sensor of the description, or for those that the
    loop names: sensors["imu"]["a_x"]. They are of the same instant, with the noise of the seed.
    """

    law: Law | SymbolicLaw
    sample: float  # [s]
    delay: float = 0.0  # [s]
    actuators: Sequence[str] | None = None
    saturation: Limits | Mapping[str, Limits] | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    resolution: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    reactions: Sequence[str] = ()
    sensors: Sequence[str] | None = None  # None: all, if the law has an argument of this name

    def __post_init__(self) -> None:
        check_sample("control", self.sample, "For instance sample=1e-3, in seconds.")
        if not (callable(self.law) or isinstance(self.law, SymbolicLaw)):
            kind = type(self.law).__name__
            advice = "For instance: def law(t, q, v): return -20 * q - 2 * v"
            raise ModelError("control", say("the law is a {kind}, no function.", kind), advice)
        if not isinstance(self.law, SymbolicLaw):
            more = {"reactions": bool(self.reactions), "sensors": self.sees_sensors}
            _check_arguments(self.law, ("t", "q", "v", *(name for name, x in more.items() if x)))
        if sensible("control", say("the delay"), self.delay) < 0:
            raise ModelError(
                "control", say("the delay must be zero or positive, got {delay}.", self.delay)
            )

    def commanded(self, mechanism: Mechanism) -> tuple[str, ...] | None:
        """The names of what is commanded; None: that of the mechanism.

        A law that is written as expressions names it, if these are actuators or parameters.
        """
        named = actuator_names(self.actuators)
        if named is not None or not isinstance(self.law, SymbolicLaw) or mechanism.inputs:
            return named
        forces = tuple(getattr(self.law, "forces", ()))
        others = {*mechanism.actuators, *mechanism.parameter_table}
        return forces if others & {*forces} else mechanism.speeds

    @property
    def sees_sensors(self) -> bool:
        """Whether the law is a function that is given sensors."""
        if isinstance(self.law, SymbolicLaw):
            return False
        return bool(self.sensors) if self.sensors is not None else "sensors" in _arguments(self.law)


def _arguments(law: Law) -> Collection[str]:
    """The names of the arguments of a function, where they can be known."""
    try:
        return signature(law).parameters.keys()
    except (TypeError, ValueError):
        return ()


def _check_arguments(law: Law, given: Sequence[str]) -> None:
    """Refuse a function that cannot be called as laws are; what hides its arguments passes."""
    try:
        called = signature(law)
    except ValueError:
        return
    try:
        called.bind(*given)
    except TypeError:
        problem = say(
            "the law has the arguments {own}, but is called with ({given}).",
            str(called),
            ", ".join(given),
        )
        advice = say("For instance: def law({given}): return -20 * q - 2 * v", ", ".join(given))
        raise ModelError("control", problem, advice) from None


def check_sample(place: str, sample: float, *advice: str) -> None:
    """Refuse a sampling time that is not positive."""
    if not sensible(place, say("the sampling time"), sample) > 0:
        problem = say("the sampling time must be positive, got {sample}.", sample)
        raise ModelError(place, problem, *advice)


def actuator_names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names of actuators, of which one may stand alone; None where none are named."""
    if given is None:
        return None
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Iterable) or not all(isinstance(x, str) for x in names):
        problem = say("the actuators are {shown}.", shortened(repr(given)))
        advice = 'Give names of coordinates or speeds: actuators=["q1", "q2"].'
        raise ModelError("control", problem, advice)
    return tuple(names)


def actuated(mechanism: Mechanism, actuators: tuple[str, ...] | None) -> tuple[str, ...]:
    """The speeds along which forces are commanded, and the actuators and parameters that are."""
    if actuators is None:
        actuators = mechanism.inputs or tuple(mechanism.actuators) or mechanism.speeds
    chosen = list[str]()
    for name in actuators:
        speed = command_name(mechanism, name, "control")
        if speed in chosen:
            raise ModelError("control", say('the actuator "{name}" is named twice.', name))
        chosen.append(speed)
    return tuple(chosen)


def with_commands(
    mechanism: Mechanism, actuators: tuple[str, ...] | None, parameters: Mapping[str, float]
) -> Mechanism:
    """The mechanism with forces that are given while it moves, and the parameters of a law."""
    table = dict(mechanism.parameter_table)
    for name, value in parameters.items():
        if name in table:
            problem = say('the mechanism has a parameter "{name}", and so has the law.', name)
            raise ModelError("control", problem, "Give the one of the law another name.")
        table[name] = Parameter(name, expression(float(value)), "", "", "")
    changed = replace(uncommanded(mechanism), parameter_table=table)
    return with_commanded(changed, actuated(changed, actuators))


def saturated(
    given: Limits | Mapping[str, Limits] | None, actuators: Sequence[str]
) -> tuple[Array, Array]:
    """The least and the largest command of each actuator."""
    if not isinstance(given, Mapping):
        given = {} if given is None else dict.fromkeys(actuators, given)
    known = {name.removesuffix("."): k for k, name in enumerate(actuators)}
    low, high = np.full(len(known), -np.inf), np.full(len(known), np.inf)
    for name, limit in given.items():
        k = known.get(str(name).removesuffix("."))
        if k is None:
            raise unknown("control", "actuator", str(name), actuators)
        least, most = _ends(name, limit)
        if not least <= most:
            problem = say('the limits of "{name}" are {least} and {most}.', name, least, most)
            advice = "Give the smaller one first, or one positive number for both."
            raise ModelError("control", problem, advice)
        low[k], high[k] = least, most
    return low, high


def clipped(
    mechanism: Mechanism, parameters: Mapping[str, float | None], actuators: Sequence[str]
) -> tuple[Array, Array]:
    """The least and the largest command of each actuator, at the efforts of joints that clip."""
    value, most = Values(parameters), np.full(len(actuators), np.inf)
    for joint in mechanism.joints.values():
        for name, effort in zip(joint.speeds, joint.effort if joint.clip else (), strict=False):
            number = value(effort)
            if name in actuators and number is not None:
                most[list(actuators).index(name)] = number
    return -most, most


def _ends(name: str, limit: Any) -> tuple[float, float]:
    """The least and the largest value of one number ±, or of two."""
    try:
        pair = limit if isinstance(limit, tuple | list) else (-float(limit), limit)
        least, most = map(float, pair)
    except (TypeError, ValueError):
        problem = say('the limits of "{name}" are {shown}.', name, shortened(repr(limit)))
        advice = "Give two numbers, the smaller one first, or one positive number for both."
        raise ModelError("control", problem, advice) from None
    return least, most


def of_measured(what: str, given: Mapping[str, float], measured: Sequence[str]) -> Array:
    """A number for each measured quantity, from those given by name."""
    numbers = np.zeros(len(measured))
    for name, value in values_by_name(given, "control").items():
        require_known("control", "measured quantity", name, measured)
        if sensible("control", f"{what} ({name})", value) < 0:
            raise ModelError(
                "control",
                say('{what} of "{name}" must be zero or positive, got {value}.', what, name, value),
            )
        numbers[measured.index(name)] = value
    return numbers


# --- when it measures and acts -----------------------------------------------------------------


@final
@dataclass(frozen=True)
class Instants:
    """The times of one run at which a law is called, and at which its commands act if later."""

    measured: Array
    acting: Array  # both, in order
    whole: int  # samples that a command waits
    waits: bool  # and a part of a sample besides


def instants(loop: Loop, times: Array) -> Instants:
    """start + k sample up to the end, and the delay after each.

    Instants that differ from the times of the run by rounding are set to these.
    """
    start, end = float(times[0]), float(times[-1])
    count = int((end - start) / loop.sample + _ROUNDING) + 1
    whole = int(min(loop.delay / loop.sample + _ROUNDING, count))  # longer: it never acts
    rest = loop.delay - whole * loop.sample
    waits = whole < count and rest > _ROUNDING * loop.sample
    measured = start + np.arange(count) * float(loop.sample)
    later = (measured + rest)[measured + rest <= end] if waits else measured

    def snapped(instants: Array) -> Array:
        place = np.clip(np.searchsorted(times, instants), 1, len(times) - 1)
        before, after = times[place - 1], times[place]
        near = np.where(np.abs(before - instants) < np.abs(after - instants), before, after)
        return np.where(np.abs(near - instants) <= _ROUNDING * loop.sample, near, instants)

    acting = np.unique(np.concatenate([measured, later]))
    return Instants(snapped(measured), snapped(acting), whole, waits)


# --- a law written as text ------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class TextLaw:
    """Forces along coordinates, {"theta": "-k*theta - c*theta."}, as machine code.

    Expressions may name coordinates, speeds, parameters of the mechanism and of the law, the time
    t, reactions ("N_floor", "X_A", as forces name them), columns of sensors ("imu_a_x": a_x of
    imu), and what is remembered from sample to sample: `remembered` gives the next value of each,
    {"sum": "sum + theta*0.001"}, `memory` the first.
    """

    forces: Mapping[str, str | float]
    parameters: Mapping[str, float] = field(default_factory=dict)
    memory: Mapping[str, float] = field(default_factory=dict)
    remembered: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.memory) != set(self.remembered):
            odd = sorted(set(self.memory) ^ set(self.remembered))
            problem = say('"{odd}" has a first value or a next one, not both.', ", ".join(odd))
            advice = 'Give both: memory={"sum": 0.0}, remembered={"sum": "sum + 0.001*theta"}.'
            raise ModelError("control", problem, advice)

    def commands(self, system: System) -> dict[str, Expr]:
        """The texts as expressions of the state."""
        mechanism = system.mechanism
        known = dict(measurable(mechanism))
        known |= {name: symbol(name) for name in (*mechanism.parameter_table, *self.parameters)}
        known |= {name: symbol(name, "coordinate") for name in mechanism.every_coordinate}
        known |= {name: symbol(name, "speed") for name in mechanism.every_speed}
        known |= {name: symbol(name, SIGNAL) for name in mechanism.states}
        known |= {name: symbol(name, "input") for name in self.memory} | {TIME.name: TIME}
        texts = {**self.forces, **self.remembered}
        expressions = {name: _read(name, str(text), known) for name, text in texts.items()}
        if not system.cuts:
            return expressions
        opened = Constraints(system).opened
        return {name: opened(x) for name, x in expressions.items()}


def _read(name: str, text: str, known: Mapping[str, Expr]) -> Expr:
    try:
        return parse_expression(text, known)
    except ModelError as error:
        problem = say('"{text}": {problem}', text, error.problem)
        raise ModelError(say('control of "{name}"', name), problem, *error.advice) from None
