"""Closed forms by name, holding forces, transformations and Euler's equations in letters."""

from math import cos, sin

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate


def value(x, **drawn):
    return float(evaluate(x, drawn))


def test_holding_forces_in_letters_are_those_of_numbers():
    """Random poses of a double pendulum at its described parameters."""
    from torseur.model.values.named_numbers import named_numbers

    model = named_numbers(ts.load("double_pendulum"))
    formulas = ts.stability.holding_forces(model, letters=True)
    rng = np.random.default_rng(3)
    for _ in range(5):
        pose = {"theta1": float(rng.uniform(-2, 2)), "theta2": float(rng.uniform(-2, 2))}
        numbers = ts.stability.holding_forces(model, pose).forces
        known = {**model.parameters, **pose}
        for name, x in numbers.items():
            assert value(formulas.formula(f"C_{name}"), **known) == pytest.approx(x, abs=1e-9)


def test_holding_forces_in_letters_refuse_what_is_for_numbers():
    with pytest.raises(ts.ModelError, match="is for numbers"):
        ts.stability.holding_forces("double_pendulum", letters=True, parameters={"l1": 2})
    with pytest.raises(ts.ModelError, match="pose is missing"):
        ts.stability.holding_forces("double_pendulum")
    with pytest.raises(ts.ModelError, match="is a speed"):
        ts.stability.holding_forces("double_pendulum", {"theta1.": 1}, letters=True)


def test_the_cabin_of_the_wheel_is_translated_along_a_circle():
    """Plaut, exercise 1.1: OM = OM0 + R {[cos(ωt + θ0) − cos θ0] e_x + […] e_y}."""
    field = ts.observe.transformation("ferris_wheel", "cabin1")
    drawn = dict(R=4.0, omega=0.7, theta0=0.3, t=1.9, X0=0.4, Y0=-0.6, Z0=0.2, X=1.0, Y=2.0, Z=0.1)
    angle = 0.7 * 1.9 + 0.3
    step = np.array([4 * (cos(angle) - cos(0.3)), 4 * (sin(angle) - sin(0.3)), 0])
    speed = [-4 * 0.7 * sin(angle), 4 * 0.7 * cos(angle), 0]
    values = {k: [value(x, **drawn) for x in field.formula(k)] for k in ("Phi", "Psi", "V", "v")}
    assert values["Phi"] == pytest.approx(np.array([0.4, -0.6, 0.2]) + step)
    assert values["Psi"] == pytest.approx(np.array([1.0, 2.0, 0.1]) - step)
    assert values["V"] == pytest.approx(speed)
    assert values["v"] == pytest.approx(speed)


def test_the_inverse_traces_a_point_back():
    """Ψ(Φ(M0, t), t) = M0 for the second bar of a double pendulum, and v(Φ) = V."""
    field = ts.observe.transformation("double_pendulum", "bar2" if "bar2" in ts.load(
        "double_pendulum").bodies else list(ts.load("double_pendulum").bodies)[-1])  # fmt: skip
    drawn = {"theta1": 0.4, "theta2": -0.9, "theta1.": 1.1, "theta2.": -0.3, "l1": 1.2, "l2": 0.7,
             "X0": 0.3, "Y0": 0.5, "Z0": -0.1, "t": 0.0}  # fmt: skip
    place = dict(zip("XYZ", (value(x, **drawn) for x in field.transformation), strict=True))
    back = [value(x, **drawn, **place) for x in field.inverse]
    assert back == pytest.approx([0.3, 0.5, -0.1])
    one = [value(x, **drawn, **place) for x in field.eulerian_velocity]
    other = [value(x, **drawn) for x in field.lagrangian_velocity]
    assert one == pytest.approx(other)


def test_euler_equations_in_letters_are_those_of_numbers():
    """Euler's equations, and λ² = (I2 − I3)(I3 − I1) Ω3²/(I1 I2) (Plaut, problem 3.1)."""
    letters = ts.rotation.euler_equations(["A", "B", "C"], ["p", "q", "r"], ["L", "M", "N"])
    drawn = dict(A=1.0, B=2.0, C=2.5, p=0.3, q=-0.7, r=1.1, L=0.2, M=0.0, N=-0.4)
    numbers = ts.rotation.euler_equations([1.0, 2.0, 2.5], [0.3, -0.7, 1.1], [0.2, 0.0, -0.4])
    got = [value(letters.formula(f"{x}."), **drawn) for x in "pqr"]
    assert got == pytest.approx(list(numbers))
    assert value(letters.squared_exponent(3), **drawn) == pytest.approx(-0.5 * 1.5 * 1.21 / 2)
    with pytest.raises(ts.ModelError, match="principal axis"):
        letters.squared_exponent(4)


@pytest.mark.parametrize(
    ("model", "of", "formula", "right"),
    [
        ("even_governor", "Omega_c", "Omega_c^2 = (m*l + ms*a)*g/(m*l^2)", True),
        ("even_governor", "Omega_c", "Omega_c = (m*l + ms*a)*g/(m*l^2)", False),
        ("even_governor", "cos(alpha_eq)", "(m*l + ms*a)*g/(m*l^2*Omega^2)", True),
        ("compound_pendulum", "omega", "omega = sqrt(m*g*a/C)", True),
        ("compound_pendulum", "omega^2", "omega^2 = m*g*a/(2*C)", False),
        ("vibration_absorber", "lam_eq", "lam_eq = l0 + m2*g/k", True),
        ("cylinder_sliding", "t_star", "x./(g*(sin(alpha) + 3*f*cos(alpha)))", True),
        ("buckling_three_bars", "F_c2", "F_c2 = 3*C/l", True),
    ],
)
def test_students_answer_closed_forms_by_name(model, of, formula, right):
    assert ts.check_answer(ts.load(model), formula, of=of).right is right


def test_a_name_that_no_closed_form_has_is_reported():
    with pytest.raises(ts.ModelError, match='"beta_zero" does not exist'):
        ts.stability.closed_form(ts.load("compound_pendulum"), "beta_zero")


def test_reactions_that_motion_leaves_open_are_not_written():
    """The teeth of three planets: only their sum is determined."""
    formulas = ts.stability.at_state("planetary_reducer")
    assert not [x for x in formulas.values if x.startswith("F_")]
    assert "indeterminate" in formulas.notices[0]


def test_what_slides_is_rubbed_by_f_times_the_normal_force():
    formulas = ts.stability.at_state("cylinder_sliding", {"theta.": 0}, modes={"road": "slip"})
    ratio = value(formulas.formula("T_road") / formulas.formula("N_road"), f=0.3, m=2.0, g=9.0,
                  alpha=0.4, **{"x.": 1.0})  # fmt: skip
    assert ratio == pytest.approx(-0.3)
