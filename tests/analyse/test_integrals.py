"""First integrals: found from the expressions, equal to the published ones, kept along runs."""

import json
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate
from torseur.analyse.integrals.integrals import EXACT
from torseur.cli.main import commands


@cache
def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


def value(integral, mechanism, **state):
    given = {name.replace("_dot", "."): x for name, x in state.items()}
    return float(evaluate(integral.value, {**mechanism.parameters, "t": 0.0, **given}))


def changed(form, **entries):
    """A description in YAML form with some entries added."""
    return ts.load({**form, **entries})


ARM = {
    "parameters": {"C1": 0.08, "m": 0.8, "B2": 2e-3, "a": 0.1, "k": 120, "l0": 0.15, "w": 6},
    "bodies": {
        "arm": {"inertia": ["C1/2", "C1", "C1"]},
        "slider": {"mass": "m", "inertia": ["B2", "B2", "B2"]},
    },
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "theta"},
        "rail": {
            "type": "glissière",
            "bodies": ["arm", "slider"],
            "point": [["a", 0, 0], [0, 0, 0]],
            "axis": "x",
            "coordinate": "lam",
        },
    },
    "forces": {
        "spring": {
            "type": "spring",
            "between": [["arm", ["a", 0, 0]], ["slider", [0, 0, 0]]],
            "stiffness": "k",
            "length": "l0",
        }
    },
    "initial": {"theta": 0, "lam": "l0"},
}


# --- the published integrals --------------------------------------------------------------------


def test_the_elliptic_pendulum_keeps_its_energy_and_the_momentum_of_the_cart():
    """L-EllL, with erratum E0-11."""
    m = example("elliptic_pendulum")
    found = ts.first_integrals(m)
    assert found.names == ("E", "p_y")
    assert found["p_y"].also == ("P_y",)
    assert all(x.proof == EXACT for x in found)
    m1, m2, a = (m.parameters[x] for x in ("m1", "m2", "a"))
    state = {"y": 0.2, "theta": 0.7, "y_dot": 0.4, "theta_dot": -1.1}
    c, dy, dth = np.cos(0.7), 0.4, -1.1
    energy = (m1 + m2) * dy**2 / 2 + m2 * (a**2 * dth**2 / 2 + a * dy * dth * c - 9.81 * a * c)
    assert value(found["E"], m, **state) == pytest.approx(energy, rel=1e-14)
    assert value(found["p_y"], m, **state) == pytest.approx((m1 + m2) * dy + m2 * a * dth * c)
    assert str(found["p_y"].formula) == "a*m2*cos(theta)*theta. + y.*(m1 + m2)"


def test_about_its_centre_of_mass_the_bob_draws_an_ellipse():
    """y_M = a m1/(m1 + m2) sin θ, z_M = −a cos θ."""
    m = example("elliptic_pendulum")
    run = ts.simulate(m, 1.0, rate=50)
    m1, m2, a = (m.parameters[x] for x in ("m1", "m2", "a"))
    bob, cart = run.point("bob"), run.point("cart")
    centre = (m1 * cart + m2 * bob) / (m1 + m2)
    y, z = bob[:, 1] - centre[:, 1], bob[:, 2]
    assert y == pytest.approx(a * m1 / (m1 + m2) * np.sin(run["theta"]), abs=1e-12)
    assert (y * (m1 + m2) / m1) ** 2 + z**2 == pytest.approx(np.full(len(y), a**2), rel=1e-12)
    p = next(row for row in ts.observe.monitor(run) if row.name == "p_y")
    assert np.abs(p.values).max() < 1e-8  # so that the centre of mass stays above one place
    assert np.ptp(centre[:, 1]) < 1e-8


