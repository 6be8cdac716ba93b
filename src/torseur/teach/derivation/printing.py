"""Formulas of a derivation on one line of text, or in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, reachable
from torseur.algebra.forms.count import count
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import write as latex_write
from torseur.algebra.printing.layout import layout
from torseur.algebra.printing.text import write as text_write
from torseur.algebra.printing.tree import Sum, Writer, written
from torseur.model.description import GROUND
from torseur.named_words import Words
from torseur.teach.derivation.formulas import (
    Components,
    Equation,
    Formula,
    Scalar,
    TorseurFormula,
    Vector,
    is_nothing,
    word,
)

_LONGEST = 1200  # characters of one formula
_MOST_NODES = 400  # of one formula: more cannot be that short
_AXES = "xyz"


def formula_text(x: Formula, said: Words) -> str:
    """A formula on one line."""
    match x:
        case Scalar(symbol, value):
            return f"{symbol} = {_text(value, said)}"
        case Vector(symbol, value):
            return f"{symbol} = {_tuple(value, said)}"
        case TorseurFormula(symbol, resultant, moment, point):
            inside = "; ".join(formula_text(v, said) for v in (resultant, moment))
            return f"{{{symbol}}} = {{{inside}}} {said['at']} {point}"
        case Equation(name, left, right):
            return f"{name}{said['colon']} {_text(left, said)} = {_text(right, said)}"


def _text(x: Expr, said: Words) -> str:
    return _whole(x, text_write) or f"<{_size(x, said)}>"


def _whole(x: Expr, write: Writer) -> str:
    """A formula that can be read; nothing for a long one, which is no formula if it is cut."""
    if len(reachable([x])) > _MOST_NODES:
        return ""
    formula = written(layout(x, {}), write, _LONGEST)
    return "" if formula.endswith("…") else formula


def _size(x: Expr, said: Words) -> str:
    return said["long"].format(count([x]).total)


def _tuple(value: Components, said: Words) -> str:
    inside = ", ".join(_text(expression(x), said) for x in value.values)
    axes = "" if value.axes == GROUND or is_nothing(value) else f" [{value.axes}]"
    return f"({inside}){axes}"


# --- LaTeX ----------------------------------------------------------------------------------------


def formula_latex(x: Formula, said: Words) -> str:
    """A formula in LaTeX, without the signs around it."""
    match x:
        case Scalar(symbol, value):
            return f"{symbol.latex} = {_latex(value, said)}"
        case Vector(symbol, value):
            return f"{symbol.latex} = {_sum(value, said)}"
        case TorseurFormula(symbol, resultant, moment, point):
            rows = r" \\ ".join(formula_latex(v, said) for v in (resultant, moment))
            body = rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}"
            return rf"\left\{{ {symbol.latex} \right\}} = {body}_{{{point.latex}}}"
        case Equation(_, left, right):
            return rf"{_label(x)}:\quad {_latex(left, said)} = {_latex(right, said)}"


def _label(x: Equation) -> str:
    """The coordinate of an equation as it is written there; any other name as a text."""
    moving = {symbol.name.rstrip(".") for symbol in free_symbols([x.left, x.right])}
    return latex_name(x.name) if x.name in moving else rf"\text{{{_safe(x.name)}}}"


def _safe(name: str) -> str:
    return re.sub(r"([&%#_{}])", r"\\\1", name)


def _latex(x: Expr, said: Words) -> str:
    return _whole(x, latex_write) or rf"\text{{{_size(x, said)}}}"


def _sum(value: Components, said: Words) -> str:
    """Σ component × base vector."""
    parts = list(_terms(value, said))
    return " + ".join(parts).replace("+ -", "- ") if parts else r"\vec{0}"


def _terms(value: Components, said: Words) -> Iterator[str]:
    index = "0" if value.axes == GROUND else word(value.axes)
    for axis, x in zip(_AXES, value.values, strict=True):
        x = expression(x)
        if x is ZERO:
            continue
        base = rf"\vec{{{axis}}}_{{{index}}}"
        if x is ONE:
            yield base
        elif x is -ONE:
            yield f"-{base}"
        else:
            formula = _whole(x, latex_write)
            shape = layout(x, {}) if formula else None
            several = shape is None or (isinstance(shape, Sum) and len(shape.terms) > 1)
            formula = formula or _latex(x, said)
            yield rf"\left({formula}\right){base}" if several else rf"{formula}\,{base}"
