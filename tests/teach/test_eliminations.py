"""Reactions eliminated where friction depends on them; the angle of the rotation that is left."""

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.printing.text import text


def residuals(told, step):
    """left − right of each equation of a step, by name."""
    given = told.step(step).formulas
    return {x.name: x.left - x.right for x in given if hasattr(x, "left")}


def parameters(name):
    return dict(ts.load(name).parameters)


# --- friction that depends on a reaction --------------------------------------------------------


@pytest.mark.parametrize("beta_rate", [-3.0, 2.0])
def test_the_slipping_governor_has_no_normal_force_left(beta_rate):
    """N and λ eliminated give the accelerations of the three equations with λ = c sin(β + θ)."""
    told = ts.tell("governor_with_friction", modes={"I": "slip"})
    short, whole = residuals(told, "elimination"), residuals(told, "equations")
    assert list(short) == ["alpha", "beta"]
    assert {x.kind for x in free_symbols(list(short.values()))} <= {
        "coordinate", "speed", "acceleration", "parameter"}  # fmt: skip
    p = parameters("governor_with_friction")
    beta, turn = 0.9, 0.9 + p["theta"]
    at = p | {"beta": beta, "alpha.": 21.0, "beta.": beta_rate, "lam": p["c"] * np.sin(turn)}
    at |= {"lam.": p["c"] * np.cos(turn) * beta_rate}
    names = ["alpha..", "beta..", "lam..", "N_I"]

    def linear(equations, unknowns):
        zeros = dict.fromkeys(unknowns, 0.0)
        free = np.array([float(evaluate(x, at | zeros)) for x in equations])
        slopes = [[float(evaluate(x, at | zeros | {y: 1.0})) for x in equations] for y in unknowns]
        return np.array(slopes).T - free[:, None], -free

    A, b = linear(list(whole.values()), names)
    held = [0.0, p["c"] * np.cos(turn), -1.0, 0.0]
    A, b = np.vstack([A, held]), np.append(b, p["c"] * np.sin(turn) * beta_rate**2)
    found = np.linalg.solve(*linear(list(short.values()), names[:2]))
    np.testing.assert_allclose(found, np.linalg.solve(A, b)[:2], rtol=1e-9)


def test_normal_forces_of_a_sliding_cylinder_are_put_in():
    """N = m g cos α, and m ẍ = −m g (sin α + f sign(u) cos α)."""
    told = ts.tell("cylinder_sliding", modes={"road": "slip"})
    given = {str(x.symbol): x.value for x in told.step("elimination").formulas
             if hasattr(x, "symbol")}  # fmt: skip
    assert text(given["N_road"]) == "g*m*cos(alpha)"
    at = parameters("cylinder_sliding") | {"x.": 2.0, "theta.": 0.0, "x..": 0.0, "theta..": 0.0}
    expected = at["m"] * at["g"] * (np.sin(at["alpha"]) + at["f"] * np.cos(at["alpha"]))
    assert float(evaluate(residuals(told, "elimination")["x"], at)) == pytest.approx(expected)


def test_pressures_that_have_no_equation_of_their_own_stay():
    told = ts.tell("box_on_slope", modes={"low": "slip", "high": "slip"})
    assert "elimination" not in [x.name for x in told.steps]


# --- one rotation that is left ------------------------------------------------------------------


def test_an_unbalanced_rotor_on_two_bearings_reads_as_one_on_a_pivot():
    """R₂ₓ = ω² I_xz/l along the rotor, I_xz = −(E + m a c); no quaternion in what follows."""
    told = ts.tell("unbalanced_rotor", "newton-euler")
    sides = [y for step in ("bodies", "equations") for x in told.step(step).formulas
             for y in (x.left, x.right)]  # fmt: skip
    names = {x.name for x in free_symbols(sides)}
    assert "psi" in names and not names & {"P1_w", "P1_x", "P1_y", "P1_z"}
    reactions = {str(x.symbol): x.value for x in told.step("reactions").formulas}
    steady = parameters("unbalanced_rotor") | {"P1_wz": 40.0, "P1_wz.": 0.0}
    assert reactions["R(P2)"].axes == "rotor"
    E, m, a, c, l = (steady[x] for x in ("E", "m", "a", "c", "l"))
    across = float(evaluate(reactions["R(P2)"].values[0], steady))
    assert across == pytest.approx(-(E + m * a * c) * 40.0**2 / l)
    assert reactions["R(P2)"].values[2] is ZERO


def test_the_angle_turns_forces_of_the_ground_into_the_axes_of_the_rotor():
    """Along x of the rotor: R1 cos ψ + R2 sin ψ + X_P1; a pivot has the same equations."""
    equations = residuals(ts.tell("unbalanced_rotor", "newton-euler"), "bodies")
    p = parameters("unbalanced_rotor") | {"P1_wz": 0.0, "P1_wz.": 0.0, "psi": 0.7}
    p |= {"R1_P2": 3.0, "R2_P2": -2.0, "X_P1": 5.0, "Y_P1": 1.5, "Z_P1": 0.0}
    x, y = 3 * np.cos(0.7) - 2 * np.sin(0.7), -2 * np.cos(0.7) - 3 * np.sin(0.7)
    found = [-float(evaluate(z, p)) for z in equations.values()]
    assert found[:2] == pytest.approx([x + 5, y + 1.5])
    arm, force = np.array([-p["a"], -p["b"], p["l"] - p["c"]]), np.array([x, y, 0])
    first = np.cross([-p["a"], -p["b"], -p["c"]], [5, 1.5, 0])
    assert found[3:] == pytest.approx(list(np.cross(arm, force) + first))


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "lang", "line"), [
    ("slider_crank", "en", "revolute joint between the ground (0) and crank, axis z0, coordinate"),
    ("slider_crank", "fr", "liaison pivot entre crank et rod, axe z_crank ; elle ferme"),
    ("robot_1980", "fr", "entre le bâti (0) et column, axe y0, paramètre q1"),
    ("governor_with_friction", "en", "between shaft and pusher, axis -x_shaft, coordinate lam"),
    ("motorcycle", "en", "planar joint between the ground (0) and frame, normal z0, coordinates"),
])  # fmt: skip
def test_joints_stand_with_their_axis(name, lang, line):
    assert line in ts.tell(name, lang=lang).text()


def test_numbers_of_unknowns_are_singular_and_plural():
    one = ts.tell("screw_jack", "newton-euler", lang="fr").text()
    assert "5 de liaison et 1 accélération." in one
    two = ts.tell("unbalanced_rotor", "newton-euler").text()
    assert "2 constraints, differentiated twice: 8 equations" in two


def test_a_force_by_the_reaction_of_a_contact_that_is_left_out_says_so():
    warnings = [str(x) for x in ts.tell("shoe_brake").step("equations").warnings]
    assert any("N_shoe = 0" in x for x in warnings)
    assert not ts.tell("box_on_slope").step("equations").warnings
