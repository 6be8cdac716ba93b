"""The equations of motion as a book writes them: a line for each coordinate, then the loops.

A line is M a + h = Q − g + Jᵀ λ with both sides as short as they get, divided by the parameters
that all its terms share. A distance |u| is written u or −u, as it is at the start, and the
condition is stated; that between the ends of a rod is its length. A line that stays longer than
a page is replaced by its program.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.algebra.forms.count import count
from torseur.algebra.forms.equation import ReadEquation, read_equation
from torseur.algebra.forms.length import length
from torseur.algebra.forms.listing import entries
from torseur.algebra.forms.normal_form import Squares
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import latex, unicode
from torseur.algebra.printing.breaking import aligned
from torseur.algebra.printing.latex_words import words
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.equations.actions.sliding import SlidingFriction
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.legend import Meaning, legend
from torseur.equations.motion.signs_at_start import SignsAtStart, rod_lengths
from torseur.equations.motion.solved_lines import (
    LARGEST_BLOCK,
    LARGEST_BORDERED,
    bordered,
    solved_lines,
)
from torseur.equations.symbols.system import System, unit_quaternions
from torseur.model.parameters import values
from torseur.model.values.named_numbers import name_ranks
from torseur.words.sentence import marked, said, say

Array = np.ndarray
LONGEST = 400  # signs of a line: about a page
_BREAKS = re.compile(r" (?=[-+−=] )")
_MOST_NODES = 600  # of a line that can be that short
_INDENT: Any = {"subsequent_indent": "    "}
NOTHING: Mapping[str, Any] = {}


@final
@dataclass(frozen=True)
class EquationLine:
    """An equation with its name; none if it is longer than a page."""

    name: str
    equation: ReadEquation | None
    operations: int  # of the whole line, as it is computed

    @property
    def label(self) -> str:
        """The name before the line; none where it is all of the left side."""
        first = self.equation.left if self.equation else ZERO
        return "" if first.op == "symbol" and first.name == self.name else self.name

    @property
    def too_long(self) -> str:
        """Replacement text for a line longer than a page."""
        return say(
            "longer than a page ({operations} operations, more than {most} signs): see the "
            "program.",
            self.operations,
            LONGEST,
        )


@final
@dataclass(frozen=True)
class Formulas:
    """The lines of a mechanism, what its loops ask, and under which conditions they hold."""

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    name: str
    formalism: str
    lines: tuple[EquationLine, ...]  # the equation of each coordinate, rates of first-order states
    loops: tuple[EquationLine, ...] = ()  # what the loops and other constraints ask
    positive: tuple[Expr, ...] = ()  # what must be positive for the lines to hold
    nonzero: tuple[Expr, ...] = ()  # what moves and the lines were divided by
    ranks: Ranks = field(default_factory=dict)
    squares: Squares = field(default_factory=dict)
    sizes: Mapping[Expr, Expr] = field(default_factory=dict)  # |u| → u or −u
    legend: tuple[Meaning, ...] = ()  # what the unknowns are

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        names = ", ".join(line.name for line in self.lines)
        return f'<Formulas of "{self.name}" by {self.formalism}: {names}>'

    def read(self, outputs: Any) -> Any:
        """Other formulas of the same mechanism in the same way; long ones stay as they are."""
        formulas = readable(substitute(outputs, self.sizes), self.squares)
        again = substitute(formulas, self.sizes)  # √(r² cos² θ + r² sin² θ) is |r|
        return formulas if np.all(again == formulas) else readable(again, self.squares)

    @property
    def short(self) -> Formulas:
        """Formulas with only the lines that fit on a page."""
        lines, loops = (tuple(x for x in rows if x.equation) for rows in (self.lines, self.loops))
        return replace(self, lines=lines, loops=loops)

    def of(self, arrays: Mapping[str, Any]) -> Formulas:
        """The entries of arrays, or formulas by name, instead of the lines, if there are any."""
        if not arrays:
            return self
        listed = (entry for name in arrays for entry in entries(name, arrays[name], {}))
        lines = tuple(self._entry(*entry) for entry in listed)
        return replace(self, lines=lines, loops=(), positive=(), nonzero=(), legend=())

    def _entry(self, name: str, x: Expr) -> EquationLine:
        value, label = expression(self.read(x)), symbol(name)
        read = ReadEquation(label, value) if length(value) <= LONGEST else None
        return EquationLine("" if read else name, read, count([x]).total)

    def text(
        self, of: Mapping[str, Any] = NOTHING, *, ascii_only: bool = False, width: int = 100
    ) -> str:
        """One line for each equation, in Unicode or in plain letters that can be read back.

        Lines are wrapped at their signs; conditions and long lines are stated. `of` has arrays by
        name, such as {"M": equations.M}: their entries are written instead.
        """
        chosen, write = self.of(of), self._plain if ascii_only else self._unicode
        name: Callable[[str], str] = str if ascii_only else unicode.symbol_name
        lines: list[str] = []
        for line in (*chosen.lines, *chosen.loops):
            if line.equation is None:
                lines.append(f"{name(line.name)}: {line.too_long}")
            else:
                left, right = write(line.equation.left), write(line.equation.right)
                label = f"{name(line.label)}: " if line.label else ""
                lines += _wrapped(f"{label}{left} = {right}", width)
        conditions = chosen._conditions(write, "!=" if ascii_only else "≠")
        where = [say("where {conditions}", ", ".join(conditions))] if conditions else []
        for one in chosen.legend:
            where += textwrap.wrap(one.sentence(map(name, one.names)), width, **_INDENT)
        return "\n".join([*lines, *where])

    def latex(self, of: Mapping[str, Any] = NOTHING) -> str:
        """Formulas in an align* environment (package amsmath); long lines continue in further rows.

        What the unknowns are follows as text.
        """
        chosen = self.of(of)
        return "\n".join([aligned(chosen.latex_rows), *map(_latex_meaning, chosen.legend), ""])

    @property
    def latex_rows(self) -> list[tuple[str, str]]:
        """Each line as the label of its coordinate and its formula; the conditions come last."""
        rows = []
        for line in (*self.lines, *self.loops):
            sides = f" {latex.quoted(line.too_long)}"
            if line.equation is not None:
                left, right = map(self._latex, (line.equation.left, line.equation.right))
                sides = f" {left} = {right}"
            rows.append((rf"{latex.name(line.label)}:\quad" if line.label else "", sides))
        if conditions := self._conditions(self._latex, r"\neq"):
            rows.append(("", r",\; ".join(conditions)))
        return rows

    def _conditions(self, write: Callable[[Expr], str], unequal: str) -> list[str]:
        """Under which the lines hold."""
        positive = [f"{write(x)} > 0" for x in self.positive]
        return [*positive, *(f"{write(x)} {unequal} 0" for x in self.nonzero)]

    def _plain(self, x: Expr) -> str:
        return text(x, ranks=self.ranks)

    def _unicode(self, x: Expr) -> str:
        return unicode.unicode_text(x, ranks=self.ranks)

    def _latex(self, x: Expr) -> str:
        return latex.latex(x, ranks=self.ranks)

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as plain data, in text that can be read back."""
        write = self._plain

        def line_document(line: EquationLine) -> dict[str, Any]:
            read = line.equation
            if read is None:
                known = {"left": None, "right": None, "operations": line.operations}
                return {"name": line.name, **known}
            left, right, factor = (write(x) for x in (read.left, read.right, read.factor))
            return {"name": line.name, "left": left, "right": right, "divided_by": factor}

        return {
            "equations": [line_document(line) for line in self.lines],
            "loops": [line_document(line) for line in self.loops],
            "positive": [write(x) for x in self.positive],
            "nonzero": [write(x) for x in self.nonzero],
            "unknowns": [
                {"names": list(x.names), "meaning": said(x.words, None), "unit": x.unit}
                for x in self.legend
            ],
        }


