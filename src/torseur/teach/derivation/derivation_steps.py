"""A derivation: ordered steps with sentences, formulas and theorem, as data and as documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from torseur import notebook
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
from torseur.brief import brief
from torseur.errors import unknown
from torseur.model.description import GROUND
from torseur.named_words import Words, teach_words
from torseur.plain import entries
from torseur.teach.derivation.hypotheses import Hypothesis
from torseur.teach.derivation.step_formulas import (
    Components,
    Equation,
    Formula,
    Positive,
    Prose,
    Scalar,
    TorseurFormula,
    Vector,
    typeset,
    word,
)


@final
@dataclass(frozen=True)
class Step:
    """One step: what is done, by which theorem, under which hypotheses, and what comes out."""

    name: str  # such as "kinematics", the same in every language
    title: str
    text: tuple[str, ...] = ()
    formulas: tuple[Formula, ...] = ()
    theorem: str = ""
    hypotheses: tuple[str, ...] = ()  # codes of those the theorem needs
    warnings: tuple[str, ...] = ()  # traps that lie here


def told_step(
    words: Words,
    name: str,
    formulas: Iterable[Formula] = (),
    *,
    title: str = "",
    text: Sequence[str] = (),
    theorem: str = "",
    needs: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Step:
    """A step from the keys of its words: the title from the name, the sentence from `NAME text`.

    `title` and `theorem` are other keys; `text` holds sentences in the place of the usual one.
    """
    lines = map(Prose, text or (words[f"{name} text"],))
    proof = Prose(words[theorem]) if theorem else ""
    beware = tuple(map(Prose, warnings))
    return Step(name, words[title or name], tuple(lines), tuple(formulas), proof, needs, beware)


@final
@dataclass(frozen=True, eq=False)
class Derivation:
    """The way from the description of a mechanism to its equations, in a language."""

    __repr__ = brief
    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    name: str
    formalism: str
    lang: str
    title: str
    hypotheses: tuple[Hypothesis, ...]
    steps: tuple[Step, ...]
    ranks: Ranks = field(default_factory=dict)  # of parameters: the order of books

    def step(self, name: str) -> Step:
        """A step by name."""
        for one in self.steps:
            if one.name == name:
                return one
        raise unknown("derivation", "step", name, [one.name for one in self.steps])

    @property
    def equations(self) -> dict[str, Equation]:
        """The equations of motion by coordinate."""
        formulas = self.step("equations").formulas
        return {x.name: x for x in formulas if isinstance(x, Equation)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The traps of all steps."""
        return tuple(dict.fromkeys(w for step in self.steps for w in step.warnings))

    def hand(self, *, ascii_only: bool = True) -> Hand:
        """Style of its formulas."""
        return Hand(teach_words(self.lang), self.ranks, ascii_only)

    def text(self, *, ascii_only: bool = True) -> str:
        """The derivation as plain text: numbered steps, indented formulas.

        In plain letters, which can be read back, or in Unicode, as `print` shows it.
        """
        hand = self.hand(ascii_only=ascii_only)
        words = hand.said
        lines = [self.title, ""]
        lines += [f"{x.code}{words['colon']} {hand.sentence(x.text)}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            lines += ["", f"{k}. {hand.sentence(step.title)}"]
            prose = (*step.text, *theorem(step, words))
            lines += [f"   {hand.sentence(line)}" for line in prose]
            lines += [f"     {formula_text(x, hand)}" for x in step.formulas]
            lines += [f"   ! {hand.sentence(warning)}" for warning in step.warnings]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """The derivation as Markdown: headings, lists, formulas between double dollar signs."""
        hand = self.hand()
        words = hand.said
        lines = [f"# {self.title}", ""]
        lines += [f"- **{x.code}** {typeset(x.text)}" for x in self.hypotheses]
        for k, step in enumerate(self.steps, 1):
            blocks = [f"## {k}. {typeset(step.title)}", *map(typeset, step.text)]
            blocks += [f"*{typeset(line)}*" for line in theorem(step, words)]
            blocks += [f"$$ {formula_latex(x, hand)} $$" for x in step.formulas]
            lines += ["", "\n\n".join(blocks), ""]
            lines += [f"> {words['warning']} {typeset(x)}\n" for x in step.warnings]
        return "\n".join(lines).rstrip() + "\n"

    def latex(self, standalone: bool = False) -> str:
        """The derivation as LaTeX sections and displayed formulas (they need amsmath).

        Or as a document of its own, which LaTeX compiles as it is.
        """
        return notebook.document("whole" if standalone else "piece", self)

    def html(self) -> str:
        """The derivation as one page that opens offline."""
        return notebook.document("page", self)

    def __str__(self) -> str:
        return self.text(ascii_only=False)

    @property
    def document(self) -> dict[str, Any]:
        """The result as plain data."""
        hand = self.hand()
        steps = [
            {
                **entries(step, "name", "title", "text", "theorem", "hypotheses"),
                "formulas": [formula_text(x, hand) for x in step.formulas],
                "warnings": list(step.warnings),
            }
            for step in self.steps
        ]
        return entries(self, "name", "formalism", "lang", "hypotheses") | {"steps": steps}


def theorem(step: Step, words: Words) -> list[str]:
    """The sentence on the theorem of a step and the hypotheses it needs, if it has one."""
    needs = words["under"].format(", ".join(step.hypotheses)) if step.hypotheses else ""
    proof = step.theorem.marked if isinstance(step.theorem, Prose) else step.theorem
    return [Prose(words["theorem"].format(proof) + needs)] if proof else []


# --- formulas of a derivation on one line of text, plain or in Unicode, or in LaTeX ---------------

_LONGEST = 1200  # characters of one formula
_MOST_NODES = 400  # of one formula: more cannot be that short
_AXES = "xyz"
_NAMES = re.compile(r"[A-Za-z]\w*\.{0,2}")


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
        return _NAMES.sub(lambda x: symbol_name(x[0]), plain).replace(" - ", " − ")

    def sentence(self, text: str) -> str:
        """A sentence, its formulas in the letters of this hand."""
        if self.ascii_only or not isinstance(text, Prose):
            return text
        parts = enumerate(text.marked.split("$"))
        return "".join(self.label(x) if k % 2 else x for k, x in parts)

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


def formula_text(x: Formula, hand: Hand) -> str:
    """A formula on one line."""
    label, write = hand.label, hand.expression
    match x:
        case Scalar(symbol, value):
            return f"{label(symbol)} = {write(value)}"
        case Vector(symbol, value):
            return f"{label(symbol)} = {_tuple(value, hand)}"
        case TorseurFormula(symbol, resultant, moment, point):
            inside = "; ".join(formula_text(v, hand) for v in (resultant, moment))
            return f"{{{label(symbol)}}} = {{{inside}}} {hand.said['at']} {point}"
        case Equation(name, left, right):
            return f"{label(name)}{hand.said['colon']} {write(left)} = {write(right)}"
        case Positive(value):
            return f"{write(value)} > 0"


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
