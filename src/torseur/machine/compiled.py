"""A mechanism compiled: functions of arrays, one state or many, parameters changed at will."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.brief import shortened
from torseur.equations.constraints.constraint_rows import Constraints, constraints_of
from torseur.equations.functions.closed_system import BUILDS
from torseur.equations.functions.held_rows import Rows, share
from torseur.equations.functions.placed import named_function
from torseur.equations.functions.regressor import INERTIAL, Column, inertial_values
from torseur.equations.symbols.system import System, signal_names
from torseur.errors import ModelError, without_value
from torseur.language.text.given import given_parameters
from torseur.machine.closed_functions import closed_function
from torseur.machine.collision.distances import distance, nearest
from torseur.machine.evaluator import Evaluator
from torseur.machine.machine_code import (
    Evaluators,
    MachineCode,
    of_acceleration,
    of_forces,
    of_held_position,
    of_motion,
    of_moving_place,
    of_multipliers,
    of_place,
    of_position,
    of_turned_place,
)
from torseur.machine.native import compiled_function, with_time
from torseur.machine.setting import Setting
from torseur.machine.sizes import Sizes
from torseur.machine.tree.evaluator import is_restrained
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.model.values.numeric import first_order_start, with_numbers
from torseur.once import once
from torseur.topology.structure import state_names
from torseur.words.sentence import say

Array = np.ndarray
T = TypeVar("T")


@final
class CompiledModel:
    """The functions of a mechanism as machine code.

    Each takes arrays of shape (n,) for one state, or (N, n) for a batch, in the order of
    `coordinates` (q) and `speeds` (v, a, Q), in SI units; one that depends on time takes t last.
    `threads` splits a batch; `parameters` gives values that differ from row to row. A function is
    compiled when it is first used, and is then a built-in function of this model.

    M a + bias + gravity = applied + Q: `applied` is what the description does (motors, friction,
    springs, loads), Q what the caller applies on top. `forward_dynamics(q, v, Q)` solves for a,
    `inverse_dynamics(q, v, a)` gives Q. Where loops close, q must close them: forward_dynamics
    finds the forces of the constraints too, and inverse_dynamics(q, v, a, actuators=["alpha"]) the
    forces along those coordinates only, the smallest where they are more than needed.

    Functions of a place take its name first: `pose("tool", q)`. Six numbers of a motion are (ω; v),
    those of what acts (couple; force).
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        parameters: Mapping[str, float] | None = None,
        shared: Evaluators | None = None,
        fixed: Mapping[str, float] | None = None,
    ) -> None:
        self.mechanism = mechanism
        self.fixed = dict(fixed or {})
        self.parameters = values(mechanism.parameter_table, parameters)
        self._given = dict(parameters or {})
        self._evaluators = Evaluators(mechanism) if shared is None else shared
        self.signals: tuple[Array, Array] | None = None
        self._timed: dict[str, Callable[..., Any]] = {}

    def __repr__(self) -> str:
        given = "".join(f", {name}={value:g}" for name, value in self._given.items())
        state = ", ".join((*self.coordinates, *self.speeds))
        return f'<CompiledModel of "{self.mechanism.name}": {shortened(state)}{shortened(given)}>'

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(CompiledModel, parameters=self._given, fixed=self.fixed), (self.mechanism,)

    def __deepcopy__(self, _: dict[int, Any]) -> CompiledModel:
        return self

    @property
    def system(self) -> System:
        """The tree and the symbols; built when machine code is not found in the cache."""
        return self._evaluators.system

    @property
    def given(self) -> dict[str, float]:
        """The parameters whose values were given here, instead of those of the mechanism."""
        return dict(self._given)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """The order of q."""
        return state_names(self.mechanism)[0]

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """The order of v, a and Q."""
        return state_names(self.mechanism)[1]

    def with_parameters(self, **new: float | str) -> CompiledModel:
        """A model with other parameter values that shares the machine code of this one.

        They are numbers in SI or texts with a unit. Values that a description could not have are
        refused as there: a mass below zero, a number that is not finite.
        """
        self.require_changeable(new)
        numbers = given_parameters(self.mechanism, new)
        self._evaluators.checks.require(self._given | numbers, of=numbers)
        return self.tried(**numbers)

    def tried(self, **new: float) -> CompiledModel:
        """A model with other parameter values, unchecked; this model if none are given."""
        if not new:
            return self
        self.require_changeable(new)
        return self._sibling(self._given | new)

    def require_changeable(self, names: Iterable[str]) -> None:
        """Raise if values of parameters are part of the code."""
        _require_changeable(self.fixed, names)

    def once(self, make: Callable[[Mechanism], T]) -> T:
        """Result of `make` for the mechanism, computed once for all values of its parameters."""
        return self._evaluators.once(make)

    def value(self, name: str, make: Callable[[], T]) -> T:
        """Result of `make` for this model at its parameters, computed once under a name."""
        known: dict[str, T] = self.__dict__
        if name not in known:
            known[name] = make()
        return known[name]

    @cached_property
    def setting(self) -> Setting:
        """The parameters of functions, and why a call has no result."""
        # functions hold their setting, which must not hold the model that holds them
        mechanism, given, shared, fixed = self.mechanism, self._given, self._evaluators, self.fixed

        def tried(values: Mapping[str, float]) -> CompiledModel:
            both = given | dict(values)
            return CompiledModel(mechanism, parameters=both, shared=shared, fixed=fixed)

        return Setting(mechanism, self.parameters, tried, partial(_require_changeable, fixed))

    def function(self, name: str) -> Callable[..., Any]:
        """One of the functions by name; one of a place as "pose:tool", "jacobian:tool:body"."""
        named_function(name, self.mechanism)
        # where they are found before the methods of the same names
        known: dict[str, Callable[..., Any]] = self.__dict__
        if name not in known and name in BUILDS and is_restrained(self.mechanism):
            known[name] = closed_function(self, name)
        if name not in known:
            known[name] = compiled_function(*self.kernel(name), self.setting)
        return known[name]

    # --- where loops close ----------------------------------------------------------------------

    def call_by(self, name: str, function: Callable[..., Any]) -> None:
        """Let a function be called directly where it is known by its name."""
        self.__dict__[name] = function

    def closed_code(
        self, name: str, rows: Rows, actuators: tuple[str, ...]
    ) -> tuple[Evaluator, Array]:
        """A function of a mechanism with loops held by rows of J, and the parameters it takes."""
        code = self._evaluators.closed(name, rows, actuators)
        return code, self.numbers(code)

    def kernel(self, name: str) -> tuple[Evaluator, Array]:
        """One of the functions as machine code, and the parameters it takes."""
        code = self._evaluators[name]
        return code, self.numbers(code)

    def timed(self, name: str) -> Callable[..., Any]:
        """One of the functions, called with t last whether or not it depends on time.

        t is a number, or one for each state of a batch. A few states are taken one by one. What is
        given while the mechanism moves is read from the `signals` at t.
        """
        if name in self._timed:
            return self._timed[name]
        takes_time, takes_signals = (self._takes(name, letter) for letter in "tu")
        at_time = with_time(self.function(name), takes_time)
        if takes_signals:
            return lambda *arrays: at_time(*arrays, after=(self._given_at(arrays[-1]),))
        return self._timed.setdefault(name, at_time)

    def takes_time(self, name: str) -> bool:
        """Whether a function depends on time; t is then an argument after the others."""
        return self._takes(name, "t")

    def _takes(self, name: str, letter: str) -> bool:
        return any(symbol == letter for symbol, _ in self._evaluators[name].inputs)

    def _given_at(self, t: Any) -> Array:
        """Signals at times; where none are known, zeros and initial values of states."""
        if self.signals is None:
            start = first_order_start(self.mechanism, self.parameters)
            first = [start.get(name, 0.0) for name in signal_names(self.mechanism)]
            return np.broadcast_to(first, (*np.shape(t), len(first)))
        times, values = self.signals
        return np.asarray(values[np.searchsorted(times, np.asarray(t), side="right") - 1])

    def with_signals(self, t: Array, values: Array) -> CompiledModel:
        """A model with signals (times, inputs), each of which holds until the next."""
        order = np.argsort(t, kind="stable")
        model = self._sibling(self._given)
        model.signals = (t[order], values[order])
        return model

    def _sibling(self, given: Mapping[str, float]) -> CompiledModel:
        """Another model with the same code."""
        shared, fixed = self._evaluators, self.fixed
        return CompiledModel(self.mechanism, parameters=given, shared=shared, fixed=fixed)

    @cached_property
    def constraints(self) -> Constraints:
        """The rows of J, γ and the gap as expressions, and what they belong to."""
        return constraints_of(self.system)

    @cached_property
    def sizes(self) -> Sizes:
        """Characteristic sizes of coordinates, speeds and constraints at these parameters."""
        return Sizes(self)

    def motion(self, rows: Rows) -> dict[str, Evaluator]:
        """Code that integrators call."""
        return self._evaluators.motion(rows)

    def rate_derivative(self, rows: Rows) -> Evaluator | None:
        """∂ẏ/∂y for implicit integrators; None where its code would be too long."""
        return self._evaluators.rate_derivative(rows)

    def numbers(self, code: Evaluator) -> Array:
        """The values of the parameters a function needs, sizes of rows included."""
        known = {name: self._number(name) for name in code.parameters}
        self.require_values(known)
        return np.array(list(known.values()), dtype=float)

    def require_values(self, known: Mapping[str, float | None]) -> None:
        """Raise if parameters have no value."""
        if missing := [name for name, value in known.items() if value is None]:
            advice = say("Give them: with_parameters({missing}=1.0, …).", missing[0])
            raise without_value(f'mechanism "{self.mechanism.name}"', missing, advice)

    def _number(self, name: str) -> float | None:
        if name in self.parameters:
            return self.parameters[name]
        return (
            self.sizes.number(name) if share(name) is None else np.nan
        )  # not known before a motion

    # --- the functions: what each takes; the catalogue says what it gives ---------------------

    inverse_dynamics = MachineCode(of_acceleration)
    forward_dynamics = MachineCode(of_forces)
    tree_inverse_dynamics = MachineCode(of_acceleration)
    tree_forward_dynamics = MachineCode(of_forces)
    mass_matrix = MachineCode(of_position)
    bias = MachineCode(of_motion)
    gravity = MachineCode(of_position)
    applied = MachineCode(of_motion)
    applied_stiffness = MachineCode(of_motion)
    moving_forces = MachineCode(of_motion)
    rates = MachineCode(of_motion)
    power = MachineCode(of_motion)
    powers = MachineCode(of_motion)
    constraint_jacobian = MachineCode(of_position)
    constraint_rate = MachineCode(of_position)
    constraint_bias = MachineCode(of_motion)
    closure_gap = MachineCode(of_position)
    closing_motions = MachineCode(of_motion)
    closing_accelerations = MachineCode(of_acceleration)
    joint_wrenches = MachineCode(of_multipliers)
    pushed_apart = MachineCode(of_held_position)
    kinetic_energy = MachineCode(of_motion)
    potential_energy = MachineCode(of_position)
    regressor = MachineCode(of_acceleration)
    inverse_dynamics_derivatives = MachineCode(of_acceleration)
    forward_dynamics_derivatives = MachineCode(of_forces)
    inverse_dynamics_tangent_derivatives = MachineCode(of_acceleration)
    forward_dynamics_tangent_derivatives = MachineCode(of_forces)
    coriolis_matrix = MachineCode(of_motion)
    body_places = MachineCode(of_position)
    speed_axes = MachineCode(of_position)
    centre_of_mass = MachineCode(of_position)
    centroidal_matrix = MachineCode(of_position)
    centroidal_momentum = MachineCode(of_motion)

    # --- functions of a place, a frame, a point or a body by name; of two bodies by their shapes --

    pose = MachineCode(of_place, placed=True)
    point = MachineCode(of_place, placed=True)
    jacobian = MachineCode(of_turned_place, placed=True)
    pose_and_jacobian = MachineCode(of_place, placed=True)
    jacobian_rate = MachineCode(of_moving_place, placed=True)
    operational_inertia = MachineCode(of_turned_place, placed=True)
    inverse_operational_inertia = MachineCode(of_turned_place, placed=True)
    distance = distance
    nearest = nearest

    # --- the columns of the regressor ----------------------------------------------------------

    @property
    def inertial_names(self) -> tuple[str, ...]:
        """The inertial parameters: ten a body, about the origin and in the axes of its frame."""
        return tuple(f"{name} of {link.name}" for _, link in self.system.tree for name in INERTIAL)

    @property
    def inertial_parameters(self) -> Array:
        """The values of `inertial_names`, with which `regressor_parameters` begins."""
        return self._numbers_of(inertial_values(self.system.tree))

    @property
    def regressor_names(self) -> tuple[str, ...]:
        """The columns of the regressor: inertial parameters, rotors, friction, coefficients of
        forces; a force that is not proportional to its coefficients is a column itself."""
        return tuple(column.name for column in self._evaluators.columns)

    @property
    def regressor_parameters(self) -> Array:
        """π, in the order of `regressor_names`: regressor(q, v, a) @ π is the inverse dynamics.

        The parameter of a column that is a whole force is 1.
        """
        return self._numbers_of([column.value for column in self._evaluators.columns])

    @property
    def regressor_columns(self) -> tuple[Column, ...]:
        """Columns of the regressor, with values as expressions and a mark for whole forces."""
        return tuple(self._evaluators.columns)

    def _numbers_of(self, outputs: Sequence[Any]) -> Array:
        """Expressions of the parameters as numbers."""
        needed = {x.name: self.parameters[x.name] for x in free_symbols(list(outputs))}
        return np.array([float(x) for x in evaluate(list(outputs), needed)])


