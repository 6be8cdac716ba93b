"""From the tree of a formula to expressions: scalars, and vectors of three components."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import PI, Expr, expression
from torseur.algebra.core.expr import number as constant
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.language.text.arithmetic import OPERATIONS, called
from torseur.spatial.vectors import cross
from torseur.teach.formula.nodes import Node
from torseur.teach.formula.tokens import FormulaError
from torseur.words.sentence import say

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