def test_the_spherical_pendulum_keeps_its_hamiltonian_and_the_momentum_about_the_vertical():
    """P-Ex5.1."""
    m = example("spherical_pendulum")
    found = ts.first_integrals(m)
    assert found.names == ("E", "p_phi")
    assert "sigma_O_z" in found["p_phi"].also
    mass, a, g = (m.parameters[x] for x in ("m", "a", "g"))
    state = {"theta": 0.9, "phi": 0.3, "theta_dot": 0.5, "phi_dot": 1.7}
    pt, pp = mass * a**2 * 0.5, mass * a**2 * np.sin(0.9) ** 2 * 1.7
    H = pt**2 / (2 * mass * a**2) + pp**2 / (2 * mass * a**2 * np.sin(0.9) ** 2)
    assert value(found["E"], m, **state) == pytest.approx(H - mass * g * a * np.cos(0.9))
    assert value(found["p_phi"], m, **state) == pytest.approx(pp)


def test_the_heavy_top_has_three_integrals():
    """N-Top: p_ψ = I_e (ψ' + φ' cos θ), p_φ = I⊥ φ' sin²θ + p_ψ cos θ, and E."""
    m = example("heavy_top")
    found = ts.first_integrals(m)
    assert found.names == ("E", "p_phi", "p_psi")
    mass, l, Ie, Ip = (m.parameters[x] for x in ("m", "l", "Ie", "Ip"))
    th, dph, dth, dps = 0.6, 2.0, -0.7, 30.0
    state = {"phi": 0.1, "theta": th, "psi": 0.2}
    state |= {"phi_dot": dph, "theta_dot": dth, "psi_dot": dps}
    p_psi = Ie * (dps + dph * np.cos(th))
    p_phi = Ip * dph * np.sin(th) ** 2 + p_psi * np.cos(th)
    E = Ip * (dth**2 + dph**2 * np.sin(th) ** 2) / 2 + p_psi**2 / (2 * Ie)
    assert value(found["p_psi"], m, **state) == pytest.approx(p_psi)
    assert value(found["p_phi"], m, **state) == pytest.approx(p_phi)
    assert value(found["E"], m, **state) == pytest.approx(E + mass * 9.81 * l * np.cos(th))


def test_the_rotating_arm_keeps_its_momentum_without_a_motor():
    """G-Ex0: [C1 + B2 + m (a + λ)²] θ' for C_m = 0."""
    found = ts.first_integrals(ts.load(ARM))
    assert found.names == ("E", "p_theta")
    m = ts.load(ARM)
    state = {"theta": 0.3, "lam": 0.2, "theta_dot": 5.0, "lam_dot": 0.4}
    p = m.parameters
    expected = (p["C1"] + p["B2"] + p["m"] * (p["a"] + 0.2) ** 2) * 5.0
    assert value(found["p_theta"], m, **state) == pytest.approx(expected)


def test_driven_at_constant_speed_the_arm_keeps_the_integral_of_painleve():
    """G-Ex0, P-Pai: ½ m λ'² − ½ m ω² (a + λ)² + ½ k (λ − l0)², and the drive 2 m (a + λ) λ' ω."""
    m = changed(ARM, motions={"drive": {"coordinate": "theta", "law": "w*t"}})
    found = ts.first_integrals(m)
    assert found.names == ("H",)
    p = m.parameters

    def painleve(lam, rate):
        spun = p["m"] * p["w"] ** 2 * (p["a"] + lam) ** 2
        return p["m"] * rate**2 / 2 - spun / 2 + p["k"] * (lam - p["l0"]) ** 2 / 2

    states = [(0.2, 0.4), (0.12, -1.0), (0.3, 0.0)]
    apart = [value(found["H"], m, lam=x, lam_dot=y) - painleve(x, y) for x, y in states]
    assert apart == pytest.approx([-(p["C1"] + p["B2"]) * p["w"] ** 2 / 2] * 3, rel=1e-12)
    (drive,) = found.drives
    at = {**p, "lam": 0.2, "lam.": 0.4}
    couple = 2 * p["m"] * (p["a"] + 0.2) * 0.4 * p["w"]
    assert float(evaluate(drive.force, at)) == pytest.approx(couple)
    assert float(evaluate(drive.power, at)) == pytest.approx(couple * p["w"])


