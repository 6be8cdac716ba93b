"""Examples with contacts, stops and dry friction: their closed forms, instants and forces."""

from functools import cache
from math import acosh, atan, cos, exp, log, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from example_states import balanced, model, parameters, same

import torseur as ts
from torseur.errors import SolveError

G = 9.81


@cache
def moved(name, duration, rate=100.0, **given):
    """A run of an example to the last digits, with other parameters."""
    return ts.simulate(model(name), duration, rate=rate, rtol=1e-12, parameters=given or None)


def close(wanted, rtol=1e-9):
    return pytest.approx(wanted, rel=rtol, abs=rtol)


def instants(found, cause, name=None):
    """When an event of a cause happened, to one element or to any."""
    return [x.t for x in found.events if x.cause == cause and name in (None, x.name)]


def states_after(found, cause):
    """The states that follow the events of a cause, by the names of coordinates and speeds."""
    names = (*found.model.coordinates, *found.model.speeds)
    return [dict(zip(names, x.state, strict=False)) for x in found.events if x.cause == cause]


def lost(found):
    """What the mechanical energy has lost at the end [J]."""
    total = found.energy["kinetic"] + found.energy["potential"]
    return total[0] - total[-1]


# --- sticking and sliding -----------------------------------------------------------------------


def test_a_box_below_the_angle_of_friction_does_not_move_by_a_single_bit():
    found, p = moved("box_on_slope", 1.0), parameters("box_on_slope")
    assert tan(p.alpha) < p.mu
    assert (found.q == found.q[0]).all() and (found.v == 0).all()
    assert found.events == ()
    feet = [found.contact(name) for name in ("low", "high")]
    assert {*feet[0].state, *feet[1].state} == {"stick"}
    weight = p.m * G
    same(sum(foot.normal for foot in feet), np.full(101, weight * cos(p.alpha)), 1e-12)
    same(sum(foot.tangential[:, 1] for foot in feet), np.full(101, weight * sin(p.alpha)), 1e-12)
    higher = p.h / p.w * tan(p.alpha)  # the weight acts lower on the slope, by h/2 tan α
    assert feet[0].normal[0] == close(weight * cos(p.alpha) * (1 + higher) / 2)


def test_a_box_above_the_angle_of_friction_slides():
    found = moved("box_on_slope", 0.5, alpha=radians(30), mu=0.3)
    sliding = -G * (sin(radians(30)) - 0.3 * cos(radians(30)))
    assert sliding == pytest.approx(-2.356287, abs=5e-7)
    same(found["x"], sliding * found.t**2 / 2, 1e-12)
    same(found["x."], sliding * found.t, 1e-12)
    same(found.contact("low").adherence, np.full(51, 0.3), 1e-12)


def test_a_block_stops_where_its_kinetic_energy_is_spent_and_stays():
    found, p = moved("stopping_block", 2.0), parameters("stopping_block")
    assert instants(found, "end of sliding") == close([p.v0 / (p.mu * G)])
    assert found.end["x"] == close(p.v0**2 / (2 * p.mu * G))
    assert found.end["x."] == 0
    assert found.contact("rail: friction").work[-1] == close(-p.m * p.v0**2 / 2)
    assert lost(found) == close(p.m * p.v0**2 / 2)


def test_a_ball_rolls_at_five_sevenths_of_its_speed():
    found, p = moved("ball_sliding_to_rolling", 2.0), parameters("ball_sliding_to_rolling")
    (t,) = instants(found, "end of sliding")
    (state,) = states_after(found, "end of sliding")
    assert t == close(1.019367991845056)
    assert state["place_x"] == close(6.116207951070336)
    assert state["place_x."] == close(5.0)
    assert found.end["place_wy"] == close(5.0 / p.R)
    assert found.contact("floor").work[-1] == close(-p.m * p.v0**2 / 7)


