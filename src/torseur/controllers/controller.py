"""A controller: a law that knows a mechanism, for the loop, for a call, and for other languages."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.functions.kernel import Kernel, kernel, require_free, smoothed
from torseur.equations.symbols.system import System, require_rates, system
from torseur.errors import ModelError, require_known, without_value
from torseur.export.export import LawEntries, export_kernel
from torseur.language.text.given import given_parameters
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function
from torseur.model.checks.given_values import valued
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.model.values.numbers import values_of
from torseur.words.sentence import say

Array = np.ndarray
FORCES = "forces along the actuators"
KNOWN = "_model"  # what the names of a law's own parameters of a mechanism end with


@final
@dataclass(frozen=True, eq=False)
class Controller:
    """Forces along speeds, as expressions of the state, the time and the memory.

    It has its own copy of the mechanism it knows: `parameters` holds gains, and under names such as
    `m1_model` the values it believes in, all of which a run may change. `simulate(…, control=law)`
    runs it as machine code; `law(t, q, v)` is the same as a function; `law.export("c")` writes it.
    Two controllers add up.
    """

    name: str
    mechanism: Mechanism  # the one it knows
    forces: Mapping[str, Expr]  # by speed
    parameters: Mapping[str, float]
    memory: Mapping[str, float] = field(default_factory=dict)  # first values
    remembered: Mapping[str, Expr] = field(default_factory=dict)  # next values

    def __repr__(self) -> str:
        along = ", ".join(x.removesuffix(".") for x in self.forces)
        return f'<Controller {self.name} of "{self.mechanism.name}" along {along}>'

    def __reduce__(self) -> tuple[Any, ...]:
        return Controller, tuple(getattr(self, x.name) for x in fields(self))

    def __add__(self, other: Controller) -> Controller:
        if not isinstance(other, Controller):
            return NotImplemented
        forces = dict(self.forces)
        for speed, force in other.forces.items():
            forces[speed] = forces[speed] + force if speed in forces else force
        return Controller(
            f"{self.name} + {other.name}",
            self.mechanism,
            forces,
            _both(self.parameters, other.parameters),
            _both(self.memory, other.memory),
            {**self.remembered, **other.remembered},
        )

    @property
    def actuators(self) -> tuple[str, ...]:
        """The order of the forces of a call: the mechanism's `inputs`, or all its speeds."""
        return tuple(x.removesuffix(".") for x in self._speeds)

    @property
    def _speeds(self) -> tuple[str, ...]:
        known = self.mechanism.every_speed
        return tuple(x for x in self.mechanism.inputs if x in known) or self._system.speeds

    @cached_property
    def _system(self) -> System:
        return system(self.mechanism)

    def commands(self, system: System) -> dict[str, Expr]:
        """Forces and what is to be remembered, in the coordinates of a system."""
        result = {**self.forces, **self.remembered}
        if not system.cuts:
            return result
        opened = constraints_of(system).opened
        return {name: opened(x) for name, x in result.items()}

    # --- as a function --------------------------------------------------------------------------

    @cached_property
    def kernel(self) -> Kernel:
        """The forces along the actuators, then what is to be remembered, of t, q, v and memory."""
        system, given = self._system, self.commands(self._system)
        for speed in self.forces:
            if speed not in self._speeds:
                raise ModelError(
                    "control",
                    say('"{speed}" is no actuator of "{name}".', speed, self.mechanism.name),
                    say("Actuators: {names}.", ", ".join(self.actuators)),
                )
        outputs = [*(given.get(x, 0) for x in self._speeds), *(given[x] for x in self.memory)]
        arguments = [("t", (TIME.name,)), ("q", system.coordinates), ("v", system.speeds)]
        if self.memory:
            arguments.append(("memory", tuple(self.memory)))
        return kernel("control", arguments, expressions(outputs))

    @cached_property
    def _function(self) -> Callable[..., Array]:
        keys = " ".join(str(x.key) for x in self.kernel.outputs)
        code = kernel_code(self.kernel, f"controller {self.kernel.inputs} {keys}")
        numbers = np.array([self.parameters[name] for name in code.parameters])
        return compiled_function(code, numbers)

    def __call__(self, t: float, q: Any, v: Any) -> Array:
        """The forces along the `actuators` at one instant."""
        if self.memory:
            raise ModelError(
                "control",
                say('the law remembers "{name}" from call to call.', next(iter(self.memory))),
                "Call one that does: f = law.running(); f(t, q, v).",
            )
        return self._function(np.array([float(t)]), q, v)

    def running(self) -> Running:
        """A function (t, q, v) → forces that remembers what the law has to remember."""
        return Running(self._function, len(self._speeds), self.memory)

    # --- as source ------------------------------------------------------------------------------

    def export(
        self, to: str, directory: str | os.PathLike[str] = ".", *, name: str = ""
    ) -> list[Path]:
        """The files written in `directory`: the law as a function in the language `to`.

        Its result is the forces along the actuators, then what is to be remembered, which is the
        argument `memory` of the next call.
        """
        values, called = LawEntries(self.parameters, self.memory), name or self.name
        return export_kernel(
            self._system, self.kernel, FORCES, to, directory, name=called, extras=values
        )


