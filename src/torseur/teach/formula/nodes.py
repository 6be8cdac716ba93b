"""The tree of a formula as it was written, before anything is computed or simplified.

Every term can then be pointed at: `m*l + m*l^2` keeps both terms, although one makes no sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import PI, Expr, expression
from torseur.algebra.core.expr import number as constant
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.algebra.exchange import dotted
from torseur.language.text.arithmetic import OPERATIONS, called
from torseur.spatial.vectors import cross
from torseur.teach.formula.tokens import FUNCTIONS, FormulaError, KnownNames, Token
from torseur.words.sentence import say

_LONGEST_NUMBER = 40  # characters
KINDS = frozenset(
    {
        "number",  # value: Fraction or float
        "symbol",  # value: the name in the model, such as "theta.."
        "unknown",  # value: what was written
        "vector",  # value: what is under the arrow, such as "OM"
        "tuple",  # three components
        "add",
        "neg",
        "mul",
        "div",
        "pow",
        "cross",  # a × b
        "norm",  # |a|
        "rate",  # value: how many times d/dt
        "call",  # value: the function
        "equal",  # left = right
    }
)


@final
@dataclass(frozen=True)
class Node:
    """One operation of a formula, with the column (from 1) where it was written."""

    kind: str
    args: tuple[Node, ...] = ()
    value: Any = None
    place: int = 0

    def __post_init__(self) -> None:
        assert self.kind in KINDS, f"a formula has no node of the kind {self.kind}"

    def walk(self) -> Iterator[Node]:
        """The node and all it is made of."""
        yield self
        for part in self.args:
            yield from part.walk()

    @property
    def terms(self) -> tuple[Node, ...]:
        """The terms of a sum, or the node alone."""
        if self.kind == "add":
            return tuple(x for part in self.args for x in part.terms)
        return (self,)

    @property
    def is_zero(self) -> bool:
        """Whether it is zero as it stands, such as 0/a: it then has any dimension and order."""
        if self.kind == "number":
            return bool(self.value == 0)
        if self.kind == "mul":
            return any(part.is_zero for part in self.args)
        if self.kind in ("neg", "div"):
            return self.args[0].is_zero
        return self.kind == "add" and all(part.is_zero for part in self.args)

    def __str__(self) -> str:
        return _written(self)


def number(value: Any, place: int = 0) -> Node:
    """A number."""
    return Node("number", (), value, place)


def product_of(left: Node, right: Node) -> Node:
    """Factors in a row are one product, however many."""
    before = left.args if left.kind == "mul" else (left,)
    return Node("mul", (*before, right), None, left.place)


def number_of(token: Token) -> Node:
    """Node of a number as it is written."""
    if len(token.text) > _LONGEST_NUMBER or not 1e-300 < abs(float(token.text) or 1.0) < 1e300:
        raise FormulaError(
            say('the number "{token}" is out of range.', token.text[:20]), token.place
        )
    return number(Fraction(token.text), token.place)


def pair(kind: str, left: Node, right: Node) -> Node:
    """An operation of two parts, which stands where the first does."""
    return Node(kind, (left, right), None, left.place)


_RANKS = {"equal": 0, "add": 1, "neg": 2, "mul": 2, "cross": 2, "div": 2, "pow": 4}


def _written(x: Node) -> str:
    parts = [_bracketed(x, part, k) for k, part in enumerate(x.args)]
    match x.kind:
        case "number":
            value = x.value
            exact = isinstance(value, Fraction) and value.denominator != 1
            return f"({value})" if exact else str(value)
        case "symbol" | "unknown":
            return str(x.value)
        case "vector":
            return f"vec({x.value})"
        case "tuple":
            return f"({', '.join(map(str, x.args))})"
        case "add":
            return "".join(_signed(part, k == 0) for k, part in enumerate(x.terms))
        case "neg":
            return f"-{parts[0]}"
        case "mul":
            return "*".join(parts)
        case "cross":
            return " x ".join(parts)
        case "div":
            return "/".join(parts)
        case "pow":
            return "^".join(parts)
        case "norm":
            return f"|{x.args[0]}|"
        case "rate":
            order = "" if x.value == 1 else f"^{x.value}"
            return f"d{order}/dt{order}({x.args[0]})"
        case "call" if not x.args:
            return str(x.value)
        case "call":
            return f"{x.value}({', '.join(map(str, x.args))})"
    return " = ".join(map(str, x.args))


def _signed(term: Node, first: bool) -> str:
    if term.kind == "neg":
        return ("-" if first else " - ") + _bracketed(term, term.args[0], 0)
    return ("" if first else " + ") + _bracketed(Node("add"), term, 0)


def _bracketed(outer: Node, inner: Node, position: int) -> str:
    mine, rank = _RANKS.get(outer.kind, 0), _RANKS.get(inner.kind, 9)
    tight = outer.kind in ("div", "pow") and position == 1
    signed = inner.kind == "neg" and outer.kind not in ("add", "equal")
    needed = signed or rank < mine or (tight and rank <= mine)
    return f"({inner})" if needed else str(inner)


# --- from the tree of a formula to expressions: scalars, and vectors of three components ----------

Array = np.ndarray
Value = Any  # an expression, or an array of three


def value_of(
    x: Node,
    symbols: Mapping[str, Expr],
    vectors: Mapping[str, Array],
    rates: Mapping[Expr, Any] | None = None,
) -> Value:
    """The value of a formula; left = right has the value left − right.

    Names must be known and tensor orders must agree: both are checked before. `rates` are those of
    coordinates, speeds and time, for d/dt.
    """
    parts = [value_of(part, symbols, vectors, rates) for part in x.args]
    match x.kind:
        case "number":
            return constant(x.value)
        case "symbol":
            return symbols[x.value]
        case "vector":
            return vectors[x.value]
        case "tuple":
            return expressions(parts)
        case "add":
            return reduce(_sum, parts)
        case "neg":
            return -parts[0]
        case "mul":
            return reduce(_product, parts)
        case "cross":
            return _product(*parts) if np.ndim(parts[0]) == 0 else cross(*parts)
        case "div":
            return _safely(x, lambda: parts[0] / parts[1])
        case "pow":
            base = parts[0] @ parts[0] if np.ndim(parts[0]) else parts[0]
            exponent = parts[1] / 2 if np.ndim(parts[0]) else parts[1]
            return _safely(x, lambda: OPERATIONS["POWER"](expression(base), exponent))
        case "rate":
            return _rate(x, parts[0], rates or {})
        case "norm":
            return expression(np.sqrt(parts[0] @ parts[0])) if np.ndim(parts[0]) else abs(parts[0])
        case "call":
            return PI if x.value == "pi" else _safely(x, lambda: called(x.value, *parts))
    return _sum(parts[0], -parts[1])


def _rate(x: Node, value: Value, rates: Mapping[Expr, Any]) -> Value:
    for _ in range(x.value):
        last = [y.name for y in free_symbols(value) if y.kind in ("acceleration", "input")]
        if last:
            raise FormulaError(
                say('{x} needs the time derivative of "{last}", which has none.', x, last[0]),
                x.place,
            )
        value = time_derivative(value, rates)
    return value


def _sum(a: Value, b: Value) -> Value:
    """A sum; a bare zero may stand for a zero vector."""
    if np.ndim(a) != np.ndim(b):
        a, b = (x if np.ndim(x) else expressions([x, x, x]) for x in (a, b))
    return a + b


def _product(a: Value, b: Value) -> Value:
    return expression(a @ b) if np.ndim(a) and np.ndim(b) else a * b


def _safely(x: Node, operation: Any) -> Value:
    try:
        return operation()
    except ZeroDivisionError:
        raise FormulaError(say("{x} divides by zero.", x), x.place) from None
    except (ArithmeticError, OverflowError):
        raise FormulaError(say("{x} has no real value.", x), x.place) from None


# --- formulas given as SymPy expressions or equations ---------------------------------------------

_NAMES = {"Abs": "abs", "sign": "sign", "Max": "max", "Min": "min"} | {
    name: name for name in FUNCTIONS.values()
}


def is_sympy(formula: Any) -> bool:
    """Whether an object is SymPy's, without importing SymPy."""
    return type(formula).__module__.split(".")[0] == "sympy" or any(
        kind.__module__.split(".")[0] == "sympy" for kind in type(formula).__mro__
    )