@pytest.mark.parametrize("spin", [-40.0, 30.0, 120.0])
def test_a_ball_thrown_with_spin_rolls_at_what_both_give(spin):
    """v = (5 v₀ + 2 R ω₀)/7: the moment about the floor's point is kept."""
    p = parameters("ball_sliding_to_rolling")
    found = ts.simulate(
        model("ball_sliding_to_rolling"), 3.0, initial={"place_wy": spin}, rtol=1e-12
    )
    assert found.contact("floor").state[-1] == "stick"
    assert found.end["place_x."] == close((5 * p.v0 + 2 * p.R * spin) / 7)


def test_the_sliding_cylinder_rolls_from_a_definite_instant():
    found, p = moved("cylinder_sliding", 0.5), parameters("cylinder_sliding")
    assert abs(tan(p.alpha)) < 3 * p.f
    (t,) = instants(found, "end of sliding")
    (state,) = states_after(found, "end of sliding")
    assert t == pytest.approx(0.171647833, abs=5e-10)
    assert t == close(2 / (G * (sin(p.alpha) + 3 * p.f * cos(p.alpha))))
    assert state["x."] == pytest.approx(0.949389446, abs=5e-10)
    after = found.t > t
    same(found["x.."][after], np.full(after.sum(), -2.236811737), 5e-10)
    same(found.contact("road").force[after][:, 1], p.m * G * sin(p.alpha) / 3, 1e-11)
    same(found.contact("road").adherence[~after], np.full((~after).sum(), p.f), 1e-12)


def test_the_cylinder_goes_on_sliding_on_a_steep_slope():
    """Where tan α > 3 f sliding does not end for good: v̇ = −g sin α − 3 f g cos α sign v."""
    found = moved("cylinder_sliding", 1.0, alpha=radians(50))
    assert [x.effect for x in found.events] == ["slip"]
    steep, f = radians(50), parameters("cylinder_sliding").f
    slip = found["x."] + 0.15 * found["theta."]
    (t,) = instants(found, "end of sliding")
    rate = -G * sin(steep) + 3 * f * G * cos(steep)
    same(slip[found.t > t], rate * (found.t[found.t > t] - t), 1e-10)


def test_the_oscillator_comes_to_rest_beside_the_place_where_its_spring_does():
    found = moved("coulomb_oscillator", 30.0)
    stops = instants(found, "end of sliding")
    assert found.end["x"] == close(15 - sqrt(205)) == close(0.6821789367)
    assert stops[-1] == close(np.arctan2(6, 13) + 7 * pi) == close(22.4235563507)
    assert found.end["x."] == 0
    same(np.diff(stops), np.full(7, pi), 1e-9)
    assert [x.effect for x in found.events] == ["slip"] * 7 + ["stick"]


def test_the_belt_makes_the_block_stick_and_slip_with_its_period():
    found, p = moved("stick_slip", 50.0, 50.0), parameters("stick_slip")
    torn, caught = instants(found, "limit of friction"), instants(found, "end of sliding")
    w, drop = sqrt(p.k / p.m), (p.Fs - p.Fk) / p.k
    sliding = 2 / w * (pi - atan(drop * w / p.vb))
    same(np.subtract(caught, torn[: len(caught)]), np.full(len(caught), 3.5363837732895544), 1e-10)
    same(np.diff(torn), np.full(len(torn) - 1, 13.536383773289554), 1e-10)
    assert sliding + 2 * drop / p.vb == close(13.536383773289554)
    x = found["s"] + found["u"]
    during = found.at(np.linspace(torn[0], caught[0], 4001))
    assert (during["s"] + during["u"]).max() == pytest.approx(1.0099019513592786, abs=1e-6)
    assert found.at(caught[0])["s"] + found.at(caught[0])["u"] == close(2 * p.Fk / p.k - p.Fs / p.k)
    radius = np.hypot(x - p.Fk / p.k, (found["s."] + found["u."]) / w)
    slides = found.contact("guide: friction").state == "slip"
    same(radius[slides], np.full(slides.sum(), 0.5099019513592785), 1e-9)


# --- shocks and stops ---------------------------------------------------------------------------


