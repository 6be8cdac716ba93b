"""A function of a compiled model and its kernel: arrays in, one array out.

The parts of a kernel that depend on parameters only are computed once per parameter set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar, final

import numpy as np

from torseur.algebra.core.expr import PARAMETER, TIME, ZERO, Expr
from torseur.algebra.core.graph import expressions, flat, free_symbols, reachable, substitute
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.symbols.system import System, signal_names
from torseur.errors import ModelError
from torseur.model.contact.of_forces import REACTION
from torseur.model.joints.mesh_points import SIGNAL
from torseur.words.sentence import say

_MANY = 2000  # nodes, measured on arms and trees of 6 to 30 bodies
SLOW = Fraction(1, 10_000)  # below this speed dry friction is smoothed [rad/s or m/s]
Array = np.ndarray
Build = TypeVar("Build", bound=Callable[..., Any])


@final
@dataclass(frozen=True)
class Kernel:
    """A function of named arrays of symbols. Nodes of parameters only are its constants."""

    name: str
    inputs: tuple[tuple[str, tuple[str, ...]], ...]  # argument → names of its entries
    shape: tuple[int, ...]  # of the output
    outputs: tuple[Expr, ...]  # the output, flattened
    solves: bool = False  # whether a result that is not finite asks for its cause

    @cached_property
    def nodes(self) -> list[Expr]:
        """Every node of the outputs, each after its arguments, few values waiting for their use."""
        return reachable(self.outputs)

    @cached_property
    def levels(self) -> list[Expr]:
        """Nodes by height, so that neighbours do not wait for each other.

        Of many nodes, too many values would wait for their use: these come by need.
        """
        if len(self.nodes) > _MANY:
            return reachable(self.outputs, lowest_first=True)
        return sorted(self.nodes, key=lambda x: x.key)

    @cached_property
    def constants(self) -> tuple[Expr, ...]:
        """The nodes of parameters only that run-time nodes or outputs need, in order."""
        needed = {x.key: x for x in self.outputs if x.stage == PARAMETER}
        for x in self.nodes:
            if x.stage > PARAMETER:
                needed |= {a.key: a for a in x.args if a.stage == PARAMETER}
        return tuple(needed[key] for key in sorted(needed))

    @property
    def size(self) -> int:
        """The number of output entries."""
        return len(self.outputs)


def kernel(name: str, inputs: Sequence[tuple[str, Sequence[str]]], output: Any) -> Kernel:
    """The kernel of an output, an expression or an array of expressions."""
    arguments = tuple((argument, tuple(names)) for argument, names in inputs)
    return Kernel(name, arguments, np.shape(output), tuple(flat(output)))


def smoothed(outputs: Any) -> Any:
    """Expressions in which the sign of a speed is x/√(x² + ε²): a step that can be integrated."""
    signs = [x for x in reachable(flat(outputs)) if x.op == "sign" and _of_speeds(x)]
    soft = {x: x.args[0] / (x.args[0] ** 2 + SLOW**2).sqrt() for x in signs}
    return substitute(outputs, soft) if soft else outputs


def _of_speeds(x: Expr) -> bool:
    return any(y.kind == "speed" for y in free_symbols(x))


@final
@dataclass(frozen=True)
class Function:
    """A name, its arguments among q, v, a, Q and the multipliers L, and the recursion it runs."""

    name: str
    arguments: str
    build: Callable[..., Array]  # of a system; of a place and axes too where it is one of any place
    result: str  # what comes out, in words; {} stands for the place
    free: bool = False  # whether it has a meaning only where nothing restrains the tree
    solves: bool = False  # whether it divides by inertias, so that it may not be finite
    commanded: bool = False  # whether forces given while it moves count; elsewhere Q has them
    turned: bool = False  # whether its components may be in the axes of the place


def catalogued(
    table: dict[str, Function], name: str, arguments: str, result: str, **traits: bool
) -> Callable[[Build], Build]:
    """Put the builder that follows into a table of functions; `traits` are those of Function."""

    def listed(build: Build) -> Build:
        table[name] = Function(name, arguments, build, result, **traits)
        return build

    return listed


def kernel_of(function: Function, system: System) -> Kernel:
    """The kernel of a function of a system.

    One that depends on time takes t after its own arguments, one that counts what is given while
    the mechanism moves takes u last.
    """
    if function.free:
        require_free(function, system)
    rows = len(constraints_of(system).owners) if "L" in function.arguments else 0
    inputs = inputs_of(function, system.coordinates, system.speeds, rows)
    output = function.build(system)
    given = [x for x in system.signals if x.name not in system.mechanism.states]
    if given and not function.commanded:
        output = substitute(expressions(output), dict.fromkeys(given, ZERO))
    used = free_symbols(expressions(output))
    if TIME in used:
        inputs = (*inputs, ("t", (TIME.name,)))
    if any(x.kind == SIGNAL for x in used):
        inputs = (*inputs, ("u", signal_names(system.mechanism)))
    known = {name for _, listed in inputs for name in listed}
    for x in used:
        if x.kind == REACTION:
            problem = say(
                '{function} depends on the reaction "{x}", which is found with the motion.',
                function.name,
                x.name,
            )
            advice = "ts.simulate solves both together."
            raise ModelError(f'mechanism "{system.mechanism.name}"', problem, advice)
        if x.kind != "parameter" and x.name not in known:
            problem = say(
                '{function} depends on "{x}", which is not one of its arguments.',
                function.name,
                x.name,
            )
            advice = say("It is a function of {arguments}.", ", ".join(function.arguments))
            raise ModelError(f'mechanism "{system.mechanism.name}"', problem, advice)
    return replace(kernel(function.name, inputs, output), solves=function.solves)


def inputs_of(
    function: Function, coordinates: tuple[str, ...], speeds: tuple[str, ...], rows: int = 0
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The arguments of a function, each with the names of its entries; L only if there is any."""
    names = {
        "q": coordinates,
        "v": speeds,
        "a": tuple(f"{name}." for name in speeds),
        "Q": tuple(f"Q[{name}]" for name in speeds),
        "L": multiplier_names(rows),
    }
    listed = ((letter, names[letter]) for letter in function.arguments)
    return tuple((letter, entries) for letter, entries in listed if letter != "L" or rows)


def multiplier_names(rows: int) -> tuple[str, ...]:
    """A name for the multiplier of each constraint."""
    return tuple(f"lambda[{k}]" for k in range(rows))


def require_free(function: Function, system: System) -> None:
    """Where constraints act, their forces are unknown too: the cut tree alone says nothing."""
    owners = constraints_of(system).owners if system.constrained else ()
    if owners:
        raise ModelError(
            f'mechanism "{system.mechanism.name}"',
            say(
                '{function} would ignore "{owners}", whose forces are unknown too.',
                function.name,
                owners[0],
            ),
            "ts.simulate finds the motion, run.reaction and run.drive the forces. By hand, solve "
            "M a + h + g = applied + Q + Jᵀ λ, J a = −γ with mass_matrix, bias, gravity, applied, "
            "constraint_jacobian and constraint_bias.",
        )
