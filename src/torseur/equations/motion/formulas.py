"""The equations of motion as a book writes them: a line for each coordinate, then the loops.

A line is M a + h = Q − g + Jᵀ λ with both sides as short as they get, divided by the parameters
that all its terms share. A distance |u| is written u or −u, as it is at the start, under a
condition that is told. A line that stays longer than a page is not written: the program is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import CONFIGURATION, ZERO, Expr, expression, number, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, reachable, substitute
from torseur.algebra.forms.count import count
from torseur.algebra.forms.equation import ReadEquation, read_equation
from torseur.algebra.forms.length import length
from torseur.algebra.forms.listing import entries
from torseur.algebra.forms.normal_form import Squares
from torseur.algebra.forms.readable import readable
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.rows import Constraints
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.formula_text import (
    LONGEST,
    Line,
    Lines,
    document_of,
    latex_of,
    text_of,
)
from torseur.equations.symbols.system import System, unit_quaternions
from torseur.model.parameters import values
from torseur.model.values.name_ranks import name_ranks

Array = np.ndarray
_MOST_NODES = 600  # of a line that can be that short
_ZERO = 1e-9
NOTHING: Mapping[str, Any] = {}


@final
@dataclass(frozen=True)
class Formulas:
    """The lines of a mechanism, what its loops ask, and under which conditions they hold."""

    name: str
    formalism: str
    written: Lines
    squares: Squares = field(default_factory=dict)
    sizes: Mapping[Expr, Expr] = field(default_factory=dict)  # |u| → u or −u

    @property
    def lines(self) -> tuple[Line, ...]:
        """The equation of each coordinate."""
        return self.written.equations

    @property
    def loops(self) -> tuple[Line, ...]:
        """What the loops and other constraints ask."""
        return self.written.loops

    @property
    def positive(self) -> tuple[Expr, ...]:
        """What must be positive for the lines to hold."""
        return self.written.positive

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        names = ", ".join(line.name for line in self.lines)
        return f'<Formulas of "{self.name}" by {self.formalism}: {names}>'

    def text(
        self, of: Mapping[str, Any] = NOTHING, *, ascii_only: bool = False, width: int = 100
    ) -> str:
        """One line for each equation, in Unicode or in plain letters that can be read back.

        `of` has arrays by name, such as {"M": equations.M}: their entries are written instead.
        """
        return text_of(self._asked(of), ascii_only=ascii_only, width=width)

    def latex(self, of: Mapping[str, Any] = NOTHING) -> str:
        """The same in an align* environment (package amsmath)."""
        return latex_of(self._asked(of))

    def _asked(self, of: Mapping[str, Any]) -> Lines:
        if not of:
            return self.written
        lines = tuple(self._entry(*entry) for name in of for entry in entries(name, of[name], {}))
        return Lines(lines, ranks=self.written.ranks)

    def _entry(self, name: str, x: Expr) -> Line:
        value, label = expression(self.read(x)), symbol(name)
        read = ReadEquation(label, value) if length(value) <= LONGEST else None
        return Line("", read, count([x]).total)

    @property
    def document(self) -> dict[str, Any]:
        """As plain data; formulas as text that can be read back."""
        return document_of(self.written)

    def read(self, outputs: Any) -> Any:
        """Other formulas of the same mechanism in the same way; long ones stay as they are."""
        return readable(substitute(outputs, self.sizes), self.squares)


def formulas_of(
    system: System,
    formalism: str,
    matrices: tuple[Array, Array, Array, Array],
    speeds: Sequence[str],
    held: Constraints | GivenConstraints,
) -> Formulas:
    """The lines of M a + h + g = Q + Jᵀ λ."""
    M, h, g, Q = matrices
    a = np.array([symbol(f"{name}.", "acceleration") for name in speeds], dtype=object)
    reactions = held.J.T @ held.unknowns if len(held.owners) else 0 * Q
    pairs = zip(M @ a + h, Q - g + reactions, strict=True)
    sides = [(expression(left), expression(right)) for left, right in pairs]
    loops = closure_lines(system, held)
    start = _Start(system)
    given = values(system.mechanism.parameter_table)
    divisors = {name for name, value in given.items() if value != 0}
    squares = unit_quaternions(system)

    def line(name: str, left: Expr, right: Expr) -> Line:
        operations = count([left, right]).total
        left, right = start.without_sizes(left), start.without_sizes(right)
        if len(reachable([left, right])) > _MOST_NODES:
            return Line(name, None, operations)
        read = read_equation(left, right, divisors, squares)
        again = start.without_sizes(read.left), start.without_sizes(read.right)
        if again != (read.left, read.right):
            more = read_equation(*again, divisors, squares)
            read = ReadEquation(more.left, more.right, more.factor * read.factor)
        return Line(name, read if read.length <= LONGEST else None, operations)

    rows = zip(speeds, sides, strict=True)
    lines = tuple(line(name.removesuffix("."), *pair) for name, pair in rows)
    asked = tuple(line(owner, zero, ZERO) for owner, zero in loops)
    positive = tuple(dict.fromkeys(readable(size) for size in start.sizes.values()))
    written = Lines(lines, asked, positive, name_ranks(system.mechanism))
    return Formulas(system.mechanism.name, formalism, written, squares, start.sizes)


@final
class _Start:
    """The mechanism where it starts: whether what stands between bars is positive there."""

    def __init__(self, system: System) -> None:
        mechanism = system.mechanism
        known: dict[str, Any] = dict.fromkeys(system.coordinates, 0.0)
        given = values(mechanism.parameter_table)
        known |= {name: 1.0 if value is None else value for name, value in given.items()}
        first = {k: expression(x) for k, x in mechanism.initial.items() if not k.endswith(".")}
        known |= {k: float(evaluate(x, known)) for k, x in first.items()}
        joints = dict.fromkeys(mechanism.coordinates, 0.0) | known
        known |= {x.name: float(evaluate(x.value, joints)) for x in mechanism.chosen.values()}
        self._known = known
        self.sizes: dict[Expr, Expr] = {}  # |u| → u or −u

    def without_sizes(self, x: Expr) -> Expr:
        """u or −u for |u|, and 1 or −1 for its sign, of positions; what is zero there stays."""
        changed: dict[Expr, Expr] = {}
        for size in reachable([x]):
            if size.op not in ("abs", "sign") or size.stage > CONFIGURATION:
                continue
            if not {y.name for y in free_symbols(size)} <= set(self._known):
                continue
            inner = size.args[0]
            value = float(evaluate(inner, self._known))
            if abs(value) > _ZERO:
                sign = 1 if value > 0 else -1
                self.sizes[abs(inner)] = sign * inner
                changed[size] = sign * inner if size.op == "abs" else number(sign)
        return expression(substitute(x, changed)) if changed else x
