"""Particles and bodies whose poses are expressions of coordinates that the user chooses."""

from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate

G = 9.81


def test_bodies_with_given_poses_are_the_double_pendulum_of_their_joints():
    """Two rods in absolute angles: the same accelerations as the mechanism in relative ones."""

    def posed(k, x, y):
        inertia, turn = [0, 0, f"m{k}*l{k}^2/12"], [{"z": f"th{k}"}]
        return {"mass": f"m{k}", "position": [x, y, 0], "inertia": inertia, "rotation": turn}

    values = {"m1": 1.2, "m2": 0.7, "l1": 0.5, "l2": 0.8, "g": G}
    far, deep = "l1*sin(th1) + l2/2*sin(th2)", "-l1*cos(th1) - l2/2*cos(th2)"
    bodies = {"upper": posed(1, "l1/2*sin(th1)", "-l1/2*cos(th1)"), "lower": posed(2, far, deep)}
    free = ts.formalisms.lagrangian("0", ["th1", "th2"], bodies=bodies, gravity=[0, "-g", 0],
                         parameters=values)  # fmt: skip
    rods = ts.load(files("torseur.examples") / "double_pendulum.yaml")
    own = {n: x for n, x in values.items() if n != "g"}
    q, v = np.array([0.4, -0.9]), np.array([1.1, 0.6])
    ours = free.equations.evaluate(q, v)
    turned = np.array([[1.0, 0.0], [-1.0, 1.0]])  # relative angles from absolute ones
    theirs = ts.derive(rods).evaluate(turned @ q, turned @ v, parameters=own)
    first = np.linalg.solve(ours.M, -ours.h - ours.g)
    second = np.linalg.solve(theirs.M, -theirs.h - theirs.g)
    np.testing.assert_allclose(turned @ first, second, rtol=1e-12)


def test_a_free_body_in_angles_has_the_energy_of_its_euler_rates_by_turns_and_by_matrix():
    turns = [{"z": "psi"}, {"x": "theta"}, {"z": "phi"}]
    c = {x: (f"cos({x})", f"sin({x})") for x in ("psi", "theta", "phi")}
    (a, b), (d, e), (f, g) = c["psi"], c["theta"], c["phi"]
    matrix = [
        [f"{a}*{f} - {b}*{d}*{g}", f"-{a}*{g} - {b}*{d}*{f}", f"{b}*{e}"],
        [f"{b}*{f} + {a}*{d}*{g}", f"{a}*{d}*{f} - {b}*{g}", f"-{a}*{e}"],
        [f"{e}*{g}", f"{e}*{f}", d],
    ]
    p = "(psi.*sin(theta)*sin(phi) + theta.*cos(phi))"
    q = "(psi.*sin(theta)*cos(phi) - theta.*sin(phi))"
    r = "(psi.*cos(theta) + phi.)"
    names = ["psi", "theta", "phi"]
    typed = ts.formalisms.lagrangian(f"(A*{p}^2 + B*{q}^2 + C*{r}^2)/2 + D*{p}*{q}", names)
    body = {"mass": 1, "position": [0, 0, 0], "inertia": ["A", "B", "C", "D", 0, 0]}
    at = dict(zip("ABCD", (0.7, 1.1, 1.6, 0.2), strict=True))
    at |= {"psi": 0.3, "theta": 0.8, "phi": -0.5, "psi.": 1.1, "theta.": 0.4, "phi.": -0.9}
    for rotation in (turns, matrix):
        free = ts.formalisms.lagrangian("0", names, bodies={"body": body | {"rotation": rotation}})
        assert evaluate(free.L, at) == pytest.approx(evaluate(typed.L, at), rel=1e-13)


def test_a_particle_on_a_turning_curve_keeps_the_integral_of_painleve():
    """On z = a x², turned at w: ½ m (1 + 4 a² x²) x'² − ½ m w² x² + m g a x²."""
    bead = ts.formalisms.lagrangian(
        "0", ["x"],
        bodies={"bead": {"mass": "m", "position": ["x*cos(w*t)", "x*sin(w*t)", "a*x^2"]}},
        gravity=[0, 0, "-g"], parameters={"m": 0.2, "a": 1.5, "w": 3.0, "g": G},
        initial={"x": 0.3},
    )  # fmt: skip
    values = {"m": 0.2, "a": 1.5, "w": 3.0, "g": G, "x": 0.4, "x.": 0.7, "t": 0.9}
    kept = 0.1 * (1 + 9 * 0.16) * 0.49 - 0.1 * 9 * 0.16 + 0.2 * G * 1.5 * 0.16
    assert evaluate(bead.energy, values) == pytest.approx(kept)
    assert ts.observe.monitor(ts.simulate(bead, 2.0, rate=20.0, rtol=1e-12)).worst < 1e-10


def test_a_particle_on_a_surface_pushes_it_with_its_multiplier():
    """On a sphere: x² + y² + z² = a² held by a multiplier moves as in two angles."""
    form = {"parameters": {"m": 0.7, "a": 0.5, "g": G}, "gravity": [0, 0, "g"]}
    angles = ["a*sin(theta)*cos(phi)", "a*sin(theta)*sin(phi)", "a*cos(theta)"]
    bob = ts.formalisms.lagrangian(
        "0",
        ["theta", "phi"],
        bodies={"bob": {"mass": "m", "position": angles}},
        initial={"theta": 1.0, "phi.": 3.0},
        **form,
    )
    s, c = np.sin(1.0), np.cos(1.0)
    start = {"x": 0.5 * s, "z": 0.5 * c, "y.": 0.5 * s * 3.0}
    held = ts.formalisms.lagrangian(
        "0", ["x", "y", "z"], bodies={"bob": {"mass": "m", "position": ["x", "y", "z"]}},
        constraints={"sphere": "x^2 + y^2 + z^2 - a^2"}, initial=start, **form,
    )  # fmt: skip
    one, other = (ts.simulate(x, 2.0, rate=10.0, rtol=1e-12) for x in (bob, held))
    np.testing.assert_allclose(0.5 * np.cos(one["theta"]), other["z"], atol=1e-9)
    speed2 = 0.25 * (one["theta."] ** 2 + (np.sin(one["theta"]) * one["phi."]) ** 2)
    force = 0.7 * (speed2 / 0.5 + G * np.cos(one["theta"]))  # P-Ex5.1
    np.testing.assert_allclose(-2 * 0.5 * other.multiplier("sphere")[:, 0], force, atol=1e-8)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"mass": 1}, "a mass and a position are needed"),
        ({"mass": 1, "position": ["x", 0]}, "is not a vector"),
        ({"mass": 1, "position": ["x", 0, 0], "inertia": [1, 1]}, "but no rotation"),
        ({"mass": 1, "position": ["x", 0, 0], "inertia": [1, 1], "rotation": [{"z": "x"}]},
         "3 or 6 components, not 2"),
        ({"mass": 1, "position": ["x", 0, 0], "spin": 1}, 'entry "spin" does not exist'),
        ({"mass": 1, "position": ["x", 0, 0], "inertia": [1, 1, 1], "rotation": [{"w": "x"}]},
         'axis "w" does not exist'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_given_pose_is_said(body, message):
    with pytest.raises(ts.ModelError, match=message):
        ts.formalisms.lagrangian("0", ["x"], bodies={"bead": body})
