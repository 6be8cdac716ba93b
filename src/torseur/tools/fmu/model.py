"""Mechanism of an FMU: the model that moves, its start, and the kernels of its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, flat, free_symbols, substitute
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.kernel import Kernel, kernel, smoothed
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import places_of
from torseur.errors import ModelError, unknown
from torseur.language.text.given import given_parameters, given_state
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.integrators.problem import StateSizes
from torseur.model.checks.given_values import valued
from torseur.model.commands import command_range
from torseur.model.constraints.protocol import ExpressionRow
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.parameters import order
from torseur.model.values.scales import state_units
from torseur.simulation.constraints.moving_model import moving_model
from torseur.simulation.control.control import WithInputs
from torseur.simulation.control.loop import actuator_names
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.request import Beginning
from torseur.tools.fmu.engine import Engine, Indicator, engine
from torseur.units import force_unit
from torseur.words.sentence import say

Array = np.ndarray
ENERGIES = {"kinetic_energy": "kinetic energy", "potential_energy": "potential energy"}
STATE = "u"  # the argument that has the whole state, a name that no variable of C code has
REACTION = "reaction:"  # begins the name of an output, that of a joint follows
_AXES = "xyz"


@final
@dataclass(frozen=True)
class Output:
    """A number that an FMU gives besides its states."""

    name: str
    unit: str
    meaning: str
    value: Expr


@final
@dataclass(frozen=True)
class FmuModel:
    """A mechanism about to be written as an FMU."""

    model: CompiledModel
    begin: JointStart
    chosen: tuple[str, ...]  # outputs
    place: str = "fmu"  # in messages

    @property
    def system(self) -> System:
        """The symbols of the mechanism."""
        return self.model.system

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism with its inputs."""
        return self.model.mechanism

    @cached_property
    def engine(self) -> Engine | None:
        """Machine code of the motion where contacts act; None for straight-line code."""
        return engine(self.begin) if elements(self.mechanism) else None

    @property
    def all_parameters(self) -> tuple[str, ...]:
        """Parameters that have a value, those that others define too."""
        return tuple(n for n, x in self.model.parameters.items() if x is not None)

    @property
    def start(self) -> Array:
        """The state before loops are closed and contacts are settled."""
        return self.begin.y if self.engine is None else self.engine.moving.start

    @cached_property
    def sizes(self) -> StateSizes:
        """Sizes that components of the state are compared with."""
        span = np.array([0.0, 1.0])
        if self.engine is not None:
            return self.engine.moving.state_sizes(self.start, span)
        return self.begin.sizes(JointFormulation(self.begin), self.begin.y, span)

    @property
    def indicators(self) -> list[Indicator]:
        """Indicators of events, those of contacts first."""
        contacts = [] if self.engine is None else self.engine.indicators
        own = self.mechanism.events.items()
        return [*contacts, *(Indicator(n, x.direction, x.stop) for n, x in own)]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs: forces along coordinates, actuators, parameters of forces."""
        return tuple(x.removesuffix(".") for x in self.mechanism.commanded)

    @cached_property
    def input_units(self) -> list[str]:
        """Units of the inputs; empty where the description gives none."""
        units = state_units(self.mechanism)
        table = self.mechanism.parameter_table
        return [
            force_unit(units[x]) if x in units else table[x].unit if x in table else ""
            for x in self.mechanism.commanded
        ]

    @property
    def input_ranges(self) -> Array:
        """(inputs, 2): least and largest command."""
        values = self.model.parameters
        ranges = [command_range(self.mechanism, x, values) for x in self.mechanism.commanded]
        return np.array(ranges, dtype=float).reshape(-1, 2)

    @cached_property
    def motion(self) -> MotionKernels:
        """Motion in straight-line code."""
        return MotionKernels(self.system, self.begin.rows)

    @cached_property
    def defined(self) -> dict[Expr, Expr]:
        """Parameters that others define, by their symbols, as expressions of the others."""
        table = self.mechanism.parameter_table
        known: dict[Expr, Expr] = {}
        for name in order(table):
            value = table[name].value
            if value is not None and free_symbols(value):
                known[symbol(name)] = substitute(value, known)
        return known

    def written(self, given: Kernel) -> Kernel:
        """A kernel of independent parameters only, with numbers for the sizes of rows."""
        outputs = substitute(list(given.outputs), self.defined)
        sizes = {x: self.model.sizes.number(x.name) for x in free_symbols(outputs)}
        known = {x: expression(size) for x, size in sizes.items() if size is not None}
        inputs = tuple((STATE if x == "y" else x, names) for x, names in given.inputs)
        outputs = tuple(substitute(expressions(outputs), known))
        return replace(given, inputs=inputs, outputs=outputs)

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """Functions of (y, t) in straight-line code, by name."""
        if self.engine is not None:
            names = list(self.all_parameters)
            every = kernel("all_parameters", (), expressions([symbol(x) for x in names]))
            built = {"all_parameters": every}
            if values := [x.value for x in self.engine.values]:
                built["contact_values"] = kernel("contact_values", (), expressions(values))
            return {name: self.written(x) for name, x in built.items()} | self._output_kernels
        built = {name: self.written(build()) for name, build in self.motion.needed.items()}
        return built | self._output_kernels

    @property
    def _output_kernels(self) -> dict[str, Kernel]:
        values = [x.value for x in self.outputs]
        if not values:
            return {}
        opened = constraints_of(self.system).opened(expressions(values))
        return {"outputs": self.written(kernel("outputs", inputs_of_state(self.system), opened))}

    @cached_property
    def outputs(self) -> list[Output]:
        """Chosen outputs: points, energies, forces of imposed motions."""
        return [output for name in self.chosen for output in self.output(name)]

    def output(self, name: str) -> list[Output]:
        """The numbers of a chosen output."""
        if name in ENERGIES:
            (value,) = flat(FUNCTIONS[name].build(self.system))
            return [Output(name, "J", ENERGIES[name], value)]
        if name.startswith(REACTION):
            return self._reaction(name.removeprefix(REACTION))
        if name in self.mechanism.points:
            point = self.mechanism.points[name]
            frame = places_of(self.system).frame(point.body)
            place = frame.p + frame.R.matrix @ np.array(point.position, dtype=object)
            return [
                Output(f"{name}.{axis}", "m", say("point {name} along {axis}", name, axis), x)
                for axis, x in zip(_AXES, expressions(list(place)), strict=True)
            ]
        row = constraints_of(self.system).owners.index(name)
        if row not in self.motion.rows.selected:
            problem = say('the force of the motion "{name}" is not unique.', name)
            raise ModelError(self.place, problem)
        force = self.motion.accelerations[1][self.motion.rows.selected.index(row)]
        unit = self.drive_unit(name)
        return [Output(f"{name}.force", unit, say("force of the motion {name}", name), force)]

    def _reaction(self, joint: str) -> list[Output]:
        """Force and couple of a joint on its second body, in ground axes, at its frame's origin."""
        rows, count = self.begin.rows, len(constraints_of(self.system).owners)
        if self.engine is not None or rows.rank < count:
            raise ModelError(
                self.place,
                say('the reaction of "{joint}" is not unique, or contacts share it.', joint),
                say("Leave it out of the outputs; run.reaction gives the one of least norm."),
            )
        a, forces = self.motion.accelerations
        multipliers = np.full(count, ZERO, dtype=object)
        multipliers[list(rows.selected)] = forces
        place = wrench_names(self.system).index(joint)
        wrench = expressions(joint_wrenches(self.system, multipliers))[place][:6]
        known = dict(zip(self.system.a, a, strict=True))
        values = smoothed(substitute(expressions(list(wrench)), known))
        meaning = say("reaction of {joint}", joint)
        labels = [(f"F{x}", "N") for x in _AXES] + [(f"C{x}", "N.m") for x in _AXES]
        return [
            Output(f"{joint}.{label}", unit, meaning, x)
            for (label, unit), x in zip(labels, values, strict=True)
        ]

    def drive_unit(self, name: str) -> str:
        """Unit of the force of an imposed motion."""
        coordinate = getattr(self.mechanism.motions[name], "coordinate", "")
        units = state_units(self.mechanism)
        return force_unit(units[coordinate]) if coordinate in units else ""


