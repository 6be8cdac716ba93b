"""The equations of motion as a book writes them: a line for each coordinate, then the loops.

A line is M a + h = Q − g + Jᵀ λ with both sides as short as they get, divided by the parameters
that all its terms share. A distance |u| is written u or −u, as it is at the start, under a
condition that is told; that between the ends of a rod is its length. A line that stays longer than
a page is not written: the program is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import reachable, substitute
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
from torseur.equations.motion.rod_lengths import rod_lengths
from torseur.equations.motion.signs_at_start import SignsAtStart
from torseur.equations.motion.solved_lines import solved
from torseur.equations.symbols.system import System, unit_quaternions
from torseur.model.parameters import values
from torseur.model.values.name_ranks import name_ranks

Array = np.ndarray
_MOST_NODES = 600  # of a line that can be that short
NOTHING: Mapping[str, Any] = {}


@final
@dataclass(frozen=True)
class Formulas:
    """The lines of a mechanism, what its loops ask, and under which conditions they hold."""

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

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
    pairs = zip(M @ _accelerations(speeds) + h, Q - g + _reactions(held, Q), strict=True)
    desk = _Desk(system, held)
    rows = zip(speeds, pairs, strict=True)
    lines = tuple(desk.line(name.removesuffix("."), *pair) for name, pair in rows)
    return desk.formulas(formalism, lines, held)


def solved_formulas_of(
    system: System,
    formalism: str,
    matrices: tuple[Array, Array, Array, Array],
    speeds: Sequence[str],
    held: Constraints | GivenConstraints,
) -> Formulas:
    """The same solved for the accelerations, one in each line; multipliers stay."""
    M, h, g, Q = matrices
    desk = _Desk(system, held)
    forces = desk.start.without_sizes(desk.with_rods(Q - g - h + _reactions(held, Q)))
    found = solved(desk.start.without_sizes(M), forces, desk.squares)
    lines, nonzero = [], dict[Expr, None]()
    for name, a, one in zip(speeds, _accelerations(speeds), found, strict=True):
        label = name.removesuffix(".")
        if one is None:
            lines.append(Line(label, None, count([*M.flat, *forces]).total))
            continue
        lines.append(desk.line(label, one.denominator * a, one.numerator))
        nonzero |= dict.fromkeys(one.shared)
    return desk.formulas(formalism, tuple(lines), held, tuple(nonzero))


def _accelerations(speeds: Sequence[str]) -> Array:
    return np.array([symbol(f"{name}.", "acceleration") for name in speeds], dtype=object)


def _reactions(held: Constraints | GivenConstraints, Q: Array) -> Array:
    """Jᵀ λ."""
    return held.J.T @ held.unknowns if len(held.owners) else 0 * Q


@final
class _Desk:
    """Where the lines of a mechanism are written: what they may be divided by, and its start."""

    def __init__(self, system: System, held: Constraints | GivenConstraints) -> None:
        self.system = system
        self.start = SignsAtStart(system)
        given = values(system.mechanism.parameter_table)
        self.divisors = {name for name, value in given.items() if value != 0}
        self.squares = unit_quaternions(system)
        self._rods = rod_lengths(held)

    def with_rods(self, outputs: Any) -> Any:
        """Formulas with the lengths of rods for the distances between their ends."""
        return substitute(outputs, self._rods) if self._rods else outputs

    def line(self, name: str, left: Any, right: Any) -> Line:
        """left = right as it is best read."""
        left, right = expression(left), expression(right)
        operations = count([left, right]).total
        left, right = self.start.without_sizes(self.with_rods([left, right]))
        if len(reachable([left, right])) > _MOST_NODES:
            return Line(name, None, operations)
        read = read_equation(left, right, self.divisors, self.squares)
        left, right = self.start.without_sizes([read.left, read.right])
        if (left, right) != (read.left, read.right):
            more = read_equation(left, right, self.divisors, self.squares)
            read = ReadEquation(more.left, more.right, more.factor * read.factor)
        return Line(name, read if read.length <= LONGEST else None, operations)

    def formulas(
        self,
        formalism: str,
        lines: tuple[Line, ...],
        held: Constraints | GivenConstraints,
        nonzero: tuple[Expr, ...] = (),
    ) -> Formulas:
        """The lines with what loops ask and the conditions on both."""
        mechanism = self.system.mechanism
        loops = closure_lines(self.system, held)
        asked = tuple(self.line(owner, zero, ZERO) for owner, zero in loops)
        written = Lines(lines, asked, self.start.positive, name_ranks(mechanism), nonzero)
        return Formulas(mechanism.name, formalism, written, self.squares, self.start.sizes)
