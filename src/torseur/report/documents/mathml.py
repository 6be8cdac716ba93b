"""Trees of formulas as MathML that wraps between terms."""

from __future__ import annotations

from html import escape

from torseur.algebra.printing.breaking import pieces
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

_MARKS = {"dot": "˙", "ddot": "¨", "dddot": "\u20db", "vec": "→",
          "overrightarrow": "→", "hat": "^", "bar": "¯", "tilde": "~"}  # fmt: skip
_BRACES = {"Bmatrix": ("{", "}"), "bmatrix": ("[", "]"), "pmatrix": ("(", ")"),
           "matrix": ("", ""), "cases": ("{", "")}  # fmt: skip
_BETWEEN = '<mo form="infix" lspace="0.25em" rspace="0.22em">{}</mo>'
_FURTHER = 52.0  # torseurs and fractions up to this width are not written in the line [em]


def inline(latex: str) -> str:
    """A formula in a line of text."""
    return f"<math>{_row(read(latex))}</math>"


def display(latex: str) -> str:
    """A displayed formula: <math> elements between which a line may break."""
    first, *others = pieces(read(latex), _FURTHER)
    rows = [_row(first), *(f"<mrow>{_signs(piece.items, within=True)}</mrow>" for piece in others)]
    return "\u200b".join(f'<math displaystyle="true">{row}</math>' for row in rows)


def _row(node: Node) -> str:
    return f"<mrow>{written(node)}</mrow>"


def written(node: Node) -> str:
    """A tree as MathML."""
    match node:
        case Sign():
            return _sign(node)
        case Space(width):
            return f'<mspace width="{width:g}em"/>'
        case Row(items):
            return _signs(items)
        case Script(base, below, above):
            return _script(base, below, above)
        case Fraction(above, below):
            return f"<mfrac>{_row(above)}{_row(below)}</mfrac>"
        case Root(body):
            return f"<msqrt>{written(body)}</msqrt>"
        case Accent("boxed", body):
            return f'<mrow style="border:1px solid;padding:0.3em">{_row(body)}</mrow>'
        case Accent(mark, body):
            wide = "true" if mark == "overrightarrow" else "false"
            arrow = f'<mo stretchy="{wide}">{_MARKS[mark]}</mo>'
            return f'<mover accent="true">{_row(body)}{arrow}</mover>'
        case Fence(left, right, body):
            return f"<mrow>{_fence(left)}{written(body)}{_fence(right)}</mrow>"
        case Grid(kind, rows):
            return _grid(kind, rows)


def _signs(items: tuple[Node, ...], within: bool = False) -> str:
    """A row, in which a sign at the start, or after another one, belongs to what follows.

    A sign at the start of what goes on `within` a formula stands between two terms.
    """
    done, before = "", True
    for k, item in enumerate(items):
        if within and k == 0 and isinstance(item, Sign) and item.kind == "operator":
            done += _BETWEEN.format(escape(item.text))
        elif before and isinstance(item, Sign) and item.text in "+−":
            done += f'<mo form="prefix">{item.text}</mo>'
        else:
            done += written(item)
        before = isinstance(item, Sign) and item.text in ("=", "(", "[", "{", ",", ";")
    return done


def _sign(sign: Sign) -> str:
    text = escape(sign.text)
    match sign.kind:
        case "number":
            return f"<mn>{text}</mn>"
        case "letter":
            return f"<mi>{text}</mi>" if len(sign.text) == 1 else f'<mi class="word">{text}</mi>'
        case "upright" | "bold" | "text":  # beside <mtext>, which counts as space, signs have none
            variant = ' mathvariant="normal"' if len(sign.text) == 1 else ""
            return f"<mi{variant}>{text}</mi>"
        case "script":
            return f"<mi>{''.join(map(_script_letter, sign.text))}</mi>"
        case _:
            tall = ' stretchy="false"' if sign.text in "()[]{}|" else ""
            return f"<mo{tall}>{text}</mo>"


def _script_letter(letter: str) -> str:
    """𝒯 for T; some letters have an older place."""
    older = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"}
    return older.get(letter) or chr(0x1D49C + ord(letter) - ord("A"))


def _script(base: Node, below: Node | None, above: Node | None) -> str:
    if below is not None and above is not None:
        return f"<msubsup>{_row(base)}{_row(below)}{_row(above)}</msubsup>"
    if below is not None:
        return f"<msub>{_row(base)}{_row(below)}</msub>"
    return f"<msup>{_row(base)}{_row(above or Row(()))}</msup>"


def _fence(sign: str) -> str:
    return f'<mo fence="true">{sign}</mo>' if sign else ""


def _grid(kind: str, rows: tuple[tuple[Row, ...], ...]) -> str:
    left, right = _BRACES[kind]
    align = ' columnalign="left"' if kind == "cases" else ""
    lines = "".join(
        f"<mtr>{''.join(f'<mtd>{written(cell)}</mtd>' for cell in row)}</mtr>" for row in rows
    )
    return f"<mrow>{_fence(left)}<mtable{align}>{lines}</mtable>{_fence(right)}</mrow>"
