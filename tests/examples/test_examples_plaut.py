"""The examples of Plaut (2007) against the answers to its exercises and problems."""

import numpy as np
import pytest
from example_states import (
    FOLDER,
    acceleration,
    balanced,
    mechanism,
    model,
    parameters,
    run,
    same,
    states,
)
from numpy import cos, sin

import torseur as ts

G = 9.81
ORIGIN = ("ground", [0, 0, 0])


def at_rest(name, **values):
    """The equations of an example at its zero position."""
    return ts.derive(mechanism(name)).evaluate(parameters=values)


def with_axis(name, axis, tmp_path):
    """The moment of inertia of an example about another axis of its only pivot."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    path = tmp_path / f"{name}_{axis}.yaml"
    path.write_text(text.replace("axis: z, coordinate", f"axis: {axis}, coordinate"), "utf-8")
    return ts.derive(ts.load(path)).evaluate().M[0, 0]


# --- kinematics ---------------------------------------------------------------------------------


def test_every_point_of_a_cabin_has_the_velocity_of_its_axis():
    """P-Ex1.1: v = R ω (−sin, cos) everywhere, the cabin turns by −ω in the wheel."""
    found, p = run("ferris_wheel"), parameters("ferris_wheel")
    seen = ts.observe.motion(found)
    still, turn = np.zeros((len(found.t), 3)), np.tile([0, 0, p.omega], (len(found.t), 1))
    for k in range(1, 5):
        angle = p.omega * found.t + p.theta0 + (k - 1) * np.pi / 2
        wanted = p.R * p.omega * np.stack([-sin(angle), cos(angle), 0 * angle], axis=1)
        same(found.point(f"A{k}", 1), wanted, 1e-11)
        same(found.point(f"floor{k}", 1), wanted, 1e-11)
        same(seen.angular_velocity(f"cabin{k}"), still, 1e-12)
        same(seen.angular_velocity(f"cabin{k}", "wheel"), -turn, 1e-12)


def test_the_ferris_wheel_is_driven_against_the_weight_that_is_not_balanced():
    """P-Ex1.1: cabins that move without turning act as masses at their axes."""
    found, p = run("ferris_wheel"), parameters("ferris_wheel")
    same(found.drive("drive"), p.load * G * p.R * cos(found["theta"]), 1e-12)


def test_the_centrifugal_force_is_away_from_the_axis():
    """P-Ex1.3: + m ω² HM; what holds a bead at rest on the table is the opposite."""
    found, p = states("turntable"), parameters("turntable")
    same(acceleration(found, "r"), p.omega**2 * found["r"])
    side = 2 * p.m * p.omega * found["r."]  # against Coriolis
    same(found.reaction("groove")[:, :3], np.stack([0 * side, side, 0 * side], axis=1))
    held = -p.m * p.omega**2 * np.array([p.x, p.y, 0])
    same(found.reaction("grip")[:, :3], np.tile(held, (12, 1)))


def test_a_bead_let_go_on_a_turntable_runs_out_as_a_hyperbolic_cosine():
    """P-Ex1.3: r̈ = ω² r from rest."""
    found, p = run("turntable"), parameters("turntable")
    same(found["r"], p.r0 * np.cosh(p.omega * found.t), 1e-9)


# --- mass geometry ------------------------------------------------------------------------------


def test_the_angular_momentum_of_an_inclined_disc_is_not_along_its_shaft():
    """P-Ex2.2: σ(O) = m ψ. [(R²/4) sin θ e_Y + (R²/2 + a²) cos θ e_Z], and I_Δ."""
    found, p = run("inclined_disc"), parameters("inclined_disc")
    s, c = sin(p.theta), cos(p.theta)
    seen = ts.observe.motion(found)
    place = seen.moving_point(ORIGIN)
    sigma = ts.observe.moment_theorem(found, "disc", place).kinetic
    own = p.m * p.omega * np.array([0, p.R**2 / 4 * s, (p.R**2 / 2 + p.a**2) * c])
    same(seen.in_axes(sigma, "ground", "disc"), np.tile(own, (len(sigma), 1)), 1e-12)
    about = p.m * p.R**2 / 4 * (1 + c**2) + p.m * p.a**2 * c**2
    assert at_rest("inclined_disc").M[0, 0] == pytest.approx(about, rel=1e-12)
    same(found.energy["kinetic"], np.full(len(sigma), about * p.omega**2 / 2), 1e-12)


def test_the_bearing_of_an_inclined_disc_carries_the_rate_of_its_momentum():
    """P-Ex2.2: the couple at O is Ω × σ(O), and turns with the disc."""
    found = run("inclined_disc")
    seen = ts.observe.motion(found)
    sigma = ts.observe.moment_theorem(found, "disc", seen.moving_point(ORIGIN)).kinetic
    wanted = np.cross(seen.angular_velocity("disc"), sigma)
    same(found.reaction("shaft", at=np.zeros(3))[:, 3:], wanted, 1e-12)
    assert np.linalg.norm(wanted, axis=1).min() > 1


def test_the_crankshaft_built_of_solids_has_the_inertia_of_its_parts(tmp_path):
    """P-Ex2.3: three moments by Huygens, and I_XZ = s (m_c d + 2 m_p d_p)."""
    p = parameters("crankshaft")
    mc = p.rho * np.pi * p.a**2 * p.l
    mp, m4 = 4 * p.rho * p.p * p.q * p.e, 4 * p.rho * p.P * p.Q * p.e
    ends = mc * (p.a**2 + p.l**2 / 3) + 5 * mc * p.s**2
    xx = ends + 2 * mp * (p.q**2 / 3 + p.e**2 / 12 + p.s**2) + m4 * (p.Q**2 / 3 + p.e**2 / 12)
    yy = ends + 2 * mc * p.d**2 + m4 * (p.P**2 / 3 + p.e**2 / 12)
    yy += 2 * mp * (p.p**2 / 3 + p.e**2 / 12 + p.s**2 + p.dp**2)
    zz = 2 * mc * (p.a**2 + p.d**2) + 2 * mp * ((p.p**2 + p.q**2) / 3 + p.dp**2)
    zz += m4 * (p.P**2 + p.Q**2) / 3
    assert at_rest("crankshaft").M[0, 0] == pytest.approx(zz, rel=1e-12)
    assert with_axis("crankshaft", "x", tmp_path) == pytest.approx(xx, rel=1e-12)
    assert with_axis("crankshaft", "y", tmp_path) == pytest.approx(yy, rel=1e-12)
    found = run("crankshaft")
    rate, product = found["theta."], p.s * (mc * p.d + 2 * mp * p.dp)
    couple = found.reaction("O", frame="joint")[:, 3:]
    wanted = np.stack([0 * rate, product * rate**2, 0 * rate], axis=1)
    same(couple, wanted, 1e-11)


def test_a_crankshaft_at_180_degrees_is_balanced_at_rest():
    """P-Ex2.3: its centre of mass is on its axis, so that weight does not turn it."""
    found = run("crankshaft")
    same(found["theta."], np.full(len(found.t), found["theta."][0]), 1e-12)


def test_the_helicopter_rotor_has_two_equal_moments_across(tmp_path):
    """P-Ex2.4: I_xx = I_yy = (2m/3)[4 l² + a²(1 + sin² α)], I_zz = (4m/3)(4 l² + a² cos² α)."""
    p = parameters("helicopter_rotor")
    across = 2 * p.m / 3 * (4 * p.l**2 + p.a**2 * (1 + sin(p.alpha) ** 2))
    about = 4 * p.m / 3 * (4 * p.l**2 + p.a**2 * cos(p.alpha) ** 2)
    assert at_rest("helicopter_rotor").M[0, 0] == pytest.approx(about, rel=1e-12)
    for axis in "xy":
        moment = with_axis("helicopter_rotor", axis, tmp_path)
        assert moment == pytest.approx(across, rel=1e-12)
    couple = run("helicopter_rotor").reaction("O")[:, 3:]
    same(couple, 0 * couple, 1e-9)


# --- rotation -----------------------------------------------------------------------------------


def test_the_vertical_disc_rolls_on_a_circle_held_upright_by_a_couple():
    """P-Ex3.1: radius a |φ./θ.|, R = m a φ. θ. e_x' + m g e_z, couple (3/2) m a² φ. θ."""
    found, p = run("vertical_disc", 2.0), parameters("vertical_disc")
    roll, turn, theta = found["phi."], found["theta."], found["theta"]
    same(roll, np.full_like(roll, 5.0), 1e-8)
    same(turn, np.full_like(turn, 0.8), 1e-8)
    same(found["x."], p.a * roll * sin(theta), 1e-9)
    same(found["y."], -p.a * roll * cos(theta), 1e-9)
    e_x = np.stack([cos(theta), sin(theta), 0 * theta], axis=1)
    e_y = np.stack([-sin(theta), cos(theta), 0 * theta], axis=1)
    force = found.reaction("floor")[:, :3]
    centripetal = (p.m * p.a * roll * turn)[:, None] * e_x
    same(force, centripetal + np.array([0, 0, p.m * G]), 1e-8)
    foot = found.point("G") - [0, 0, p.a]
    couple = (found.reaction("upright", at=foot)[:, 3:] * e_y).sum(axis=1)
    same(np.abs(couple), 1.5 * p.m * p.a**2 * roll * turn, 1e-8)
    centre = found.point("G")[:, :2] + p.a * 5.0 / 0.8 * e_x[:, :2]
    same(np.ptp(centre, axis=0), np.zeros(2), 1e-8)


