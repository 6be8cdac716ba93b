"""Laws of friction that depend on speed, and none on direction, against closed forms."""

from math import cos, exp, log, radians, sin

import numpy as np
import pytest

import torseur as ts

G = 9.81


def close(wanted):
    return pytest.approx(wanted, rel=1e-9, abs=1e-9)


def block(friction, speed=3.0, mass=2.0):
    """A block on a rail, thrown along it."""
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"block": {"mass": mass}},
            "joints": {
                "rail": {
                    "type": "prismatic",
                    "bodies": ["ground", "block"],
                    "axis": "x",
                    "coordinate": "x",
                    "friction": friction,
                }
            },
            "initial": {"x.": speed},
        }
    )


def test_viscous_and_dry_friction_together_stop_a_block():
    """t = (m/b) ln(1 + b v/(μ m g)), and v + μ m g/b decays as exp(−b t/m)."""
    m, mu, b, v = 2.0, 0.1, 3.0, 3.0
    run = ts.simulate(block({"coefficient": mu, "viscous": b}), 3.0, rtol=1e-12)
    (stop,) = run.events
    assert stop.t == close(m / b * log(1 + b * v / (mu * m * G)))
    half = run(0.5)["x."]
    assert half == close((v + mu * m * G / b) * exp(-b * 0.5 / m) - mu * m * G / b)
    assert run.end["x."] == 0


def test_stribecks_coefficient_falls_from_the_static_to_the_kinetic_one():
    law = {"static": 0.3, "kinetic": 0.1, "stribeck": 0.5}
    run = ts.simulate(block(law, speed=1.0), 1.0)
    slides = run.contact("rail: friction").state == "slip"
    v = run["x."][slides]
    wanted = -G * (0.1 + 0.2 * np.exp(-((v / 0.5) ** 2)))
    np.testing.assert_allclose(run["x.."][slides], wanted, rtol=1e-12)
    assert not slides.all()


@pytest.mark.parametrize("angle", [0, 30, 45, 80])
def test_friction_is_the_same_in_every_direction(angle):
    """A push of 1.01 μ m g accelerates by 0.01 μ g, its own way: the cone is round."""
    along = np.array([cos(radians(angle)), sin(radians(angle)), 0])
    mass, mu = 2.0, 0.4
    push = 1.01 * mu * mass * G * along
    body = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"body": {"mass": mass, "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "free", "bodies": ["ground", "body"]}},
            "contacts": {"floor": {"bodies": ["ground", "body"], "friction": mu}},
            "forces": {"push": {"type": "wrench", "body": "body", "force": push.tolist()}},
        }
    )
    run = ts.simulate(body, 1.0, rtol=1e-12)
    np.testing.assert_allclose(run.v[-1][:3], 0.01 * mu * G * along, atol=1e-12)
    assert run.contact("floor").adherence[-1] == close(mu)
