"""Features whose whole sentence is one story: bases, forces on domains, servos and couplings."""

from importlib.resources import files

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import torseur as ts

# --- A21: cylindrical, spherical, polar coordinate systems and local bases (Plaut §2.3.6) ---------


def _read(x):
    """An expression of ours as one of SymPy, through its text."""
    return sympy.sympify(str(x).replace("^", "**"))


def test_a_point_in_spherical_coordinates_has_the_acceleration_of_the_course():
    """Plaut (2007), §2.3.6 and exercise 5.1: r of constant length, in letters and as an answer."""
    r, t1, p1, t2, p2, th, ph = sympy.symbols("r t1 p1 t2 p2 theta phi")
    motion = ts.attitude.spherical([r, th, ph], rates=[0, t1, p1], accelerations=[0, t2, p2])
    sine, cosine = sympy.sin(th), sympy.cos(th)
    wanted = (
        -r * t1**2 - r * p1**2 * sine**2,
        r * t2 - r * p1**2 * sine * cosine,
        r * p2 * sine + 2 * r * t1 * p1 * cosine,
    )
    given = zip(motion.velocity, (0, r * t1, r * sine * p1), strict=True)
    assert all(sympy.simplify(_read(a) - b) == 0 for a, b in given)
    for a, b in zip(motion.acceleration, wanted, strict=True):
        assert sympy.simplify(_read(a) - b) == 0
    pendulum = ts.load(str(files("torseur.examples") / "spherical_pendulum.yaml"))
    assert ts.check_answer(
        pendulum, "V(bob) = a*theta.*e_theta + a*sin(theta)*phi.*e_phi", of="V(bob)"
    ).right


def test_polar_and_cylindrical_accelerations_are_those_of_the_course():
    """γ = (r̈ − r θ̇²) e_r + (r θ̈ + 2 ṙ θ̇) e_θ + z̈ e_z; the same as an answer on a turning slide."""
    r, th, z, r1, t1, z1, r2, t2, z2 = sympy.symbols("r theta z r1 t1 z1 r2 t2 z2")
    wanted = (r2 - r * t1**2, r * t2 + 2 * r1 * t1, z2)
    round_one = ts.attitude.cylindrical([r, th, z], rates=[r1, t1, z1], accelerations=[r2, t2, z2])
    flat = ts.attitude.polar([r, th], rates=[r1, t1], accelerations=[r2, t2])
    for a, b in zip(round_one.acceleration, wanted, strict=True):
        assert sympy.simplify(_read(a) - b) == 0
    for a, b in zip(flat.acceleration[:2], wanted[:2], strict=True):
        assert sympy.simplify(_read(a) - b) == 0
    arm = ts.load(str(files("torseur.examples") / "rotating_arm.yaml"))
    answer = "(lam.. - (a + lam)*theta.^2, (a + lam)*theta.. + 2*lam.*theta., 0) in arm"
    assert ts.check_answer(arm, answer, of="gamma(A)").right


# --- F11: volume, surface, point densities; reduction and transport of the wrench (Plaut §3.3.1) --


