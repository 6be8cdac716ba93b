"""Random expressions, each with its value and the rounding error that value may carry."""

import math
import random
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from torseur.algebra import PI, Expr, number, symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import function

UNIT = 2.0**-52  # relative rounding error of one operation
VALUES = {"a": 1.3, "b": 0.7, "c": 2.1, "q1": 0.4, "q2": 1.1, "q3": -0.8}
PARAMETERS = [symbol(name) for name in "abc"]
COORDINATES = [symbol(name, "coordinate") for name in ("q1", "q2", "q3")]
SYMBOLS = PARAMETERS + COORDINATES

NUMBERS = (0, 1, 2, -1, Fraction(1, 2), Fraction(-2, 3), 2.5, 0.3)
EXPONENTS = (2, 2, 3, 4, -1, -2, Fraction(1, 2), 0.5, Fraction(3, 2), Fraction(-1, 2), 0.25, 2.7)
FUNCTIONS = {  # value, slope, where both are tame
    "sin": (math.sin, math.cos, lambda x: True),
    "cos": (math.cos, math.sin, lambda x: True),
    "tan": (math.tan, lambda x: 1 + math.tan(x) ** 2, lambda x: abs(math.cos(x)) > 0.1),
    "asin": (math.asin, lambda x: 1 / math.sqrt(1 - x * x), lambda x: abs(x) < 0.9),
    "acos": (math.acos, lambda x: 1 / math.sqrt(1 - x * x), lambda x: abs(x) < 0.9),
    "atan": (math.atan, lambda x: 1, lambda x: True),
    "exp": (math.exp, math.exp, lambda x: True),
    "log": (math.log, lambda x: 1 / x, lambda x: x > 0.05),
    "sinh": (math.sinh, math.cosh, lambda x: True),
    "cosh": (math.cosh, math.sinh, lambda x: True),
    "tanh": (math.tanh, lambda x: 1, lambda x: True),
    "sign": (lambda x: math.copysign(1, x), lambda x: 0, lambda x: abs(x) > 0.01),
    "abs": (abs, lambda x: 1, lambda x: abs(x) > 0.01),
}
OPERATORS = (
    *("+", "-", "*", "/", "neg", "^", "^", "atan2"),
    *("turned", "meets") * 4,
    *FUNCTIONS,
)


@dataclass(frozen=True)
class Sample:
    """An expression, the float that the same operations give, and a bound of its rounding error."""

    expr: Expr
    value: float
    error: float

    def is_tame(self):
        return abs(self.value) < 1e4 and self.error < 1e-9


def leaf(expr, value):
    return Sample(expr, float(value), UNIT * abs(value))


def leaves():
    made = [leaf(x, VALUES[x.name]) for x in SYMBOLS]
    made += [leaf(number(value), value) for value in NUMBERS]
    made += [leaf(PI / k, math.pi / k) for k in (1, 2, 3, 4, 5)]
    angles = made[3:6]
    squares = [raised(applied(name, x), 2) for x in angles for name in ("sin", "cos")]
    return (
        made + angles * 3 + [applied(name, x) for x in angles for name in ("sin", "cos")] + squares
    )


def applied(name, x):
    value, slope, tame = FUNCTIONS[name]
    if abs(x.value) > 8 or not tame(x.value):
        return None
    rounding = UNIT * (abs(value(x.value)) + (1 + abs(x.value) if name in ("sin", "cos") else 0))
    error = abs(slope(x.value)) * x.error + rounding
    return Sample(function(name, x.expr), value(x.value), error)


def raised(x, exponent):
    if abs(x.value) < 0.1 or abs(x.value) > 8 or (x.value < 0 and not isinstance(exponent, int)):
        return None
    value = x.value ** float(exponent)
    error = abs(float(exponent) * value / x.value) * x.error + 4 * UNIT * abs(value)
    return Sample(x.expr**exponent, value, error)


def combined(operator, x, y):
    """x operator y, or None where the result is not tame."""
    u, v, du, dv = x.value, y.value, x.error, y.error
    if operator == "+":
        return Sample(x.expr + y.expr, u + v, du + dv + UNIT * abs(u + v))
    if operator == "-":
        return Sample(x.expr - y.expr, u - v, du + dv + UNIT * abs(u - v))
    if operator == "*":
        return Sample(x.expr * y.expr, u * v, abs(u) * dv + abs(v) * du + UNIT * abs(u * v))
    if operator == "/" and abs(v) > 0.1:
        error = du / abs(v) + dv * abs(u / v / v) + UNIT * abs(u / v)
        return Sample(x.expr / y.expr, u / v, error)
    if operator == "atan2" and min(abs(u), abs(v)) > 0.01:
        error = (du * abs(v) + dv * abs(u)) / (u * u + v * v) + 4 * UNIT
        return Sample(x.expr.arctan2(y.expr), math.atan2(u, v), error)
    return None


def turned(angles, w, u, rng):
    """A sum of two products of sines and cosines, as rotations about parallel axes make."""
    parts = [applied(rng.choice(("sin", "cos")), angle) for angle in angles]
    if None in parts:
        return None
    left = combined("*", combined("*", parts[0], parts[1]), w)
    right = combined("*", u, combined("*", parts[2], parts[3]))
    return combined(rng.choice("+-"), left, right)


def meets(x, rng):
    """x and something it is made of, or a number, which may cancel."""
    if not x.expr.args or rng.random() < 0.3:
        k = rng.choice((1, 1, -1, 2))
        return combined(rng.choice("+-"), leaf(number(k), k), x)
    part = rng.choice(x.expr.args)
    value = float(evaluate(part, VALUES))
    inner = Sample(part, value, 1e-14 * (1 + abs(value)))
    return combined(rng.choice("++--*/"), *rng.sample((x, inner), 2))


def _step(made, rng):
    operator = rng.choice(OPERATORS)
    x, y = rng.choice(made), rng.choice(made)
    if operator == "turned":
        z = rng.choice((x, y, x, y, rng.choice(made)))
        w = rng.choice(made)
        return turned((x, y, *rng.sample((x, y), 2)[:1], z), w, rng.choice((w, w, w, y)), rng)
    if operator == "meets":
        return meets(x, rng)
    if operator == "neg":
        return Sample(-x.expr, -x.value, x.error)
    if operator == "^":
        return raised(x, rng.choice(EXPONENTS))
    return applied(operator, x) if operator in FUNCTIONS else combined(operator, x, y)


def computation(seed, steps=30):
    """The expressions of a random computation in which each step may use all earlier ones."""
    rng = random.Random(seed)
    made = leaves()
    first = len(made)
    for _ in range(steps):
        new = _step(made, rng)
        if new is not None and new.is_tame():
            made += [new, new]  # the new ones are used more often than the leaves
    return made[first::2]


computations = st.builds(computation, st.integers(0, 2**32 - 1))

# what a printed expression may contain, for Python to evaluate
PYTHON = {name: getattr(np, name) for name in ("sin", "cos", "tan", "exp", "log", "sqrt")}
PYTHON |= {"sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "atan2": np.arctan2}
PYTHON |= {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan}
PYTHON |= {"sign": np.sign, "abs": abs, "pi": np.pi}


def read_back(line, values):
    """The number a printed line stands for, read by Python."""
    return eval(line.replace("^", "**"), PYTHON, values)