def test_an_unbalanced_rotor_shakes_its_bearings_by_its_products_of_inertia():
    """P-3.4, P-Pb3.2: R₂ = ω² (I_xz, I_yz)/l at the far bearing, R₁ = −m ω² (a, b) − R₂."""
    found, p = run("unbalanced_rotor"), parameters("unbalanced_rotor")
    products = np.array([-p.E - p.m * p.a * p.c, -p.D - p.m * p.b * p.c])  # at O
    far = p.omega**2 * products / p.l
    near = -p.m * p.omega**2 * np.array([p.a, p.b]) - far
    for joint, wanted in (("P2", far), ("P1", near)):
        force = found.reaction(joint, frame="joint")[:, :3]
        same(force, np.tile([*wanted, 0], (len(force), 1)), 1e-9)
    same(found["P1_wz"], np.full(len(found.t), p.omega), 1e-12)


def test_a_rotor_with_its_mass_on_its_axis_leaves_its_bearings_alone():
    """P-Pb3.2: balanced at rest (a = b = 0) and in motion (I_xz = I_yz = 0)."""
    made = model("unbalanced_rotor").with_parameters(a=0.0, b=0.0, D=0.0, E=0.0)
    found = ts.simulate(made, 0.05)
    for joint in ("P1", "P2"):
        same(found.reaction(joint), np.zeros((len(found.t), 6)), 1e-9)


