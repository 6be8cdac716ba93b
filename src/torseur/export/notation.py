"""Program text: how a language writes numbers, formulas, assignments, comments and long lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import pi
from textwrap import wrap
from typing import final

import numpy as np

from torseur.algebra.core.expr import Scalar
from torseur.algebra.core.tabulated import FACTORS, Table
from torseur.algebra.printing.tree import (
    FunctionCall,
    Name,
    Number,
    Pieces,
    Power,
    Product,
    Sum,
    Tree,
    between,
    multiplied,
    numerator,
    with_signs,
    written,
)
from torseur.export.names import MATHEMATICS, spelled, table_function
from torseur.export.routine import Assignment, Load, Routine
from torseur.words.sentence import say, worded

INDENT = "    "
WIDTH = 100  # columns
SIMPLE = 1000  # the largest integer of a fraction that is written as one
_SPACE, _JOINT = "\f", "\v"  # a line may be broken at a space, or where there is none
_TIMES = f"*{_JOINT}"


@final
@dataclass(frozen=True)
class Notation:
    """Notation of a language for the body of a function. Numbers are always floating-point."""

    functions: Mapping[str, str] = field(default_factory=dict)  # ours → theirs, where they differ
    prefix: str = ""  # before the name of each function
    suffix: str = ""  # after each number
    power: str = "**"  # an operator, or the name of a function
    repeated: int = 1  # up to this exponent, powers of names are written as products
    brackets: tuple[str, str] = ("", "")  # around what takes several lines
    going_on: str = ""  # at the end of a line that goes on
    end: str = ""  # at the end of an assignment
    choice: str = "({c} > 0.0 ? {a} : {b})"  # a where c is positive, else b
    element: str = "{array}[{index}]"  # an entry of an array
    first: int = 0  # the index of the first entry
    leading: tuple[str, ...] = ()  # indices before it, in arrays of many states
    arrays: Mapping[str, str] = field(default_factory=dict)  # ours → theirs, where they differ
    local: str = ""  # before the name of a variable that is assigned
    comment: str = "#"
    find: str = ""  # how many {thresholds}, {count} of them, are at or below {x}
    call: tuple[str, str] = ("(", ")")  # around the arguments of a function
    exponent: str = "e"  # between the digits of a number and its power of ten
    floor: str = "floor({x})"  # the greatest integer not above {x}

    def number(self, value: Scalar) -> str:
        """A number: 2.0, 0.5, (1.0/3.0), or as many decimals as tell a double from all others."""
        if isinstance(value, Fraction) and _is_simple(value):
            short = repr(float(value))
            if len(short) > 8 or Fraction(short) != value:
                above, below = self.number(value.numerator), self.number(value.denominator)
                return f"({above}/{below})"
        return f"{float(value)!r}{self.suffix}".replace("e", self.exponent)

    def text(self, tree: Tree) -> str:
        """A formula in one line."""
        return _flat(written(tree, self._write))

    def assignment(self, left: str, tree: Tree, indent: str) -> list[str]:
        """left = formula, over several lines when it is long."""
        whole = written(tree, self._write)
        line = f"{indent}{left} = {_flat(whole)}{self.end}"
        if len(line) <= WIDTH:
            return [line]
        opening, closing = self.brackets
        return self.broken(f"{left} = {opening}{whole}{closing}{self.end}", indent)

    def broken(self, text: str, indent: str) -> list[str]:
        """A text with soft breaks in lines of bounded width."""
        room = WIDTH - len(self.going_on)
        lines, line = [], indent
        for piece in re.split(f"(?=[{_SPACE}{_JOINT}])", text):
            if len(line) + len(piece) > room and line.strip():
                lines.append(line.rstrip() + self.going_on)
                line = f"{indent}    " + piece.strip(_SPACE + _JOINT)
            else:
                line += _flat(piece)
        return [*lines, line]

    def elements(self, left: str, trees: Iterable[Tree], indent: str) -> list[str]:
        """left = [formula, formula, …], one a line."""
        lines = [f"{indent}{left} = ["]
        for tree in trees:
            lines += self.broken(f"{written(tree, self._write)},", f"{indent}    ")
        return [*lines, f"{indent}]"]

    def listed(self, head: str, items: list[str], tail: str, indent: str) -> list[str]:
        """head item, item, … tail, in lines of bounded width."""
        text = f"{head}{f',{_SPACE}'.join(items)}{tail}"
        whole = indent + _flat(text)
        return [whole] if len(whole) <= WIDTH else self.broken(text, indent)

    # --- bodies of functions --------------------------------------------------------------------

    def commented(self, lines: Iterable[str], indent: str = "") -> list[str]:
        """Comment lines of bounded width."""
        mark, rows_written = f"{indent}{self.comment}", []
        for line in lines:
            further = " " * (len(line) - len(line.lstrip()) + 4)
            rows = wrap(
                line,
                WIDTH - len(mark) - 1,
                subsequent_indent=further,
                break_long_words=False,
                break_on_hyphens=False,
            )
            rows_written += [f"{mark} {row}" for row in rows] or [mark]
        return rows_written

    def place(self, array: str, k: int) -> str:
        """An entry as a comment names it: q[0]."""
        name = self.arrays.get(array, array)
        return self.element.format(array=name, index=k + self.first)

    def entry(self, array: str, *index: int) -> str:
        """An entry for every state, q[..., 0]; without an index, the number itself."""
        name, indices = self.arrays.get(array, array), [*self.leading]
        indices += [str(k + self.first) for k in index]
        return self.element.format(array=name, index=", ".join(indices)) if indices else name

    def loads(self, loads: Iterable[Load]) -> list[str]:
        """Entries of arrays under their names."""
        return [
            f"{INDENT}{self.local}{x.identifier} = {self.entry(x.argument, x.index)}{self.end}"
            for x in loads
        ]

    def assignments(self, steps: Iterable[Assignment]) -> list[str]:
        """name = value, one after the other."""
        return [
            line
            for step in steps
            for line in self.assignment(f"{self.local}{step.name}", step.value, INDENT)
        ]

    def once(self, routine: Routine) -> list[str]:
        """The body of the first function of a routine, before it fills c."""
        return [*self.loads(routine.parameters), *self.assignments(routine.once)]

    def filled(self, routine: Routine) -> list[str]:
        """The entries of c."""
        names = enumerate(routine.constants)
        return [f"{INDENT}{self.entry('c', k)} = {name}{self.end}" for k, name in names]

    def run(self, routine: Routine) -> list[str]:
        """The body of the second function, before its results."""
        return [*self.loads((*routine.stored, *routine.inputs)), *self.stages(routine), ""]

    def stages(self, routine: Routine) -> list[str]:
        """The run-time assignments under their headings."""
        lines = []
        for heading, steps in routine.by_stage():
            lines += ["", *self.commented([heading], INDENT), *self.assignments(steps)]
        return lines

    def results(self, routine: Routine, shape: tuple[int, ...] | None = None) -> list[str]:
        """The entries of the result, an array of the shape of the routine or of another one."""
        lines = []
        places = np.ndindex(routine.shape if shape is None else shape)
        for place, tree in zip(places, routine.results, strict=True):
            lines += self.assignment(self.entry("result", *place), tree, INDENT)
        return lines

    # --- formulas -------------------------------------------------------------------------------

    def _write(self, tree: Tree) -> Pieces:
        match tree:
            case Number(value):
                return [self.number(value)]
            case Name(name):
                return [self.number(pi) if name == "pi" else name]
            case Sum(terms):
                safe = tuple((sign, _bracketed(term)) for sign, term in terms)
                return with_signs(Sum(safe), f"{_SPACE}+ ", f"{_SPACE}- ", "-")
            case Product(_, _, below):
                tree = _with_decimals(tree)
                above, below = multiplied(numerator(tree), _TIMES), tree.below
                if not below:
                    return above
                alone = len(below) == 1 and not isinstance(below[0], Power)
                under = multiplied(below, _TIMES)
                return [*above, "/", *under] if alone else [*above, "/(", *under, ")"]
            case Power(base, exponent):
                return self._power(base, exponent)
            case FunctionCall("if", args):
                parts = dict(zip("cab", args, strict=True))
                pieces = re.split(r"\{([abc])\}", self.choice)
                return [parts[x] if k % 2 else x for k, x in enumerate(pieces)]
            case FunctionCall(name, args):
                theirs = self.prefix + self.functions.get(name, name)
                if name not in MATHEMATICS:
                    table = name.rstrip("'")
                    theirs = table_function(table, len(name) - len(table))
                opening, closing = self.call
                return [f"{theirs}{opening}", *between(list(args), ", "), closing]

    def _power(self, base: Tree, exponent: Scalar) -> Pieces:
        if isinstance(exponent, int) and exponent <= self.repeated and isinstance(base, Name):
            return between([base] * exponent, "*")
        if self.power.isidentifier():
            return [f"{self.power}(", base, f", {self.number(exponent)})"]
        whole = isinstance(exponent, int)
        plain = isinstance(base, Name | FunctionCall)
        inner: Pieces = [base] if plain else ["(", base, ")"]
        return [*inner, self.power, str(exponent) if whole else f"({self.number(exponent)})"]


def _is_simple(value: Fraction) -> bool:
    """Whether a fraction reads better than its decimals."""
    return max(abs(value.numerator), value.denominator) <= SIMPLE


def _with_decimals(tree: Product) -> Product:
    """A product whose lead is a quotient of long integers, with one number in their place."""
    lead, below = tree.lead, tree.below
    if isinstance(lead, int) and below and isinstance(below[0], Number):
        under = below[0].value
        if isinstance(under, int) and not _is_simple(quotient := Fraction(lead, under)):
            return Product(float(quotient), tree.above, below[1:])
    return tree


def _flat(text: str) -> str:
    return text.replace(_SPACE, " ").replace(_JOINT, "")


def _bracketed(tree: Tree) -> Tree:
    """A sum inside a sum, as a product that is written in brackets."""
    return Product(1, (tree,), ()) if isinstance(tree, Sum) else tree


# --- tables: the arrays that hold them, and the steps that look them up ---------------------------


_ARRAYS = ("thresholds", "origins", "pieces")
_CONSTANT = 3  # the order of the derivative that is constant on each piece
_LETTERS = "abcd"  # the coefficients of a piece, highest power first
_DERIVATIVES = ("first", "second", "third")


def lookup(table: Table, order: int, notation: Notation) -> list[tuple[str, str]]:
    """Names and formulas, in order; the last one, y, is the derivative of a table at x."""

    def entry(array: str, start: str, shift: int) -> str:
        shift += notation.first
        index = f"{start} + {shift}" if shift else start
        return notation.element.format(array=_array_name(table, array), index=index)

    x, steps = "x", []
    if table.period:
        start, period = float(table.breaks[0]), notation.number(table.period)
        since = f"{'+' if start < 0 else '-'} {notation.number(abs(start))}"
        turns = notation.floor.format(x=f"(x {since})/{period}")
        x = "u"
        steps.append((x, f"x - {period}*{turns}"))
    thresholds, count = _array_name(table, "thresholds"), len(table.thresholds)
    steps.append(("k", notation.find.format(thresholds=thresholds, count=count, x=x)))
    if order < _CONSTANT:
        steps.append(("h", f"{x} - {entry('origins', 'k', 0)}"))
    total = ""
    for power, factor in enumerate(FACTORS[order]):
        letter = _LETTERS[power]
        steps.append((letter, entry("pieces", "4*k", power)))
        term = letter if factor == 1 else f"{notation.number(factor)}*{letter}"
        before = f"({total})" if "+" in total else total
        total = f"{before}*h + {term}" if total else term
    return [*steps, ("y", total)]


def arrays(table: Table, orders: Iterable[int], notation: Notation) -> dict[str, list[str]]:
    """The arrays that the derivatives of some orders need: their entries by name.

    Pieces stand one after the other.
    """
    needed = _ARRAYS if min(orders) < _CONSTANT else ("thresholds", "pieces")
    return {
        _array_name(table, array): [
            notation.number(float(x)) for x in getattr(table, array).ravel()
        ]
        for array in needed
    }


def _array_name(table: Table, array: str) -> str:
    return f"{array}_{spelled(table.name)}"


def tabulated(routines: Iterable[Routine]) -> dict[Table, list[int]]:
    """The tables that routines look up, each with the orders of the derivatives they need."""
    orders: dict[Table, set[int]] = {}
    for routine in routines:
        for function in routine.tables:
            orders.setdefault(function.table, set()).add(function.order)
    return {table: sorted(orders[table]) for table in sorted(orders, key=lambda t: t.name)}


def identifiers(table: Table) -> set[str]:
    """Every identifier that the code of a table may use."""
    functions = {table_function(table.name, order) for order in range(len(FACTORS))}
    return functions | {_array_name(table, array) for array in _ARRAYS}


def described(table: Table, order: int) -> str:
    """Description of a function's result."""
    if not order:
        return say("table {name}", table.name)
    nth = worded(_DERIVATIVES[order - 1])
    return say("{nth} derivative of the table {name}", nth, table.name)
