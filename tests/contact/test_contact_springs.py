"""Contacts that are springs (Hunt and Crossley), against closed forms."""

from functools import cache
from math import gamma, log, pi, sqrt

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

G, MASS = 9.81, 2.0


@cache
def ball(law="contact"):
    """A ball on a vertical rail, above a spring, without gravity."""
    spring = {"stiffness": "k", "dissipation": "d", "exponent": "n"}
    rail = {"type": "prismatic", "bodies": ["ground", "ball"], "axis": "z", "coordinate": "z"}
    described = {
        "parameters": {"k": 1e6, "d": 0, "n": 1.5},
        "bodies": {"ball": {"mass": MASS}},
        "joints": {"rail": rail},
        "contacts": {"floor": {"bodies": ["ground", "ball"], "point": [0, 0, -0.1], **spring}},
        "initial": {"z": 0.2, "z.": -1},
    }
    if law == "stop":
        del described["contacts"]
        described["joints"] = {"rail": {**rail, "limits": [0.1, 10], "stop": spring}}
    return ts.compile(ts.load(described))


def touch(run):
    """How long it touched."""
    touched, left = (event.t for event in run.events)
    return left - touched


def test_a_linear_spring_is_touched_for_half_its_period_and_gives_all_back():
    k = 1e5
    run = ts.simulate(ball(), 0.3, parameters={"k": k, "n": 1}, rtol=1e-12)
    assert touch(run) == pytest.approx(pi * sqrt(MASS / k), rel=1e-10)
    assert run["z."][-1] == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("speed", [0.2, 3.0])
def test_a_ball_touches_for_the_time_of_hertz(speed):
    """T = 2 (5/4)^(2/5) (m²/(k² v))^(1/5) ∫₀¹ dx/√(1 − x^(5/2)), about 3.218 (m²/(k² v))^(1/5)."""
    k = 1e6
    run = ts.simulate(ball(), 0.2 / speed, parameters={"k": k}, initial={"z.": -speed}, rtol=1e-12)
    whole = sqrt(pi) * gamma(0.4) / (2.5 * gamma(0.9))
    unit = (MASS**2 / (k**2 * speed)) ** 0.2
    assert 2 * 1.25**0.4 * whole == pytest.approx(3.218, abs=5e-4)
    assert touch(run) == pytest.approx(2 * 1.25**0.4 * whole * unit, rel=1e-9)


@pytest.mark.parametrize("product", [0.01, 0.3, 2.0])
def test_a_rebound_keeps_the_part_that_hunt_and_crossley_say(product):
    """m v dv/(1 + d v) = −k δⁿ dδ has the same integral on both ways: with x = d v,
    x − ln(1 + x) = −e x − ln(1 − e x), whatever the stiffness; about e = 1 − 2x/3."""
    run = ts.simulate(ball(), 0.5, parameters={"d": product}, rtol=1e-12)
    e = run["z."][-1]
    assert product - log(1 + product) == pytest.approx(-e * product - log(1 - e * product))
    if product < 0.1:
        assert e == pytest.approx(1 - 2 / 3 * product, abs=product**2)
    floor = run.contact("floor")
    assert floor.normal.min() >= 0
    assert floor.work[-1] == pytest.approx(MASS * (e**2 - 1) / 2, rel=1e-9)
    assert run.energy_drift < 1e-9


def test_a_contact_and_a_stop_of_the_same_spring_push_alike():
    given = {"parameters": {"d": 0.4}, "rtol": 1e-11, "rate": 100}
    one, other = (ts.simulate(ball(law), 0.3, **given) for law in ("contact", "stop"))
    np.testing.assert_allclose(one["z"], other["z"], rtol=1e-8)


# --- friction -------------------------------------------------------------------------------------


@cache
def pressed():
    """A body that rests on a spring and is pushed along it."""
    return ts.compile(
        ts.load(
            {
                "gravity": [0, -G, 0],
                "parameters": {"mu": 0.4, "F": 0, "k": 2e4},
                "bodies": {"body": {"mass": MASS, "inertia": [1, 1, 1]}},
                "joints": {
                    "plane": {
                        "type": "planar",
                        "bodies": ["ground", "body"],
                        "normal": "z",
                        "coordinates": ["x", "y", "theta"],
                    }
                },
                "contacts": {
                    "floor": {
                        "bodies": ["ground", "body"],
                        "normal": "y",
                        "friction": "mu",
                        "stiffness": "k",
                        "dissipation": "1 s/m",
                    }
                },
                "forces": {"push": {"type": "wrench", "body": "body", "force": ["F", 0, 0]}},
                "initial": {"y": -MASS * G / 2e4},
            }
        )
    )


def test_what_a_spring_presses_sticks_exactly_below_the_limit_of_its_friction():
    run = ts.simulate(pressed(), 1.0, parameters={"F": 0.99 * 0.4 * MASS * G})
    assert np.ptp(run["x"]) == 0.0
    floor = run.contact("floor")
    assert set(floor.state) == {"stick"}
    assert floor.adherence[-1] == pytest.approx(0.99 * 0.4, rel=1e-9)


def test_what_a_spring_presses_slides_by_its_force_beyond_the_limit():
    run = ts.simulate(pressed(), 0.5, parameters={"F": 1.25 * 0.4 * MASS * G})
    np.testing.assert_allclose(run["x.."], 0.1 * G, rtol=1e-9)
    assert set(run.contact("floor").state) == {"slip"}


def test_friction_while_a_spring_is_pressed_takes_its_part_of_the_impulse():
    """What falls on it sliding fast loses μ times the normal impulse along the floor."""
    run = ts.simulate(pressed(), 0.2, initial={"y": 0.1, "y.": -2, "x.": 10}, rtol=1e-11, rate=1000)
    touched, left = (event.t for event in run.events[:2])
    before, after = run.at(touched), run.at(left)
    normal = MASS * (after["y."][0] - before["y."][0] + G * (left - touched))
    lost = MASS * (before["x."][0] - after["x."][0])
    assert lost == pytest.approx(0.4 * normal, rel=1e-8)


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"stiffness": 1e5, "restitution": 0.5}, "takes no restitution: it has no shocks"),
        ({"dissipation": 0.5}, '"dissipation" needs a stiffness'),
        ({"stiffness": "1e5 N.m"}, "N/m"),
        (
            {"restitution": {"poisson": 0.5, "newton": 0.5}},
            "exactly one law: Newton's or Poisson's",
        ),
        ({"restitution": {"poisson": 1.5}}, "not between 0 and 1"),
        ({"patch": {"radius": 0.1}}, "the patch has no friction"),
        ({"patch": 0.1, "friction": {"coefficient": 0.1, "viscous": 1}}, "of a patch is dry"),
        ({"patch": {"radius": 0}, "friction": 0.1}, "the radius of the patch is missing"),
        ({"patch": {"radius": 1, "pressure": "high"}, "friction": 0.1}, "uniform"),
        ({"rolling": {}}, "has neither a length nor a viscous term"),
    ],
)
def test_laws_that_make_no_sense_are_refused(entries, problem):
    described = {
        "bodies": {"ball": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"free": {"type": "free", "bodies": ["ground", "ball"]}},
        "contacts": {"floor": {"bodies": ["ground", "ball"], **entries}},
    }
    with pytest.raises(ModelError) as error:
        ts.load(described)
    assert problem in str(error.value)


def test_a_spring_that_is_pressed_keeps_no_mode():
    with pytest.raises(ModelError) as error:
        ts.in_mode(pressed().mechanism, {"floor": "stick"})
    assert "is pressed by a spring" in str(error.value)