@final
class Running:
    """A law called from instant to instant, and what it remembers."""

    def __init__(
        self, function: Callable[..., Array], forces: int, memory: Mapping[str, float]
    ) -> None:
        self._function, self._forces, self._first = function, forces, dict(memory)
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next call is the first."""
        self._memory = np.array(list(self._first.values()))

    @property
    def memory(self) -> dict[str, float]:
        """Remembered values, by name."""
        return dict(zip(self._first, self._memory.tolist(), strict=True))

    def __call__(self, t: float, q: Any, v: Any) -> Array:
        remembered = [self._memory] if self._first else []
        result = self._function(np.array([float(t)]), q, v, *remembered)
        self._memory = result[self._forces :]
        return result[: self._forces]


def controller(
    name: str,
    mechanism: Mechanism,
    forces: Mapping[str, Any],
    gains: Mapping[str, float],
    memory: Mapping[str, float] | None = None,
    remembered: Mapping[str, Any] | None = None,
) -> Controller:
    """A controller of forces along speeds; parameters of the mechanism become its own."""
    listed = {**forces, **(remembered or {})}
    known = values(mechanism.parameter_table)
    used = [x for x in free_symbols(list(listed.values())) if x.kind == "parameter"]
    names = [x.name for x in used if x.name in known and x.name not in gains]
    missing = [x for x in names if known[x] is None]
    if missing:
        advice = say("Give them: parameters={{'{missing}': 1.0, …}}.", missing[0])
        raise without_value(f'mechanism "{mechanism.name}"', missing, advice)
    renamed = {symbol(x): symbol(x + KNOWN) for x in names}
    result = {key: substitute(expression(x), renamed) for key, x in listed.items()}
    believed = {x + KNOWN: float(known[x] or 0.0) for x in names}
    return Controller(
        name,
        mechanism,
        {key: result[key] for key in forces},
        {**gains, **believed},
        dict(memory or {}),
        {key: result[key] for key in (remembered or {})},
    )


def _both(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """The numbers of two laws; the same name must mean the same."""
    for name, value in second.items():
        if name in first and first[name] != value:
            raise ModelError(
                "control",
                say('one law has "{name}" = {first:g}, the other {value:g}.', name, first[name],
                    value),
                "Give both the same value, or gains by coordinate.",
            )  # fmt: skip
    return {**first, **second}


# --- a model known to a controller ----------------------------------------------------------------


@final
@dataclass(frozen=True)
class KnownModel:
    """A mechanism at the values that a law believes in."""

    mechanism: Mechanism

    @cached_property
    def system(self) -> System:
        """Its tree."""
        return system(self.mechanism)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates of all speeds, in order; each speed must be the rate of one."""
        require_rates(self.system, "control")
        return self.system.coordinates

    @property
    def free_coordinates(self) -> tuple[str, ...]:
        """Coordinates of a tree without constraints: forces are then known."""
        require_free(FUNCTIONS["inverse_dynamics"], self.system)
        return self.coordinates

    @property
    def initial_pose(self) -> dict[str, float]:
        """The initial values of the coordinates of the tree; zero where none are given."""
        number, given = values_of(self.mechanism), self.mechanism.initial
        return {x: float(number(given[x]) or 0.0) if x in given else 0.0 for x in self.coordinates}

    def function(self, name: str) -> Array:
        """A function of the catalogue as expressions, dry friction smoothed as in runs."""
        kernel = kernel_of(FUNCTIONS[name], self.system)
        return np.asarray(smoothed(np.array(kernel.outputs, dtype=object).reshape(kernel.shape)))

    def inverse_dynamics(self, q: Array, v: Array, a: Array) -> Array:
        """The forces that accelerate by a at q and v."""
        system = self.system
        known = zip((*system.q, *system.v, *system.a), (*q, *v, *a), strict=True)
        return np.asarray(substitute(self.function("inverse_dynamics"), dict(known)))

    def rows(self, names: tuple[str, ...]) -> tuple[Array, Array]:
        """Some coordinates, of closing joints too, and their rates."""
        require_known("reference", "coordinate", names, self.mechanism.every_coordinate)
        if any(f"{name}." not in self.mechanism.every_speed for name in names):
            require_rates(self.system, "control")
        q = np.array([symbol(name, "coordinate") for name in names], dtype=object)
        v = np.array([symbol(f"{name}.", "speed") for name in names], dtype=object)
        return q, v

    def law(self, name: str, names: tuple[str, ...], forces: Any, gains: Mapping[str, float],
            **memory: Any) -> Controller:  # fmt: skip
        """The controller of forces along coordinates."""
        along = {f"{x}.": force for x, force in zip(names, forces, strict=True)}
        return controller(name, self.mechanism, along, gains, **memory)


def known_model(mechanism: Mechanism, parameters: Mapping[str, float] | None) -> KnownModel:
    """The model of a mechanism at other values of parameters if they are given."""
    if parameters:
        mechanism = valued(mechanism, given_parameters(mechanism, parameters))
    return KnownModel(mechanism)
