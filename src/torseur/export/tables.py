"""Tables in generated code: the arrays that hold them, and the steps that look them up."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.algebra.core.tabulated import FACTORS, Table
from torseur.export.names import spelled, table_function
from torseur.export.notation import Notation
from torseur.export.routine import Routine
from torseur.words.sentence import say, worded

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
