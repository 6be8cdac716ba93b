"""Text of MATLAB and Octave: notation, reserved words, the local functions of a file."""

from torseur.algebra.core.tabulated import Table
from torseur.export.language import words
from torseur.export.names import table_function
from torseur.export.notation import INDENT, Notation
from torseur.export.routine import Routine
from torseur.export.tables import arrays, described, lookup
from torseur.words.sentence import say

RESERVED = words(
    "break case catch classdef continue else elseif end endfunction endif endfor endwhile enum "
    "events for function global if methods otherwise parfor persistent properties return spmd "
    "switch try unwind_protect until do while zeros choose x dx dq A C F J gamma border solved "
    "lambda pinv"
)
NOTATION = Notation(
    power="^",
    going_on=" ...",
    end=";",
    choice="choose({c}, {a}, {b})",
    element="{array}({index})",
    first=1,
    comment="%",
    find="sum({thresholds} <= {x})",
)


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
    needed = arrays(table, [order], NOTATION)
    lines = ["", *NOTATION.commented([say("The {what}.", described(table, order))])]
    lines.append(f"function y = {table_function(table.name, order)}(x)")
    lines += [f"{INDENT}persistent {' '.join(needed)}", f"{INDENT}if isempty({next(iter(needed))})"]
    for name, entries in needed.items():
        lines += NOTATION.listed(f"{name} = [", entries, "];", INDENT * 2)
    lines.append(f"{INDENT}end")
    steps = lookup(table, order, NOTATION)
    return [*lines, *(f"{INDENT}{left} = {formula};" for left, formula in steps), "end"]
