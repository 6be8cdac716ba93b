"""The examples of Llibre (2009) against the closed forms of the problems, errata corrected."""

import numpy as np
import pytest
from example_states import acceleration, balanced, model, parameters, run, same, states
from numpy import cos, sin

import torseur as ts
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

G = 9.81


def test_three_points_of_contact_of_a_wheel_have_three_velocities():
    """L-Wheel: the point of the road and that of the wheel stand still, the place moves at V."""
    found, p = run("rolling_wheel"), parameters("rolling_wheel")
    contact = ts.observe.wheel_contact(found, "wheel", p.r, axis="y")
    forward = np.tile([p.V, 0, 0], (len(found.t), 1))
    same(contact.surface.velocity, 0 * forward, 1e-12)
    same(contact.wheel.velocity, 0 * forward, 1e-12)
    same(contact.geometric.velocity, forward, 1e-12)
    upward = np.tile([0, 0, p.V**2 / p.r], (len(found.t), 1))
    same(contact.wheel.acceleration, upward, 1e-11)


def test_the_moment_theorem_takes_the_speed_of_the_place_or_the_acceleration_of_the_body():
    """L-Wheel: both forms give the moment of the road at the contact, which is none."""
    found, p = run("rolling_wheel"), parameters("rolling_wheel")
    place = ts.observe.wheel_contact(found, "wheel", p.r, axis="y").geometric
    moving = ts.observe.moment_theorem(found, "wheel", place)
    same(moving.moment, ts.observe.moment_at_body_point(found, "wheel", place), 1e-12)
    same(moving.moment, 0 * moving.moment, 1e-12)


# --- the ball -----------------------------------------------------------------------------------


def test_a_ball_in_euler_angles_has_one_holonomic_and_two_other_constraints():
    """L-Ball: x. − R(θ. sin ψ − φ. cos ψ sin θ) = 0, y. + R(θ. cos ψ + φ. sin ψ sin θ) = 0."""
    found, p = states("rolling_ball"), parameters("rolling_ball")
    held = NumericConstraints(found.model)
    assert len(held.positions) == 1
    for k, (q, psi, theta) in enumerate(zip(found.q, found["psi"], found["theta"], strict=True)):
        rows = {
            "z": [0, 0, 1, 0, 0, 0],
            "x": [1, 0, 0, 0, -p.R * sin(psi), p.R * cos(psi) * sin(theta)],
            "y": [0, 1, 0, 0, p.R * cos(psi), p.R * sin(psi) * sin(theta)],
        }
        np.testing.assert_allclose(held.J(q, 0.0), list(rows.values()), atol=1e-13)
        np.testing.assert_allclose(np.array(rows["x"]) @ found.v[k], 0, atol=1e-12)
    same(found["z"], np.full(len(found.t), p.R), 1e-13)


def test_a_homogeneous_ball_goes_straight_and_presses_by_its_weight():
    """L-Ball: its rotation and its speed stay what they were."""
    found, p = run("rolling_ball", 2.0), parameters("rolling_ball")
    ball = ts.observe.motion(found)
    spin = ball.angular_velocity("ball")
    same(spin, np.tile(spin[0], (len(spin), 1)), 1e-8)
    speed = p.R * np.array([spin[0, 1], -spin[0, 0], 0])
    same(found.point("centre", 1), np.tile(speed, (len(spin), 1)), 1e-8)
    same(found.reaction("floor")[:, :3], np.tile([0, 0, p.m * G], (len(spin), 1)), 1e-8)


# --- pendulums ----------------------------------------------------------------------------------


def test_the_multiplier_of_a_cartesian_pendulum_is_tension_over_length():
    """L-Pend: with the constraint ½(x² + y² − l²) the force is λ(x, y), so that λ = −T/l."""
    found, p = states("cartesian_pendulum"), parameters("cartesian_pendulum")
    x, y = found["x"], found["y"]
    speed = found["x."] ** 2 + found["y."] ** 2
    tension = p.m * (speed / p.l - G * y / p.l)
    same(found.multiplier("string")[:, 0], -tension / p.l)
    same(acceleration(found, "x"), -tension * x / (p.m * p.l))
    same(acceleration(found, "y"), -tension * y / (p.m * p.l) - G)


def test_the_elliptic_pendulum_has_the_equations_with_the_coupling_restored():
    """L-EllL, L-EllK: erratum E0-11."""
    found, p = states("elliptic_pendulum"), parameters("elliptic_pendulum")
    theta, rate = found["theta"], found["theta."]
    a_y, a_theta = acceleration(found, "y"), acceleration(found, "theta")
    total = p.m1 + p.m2
    balanced(total * a_y, p.m2 * p.a * a_theta * cos(theta), -p.m2 * p.a * rate**2 * sin(theta))
    balanced(p.a * a_theta, a_y * cos(theta), G * sin(theta))


