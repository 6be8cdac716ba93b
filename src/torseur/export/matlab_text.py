"""How MATLAB and Octave write a body: elements, formulas, assignments by stage."""

from collections.abc import Iterable

from torseur.algebra.core.tabulated import Table
from torseur.export.header import commented
from torseur.export.language import words
from torseur.export.names import table_function
from torseur.export.notation import Notation
from torseur.export.routine import Load, Routine
from torseur.export.tables import (
    Lookup,
    array_name,
    arrays,
    described,
    numbers,
)

RESERVED = words(
    "break case catch classdef continue else elseif end endfunction endif endfor endwhile enum "
    "events for function global if methods otherwise parfor persistent properties return spmd "
    "switch try unwind_protect until do while zeros choose x dx dq A C F"
)
INDENT = "    "
NOTATION = Notation(power="^", going_on=" ...", end=";", choice="choose({c}, {a}, {b})")


_LOOKUP = Lookup(
    NOTATION,
    find="sum({thresholds} <= {x})",
    element="{array}({index})",
    floor="floor({x})",
    first=1,
)


def element(array: str, k: int) -> str:
    """q(1)."""
    return f"{array}({k + 1})"


def loads(found: Iterable[Load]) -> list[str]:
    """Entries of arrays under their names."""
    return [f"{INDENT}{x.identifier} = {element(x.argument, x.index)};" for x in found]


def stages(routine: Routine) -> list[str]:
    """The run-time assignments."""
    lines = []
    for heading, steps in routine.by_stage():
        lines += ["", *commented([heading], f"{INDENT}%")]
        for step in steps:
            lines += NOTATION.assignment(step.name, step.value, INDENT)
    return lines


def tables(routine: Routine, calls: set[str]) -> list[str]:
    """The local functions that a file calls, to stand at its end: tables, the choice of a value.

    The arrays of a table are made at its first call.
    """
    lines: list[str] = [*_CHOOSE] if "if" in calls else []
    for function in sorted(routine.tables, key=lambda function: function.name):
        if function.name in calls:
            lines += _table(function.table, function.order)
    return lines


_CHOOSE = (
    "",
    "function y = choose(c, a, b)",
    f"{INDENT}if c > 0",
    f"{INDENT * 2}y = a;",
    f"{INDENT}else",
    f"{INDENT * 2}y = b;",
    f"{INDENT}end",
    "end",
)


def _table(table: Table, order: int) -> list[str]:
    needed = arrays([order])
    names = [array_name(table, array) for array in needed]
    lines = ["", *commented([f"The {described(table, order)}."], "%")]
    lines.append(f"function y = {table_function(table.name, order)}(x)")
    lines += [f"{INDENT}persistent {' '.join(names)}", f"{INDENT}if isempty({names[0]})"]
    for name, array in zip(names, needed, strict=True):
        entries = numbers(table, array, NOTATION)
        lines += NOTATION.listed(f"{name} = [", entries, "];", INDENT * 2)
    lines.append(f"{INDENT}end")
    lines += [f"{INDENT}{left} = {formula};" for left, formula in _LOOKUP.steps(table, order)]
    return [*lines, "end"]
