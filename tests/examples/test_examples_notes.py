"""The examples of the 2009 lecture notes and of the numerical appendix, and their closed forms."""

import numpy as np
import pytest
from example_states import acceleration, balanced, mechanism, model, parameters, run, same, states
from numpy import cos, sin

import torseur as ts

G = 9.81


def test_rolling_a_cylinder_up_a_slope_takes_the_couple_of_the_notes():
    """G-Cyl: Γ = (C/R + m R) ẍ + R m g sin α, T = m ẍ + m g sin α, N = m g cos α (E2-3, E2-4)."""
    found, p = states("driven_cylinder"), parameters("driven_cylinder")
    a_x, a_theta = acceleration(found, "x"), acceleration(found, "theta")
    weight = p.m * p.g * sin(p.alpha)
    same((p.C / p.R + p.m * p.R) * a_x + p.R * weight, np.full(12, p.Gamma))
    same(p.R * a_theta, a_x)
    T, N, side = found.reaction("road")[:, :3].T
    same(T, p.m * a_x + weight)
    same(T, np.full(12, p.m * (p.C * p.g * sin(p.alpha) + p.Gamma * p.R) / (p.C + p.m * p.R**2)))
    same(N, np.full(12, p.m * p.g * cos(p.alpha)))
    same(side, np.zeros(12))
    balanced(p.C * a_theta, p.R * T, np.full(12, -p.Gamma))


def test_a_wheel_in_three_parameters_has_one_freedom():
    """G-Roll: contact y = R and x. − R θ. = 0 leave one of three."""
    found, p = run("wheel_three_parameters"), parameters("wheel_three_parameters")
    assert ts.mobility(mechanism("wheel_three_parameters")).degree == 1
    J = ts.derive(mechanism("wheel_three_parameters")).evaluate().J
    same(J, np.array([[0, 1, 0], [1, 0, -p.R]]), 1e-14)
    same(found["x"], p.R * found["theta"], 1e-12)
    same(found.multiplier("contact")[:, 0], np.full(len(found.t), p.m * G), 1e-12)


# --- pendulums ----------------------------------------------------------------------------------


def test_the_axis_of_a_compound_pendulum_carries_the_reactions_of_the_notes():
    """G-PenN: C θ̈ = −m g a sin θ, X₀₁ and Y₀₁; the product of inertia F changes nothing."""
    found, p = states("compound_pendulum"), parameters("compound_pendulum")
    theta, rate, a = found["theta"], found["theta."], acceleration(found, "theta")
    balanced(p.C * a, p.m * p.g * p.a * sin(theta))
    X, Y, Z = found.reaction("O")[:, :3].T
    same(X, -p.m * (p.a * (a * sin(theta) + rate**2 * cos(theta)) + p.g))
    same(Y, p.m * p.a * (a * cos(theta) - rate**2 * sin(theta)))
    same(Z, np.zeros(12))


def test_a_pendulum_in_three_parameters_finds_the_same_reactions_as_multipliers():
    """G-PenL: m ẍ = X₀ + m g, m ÿ = Y₀, I θ̈ = L(X₀ sin θ − Y₀ cos θ) (E2-5)."""
    name = "pendulum_three_parameters"
    found, p = states(name), parameters(name)
    theta = found["theta"]
    X, Y = found.multiplier("X0")[:, 0], found.multiplier("Y0")[:, 0]
    balanced(p.m * acceleration(found, "x"), -X, np.full(12, -p.m * p.g))
    balanced(p.m * acceleration(found, "y"), -Y)
    balanced(p.I * acceleration(found, "theta"), -p.L * X * sin(theta), p.L * Y * cos(theta))
    whole = (p.I + p.m * p.L**2) * acceleration(found, "theta")
    balanced(whole, p.m * p.g * p.L * sin(theta))


