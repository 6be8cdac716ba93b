"""Worked problems of the courses, by every treatment they give; answers with errata applied."""

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate
from torseur.simulation.constraints.multipliers import RESOLUTIONS

G = 9.81


def solved(equations, q, v, parameters=None, t=0.0):
    """Accelerations and multipliers."""
    at = equations.evaluate(q, v, parameters=parameters, t=t)
    return RESOLUTIONS["direct"](at.M, at.Q - at.h - at.g, at.J, at.gamma)


def number(formula, values):
    return float(evaluate(formula, values))


# --- the cylinder on a slope (L-Cyl1 … 4, G-Cyl) -------------------------------------------------

SLOPE = {"m": 2.0, "r": 0.3, "J": 0.09, "alpha": 0.4, "g": G, "Gamma": 0.0}


def cylinder(**more):
    """x up the slope, y normal to it, θ about z; a motor couple −Γ."""
    return ts.load(
        {
            "parameters": SLOPE,
            "gravity": ["-g*sin(alpha)", "-g*cos(alpha)", 0],
            "bodies": {"cylinder": {"mass": "m", "inertia": ["J", "J", "J"]}},
            "joints": {
                "plane": {
                    "type": "planar", "bodies": ["ground", "cylinder"], "normal": "z",
                    "coordinates": ["x", "y", "theta"],
                }
            },
            "forces": {
                "motor": {"type": "wrench", "body": "cylinder", "couple": [0, 0, "-Gamma"]}
            },
            "initial": {"y": "r"},
            **more,
        }
    )  # fmt: skip


ROLLING = {"zero": "x. + r*theta.", "type": "relation"}
ON_THE_SLOPE = {"zero": "y - r", "type": "relation"}
TIED = {"constraints": {"rolling": ROLLING, "contact": ON_THE_SLOPE}}
STILL = ({"y": SLOPE["r"]}, None)


def test_cylinder_1_with_both_constraints_eliminated_only_x_is_left():
    eliminate = {"rolling": "theta", "contact": "y"}
    found = ts.derive(cylinder(**TIED), "lagrange", eliminate=eliminate)
    assert found.coordinates == ("x",) and not len(found.J)
    a, _ = solved(found, None, None)
    assert a == pytest.approx([-2 / 3 * G * np.sin(0.4)])
    typed = ts.formalisms.lagrangian("3/4*m*x.² - m*g*x*sin(alpha)", ["x"], parameters=SLOPE)
    assert solved(typed.equations, None, None)[0] == pytest.approx(a)


def test_cylinder_2_the_reaction_is_an_unknown_force_in_the_balance_of_the_body():
    contact = {
        "type": "rolling", "shape": "line", "bodies": ["ground", "cylinder"],
        "radius": "r", "normal": "y", "along": "x",
    }  # fmt: skip
    rolling = cylinder(constraints={"contact": contact})
    along = ts.formalisms.virtual_power(rolling, bodies={"cylinder": {"velocity": [1, 0, 0]}})
    about = ts.formalisms.virtual_power(rolling, bodies={"cylinder": {"rotation": [0, 0, 1]}})
    assert str(along) == "m*x.. = T_contact - m*g*sin(alpha)"
    assert str(about) == "J*theta.. = r*T_contact - Gamma"
    a, lam = solved(ts.derive(rolling), *STILL)
    assert lam[1] == pytest.approx(SLOPE["m"] * G * np.sin(0.4) / 3)
    assert a[2] == pytest.approx(2 / 3 * G / SLOPE["r"] * np.sin(0.4))


def test_cylinder_3_one_constraint_kept_has_one_multiplier_the_friction():
    found = ts.derive(cylinder(**TIED), "lagrange", eliminate=["contact"])
    assert found.coordinates == ("x", "theta") and found.constraints.owners == ("rolling",)
    a, lam = solved(found, None, None)
    assert a == pytest.approx([-2 / 3 * G * np.sin(0.4), 2 / 3 * G / SLOPE["r"] * np.sin(0.4)])
    assert lam == pytest.approx([SLOPE["m"] * G * np.sin(0.4) / 3])