def test_volume_surface_and_point_forces_add_up_to_a_torseur_that_is_moved_and_reduced():
    """A block in water to the height h: its weight, the push on a side, a force at a corner.

    ρ g b c h down at the middle, ρw g b h²/2 at a third of the height, F at the top: by hand.
    """
    x, y, z = sympy.symbols("x y z")
    b, c, h, rho, water, g, F = 0.4, 0.3, 0.5, 2400.0, 1000.0, 9.81, 50.0
    block = ts.mass.cartesian([(x, 0, c), (y, -b / 2, b / 2), (z, 0, h)])
    side = ts.mass.cartesian([(y, -b / 2, b / 2), (z, 0, h)])
    weight = ts.torseurs.distributed(block, [0, 0, -rho * g], values={})
    push = ts.torseurs.distributed(side, [water * g * (h - z), 0, 0], values={})
    corner = ts.Torseur(np.array([0, F, 0]), np.zeros(3), np.array([c, b / 2, h]))
    whole = ts.torseurs.total([weight, push, corner], np.zeros(3))
    P, W = water * g * b * h**2 / 2, rho * g * b * c * h
    at_O = whole.at(np.zeros(3))
    assert at_O.resultant == pytest.approx([P, F, -W], rel=1e-9)
    assert at_O.moment == pytest.approx([-h * F, P * h / 3 + W * c / 2, c * F], rel=1e-9)
    A = np.array([c, 0.0, 0.0])  # transport: M_A = M_O + AO ∧ R
    moved = at_O.moment + np.cross(-A, at_O.resultant)
    assert whole.at(A).moment == pytest.approx(moved, rel=1e-12)
    point, direction, pitch = whole.central_axis  # reduction: on the axis M is along R
    assert np.cross(whole.at(point).moment, direction) == pytest.approx(np.zeros(3), abs=1e-9)
    assert whole.at(point).moment == pytest.approx(pitch * at_O.resultant, rel=1e-9)
    assert whole.scalar_invariant == pytest.approx(at_O.moment @ at_O.resultant, rel=1e-12)


# --- B06: inertia by symbolic or numerical integration of a domain of one's own (Plaut, Ex 2.1) ---


def test_the_inertia_of_a_domain_of_ones_own_by_symbols_and_by_numbers():
    """The torus and the cone of exercise 2.1, in letters; the same domains by quadrature."""
    s, u, v = sympy.symbols("s u v")
    a, b, h = sympy.symbols("a b h", positive=True)
    around = b + s * sympy.cos(u)
    torus = ts.mass.Domain(
        (around * sympy.cos(v), around * sympy.sin(v), s * sympy.sin(u)),
        ((s, 0, a), (u, 0, 2 * sympy.pi), (v, 0, 2 * sympy.pi)),
    )
    cone = ts.mass.Domain(
        (s * u * sympy.cos(v), s * u * sympy.sin(v), u * h / a),
        ((u, 0, a), (s, 0, 1), (v, 0, 2 * sympy.pi)),
    )
    values = {"a": 0.1, "b": 0.4, "h": 0.3}
    for domain, per_mass in ((torus, 3 * a**2 / 4 + b**2), (cone, 3 * a**2 / 10)):
        exact = domain.mass_properties()
        found = sympy.simplify(exact.inertia[2, 2] / exact.mass - per_mass)
        assert found == 0
        number = domain.integrate(values).properties
        wanted = float(per_mass.subs({a: 0.1, b: 0.4, h: 0.3})) * number.mass
        assert number.inertia[2, 2] == pytest.approx(wanted, rel=1e-8)


# --- M02: independent joint servos as a baseline, and the effect of couplings (S1 §1.1) -----------

ARM = {
    "gravity": [0, 0, 0],
    "parameters": {"e": 0.2, "m": 2.0},
    "bodies": {
        "upper": {"mass": 4.0, "centre": [0.25, 0, 0], "inertia": [0.01, 0.1, 0.1]},
        "fore": {"mass": "m", "centre": ["e", 0, 0], "inertia": [1e-3, 0.02, 0.02]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "z", "coordinate": "q1"},
        "B": {"type": "pivot", "bodies": ["upper", "fore"], "axis": "z", "coordinate": "q2",
              "point": [[0.5, 0, 0], [0, 0, 0]]},
    },
}  # fmt: skip


KP, KD = 1600.0, 60.0


