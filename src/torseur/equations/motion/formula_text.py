"""Lines of equations as text, LaTeX and plain data."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

from torseur.algebra.core.expr import Expr
from torseur.algebra.forms.equation import ReadEquation
from torseur.algebra.printing import latex, unicode
from torseur.algebra.printing.display import aligned
from torseur.algebra.printing.layout import Ranks
from torseur.algebra.printing.text import text
from torseur.words.sentence import say

Writer = Callable[[Expr], str]
LONGEST = 400  # signs of a line: about a page
_BREAKS = re.compile(r" (?=[-+−=] )")


@final
@dataclass(frozen=True)
class Line:
    """An equation with its name; none if it is longer than a page."""

    name: str
    equation: ReadEquation | None
    operations: int  # of the whole line, as it is computed


@final
@dataclass(frozen=True)
class Lines:
    """Lines of equations, what their loops ask, and the conditions under which they hold."""

    equations: tuple[Line, ...]
    loops: tuple[Line, ...] = ()
    positive: tuple[Expr, ...] = ()
    ranks: Ranks = field(default_factory=dict)
    nonzero: tuple[Expr, ...] = ()  # what moves and the lines were divided by


def text_of(found: Lines, *, ascii_only: bool = False, width: int = 100) -> str:
    """One line for each equation, wrapped at its signs; conditions and long lines are told."""
    write, name = _writers(found, ascii_only)
    lines: list[str] = []
    for line in (*found.equations, *found.loops):
        if line.equation is None:
            lines.append(f"{name(line.name)}: {_too_long(line)}")
        else:
            left, right = write(line.equation.left), write(line.equation.right)
            label = f"{name(line.name)}: " if line.name else ""
            lines += _wrapped(f"{label}{left} = {right}", width)
    unequal = "!=" if ascii_only else "≠"
    conditions = [f"{write(x)} > 0" for x in found.positive]
    conditions += [f"{write(x)} {unequal} 0" for x in found.nonzero]
    told = [say("where {conditions}", ", ".join(conditions))] if conditions else []
    return "\n".join([*lines, *told])


def _writers(found: Lines, ascii_only: bool) -> tuple[Writer, Callable[[str], str]]:
    if ascii_only:
        return lambda x: text(x, ranks=found.ranks), lambda name: name
    return lambda x: unicode.unicode_text(x, ranks=found.ranks), unicode.symbol_name


def _too_long(line: Line) -> str:
    return say(
        "longer than a page ({operations} operations, more than {most} signs): see the program.",
        line.operations,
        LONGEST,
    )


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


def latex_of(found: Lines) -> str:
    """The lines in an align* environment; a long one goes on in further rows."""
    return aligned(latex_rows(found)) + "\n"


def latex_rows(found: Lines) -> list[tuple[str, str]]:
    """Each line as the label of its coordinate and its formula; the conditions come last."""
    rows = [(_label(line), _sides(line, found)) for line in (*found.equations, *found.loops)]
    conditions = [f"{_latex(x, found)} > 0" for x in found.positive]
    conditions += [rf"{_latex(x, found)} \neq 0" for x in found.nonzero]
    return [*rows, ("", r",\; ".join(conditions))] if conditions else rows


def _label(line: Line) -> str:
    return rf"{latex.name(line.name)}:\quad" if line.name else ""


def _sides(line: Line, found: Lines) -> str:
    """left = right, or that it is too long."""
    if line.equation is None:
        return rf" \text{{{_too_long(line)}}}"
    left, right = (_latex(x, found) for x in (line.equation.left, line.equation.right))
    return f" {left} = {right}"


def _latex(x: Expr, found: Lines) -> str:
    return latex.latex(x, ranks=found.ranks)


def document_of(found: Lines) -> dict[str, Any]:
    """As plain data; formulas as text that can be read back."""
    write, _ = _writers(found, True)

    def told(line: Line) -> dict[str, Any]:
        if line.equation is None:
            return {"name": line.name, "left": None, "right": None, "operations": line.operations}
        read = line.equation
        left, right, factor = (write(x) for x in (read.left, read.right, read.factor))
        return {"name": line.name, "left": left, "right": right, "divided_by": factor}

    return {
        "equations": [told(line) for line in found.equations],
        "loops": [told(line) for line in found.loops],
        "positive": [write(x) for x in found.positive],
        "nonzero": [write(x) for x in found.nonzero],
    }
