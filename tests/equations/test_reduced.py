"""Equations without multipliers: closed forms, and the same motion as with multipliers."""

from pathlib import Path

import numpy as np
import pytest
from test_constraints import reducer
from test_simulate import FOUR_BAR, GUESS

import torseur as ts
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

MODELS = Path(__file__).parents[1] / "models"


@pytest.mark.parametrize("alpha", [0.0, 0.7, 2.5])
def test_the_slider_crank_reduces_to_the_equation_of_the_appendix(alpha):
    """N-SC1: I_eq α̈ + ½ I_eq' α̇² + F_r l₁ g = C_m."""
    mechanism = ts.load(MODELS / "slider_crank.yaml")
    p = mechanism.parameters
    found = ts.derive(mechanism).reduced(["alpha"])
    guess = {"alpha": alpha, "beta": -alpha, "x": 0.3}
    start = ts.assemble(mechanism, guess, pinned=("alpha",))
    rate = 2.0
    at = found.evaluate(start.coordinates, [rate], p)
    l1, l2, m2, m3 = p["l1"], p["l2"], p["m2"], p["m3"]

    def f(x):
        return -l1 * np.cos(x) / np.sqrt(l2**2 - l1**2 * np.sin(x) ** 2)

    def g(x):
        return f(x) * np.sin(x) - np.sin(x)

    def inertia(x):
        rod = m2 * l2**2 / 3 * f(x) ** 2 - m2 * l1**2 * f(x) * g(x) * np.sin(x)
        return p["I1"] + rod + (m2 + m3) * l1**2 * g(x) ** 2

    slope = (inertia(alpha + 1e-5) - inertia(alpha - 1e-5)) / 2e-5
    np.testing.assert_allclose(at["M"], [[inertia(alpha)]], rtol=1e-12)
    np.testing.assert_allclose(at["h"], [slope / 2 * rate**2], atol=1e-9)
    np.testing.assert_allclose(at["Q"], [p["Cm"] - p["Fr"] * l1 * g(alpha)], rtol=1e-12)


def test_relations_that_are_explicit_eliminate_coordinates_too():
    """P-Pb4.1: everything turns with the sun, θ₂ = a θ₁ / 2(a + b)."""
    found = ts.derive(ts.load(reducer(1))).reduced(["t1"])
    assert found.coordinates == ("t1",)
    assert str(found.eliminated["t2"]) == "a*t1/(2*(a + b))"


@pytest.mark.parametrize("independent", ["A", "B", "C"])
def test_any_choice_of_the_independent_speed_gives_the_accelerations_of_the_multipliers(
    independent,
):
    mechanism = ts.load(FOUR_BAR)
    model = ts.compile(mechanism)
    start = ts.assemble(model, {**GUESS, f"{independent}.": 1.5})
    found = ts.derive(mechanism).reduced([independent])
    k = model.speeds.index(f"{independent}.")
    at = found.evaluate(start.coordinates, [start.v[k]], mechanism.parameters)
    a = np.linalg.solve(at["M"], at["Q"] - at["h"] - at["g"])
    by_multipliers, _ = NumericConstraints(model).accelerations(start.q, start.v, 0.0)
    np.testing.assert_allclose(a[0], by_multipliers[k], rtol=1e-9)


def test_too_many_independent_speeds_are_refused():
    with pytest.raises(ts.ModelError, match="the mechanism has 1 independent speeds"):
        ts.derive(ts.load(FOUR_BAR)).reduced(["A", "B"])