def test_cylinder_4_three_coordinates_have_two_multipliers_friction_and_normal_force():
    found = ts.derive(cylinder(**TIED), "lagrange")
    _, lam = solved(found, *STILL)
    weight = SLOPE["m"] * G
    assert lam == pytest.approx([weight * np.sin(0.4) / 3, weight * np.cos(0.4)])


@pytest.mark.parametrize("treatment", ["PFD", "PPV", "Lagrange 1", "Lagrange 2"])
def test_the_couple_that_rolls_a_cylinder_up_is_the_same_by_every_treatment(treatment):
    """G-Cyl: Γ = (C/R + mR) ẍ + R m g sin α; the cylinder turns by −θ in the notes."""
    made, p = cylinder(**TIED), SLOPE | {"Gamma": 1.5}
    inertia = p["J"] + p["m"] * p["r"] ** 2
    expected = p["r"] * (p["Gamma"] - p["r"] * p["m"] * G * np.sin(0.4)) / inertia
    friction = p["m"] * (p["J"] * G * np.sin(0.4) + p["Gamma"] * p["r"]) / inertia
    if treatment.startswith("Lagrange"):
        kept = ["contact", "rolling"] if treatment.endswith("1") else ["contact"]
        found = ts.derive(made, "lagrange", eliminate=kept)
        a, lam = solved(found, None, None, {"Gamma": 1.5})
        assert a[0] == pytest.approx(expected)
        assert treatment.endswith("1") or lam[0] == pytest.approx(friction)
        return
    motion = p | {"x..": expected, "y..": 0.0, "theta..": -expected / p["r"], "theta": 0.0}
    motion |= {"lambda_rolling": friction, "lambda_contact": p["m"] * G * np.cos(0.4)}
    motion |= dict.fromkeys(("Z_plane", "L_plane", "M_plane", "x.", "y.", "theta.", "x"), 0.0)
    if treatment == "PFD":
        for x in ts.formalisms.isolate(made, "cylinder").equations:
            assert number(x, motion) == pytest.approx(0, abs=1e-12)
    else:
        for twist in ({"rotation": [0, 0, 1]}, {"velocity": [1, 0, 0]}):
            found = ts.formalisms.virtual_power(made, bodies={"cylinder": twist})
            assert number(found.equation, motion) == pytest.approx(0, abs=1e-12)
            assert "lambda_rolling" in found.unknowns
        compatible = ts.formalisms.virtual_power(made, {"x": 1, "theta": "-1/r"})
        assert compatible.compatible
        assert number(compatible.equation, motion) == pytest.approx(0, abs=1e-12)


# --- the compound pendulum (G-PenP, G-PenN, G-PenL) ----------------------------------------------

PENDULUM = {"m": 1.3, "a": 0.4, "I": 0.05, "g": G}


def pendulum(joint, **more):
    return ts.load(
        {
            "parameters": PENDULUM,
            "gravity": ["g", 0, 0],
            "bodies": {"S": {"mass": "m", "centre": ["a", 0, 0], "inertia": ["I", "I", "I"]}},
            "joints": {"O": {"bodies": ["ground", "S"], **joint}},
            **more,
        }
    )


PIVOT = {"type": "pivot", "axis": "z", "coordinate": "theta"}


def test_the_virtual_rotation_about_the_pivot_gives_the_pendulum_without_reactions():
    found = ts.formalisms.virtual_power(pendulum(PIVOT), {"theta": 1})
    assert found.compatible
    assert str(found) == "(I + m*a^2)*theta.. = -m*g*a*sin(theta)"


