"""The theorems of dynamics for sets of bodies: Koenig, powers inside and outside, impulse, work."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, expressions

RTOL = 1e-9  # of the runs


@cache
def moving(name, duration=0.2):
    path = str(files("torseur.examples") / f"{name}.yaml")
    return ts.simulate(path, duration, rate=50, rtol=RTOL)


SETS = [
    ("slider_crank", ()),
    ("slider_crank", ("rod", "piston")),
    ("rotating_arm", ()),
    ("planetary_reducer", ("sun", "planet1")),
    ("vibration_absorber", ()),
]


# --- what imposed motions induce -----------------------------------------------------------------


def test_velocities_are_those_that_imposed_motions_induce_and_a_part_linear_in_the_other_speeds():
    """V = V'_t + Σ ∂V/∂q̇ q̇ over the speeds that no motion imposes (Llibre 2009, §2.2.10)."""
    run = moving("ball_governor")
    system = run.model.system
    driven = [v.name == "psi." for v in system.v]
    for body in run.model.mechanism.bodies:
        made = ts.torseurs.body_torseurs(run.model.mechanism, body)
        seen = ts.torseurs.body_torseurs(run, body)
        for part in ("resultant", "moment"):
            slopes = jacobian(getattr(made.kinematic, part), system.v)
            for k, t in enumerate(run.t):
                values = {"t": t, **run.model.parameters}
                values |= {x.name: run.q[k, i] for i, x in enumerate(system.q)}
                slope = np.asarray(evaluate(slopes, values), dtype=float)
                free = np.where(driven, 0.0, run.v[k])
                wanted = getattr(seen.kinematic, part)[k] - slope @ free
                np.testing.assert_allclose(getattr(seen.induced, part)[k], wanted, atol=1e-8)


def test_a_moved_body_induces_the_velocities_of_all_that_it_carries():
    """A table turns at Ω, its O goes along x = A sin(w t): V'_t(G) = A w cos(w t) x + Ω × OG."""
    A, w, turning = 0.2, 3.0, 1.7
    table = {"mass": 3, "inertia": [0.1, 0.2, 0.25]}
    bob = {"mass": 0.5, "centre": [0, 0, -0.4], "inertia": [0.02, 0.02, 0.01]}
    run = ts.simulate({
        "gravity": [0, 0, -9.81], "bodies": {"table": table, "bob": bob},
        "joints": {"F": {"type": "free", "bodies": ["ground", "table"]},
                   "P": {"type": "universal", "bodies": ["table", "bob"], "axes": ["x", "y"],
                         "point": [[0.2, 0.1, 0], [0, 0, 0]]}},
        "motions": {"shake": {"body": "table", "position": [f"{A}*sin({w}*t)", 0, 0],
                              "rotation": [{"z": f"{turning}*t"}]}},
        "initial": {"P_1": 0.4, "P_2.": 1.0},
    }, 0.6, rate=50)  # fmt: skip
    O = np.outer(np.sin(w * run.t), [A, 0, 0])
    for body in ("table", "bob"):
        found = ts.torseurs.body_torseurs(run, body)
        arms = found.kinematic.point - O
        carried = np.outer(w * np.cos(w * run.t), [A, 0, 0]) + np.cross([0, 0, turning], arms)
        np.testing.assert_allclose(
            found.induced.resultant, [[0, 0, turning]] * len(arms), atol=1e-12
        )
        np.testing.assert_allclose(found.induced.moment, carried, atol=1e-12)
    assert np.abs((found.kinematic - found.induced).moment).max() > 0.1  # what P adds


# --- of and about the centre of mass ------------------------------------------------------------


@pytest.mark.parametrize(("name", "bodies"), SETS)
def test_energy_and_moment_of_a_set_are_those_of_the_mass_at_g_and_those_about_g(name, bodies):
    run = moving(name)
    names = bodies or tuple(run.model.mechanism.bodies)
    A = np.array([0.3, -0.2, 0.1])
    whole = ts.torseurs.body_torseurs(run, names, at=("ground", A))
    every = (ts.torseurs.body_torseurs(run, one) for one in names)
    every = list(every)
    parts, without = [x for x in every if x.mass], [x for x in every if not x.mass]
    # G and m from the bodies one by one
    mass = sum(x.mass for x in parts)
    assert whole.mass == pytest.approx(mass, rel=1e-14)
    G = sum(x.mass * x.centre for x in parts) / mass
    np.testing.assert_allclose(whole.centre, G, atol=1e-14)
    V = sum(x.mass * x.centre_velocity for x in parts) / mass
    np.testing.assert_allclose(whole.centre_velocity, V, atol=1e-13)
    # first theorem: σ(A) = σ* + AG × m V(G), σ* from the speeds relative to Koenig's frame
    about = sum(
        x.moment_about_centre + x.mass * np.cross(x.centre - G, x.centre_velocity - V)
        for x in parts
    ) + sum(x.kinetic.moment for x in without)  # of a shaft that only has a moment of inertia
    np.testing.assert_allclose(whole.moment_about_centre, about, atol=1e-12)
    moved = about + np.cross(G - A, mass * V)
    np.testing.assert_allclose(whole.kinetic.moment, moved, atol=1e-12)
    # second theorem: T = ½ m V(G)² + T*
    relative = sum(
        x.energy_about_centre + x.mass * np.sum((x.centre_velocity - V) ** 2, axis=1) / 2
        for x in parts
    ) + sum(x.kinetic_energy for x in without)
    np.testing.assert_allclose(whole.energy_about_centre, relative, atol=1e-12)
    half = mass * np.sum(V**2, axis=1) / 2
    np.testing.assert_allclose(whole.kinetic_energy, half + relative, atol=1e-12)


