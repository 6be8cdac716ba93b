"""Robots with loops: kinematics in closed form, torques replayed forward, two feet that stand."""

from types import SimpleNamespace

import numpy as np
import pytest
from example_states import mechanism, parameters, run, same
from replayed import apart, described, driven, replayed
from test_export_c import GCC, built

import torseur as ts
from torseur.export.export import sources

ARMS = ["theta1", "theta2", "theta3"]
LEGS = [f"s{k}" for k in range(1, 7)]


# --- kinematics in closed form ------------------------------------------------------------------


def arm_angle(p, place, azimuth):
    """θ of the arm of a Delta that puts its platform there, elbow outwards: |P − E| = l."""
    c, s = np.cos(azimuth), np.sin(azimuth)
    x, y, z = place.T
    u, beside = c * x + s * y + p.r - p.R, c * y - s * x
    whole = u**2 + beside**2 + z**2 + p.L**2 - p.l**2
    return np.arctan2(-z, u) - np.arccos(whole / (2 * p.L * np.hypot(u, z)))


def crank_angles(p, x, y):
    """Both cranks of the five-bar that put its pen there, elbows outwards: the law of cosines."""
    found = []
    for offset, side in ((0.0, 1), (p.d, -1)):
        far = np.hypot(x - offset, y)
        found.append(
            np.arctan2(y, x - offset)
            + side * np.arccos((far**2 + p.a**2 - p.b**2) / (2 * p.a * far))
        )
    return found


def test_the_delta_is_where_its_closed_kinematics_put_it_and_keeps_its_orientation():
    found, p = run("delta_robot"), parameters("delta_robot")
    tool, w = found.seen.point("tool"), p.w
    expected = [
        p.radius * np.cos(w * found.t),
        p.radius * np.sin(w * found.t),
        p.rise * np.sin(2 * w * found.t) - p.h,
    ]
    same(tool, np.array(expected).T, 1e-12)
    for k, name in enumerate(ARMS):
        same(found[name], arm_angle(p, tool, 2 * np.pi * k / 3), 1e-12)
    turned = found.seen.frame("platform").R[0]
    same(turned, np.broadcast_to(np.eye(3), turned.shape), 1e-12)


def test_a_delta_at_rest_carries_its_weight_by_virtual_power():
    """Σ C dθ = dV: weights of the platform, of the arms and of forearms, half at either end."""
    p = parameters("delta_robot")
    document = described("delta_robot")
    f = ts.compile(ts.load({k: x for k, x in document.items() if k != "motions"}))
    start = ts.assemble(mechanism("delta_robot"))
    still = np.zeros(len(f.speeds))
    bias = -np.asarray(f.constraint_bias(start.q, still))
    np.testing.assert_allclose(bias, 0, atol=1e-12)
    torques = f.inverse_dynamics(start.q, still, still, actuators=ARMS)

    def potential(place):
        angles = [arm_angle(p, place, 2 * np.pi * k / 3) for k in range(3)]
        elbows = sum(-p.L * np.sin(angle) for angle in angles)
        ends = (p.mp + 1.5 * p.mf) * place[..., 2]
        return 9.81 * (ends + (p.ma + p.mf) / 2 * elbows), np.array(angles)

    place, step = np.array([p.radius, 0.0, -p.h]), 1e-5
    V, theta = potential(place + step * np.concatenate([np.eye(3), -np.eye(3)]))
    slopes = np.linalg.solve((theta[:, :3] - theta[:, 3:]).T, V[:3] - V[3:])
    np.testing.assert_allclose(torques, slopes, rtol=1e-8)


def test_the_five_bar_starts_where_its_closed_kinematics_put_it():
    p, start = parameters("five_bar"), ts.assemble(mechanism("five_bar"))
    pen = ts.compile(mechanism("five_bar")).point("pen", start.q)
    np.testing.assert_allclose(pen, [p.x0, p.y0, 0], atol=1e-15)
    expected = crank_angles(p, p.x0, p.y0)
    np.testing.assert_allclose([start.coordinates[x] for x in ("alpha", "beta")], expected)


# --- torques along a path, and back -------------------------------------------------------------


def five_bar_on_an_ellipse():
    x, y = "(x0 + 0.08*sin(6*t))", "(y0 - 0.04 + 0.04*cos(6*t))"

    def law(x, side):
        far = f"sqrt({x}^2 + {y}^2)"
        return f"atan2({y}, {x}) {side} acos(({x}^2 + {y}^2 + a^2 - b^2)/(2*a*{far}))"

    return driven(described("five_bar"), {"alpha": law(x, "+"), "beta": law(f"({x} - d)", "-")})


