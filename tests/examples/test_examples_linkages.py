"""The linkages among the examples: exact laws of their motion, and assembly from poor guesses."""

import numpy as np
import pytest
from example_states import balanced, mechanism, model, parameters, run, same, states
from numpy import cos, sin

import torseur as ts
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.start.assemble import assemble

G = 9.81


def plane(angle, length=1.0):
    """A vector of the plane by its angle and its length."""
    return length * np.stack([cos(angle), sin(angle)], axis=-1)


def meeting(p, r, q, s, side):
    """Where circles about p and q meet: left (+1) or right (−1) of the way from p to q."""
    d = q - p
    distance = np.linalg.norm(d, axis=-1, keepdims=True)
    along = (r**2 - s**2 + distance**2) / (2 * distance)
    across = side * np.sqrt(r**2 - along**2)
    u = d / distance
    return p + along * u + across * np.stack([-u[..., 1], u[..., 0]], axis=-1)


# --- motions ------------------------------------------------------------------------------------


def test_the_four_bar_obeys_freudenstein():
    """l₁² − l₂² + l₃² + l₄² + 2 l₃ l₄ cos δ − 2 l₁ l₄ cos α = 2 l₁ l₃ cos(α − δ), and its rate."""
    found, p = run("four_bar"), parameters("four_bar")
    alpha, delta = found["alpha"], found["delta"]
    constant = np.full_like(alpha, p.l1**2 - p.l2**2 + p.l3**2 + p.l4**2)
    swing = 2 * p.l3 * p.l4 * cos(delta) - 2 * p.l1 * p.l4 * cos(alpha)
    same(constant + swing, 2 * p.l1 * p.l3 * cos(alpha - delta), 1e-11)
    ratio = p.l1 * (p.l4 * sin(alpha) + p.l3 * sin(alpha - delta))
    ratio /= p.l3 * (p.l4 * sin(delta) + p.l1 * sin(alpha - delta))
    same(found["delta."], ratio * found["alpha."], 1e-9)


def test_the_crank_of_the_four_bar_turns_and_its_rocker_swings():
    """Grashof: the shortest and the longest bar are shorter together than the two others."""
    found, p = run("four_bar", 2.0, 50.0), parameters("four_bar")
    lengths = sorted([p.l1, p.l2, p.l3, p.l4])
    assert lengths[0] + lengths[3] < lengths[1] + lengths[2]
    assert found["alpha"].max() > 2 * np.pi
    assert np.ptp(found["delta"]) < np.pi


def test_the_output_of_the_cardan_turns_unevenly():
    """ω₂/ω₁ = cos δ/(1 − sin² δ cos² φ₁)."""
    found, p = run("cardan_shaft"), parameters("cardan_shaft")
    ratio = cos(p.delta) / (1 - sin(p.delta) ** 2 * cos(found["phi1"]) ** 2)
    same(found["phi2."], ratio * p.Omega, 1e-11)


def test_the_tracer_of_peaucellier_moves_on_an_exact_straight_line():
    """x = (L² − s²)/(2 r): |OP| |OP'| = L² − s² turns the circle through O into a line."""
    found, p = run("peaucellier", 2.0, 50.0), parameters("peaucellier")
    P, tracer = found.point("P"), found.point("tracer")
    same(tracer[:, 0], np.full(len(found.t), (p.L**2 - p.s**2) / (2 * p.r)), 1e-12)
    assert np.ptp(tracer[:, 1]) > 0.2
    product = np.linalg.norm(P, axis=1) * np.linalg.norm(tracer, axis=1)
    same(product, np.full(len(found.t), p.L**2 - p.s**2), 1e-12)
    same(np.cross(P, tracer), np.zeros_like(P), 1e-12)


def test_the_whitworth_ram_returns_twice_as_fast():
    """The ram turns round where the arm is level: 240° of the crank out, 120° back, as d = r/2."""
    found, p = run("whitworth", 1.0, 360.0), parameters("whitworth")
    arm = np.arctan2(p.r * sin(found["alpha"]) + p.d, p.r * cos(found["alpha"]))
    root = np.sqrt(p.L**2 - p.e**2 * sin(arm) ** 2)
    same(found["x"], p.e * cos(arm) + root, 1e-11)
    assert (found["x."] < 0).mean() == pytest.approx(2 / 3, abs=2 / 360)
    back = np.arcsin(p.d / p.r)
    assert (np.pi + 2 * back) / (np.pi - 2 * back) == pytest.approx(2)


