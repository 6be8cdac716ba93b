"""Laws of friction, of resistance and of shocks, each against its closed form."""

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


def ball(**law):
    """A ball of 2 kg and 0.1 m on a floor."""
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"ball": {"shape": {"sphere": {"radius": 0.1}}, "mass": 2}},
            "joints": {"free": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {
                "floor": {"bodies": ["ground", "ball"], "shape": "ball", "radius": 0.1, **law}
            },
            "initial": {"free_z": 0.1},
        }
    )


# --- friction -----------------------------------------------------------------------------------


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


def test_a_bearing_brakes_its_rotor_by_the_couple_of_its_load():
    """ω̇ = −μ m g r/J."""
    m, mu, r, J, w = 5.0, 0.1, 0.02, 0.03, 10.0
    rotor = ts.load(
        {
            "gravity": [0, -G, 0],
            "bodies": {"rotor": {"mass": m, "inertia": [J, J, J]}},
            "joints": {
                "O": {
                    "type": "pivot",
                    "bodies": ["ground", "rotor"],
                    "axis": "z",
                    "friction": {"coefficient": mu, "radius": r},
                }
            },
            "initial": {"O.": w},
        }
    )
    run = ts.simulate(rotor, 5.0, rtol=1e-12)
    (stop,) = run.events
    assert stop.t == close(w * J / (mu * m * G * r))
    assert run.contact("O: friction").work[-1] == close(-J * w**2 / 2)


# --- resistance ---------------------------------------------------------------------------------


def test_rolling_resistance_brings_a_rolling_ball_to_rest():
    """a = −5 ρ g/(7 R), with the couple ρ N."""
    start = {"free_x.": 1.0, "free_wy": 10.0}
    law = {"friction": 0.5, "rolling": 0.001, "pivoting": 0.001}
    run = ts.simulate(ball(**law), 16.0, initial=start, rtol=1e-12)
    assert run["free_x.."][1] == close(-5 * 0.001 * G / (7 * 0.1))
    (stop,) = run.events
    assert (stop.name, stop.t) == ("floor.rolling", close(7 * 0.1 / (5 * 0.001 * G)))
    assert run.contact("floor").state[-1] == "stick"
    assert (run.v[-1] == 0).all()


def test_pivoting_resistance_brings_a_spinning_ball_to_rest():
    """t = (2/5) R² ω/(ρ g), with the couple ρ N about the normal."""
    run = ts.simulate(ball(friction=0.5, pivoting=0.001), 3.0, initial={"free_wz": 5.0}, rtol=1e-12)
    (stop,) = run.events
    assert (stop.name, stop.t) == ("floor.pivoting", close(0.4 * 0.1**2 * 5 / (0.001 * G)))


# --- shocks and paradoxes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("impacts", "wanted"),
    [("simultaneous", [-0.6, 0.4, 0.4, 0.4, 0.4]), ("sequential", [0, 0, 0, 0, 1])],
)
def test_a_cradle_is_one_shock_or_one_after_the_other(impacts, wanted):
    balls = range(5)
    cradle = ts.load(
        {
            "impacts": impacts,
            "bodies": {f"ball{k}": {"mass": 1} for k in balls},
            "joints": {
                f"x{k}": {"type": "prismatic", "bodies": ["ground", f"ball{k}"], "axis": "x"}
                for k in balls
            },
            "contacts": {f"c{k}": {"gap": f"x{k} - x{k - 1}", "restitution": 1} for k in balls[1:]},
            "initial": {"x0": -1, "x0.": 1},
        }
    )
    run = ts.simulate(cradle, 2.0)
    np.testing.assert_allclose(run.v[-1], wanted, atol=1e-12)
    assert run.energy["kinetic"][-1] == close(0.5)


def rod(mu):
    """A rod at 60° whose lower end is pushed ahead of it over a rough floor."""
    return ts.load(
        {
            "gravity": [0, -G, 0],
            "parameters": {"l": 0.5, "tilt": "60 deg"},
            "bodies": {"rod": {"mass": 1, "inertia": [0, "1 kg*l^2/3", "1 kg*l^2/3"]}},
            "joints": {
                "plane": {
                    "type": "planar",
                    "bodies": ["ground", "rod"],
                    "normal": "z",
                    "coordinates": ["x", "y", "theta"],
                }
            },
            "contacts": {
                "tip": {
                    "bodies": ["ground", "rod"],
                    "point": ["-l", 0, 0],
                    "normal": "y",
                    "friction": mu,
                }
            },
            "initial": {"y": "l*sin(tilt)", "theta": "tilt", "x.": -3},
        }
    )


def test_painleves_rod_has_no_motion_from_its_critical_friction_on():
    """1 + 3 cos² θ − 3 μ sin θ cos θ < 0: pressing harder makes it press in (Painlevé 1895)."""
    c, s = cos(radians(60)), sin(radians(60))
    critical = (1 + 3 * c**2) / (3 * s * c)
    run = ts.simulate(rod(0.999 * critical), 1e-5, rate=1e6)
    normal = G / (1 + 3 * c**2 - 3 * 0.999 * critical * s * c)
    assert run.contact("tip").normal[0] == close(normal)
    with pytest.raises(ts.SolveError, match="Painlevé's paradox"):
        ts.simulate(rod(1.001 * critical), 1e-5)