def _latex_meaning(meaning: Meaning) -> str:
    """A line of text: names in formulas, then what they are."""
    pieces = marked(meaning.sentence, (f"${name}$" for name in meaning.names)).split("$")
    line = (f"${latex.name(x)}$" if k % 2 else words(x) for k, x in enumerate(pieces))
    return rf"\noindent {''.join(line)}\par"


def _wrapped(line: str, width: int) -> list[str]:
    """A line in several, further ones indented; it is broken before a sign."""
    done: list[str] = []
    row = ""
    for piece in _BREAKS.split(line):
        joined = f"{row} {piece}" if row else piece
        if row and len(joined) > width:
            done.append(row)
            joined = f"    {piece}"
        row = joined
    return [*done, row]


def formulas_of(
    system: System,
    formalism: str,
    matrices: tuple[Array, Array, Array, Array],
    constraints: Held,
    *,
    solved: bool = False,
    reactions: bool = False,
    friction: SlidingFriction | None = None,
) -> Formulas:
    """The lines of M a + h + g = Q + Jᵀ λ; solved, one for each acceleration, multipliers stay.

    With `reactions`, one for each acceleration, each multiplier and what rubs by them.
    """
    M, h, g, Q = matrices
    desk, names = _Desk(system, constraints), [name.removesuffix(".") for name in system.speeds]
    carried = constraints.J.T @ constraints.unknowns if len(constraints.owners) else 0 * Q
    if not solved:
        sides = zip(names, M @ system.a + h, Q - g + carried, strict=True)
        return desk.formulas(formalism, [desk.line(*side) for side in sides], constraints)
    K, forces, unknowns, largest = M, Q - g - h + carried, system.a, LARGEST_BLOCK
    if reactions and len(constraints.owners):
        K, forces, more = bordered(system.mechanism, constraints, M, Q, Q - g - h)
        unknowns, largest = np.array([*system.a, *more], dtype=object), LARGEST_BORDERED
        names += [x.name for x in more]
    K, forces = desk.start.without_sizes(K), desk.start.without_sizes(desk.with_rods(forces))
    lines, nonzero = [], dict[Expr, None]()
    solutions = solved_lines(K, forces, desk.squares, largest)
    for name, x, one in zip(names, unknowns, solutions, strict=True):
        if one is None:
            lines.append(EquationLine(name, None, count([*K.flat, *forces]).total))
            continue
        lines.append(desk.line(name, one.denominator * x, one.numerator))
        nonzero |= dict.fromkeys(one.shared)
    rubs = friction if reactions else None
    pairs = zip(unknowns, solutions, strict=True)
    known = {x: one.numerator / one.denominator for x, one in pairs if one is not None}
    for x, z in (rubs.forces if rubs else {}).items():
        lines.append(desk.line(x.name, x, substitute(z, known)))
    return desk.formulas(formalism, lines, constraints, nonzero, rubs)