def test_an_incompatible_virtual_motion_gives_the_reactions_at_the_pivot():
    """G-PenN: X = −m[a(θ̈ sin θ + θ̇² cos θ) + g], Y = m a(θ̈ cos θ − θ̇² sin θ), in ground axes."""
    made = pendulum(PIVOT)
    values = PENDULUM | {"theta": 0.7, "theta.": 1.2, "theta..": -2.0}
    m, a, s, c = PENDULUM["m"], PENDULUM["a"], np.sin(0.7), np.cos(0.7)
    along = {"x": [1, 0, 0], "y": [0, 1, 0]}
    expected = {
        "x": -m * (a * (-2.0 * s + 1.44 * c) + G),
        "y": m * a * (-2.0 * c - 1.44 * s),
    }
    for axis, velocity in along.items():
        found = ts.formalisms.virtual_power(made, bodies={"S": {"velocity": velocity}})
        work = number(found.inertia - found.given, values)
        assert work == pytest.approx(expected[axis])
        assert not found.compatible
        # the reaction is along the axes of the joint: X_O and Y_O turned by θ
        X, Y = (number(found.unknowns.get(n, 0 * symbol("m")), values) for n in ("X_O", "Y_O"))
        assert pytest.approx((c, -s) if axis == "x" else (s, c)) == (X, Y)


def test_the_pendulum_with_three_parameters_keeps_two_reactions_as_multipliers():
    """m ẍ = X + m g, m ÿ = Y, I θ̈ = a (X sin θ − Y cos θ), hence (I + m a²) θ̈ = −m g a sin θ."""
    text = "½*m*(x.² + y.²) + ½*I*theta.² + m*g*x"
    closed = {"X": "x - a*cos(theta)", "Y": "y - a*sin(theta)"}
    found = ts.formalisms.lagrangian(
        text, ["x", "y", "theta"], parameters=PENDULUM, constraints=closed
    )
    m, a, I = (PENDULUM[n] for n in ("m", "a", "I"))
    s, c, w = np.sin(0.7), np.cos(0.7), 1.2
    q, v = [a * c, a * s, 0.7], [-a * s * w, a * c * w, w]
    acceleration, (X, Y) = solved(found.equations, q, v)
    one = ts.derive(pendulum(PIVOT), "lagrange")
    alpha = solved(one, [0.7], [w])[0][0]
    assert alpha == pytest.approx(-m * G * a * s / (I + m * a**2))
    assert acceleration[2] == pytest.approx(alpha)
    assert pytest.approx(-m * (a * (alpha * s + w**2 * c) + G)) == X
    assert pytest.approx(m * a * (alpha * c - w**2 * s)) == Y


# --- special virtual fields (L-VW) ---------------------------------------------------------------


def two_bodies():
    """A pendulum on a cart."""
    return ts.load(
        {
            "parameters": {"M": 2.0, "m": 0.7, "l": 0.5, "I": 0.03},
            "gravity": [0, -G, 0],
            "bodies": {
                "cart": {"mass": "M", "inertia": [1, 1, 1]},
                "rod": {"mass": "m", "centre": [0, "-l", 0], "inertia": ["I", "I", "I"]},
            },
            "joints": {
                "rail": {
                    "type": "prismatic", "bodies": ["ground", "cart"], "axis": "x",
                    "coordinate": "x",
                },
                "pin": {
                    "type": "pivot", "bodies": ["cart", "rod"], "axis": "z", "coordinate": "theta",
                },
            },
            "forces": {"push": {"type": "joint", "joint": "rail", "value": 3}},
        }
    )  # fmt: skip


STATE = {"x": 0.3, "theta": 0.6, "x.": 0.9, "theta.": -1.4, "x..": 2.0, "theta..": 0.8}
VALUES = STATE | {"M": 2.0, "m": 0.7, "l": 0.5, "I": 0.03}


def test_a_rigid_translation_gives_the_theorem_of_the_resultant():
    found = ts.formalisms.virtual_power(two_bodies(), rigid={"velocity": [1, 0, 0]})
    assert set(found.unknowns) == set()  # the rail pushes across, the pin is inside
    whole = ts.formalisms.isolate(two_bodies())
    assert number(found.inertia, VALUES) == pytest.approx(number(whole.dynamic[0], VALUES))
    across = ts.formalisms.virtual_power(two_bodies(), rigid={"velocity": [0, 1, 0]})
    assert set(across.unknowns) == {"Y_rail"}