def test_a_turning_propeller_of_three_blades_pitches_its_aircraft():
    """P-Pb3.3: −C ω ψ. = −3665.19 N m about x', −A ψ̈ = −25 N m about z, on the aircraft."""
    hub = -run("propeller").reaction("shaft")[0, 3:]
    assert hub[0] == pytest.approx(-3665.19, abs=0.005)
    assert hub[2] == pytest.approx(-25, rel=1e-9)


def test_a_propeller_of_two_blades_vibrates_at_twice_its_speed():
    """P-Pb3.3: Γ_X, Γ_Y, Γ_Z with A ≠ B, in the axes of the propeller."""
    p = parameters("propeller")
    A, B, C = 4.0, 30.0, 33.0
    found = ts.simulate(model("propeller").with_parameters(A=A, B=B, C=C), 0.06, rate=1000)
    phi, rate, more = p.omega * found.t, found["psi."], np.full(len(found.t), p.more)
    wanted = [
        A * more * sin(phi) + (A - B + C) * p.omega * rate * cos(phi),
        B * more * cos(phi) + (A - B - C) * p.omega * rate * sin(phi),
        (B - A) / 2 * rate**2 * sin(2 * phi),
    ]
    couple = ts.observe.motion(found).in_axes(found.reaction("shaft")[:, 3:], "ground", "propeller")
    same(couple, np.stack(wanted, axis=1), 1e-9)