@pytest.mark.parametrize("A", [0.0, 0.03])
def test_the_cart_with_spring_damper_and_pendulum_has_its_two_equations(A):
    """G-TD4: the bob hangs; A is its inertia (E2-6)."""
    found, p = states("cart_pendulum", spread=0.1, A=A), parameters("cart_pendulum")
    theta, rate = found["theta"], found["theta."]
    a_x, a_theta = acceleration(found, "x"), acceleration(found, "theta")
    swing = p.m2 * p.l * (a_theta * cos(theta) - rate**2 * sin(theta))
    balanced((p.m1 + p.m2) * a_x, swing, p.b * found["x."], p.k * found["x"])
    turn = (p.m2 * p.l**2 + A) * a_theta
    balanced(turn, p.m2 * p.l * a_x * cos(theta), p.m2 * G * p.l * sin(theta))


def test_a_mass_on_a_rotating_arm_feels_coriolis_twice():
    """G-Ex0: 2 m (a + λ) λ. θ. and a spring that pulls back (E2-7, E2-8)."""
    found, p = states("rotating_arm", spread=0.03), parameters("rotating_arm")
    out, rate, turn = p.a + found["lam"], found["lam."], found["theta."]
    inertia = p.C1 + p.B2 + p.m * out**2
    a_theta, a_lam = acceleration(found, "theta"), acceleration(found, "lam")
    balanced(inertia * a_theta, 2 * p.m * out * rate * turn, np.full(12, -p.Cm))
    balanced(p.m * a_lam, -p.m * out * turn**2, p.k * (found["lam"] - p.l0))


def test_the_rotating_arm_keeps_its_momentum_without_a_motor():
    """G-Ex0: [C₁ + B₂ + m (a + λ)²] θ. is a first integral if C_m = 0."""
    p = parameters("rotating_arm")
    found = ts.simulate(model("rotating_arm").with_parameters(Cm=0.0), 0.5, rtol=1e-11)
    momentum = (p.C1 + p.B2 + p.m * (p.a + found["lam"]) ** 2) * found["theta."]
    same(momentum / momentum[0], np.ones_like(momentum), 1e-9)


def test_the_vibration_absorber_has_its_two_equations_and_its_two_to_one_resonance():
    """G-Abs: ω_λ = 2 ω_θ within some percent at the values of the example."""
    found, p = states("vibration_absorber", spread=0.05), parameters("vibration_absorber")
    theta, out = found["theta"], p.a + found["lam"]
    turn, rate = found["theta."], found["lam."]
    a_theta, a_lam = acceleration(found, "theta"), acceleration(found, "lam")
    weight = (p.m1 * p.l1 + p.m2 * out) * p.g * sin(theta)
    inertia = p.C1 + p.C2 + p.m2 * out**2
    balanced(inertia * a_theta, 2 * p.m2 * out * rate * turn, weight)
    spring = p.k * (found["lam"] - p.l0)
    balanced(p.m2 * a_lam, -p.m2 * out * turn**2, -p.m2 * p.g * cos(theta), spring)
    rest = p.a + p.l0 + p.m2 * p.g / p.k
    swing = (p.m1 * p.l1 + p.m2 * rest) * p.g / (p.C1 + p.C2 + p.m2 * rest**2)
    assert np.sqrt(p.k / p.m2) == pytest.approx(2 * np.sqrt(swing), rel=0.05)


# --- the motorcycle -----------------------------------------------------------------------------


def ridden(**changed):
    """Random states of the motorcycle with its parameters, the chain couple and accelerations."""
    found, p = states("motorcycle", **changed), parameters("motorcycle")
    p.__dict__.update(changed)
    couple = -p.Gamma + p.kp * found["psi"] + p.kd * found["psi."]
    return found, p, couple, acceleration(found, "X"), acceleration(found, "psi")


