"""Formulas of derivations written: on one line of text, plain or in Unicode, or in LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, reachable
from torseur.algebra.forms.count import count
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import quoted
from torseur.algebra.printing.latex import write as latex_write
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.text import write as text_write
from torseur.algebra.printing.tree import Sum, Writer, written
from torseur.algebra.printing.unicode import symbol_name
from torseur.algebra.printing.unicode import write as unicode_write
from torseur.model.description import GROUND
from torseur.named_words import Words
from torseur.teach.derivation.step_formulas import (
    ActionRow,
    ActionTable,
    Boxed,
    Components,
    Equation,
    Formula,
    Positive,
    Prose,
    Scalar,
    TorseurFormula,
    Transport,
    Vector,
    word,
)

_LONGEST = 1200  # characters of one formula
_MOST_NODES = 400  # of one formula: more cannot be that short
_AXES = "xyz"
_NAMES = re.compile(r"[A-Za-z]\w*\.{0,2}")
_WIDEST_FRAME = 190  # characters of an equation that is framed in text
_WIDEST_BOX = 100  # characters of an equation that is framed in LaTeX, where a frame has one line
_VECTORS = re.compile(  # letters with an arrow, before Greek names are written in Greek
    r"(?<!\w)([Ωσγδ](?!\w)|[RMV](?=[(_])|(?<=∧ )R)"
    r"|(?<![\w(])(G(?:\(\w+\))?[^\W_]+)(?=(?:_\w+)?(?: ∧|$))"  # GA, from a point to a point
)
_ARROW = "\u20d7"


@final
@dataclass(frozen=True)
class Hand:
    """Style of formulas: words, order and letters."""

    said: Words
    ranks: Ranks = field(default_factory=dict)  # of parameters: the order of books
    ascii_only: bool = True  # theta.. in the place of θ̈

    def label(self, name: object) -> str:
        """A name or what is made of names, such as ∂T/∂theta."""
        plain = str(name)
        if self.ascii_only:
            return plain
        return _NAMES.sub(_in_unicode, plain).replace(" - ", " − ")

    def vector(self, name: object) -> str:
        """The name of a vector: with an arrow in Unicode, R⃗ beside the radius R."""
        if self.ascii_only:
            return str(name)
        text = str(name)
        alone = text in ("R", "M")  # a resultant and a moment without their ends
        return self.label(f"{text}{_ARROW}" if alone else arrowed(text)).replace("->", "→")

    def sentence(self, text: str) -> str:
        """A sentence, its formulas in the letters of this hand."""
        if self.ascii_only or not isinstance(text, Prose):
            return text
        parts = enumerate(text.marked.split("$"))
        return "".join(self.label(arrowed(x)) if k % 2 else x for k, x in parts)

    def expression(self, x: Expr) -> str:
        """An expression on one line; of a long one, how long it is."""
        write = text_write if self.ascii_only else unicode_write
        return self.whole(x, write) or f"<{_size(x, self.said)}>"

    def whole(self, x: Expr, write: Writer) -> str:
        """A formula that can be read; nothing for a long one, which is no formula if it is cut."""
        if len(reachable([x])) > _MOST_NODES:
            return ""
        formula = written(layout(x, {}, ranks=self.ranks), write, _LONGEST)
        return "" if formula.endswith("…") else formula


def _in_unicode(match: re.Match[str]) -> str:
    """A name in Unicode; below a bar of d…/d…, the name behind the d."""
    name, before = match[0], match.string[match.start() - 1 : match.start()]
    below = before == "/" and name.startswith("d") and len(name) > 1
    return f"d{symbol_name(name[1:])}" if below else symbol_name(name)


def arrowed(formula: str) -> str:
    """A formula in Unicode with arrows over its vectors."""
    return _VECTORS.sub(lambda match: match[0] + _ARROW, formula)


def formula_rows(x: Formula, hand: Hand) -> list[str]:
    """A formula on its lines: one, but of a table and of a result in its frame."""
    match x:
        case ActionTable(head, rows):
            return _columns([head, *(_action(row, hand) for row in rows)])
        case Boxed(equation):
            inside = formula_text(equation, hand)
            if _width(inside) > _WIDEST_FRAME:
                return [inside]
            line = ("-" if hand.ascii_only else "─") * (_width(inside) + 2)
            corners, side = ("++++", "|") if hand.ascii_only else ("┌┐└┘", "│")
            top, below = (f"{corners[k]}{line}{corners[k + 1]}" for k in (0, 2))
            return [top, f"{side} {inside} {side}", below]
        case _:
            return [formula_text(x, hand)]


def formula_text(x: Formula, hand: Hand) -> str:
    """A formula on one line."""
    label, write = hand.label, hand.expression
    match x:
        case Scalar(symbol, value):
            return f"{label(symbol)} = {write(value)}"
        case Vector(symbol, value):
            return f"{hand.vector(symbol)} = {_tuple(value, hand)}"
        case TorseurFormula(symbol, resultant, moment, point):
            inside = "; ".join(formula_text(v, hand) for v in (resultant, moment))
            return f"{{{hand.vector(symbol)}}} = {{{inside}}} {hand.said['at']} {point}"
        case Equation(name, left, right):
            return f"{label(name)}{hand.said['colon']} {write(left)} = {write(right)}"
        case Positive(value):
            return f"{write(value)} > 0"
        case Transport(arm, moment, middle):
            between, last = hand.vector(moment.symbol), _tuple(moment.value, hand)
            between_them = hand.vector(middle)
            return f"{formula_text(arm, hand)}; {between} = {between_them} = {last}"
        case ActionTable() | Boxed():
            return "\n".join(formula_rows(x, hand))


def _action(row: ActionRow, hand: Hand) -> tuple[str, ...]:
    both = (row.resultant, row.moment)
    written = ("0" if x.value.is_nothing else formula_text(x, hand) for x in both)
    return row.cause, hand.label(row.point), *written


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Cells one below the other."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        lines.append("  ".join(x + " " * (w - _width(x)) for x, w in cells).rstrip())
    return lines


def _width(text: str) -> int:
    """Places that a text takes: marks over letters take none."""
    return sum(not unicodedata.combining(x) and x != _ARROW for x in text)


def _size(x: Expr, words: Words) -> str:
    return words["long"].format(count([x]).total)


def _tuple(value: Components, hand: Hand) -> str:
    inside = ", ".join(hand.expression(expression(x)) for x in value.values)
    axes = "" if value.axes == GROUND or value.is_nothing else f" [{hand.label(value.axes)}]"
    return f"({inside}){axes}"


# --- LaTeX ----------------------------------------------------------------------------------------


def formula_latex(x: Formula, hand: Hand) -> str:
    """A formula in LaTeX, without the signs around it."""
    match x:
        case Scalar(symbol, value):
            return f"{symbol.latex} = {_latex(value, hand)}"
        case Vector(symbol, value):
            return f"{symbol.latex} = {_sum(value, hand)}"
        case TorseurFormula(symbol, resultant, moment, point):
            rows = r" \\ ".join(formula_latex(v, hand) for v in (resultant, moment))
            body = rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}"
            return rf"\left\{{ {symbol.latex} \right\}} = {body}_{{{point.latex}}}"
        case Equation(_, left, right):
            return rf"{_label(x)}:\quad {_latex(left, hand)} = {_latex(right, hand)}"
        case Positive(value):
            return f"{_latex(value, hand)} > 0"
        case Transport(arm, moment, _, middle):
            last = _sum(moment.value, hand)
            first = formula_latex(arm, hand)
            return rf"{first},\quad {moment.symbol.latex} = {middle} = {last}"
        case ActionTable(head, rows):
            cells = [[quoted(x) for x in head]]
            cells += [list(table_cells(row, hand)) for row in rows]
            lines = r" \\ ".join(" & ".join(x) for x in cells)
            return rf"\begin{{matrix}} {lines} \end{{matrix}}"
        case Boxed(equation):
            framed = _width(formula_text(equation, hand)) <= _WIDEST_BOX
            inside = formula_latex(equation, hand)
            return rf"\boxed{{{inside}}}" if framed else inside


def table_cells(row: ActionRow, hand: Hand) -> tuple[str, ...]:
    """The cells of an action in LaTeX."""
    both = (row.resultant, row.moment)
    written = (r"\vec{0}" if x.value.is_nothing else formula_latex(x, hand) for x in both)
    return quoted(row.cause), row.point.latex, *written


def _label(x: Equation) -> str:
    """The coordinate of an equation as it is written there; any other name as a text."""
    moving = {symbol.name.rstrip(".") for symbol in free_symbols([x.left, x.right])}
    return latex_name(x.name) if x.name in moving else quoted(x.name)


def _latex(x: Expr, hand: Hand) -> str:
    return hand.whole(x, latex_write) or quoted(_size(x, hand.said))


def _sum(value: Components, hand: Hand) -> str:
    """Σ component × base vector."""
    parts = list(_terms(value, hand))
    return " + ".join(parts).replace("+ -", "- ") if parts else r"\vec{0}"


def _terms(value: Components, hand: Hand) -> Iterator[str]:
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
            formula = hand.whole(x, latex_write)
            shape = layout(x, {}, ranks=hand.ranks) if formula else None
            several = shape is None or (isinstance(shape, Sum) and len(shape.terms) > 1)
            formula = formula or _latex(x, hand)
            yield rf"\left({formula}\right){base}" if several else rf"{formula}\,{base}"
