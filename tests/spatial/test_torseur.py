"""Torseurs: the formula sheet of the mechanics of a rigid body, and the torseurs of a mechanism."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from random_mechanisms import at, random_mechanism, random_state

import torseur as ts
from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.analyse.efforts.body_torseurs import body_torseurs
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.symbols.system import system
from torseur.model.mass.properties import FrenchForm
from torseur.spatial import torseur as formulas
from torseur.spatial.rotation import rodrigues
from torseur.spatial.torseur import Torseur, power, total, twist, wrench


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def cloud(rng, n=6):
    """Particles of a rigid body: masses, positions, their centre and the inertia tensor there."""
    masses, points = rng.uniform(0.2, 1.0, n), rng.normal(size=(n, 3))
    centre = masses @ points / masses.sum()
    tensor = sum(
        m * (r @ r * np.eye(3) - np.outer(r, r))
        for m, r in zip(masses, points - centre, strict=True)
    )
    return masses, points, centre, tensor


def close(a, b):
    size = max(np.abs(a).max(), np.abs(b).max(), 1.0)
    assert np.abs(np.asarray(a) - np.asarray(b)).max() <= 1e-12 * size


# --- one torseur --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_torseur_is_a_slider_and_a_couple_in_two_ways(seed):
    rng = np.random.default_rng(seed)
    t = Torseur(*rng.normal(size=(3, 3)))
    for slider, couple in (t.slider_and_couple(), t.wrench_axis):
        assert slider.kind == "slider"
        assert couple.kind == "couple"
        both = (slider + couple).at(t.point)
        close(both.moment, t.moment)
        close(both.resultant, t.vector_invariant)
    slider, couple = t.wrench_axis
    close(np.cross(couple.moment, t.resultant), np.zeros(3))
    assert np.linalg.norm(couple.moment) <= np.linalg.norm(t.moment)


def test_torseurs_form_a_vector_space_with_a_bilinear_comoment():
    rng = np.random.default_rng(5)
    a, b, c = (Torseur(*rng.normal(size=(3, 3))) for _ in range(3))
    close((2 * a - b).comoment(c), 2 * a.comoment(c) - b.comoment(c))
    close(a.comoment(a), 2 * a.scalar_invariant)
    close(total([a, b, c], c.point).at(a.point).moment, (a + b + c).moment)


# --- the formula sheet (Guérin 2009) ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_kinetic_torseur_is_the_momentum_of_the_particles(seed):
    rng = np.random.default_rng(seed)
    masses, points, G, I = cloud(rng)
    m, A = masses.sum(), rng.normal(size=3)
    motion = twist(*rng.normal(size=(3, 3)))
    V = np.array([formulas.velocity(motion, p) for p in points])
    C = formulas.kinetic(m, G, I, motion)
    close(C.resultant, masses @ V)
    moment = sum(np.cross(p - A, mu * v) for mu, p, v in zip(masses, points, V, strict=True))
    close(C.at(A).moment, moment)
    close(formulas.kinetic_moment(m, G, I, motion, A), moment)
    close(formulas.kinetic_energy(C, motion), 0.5 * masses @ (V * V).sum(axis=1))
    here, w = motion.at(G), motion.resultant  # Koenig
    koenig = 0.5 * m * here.moment @ here.moment + 0.5 * w @ I @ w
    close(formulas.kinetic_energy(C, motion), koenig)


@pytest.mark.parametrize("seed", range(5))
def test_the_dynamic_torseur_is_that_of_the_accelerations_of_the_particles(seed):
    rng = np.random.default_rng(seed)
    masses, points, G, I = cloud(rng)
    A, w, dw, acc_G = rng.normal(size=(4, 3))
    motion = twist(w, rng.normal(size=3), G)
    acc = np.array([formulas.acceleration(acc_G, p - G, w, dw) for p in points])
    D = formulas.dynamic(masses.sum(), G, I, motion, dw, acc_G)
    close(D.resultant, masses @ acc)
    moment = sum(np.cross(p - A, mu * g) for mu, p, g in zip(masses, points, acc, strict=True))
    close(D.at(A).moment, moment)


@pytest.mark.parametrize("seed", range(3))
def test_the_dynamic_moment_at_a_moving_place_needs_the_velocity_of_the_place(seed):
    """δ_A = dσ_A/dt + m V_A × V(G); without the second term it is wrong."""
    rng = np.random.default_rng(seed)
    masses, _, G, I = cloud(rng)
    m, w, dw, V_G, acc_G, A, V_A = masses.sum(), *rng.normal(size=(6, 3))
    step = 1e-5

    def kinetic_moment(t):  # the motion to second order, seen from the moving place
        angle = np.linalg.norm(w)
        R = rodrigues(w / angle, angle * t)  # turns at w now
        tensor = R @ I @ R.T
        motion = twist(w + dw * t, V_G + acc_G * t, G + V_G * t)
        return formulas.kinetic(m, G + V_G * t, tensor, motion).at(A + V_A * t).moment

    rate = (kinetic_moment(step) - kinetic_moment(-step)) / (2 * step)
    motion = twist(w, V_G, G)
    D = formulas.dynamic(m, G, I, motion, dw, acc_G).at(A)
    found = formulas.dynamic_moment(rate, m, V_A, V_G)
    assert found == pytest.approx(D.moment, rel=1e-8, abs=1e-8)
    assert np.abs(rate - D.moment).max() > 1e-3


def test_huygens_in_the_letters_of_the_sheet():
    """A_O = A_G + m (b² + c²), …, D_O = D_G + m b c for OG = (a, b, c)."""
    rng = np.random.default_rng(2)
    A, B, C, D, E, F = rng.uniform(1, 2, 6)
    m, (a, b, c) = 1.7, rng.normal(size=3)
    moved = FrenchForm(
        A + m * (b**2 + c**2),
        B + m * (a**2 + c**2),
        C + m * (b**2 + a**2),
        D + m * b * c,
        E + m * a * c,
        F + m * b * a,
    )
    there = formulas.inertia_at(FrenchForm(A, B, C, D, E, F).inertia, m, np.array([a, b, c]))
    close(there, moved.inertia)
    close(formulas.moment_about_axis(there, np.eye(3)[2]), C + m * (a**2 + b**2))


def test_a_vector_carried_by_a_frame_is_differentiated_by_bour():
    w, u, rate = np.random.default_rng(3).normal(size=(3, 3))
    h = 1e-6

    def placed(t):
        angle = np.linalg.norm(w)
        return rodrigues(w / angle, angle * t) @ (u + rate * t)

    found = (placed(h) - placed(-h)) / (2 * h)
    assert formulas.seen_from_fixed(rate, w, u) == pytest.approx(found, rel=1e-8, abs=1e-8)


def test_power_is_the_comoment_of_motion_and_action():
    rng = np.random.default_rng(4)
    forces, points = rng.normal(size=(2, 5, 3))
    motion = twist(*rng.normal(size=(3, 3)))
    each = [wrench(f, np.zeros(3), p) for f, p in zip(forces, points, strict=True)]
    action = total(each, points[0])
    velocities = [formulas.velocity(motion, p) for p in points]
    close(power(motion, action), sum(f @ v for f, v in zip(forces, velocities, strict=True)))


# --- torseurs of a mechanism --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_at_a_fixed_point_the_dynamic_torseur_is_the_rate_of_the_kinetic_one(seed):
    rng = np.random.default_rng(seed)
    mechanism = random_mechanism(rng, motors=True)
    made = system(mechanism)
    a = rng.normal(size=len(made.v))
    along = dict(zip(made.q, coordinate_rates(made), strict=True)) | dict(
        zip(made.v, a, strict=True)
    )
    values = random_state(rng, made) | {x.name: y for x, y in zip(made.a, a, strict=True)}
    for body in mechanism.bodies:
        found = body_torseurs(mechanism, body, at=("ground", (0.3, -0.2, 0.5)))
        for part in ("resultant", "moment"):
            kinetic = expressions(getattr(found.kinetic, part))
            dynamic = expressions(getattr(found.dynamic, part))
            close(at(time_derivative(kinetic, along, TIME), values), at(dynamic, values))


def test_half_the_comoment_of_kinetic_and_kinematic_torseurs_adds_up_to_the_kinetic_energy():
    rng = np.random.default_rng(1)
    mechanism = random_mechanism(rng)
    made = system(mechanism)
    values = random_state(rng, made)
    parts = [body_torseurs(mechanism, body).kinetic_energy for body in mechanism.bodies]
    v = np.array([values[name] for name in made.speeds])
    M = at(ts.derive(mechanism).M, values)
    close(sum(float(evaluate(x, values)) for x in parts), 0.5 * v @ M @ v)


@pytest.mark.parametrize("name", ["slider_crank", "planetary_reducer", "rotating_arm"])
def test_along_a_run_the_actions_on_each_body_make_its_dynamic_torseur(name):
    mechanism = example(name)
    run = ts.simulate(mechanism, 0.2, rate=20)
    for body in mechanism.bodies:
        found = ts.torseurs.body_torseurs(run, body, at="G")
        D, F = found.dynamic, found.action
        size = max(np.abs(F.resultant).max(), np.abs(F.moment).max(), 1.0)
        assert np.abs(D.resultant - F.resultant).max() < 1e-9 * size, body
        assert np.abs(D.moment - F.moment).max() < 1e-9 * size, body


@pytest.mark.parametrize("name", ["slider_crank", "planetary_reducer", "rotating_arm"])
def test_several_bodies_obey_the_fundamental_principle_together(name):
    mechanism = example(name)
    run = ts.simulate(mechanism, 0.2, rate=20)
    bodies = list(mechanism.bodies)
    for chosen in (bodies, bodies[:2], tuple(bodies[-2:])):
        found = ts.torseurs.body_torseurs(run, chosen, at=("ground", (0.1, 0.2, 0)))
        D, F = found.dynamic, found.action
        size = max(np.abs(F.resultant).max(), np.abs(F.moment).max(), 1.0)
        assert np.abs(D.resultant - F.resultant).max() < 1e-9 * size, chosen
        assert np.abs(D.moment - F.moment).max() < 1e-9 * size, chosen
        inner = set(ts.torseurs.body_torseurs(mechanism, chosen).joints)
        assert inner == set(found.joints)


def test_several_bodies_have_the_sum_of_their_energies_and_no_kinematic_torseur():
    arm = example("rotating_arm")
    whole = ts.torseurs.body_torseurs(arm, ["arm", "slider"])
    parts = [ts.torseurs.body_torseurs(arm, name).kinetic_energy for name in ("arm", "slider")]
    values = {**arm.parameters, "theta": 0.3, "lam": 0.2, "theta.": 1.1, "lam.": 0.7}
    close(
        float(evaluate(expression(whole.kinetic_energy), values)),
        sum(float(evaluate(expression(x), values)) for x in parts),
    )
    with pytest.raises(ts.ModelError, match="no kinematic torseur"):
        _ = whole.kinematic
    with pytest.raises(ts.ModelError, match="bodies of a mechanism or of a run are needed"):
        ts.torseurs.body_torseurs(arm, [])
    with pytest.raises(ts.ModelError, match=r"\(Lagrangian\)"):
        ts.torseurs.body_torseurs(ts.formalisms.lagrangian("m*x.^2/2", ["x"]), "x")


def test_the_power_of_all_actions_on_all_bodies_is_the_rate_of_kinetic_energy():
    crank = example("slider_crank")
    run = ts.simulate(crank, 0.2, rate=20)
    found = [ts.torseurs.body_torseurs(run, body) for body in crank.bodies]
    power, energy = sum(x.power for x in found), sum(x.kinetic_energy for x in found)
    equations = ts.derive(crank)
    for k in range(len(run.t)):
        here = equations.evaluate(run.q[k], run.v[k])
        rate = run.v[k] @ (here.M @ run.a[k] + here.h)
        assert power[k] == pytest.approx(rate, rel=1e-9, abs=1e-9 * np.abs(power).max())
        assert energy[k] == pytest.approx(run.v[k] @ here.M @ run.v[k] / 2, rel=1e-12)


def test_three_virtual_fields_give_back_newton_euler_and_the_energy_theorem():
    """L-VW with erratum E0-5: u gives the resultant, Ω ∧ r the moment, the real field the power."""
    arm = example("rotating_arm")
    made = system(arm)
    rng = np.random.default_rng(6)
    values = {**arm.parameters, **random_state(rng, made), "lam": 0.2}
    a = rng.normal(size=2)
    values |= {x.name: y for x, y in zip(made.a, a, strict=True)}
    along = dict(zip(made.q, made.v, strict=True)) | dict(zip(made.v, a, strict=True))
    found = body_torseurs(arm, "slider", at=("ground", (0, 0, 0)))
    for axis in np.eye(3):
        for field, part in (
            (Torseur(np.zeros(3), axis, np.zeros(3)), found.kinetic.resultant),
            (Torseur(axis, np.zeros(3), np.zeros(3)), found.kinetic.moment),
        ):
            power = float(evaluate(expression(found.dynamic.comoment(field)), values))
            rate = time_derivative(expression(part @ axis), along, TIME)
            close(power, float(evaluate(rate, values)))
    energy = time_derivative(expression(found.kinetic_energy), along, TIME)
    power = expression(found.dynamic.comoment(found.kinematic))
    close(float(evaluate(power, values)), float(evaluate(energy, values)))


def test_the_torseurs_of_the_compound_pendulum_are_those_of_the_notes():
    """G-PenN: {Ω; V(O)} = {θ' z; 0} at O, σ_O = C θ' z, δ_O = C θ'' z, weight −m g a sin θ z."""
    pendulum = example("compound_pendulum")
    found = ts.torseurs.body_torseurs(pendulum, "solid", at=("ground", (0, 0, 0)))
    values = {**pendulum.parameters, "theta": 0.7, "theta.": 1.3, "theta..": -0.4}
    m, a, C, g = (pendulum.parameters[name] for name in ("m", "a", "C", "g"))
    close(at(expressions(found.kinematic.resultant), values), [0, 0, 1.3])
    close(at(expressions(found.kinematic.moment), values), np.zeros(3))
    close(at(expressions(found.kinetic.moment), values), [0, 0, C * 1.3])
    close(at(expressions(found.dynamic.moment), values), [0, 0, -0.4 * C])
    close(at(expressions(found.weight.moment), values), [0, 0, -m * g * a * np.sin(0.7)])
    X, Y = at(expressions(found.dynamic.resultant - found.weight.resultant), values)[:2]
    assert pytest.approx(-m * (a * (-0.4 * np.sin(0.7) + 1.3**2 * np.cos(0.7)) + g)) == X
    assert pytest.approx(m * a * (-0.4 * np.cos(0.7) - 1.3**2 * np.sin(0.7))) == Y


def test_a_body_that_does_not_exist_is_named():
    with pytest.raises(ts.ModelError, match='body "slid" does not exist'):
        ts.torseurs.body_torseurs(example("compound_pendulum"), "slid")


def test_a_torseur_prints_as_a_book_writes_it():
    x = symbol("x", "coordinate")
    assert str(Torseur([0, 0, 1], [-0.0, 0.25, 2], [0, 5, 0])) == (
        "{R = (0, 0, 1); M = (0, 0.25, 2)} at (0, 5, 0)"
    )
    lettered = Torseur(np.array([0, 2 * x, 0]), np.array([0, 0, x.sin()]), np.array([0, 0, 0]))
    assert str(lettered) == "{R = (0, 2*x, 0); M = (0, 0, sin(x))} at (0, 0, 0)"
    assert str(Torseur(np.zeros((4, 3)), np.zeros((4, 3)), np.zeros((4, 3)))) == "{R; M} × 4"


def test_moments_of_rounding_size_are_written_as_zeros():
    """A weight has no moment at a point of its line of action: 0.1 + 0.2 − 0.3 is 5.6e-17."""
    weight = ts.torseurs.wrench([0, -9.81, 0], [0, 0, 0], [0.1 + 0.2, 0, 0])
    moved = weight.at([0.3, 5, 0])
    assert moved.moment.any()
    assert str(moved) == "{R = (0, -9.81, 0); M = (0, 0, 0)} at (0.3, 5, 0)"
    turned = Torseur([np.cos(np.pi / 2), 1, 0], [0, 0, 3], [0, 0, 0])
    assert str(turned) == "{R = (0, 1, 0); M = (0, 0, 3)} at (0, 0, 0)"
    assert "e-" not in moved._repr_latex_() and "10^" not in moved._repr_latex_()
    lever = Torseur([0, 1e-9, 0], [0, 0, 1e-18], [0, 0, 0])  # of a nanometre
    assert str(lever) == "{R = (0, 1e-09, 0); M = (0, 0, 1e-18)} at (0, 0, 0)"
