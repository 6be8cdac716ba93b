"""Formulas as students write them: dots under squares, first integrals, cos α = …, ω = √…."""

from functools import cache

import pytest

import torseur as ts

# model, quantity, formula
RIGHT = [
    ("simple_pendulum", "phi", "a φ̈ + g sin φ = 0"),
    ("simple_pendulum", "phi", "φ'' + ω0² sin φ = 0, ω0 = √(g/a)"),
    ("simple_pendulum", "T", "Ec = ½ m a² φ̇²"),
    ("simple_pendulum", "V", "Ep = mga(1-cosφ)"),
    ("cart_pendulum", "T", "½ m1 ẋ² + ½ m2 (ẋ² + l² θ̇² + 2 l ẋ θ̇ cos θ) + ½ A θ̇²"),
    ("cart_pendulum", "x", "d/dt((m1+m2) x. + m2 l theta. cos theta) = -k x - b x."),
    ("spherical_pendulum", "theta", "θ̈ − φ̇² sinθ cosθ + (g/a) sinθ = 0"),
    ("rotating_arm", "lam", "m λ̈ = m (a+λ) θ̇² − k (λ − l0)"),
    ("rotating_arm", "gamma(A)", "(λ̈ − (a+λ) θ̇²) x1 + ((a+λ) θ̈ + 2 λ̇ θ̇) y1"),
    # a first integral for the equation that it integrates
    ("spherical_pendulum", "phi", "m a² φ̇ sin²θ = cte"),
    ("heavy_top", "psi", r"\dot\psi + \dot\varphi\cos\theta = \text{cte}"),
    ("heavy_top", "psi", "const = Ie*(psi. + phi.*cos(theta))"),
    # closed forms under the names of the page
    ("even_governor", "Omega_c", "Ω_c² = (m l + ms a) g/(m l²)"),
    ("even_governor", "Omega_c", r"\Omega_c = \sqrt{\frac{(ml+ms\,a)g}{ml^2}}"),
    ("even_governor", "alpha_eq", "cos α = (m l + ms a) g/(m l² Ω²)"),
    ("even_governor", "alpha_eq", r"\cos\alpha = \frac{(m l + ms a) g}{m l^2 \Omega^2}"),
    ("even_governor", "alpha_eq", "α = arccos((m l + ms a) g/(m l² Ω²))"),
    ("simple_pendulum", "omega^2", "ω² = g/a"),
    ("simple_pendulum", "omega^2", r"\omega_0 = \sqrt{\frac{g}{a}}"),
    ("driven_cylinder", "N_road", "m g cos α"),
]

# model, quantity, formula, the lesson or the mark
WRONG = [
    ("simple_pendulum", "T", "m a φ̇²/2", "INHD"),
    ("simple_pendulum", "T", "m a² φ̇²", "half"),
    ("simple_pendulum", "V", "- m g a sin φ", "projection"),
    ("cart_pendulum", "T", "½ m1 ẋ² + ½ m2 (ẋ² + l² θ̇²) + ½ A θ̇²", "double product"),
    ("cart_pendulum", "T", "½ m1 ẋ² + ½ m2 (ẋ + l θ̇)² + ½ A θ̇²", "small angle"),
    ("cart_pendulum", "x", "(m1+m2) x'' + m2 l theta'' cos theta + b x' + k x = 0", "centripetal"),
    ("spherical_pendulum", "theta", "θ̈ + φ̇² sinθ cosθ + (g/a) sinθ = 0", "sign of slope"),
    ("rotating_arm", "lam", "m λ̈ = −m (a+λ) θ̇² − k (λ − l0)", "sign of slope"),
    ("speed_governor", "alpha", "(A1+A2+A3+M (a+b cos β)²) α̈ = Cm", "Coriolis missing"),
    ("driven_cylinder", "theta", "C theta'' = Gamma - m g R sin(alpha)", "inertia missing"),
    ("driven_cylinder", "theta", "(C + 2 m R²) θ̈ = Γ − m g R sin α", "inertia twice"),
    ("driven_cylinder", "theta", "(2 C + m R²) θ̈ = Γ − m g R sin α", "inertia twice"),
    ("driven_cylinder", "N_road", "N = m g", "projection"),
    ("driven_cylinder", "N_road", "N = m g sin alpha", "projection"),
    ("even_governor", "alpha_eq", "cos α = m l² Ω²/((m l + ms a) g)", ""),
    ("simple_pendulum", "omega^2", "ω² = a/g", "INHD"),
    ("heavy_top", "psi", "psi. + phi. sin theta = cte", ""),
]


@cache
def example(name):
    return ts.load(name)


@pytest.mark.parametrize(("name", "of", "formula"), RIGHT)
def test_a_right_formula_is_right(name, of, formula):
    answer = ts.check_answer(example(name), formula, of=of)
    assert answer.right and not answer.lessons, str(answer)


@pytest.mark.parametrize(("name", "of", "formula", "lesson"), WRONG)
def test_a_wrong_formula_is_wrong_and_has_its_lesson(name, of, formula, lesson):
    answer = ts.check_answer(example(name), formula, of=of)
    assert not answer.right, str(answer)
    assert not lesson or lesson in (*answer.codes, *(x.key for x in answer.lessons)), str(answer)


def test_a_pulsation_is_that_of_a_stable_equilibrium():
    """The pendulum of the examples starts upside down: ω² = g/a all the same, not −g/a."""
    assert str(ts.stability.closed_form(example("simple_pendulum"), "omega^2").formula) == "g/a"
