"""LLVM IR of tables: the piece an argument falls in, found without a branch, then its polynomial.

Nothing is fused here, so that a table gives the same numbers as in NumPy, to the last bit. The
numbers of tables are no data of the module: the first of its constants is their address.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from torseur.algebra.core.tabulated import FACTORS, Table, Tabulated
from torseur.machine.llvm.emit import Instructions, literal

_PARTS = ("thresholds", "origins", "pieces")
_EVEN = 0.25  # of a step: how far from its even place a point may be, to be found directly


def numbers(tables: Iterable[Table]) -> np.ndarray:
    """The numbers of tables one after the other, as their functions read them."""
    parts = (getattr(table, name).ravel() for table in tables for name in _PARTS)
    return np.concatenate([np.zeros(0), *parts])


def lookups(
    functions: Mapping[str, Tabulated], tables: Iterable[Table]
) -> list[tuple[str, Instructions]]:
    """A function of one double and of the numbers of all tables, for each derivative of a table."""
    start, starts = 0, dict[str, list[str]]()
    for table in tables:
        for name in _PARTS:
            place = f"  %{name} = getelementptr double, ptr %tables, i64 {start}"
            starts.setdefault(table.digest, []).append(place)
            start += getattr(table, name).size
    bodies = []
    for name, function in sorted(functions.items()):
        body = Instructions(1)
        body.lines += starts[function.table.digest]
        body.lines.append(f"  ret double {_value(body, function)}")
        bodies.append((f"define internal double @{name}(double %x, ptr %tables)", body))
    return bodies


def _value(body: Instructions, function: Tabulated) -> str:
    """Horner's scheme on the piece of %x."""
    table = function.table
    x = _in_first_period(body, table) if table.period else "%x"
    k = _direct(body, table, x) if _is_even(table) else _searched(body, table, x)
    h = body.do(f"fsub double {x}, {_entry(body, 'origins', k)}")
    row, total = body.do(f"shl i64 {k}, 2"), ""
    for power, factor in enumerate(FACTORS[function.order]):
        place = body.do(f"add i64 {row}, {power}")
        term = _entry(body, "pieces", place)
        if factor != 1:
            term = body.do(f"fmul double {literal(factor)}, {term}")
        if total:
            raised = body.do(f"fmul double {total}, {h}")
            term = body.do(f"fadd double {raised}, {term}")
        total = term
    return total


def _in_first_period(body: Instructions, table: Table) -> str:
    """x − P ⌊(x − x₀) / P⌋."""
    period = literal(table.period)
    since = body.do(f"fsub double %x, {literal(table.breaks[0])}")
    turns = body.call_intrinsic("floor", body.do(f"fdiv double {since}, {period}"))
    return body.do(f"fsub double %x, {body.do(f'fmul double {period}, {turns}')}")


def _searched(body: Instructions, table: Table, x: str) -> str:
    """Number of thresholds at or below x, by halving; the steps are known in advance."""
    base, left = "0", len(table.thresholds)
    while left > 1:
        half = left // 2
        place = body.do(f"add i64 {base}, {half - 1}")
        beyond = body.do(f"add i64 {base}, {half}")
        base = body.do(f"select i1 {_reached(body, place, x)}, i64 {beyond}, i64 {base}")
        left -= half
    return _counted(body, base, _reached(body, base, x))


def _direct(body: Instructions, table: Table, x: str) -> str:
    """Number of thresholds at or below x, by even spacing: a guess within one, then two tests."""
    last = len(table.breaks) - 2
    rate = (last + 1) / (table.breaks[-1] - table.breaks[0])
    since = body.do(f"fsub double {x}, {literal(table.breaks[0])}")
    steps = body.do(f"fmul double {since}, {literal(rate)}")
    for test, bound in (("ogt", 0), ("olt", last)):
        inside = body.do(f"fcmp {test} double {steps}, {literal(bound)}")
        steps = body.do(f"select i1 {inside}, double {steps}, double {literal(bound)}")
    guess = body.do(f"fptosi double {steps} to i64")
    following = body.do(f"add i64 {guess}, 1")
    count = _counted(body, guess, _reached(body, guess, x))
    return _counted(body, count, _reached(body, following, x))


def _is_even(table: Table) -> bool:
    """Whether the points are evenly spaced, nearly enough for a guess to be within one piece."""
    even, step = np.linspace(table.breaks[0], table.breaks[-1], len(table.breaks), retstep=True)
    return bool(np.all(np.abs(table.breaks - even) < _EVEN * step))


def _reached(body: Instructions, index: str, x: str) -> str:
    """Register of the condition that x is at or above a threshold."""
    return body.do(f"fcmp ole double {_entry(body, 'thresholds', index)}, {x}")


def _counted(body: Instructions, count: str, reached: str) -> str:
    return body.do(f"add i64 {count}, {body.do(f'zext i1 {reached} to i64')}")


def _entry(body: Instructions, name: str, index: str) -> str:
    place = body.do(f"getelementptr double, ptr %{name}, i64 {index}")
    return body.do(f"load double, ptr {place}")