def test_a_rigid_rotation_gives_the_theorem_of_the_moment():
    twist = {"rotation": [0, 0, 1], "at": ("ground", [0, 0, 0])}
    found = ts.formalisms.virtual_power(two_bodies(), rigid=twist)
    whole = ts.formalisms.isolate(two_bodies(), at=("ground", [0, 0, 0]))
    names = {"Y_rail": 5.0, "N_rail": 2.0, "Z_rail": 0.0, "L_rail": 0.0, "M_rail": 0.0}
    known = VALUES | names
    assert number(found.equation, known) == pytest.approx(number(whole.equations[5], known))


def test_the_real_velocities_give_the_theorem_of_energy():
    made = two_bodies()
    found = ts.formalisms.virtual_power(made, {"x": "x.", "theta": "theta."})
    model = ts.compile(made)

    def energy(shift):
        q = [STATE[n] + shift * STATE[f"{n}."] for n in ("x", "theta")]
        v = [STATE[f"{n}."] + shift * STATE[f"{n}.."] for n in ("x", "theta")]
        return model.kinetic_energy(np.array(q), np.array(v))

    rate = (energy(1e-5) - energy(-1e-5)) / 2e-5
    assert found.compatible
    assert number(found.inertia, VALUES) == pytest.approx(rate, rel=1e-8)


@pytest.mark.parametrize("rates", [{"x": 1}, {"theta": 1}, {"x": 2, "theta": "1/l"}])
def test_one_coordinate_at_a_time_gives_the_rows_of_the_equations(rates):
    made = two_bodies()
    found = ts.formalisms.virtual_power(made, rates)
    at = ts.derive(made).evaluate([0.3, 0.6], [0.9, -1.4])
    rows = at.M @ [2.0, 0.8] + at.h + at.g - at.Q
    size = [rates.get("x", 0), 2.0 if rates.get("theta") == "1/l" else rates.get("theta", 0)]
    assert number(found.equation, VALUES) == pytest.approx(rows @ size)


SWUNG = {  # a bob that slides on an arm, which a cardan carries on a base that a law turns
    "parameters": {"m": 0.7, "l": 0.4, "w": 2.0},
    "bodies": {"base": {"mass": 1, "inertia": [0.1, 0.2, 0.3]},
               "arm": {"mass": "m", "centre": [0.1, 0, "-l"], "inertia": [0.02, 0.03, 0.04]},
               "bob": {"mass": 0.2, "centre": [0, 0.1, 0]}},
    "joints": {"Z": {"type": "pivot", "bodies": ["ground", "base"], "axis": "z",
                     "coordinate": "phi"},
               "U": {"type": "universal", "bodies": ["base", "arm"], "axes": ["x", "y"],
                     "point": [[0.2, 0.1, 0], [0, 0, 0]], "coordinates": ["al", "be"]},
               "S": {"type": "prismatic", "bodies": ["arm", "bob"], "axis": "z",
                     "coordinate": "s"}},
    "points": {"G(base)": ["base", [0, 0, 0]], "G(arm)": ["arm", [0.1, 0, "-l"]],
               "G(bob)": ["bob", [0, 0.1, 0]]},
    "motions": {"drive": {"coordinate": "phi", "law": "w*t"}},
}  # fmt: skip