def test_an_imposed_motion_that_accelerates_leaves_no_integral():
    m = changed(ARM, motions={"drive": {"coordinate": "theta", "law": "w*t^2"}})
    assert len(ts.first_integrals(m)) == 0


def test_what_the_drive_gives_is_what_the_energy_gains():
    m = changed(ARM, motions={"drive": {"coordinate": "theta", "law": "w*t"}})
    run = ts.simulate(m, 0.3, rate=2000, rtol=1e-11)
    energy = run.energy["kinetic"] + run.energy["potential"]
    power = ts.observe.drive_power(run, "drive")
    steps = (power[1:] + power[:-1]) / 2 * np.diff(run.t)
    gained = energy[-1] - energy[0]
    assert np.abs(power).max() > 1
    assert steps.sum() == pytest.approx(gained, abs=1e-5 * np.abs(power).max())


def test_the_ball_governor_keeps_the_integral_of_painleve_and_needs_the_published_torque():
    """P-Ex4.5, at α1 = α2 = α, z = 2 a cos α."""
    m = example("ball_governor")
    found = ts.first_integrals(m)
    assert found.names == ("H",)
    p, al, rate = m.parameters, 0.6, 0.9
    s, c, W = np.sin(al), np.cos(al), p["Omega"]
    state = {"alpha1": al, "alpha2": al, "alpha1_dot": rate, "alpha2_dot": rate}
    state |= {"z": 2 * p["a"] * c, "z_dot": -2 * p["a"] * s * rate}
    kinetic = (p["m"] * p["l"] ** 2 + 2 * p["ms"] * p["a"] ** 2 * s**2) * rate**2
    rest = p["m"] * p["l"] ** 2 * W**2 * s**2 + 2 * (p["m"] * p["l"] + p["ms"] * p["a"]) * 9.81 * c
    assert value(found["H"], m, **state) + p["Is"] * W**2 / 2 == pytest.approx(kinetic - rest)
    (drive,) = found.drives
    named = {**p, **{k.replace("_dot", "."): x for k, x in state.items()}}
    torque = 4 * p["m"] * p["l"] ** 2 * W * rate * s * c
    assert float(evaluate(drive.force, named)) == pytest.approx(torque)


# --- conditions ---------------------------------------------------------------------------------


def test_a_coordinate_that_a_constraint_holds_keeps_no_momentum():
    """The rolling disc: L does not depend on x, y, theta, phi; no momentum of theirs is kept."""
    found = ts.first_integrals(example("vertical_disc"))
    assert not {"p_x", "p_y", "P_x", "P_y"} & {n for x in found for n in (x.name, *x.also)}
    given = ts.formalisms.lagrangian(
        "m*(x.^2 + y.^2)/2 + J*s.^2/2",
        ["x", "y", "s"],
        constraints={"blade": "x.*sin(s) - y.*cos(s)"},
    )
    assert ts.first_integrals(given).names == ("E", "p_s")


def test_a_rolling_ball_keeps_its_velocity_and_its_spin():
    """L-Ball: the centre goes straight on at constant speed."""
    found = ts.first_integrals(example("rolling_ball"))
    assert {"E", "p_psi", "P_x", "P_y"} <= set(found.names)


def test_a_free_body_keeps_seven_quantities_and_a_falling_one_its_spin_about_its_centre():
    form = {
        "bodies": {"stone": {"mass": 2, "centre": [0.1, 0, 0], "inertia": [0.1, 0.2, 0.25]}},
        "joints": {"flight": {"type": "free", "bodies": ["ground", "stone"]}},
    }
    names = [f"{x}_{axis}" for x in ("P", "sigma_O") for axis in "xyz"]
    assert ts.first_integrals(ts.load(form)).names == ("E", *names)
    falling = ts.first_integrals(changed(form, gravity=[0, 0, -9.81]))
    expected = {"E", "P_x", "P_y", "P_z_t", "sigma_O_z", "sigma_G_x", "sigma_G_y"}
    assert set(falling.names) == expected