# --- systems of one and two freedoms ------------------------------------------------------------


def test_the_single_cylinder_engine_has_the_equation_of_its_crank():
    """P-Ex4.1: (I_v + I_p u²) φ̈ + I_p u u' φ.² = (F + m_p g) a u + Γ."""
    found, p = states("single_cylinder_engine"), parameters("single_cylinder_engine")
    phi, rate = found["phi"], found["phi."]
    root = np.sqrt(p.b**2 - p.a**2 * sin(phi) ** 2)
    same(found["x"], p.a * cos(phi) + root, 1e-12)
    u = sin(phi) * (1 + p.a * cos(phi) / root)
    slope = cos(phi) + p.a * cos(2 * phi) / root + p.a**3 * (sin(phi) * cos(phi)) ** 2 / root**3
    same(found["x."], -p.a * u * rate, 1e-10)
    I_p = p.mp * p.a**2
    balanced(
        (p.Iv + I_p * u**2) * acceleration(found, "phi"),
        I_p * u * slope * rate**2,
        -(p.F + p.mp * p.g) * p.a * u,
        np.full(12, -p.Gamma),
    )


def test_gas_alone_does_not_start_an_engine_at_its_dead_point():
    """P-Ex4.1: u = 0 at φ = π: only Γ turns the crank there."""
    p = parameters("single_cylinder_engine")
    made = model("single_cylinder_engine")
    start = {"phi": np.pi, "x": p.b - p.a, "phi.": 0.0}
    found = ts.simulate(made.with_parameters(Gamma=0.0), 0.01, initial=start)
    same(acceleration(found, "phi"), np.zeros(len(found.t)), 1e-9)


@pytest.mark.parametrize("M", [1.0, 0.3])
def test_the_double_pendulum_of_point_masses_has_its_two_equations(M):
    """P-Ex4.2, φ and ψ from the vertical."""
    name = "double_pendulum_points"
    found, p = states(name, M=M), parameters(name)
    phi, psi = found["phi"], found["phi"] + found["turn"]
    rate, rate2 = found["phi."], found["phi."] + found["turn."]
    a = acceleration(found, "phi")
    b = a + acceleration(found, "turn")
    total, coupling = p.m + M, M * p.a * p.b
    balanced(
        total * p.a**2 * a,
        coupling * (cos(phi - psi) * b + sin(phi - psi) * rate2**2),
        total * G * p.a * sin(phi),
    )
    balanced(
        M * p.b**2 * b,
        coupling * (cos(phi - psi) * a - sin(phi - psi) * rate**2),
        M * G * p.b * sin(psi),
    )


def test_the_chaotic_double_pendulum_follows_its_reference_of_25_digits():
    """P-TPA: φ and ψ at 1, 2 and 5 s; at 5 s an error has grown a million times."""
    exact = {
        1: (-1.68641715258, -1.74894445849, 1e-9),
        2: (-0.00846501780, 1.69079196132, 1e-8),
        5: (2.0397088037, 6.6006405044, 1e-4),
    }
    found = run("double_pendulum_points", 5.0, 1.0, 1e-13)
    for second, (phi, psi, tolerance) in exact.items():
        assert found["phi"][second] == pytest.approx(phi, abs=tolerance)
        assert found["phi"][second] + found["turn"][second] == pytest.approx(psi, abs=tolerance)


def test_the_pendulum_of_the_sample_program_follows_the_elliptic_functions():
    """P-TPA: φ = 2 asin[k cd(ω₀ t, k)] at 1, 2, 4 and 8 s."""
    found = run("simple_pendulum", 8.0, 1.0, 1e-12)
    exact = {1: -2.44842264936, 2: -2.46749904069, 4: -2.42882679528, 8: -2.50414138042}
    for second, phi in exact.items():
        assert found["phi"][second] == pytest.approx(phi, abs=1e-8)