def _disturbed(mass):
    """Motion of joint 1, asked to stay, while joint 2 goes; the same by the formula of courses.

    (I1 + I2 + m1 d² + m (L² + e² + 2 L e cos q2)) q1'' + KD q1' + KP q1 = -c, with the coupling c =
    (I2 + m e² + m L e cos q2) q2'' - m L e sin q2 q2'², to first order in q1.
    """
    arm = ts.load({**ARM, "parameters": {**ARM["parameters"], "m": mass}})
    reference = ts.control.reaching({"q1": 0.0, "q2": 0.0}, {"q1": 0.0, "q2": 1.0}, 1.0)
    run = ts.simulate(arm, 1.0, control=ts.control.pd(arm, reference, KP, KD), sample=1e-4)
    q, v, a = ((np.interp(run.t, run.t, run[x])) for x in ("q2", "q2.", "q2.."))
    L, e, m = 0.5, 0.2, mass
    inertia = 0.1 + 0.02 + 4 * 0.25**2 + m * (L**2 + e**2 + 2 * L * e * np.cos(q))
    couple = (0.02 + m * e**2 + m * L * e * np.cos(q)) * a - m * L * e * np.sin(q) * v**2

    def slope(t, y):
        M, c = np.interp(t, run.t, inertia), np.interp(t, run.t, couple)
        return [y[1], -(KD * y[1] + KP * y[0] + c) / M]

    expected = solve_ivp(slope, (0, 1), [0, 0], t_eval=run.t, max_step=2e-3).y[0]
    return run["q1"], expected, np.abs(couple).max()


def test_independent_servos_are_disturbed_by_couplings_in_proportion_to_them():
    """The error of a joint that is asked to stay is what the coupling of the other one makes."""
    errors = []
    for mass in (2.0, 0.5):
        moved, expected, couple = _disturbed(mass)
        largest = np.abs(expected).max()
        assert np.abs(moved - expected).max() < 0.02 * largest
        errors.append(largest / couple)
    assert errors[0] == pytest.approx(errors[1], rel=0.2)  # nearly the same servo, less coupling


# --- M03: a reduced model for on-line use, with its count of operations (S1 §2.4) -----------------


def test_a_reduced_model_has_fewer_operations_and_the_forces_of_the_whole_to_a_hundredth():
    """The forces of the smaller model are those of the whole one to a hundredth."""
    robot = ts.load(str(files("torseur.examples") / "puma560.yaml"))
    task = ts.robots.quintic({"q1": [0, 1.0], "q2": [0.3, 0.8], "q3": [-2.5, -2.0],
                              "q4": [0, 0.5], "q5": [0.5, 1.0], "q6": [0, 1]},
                             [0, 1.0])  # fmt: skip
    small = ts.robots.reduced(robot, task, 0.01)
    assert small.operations.total < 0.6 * small.full.total
    q, v, a = task.q(), task.v(), task.a()
    whole = ts.compile(robot).inverse_dynamics(q, v, a)
    apart = np.abs(small.inverse_dynamics(q, v, a) - whole).max(axis=0) / np.abs(whole).max(axis=0)
    assert apart.max() <= 0.01


# --- O03: a hand result compared with the computed one (Plaut, TP A 1.2: "OK") --------------------


def test_hand_results_are_ok_when_the_difference_vanishes_and_only_then():
    """SymPy's own simplification of the difference is the oracle, as in the lab."""
    pendulum = ts.load(str(files("torseur.examples") / "compound_pendulum.yaml"))
    C, m, a, g, theta, speed = sympy.symbols("C m a g theta theta.")
    exact = {"T": C * speed**2 / 2, "V": -m * g * a * sympy.cos(theta)}
    hands = {
        "T": [C * speed**2 / 2, (C * speed) ** 2 / (2 * C), C * speed**2, m * a**2 * speed**2 / 2],
        "V": [-m * g * a * (1 - 2 * sympy.sin(theta / 2) ** 2), m * g * a * sympy.cos(theta),
              -m * g * a * sympy.sin(theta)],
    }  # fmt: skip
    for of, formulas in hands.items():
        for hand in formulas:
            vanishes = sympy.simplify(hand - exact[of]) == 0
            assert ts.check_answer(pendulum, hand, of=of).right == vanishes
