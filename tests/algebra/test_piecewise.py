"""min, max, clip and if: their values, derivatives, code, pictures and limits."""

import math
import random

import numpy as np
import pytest
import sympy

import torseur as ts
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.calculus.intervals import bounds
from torseur.algebra.calculus.taylor import taylor
from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.rules import choice, clipped, larger, smaller
from torseur.algebra.exchange import from_sympy, to_sympy
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.mathml import mathml
from torseur.algebra.printing.text import text
from torseur.language.text.expression import parse_expression

X, Y, Z = (symbol(name, "coordinate") for name in "xyz")
WRITTEN = {
    "min(x, y)": lambda x, y, z: min(x, y),
    "max(x, y*z)": lambda x, y, z: max(x, y * z),
    "clip(x*y, -abs(z), abs(z))": lambda x, y, z: min(max(x * y, -abs(z)), abs(z)),
    "if(x - y, z^2, sin(z))": lambda x, y, z: z**2 if x > y else math.sin(z),
    "if(x, if(y, 1, 2), if(z, 3, 4))": lambda x, y, z: (
        (1 if y > 0 else 2) if x > 0 else (3 if z > 0 else 4)
    ),
    "2*min(x, 0)^2 - max(y, 0)": lambda x, y, z: 2 * min(x, 0) ** 2 - max(y, 0),
}


def read(written):
    return parse_expression(written, {"x": X, "y": Y, "z": Z})


def points(seed, count=40):
    rng = random.Random(seed)
    return [{name: rng.uniform(-2, 2) for name in "xyz"} for _ in range(count)]


@pytest.mark.parametrize("written", WRITTEN)
def test_the_value_and_the_slope_are_those_of_the_piece(written):
    x, function = read(written), WRITTEN[written]
    slope = derivative(x, X)
    for at in points(written):
        assert evaluate(x, at) == pytest.approx(function(**at), rel=1e-14)
        h = 1e-6
        low, high = (function(**(at | {"x": at["x"] + s * h})) for s in (-1, 1))
        if abs(high - low) < 0.1:  # no step lies between
            assert evaluate(slope, at) == pytest.approx((high - low) / (2 * h), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("written", WRITTEN)
def test_it_goes_to_sympy_and_back(written):
    x = read(written)
    there = to_sympy(x)
    back = from_sympy(there, [X, Y, Z])
    for at in points(written, 10):
        assert float(there.subs(at)) == pytest.approx(evaluate(x, at), rel=1e-12)
        assert evaluate(back, at) == pytest.approx(evaluate(x, at), rel=1e-14)


def test_max_min_and_open_pieces_of_sympy_are_taken():
    x, y = sympy.symbols("x y", real=True)
    found = from_sympy(sympy.Max(x, y) + sympy.Min(x, 1), [X, Y])
    assert evaluate(found, {"x": 2.0, "y": 3.0}) == 4.0
    step = from_sympy(sympy.Piecewise((x, x >= y), (y, x < -1), (0, True)), [X, Y])
    assert [evaluate(step, {"x": a, "y": b}) for a, b in ((1, 1), (-2, 5), (0, 5))] == [1, 5, 0]


@pytest.mark.parametrize("written", WRITTEN)
def test_intervals_hold_every_value(written):
    x, rng = read(written), random.Random(written)
    for _ in range(20):
        box = {name: sorted((rng.uniform(-2, 2), rng.uniform(-2, 2))) for name in "xyz"}
        arrays = {n: (np.array([b[0]]), np.array([b[1]])) for n, b in box.items()}
        low, high = (np.ravel(side)[0] for side in bounds([x], arrays, 1))
        for _ in range(10):
            value = evaluate(x, {name: rng.uniform(*b) for name, b in box.items()})
            assert low <= value <= high


def test_a_piece_that_is_not_taken_may_have_no_value():
    x = choice(X, X.sqrt(), ZERO)
    with np.errstate(all="ignore"):
        assert evaluate(x, {"x": -1.0}) == 0


def test_constants_are_folded():
    assert read("if(1, x, y)") is X
    assert read("if(x, y, y)") is Y
    assert read("min(2, 3)") == 2
    assert read("clip(7, 0, 5)") == 5


def test_it_is_written_as_pieces():
    assert text(choice(X, Y, Z)) == "if(x, y, z)"
    assert latex(choice(X, Y, Z)) == r"\begin{cases} y & x > 0 \\ z & \text{otherwise} \end{cases}"
    assert "<mtable>" in mathml(choice(X, Y, Z))
    assert read(text(larger(X, Y))) is larger(X, Y)


def test_a_series_is_that_of_the_piece():
    assert taylor(smaller(X.sin(), Y), {"x": 0, "y": 2}, 1) is not None
    with pytest.raises(ts.ModelError):
        taylor(larger(X, -X), {"x": 0}, 1)


def test_arguments_have_one_dimension_and_the_condition_any():
    model = {
        "parameters": {"k": "3 N/m", "F": "2 N", "l": "1 m"},
        "bodies": {"cart": {"mass": 1}},
        "joints": {"P": {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x",
                         "coordinate": "x"}},
    }  # fmt: skip

    def force(value):
        return model | {"forces": {"f": {"type": "joint", "joint": "P", "value": value}}}

    f = ts.compile(ts.load(force("clip(-k*x, -F, F) + if(x - l, -k*(x - l), 0)")))
    x = np.array([[-2.0], [0.1], [0.9], [1.5], [3.0]])
    expected = np.clip(-3 * x, -2, 2) + np.where(x > 1, -3 * (x - 1), 0)
    np.testing.assert_allclose(f.applied(x, 0 * x), expected, rtol=1e-14)
    np.testing.assert_allclose(f.applied(x[0], 0 * x[0]), expected[0], rtol=1e-14)
    for wrong in ("min(k, F)", "clip(-k*x, -l, l)", "if(x, F, l)"):
        with pytest.raises(ts.ModelError, match="joins"):
            ts.load(force(wrong))


def test_clipped_is_what_lies_between():
    for at in points("clip"):
        expected = np.clip(at["x"], -abs(at["y"]), abs(at["y"]))
        assert evaluate(clipped(X, -abs(Y), abs(Y)), at) == expected