@final
class _Desk:
    """Where the lines of a mechanism are written: what they may be divided by, and its start."""

    def __init__(self, system: System, constraints: Held) -> None:
        self.system = system
        self.start = SignsAtStart(system)
        given = values(system.mechanism.parameter_table)
        self.divisors = {name for name, value in given.items() if value != 0}
        self.divisors |= self.start.away_from_zero
        self.nonzero: dict[Expr, None] = {}  # coordinates that lines were divided by
        self.squares = unit_quaternions(system)
        self._rods = rod_lengths(constraints)

    def with_rods(self, outputs: Any) -> Any:
        """Formulas with the lengths of rods for the distances between their ends."""
        return substitute(outputs, self._rods) if self._rods else outputs

    def line(self, name: str, left: Any, right: Any) -> EquationLine:
        """left = right as it is best read."""
        left, right = expression(left), expression(right)
        operations = count([left, right]).total
        left, right = self.start.without_sizes(self.with_rods([left, right]))
        if len(reachable([left, right])) > _MOST_NODES:
            return EquationLine(name, None, operations)
        read = read_equation(left, right, self.divisors, self.squares)
        left, right = self.start.without_sizes([read.left, read.right])
        if (left, right) != (read.left, read.right):
            more = read_equation(left, right, self.divisors, self.squares)
            read = ReadEquation(more.left, more.right, more.factor * read.factor)
        for power, x in factors(read.factor, {}):
            if x.op == "symbol" and x.kind == "coordinate" and power > 0:
                self.nonzero[x] = None
        return EquationLine(name, read if read.length <= LONGEST else None, operations)

    def formulas(
        self,
        formalism: str,
        lines: Sequence[EquationLine],
        constraints: Held,
        nonzero: Iterable[Expr] = (),
        rubs: SlidingFriction | None = None,
    ) -> Formulas:
        """The lines with what loops ask and the conditions on both."""
        mechanism = self.system.mechanism
        states = mechanism.states.items()
        rates = [self.line(f"{name}.", symbol(f"{name}.", "speed"), x.rate) for name, x in states]
        loops = closure_lines(self.system, constraints)
        loop_lines = tuple(self.line(owner, zero, ZERO) for owner, zero in loops)
        sides = [
            y for x in (*lines, *rates) if (read := x.equation) for y in (read.left, read.right)
        ]
        meanings = legend(self.system, constraints, free_symbols(sides))
        meanings += legend(rubs.system, rubs.constraints, tuple(rubs.forces)) if rubs else ()
        return Formulas(
            mechanism.name,
            formalism,
            (*lines, *rates),
            loop_lines,
            self.start.positive,
            tuple(x for x in (*self.nonzero, *nonzero) if x not in self.start.positive),
            name_ranks(mechanism),
            self.squares,
            self.start.sizes,
            meanings,
        )