def test_the_motorcycle_on_one_wheel_has_the_equations_of_the_exam():
    """G-Moto: m_t Ẍ − s ψ̈ − k ψ.² = −C_m/R; C ψ̈ − s Ẍ + g k = −C_m."""
    found, p, couple, a_x, a_psi = ridden()
    psi, rate = found["psi"], found["psi."]
    wheelbase = p.a + p.b
    s = p.M * (p.a * sin(psi) + p.c * cos(psi)) + p.m3 * wheelbase * sin(psi)
    k = p.M * (p.a * cos(psi) - p.c * sin(psi)) + p.m3 * wheelbase * cos(psi)
    total = p.M + p.m2 + p.m3 + p.C2 / p.R**2
    balanced(total * a_x, -s * a_psi, -k * rate**2, couple / p.R)
    inertia = p.C1 + p.M * (p.a**2 + p.c**2) + p.m3 * wheelbase**2
    balanced(inertia * a_psi, -s * a_x, p.g * k, couple)


def test_the_front_wheel_spins_freely_and_its_axle_carries_X13_and_Y13():
    """G-Moto, on S3: C₃ Φ̈₃ = 0 with Φ₃ in the ground."""
    found, p, _, a_x, a_psi = ridden()
    psi, rate, wheelbase = found["psi"], found["psi."], p.a + p.b
    same(acceleration(found, "phi3") + a_psi, np.zeros(12), 1e-9)
    X, Y, _ = found.reaction("B")[:, :3].T
    same(X, p.m3 * (a_x - wheelbase * (a_psi * sin(psi) + rate**2 * cos(psi))))
    same(Y, p.m3 * (p.g + wheelbase * (a_psi * cos(psi) - rate**2 * sin(psi))))


def test_the_road_pushes_the_rear_wheel_by_T_and_N():
    """G-Moto, on S2: T = −C_m/R − C₂ Ẍ/R², N from the whole; X. + R Φ.₂ = 0."""
    found, p, couple, a_x, a_psi = ridden()
    psi, rate, wheelbase = found["psi"], found["psi."], p.a + p.b
    T, N, _ = found.reaction("road")[:, :3].T
    same(T, -couple / p.R - p.C2 * a_x / p.R**2)
    lifted = a_psi * (p.a * cos(psi) - p.c * sin(psi)) - rate**2 * (p.a * sin(psi) + p.c * cos(psi))
    front = p.m3 * wheelbase * (a_psi * cos(psi) - rate**2 * sin(psi))
    same(N, (p.M + p.m2 + p.m3) * p.g + p.M * lifted + front)
    same(found["X."], -p.R * (found["phi2."] + found["psi."]), 1e-12)


def test_the_front_wheel_lifts_at_the_threshold_of_the_exam():
    """G-Moto: Ẍ* = g [M a + m₃(a + b)]/(R m_t + M c), Γ* = R m_t Ẍ*; it needs f ≥ Ẍ*/g."""
    p = parameters("motorcycle")
    mass, total = p.M + p.m2 + p.m3, p.M + p.m2 + p.m3 + p.C2 / p.R**2
    a_star = p.g * (p.M * p.a + p.m3 * (p.a + p.b)) / (p.R * total + p.M * p.c)
    threshold = p.R * total * a_star
    assert threshold < p.Gamma < 1.1 * threshold  # the example lifts its wheel, not by much
    still = ts.simulate(model("motorcycle").with_parameters(Gamma=threshold), 0.01, rate=100)
    assert acceleration(still, "psi")[0] == pytest.approx(0, abs=1e-10)
    assert acceleration(still, "X")[0] == pytest.approx(a_star, rel=1e-12)
    np.testing.assert_allclose(still.reaction("road")[0, :2], [mass * a_star, mass * p.g])


# --- the governor -------------------------------------------------------------------------------

GOVERNORS = ["speed_governor", "speed_governor_relation"]