def test_virtual_motions_are_the_changes_of_places_while_time_stands_still():
    """δOM/δq and {∂Ω/∂q̇; ∂V/∂q̇} of every body, against differences of poses, a law or not."""
    made = ts.load(SWUNG)
    names, q, step = ("phi", "al", "be", "s"), np.array([0.4, 0.3, -0.5, 0.7]), 1e-5
    values = made.parameters | dict(zip(names, q, strict=True))
    steps = ts.tell(made, "virtual-power").step("virtual twists").formulas
    told = {x.symbol.text: x for x in steps}
    twists = ts.derive(made, "virtual-power").tables["virtual_twists"]
    model = ts.compile(made)

    def placed(x):
        still = np.zeros((1, 4))
        seen = ts.observe.motion(ts.observe.given_motion(made, [0.0], [x], still, still))
        return {n: (seen.poses[n][0][0], seen.point(f"G({n})")[0]) for n in made.bodies}

    here = placed(q)
    axes = {"ground": np.eye(3)} | {body: R for body, (R, _) in here.items()}
    for k, name in enumerate(names):
        ahead, behind = (placed(q + sign * step * np.eye(4)[k]) for sign in (1, -1))
        for body, (R, _) in here.items():
            rate, moved = (
                (x - y) / (2 * step) for x, y in zip(ahead[body], behind[body], strict=True)
            )
            turned = ts.attitude.axial_vector(rate @ R.T)
            own = model.jacobian(f"G({body})", q)
            np.testing.assert_allclose(own[:, k], moved, atol=1e-9)
            in_body = np.asarray(evaluate(twists[body][:3, k], values), dtype=float)
            np.testing.assert_allclose(R @ in_body, turned, atol=1e-9)
            found = told.get(f"V*_{name}({body})")
            both = (None, None) if found is None else (found.resultant.value, found.moment.value)
            for part, expected in zip(both, (turned, moved), strict=True):
                told_part = (
                    np.zeros(3)
                    if part is None
                    else axes[part.axes]
                    @ [float(evaluate(expression(x), values)) for x in part.values]
                )
                np.testing.assert_allclose(told_part, expected, atol=1e-9)


# --- the free body (L-Free) ----------------------------------------------------------------------


def test_lagrange_with_angles_of_euler_gives_the_equations_of_euler():
    """A ṗ + (C − B) q r = 0 and its two companions, from L in precession, nutation and spin."""
    p = "(psi.*sin(theta)*sin(phi) + theta.*cos(phi))"
    q = "(psi.*sin(theta)*cos(phi) - theta.*sin(phi))"
    r = "(psi.*cos(theta) + phi.)"
    moments = {"A": 0.7, "B": 1.1, "C": 1.6}
    text = f"½*(A*{p}^2 + B*{q}^2 + C*{r}^2)"
    free = ts.formalisms.lagrangian(text, ["psi", "theta", "phi"], parameters=moments)
    assert free.cyclic == ("psi",)
    rng = np.random.default_rng(0)
    x, v = rng.uniform(0.3, 1.2, (2, 3))
    a, _ = solved(free.equations, x, v)

    def rotation(shift):
        psi, theta, phi = v + shift * a
        _, nutation, spin = x + shift * v + shift**2 / 2 * a
        s, c = np.sin(spin), np.cos(spin)
        across = psi * np.sin(nutation)
        return np.array(
            [across * s + theta * c, across * c - theta * s, psi * np.cos(nutation) + phi]
        )

    I = np.array(list(moments.values()))
    w, rate = rotation(0), (rotation(1e-5) - rotation(-1e-5)) / 2e-5
    np.testing.assert_allclose(I * rate + np.cross(w, I * w), 0, atol=1e-9)


# --- Euler's elliptic pendulum (L-EllL, L-EllK) --------------------------------------------------

ELLIPTIC = "½*m1*y.² + ½*m2*(y.² + a²*theta.² + 2*a*y.*theta.*cos(theta)) + m2*g*a*cos(theta)"
MASSES = {"m1": 1.5, "m2": 0.8, "a": 0.6, "g": G}


