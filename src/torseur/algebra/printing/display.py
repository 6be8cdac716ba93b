"""Displayed formulas in LaTeX, in lines that fit the page."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.algebra.printing.breaking import WIDEST, lines, width
from torseur.algebra.printing.notation import (
    FENCES,
    Accent,
    Fence,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    Sign,
    Space,
    read,
)

_LABEL = 9.0  # of a label before its formula, at most [em]
_BRACES = {left: right for right, left in FENCES.items()}


def display(latex: Iterable[str]) -> str:
    """Displayed formulas, each in as many lines as it needs (environment align* of amsmath)."""
    rows: list[str] = []
    for one in latex:
        first, *others = _lines(one, WIDEST)
        rows += [f"& {first}", *(rf"& \quad {row}" for row in others)]
    return _environment(rows)


def aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Formulas after their labels, all beginning at one place (environment align* of amsmath).

    A label that is itself long, such as the names of many equal entries, is part of its formula.
    """
    listed = list(rows)
    wide = max((x for x in (width(read(label)) for label, _ in listed) if x <= _LABEL), default=0.0)
    done: list[str] = []
    for label, one in listed:
        if width(read(label)) > _LABEL:
            label, one = "", f"{label} {one}"
        first, *others = _lines(one, WIDEST - wide)
        done += [f"{label} &{first}".lstrip(), *(rf"&\quad {row}" for row in others)]
    return _environment(done)


def _environment(rows: Iterable[str]) -> str:
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _lines(latex: str, widest: float) -> list[str]:
    """A formula as it is where it fits, else broken."""
    broken = lines(read(latex), widest)
    return [latex] if len(broken) == 1 else [formula(row) for row in broken]


def formula(node: Node) -> str:
    """A tree as LaTeX."""
    match node:
        case Sign(_, _, latex) | Space(_, latex):
            return latex
        case Row(items):
            return " ".join(map(formula, items))
        case Script(base, below, above):
            low = "" if below is None else f"_{{{formula(below)}}}"
            return f"{_base(base)}{low}{_above(above)}"
        case Fraction(above, below):
            return rf"\frac{{{formula(above)}}}{{{formula(below)}}}"
        case Root(body):
            return rf"\sqrt{{{formula(body)}}}"
        case Accent(mark, body):
            return rf"\{mark}{{{formula(body)}}}"
        case Fence(left, right, body):
            return rf"\left{_BRACES[left]} {formula(body)} \right{_BRACES[right]}"
        case Grid(kind, rows):
            listed = " \\\\ ".join(" & ".join(map(formula, row)) for row in rows)
            return rf"\begin{{{kind}}} {listed} \end{{{kind}}}"


def _base(node: Node) -> str:
    single = isinstance(node, Sign | Accent | Grid | Fence)
    return formula(node) if single else f"{{{formula(node)}}}"


def _above(node: Node | None) -> str:
    if node is None:
        return ""
    primes = isinstance(node, Sign) and node.text == "′"
    return "'" if primes else f"^{{{formula(node)}}}"
