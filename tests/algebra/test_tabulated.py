"""Functions given by a table are SciPy's splines, and nodes like any other function."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy.interpolate import CubicSpline
from tables_made import MANNERS, ORDERS, around, every_manner, made, points

from torseur.algebra import ZERO, symbol
from torseur.algebra.calculus.derivative import derivative, directional, gradient
from torseur.algebra.core.graph import evaluate, substitute
from torseur.algebra.core.tabulated import Tabulated, table
from torseur.algebra.exchange import from_sympy, to_sympy
from torseur.algebra.forms.count import Operations, count
from torseur.algebra.printing.latex import latex
from torseur.algebra.printing.mathml import mathml
from torseur.language.text.expression import Names, parse_expression

phi, t = symbol("phi", "coordinate"), symbol("t", "time")

# --- the function -------------------------------------------------------------------------------


@every_manner
@pytest.mark.parametrize("order", ORDERS)
def test_between_its_points_a_table_is_the_spline_of_scipy(manner, order):
    x, y = points()
    ends = MANNERS[manner][0]
    slopes = ends if isinstance(ends, str) else tuple((1, slope) for slope in ends)
    inside = np.concatenate([np.random.default_rng(2).uniform(x[0], x[-1], 500), x])
    expected = CubicSpline(x, y, bc_type=slopes)(inside, order)
    scale = np.abs(expected).max()
    assert np.abs(made(manner).evaluate(inside, order) - expected).max() <= 1e-12 * scale


def test_a_table_goes_through_its_points():
    x, y = points()
    for manner in MANNERS:
        found = made(manner).evaluate(x)
        assert found[:-1].tolist() == y[:-1].tolist()
        assert found[-1] == pytest.approx(y[-1], rel=1e-14)  # the far end of a piece
        np.testing.assert_array_equal(made(manner).breaks, x)
        np.testing.assert_array_equal(made(manner).values, y)


@pytest.mark.parametrize("order", ORDERS)
def test_a_straight_end_keeps_its_value_and_its_slope(order):
    x, y = points()
    for manner in ("natural", "clamped", "slopes"):
        found = made(manner)
        for end, direction in ((0, -1), (-1, 1)):
            distance = direction * np.array([1e-3, 0.4, 30.0])
            slope = found.evaluate(x[end], 1)
            expected = [y[end] + slope * distance, slope, 0, 0][order]
            value = found.evaluate(x[end] + distance, order)
            np.testing.assert_allclose(value, np.broadcast_to(expected, 3), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_an_end_that_is_held_keeps_its_value(order):
    x, y = points()
    found = made("held").evaluate(np.array([x[0] - 5, x[0] - 1e-9, x[-1] + 1e-9, x[-1] + 5]), order)
    assert found.tolist() == ([y[0], y[0], y[-1], y[-1]] if order == 0 else [0] * 4)


@pytest.mark.parametrize("order", ORDERS)
def test_a_periodic_table_repeats_itself(order):
    x, y = points()
    far = np.random.default_rng(3).uniform(-40, 40, 400)
    expected = CubicSpline(x, y, bc_type="periodic")(far, order)
    scale = np.abs(expected).max()
    assert np.abs(made("periodic").evaluate(far, order) - expected).max() <= 1e-11 * scale


def test_a_natural_table_has_no_jump_of_curvature_anywhere():
    x, _ = points()
    found, step = made("natural"), 1e-9
    jumps = found.evaluate(x + step, 2) - found.evaluate(x - step, 2)
    steepest = np.abs(found.evaluate(around(x), 3)).max()
    assert np.abs(jumps).max() <= 2.1 * step * steepest


def test_the_error_of_a_table_falls_with_the_fourth_power_of_the_step():
    """|f − s| ≤ 5/384 h⁴ max |f⁗|, here for a sine over a period."""
    fine = np.linspace(0, 2 * np.pi, 5001)
    for n in (16, 32, 64):
        x = np.linspace(0, 2 * np.pi, n + 1)
        y = np.append(np.sin(x[:-1]), 0.0)
        error = np.abs(table("sine", x, y, "periodic").evaluate(fine) - np.sin(fine)).max()
        bound = 5 / 384 * (2 * np.pi / n) ** 4
        assert bound / 10 < error <= bound * (1 + 1e-9)


# --- the node -----------------------------------------------------------------------------------


def test_equal_tables_are_one_node_and_others_are_not():
    one, other = Tabulated(made())(phi), Tabulated(made())(phi)
    assert one is other
    assert Tabulated(made(seed=1))(phi) is not one
    assert Tabulated(made(name="fall"))(phi) is not one
    assert Tabulated(made("held"))(phi) is not one


def test_each_derivative_is_the_next_order_and_the_fourth_is_zero():
    x = Tabulated(made())(phi)
    for order in ORDERS:
        assert x is Tabulated(made(), order)(phi)
        x = derivative(x, phi)
    assert x is ZERO


def test_a_constant_is_looked_up_at_once():
    found = Tabulated(made())(symbol("a") * 0 + Fraction(1, 3))
    assert found.op == "number"
    assert found.value[1] == made().evaluate(1 / 3)
    moved = substitute(Tabulated(made())(2 * phi), {phi: 0.25})
    assert moved.value[1] == made().evaluate(0.5)


@every_manner
def test_rates_agree_with_differences(manner):
    u = symbol("u", "speed")
    lift, slope = Tabulated(made(manner, "even")), Tabulated(made(manner, "even"), 1)
    x = lift(phi.sin() * 2 + t) * slope(phi * t) + lift(t)
    along = directional(x, {phi: u, t: 1})
    h = 1e-6  # the third derivative of the product is about 1e6, its value about 30
    for now in np.random.default_rng(4).uniform(-2, 4, (20, 3)):
        values = dict(zip(("phi", "t", "u"), now, strict=True))
        ends = [evaluate(x, {"phi": now[0] + s * now[2], "t": now[1] + s}) for s in (-h, h)]
        rate = evaluate(along, values)
        assert rate == pytest.approx((ends[1] - ends[0]) / (2 * h), rel=1e-6, abs=1e-6)
        assert evaluate(gradient(x, [phi, t]), values) @ [now[2], 1] == pytest.approx(rate)


def test_a_table_is_printed_as_a_function_with_primes():
    x = Tabulated(made(name="lift_1"))(2 * phi)
    slope, curvature = derivative(x, phi), derivative(derivative(x, phi), phi)
    assert [str(f) for f in (x, slope, curvature)] == [
        "lift_1(2*phi)",
        "2*lift_1'(2*phi)",
        "4*lift_1''(2*phi)",
    ]
    assert latex(slope) == r"2\,\mathit{lift}_1'\left(2\,\phi\right)"
    assert "<msubsup><mi>lift</mi><mrow><mn>1</mn></mrow><mo>\u2033</mo></msubsup>" in mathml(
        curvature
    )


def test_what_is_printed_can_be_read_back():
    names = Names({"phi": phi}, functions={"lift": made()})
    for order in ORDERS:
        x = 3 - Tabulated(made(), order)(phi + 1) ** 2
        assert parse_expression(str(x), names) is x


def test_sympy_knows_the_derivatives_and_the_numbers_of_a_table():
    x = Tabulated(made())(2 * phi) * phi
    angle = sympy.Symbol("phi")
    theirs = to_sympy(x).diff(angle)
    assert theirs == to_sympy(derivative(x, phi))
    assert from_sympy(theirs, [phi]) is derivative(x, phi)
    assert to_sympy(Tabulated(made(), 3)(phi)).diff(angle) == 0
    values = np.linspace(-1, 1, 7)
    expected = evaluate(derivative(x, phi), {"phi": values})
    np.testing.assert_allclose(sympy.lambdify(angle, theirs)(values), expected, rtol=1e-14)
    assert float(theirs.subs(angle, values[2]).evalf()) == pytest.approx(expected[2], rel=1e-13)


def test_a_look_up_counts_as_a_function_and_a_cubic():
    x = Tabulated(made())(phi) + Tabulated(made(), 1)(phi)
    assert count([x]) == Operations(mul=6, add=7, other=2)