def test_two_bars_under_a_load_have_the_equation_of_the_buckled_column():
    """P-Ex4.3: m l² θ̈ = −4 C θ + 2 F l sin θ; straight is unstable above F_c = 2 C/l."""
    found, p = states("buckling_two_bars"), parameters("buckling_two_bars")
    theta, a = found["theta"], acceleration(found, "theta")
    balanced(p.m * p.l**2 * a, 4 * p.C * theta, -2 * p.F * p.l * sin(theta), rtol=1e-9)
    assert 2 * p.C / p.l < p.F


@pytest.mark.parametrize(("angles", "stiffness"), [((1, 0, -1), 1), ((1, -2, 1), 3)])
def test_three_bars_buckle_in_two_modes(angles, stiffness):
    """P-Ex4.4: stiffness (C − F l)/l² of (1, 1) and 3(3 C − F l)/l² of (1, −1)."""
    p = parameters("buckling_three_bars")
    small = 1e-4
    theta, phi, psi = small * np.array(angles)
    start = {"theta": theta, "bend1": phi - theta, "bend2": psi - phi}
    found = ts.simulate(model("buckling_three_bars"), 0.001, rate=1000, initial=start)
    wanted = -stiffness * (stiffness * p.C - p.F * p.l) / (p.m * p.l**2)
    ratio = acceleration(found, "theta")[0] / found["theta"][0]
    assert ratio == pytest.approx(wanted, rel=1e-6)  # the next term is of order small²


def test_three_bars_store_the_energy_of_springs_and_load():
    """P-Ex4.4: E_p = ½ C (φ − θ)² + ½ C (ψ − φ)² + F l (cos θ + cos φ + cos ψ)."""
    found, p = run("buckling_three_bars"), parameters("buckling_three_bars")
    theta = found["theta"]
    phi = theta + found["bend1"]
    psi = phi + found["bend2"]
    same(sin(theta) + sin(phi) + sin(psi), 0 * theta, 1e-10)
    stored = p.C / 2 * ((phi - theta) ** 2 + (psi - phi) ** 2)
    stored += p.F * p.l * (cos(theta) + cos(phi) + cos(psi))
    energy = found.energy["kinetic"] + stored
    same(energy, np.full_like(energy, energy[0]), 1e-8)


def test_the_ball_governor_in_an_imposed_rotation_has_its_equation_and_its_torque():
    """P-Ex4.5: α̈ with m l² Ω² sin α cos α; the drive gives 4 m l² Ω α. sin α cos α."""
    found, p = states("ball_governor", spread=0.2), parameters("ball_governor")
    alpha, rate = found["alpha1"], found["alpha1."]
    s, c = sin(alpha), cos(alpha)
    same(found["alpha2"], alpha, 1e-11)
    same(found["z"], 2 * p.a * c, 1e-11)
    sleeve, ball = 2 * p.ms * p.a**2, p.m * p.l**2
    balanced(
        (ball + sleeve * s**2) * acceleration(found, "alpha1"),
        sleeve * s * c * rate**2,
        -ball * p.Omega**2 * s * c,
        (p.m * p.l + p.ms * p.a) * G * s,
    )
    same(found.drive("drive"), 4 * ball * p.Omega * rate * s * c)


def test_the_ball_governor_keeps_its_painleve_integral():
    """P-Ex4.5: K₂ − K₀ + E_p, because Ω is constant."""
    found, p = run("ball_governor"), parameters("ball_governor")
    alpha, rate = found["alpha1"], found["alpha1."]
    ball = p.m * p.l**2
    integral = (ball + 2 * p.ms * p.a**2 * sin(alpha) ** 2) * rate**2
    integral -= ball * p.Omega**2 * sin(alpha) ** 2 + 2 * (p.m * p.l + p.ms * p.a) * G * cos(alpha)
    same(integral, np.full_like(integral, integral[0]), 1e-8)
    assert p.Omega > np.sqrt((p.m * p.l + p.ms * p.a) * G / ball)  # the balls rise