def test_a_symmetric_top_on_a_ball_joint_keeps_its_spin_and_another_one_does_not():
    def top(A, B):
        return ts.load(
            {
                "gravity": [0, 0, -9.81],
                "bodies": {"top": {"mass": 1, "centre": [0, 0, 0.3], "inertia": [A, B, 0.02]}},
                "joints": {"tip": {"type": "rotule", "bodies": ["ground", "top"]}},
            }
        )

    assert ts.first_integrals(top(0.1, 0.1)).names == ("E", "sigma_O_z", "p_tip_wz")
    assert ts.first_integrals(top(0.1, 0.12)).names == ("E", "sigma_O_z")


@pytest.mark.parametrize(
    ("entries", "name"),
    [
        ({"gravity": [3, 0, -4]}, "sigma_O_g"),
        (
            {"forces": {"pull": {"type": "wrench", "body": "top", "force": [2, 2, 0],
                                 "point": [0, 0, 0.3]}}},
            "C_1",
        ),
    ],
)  # fmt: skip
def test_an_angular_momentum_about_an_oblique_axis_is_found(entries, name):
    m = ts.load(
        {
            "bodies": {"top": {"mass": 1, "centre": [0, 0, 0.3], "inertia": [0.1, 0.12, 0.02]}},
            "joints": {"tip": {"type": "rotule", "bodies": ["ground", "top"]}},
            **entries,
        }
    )
    found = ts.first_integrals(m)
    assert name in found.names
    run = ts.simulate(m, 0.5, initial={"tip_wx": 1.0, "tip_wz": 3.0}, rate=50, rtol=1e-11)
    kept = next(x for x in ts.observe.monitor(run, found) if x.name == name)
    assert abs(kept.values[0]) > 1e-3
    assert kept.relative < 1e-8


def test_a_force_without_a_potential_that_works_ends_the_energy_integral():
    assert "E" not in ts.first_integrals(example("cart_pendulum")).names
    constant = ts.first_integrals(example("slider_crank"))
    assert constant.names == ("E_W",)  # constant couple and force: their work is Cm α − Fr x


def test_what_may_open_is_refused_with_a_mode_of_its_own_name():
    with pytest.raises(ts.ModelError) as caught:
        ts.first_integrals(example("box_on_slope"))
    assert '"low" may open, stick or slide' in str(caught.value)
    assert 'ts.in_mode(mechanism, {"low": "stick"})' in str(caught.value)
    stuck = ts.in_mode(example("box_on_slope"), {"low": "stick"})
    assert "E" in ts.first_integrals(stuck).names  # it tips about an edge that stays


def test_momenta_less_the_impulse_of_what_is_linear_in_speeds():
    """Llibre (2009), §2.2.9: ∂L/∂q_j may be the derivative of a function."""
    magnet = ts.formalisms.lagrangian("m*(x.^2 + y.^2)/2 + e*B/2*(x*y. - y*x.)", ["x", "y"])
    found = ts.first_integrals(magnet)
    assert found.names == ("E", "p_x", "p_y")
    m, e, B, x, y = (symbol(n, k) for n, k in (
        ("m", "parameter"), ("e", "parameter"), ("B", "parameter"), ("x.", "speed"),
        ("y", "coordinate")))  # fmt: skip
    at = {"m": 1.3, "e": 0.7, "B": 2.0, "x.": 0.4, "y": -0.6}
    expected = evaluate(m * x - e * B * y, at)
    assert float(evaluate(found["p_x"].value, at)) == pytest.approx(float(expected))
    sled = ts.formalisms.lagrangian("m*x.^2/2", ["x"], rayleigh="b*x.^2/2")
    assert str(ts.first_integrals(sled)["p_x"].formula) == "b*x + m*x."