@pytest.mark.parametrize("name", GOVERNORS)
def test_the_governor_has_its_two_equations_whichever_way_its_contact_is_written(name):
    """G-TD2 without friction, one fly-weight: λ = c sin(θ + β)."""
    found, p = states(name, spread=0.2), parameters(name)
    beta, rate, turn = found["beta"], found["beta."], found["alpha."]
    a_alpha, a_beta = acceleration(found, "alpha"), acceleration(found, "beta")
    s, c = sin(p.theta + beta), cos(p.theta + beta)
    same(found["lam"], p.c * s, 1e-12)
    out = p.a + p.b * cos(beta)
    about = p.A1 + p.A2 + p.A3 + p.M * out**2
    balanced(about * a_alpha, -2 * p.M * out * p.b * sin(beta) * rate * turn, np.full(12, -p.Cm))
    balanced(
        (p.A2 + p.M * p.b**2 + p.m3 * p.c**2 * c**2) * a_beta,
        -p.m3 * p.c**2 * s * c * rate**2,
        p.M * p.b * out * sin(beta) * turn**2,
        p.k * p.c * c * (p.c * s - p.lam0),
    )


def test_the_point_contact_of_the_governor_pushes_along_its_normal_by_the_multiplier():
    """G-TD2: N = m₃ λ̈ + k(λ − λ₀), as a reaction and as the multiplier of the relation."""
    p = parameters("speed_governor")
    found = states("speed_governor", spread=0.2)
    wanted = p.m3 * acceleration(found, "lam") + p.k * (found["lam"] - p.lam0)
    along = ts.observe.motion(found).frame("pusher").R[0][:, :, 0]
    same(found.reaction("I")[:, :3], wanted[:, None] * along, 1e-9)
    found = states("speed_governor_relation", spread=0.2)
    wanted = p.m3 * acceleration(found, "lam") + p.k * (found["lam"] - p.lam0)
    same(found.multiplier("I")[:, 0], wanted, 1e-9)


def test_the_governor_has_two_freedoms_by_the_joint_and_by_the_relation():
    """G-TD2: mobility 3 − 1 = 2."""
    assert [ts.mobility(mechanism(name)).degree for name in GOVERNORS] == [2, 2]


# --- the numerical appendix ---------------------------------------------------------------------


def test_the_heavy_top_obeys_the_equations_of_the_appendix():
    """N-Top: three equations in precession φ, nutation θ and spin ψ (E3-1: not the other way)."""
    found, p = states("heavy_top"), parameters("heavy_top")
    theta = found["theta"]
    phi1, theta1, psi1 = found["phi."], found["theta."], found["psi."]
    phi2, theta2, psi2 = (acceleration(found, name) for name in ("phi", "theta", "psi"))
    s, c = sin(theta), cos(theta)
    balanced(
        p.Ip * theta2,
        -(p.Ip - p.Ie) * phi1**2 * s * c,
        p.Ie * phi1 * psi1 * s,
        -p.m * G * p.l * s,
    )
    balanced(p.Ip * phi2 * s, (2 * p.Ip - p.Ie) * phi1 * theta1 * c, -p.Ie * theta1 * psi1)
    balanced(psi2, phi2 * c, -phi1 * theta1 * s)


def test_the_fast_top_nods_and_precesses_as_its_first_integrals_say():
    """N-Top: nutation 0.0049683028 rad and mean precession 0.98519073 rad/s by quadrature."""
    found, p = run("heavy_top", 0.5, 2000.0), parameters("heavy_top")
    theta, s, c = found["theta"], sin(found["theta"]), cos(found["theta"])
    spin = p.Ie * (found["psi."] + found["phi."] * c)
    same(spin, np.full_like(spin, spin[0]), 1e-12)
    about = p.Ip * found["phi."] * s**2 + spin * c
    same(about, np.full_like(about, about[0]), 1e-12)
    assert np.ptp(theta) == pytest.approx(0.0049683028, rel=2e-4)
    turns = np.flatnonzero((found["theta."][:-1] < 0) & (found["theta."][1:] >= 0))
    cusps = [interpolated(found, k) for k in (turns[0], turns[-1])]
    mean = (cusps[1][1] - cusps[0][1]) / (cusps[1][0] - cusps[0][0])
    assert mean == pytest.approx(0.98519073, rel=1e-5)