def test_mass_and_centre_of_a_set_are_formulas_too():
    pendulum = ts.load(str(files("torseur.examples") / "double_pendulum.yaml"))
    found = ts.torseurs.body_torseurs(pendulum, ["upper", "lower"])
    names = (*pendulum.coordinates, *pendulum.speeds)
    values = {**pendulum.parameters, **dict(zip(names, (0.3, 0.2, 1.1, 0.7), strict=True))}
    each = [ts.torseurs.body_torseurs(pendulum, name) for name in ("upper", "lower")]

    def at(x):
        return np.asarray(evaluate(expressions(x), values), dtype=float)

    weighed = sum(at(x.mass) * at(x.centre) for x in each)
    np.testing.assert_allclose(at(found.centre) * at(found.mass), weighed, atol=1e-14)
    halves = at(expression(found.energy_of_centre)) + at(expression(found.energy_about_centre))
    assert halves == pytest.approx(float(at(expression(found.kinetic_energy))))


# --- powers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bodies"), SETS)
def test_the_rate_of_energy_of_a_set_is_the_power_from_outside_and_from_inside(name, bodies):
    run = moving(name)
    found = ts.torseurs.power_balance(run, bodies)
    size = max(np.abs(found.rate).max(), 1.0)
    np.testing.assert_allclose(found.difference, 0, atol=1e-11 * size)
    # of G and about G, each the rate of its own energy: differences of second order in time
    fine = run.at(np.linspace(0.05, 0.15, 401))
    exact = ts.torseurs.power_balance(fine, bodies)
    step = fine.t[1] - fine.t[0]
    for energy, power in (
        (exact.energy_of_centre, exact.external_of_centre),
        (exact.energy_about_centre, exact.about_centre),
    ):
        rate = (energy[2:] - energy[:-2]) / (2 * step)
        np.testing.assert_allclose(rate, power[1:-1], atol=1e-3 * size)


def test_a_perfect_joint_has_no_power_inside_and_a_spring_between_two_bodies_has():
    found = ts.torseurs.power_balance(moving("rotating_arm"))
    assert set(found.internal) == {"spring", "rail"} and set(found.external) == {"O"}
    assert np.abs(found.internal["rail"]).max() < 1e-12
    assert np.abs(found.internal["spring"]).max() > 1
    # seen from the slider alone, the same spring acts from outside
    alone = ts.torseurs.power_balance(moving("rotating_arm"), "slider")
    assert "spring" in alone.external and not alone.internal
    assert "from outside" in str(found) and "R_ext · V(G)" in str(found)


# --- over a time --------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bodies"), [*SETS, ("slider_crank", "rod")])
def test_impulse_is_the_change_of_momentum_and_work_that_of_energy(name, bodies):
    found = ts.torseurs.impulse(moving(name), bodies, 0.03, 0.17)
    size = max(np.abs(x).max() for x in found.impulses.values())
    np.testing.assert_allclose(found.impulse, found.change, atol=100 * RTOL * size)
    works = max((abs(x) for x in found.works.values()), default=1.0)
    assert found.work == pytest.approx(found.energy_change, abs=100 * RTOL * works)


def test_the_impulse_of_a_bounce_is_m_times_one_plus_e_times_the_speed_of_arrival():
    """What no regular action explains is the shock: a ball let fall from h stops, and rebounds."""
    run = moving("bouncing_ball", 0.9)
    first = run.events[0].t
    found = ts.torseurs.impulse(run, "ball", first - 0.01, first + 0.01)
    before, after = run(first - 1e-9), run(first + 1e-9)
    speed = run.model.mechanism.speeds[0]
    jump = after[speed] - before[speed]
    assert jump > 0
    m = ts.torseurs.body_torseurs(run, "ball").mass
    np.testing.assert_allclose(found.shocks[:3], [0, m * jump, 0], atol=1e-6)


def test_a_time_outside_the_run_and_a_moving_point_are_refused():
    run = moving("slider_crank")
    with pytest.raises(
        ts.ModelError, match=r"the run does not contain the interval from 0.1 to 0.5 s"
    ):
        ts.torseurs.impulse(run, "rod", 0.1, 0.5)
    with pytest.raises(ts.ModelError, match="crank without mass has no centre"):
        _ = ts.torseurs.body_torseurs(run, "crank").centre
    with pytest.raises(ts.ModelError, match='is on "crank", which moves'):
        ts.torseurs.impulse(run, "rod", at=("crank", (0, 0, 0)))
    told = str(ts.torseurs.impulse(run, "rod", 0.0, 0.1))
    assert told.startswith("rod from t = 0 to 0.1 s, at G(rod)") and "ΔT" in told


@pytest.mark.parametrize("name", ["A", "weight", "push"])
def test_a_force_that_is_called_as_a_joint_or_as_the_weight_is_counted(name):
    model = {
        "gravity": [0, -9.81, 0],
        "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "a"]}},
        "forces": {name: {"type": "wrench", "body": "a", "force": [1, 0, 0]}},
    }
    run = ts.simulate(model, 0.2, rate=50)
    np.testing.assert_allclose(ts.torseurs.power_balance(run).difference, 0, atol=1e-12)
    np.testing.assert_allclose(ts.torseurs.impulse(run, "a").shocks, 0, atol=1e-9)
    told = {str(x.symbol) for x in ts.tell(model, bodies="a").step("actions").formulas}
    assert {f"F({name if name == 'push' else f'forces.{name}'})", "F(weight)"} <= told