def test_the_leg_of_jansen_is_where_its_thirteen_lengths_put_it():
    """Every joint by intersection of circles, and the foot comes back after a turn."""
    found, p = run("jansen_leg", 1.0, 90.0), parameters("jansen_leg")
    B = np.zeros((len(found.t), 2))
    P = np.array([p.a, p.l]) + plane(found["theta"], p.m)
    C, E = meeting(P, p.j, B, p.b, -1), meeting(P, p.k, B, p.c, 1)
    D = meeting(B, p.d, C, p.e, 1)
    F = meeting(D, p.f, E, p.g, -1)
    foot = meeting(F, p.h, E, p.i, -1)
    for name, wanted in {"P": P, "C": C, "D": D, "E": E, "F": F, "G": foot}.items():
        same(found.point(name)[:, :2], wanted, 1e-11)
    same(foot[-1], foot[0], 1e-11)


def test_the_foot_of_jansen_walks_level():
    """Over two fifths of a turn the foot stays within a millimetre of its lowest place."""
    foot = 1e3 * run("jansen_leg", 1.0, 90.0).point("G")
    down = foot[:, 1] < foot[:, 1].min() + 1
    assert down.mean() > 0.4
    assert np.ptp(foot[down, 0]) > 55
    assert np.ptp(foot[:, 1]) == pytest.approx(22.46, abs=0.02)


@pytest.mark.slow
def test_the_stewart_platform_is_where_its_legs_put_it():
    """Lengths computed from a pose give that pose: sway, heave and turn."""
    found, p = run("stewart_platform"), parameters("stewart_platform")
    t, seen = found.t, ts.observe.motion(found)
    place = np.stack([p.sway * sin(p.w * t), 0 * t, p.h + p.heave * sin(2 * p.w * t)], axis=1)
    same(found.point("top"), place, 1e-11)
    R, angle = seen.poses["platform"][0], p.turn * sin(p.w * t)
    same(R[:, :2, 0], plane(angle), 1e-11)
    same(R[:, 2, 2], np.ones_like(t), 1e-11)


@pytest.mark.slow
def test_the_legs_of_the_stewart_platform_carry_it():
    """The six ball joints give the platform its acceleration; the drives give all the power."""
    found = run("stewart_platform")
    force = sum(found.reaction(f"S{k}")[:, :3] for k in range(1, 7))
    centre = ts.observe.motion(found).point(("platform", [0, 0, 0.03]), 2)
    same(force, 20 * (centre + np.array([0, 0, G])), 1e-9)
    power = sum(found.drive(f"leg{k}") * found[f"s{k}."] for k in range(1, 7))
    total = found.energy["kinetic"] + found.energy["potential"]
    rate = np.gradient(total, found.t, edge_order=2)
    np.testing.assert_allclose(power[2:-2], rate[2:-2], atol=5e-3 * np.abs(power).max())


# --- assembly -----------------------------------------------------------------------------------

CHAINS = ["four_bar", "slider_crank", "jansen_leg", "stewart_platform", "peaucellier", "whitworth"]
DRIVEN = ["jansen_leg", "stewart_platform", "peaucellier", "whitworth"]  # one pose a branch


def disturbed(name, seed, angle):
    """The start, and a guess in which every angle is off by `angle`, one way or the other."""
    rng, made = np.random.default_rng(seed), model(name)
    start = assemble(made)
    step = np.zeros(len(made.speeds))
    for _, link in made.system.tree:
        turns = np.array([unit == "rad/s" for unit in link.joint.speed_units])
        own = np.where(turns, angle * rng.choice([-1, 1], size=len(turns)), 0.0)
        if link.joint.turning:  # about one axis, by the same angle
            axis = rng.normal(size=3)
            own[-3:] = angle * axis / np.linalg.norm(axis)
        step[link.v] = own
    q = start.q
    for _ in range(10):
        q = advanced(made, q, step / 10)
    return start, dict(zip(made.coordinates, q, strict=True))


@pytest.mark.sampled(6, kind=lambda name, seed: name)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", CHAINS)
def test_chains_close_from_guesses_that_are_thirty_degrees_off_in_every_angle(name, seed):
    _, guess = disturbed(name, seed, np.pi / 6)
    assert assemble(model(name), guess).closure_error < 1e-12


@pytest.mark.sampled(6, kind=lambda name, seed: name)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", DRIVEN)
def test_chains_return_to_their_branch_from_guesses_that_are_not_far(name, seed):
    """Eight degrees off in every angle; further away some guesses are nearer to another branch."""
    start, guess = disturbed(name, seed, np.radians(8))
    found = assemble(model(name), guess)
    same(sin((found.q - start.q) / 2), np.zeros_like(found.q), 1e-9)


