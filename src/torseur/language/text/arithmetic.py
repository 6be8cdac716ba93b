"""Operations on expressions read from text: no division by zero, no number out of range.

Exact numbers that grow long become floats, so that no text, however strange, costs more than a time
linear in its length.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.coefficients import scale, split
from torseur.algebra.core.expr import CONSTANT, ZERO, Expr, Scalar, number
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import PIECEWISE
from torseur.model.checks.limits import LARGEST

EXACT_BITS = 1000  # of a numerator or a denominator
LARGEST_POWER = 1000  # of a name; larger exponents are mistakes

OPERATIONS: dict[str, Callable[..., Expr]] = {
    "PLUS": lambda a, b=None: a if b is None else bounded(a + b),
    "MINUS": lambda a, b=None: -a if b is None else bounded(a - b),
    "TIMES": lambda a, b: bounded(a * b),
    "OVER": lambda a, b: bounded(a / b),
    "POWER": lambda a, b: bounded(_power(a, b)),
}
ARGUMENTS = {"sqrt": 1} | {
    name: len(inspect.signature(function).parameters)
    for name, function in (
        *((name, function.derivatives) for name, function in FUNCTIONS.items()),
        *PIECEWISE.items(),
    )
}


def called(name: str, *arguments: Expr) -> Expr:
    """A function of the language applied to its arguments."""
    if name == "sqrt":
        return bounded(_power(arguments[0], number(Fraction(1, 2))))
    if name in PIECEWISE:
        return PIECEWISE[name](*arguments)
    return bounded(rules.function(name, *arguments))


def real(x: Expr) -> Expr:
    """The expression; a constant without a real value is refused."""
    if x.stage == CONSTANT and x.op != "number":
        with np.errstate(all="ignore"):
            value = evaluate(x, {})
        if isinstance(value, complex) or not math.isfinite(value):
            raise ArithmeticError("the value is not a real number")
    return x


def bounded(x: Expr) -> Expr:
    """The expression with a coefficient of bounded length and size."""
    coefficient, core = split(x)
    small = isinstance(coefficient, int) and -(2**64) < coefficient < 2**64
    return x if small else scale(_bounded_number(coefficient), core)


def _bounded_number(value: Scalar) -> Scalar:
    if isinstance(value, float):
        size = abs(value)
    else:
        exact = Fraction(value)
        bits = max(exact.numerator.bit_length(), exact.denominator.bit_length())
        size = float(abs(exact))  # OverflowError when it is out of range
        value = value if bits <= EXACT_BITS else float(exact)
    if not (size == 0 or 1 / LARGEST <= size <= LARGEST) or (size == 0 and value != 0):
        raise OverflowError("out of range")
    return value


def _power(base: Expr, exponent: Expr) -> Expr:
    if exponent.op != "number":
        return rules.raised(base, exponent)
    value = exponent.value[1]
    integer = isinstance(value, int)
    if base is ZERO and value > 0:
        return ZERO
    if base.op == "number":
        if not integer and base.value[1] < 0:
            raise ArithmeticError("a negative number has no such root")
        return _not_lost(_number_power(base.value[1], value))
    _, exponent_of_base = rules.base_and_exponent(split(base)[1])
    if abs(value) > LARGEST_POWER or abs(exponent_of_base * value) > LARGEST_POWER:
        raise OverflowError("exponent out of range")
    return rules.power(base, value)


def _not_lost(x: Expr) -> Expr:
    """The power of a number other than zero, unless it is too small to differ from zero."""
    if x is ZERO:
        raise OverflowError("out of range")
    return x


def _number_power(base: Scalar, exponent: Scalar) -> Expr:
    """Exact while it is short, then a float."""
    if isinstance(base, float) or not isinstance(exponent, int):
        return rules.power(number(base), exponent)
    exact = Fraction(base)
    bits = max(exact.numerator.bit_length(), exact.denominator.bit_length())
    if bits * abs(exponent) <= EXACT_BITS or abs(exact) == 1:
        return rules.power(number(base), exponent)
    return number(float(exact) ** exponent)
