"""Laws of friction that depend on speed, and none on direction or axes, against closed forms."""

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


@pytest.mark.parametrize("excess", [1e-4, 1e-2])
def test_what_is_hardly_pushed_enough_slides_off_and_is_not_thrown_back_to_rest(excess):
    along, mass, mu = np.array([0.6, 0.8, 0]), 2.0, 0.4
    body = ts.load(
        {
            "gravity": [0, 0, -G],
            "parameters": {"more": excess},
            "bodies": {"body": {"mass": mass, "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "free", "bodies": ["ground", "body"]}},
            "contacts": {"floor": {"bodies": ["ground", "body"], "friction": mu}},
            "forces": {
                "push": {
                    "type": "wrench",
                    "body": "body",
                    "force": [f"{mu * mass * G * x:.17g}*(1 + more)" for x in along],
                }
            },
        }
    )
    run = ts.simulate(body, 0.1)
    assert run.events == ()
    np.testing.assert_allclose(run.v[-1][:3], 0.1 * excess * mu * G * along, rtol=1e-4, atol=1e-12)


# --- rolling and pivoting -------------------------------------------------------------------------


def ball(entries, **start):
    """A ball of mass 2 and radius 0.1 on a rough floor."""
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"ball": {"mass": 2, "inertia": [0.008, 0.008, 0.008]}},
            "joints": {"free": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {
                "floor": {
                    "bodies": ["ground", "ball"],
                    "shape": "ball",
                    "radius": 0.1,
                    "friction": 0.5,
                    **entries,
                }
            },
            "initial": {"free_z": 0.1, **start},
        }
    )


def test_viscous_rolling_resistance_slows_a_ball_exponentially():
    """(m + I/r²) v̇ = −b v/r², with I = 2 m r²/5."""
    b, v = 0.02, 1.5
    rolls = {"free_x.": v, "free_wy": v / 0.1}
    run = ts.simulate(ball({"rolling": {"viscous": b}}, **rolls), 1.0, rtol=1e-11)
    rate = b / (0.1**2 * 2 * 1.4)
    np.testing.assert_allclose(run["free_x."], v * np.exp(-rate * run.t), rtol=1e-9)
    assert run.contact("floor").state[-1] == "stick"
    lost = run.energy["kinetic"][0] - run.energy["kinetic"][-1]
    assert -run.contact("floor.rolling").work[-1] == close(lost)


def test_viscous_and_dry_pivoting_resistance_stop_a_spin_together():
    """I ω̇ = −L m g − b ω stops after (I/b) ln(1 + b ω/(L m g))."""
    b, length, spin = 0.01, 1e-3, 12.0
    resists = {"pivoting": {"length": length, "viscous": b}}
    run = ts.simulate(ball(resists, free_wz=spin), 2.0, rtol=1e-11)
    (stop,) = run.events
    assert stop.name == "floor.pivoting"
    assert stop.t == close(0.008 / b * log(1 + b * spin / (length * 2 * G)))


# --- what is not unique ---------------------------------------------------------------------------


def test_shares_of_friction_that_are_not_unique_do_not_depend_on_the_axes():
    """A table on three feet sticks; described in turned axes, each foot has the same friction."""

    def shares(angle):
        c, s = cos(angle), sin(angle)
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        feet = np.array([[0.4, 0.1, -0.2], [-0.2, 0.5, -0.2], [-0.3, -0.4, -0.2]])
        inertia = R @ np.diag([1.0, 2.0, 3.0]) @ R.T
        run = ts.simulate(
            ts.load(
                {
                    "gravity": (R @ [4.0, 1.0, -9.0]).tolist(),
                    "bodies": {"table": {"mass": 3, "inertia": inertia.tolist()}},
                    "joints": {"free": {"type": "free", "bodies": ["ground", "table"]}},
                    "contacts": {
                        "foot": {
                            "bodies": ["ground", "table"],
                            "points": (feet @ R.T).tolist(),
                            "shape": "points",
                            "friction": 0.8,
                        }
                    },
                    "initial": {"free_z": 0.2},
                }
            ),
            0.1,
            rate=10,
        )
        return np.array([run.contact(f"foot.{k}").tangential[-1] @ R[:2, :2] for k in (1, 2, 3)])

    np.testing.assert_allclose(shares(0.7), shares(0.0), rtol=1e-9)