def test_a_ball_bounces_at_its_instants_and_rests_after_infinitely_many():
    found, p = moved("bouncing_ball", 9.0), parameters("bouncing_ball")
    shocks = instants(found, "shock")
    wanted = [0.451523641, 1.264266195, 1.995734493, 2.654055962, 3.246545283]
    assert shocks[:5] == pytest.approx(wanted, abs=5e-10)
    first = sqrt(2 * p.h0 / G)
    gaps = 2 * first * p.e ** np.arange(1, 60)
    same(np.diff(shocks)[:59], gaps, 1e-11)
    closed = [x.t for x in found.events if x.effect == "slip"]
    over = first * (1 + p.e) / (1 - p.e)
    assert over == pytest.approx(8.578949179, abs=5e-10)
    assert closed == close([over])
    resting = found.t > 8.579
    assert (found["y"][resting] == p.r).all() and (found["y."][resting] == 0).all()
    same(found.contact("floor").normal[resting], np.full(resting.sum(), p.m * G), 1e-12)
    assert lost(found) == close(p.m * G * p.h0)


def test_a_ball_is_where_it_should_be_just_before_it_rests():
    found, p = moved("bouncing_ball", 9.0), parameters("bouncing_ball")
    late = found(8.5)
    assert sum(t < 8.5 for t in instants(found, "shock")) == 44
    assert late["y"] - p.r == pytest.approx(5.565551009e-6, rel=1e-7)
    assert late["y."] == pytest.approx(-0.0416651958, abs=5e-11)


def test_each_shock_takes_its_share_of_the_impulse():
    """P = m (1 + e) v, and what is lost is (1 − e²) of the kinetic energy."""
    found, p = moved("bouncing_ball", 9.0), parameters("bouncing_ball")
    impulses = [x.impulse for x in found.events if x.cause == "shock"][:20]
    speeds = sqrt(2 * G * p.h0) * p.e ** np.arange(20)
    same(np.array(impulses), p.m * (1 + p.e) * speeds, 1e-11)


def test_a_rocking_block_keeps_85_hundredths_of_its_speed_at_each_impact():
    """ω⁺/ω⁻ = 1 − 3/2 sin² α (Housner 1963); between impacts its energy is kept."""
    found, p = moved("rocking_block", 1.5), parameters("rocking_block")
    speeds = np.array([abs(x["theta."]) for x in states_after(found, "shock")])
    alpha, R = atan(p.b / p.h), np.hypot(p.b, p.h)
    ratio = 1 - 1.5 * sin(alpha) ** 2
    assert (alpha, ratio) == close((0.3217505544, 0.85))
    fallen = R * (cos(alpha - p.tilt) - cos(alpha))
    assert speeds[0] == close(ratio * sqrt(2 * G * fallen / (4 * R**2 / 3)))
    same(speeds[1:] / speeds[:-1], np.full(len(speeds) - 1, 0.85), 1e-9)
    assert not {*found.contact("left").state, *found.contact("right").state} & {"slip"}


def test_a_slender_block_rocks_with_the_period_of_its_linearised_equation():
    """(4/p) acosh 2 for a start at half the angle, without what impacts take; p² = 3 g/4 R."""
    p = parameters("rocking_block")
    rate = sqrt(3 * G / (4 * np.hypot(p.b, p.h)))
    assert rate == close(4.8235316817)
    assert 4 / rate * acosh(2) == pytest.approx(1.0921109, abs=5e-8)
    slender = moved("rocking_block", 0.5, b=0.01, tilt=atan(0.01 / 0.3) / 2)
    quarter = acosh(2) / sqrt(3 * G / (4 * np.hypot(0.01, 0.3)))
    assert instants(slender, "shock")[0] == pytest.approx(quarter, rel=1e-4)


def test_a_pendulum_rebounds_from_its_stops_and_ends_on_the_lower_one():
    found, p = moved("pendulum_between_stops", 6.0), parameters("pendulum_between_stops")
    shocks = [x for x in found.events if x.cause == "shock"]
    assert [x.name for x in shocks[:3]] == ["theta: upper stop", *["theta: lower stop"] * 2]
    up, down, again = (x["theta."] for x in states_after(found, "shock")[:3])
    risen = sqrt(p.w0**2 - 2 * G / p.l * (cos(p.start) - cos(p.high)))
    assert up == close(-p.e * risen)
    fallen = sqrt(up**2 + 2 * G / p.l * (cos(p.low) - cos(p.high)))
    assert (down, again) == close((p.e * fallen, p.e**2 * fallen))
    assert shocks[0].impulse == close(p.m * p.l**2 * (1 + p.e) * risen)
    assert (found.end["theta"], found.end["theta."]) == (p.low, 0)
    stop = found.contact("theta: lower stop")
    assert stop.normal[-1] == close(p.m * G * p.l * sin(p.low))
    works = stop.work[-1] + found.contact("theta: upper stop").work[-1]
    assert works == close(-lost(found))