def interpolated(found, k):
    """The instant after sample k at which θ. vanishes, and φ there."""
    before, after = found["theta."][k : k + 2]
    part = before / (before - after)
    return found.t[k] + part * (found.t[1] - found.t[0]), found["phi"][k]


def test_the_slider_crank_reduced_to_its_crank_has_the_equation_of_the_appendix():
    """N-SC1: I_eq α̈ + ½ I_eq′ α.² + F_r l₁ g = C_m."""
    found, p = states("slider_crank", spread=0.8), parameters("slider_crank")
    alpha, rate = found["alpha"], found["alpha."]
    root = np.sqrt(p.l2**2 - p.l1**2 * sin(alpha) ** 2)
    f = -p.l1 * cos(alpha) / root
    g = f * sin(alpha) - sin(alpha)
    same(found["x."], p.l1 * g * rate, 1e-9)
    same(found["alpha."] + found["beta."], f * rate, 1e-9)
    f1 = p.l1 * sin(alpha) / root - p.l1**3 * sin(alpha) * cos(alpha) ** 2 / root**3
    g1 = f1 * sin(alpha) + f * cos(alpha) - cos(alpha)
    I_B, m = p.m2 * p.l2**2 / 3, p.m2 + p.m3
    square = p.l1**2
    inertia = p.I1 + I_B * f**2 - p.m2 * square * f * g * sin(alpha) + m * square * g**2
    slope = 2 * I_B * f * f1 + 2 * m * square * g * g1
    slope -= p.m2 * square * ((f1 * g + f * g1) * sin(alpha) + f * g * cos(alpha))
    balanced(
        inertia * acceleration(found, "alpha"),
        slope * rate**2 / 2,
        p.Fr * p.l1 * g,
        np.full(12, -p.Cm),
        rtol=1e-9,
    )


def test_the_slider_crank_with_two_multipliers_has_the_equations_of_the_appendix():
    """N-SC2: the multipliers are the force in the crank pin, and the motion is that of N-SC1."""
    name = "slider_crank_multipliers"
    found, p = states(name, spread=0.5), parameters(name)
    alpha, beta, rate = found["alpha"], found["beta"], found["beta."]
    a, b, x = (acceleration(found, name) for name in ("alpha", "beta", "lam"))
    mu1, mu2 = found.multiplier("mu1")[:, 0], found.multiplier("mu2")[:, 0]
    I_B, half = p.m2 * p.l2**2 / 3, p.m2 * p.l2 / 2
    balanced(
        p.I1 * a, np.full(12, -p.Cm), -mu1 * p.l1 * sin(alpha), -mu2 * p.l1 * cos(alpha), rtol=1e-9
    )
    balanced(
        I_B * b, half * x * sin(beta), -mu1 * p.l2 * sin(beta), -mu2 * p.l2 * cos(beta), rtol=1e-9
    )
    inertia = (p.m2 + p.m3) * x + half * (b * sin(beta) + rate**2 * cos(beta))
    balanced(inertia, np.full(12, p.Fr), -mu1, rtol=1e-9)


def test_both_descriptions_of_the_slider_crank_move_alike():
    """N-SC1 and N-SC2 from the dead point at which the appendix starts (E3-3: λ = l₁ + l₂)."""
    joints, relations = run("slider_crank"), run("slider_crank_multipliers")
    same(joints["alpha"], relations["alpha"], 1e-8)
    same(joints["x"], relations["lam"], 1e-8)
    assert joints["alpha"][-1] > 6  # beyond a full turn
    pin = relations.lambdas
    same(np.abs(joints.reaction("A")[:, :2]), np.abs(pin), 1e-7)