def assert_replayed(document, actuators, place, duration, rate=400):
    """What drives a path brings the freed mechanism along it; drives and functions agree."""
    path, efforts, again = replayed(document, duration, rate, actuators)
    for k, motion in enumerate(document["motions"]):
        same(path.drive(motion), efforts[:, k], 1e-11)
    assert np.ptp(path.seen.point(place), axis=0).max() > 0.05  # it is a path
    assert apart(path, again, place) < 1e-6
    return path


def test_torques_of_a_five_bar_bring_it_back_to_its_path():
    path = assert_replayed(five_bar_on_an_ellipse(), ["alpha", "beta"], "pen", 0.3, rate=200)
    x, y, _ = path.seen.point("pen").T
    p = SimpleNamespace(**path.model.parameters)
    same(np.array([path["alpha"], path["beta"]]), np.array(crank_angles(p, x, y)), 1e-12)


@pytest.mark.slow
def test_torques_of_a_delta_bring_it_back_to_its_path():
    assert_replayed(described("delta_robot"), ARMS, "tool", 1.0)


@pytest.mark.slow
def test_forces_of_the_legs_of_a_stewart_platform_bring_it_back_to_its_path():
    assert_replayed(described("stewart_platform"), LEGS, "top", 1.0)


# --- in C ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_c_code_of_a_delta_gives_the_same_motion_and_the_same_torques(tmp_path):
    path = run("delta_robot")
    free = ts.load({k: x for k, x in described("delta_robot").items() if k != "motions"})
    f, functions = ts.compile(free), ["forward_dynamics", "inverse_dynamics"]
    texts = sources(free, "c", functions, at=path.q[0], actuators=ARMS)
    library = built(texts, tmp_path)
    p = np.array(list(free.parameters.values()), dtype=float)
    for k in (3, 17, 41):
        q, v, a = path.q[k], path.v[k], path.a[k]
        torques = f.inverse_dynamics(q, v, a, actuators=ARMS)
        found = library("inverse_dynamics", p, (q, v, a), 3)
        np.testing.assert_allclose(found, torques, rtol=1e-10)
        Q = np.zeros(len(f.speeds))
        Q[[f.speeds.index(f"{name}.") for name in ARMS]] = found
        there = library("forward_dynamics", p, (q, v, Q), len(f.speeds))
        np.testing.assert_allclose(there, a, atol=1e-9 * np.abs(a).max())


# --- on two feet --------------------------------------------------------------------------------


def posture(stiffness=400, damping=20):
    """A law that holds hips and knees where they are at the start, as machine code."""
    gains = {"k": stiffness, "b": damping}
    goals = {"h1": "bend", "k1": "-2*bend", "h2": "bend", "k2": "-2*bend"}
    return ts.control.TextLaw(
        {name: f"k*({goal} - {name}) - b*{name}." for name, goal in goals.items()}, parameters=gains
    )


def test_a_legged_robot_stands_on_both_feet_under_a_pd_law_and_carries_its_weight():
    p = parameters("legged_robot")
    held = ts.simulate(
        mechanism("legged_robot"), 1.0, control=posture(), sample=2e-3, rate=50, rtol=1e-8
    )
    feet = [held.contact(name) for name in ("rear", "front")]
    assert all((foot.state == "stick").all() for foot in feet)
    weight = (p.m + 2 * p.mt + 2 * p.ms) * p.g
    carried = sum(foot.normal[-1] for foot in feet)
    np.testing.assert_allclose(carried, weight, rtol=1e-4)
    # about the point of one foot: the other carries what the centre of mass asks for
    f = ts.compile(mechanism("legged_robot"))
    centre = f.centre_of_mass(held.q[-1])[0]
    rear, front = (f.point(name, held.q[-1])[0] for name in ("foot1", "foot2"))
    share = (centre - rear) / (front - rear)
    np.testing.assert_allclose(feet[1].normal[-1] / weight, share, rtol=1e-3)
    assert held["y"].min() > 0.98 * held["y"][0]


def test_without_torques_the_legged_robot_sinks():
    assert run("legged_robot")["y"][-1] < 0.3 * run("legged_robot")["y"][0]