def test_the_four_bar_stays_on_its_side_from_guesses_that_are_thirty_degrees_off():
    """The coupler meets the rocker above the line of the pins, as in the example."""
    for seed in range(20):
        _, guess = disturbed("four_bar", seed, np.pi / 6)
        found = assemble(model("four_bar"), guess).coordinates
        p = parameters("four_bar")
        B, D = plane(found["alpha"], p.l1), np.array([p.l4, 0])
        C = D + plane(found["delta"], p.l3)
        d, e = D - B, C - B
        assert d[0] * e[1] - d[1] * e[0] > 0


# The angles at the start of an example have no value for such lengths: guesses replace them.
@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize(
    ("name", "lengths", "pinned", "joints"),
    [
        ("four_bar", {"l4": 0.9}, {}, {"C"}),
        ("slider_crank", {"l2": 0.03}, {"alpha": np.pi / 2}, {"A", "B"}),
        ("jansen_leg", {"k": 0.01}, {}, {"C", "E2", "F"}),
        ("peaucellier", {"L": 0.9}, {}, {"A1", "B1", "tracer"}),
        ("single_cylinder_engine", {"b": 0.01}, {"phi": np.pi / 2}, {"rod"}),
    ],
)
def test_a_bar_that_cannot_reach_is_told_by_the_joint_that_stays_open(
    name, lengths, pinned, joints
):
    start = assemble(model(name))
    guess = {**start.coordinates, **start.speeds, **pinned}
    with pytest.raises(ts.SolveError, match="stays open") as told:
        assemble(model(name).with_parameters(**lengths), guess, pinned=tuple(pinned))
    assert any(f'joint "{joint}"' in str(told.value) for joint in joints)


# --- mobility, and examples without a source ----------------------------------------------------


@pytest.mark.parametrize(
    ("name", "degree", "loops"),
    [
        ("four_bar", 1, 1),
        ("slider_crank", 1, 1),
        ("peaucellier", 1, 3),
        ("whitworth", 1, 2),
        ("jansen_leg", 1, 3),
        ("stewart_platform", 6, 5),
        ("cardan_shaft", 1, 1),
        ("ball_governor", 2, 2),
    ],
)
def test_linkages_have_the_mobility_that_their_makers_wanted(name, degree, loops):
    found = ts.mobility(mechanism(name))
    assert (found.degree, found.loops) == (degree, loops)


def test_the_double_pendulum_of_bars_has_its_first_equation():
    """The whole about O: inertias of bars, G in the middle."""
    found, p = states("double_pendulum"), parameters("double_pendulum")
    phi, psi = found["theta1"], found["theta1"] + found["theta2"]
    rate = found["theta1."] + found["theta2."]
    a, b = found.a[:, 0], found.a.sum(axis=1)
    lower, coupling = p.m2 * p.l2**2 / 3, p.m2 * p.l1 * p.l2 / 2
    balanced(
        (p.m1 / 3 + p.m2) * p.l1**2 * a,
        coupling * (cos(phi - psi) * b + sin(phi - psi) * rate**2),
        (p.m1 / 2 + p.m2) * G * p.l1 * sin(phi),
    )
    balanced(
        lower * b,
        coupling * (cos(phi - psi) * a - sin(phi - psi) * found["theta1."] ** 2),
        p.m2 * G * p.l2 / 2 * sin(psi),
    )


def test_the_rotor_of_the_gyroscope_keeps_its_spin_and_its_direction():
    """No couple acts about the axis of the rotor, and none on the whole."""
    found = run("gyroscope")
    spin = ts.observe.motion(found).angular_velocity("rotor")
    axis = ts.observe.motion(found).poses["rotor"][0][:, :, 2]
    along = (spin * axis).sum(axis=1)
    same(along / along[0], np.ones_like(along), 1e-10)
    same(axis, np.tile(axis[0], (len(axis), 1)), 1e-9)


def test_the_satellite_answers_its_wheel_by_turning_the_other_way():
    """Without any couple from outside its angular momentum stays zero."""
    found = ts.simulate(model("satellite"), 0.5, initial={"phi.": 100.0, "flight_wz": -0.01})
    seen = ts.observe.motion(found)
    place = seen.moving_point(("ground", [0, 0, 0]))
    total = sum(ts.observe.moment_theorem(found, body, place).kinetic for body in ("hull", "wheel"))
    same(total, np.tile(total[0], (len(total), 1)), 1e-9)