def fmu_model(
    mechanism: Mechanism,
    actuators: Sequence[str] | None,
    outputs: Sequence[str] | None,
    initial: Mapping[str, Any] | None,
    parameters: Mapping[str, float] | None,
    place: str = "fmu",
) -> FmuModel:
    """The mechanism with inputs at its start; what cannot be an FMU is refused."""
    if parameters:
        mechanism = valued(mechanism, given_parameters(mechanism, parameters))
    names = actuator_names(actuators)
    model = moving_model(compiled_at(mechanism).once(WithInputs(names)), {})
    begin = joint_start(model, Beginning(given_state(model.mechanism, initial or {}), 0.0))
    if begin.rows.repeating:
        problem = say("its closed loops repeat each other, and Torseur chooses their rows anew.")
        advice = say("Remove what repeats, such as a parallel bar, or simulate it with Torseur.")
        raise ModelError(place, problem, advice)
    if not JointFormulation.suits(begin):
        raise ModelError(
            place,
            say("its equations are too long for straight-line code."),
            say("Export a smaller mechanism, or simulate it with Torseur."),
        )
    return FmuModel(model, begin, _outputs(model.mechanism, outputs, place), place)


def _outputs(mechanism: Mechanism, given: Sequence[str] | None, place: str) -> tuple[str, ...]:
    """Names of outputs; by default points, energies and forces of imposed motions."""
    driven = []
    if not elements(mechanism):
        driven = [n for n, x in mechanism.motions.items() if isinstance(x.rows, ExpressionRow)]
    known = (*mechanism.points, *ENERGIES, *driven)
    if given is None:
        return known
    listed = (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))
    known = (*known, *(f"{REACTION}{x}" for x in mechanism.joints))
    for name in listed:
        if name not in known:
            raise unknown(place, "output", name, known)
    return listed