def _require_changeable(fixed: Mapping[str, float], names: Iterable[str]) -> None:
    for name in names:
        if name in fixed:
            problem = say("its value {value:g} is part of the code.", fixed[name])
            advice = "Compile the mechanism again at other values, or without fixed=True."
            raise ModelError(f'parameter "{name}"', problem, advice)


def compiled_at(
    mechanism: Mechanism | CompiledModel, parameters: Mapping[str, float] | None = None
) -> CompiledModel:
    """Compiled model of a mechanism, at other values of parameters if they are given.

    The mechanism keeps its model: code, symbols, sizes and numbers are computed once.
    """
    model = mechanism if isinstance(mechanism, CompiledModel) else once(CompiledModel)(mechanism)
    if not parameters:
        return model
    model.require_changeable(parameters)
    return model.with_parameters(**given_parameters(model.mechanism, parameters))


def compile(
    mechanism: Mechanism,
    functions: Sequence[str] = (),
    *,
    parameters: Mapping[str, float] | None = None,
    fixed: bool = False,
) -> CompiledModel:
    """The compiled model of a mechanism; `functions` are compiled at once, others when called.

    `parameters` are values of parameters. With `fixed`, all values are part of the code: what is
    zero is left out, the code is shorter, and other values need other code.
    """
    model = compiled_at(mechanism, parameters)
    if fixed:
        numbers = with_numbers(mechanism, model.given)  # refuses parameters without a value
        known = {name: x for name, x in model.parameters.items() if x is not None}
        model = CompiledModel(numbers, fixed=known)
    for name in functions:
        model.function(name)
    return model