def from_sympy(formula: Any, names: KnownNames) -> Node:
    """The tree of a SymPy expression, an Eq, or a matrix of three components.

    Coordinates are symbols named as in the model (`theta`, `theta.`, `theta..`) or as in its SymPy
    matrices (`theta_dot`, `theta_ddot`), or functions of time and their derivatives.
    """
    import sympy

    if isinstance(formula, sympy.Eq):
        return Node("equal", tuple(from_sympy(part, names) for part in formula.args))
    if isinstance(formula, sympy.MatrixBase):
        return Node("tuple", tuple(from_sympy(part, names) for part in formula))
    return _node(formula, names)


def _node(x: Any, names: KnownNames) -> Node:
    import sympy

    if isinstance(x, sympy.Rational):
        return number(Fraction(int(x.p), int(x.q)))
    if isinstance(x, sympy.Float):
        return number(Fraction(str(x)))
    if x is sympy.pi:
        return Node("call", (), "pi")
    if isinstance(x, sympy.Symbol):
        return _named(x.name, 0, names)
    if isinstance(x, sympy.Derivative):
        inner, *variables = x.args
        order = sum(int(count) for _, count in variables)
        return _named(inner.func.__name__, order, names)
    if isinstance(x, sympy.core.function.AppliedUndef):
        return _named(x.func.__name__, 0, names)
    parts = tuple(_node(part, names) for part in x.args)
    for kind in (sympy.Add, sympy.Mul, sympy.Pow):
        if isinstance(x, kind):
            return Node(kind.__name__.lower(), parts)
    name = _NAMES.get(x.func.__name__)
    if name is None:
        raise FormulaError(
            say('"{x}" ({kind}) cannot be read as a formula.', x, x.func.__name__), 0
        )
    if name in ("max", "min"):  # of any number, two at a time
        return reduce(lambda a, b: Node("call", (a, b), name), parts)
    return Node("call", parts, name)


def _named(name: str, dots: int, names: KnownNames) -> Node:
    known = names.find(name + "." * dots) or names.find(dotted(name) + "." * dots)
    return Node("unknown", (), name + "." * dots) if known is None else Node("symbol", (), known)