# --- machines -----------------------------------------------------------------------------------


def thread(p):
    """tan β of the helix, μ/cos φ, and the couple that just lifts: that of a wedge."""
    helix, mu = p.p / (2 * pi * p.r), p.mu / cos(p.phi)
    return helix, mu, p.r * p.M * G * (helix + mu) / (1 - mu * helix)


def test_the_jack_holds_itself_and_its_friction_carries_what_the_load_would_turn():
    found, p = moved("screw_jack", 1.0), parameters("screw_jack")
    helix, mu, _ = thread(p)
    assert helix < mu
    assert (found.q == 0).all() and (found.v == 0).all()
    rubs = found.contact("thread: friction")
    assert set(rubs.state) == {"stick"}
    same(rubs.tangential[:, 0], np.full(101, p.M * G * p.p / (2 * pi)), 1e-12)


def test_the_jack_lifts_from_the_couple_of_a_wedge_on():
    *_, least = thread(parameters("screw_jack"))
    held, lifted = (moved("screw_jack", 0.2, C=share * least) for share in (0.9999, 1.0001))
    assert (held["theta"] == 0).all()
    assert lifted.end["theta"] > 0
    assert set(lifted.contact("thread: friction").state) == {"slip"}


@pytest.mark.parametrize(("m1", "m2"), [(2.5, 1.0), (1.0, 2.5)])
def test_the_rope_holds_within_euler_s_ratio(m1, m2):
    found = moved("capstan", 5.0, m1=m1, m2=m2)
    assert exp(0.3 * pi) > 2.5
    assert (found["x1"] == 1).all()


@pytest.mark.parametrize(("m1", "m2"), [(2.6, 1.0), (1.0, 2.6)])
def test_the_rope_slips_beyond_euler_s_ratio(m1, m2):
    found, ratio = moved("capstan", 0.2, m1=m1, m2=m2), exp(0.3 * pi)
    rope = found.contact("rope")
    tension = rope.normal - rope.tangential[:, 0], rope.normal
    same(max(tension, key=np.sum) / min(tension, key=np.sum), np.full(len(found.t), ratio), 1e-12)
    wanted = G * (2.6 - ratio) / (2.6 + ratio)
    assert found["x1.." if m1 > m2 else "x2.."][-1] == close(wanted)


def test_the_shoe_presses_itself_on_and_stops_the_drum():
    p = parameters("shoe_brake")
    found = moved("shoe_brake", 3.0)
    N = p.F * p.a / (p.b - p.mu * p.c)
    same(found.contact("shoe").normal, np.full(len(found.t), N), 1e-12)
    (stop,) = found.events
    assert stop.t == close(p.J * p.omega / (p.mu * N * p.r))
    assert found.end["theta."] == 0


def test_the_shoe_jams_beyond_its_coefficient():
    p = parameters("shoe_brake")
    assert moved("shoe_brake", 0.1, mu=0.99 * p.b / p.c)
    with pytest.raises(SolveError, match="shoe"):
        moved("shoe_brake", 0.1, mu=1.01 * p.b / p.c)


def test_the_jack_sinks_where_its_thread_is_too_slippery():
    """J θ̈ = −k F + μ n r/(cos β cos φ): F lifts, n = F cos β − J θ̈ sin β/r presses the flanks."""
    p = parameters("screw_jack")
    found = moved("screw_jack", 0.2, mu=0.05)
    k, mu = p.p / (2 * pi), 0.05 / cos(p.phi)
    helix, w = k / p.r, found["theta.."][-1]
    lift = p.M * (G + k * w)  # of the nut on the screw
    n = (lift - p.J * w / p.r * helix) / sqrt(1 + helix**2)
    assert w < 0
    assert p.J * w == close(-k * lift + mu * n * p.r * sqrt(1 + helix**2))


