"""Tables in generated code: the arrays that hold them, and the steps that look them up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.tabulated import FACTORS, Table
from torseur.export.names import spelled, table_function
from torseur.export.notation import Notation
from torseur.export.routine import Routine

_ARRAYS = ("thresholds", "origins", "pieces")
_CONSTANT = 3  # the order of the derivative that is constant on each piece
_LETTERS = "abcd"  # the coefficients of a piece, highest power first
_DERIVATIVES = ("", *(f"{nth} derivative of the " for nth in ("first", "second", "third")))


@final
@dataclass(frozen=True)
class Lookup:
    """How a language looks up a table: templates for what differs from one to the other."""

    notation: Notation
    find: str  # how many {thresholds}, {count} of them, are at or below {x}
    element: str  # entry {index} of an {array}
    floor: str  # the greatest integer not above {x}
    first: int = 0  # the index of the first entry of an array

    def steps(self, table: Table, order: int) -> list[tuple[str, str]]:
        """Names and formulas, in order; the last one, y, is the derivative at x."""
        names = {array: array_name(table, array) for array in _ARRAYS}
        x, found = "x", []
        if table.period:
            start, period = float(table.breaks[0]), self.notation.number(table.period)
            since = f"{'+' if start < 0 else '-'} {self.notation.number(abs(start))}"
            turns = self.floor.format(x=f"(x {since})/{period}")
            x = "u"
            found.append((x, f"x - {period}*{turns}"))
        count = len(table.thresholds)
        found.append(("k", self.find.format(thresholds=names["thresholds"], count=count, x=x)))
        if order < _CONSTANT:
            found.append(("h", f"{x} - {self._entry(names['origins'], 'k', 0)}"))
        total = ""
        for power, factor in enumerate(FACTORS[order]):
            letter = _LETTERS[power]
            found.append((letter, self._entry(names["pieces"], "4*k", power)))
            term = letter if factor == 1 else f"{self.notation.number(factor)}*{letter}"
            before = f"({total})" if "+" in total else total
            total = f"{before}*h + {term}" if total else term
        return [*found, ("y", total)]

    def _entry(self, array: str, start: str, shift: int) -> str:
        shift += self.first
        return self.element.format(array=array, index=f"{start} + {shift}" if shift else start)


def arrays(orders: Iterable[int]) -> tuple[str, ...]:
    """The arrays that the derivatives of some orders need."""
    return _ARRAYS if min(orders) < _CONSTANT else ("thresholds", "pieces")


def array_name(table: Table, array: str) -> str:
    """The identifier of one of the arrays of a table."""
    return f"{array}_{spelled(table.name)}"


def numbers(table: Table, array: str, notation: Notation) -> list[str]:
    """The entries of an array, pieces one after the other."""
    return [notation.signed(float(x)) for x in getattr(table, array).ravel()]


def tabulated(routines: Iterable[Routine]) -> dict[Table, list[int]]:
    """The tables that routines look up, each with the orders of the derivatives they need."""
    found: dict[Table, set[int]] = {}
    for routine in routines:
        for function in routine.tables:
            found.setdefault(function.table, set()).add(function.order)
    return {table: sorted(found[table]) for table in sorted(found, key=lambda t: t.name)}


def identifiers(table: Table) -> set[str]:
    """Every identifier that the code of a table may use."""
    functions = {table_function(table.name, order) for order in range(len(FACTORS))}
    return functions | {array_name(table, array) for array in _ARRAYS}


def described(table: Table, order: int) -> str:
    """What a function gives, in words."""
    return f"{_DERIVATIVES[order]}table {table.name}"
