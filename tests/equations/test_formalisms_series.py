"""Taylor expansions agree with SymPy's, and the cost of equations is what was promised."""

from itertools import pairwise

import numpy as np
import pytest
import sympy

import torseur as ts
from torseur.algebra.core.graph import evaluate, flat
from torseur.algebra.forms.count import count
from torseur.language.text.expression import Names, parse_expression

FORMULAS = [
    "sqrt(1 + x + y)",
    "1/(1 + x^2 - y)",
    "tan(x + y)/(1 - x)",
    "atan(x - y) + asin(x/2)",
    "cosh(x)*tanh(y + 1)",
    "(1 + x)^(5/2)*cos(a*y)",
    "atan2(y, 1 + x)",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_an_expansion_is_the_one_of_sympy(formula):
    order, e = 4, sympy.Symbol("e")
    x, y, a = sympy.symbols("x y a", real=True)
    exact = sympy.sympify(formula.replace("^", "**")).subs({s.name: s for s in (x, y, a)})
    along = exact.subs({"x": e * x, "y": e * y, x: e * x, y: e * y})
    terms = [sympy.diff(along, e, k).subs(e, 0) / sympy.factorial(k) for k in range(order + 1)]
    values = {"x": 0.3, "y": -0.2, "a": 1.7}
    found = evaluate(ts.formalisms.taylor(formula, {"x": 0, "y": 0}, order), values)
    wanted = sum(terms).subs({s: values[s.name] for s in (x, y, a)})
    assert float(found) == pytest.approx(float(wanted), rel=1e-12)


def test_the_error_of_an_expansion_falls_with_its_order():
    exact = "sin(x)*exp(-x^2)/(2 + cos(x))"
    at = {"x": 0.5}
    value = evaluate(parse_expression(exact, Names(open=True)), at)
    errors = [
        abs(evaluate(ts.formalisms.taylor(exact, {"x": "1/4"}, k), at) - value)
        for k in (1, 3, 5, 9)
    ]
    assert all(b < 0.3 * a for a, b in pairwise(errors))


def test_equations_are_expanded_as_they_are():
    """Small oscillations: g of a pendulum to first order is m g l θ."""
    pendulum = ts.formalisms.lagrangian("½*m*l²*theta.² + m*g*l*cos(theta)", ["theta"])
    linear = ts.formalisms.taylor(pendulum.equations.g, {"theta": 0}, 1)
    assert [str(x) for x in linear] == ["g*l*m*theta"]
    third = ts.formalisms.taylor(pendulum.equations.g[0], {"theta": 0}, 3)
    values = {"m": 2.0, "g": 9.81, "l": 0.5, "theta": 0.2}
    assert evaluate(third, values) == pytest.approx(9.81 * (0.2 - 0.008 / 6))


@pytest.mark.parametrize("formula", ["1/x", "sqrt(x)", "abs(x)", "log(x)", "x^(-1/2)"])
def test_a_point_without_expansion_is_refused(formula):
    with pytest.raises(ts.ModelError, match="has no expansion about x = 0"):
        ts.formalisms.taylor(formula, {"x": 0}, 2)
    with pytest.raises(ts.ModelError, match='variable "z" does not exist'):
        ts.formalisms.taylor(formula, {"z": 0}, 2)
    with pytest.raises(ts.ModelError, match="must not be negative"):
        ts.formalisms.taylor(formula, {"x": 1}, -1)


# --- cost ----------------------------------------------------------------------------------------


def rods(n):
    links = ", ".join(f"RZ(q{k}), TYK(L{k})" for k in range(1, n + 1))
    return ts.load(f"{links};", masses="lever")


def test_ten_rods_cost_less_than_other_generators_need():
    """M and h: SymPy's Kane after cse 2503, CasADi 1845, symengine after cse 5489."""
    found = ts.derive(rods(10))
    assert count([*flat(found.M), *flat(found.h)]).total < 1845 / 2


def test_every_rod_more_adds_as_much_to_newton_and_euler():
    """h grows with n, M with its n² entries: twice the rods cost less than four times as much."""
    costs = []
    for n in (4, 8, 16):
        found = ts.derive(rods(n))
        costs.append(count([*flat(found.M), *flat(found.h)]).total)
    assert costs[1] < 4 * costs[0] and costs[2] < 4 * costs[1]


def test_condensed_routes_of_kane_and_virtual_power_stay_polynomial():
    for formalism in ("kane", "virtual-power"):
        costs = [ts.derive(rods(n), formalism).operations.total for n in (3, 6)]
        assert costs[1] < 10 * costs[0]


def test_the_numbers_of_a_robot_are_the_same_by_all_formalisms():
    robot = ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2), RX(q3), TZK(L3);", masses="full")
    found = ts.formalisms.compare(robot)
    assert found.agree
    assert all(row.applies for row in found.rows)
    assert np.isfinite([row.difference for row in found.rows]).all()


def test_an_expansion_knows_what_is_positive():
    potential = "1/sqrt(r^2 + a^2 - 2*a*r*cos(psi))"
    found = ts.formalisms.taylor(potential, {"a": 0}, 1, positive=["r"])
    assert str(found) == "a*cos(psi)/r^2 + 1/r"
    assert "sqrt" not in str(ts.formalisms.taylor(potential, {"a": 0}, 1))  # |r|
    with pytest.raises(ts.ModelError, match='symbol "s" does not exist'):
        ts.formalisms.taylor(potential, {"a": 0}, 1, positive=["s"])
