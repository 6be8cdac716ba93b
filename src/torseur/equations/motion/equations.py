"""Equations of motion: M a + h + g = Q, as expressions that can be read, evaluated and exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.count import Operations
from torseur.algebra.forms.program import Program, program
from torseur.equations.actions.sliding import SlidingFriction
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.constraint_rows import Held, constraints_of
from torseur.equations.motion.dependent import ReducedEquations, reduced
from torseur.equations.motion.formulas import Formulas, formulas_of
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, require_known, unknown, without_value
from torseur.model.contact.of_forces import reactions_in
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.parameters import values
from torseur.notices import noticed
from torseur.words.sentence import say

Array = np.ndarray
NAMES = ("M", "h", "g", "Q", "J", "gamma")


@final
@dataclass(frozen=True)
class Evaluated:
    """The equations at one state, as float arrays."""

    _repr_html_ = notebook.html

    M: Array
    h: Array
    g: Array
    Q: Array
    J: Array
    gamma: Array


@final
@dataclass(frozen=True, eq=False)
class Equations:
    """M(q) a + h(q, v) + g(q) = Q + Jᵀ λ, J a + γ = 0.

    Rows are in the order of `speeds`. g is the gravity term, h gathers the velocity terms, Q what
    the user applies (motors, friction, loads). J and γ belong to the joints that close loops.
    `tables` holds what a formalism computes besides, under the names of its source.
    """

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    system: System
    formalism: str
    M: Array
    h: Array
    g: Array
    Q: Array
    inverse_dynamics: Array  # M a + h + g, by the shortest route
    hints: Mapping[int, str] = field(default_factory=dict)  # names of intermediate nodes
    tables: Mapping[str, Any] = field(default_factory=dict)
    given_constraints: GivenConstraints | None = None  # in other speeds than those of the tree
    friction: SlidingFriction | None = None  # of what slides, which is in Q
    # the same with letters for gravity, masses and moments that are given as numbers
    lettered: Callable[[], Equations] | None = field(default=None, repr=False, compare=False)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q, in order."""
        return self.system.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of v, in order: those of the rows of the equations."""
        return self.system.speeds

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names that the mechanism uses: no intermediate is given one of them.

        Parameters, coordinates, speeds, and the reactions that forces depend on.
        """
        given = (*self.system.mechanism.parameter_table, *self.coordinates, *self.speeds)
        return (*given, *reactions_in(self.Q))

    @cached_property
    def constraints(self) -> Held:
        """The rows of J and γ and what they belong to."""
        given = self.given_constraints
        return constraints_of(self.system) if given is None else given

    @property
    def J(self) -> Array:
        """The constraint Jacobian: 6 − n rows for each joint that closes a loop, then relations."""
        return self.constraints.J

    @property
    def gamma(self) -> Array:
        """The constraint accelerations at a = 0."""
        return self.constraints.bias

    def reduced(self, independent: Sequence[str] = ()) -> ReducedEquations:
        """The equations in independent speeds only, without multipliers."""
        return reduced(self.system, self.constraints, self._matrices, independent)

    @property
    def _matrices(self) -> tuple[Array, Array, Array, Array]:
        return self.M, self.h, self.g, self.Q

    def program(self, of: Sequence[str] = ("M", "h", "g", "Q")) -> Program:
        """The named outputs as assignments; "inverse_dynamics" and the tables are outputs too."""
        return self._program({name: self.output(name) for name in of}, self.hints)

    def printed(self, of: Sequence[str] = ("M", "h", "g", "Q")) -> Program:
        """Program as printed: identically zero expressions are 0, named products are used."""
        from torseur.algebra.forms.condensed import printed_outputs

        return self._program(*printed_outputs({name: self.output(name) for name in of}, self.hints))

    def _program(self, outputs: Mapping[str, Any], hints: Mapping[int, str]) -> Program:
        return program(outputs, hints, self.symbols)

    def formulas(self) -> Formulas:
        """The equations as a book writes them: one line for each coordinate, then the loops."""
        return formulas_of(self.system, self.formalism, self._matrices, self.constraints)

    def solved(self, *, reactions: bool = False) -> Formulas:
        """The equations solved for the accelerations, one in each line, and where they hold.

        With `reactions`, for the reactions of constraints and the friction of what slides too: no
        line has another unknown.
        """
        given = (self.system, self.formalism, self._matrices, self.constraints)
        return formulas_of(*given, solved=True, reactions=reactions, friction=self.friction)

    def output(self, name: str) -> Any:
        """One output by name."""
        if name in (*NAMES, "inverse_dynamics"):
            return getattr(self, name)
        if name not in self.tables:
            known = [*NAMES, "inverse_dynamics", *self.tables]
            raise unknown("equations", "output", name, known)
        return self.tables[name]

    @cached_property
    def operations(self) -> Operations:
        """The run-time cost of M, h, g and Q together."""
        return self.program().operations

    def evaluate(
        self,
        q: Any = None,
        v: Any = None,
        a: Any = None,
        parameters: Mapping[str, float] | None = None,
        t: float = 0.0,
    ) -> Evaluated:
        """M, h, g, Q … at a state; what is not given is zero. q and v may be dicts by name."""
        given = self._values(q, v, a, parameters, [self.output(name) for name in NAMES])
        given |= {TIME.name: t}
        return Evaluated(*(_floats(evaluate(self.output(name), given)) for name in NAMES))

    def forces(
        self, q: Any, v: Any, a: Any, parameters: Mapping[str, float] | None = None
    ) -> Array:
        """Inverse dynamics at a state: M a + h + g."""
        given = self._values(q, v, a, parameters, [self.inverse_dynamics])
        return _floats(evaluate(self.inverse_dynamics, given))

    def _values(
        self,
        q: Any,
        v: Any,
        a: Any,
        parameters: Mapping[str, float] | None,
        outputs: Sequence[Array],
    ) -> dict[str, Any]:
        """The value of every symbol the outputs need, or which parameter has none."""
        mechanism = self.system.mechanism
        known: dict[str, Any] = dict(values(mechanism.parameter_table, parameters))
        states = mechanism.states.items()
        known |= {name: float(evaluate(x.initial, known)) for name, x in states}
        known |= _state("q", q, self.coordinates)
        known |= _state("v", v, self.speeds)
        known |= _state("a", a, [f"{name}." for name in self.speeds]) | {TIME.name: 0.0}
        needed = {x.name for output in outputs for x in free_symbols(output)}
        missing = sorted(name for name in needed if known.get(name) is None)
        if missing:
            advice = say("Give them: evaluate(…, parameters={{'{missing}': 1.0, …}}).", missing[0])
            raise without_value(f'mechanism "{mechanism.name}"', missing, advice)
        return known

    def save(self, path: str | Path) -> Path:
        """Write the equations with their mechanism as JSON, which `load_equations` reads back."""
        from torseur.equations.motion.equations_writer import save_equations

        return save_equations(path, **{x.name: getattr(self, x.name) for x in fields(self)})

    @property
    def in_letters(self) -> Equations:
        """Equations with g, m_rod, … for numbers, as on pages."""
        return self if self.lettered is None else self.lettered()

    def __str__(self) -> str:
        notices = noticed(notice_of_left_out(self.system.mechanism))
        return "\n".join([self.in_letters.formulas().text(), *notices])

    def __repr__(self) -> str:
        name, speeds = self.system.mechanism.name, ", ".join(self.speeds)
        return f'<Equations of "{name}" by {self.formalism}: {speeds}>'

    def to_sympy(self) -> dict[str, Any]:
        """M, h, g and Q as SymPy matrices, whose symbols are found by name: q1, q1_dot."""
        from torseur.algebra.exchange import to_sympy

        arrays = {name: self.output(name) for name in ("M", "h", "g", "Q")}
        symbols = free_symbols([x for array in arrays.values() for x in array.flat])
        return {name: to_sympy(array, beside=symbols) for name, array in arrays.items()}

    def text(self, of: Sequence[str] = ("M", "h", "g", "Q")) -> str:
        """The program of the equations: named intermediates, results, and what they cost."""
        from torseur.algebra.forms.listing import text_listing

        states = self.system.mechanism.states.items()
        rates = [f"{name}. = {x.rate}" for name, x in states]
        return "\n".join([text_listing(self.printed(of)), *rates])

    def latex(self, of: Sequence[str] = ("M", "h", "g", "Q")) -> str:
        """Listing in LaTeX."""
        from torseur.algebra.forms.listing import latex_listing

        return latex_listing(self.printed(of))


def _floats(result: Any) -> Array:
    return np.asarray(result, dtype=float)


def _state(letter: str, given: Any, names: Sequence[str]) -> dict[str, Any]:
    """Values by name, from an array in the order of the names, a dict, or nothing (zeros)."""
    if given is None:
        return dict.fromkeys(names, 0.0)
    if isinstance(given, Mapping):
        require_known(letter, "coordinate", given, names)
        return {name: float(given.get(name, 0.0)) for name in names}
    array = np.asarray(given, dtype=float)
    if array.shape != (len(names),):
        problem = say(
            "expected {number} values, got an array of shape {shape}.", len(names), array.shape
        )
        raise ModelError(letter, problem, say("In this order: {names}.", ", ".join(names)))
    return dict(zip(names, array, strict=True))