def test_the_rolling_half_disc_has_its_equation():
    """P-Ex4.6: (3/2 m a² − 2 m a b cos φ) φ̈ + m a b sin φ φ.² + m g b sin φ = 0."""
    found, p = states("half_disc"), parameters("half_disc")
    phi, b = found["phi"], 4 * p.a / (3 * np.pi)
    balanced(
        (1.5 * p.m * p.a**2 - 2 * p.m * p.a * b * cos(phi)) * acceleration(found, "phi"),
        p.m * p.a * b * sin(phi) * found["phi."] ** 2,
        p.m * G * b * sin(phi),
    )


def test_the_planetary_reducer_has_its_ratio_and_its_reflected_inertia():
    """P-Pb4.1: θ.₂ = a θ.₁/2(a + b), I = (π/8) ρ h a²(4 a² + 9 b²), I θ̈₁ = Γ₁ − a Γ₂/2(a + b)."""
    found, p = run("planetary_reducer"), parameters("planetary_reducer")
    ratio = p.a / (2 * (p.a + p.b))
    same(found["theta2"], ratio * found["theta1"], 1e-12)
    planet = ts.observe.motion(found).angular_velocity("planet2")[:, 0]
    same(planet, -p.a / (2 * p.b) * found["theta1."], 1e-11)
    inertia = np.pi / 8 * p.rho * p.h * p.a**2 * (4 * p.a**2 + 9 * p.b**2)
    turn = np.full(len(found.t), p.G1 - ratio * p.G2)
    same(inertia * acceleration(found, "theta1"), turn, 1e-11)
    steady = model("planetary_reducer").with_parameters(G2=2 * (1 + p.b / p.a) * p.G1)
    same(acceleration(ts.simulate(steady, 0.01, rate=100), "theta1"), np.zeros(2), 1e-9)


def test_the_dumbbell_satellite_has_the_equations_of_the_gravity_gradient():
    """P-Pb4.2: r̈, the momentum r² θ. + a²(θ. + ψ.), and θ̈ + ψ̈ + (3k/r³) sin ψ cos ψ = 0."""
    found, p = states("dumbbell_satellite", spread=0.1), parameters("dumbbell_satellite")
    r, psi, turn = found["r"], found["psi"], found["theta."]
    a_r, a_theta, a_psi = (acceleration(found, name) for name in ("r", "theta", "psi"))
    gradient = 3 * p.k * p.a**2 / (2 * r**4) * (3 * cos(psi) ** 2 - 1)
    balanced(a_r, -r * turn**2, p.k / r**2, gradient)
    balanced(a_theta + a_psi, 3 * p.k / r**3 * sin(psi) * cos(psi), rtol=1e-9)
    balanced(r**2 * a_theta, 2 * r * found["r."] * turn, p.a**2 * (a_theta + a_psi))


def test_the_spherical_pendulum_has_its_equations_and_the_force_of_its_rod():
    """P-Ex5.1: θ̈ = sin θ cos θ φ.² − (g/a) sin θ, R = −m[a(θ.² + sin² θ φ.²) + g cos θ] e_r."""
    found, p = states("spherical_pendulum"), parameters("spherical_pendulum")
    theta, rate, turn = found["theta"], found["theta."], found["phi."]
    s, c = sin(theta), cos(theta)
    balanced(acceleration(found, "theta"), -s * c * turn**2, p.g / p.a * s)
    balanced(s * acceleration(found, "phi"), 2 * c * rate * turn)
    pull = p.m * (p.a * (rate**2 + s**2 * turn**2) + p.g * c)
    same(found.reaction("O")[:, :3], -pull[:, None] * found.point("bob") / p.a)


def test_the_spherical_pendulum_keeps_its_momentum_about_the_vertical():
    """P-Ex5.1: p_φ = m a² sin² θ φ. forbids θ = 0."""
    found, p = run("spherical_pendulum", 2.0), parameters("spherical_pendulum")
    momentum = p.m * p.a**2 * sin(found["theta"]) ** 2 * found["phi."]
    same(momentum, np.full_like(momentum, momentum[0]), 1e-8)
    assert found["theta"].min() > 0.1