# --- with explicit time -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("L", "name", "formula"),
    [
        ("m*x.^2/2 + F*t*x", "p_x", "m*x. - F*t^2/2"),
        ("m*x.^2/2 - k*x^2/2 + c*t", "E_G", "m*x.^2/2 + k*x^2/2"),
        ("m*x.^2/2 - k*x^2/2 + c*cos(w*t)^2", "E_G", "m*x.^2/2 + k*x^2/2"),
        ("m*x.^2/2 + F*sin(w*t)*x", "p_x", "m*x. + F*cos(w*t)/w"),
        ("m*x.^2/2 + B*x*x. + F*t^2*exp(-a*t)*x", "p_x",
         "m*x. + F*exp(-a*t)*(t^2/a + 2*t/a^2 + 2/a^3)"),
        # here the derivative of x^2 t^2 stands in L
        ("m*x.^2/2 - k*x^2/2 + 2*x*x.*t^2 + 2*x^2*t", "E_G", "m*x.^2/2 + k*x^2/2"),
    ],
)  # fmt: skip
def test_integrals_with_explicit_time_are_found(L, name, formula):
    """Noether with a gauge term: invariance of L up to the derivative of F(q, t)."""
    found = ts.first_integrals(ts.formalisms.lagrangian(L, ["x"]))
    assert found[name].proof == EXACT
    wanted = ts.formalisms.lagrangian(formula, ["x"]).L
    rng = np.random.default_rng(0)
    differences = []
    for _ in range(4):
        names = ("m", "k", "c", "w", "F", "B", "a", "x", "x.", "t")
        state = {n: float(x) for n, x in zip(names, rng.uniform(0.5, 2.0, 10), strict=True)}
        differences.append(evaluate(found[name].value, state) - evaluate(wanted, state))
    np.testing.assert_allclose(differences, 0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_found_of_random_lagrangians_with_time_is_constant(seed):
    """Two coordinates, coupled or not, with forces of time and total derivatives thrown in."""
    rng = np.random.default_rng(seed)
    terms = ["x*t", "x*sin(w*t)", "y*cos(w*t)*t", "y*y.*x", "t^3", "exp(-t)", "x*y.", "y*t*exp(-t)",
             "-k*(x - y)^2/2", "cos(x)", "x.*t"]  # fmt: skip
    chosen = rng.choice(terms, size=4, replace=False)
    L = "m*x.^2/2 + n*y.^2/2 + " + " + ".join(f"{rng.uniform(0.5, 2):.3f}*({x})" for x in chosen)
    made = ts.formalisms.lagrangian(
        L,
        ["x", "y"],
        parameters={"m": 1.3, "n": 0.7, "k": 2.0, "w": 1.7},
        initial={"x": 0.3, "y": -0.2, "x.": 0.5, "y.": 0.4},
    )
    drifts = ts.observe.monitor(ts.simulate(made, 2.0, rate=20.0, rtol=1e-12))
    assert drifts.worst < 1e-9


def test_a_force_that_pushes_in_time_takes_its_impulse_off_the_momentum():
    rail = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}
    push = {"type": "joint", "joint": "rail", "value": "3*sin(2*t)*t"}
    made = ts.load(
        {"bodies": {"b": {"mass": 2}}, "joints": {"rail": rail}, "forces": {"push": push}}
    )
    (kept,) = ts.observe.monitor(ts.simulate(made, 2.0, rate=20.0, rtol=1e-11))
    assert kept.name == "p_x"
    assert kept.relative < 1e-9


# --- along runs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["heavy_top", "ball_governor", "rolling_ball"])
def test_every_integral_that_is_found_is_kept_along_a_run(name):
    m = example(name)
    run = ts.simulate(m, 0.5, rate=40, rtol=1e-11)
    drifts = ts.observe.monitor(run)
    assert len(drifts) > 0
    assert drifts.worst < 1e-8
    assert "largest change" in str(drifts)
    assert all(row["relative"] < 1e-8 for row in drifts.document)


