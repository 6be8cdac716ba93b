"""Trees of formulas in the notation of Typst."""

from __future__ import annotations

from torseur.algebra.printing.breaking import lines, width
from torseur.algebra.printing.notation import (
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

_MARKS = {"dot": "dot", "ddot": "dot.double", "dddot": "dot.triple", "vec": "arrow", "hat": "hat",
          "bar": "macron", "tilde": "tilde"}  # fmt: skip
_DELIMITERS = {"Bmatrix": '"{"', "bmatrix": '"["', "pmatrix": '"("', "matrix": "#none"}
_WHOLE = 9.0  # of a formula that no line breaks [em]
_SPECIAL = set(r"""/\#$_^&"'`,;:()[]{}|*~@""")


def inline(latex: str) -> str:
    """A formula in a line of text; a torseur is as large there as on a line of its own.

    A short one is never broken: `x = 3` stays together.
    """
    row = read(latex)
    written = formula(row)
    if any(isinstance(getattr(x, "base", x), Grid) for x in row.items):
        return f"#box(inset: (y: 0.35em), $display({written})$)"
    return f"#box(${written}$)" if width(row) <= _WHOLE else f"${written}$"


def display(latex: str) -> str:
    """A displayed formula in as many lines as it needs."""
    first, *others = lines(read(latex))
    rows = [f"& {formula(first)}", *(f"& quad {formula(row)}" for row in others)]
    return "$ " + " \\ ".join(rows) + " $"


def formula(node: Node) -> str:
    """A tree in the notation of Typst."""
    match node:
        case Sign():
            return _sign(node)
        case Space(width):
            return f"#h({width:g}em)"
        case Row(items):
            return " ".join(map(formula, items)) or '""'
        case Script(base, below, above):
            low = "" if below is None else f", b: {formula(below)}"
            high = "" if above is None else f", t: {formula(above)}"
            return f"attach({formula(base)}{low}{high})"
        case Fraction(above, below):
            return f"frac({formula(above)}, {formula(below)})"
        case Root(body):
            return f"sqrt({formula(body)})"
        case Accent(mark, body):
            return f"{_MARKS[mark]}({formula(body)})"
        case Fence(left, right, body):
            return f"lr({_escaped(left)} {formula(body)} {_escaped(right)})"
        case Grid("cases", rows):
            listed = (" & ".join(map(formula, row)) for row in rows)
            return f"cases({', '.join(listed)})"
        case Grid(kind, rows):
            listed = (", ".join(map(formula, row)) for row in rows)
            return f"mat(delim: {_DELIMITERS[kind]}, {'; '.join(listed)})"


def _sign(sign: Sign) -> str:
    quoted = string(sign.text)
    match sign.kind:
        case "number":
            return sign.text
        case "letter":
            return sign.text if len(sign.text) == 1 else f"italic({quoted})"
        case "upright" | "bold":
            return f"upright({quoted})"
        case "script":
            return f"cal({quoted})"
        case "text":
            return quoted
        case _:
            return _escaped(sign.text)


def _escaped(signs: str) -> str:
    return "".join(f"\\{x}" if x in _SPECIAL else x for x in signs)


def string(text: str) -> str:
    """A text between quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