def test_the_elliptic_pendulum_has_the_equations_and_the_integrals_of_the_course():
    found = ts.formalisms.lagrangian(ELLIPTIC, ["y", "theta"], parameters=MASSES)
    m1, m2, a = (MASSES[n] for n in ("m1", "m2", "a"))
    s, c, w, u = np.sin(0.5), np.cos(0.5), 1.7, 0.4
    y2, t2 = solved(found.equations, [0.1, 0.5], [u, w])[0]
    assert (m1 + m2) * y2 + m2 * a * (t2 * c - w**2 * s) == pytest.approx(0, abs=1e-12)
    assert a * t2 + y2 * c + G * s == pytest.approx(0, abs=1e-12)
    assert found.cyclic == ("y",)
    values = MASSES | {"y": 0.1, "theta": 0.5, "y.": u, "theta.": w}
    assert number(found.conserved["y"], values) == pytest.approx((m1 + m2) * u + m2 * a * w * c)
    energy = (m1 + m2) * u**2 / 2 + m2 * (a**2 * w**2 / 2 + a * u * w * c - G * a * c)
    assert number(found.energy, values) == pytest.approx(energy)


def test_kane_finds_the_generalised_inertia_forces_of_the_course():
    """Q_a1 = −(m1+m2) ẇ1 − m2 a (ẇ2 cos θ − w2² sin θ), Q_a2 = −m2 a (ẇ1 cos θ + a ẇ2)."""
    made = ts.load(
        {
            "parameters": MASSES,
            "gravity": [0, 0, "-g"],
            "bodies": {"cart": {"mass": "m1"}, "bob": {"mass": "m2", "centre": [0, 0, "-a"]}},
            "joints": {
                "rail": {
                    "type": "prismatic", "bodies": ["ground", "cart"], "axis": "y",
                    "coordinate": "y",
                },
                "string": {
                    "type": "pivot", "bodies": ["cart", "bob"], "axis": "x", "coordinate": "theta",
                },
            },
        }
    )  # fmt: skip
    kane = ts.derive(made, "kane", quasi_velocities={"w1": "y.", "w2": "theta."})
    m1, m2, a = (MASSES[n] for n in ("m1", "m2", "a"))
    s, c = np.sin(0.5), np.cos(0.5)
    at = kane.evaluate([0.1, 0.5], [0.4, 1.7])
    np.testing.assert_allclose(at.M, [[m1 + m2, m2 * a * c], [m2 * a * c, m2 * a**2]])
    np.testing.assert_allclose(at.h, [-m2 * a * 1.7**2 * s, 0], atol=1e-14)
    np.testing.assert_allclose(at.g, [0, m2 * G * a * s], atol=1e-14)
    # no spurious 2 m2 a w1 w2 sin θ, which differentiating the power would bring
    assert at.h[1] == pytest.approx(0, abs=1e-14)


# --- the multiplier system (L-KKT) ---------------------------------------------------------------