def threshold(p):
    """G-Moto: Ẍ* and Γ* at which the front wheel presses no more."""
    total = p.M + p.m2 + p.m3 + p.C2 / p.R**2
    most = G * (p.M * p.a + p.m3 * (p.a + p.b)) / (p.R * total + p.M * p.c)
    return most, p.R * total * most


def test_the_front_wheel_lifts_at_the_threshold_of_the_exam():
    found, p = moved("wheelie", 1.5), parameters("wheelie")
    most, couple = threshold(p)
    (t,) = instants(found, "lift-off", "front")
    assert t == close(-p.tau * log(1 - couple / p.Gamma))
    there = found.at(t)
    weight = p.M + p.m2 + p.m3
    assert there["X.."][0] == close(most)
    assert there.contact("rear").normal[0] == close(weight * G)
    assert there.contact("rear").tangential[0, 0] == close(weight * most)
    assert there.contact("rear").adherence[0] == close(most / G)
    same(found["psi"][found.t < t], np.zeros((found.t < t).sum()), 1e-13)
    assert found["psi"][-1] > 0.1


def test_the_rear_wheel_of_the_motorcycle_does_not_slip():
    """|T| ≤ f N all along, and no more than just enough would do: Ẍ*/g."""
    found, p = moved("wheelie", 1.5), parameters("wheelie")
    rear = found.contact("rear")
    assert set(rear.state) == {"stick"}
    assert rear.adherence.max() < p.f
    most, _ = threshold(p)
    spins = moved("wheelie", 0.5, f=0.95 * most / G)
    assert "slip" in spins.contact("rear").state
    assert not instants(spins, "lift-off", "front")


def test_on_its_rear_wheel_the_motorcycle_has_the_equations_of_the_exam():
    found, p = moved("wheelie", 1.5), parameters("wheelie")
    ride = found.at(found.t[found.t > instants(found, "lift-off")[0]])
    psi, w, X, turn = ride["psi"], ride["psi."], ride["X.."], ride["psi.."]
    Cm = -p.Gamma * (1 - np.exp(-ride.t / p.tau)) + p.kp * psi + p.kd * w
    s = p.M * (p.a * np.sin(psi) + p.c * np.cos(psi)) + p.m3 * (p.a + p.b) * np.sin(psi)
    k = p.M * (p.a * np.cos(psi) - p.c * np.sin(psi)) + p.m3 * (p.a + p.b) * np.cos(psi)
    total, B = p.M + p.m2 + p.m3, p.C1 + p.M * (p.a**2 + p.c**2) + p.m3 * (p.a + p.b) ** 2
    balanced((total + p.C2 / p.R**2) * X, -s * turn, -k * w**2, Cm / p.R)
    balanced(B * turn, -s * X, G * k, Cm)
    rear = ride.contact("rear")
    same(rear.tangential[:, 0], -Cm / p.R - p.C2 * X / p.R**2)
    same(rear.normal, total * G + k * turn - s * w**2)


def governor(found):
    """The terms of the equation of β without friction, and the normal force."""
    p = parameters("governor_with_friction")
    beta, w, turn, spin = found["beta"], found["beta."], found["beta.."], found["alpha."]
    s, c = np.sin(p.theta + beta), np.cos(p.theta + beta)
    inertia = (p.A2 + p.M * p.b**2 + p.m3 * p.c**2 * c**2) * turn
    fast = -p.m3 * p.c**2 * s * c * w**2
    thrown = p.M * p.b * (p.a + p.b * np.cos(beta)) * np.sin(beta) * spin**2
    sprung = p.k * p.c * c * (p.c * s - p.lam0)
    return (inertia, fast, thrown, sprung), p.m3 * found["lam.."] + p.k * (found["lam"] - p.lam0)