def test_a_typed_lagrangian_and_its_hamiltonian_are_monitored_too():
    made = ts.formalisms.lagrangian(
        "m*a^2*(theta.^2 + sin(theta)^2*phi.^2)/2 + m*g*a*cos(theta)",
        ["theta", "phi"],
        parameters={"m": 0.7, "a": 0.5, "g": 9.81},
        initial={"theta": 1.0, "phi.": 3.0},
    )
    drifts = ts.observe.monitor(ts.simulate(made, 2.0, rate=20.0, rtol=1e-12))
    assert [row.name for row in drifts] == ["E", "p_phi"]
    assert drifts.worst < 1e-10
    start = {"theta": 1.0, "p_phi": 0.7 * 0.25 * np.sin(1.0) ** 2 * 3.0}
    canonical = ts.simulate(made.hamiltonian, 2.0, rate=20.0, rtol=1e-12, initial=start)
    again = ts.observe.monitor(canonical)
    assert [row.name for row in again] == ["E", "p_phi"]
    assert again.worst < 1e-10
    for one, other in zip(drifts, again, strict=True):
        assert one.values[0] == pytest.approx(other.values[0])
    with pytest.raises(ts.ModelError, match="the energy of a run of Equations is unknown"):
        ts.observe.monitor(ts.simulate(made.equations, 0.1))


def test_integrals_are_those_of_the_parameters_of_the_run():
    """A cart with a damper keeps its energy when the damper is set to nothing."""
    m = example("cart_pendulum")
    assert len(ts.observe.monitor(ts.simulate(m, 0.1))) == 0
    free = ts.observe.monitor(ts.simulate(m, 0.1, parameters={"b": 0.0}))
    assert [row.name for row in free] == ["E"]
    assert free.worst < 1e-8


def test_the_simulate_command_prints_how_integrals_are_kept():
    def said(name, *options):
        model = str(files("torseur.examples") / f"{name}.yaml")
        return CliRunner().invoke(commands, ["simulate", model, "--duration", "0.1", *options])

    assert re.search(r"relative change: E \d\S+, p_phi \d\S+, p_psi \d", said("heavy_top").output)
    assert "first integrals: none" in said("cart_pendulum").output
    assert "torseur first-integrals" in said("stewart_platform").output
    kept = json.loads(said("heavy_top", "--json").output)["integrals"]
    assert [row["name"] for row in kept] == ["E", "p_phi", "p_psi"]


def test_the_monitor_watches_a_motion_that_is_reduced_by_cyclic_coordinates():
    top = ts.formalisms.lagrangian(example("heavy_top"))
    momenta = {"p_phi": 0.035, "p_psi": 0.04}
    run = ts.simulate(top.routhian(), 0.05, parameters=momenta, initial={"theta": 0.5}, rtol=1e-10)
    drifts = ts.observe.monitor(run)
    assert len(drifts) == 1 and drifts.worst < 1e-9


def test_the_monitor_sees_a_quantity_that_is_not_kept():
    run = ts.simulate(example("compound_pendulum"), 0.5, rate=50)
    (energy,) = ts.first_integrals(example("compound_pendulum"))
    wrong = replace(energy, value=energy.value + symbol("theta", "coordinate"))
    assert ts.observe.monitor(run, [energy]).worst < 1e-7
    assert ts.observe.monitor(run, [wrong]).worst > 1e-2


def test_the_list_prints_formulas_reasons_and_proofs():
    printed = str(ts.first_integrals(example("elliptic_pendulum")))
    assert "elliptic-pendulum: 2 first integrals" in printed
    assert "p_y = (m1 + m2)*y. + m2*a*theta.*cos(theta)  [kg.m/s]" in printed
    assert "proved exactly" in printed
    with pytest.raises(ts.ModelError, match='integral "p_z" does not exist'):
        ts.first_integrals(example("elliptic_pendulum"))["p_z"]


def test_a_distance_is_written_without_bars_and_its_condition_is_told():
    """E of a satellite speaks of r where r > 0, as books do; what is evaluated holds everywhere."""
    energy = ts.first_integrals("dumbbell_satellite")["E"]
    assert "abs" not in str(energy) and "where r > 0" in str(energy)
    assert "abs" in str(energy.value)