def test_the_four_resolutions_of_the_multiplier_system_agree():
    found = ts.derive(cylinder(**TIED), "lagrange")
    at = found.evaluate([0.2, SLOPE["r"], 0.4], [0.3, 0.0, -1.0])
    S = at.Q - at.h - at.g
    a, lam = solved(found, [0.2, SLOPE["r"], 0.4], [0.3, 0.0, -1.0])
    for resolution in RESOLUTIONS.values():
        own = resolution(at.M, S, at.J, at.gamma)
        np.testing.assert_allclose(own[0], a, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(own[1], lam, rtol=1e-10, atol=1e-10)


def test_reduced_speeds_need_the_rate_of_the_kernel():
    """E0-14: ż = (NᵀMN)⁻¹Nᵀ(S − M C⁺c₁) − NᵀṄ z, N orthonormal and turning with q."""
    text, skate = "½*m*(x.² + y.²) + ½*I*theta.²", "y.*cos(theta) - x.*sin(theta)"
    made = ts.formalisms.lagrangian(
        text, ["x", "y", "theta"], parameters={"m": 1.3, "I": 0.4}, constraints=[skate],
        forces={"x": "-2*x. + 1", "y": "0.5", "theta": "0.3"},
    )  # fmt: skip
    equations = made.equations

    def kernel(theta):
        turned = np.array([[np.cos(theta), 0], [np.sin(theta), 0], [0, 1]])
        spin = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
        return turned @ spin  # a basis that turns in its own plane too

    q, z = np.array([0.1, 0.2, 0.7]), np.array([0.8, -0.5])
    N = kernel(q[2])
    v = N @ z
    at = equations.evaluate(q, v)
    S = at.Q - at.h - at.g
    a, _ = solved(equations, q, v)
    C_inverse = np.linalg.pinv(at.J)
    projected = np.linalg.solve(N.T @ at.M @ N, N.T @ (S - at.M @ C_inverse @ -at.gamma))
    turning = (kernel(q[2] + 1e-6 * v[2]) - kernel(q[2] - 1e-6 * v[2])) / 2e-6
    rate = projected - N.T @ turning @ z
    np.testing.assert_allclose(N @ rate + turning @ z, a, atol=1e-8)
    assert np.abs(N @ projected + turning @ z - a).max() > 0.1  # as printed


# --- the structure of the robot model (L-Chr) ----------------------------------------------------

ARM = "RZ(q1), TXK(l1), RY(q2), TXK(l2), TX(d), TXK(l3);"


def test_the_passivity_identity_holds_for_the_coriolis_matrix_of_christoffel():
    arm = ts.load(ARM, masses="full")
    found, derived = ts.formalisms.christoffel(arm), ts.derive(arm, "lagrange")
    rng = np.random.default_rng(0)
    values = {name: rng.uniform(0.3, 1.2) for name in arm.parameters}
    values |= {name: rng.uniform(-1, 1) for name in (*arm.coordinates, *arm.speeds)}
    v = np.array([values[name] for name in arm.speeds])

    def at(x):
        return np.asarray(evaluate(x, values), dtype=float)

    b, C, rate, h = (at(x) for x in (found.symbols, found.C, found.M_rate, derived.h))
    np.testing.assert_allclose(b, b.transpose(0, 2, 1), atol=1e-14)
    np.testing.assert_allclose(C @ v, h, atol=1e-13)
    np.testing.assert_allclose(rate - 2 * C, -(rate - 2 * C).T, atol=1e-13)
    np.testing.assert_allclose(at(found.passive), rate - 2 * C)
    assert v @ C @ v == pytest.approx(v @ rate @ v / 2)


# --- homogeneous matrices (R-Uick) ---------------------------------------------------------------


def test_homogeneous_matrices_place_the_bodies_and_their_operators_are_their_derivatives():
    """∂P/∂q = P D for the last joint of a body, U_ji = ∂P_j/∂q_i, U_jkp = ∂²P_j/∂q_k∂q_p."""
    arm = ts.load(ARM, masses="lever")
    found = ts.formalisms.homogeneous(arm)
    rng = np.random.default_rng(1)
    values = {name: rng.uniform(0.3, 1.2) for name in (*arm.parameters, *arm.coordinates)}
    q = [values[name] for name in arm.coordinates]
    placed = ts.compile(arm).with_parameters(**{x: values[x] for x in arm.parameters})

    def at(x):
        return np.asarray(evaluate(x, values), dtype=float)

    for body, own in zip(found.bodies, found.coordinates, strict=True):
        P, D = found.P(body), found.D(own)
        np.testing.assert_allclose(at(P), placed.pose(body, q), atol=1e-14)
        np.testing.assert_allclose(at(found.U(body, own)), at(P) @ at(D), atol=1e-14)
        for i in found.coordinates:
            first = derivative(P, symbol(i, "coordinate"))
            np.testing.assert_allclose(at(found.U(body, i)), at(first), atol=1e-14)
            for k in found.coordinates:
                second = derivative(first, symbol(k, "coordinate"))
                np.testing.assert_allclose(at(found.U(body, k, i)), at(second), atol=1e-14)
    assert str(found).startswith("P(1) =")
    with pytest.raises(ts.ModelError, match='coordinate "q9" does not exist'):
        found.D("q9")


def test_christoffel_says_what_quaternions_lack():
    ball = {
        "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "rotule", "bodies": ["ground", "b"]}},
    }
    with pytest.raises(ts.ModelError, match="not the rates of its 4 coordinates"):
        ts.formalisms.christoffel(ts.load(ball))