def test_the_contact_of_the_governor_rubs_by_f_times_its_normal_force():
    """Q_β = −f N c |sin(θ + β)| sign β̇ (G-TD2)."""
    found, p = moved("governor_with_friction", 0.17, 500.0), parameters("governor_with_friction")
    assert set(found.contact("I").state) == {"slip"}
    terms, N = governor(found)
    same(found.contact("I").normal, N)
    rubbing = -p.f * N * p.c * np.abs(np.sin(p.theta + found["beta"])) * np.sign(found["beta."])
    moving = found["beta."] != 0
    balanced(*(x[moving] for x in terms), -rubbing[moving])
    same(found["lam"], p.c * np.sin(p.theta + found["beta"]), 1e-12)


def test_the_governor_is_insensitive_between_two_speeds():
    """It lets go where M b (a + b cos β) sin β ω² + k c cos(θ + β) (λ − λ₀) = ±f N c sin(θ + β)."""
    found, p = moved("governor_with_friction", 4.0), parameters("governor_with_friction")
    (caught, *_), (torn, *_) = (
        instants(found, "end of sliding"),
        instants(found, "limit of friction"),
    )
    held = (found.t > caught) & (found.t < torn)
    assert held.sum() > 10
    assert np.ptp(found["beta"][held]) == 0
    state = states_after(found, "limit of friction")[0]
    beta, spin = state["beta"], state["alpha."]
    s, c = sin(p.theta + beta), cos(p.theta + beta)
    press = p.k * (p.c * s - p.lam0)
    thrown = p.M * p.b * (p.a + p.b * cos(beta)) * sin(beta)
    assert abs(thrown * spin**2 + press * p.c * c) == close(p.f * press * p.c * abs(s))


def band_of_the_governor(p, beta):
    """ω² M b (a + b cos β) sin β + N c cos(θ + β) = ∓f N c |sin(θ + β)|, N = k (λ − λ₀)."""
    s, c = sin(p.theta + beta), cos(p.theta + beta)
    press = p.k * (p.c * s - p.lam0)
    thrown = p.M * p.b * (p.a + p.b * cos(beta)) * sin(beta)
    sides = (-press * p.c * c + way * p.f * press * p.c * abs(s) for way in (-1, 1))
    return tuple(sqrt(side / thrown) for side in sides)


def let_go(couple):
    """The speed of the shaft at which the governor, which stuck until then, answers."""
    found = moved("governor_with_friction", 5.0, omega=11.8, Cm=couple)
    (torn, *_) = instants(found, "limit of friction")
    held = found.t < torn
    assert held.sum() > 10
    assert np.ptp(found["beta"][held]) == 0
    return states_after(found, "limit of friction")[0]["alpha."]


def test_the_band_of_speeds_in_which_the_governor_sticks_by_search_and_by_simulation():
    """G-TD2: what is found at rest in the turning shaft, what a run finds, and the closed form."""
    p = parameters("governor_with_friction")
    band = ts.stability.sticking_band(
        model("governor_with_friction"), "omega", parameters={"omega": 11.8, "Cm": 0}
    )
    found = (band.low, band.high)
    assert found == pytest.approx((let_go(-0.02), let_go(0.02)), rel=1e-8)
    assert found == close(band_of_the_governor(p, radians(60)), 1e-11)
    assert (band.at_low, band.at_high) == (("I",), ("I",))


@pytest.mark.parametrize("spin", [0.0, 6.0])
def test_a_curling_stone_ceases_to_slide_and_to_spin_at_once_and_spinning_goes_further(spin):
    found, p = moved("curling_stone", 4.0, w0=spin), parameters("curling_stone")
    (end,) = instants(found, "end of sliding", "ice")
    straight = p.v0**2 / (2 * p.mu * G)
    if not spin:
        assert (end, found["throw_x"][-1]) == (close(p.v0 / (p.mu * G)), close(straight))
    else:
        assert found["throw_x"][-1] > 1.05 * straight
        near = found.at(end - 1e-5)
        ratio = near["throw_x."][0] / (p.R * near["throw_wz"][0])
        assert ratio == pytest.approx(0.653, abs=2e-3)
    np.testing.assert_array_equal(found.v[-1], 0)