def test_the_elliptic_pendulum_keeps_its_momentum_and_draws_an_ellipse():
    """L-EllL: about the centre of mass, half-axes a m₁/(m₁ + m₂) and a."""
    found, p = run("elliptic_pendulum"), parameters("elliptic_pendulum")
    theta, total = found["theta"], p.m1 + p.m2
    momentum = total * found["y."] + p.m2 * p.a * found["theta."] * cos(theta)
    same(momentum, np.zeros_like(momentum), 1e-9)
    bob, centre = found.point("bob"), found["y"] + p.m2 / total * p.a * sin(theta)
    ellipse = ((bob[:, 1] - centre) * total / p.m1) ** 2 + bob[:, 2] ** 2
    same(ellipse, np.full_like(ellipse, p.a**2), 1e-12)


# --- the cylinder -------------------------------------------------------------------------------

CYLINDERS = [
    "cylinder_holonomic",
    "cylinder_unknown_force",
    "cylinder_multiplier",
    "cylinder_contact",
]


@pytest.mark.parametrize("name", CYLINDERS)
def test_four_treatments_of_the_cylinder_give_one_motion(name):
    """L-Cyl1 to L-Cyl4: ẍ = −(2/3) g sin α, θ̈ = (2/3)(g/r) sin α."""
    found, p = run(name), parameters(name)
    wanted = -2 / 3 * p.g * sin(p.alpha)
    same(found["x"], 1.5 * found.t + wanted * found.t**2 / 2, 1e-11)
    same(acceleration(found, "x"), np.full(len(found.t), wanted), 1e-12)
    turning = ts.observe.motion(found).angular_velocity("cylinder")[:, 2]
    same(turning, -found["x."] / p.r, 1e-11)


def test_the_force_along_the_slope_is_a_third_of_the_weight_along_it():
    """L-Cyl3 and L-Cyl4: λ₁ = R_x = (1/3) m g sin α, λ₂ = R_y = m g cos α: rolls if tan α < 3 f."""
    p = parameters("cylinder_contact")
    along, across = p.m * p.g * sin(p.alpha) / 3, p.m * p.g * cos(p.alpha)
    found = states("cylinder_multiplier")
    same(found.multiplier("rolling")[:, 0], np.full(len(found.t), along), 1e-12)
    found = states("cylinder_contact")
    same(found.reaction("road")[:, :3], np.tile([along, across, 0], (len(found.t), 1)), 1e-12)
    assert along / across == pytest.approx(np.tan(p.alpha) / 3)


@pytest.mark.parametrize("force", [-3.0, 0.0, 7.0])
def test_an_unknown_force_at_the_contact_pushes_and_turns(force):
    """L-Cyl2: Q_x = −m g sin α + R_x and Q_θ = r R_x, whatever R_x is."""
    p = parameters("cylinder_unknown_force")
    found = states("cylinder_unknown_force", Rx=force)
    same(p.m * acceleration(found, "x"), np.full(12, force - p.m * p.g * sin(p.alpha)))
    same(p.m * p.r**2 / 2 * acceleration(found, "theta"), np.full(12, p.r * force))


# --- the free body ------------------------------------------------------------------------------


def test_a_free_body_obeys_euler_and_keeps_momentum_and_energy_while_it_tumbles():
    """L-Free, P-Pb3.1: A ṗ + (C − B) q r = 0; rotation about the middle axis is unstable."""
    found, p = run("free_body", 3.0), parameters("free_body")
    A, B, C = p.m / 12 * np.array([p.b**2 + p.c**2, p.a**2 + p.c**2, p.a**2 + p.b**2])
    wx, wy, wz = (found[f"flight_w{axis}"] for axis in "xyz")
    ax, ay, az = found.a[:, [found.model.speeds.index(f"flight_w{axis}") for axis in "xyz"]].T
    balanced(A * ax, (C - B) * wy * wz)
    balanced(B * ay, (A - C) * wz * wx)
    balanced(C * az, (B - A) * wx * wy)
    momentum = (A * wx) ** 2 + (B * wy) ** 2 + (C * wz) ** 2
    same(momentum / momentum[0], np.ones_like(momentum), 1e-8)
    assert wy.min() < -0.9 * p.omega < 0.9 * p.omega < wy.max()


def test_treatments_of_the_cylinder_differ_in_what_they_hold():
    """L-Cyl1 to L-Cyl4: none, none, one and two multipliers."""
    rows = [
        len(NumericConstraints(model(name)).owners) if NumericConstraints(model(name)) else 0
        for name in CYLINDERS
    ]
    assert rows == [0, 0, 1, 2]
