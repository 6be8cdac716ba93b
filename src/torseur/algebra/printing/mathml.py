"""Expressions as presentation MathML, which browsers typeset without any script."""

from collections.abc import Mapping
from fractions import Fraction
from html import escape

from torseur.algebra.core.expr import Expr, Scalar
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.rules import PIECEWISE
from torseur.algebra.printing.decimals import with_decimals
from torseur.algebra.printing.names import GREEK, identifier, numbered_letter
from torseur.algebra.printing.reading_order import layout
from torseur.algebra.printing.text import NO_NAMES
from torseur.algebra.printing.tree import (
    FunctionCall,
    Name,
    Pieces,
    Tree,
    TreeWriter,
    as_base,
    between,
    lone,
    stacked,
    written,
)
from torseur.words.sentence import say

_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln", "sign": "sgn"}
_RAISED = {"sin", "cos", "tan", "sinh", "cosh", "tanh"}
_ACCENTS = ("", "\u02d9", "\u00a8", "\u20db")
_FRACTION = ("<mfrac><mrow>", "</mrow><mrow>", "</mrow></mfrac>")
_BRACKETS = ("<mrow><mo>(</mo>", "<mo>)</mo></mrow>")
_MINUS, _LEADING_MINUS = "<mo>\u2212</mo>", '<mo form="prefix">\u2212</mo>'
_TIMES = '<mo lspace="0" rspace="0.17em">\u2062</mo>'  # invisible, with a thin space
_DOT = "<mo>\u22c5</mo>"
_COMMA = '<mo lspace="0" rspace="0.1em">,</mo>'
_APPLY = "<mo>\u2061</mo>"
_PRIMES = ("", "\u2032", "\u2033", "\u2034")


def mathml(
    x: Expr, names: Mapping[int, str] = NO_NAMES, *, top: bool = False, block: bool = False
) -> str:
    """The expression as a <math> element; named nodes by name, except x itself when `top`."""
    return element(written(layout(x, names, top=top), write), block=block)


def element(content: str, *, block: bool = False) -> str:
    """A <math> element around its content, in the line or as a block."""
    display = ' display="block"' if block else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{display}>{content}</math>'


def name(text: str, *, abbreviation: bool = False, exponent: str = "") -> str:
    """A name with its subscript, its dots and its exponent; sines and cosines are upright."""
    parts = identifier(text, abbreviation=abbreviation)
    variant = ' mathvariant="normal"' if abbreviation and len(parts.stem) == 1 else ""
    stem = f"<mi{variant}>{escape(GREEK.get(parts.stem, parts.stem))}</mi>"
    if parts.dots:
        accent = _ACCENTS[min(parts.dots, 3)]
        stem = f"<mover>{stem}<mo>{accent}</mo></mover>"
    below = _COMMA.join(_subscript(part) for part in parts.subscripts)
    if below and exponent:
        return f"<msubsup>{stem}<mrow>{below}</mrow>{exponent}</msubsup>"
    if below:
        return f"<msub>{stem}<mrow>{below}</mrow></msub>"
    return f"<msup>{stem}{exponent}</msup>" if exponent else stem


def _subscript(word: str) -> str:
    if word[0].isdigit() or word[0] == "-":
        return f"<mn>{escape(_minus(word))}</mn>"
    if numbered := numbered_letter(word):
        return f"<msub><mi>{GREEK[numbered[0]]}</mi><mn>{numbered[1]}</mn></msub>"
    return f"<mi>{escape(GREEK.get(word, word))}</mi>"


def digits(value: Scalar) -> str:
    """A number without loss: 3, a fraction, 9.81, 2.5·10⁻⁷."""
    if isinstance(value, Fraction):
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return f"<mn>{mantissa.replace('inf', '∞')}</mn>"
    power = f"<msup><mn>10</mn><mn>{_minus(str(int(exponent)))}</mn></msup>"
    return power if mantissa == "1" else f"<mrow><mn>{mantissa}</mn>{_DOT}{power}</mrow>"


def _minus(digits: str) -> str:
    """Digits with a true minus sign."""
    return digits.replace("-", "\u2212")


def _power(base: Tree, exponent: Scalar) -> Pieces:
    raised = f"<mn>{exponent}</mn>"
    if isinstance(base, Name):
        return [name(base.text, abbreviation=base.upright, exponent=raised)]
    if isinstance(base, FunctionCall) and base.name in _RAISED and isinstance(exponent, int):
        function = f"<msup><mi>{base.name}</mi>{raised}</msup>{_APPLY}"
        return [function, *_argument(base)]
    return ["<msup>", *as_base(base, _BRACKETS), f"{raised}</msup>"]


def _call(tree: FunctionCall) -> Pieces:
    if tree.name == "sqrt":
        return ["<msqrt>", *tree.args, "</msqrt>"]
    if tree.name == "abs":
        return ["<mrow><mo>|</mo>", *tree.args, "<mo>|</mo></mrow>"]
    if tree.name == "if":
        return _choice(*tree.args)
    return [_function(tree.name) + _APPLY, *_argument(tree)]


def _argument(call: FunctionCall) -> Pieces:
    if lone(call):
        return list(call.args)
    return [_BRACKETS[0], *between(list(call.args), "<mo>,</mo>"), _BRACKETS[1]]


def _choice(condition: Tree, above: Tree, otherwise: Tree) -> Pieces:
    """Two lines after a brace."""
    cell, row = "</mrow></mtd><mtd><mrow>", "</mrow></mtd></mtr>"
    start = "<mtr><mtd><mrow>"
    return [
        f"<mrow><mo>{{</mo><mtable>{start}", above, cell, condition,
        f"<mo>&gt;</mo><mn>0</mn>{row}",
        start, otherwise, f"{cell}<mtext>{say('otherwise')}</mtext>{row}</mtable></mrow>",
    ]  # fmt: skip


def _function(text: str) -> str:
    """The name of a function; that of a table is written as a symbol, with its primes."""
    if text in FUNCTIONS or text in PIECEWISE:
        return f"<mi>{_NAMES.get(text, text)}</mi>"
    table = text.rstrip("'")
    primes = _PRIMES[len(text) - len(table)]
    return name(table, exponent=f"<mo>{primes}</mo>" if primes else "")


write = with_decimals(
    TreeWriter(  # the pieces of a sum or a product are not grouped
        digits,
        lambda tree: name(tree.text, abbreviation=tree.upright),
        ("<mo>+</mo>", _MINUS, _LEADING_MINUS),
        lambda tree: stacked(tree, _TIMES, _DOT, _BRACKETS, _FRACTION),
        _power,
        _call,
    )
)
