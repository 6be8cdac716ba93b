"""Derivatives on the graph: forward, backward, by differences and by SymPy."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from random_expressions import SYMBOLS, VALUES, computation, computations

from torseur.algebra import ONE, ZERO, symbol, symbols
from torseur.algebra.calculus.derivative import (
    derivative,
    directional,
    gradient,
    jacobian,
    time_derivative,
)
from torseur.algebra.core.graph import evaluate, reachable
from torseur.algebra.core.rules import function
from torseur.algebra.exchange import to_sympy

a, b = symbols("a b")
q1, q2 = symbols("q1 q2", "coordinate")
v1, v2 = symbols("v1 v2", "speed")
t = symbol("t", "time")


@given(computations)
def test_forward_and_backward_derivatives_agree(found):
    for x in found[-3:]:
        forward = evaluate(jacobian(x.expr, SYMBOLS), VALUES)
        backward = evaluate(gradient(x.expr, SYMBOLS), VALUES)
        scale = 1 + np.abs(forward).max()
        assert np.abs(forward - backward).max() <= 1e-9 * scale


@given(computations)
def test_derivatives_agree_with_differences(found):
    h = 1e-4
    steps = np.array([-h, h, -h / 2, h / 2])
    for x in found[-3:]:
        exact = evaluate(derivative(x.expr, q1), VALUES)
        moved = evaluate(x.expr, {**VALUES, "q1": VALUES["q1"] + steps}) + 0 * steps
        coarse, fine = (moved[1] - moved[0]) / (2 * h), (moved[3] - moved[2]) / h
        # halving the step shows its error; rounding is that of the value over the step
        assert abs(fine - exact) <= 10 * abs(fine - coarse) + 1e3 * x.error / h + 1e-9


@settings(max_examples=8)
@given(st.integers(0, 1000))
def test_derivatives_agree_with_those_of_sympy(seed):
    x = computation(seed, steps=8)[-1].expr
    point = {sympy.Symbol(name, real=True): value for name, value in VALUES.items()}
    expected = to_sympy(x, real=True).diff(sympy.Symbol("q1", real=True)).subs(point).evalf()
    assert evaluate(derivative(x, q1), VALUES) == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sinh", "cosh", "tanh"]
)
def test_every_function_has_the_derivative_of_the_books(name):
    x = sympy.Symbol("q1", real=True)
    expected = getattr(sympy, name)(x).diff(x).subs(x, 0.4)
    got = evaluate(derivative(function(name, q1), q1), {"q1": 0.4})
    assert got == pytest.approx(float(expected), rel=1e-12)


def test_the_slope_of_the_absolute_value_is_the_sign():
    assert derivative(abs(q1), q1) is q1.sign()
    assert derivative(q1.sign(), q1) is ZERO


def test_the_angle_of_a_point_turns_at_the_rate_of_its_moment():
    x, y = symbols("x y", "coordinate")
    turning = directional(y.arctan2(x), {x: v1, y: v2})
    values = {"x": -1.2, "y": 0.5, "v1": 0.3, "v2": 0.8}
    expected = (-1.2 * 0.8 - 0.5 * 0.3) / (1.2**2 + 0.5**2)
    assert evaluate(turning, values) == pytest.approx(expected, rel=1e-12)


def test_powers_of_every_kind_are_differentiated():
    assert derivative(q1**3, q1) is 3 * q1**2
    assert derivative(1 / q1, q1) is -(q1**-2)
    assert derivative(q1.sqrt(), q1) is 1 / (2 * q1.sqrt())
    values = {"a": 1.7, "q1": 0.6}
    rate = evaluate(derivative(a**q1, q1), values)
    assert rate == pytest.approx(1.7**0.6 * np.log(1.7), rel=1e-12)


def test_what_does_not_depend_on_the_variable_has_no_slope():
    assert derivative(a * q2 + 3, q1) is ZERO
    assert derivative(q1, q1) is ONE
    assert gradient(a * q2, [q1, q2])[0] is ZERO


def test_a_jacobian_adds_an_axis_for_the_variables():
    outputs = np.array([[q1 * q2, q1], [a, q2**2]], dtype=object)
    J = jacobian(outputs, [q1, q2])
    assert J.shape == (2, 2, 2)
    assert J[0, 0].tolist() == [q2, q1]
    assert jacobian(outputs, []).shape == (2, 2, 0)


def test_the_time_derivative_follows_coordinates_speeds_and_time():
    energy = a * v1**2 / 2 - b * np.cos(q1) + q1 * np.sin(2 * t)
    acceleration = symbol("a1", "acceleration")
    rate = time_derivative(energy, {q1: v1, v1: acceleration}, t)

    def at(time):
        """Along the motion q1 = sin t."""
        s, c = np.sin(time), np.cos(time)
        return {"a": 1.3, "b": 0.7, "q1": s, "v1": c, "a1": -s, "t": time}

    h, now = 1e-5, 0.8
    expected = (evaluate(energy, at(now + h)) - evaluate(energy, at(now - h))) / (2 * h)
    assert evaluate(rate, at(now)) == pytest.approx(expected, rel=1e-8)  # h² and rounding / h


def test_a_gradient_costs_a_few_times_its_function():
    x = q1
    for _ in range(200):
        x = np.sin(x) * q2 + a * x
    variables = [q1, q2, a]
    slopes = gradient(x, variables)
    assert len(reachable(slopes)) <= 6 * len(reachable([x]))
