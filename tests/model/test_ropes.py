"""Ropes over sheaves: lengths from geometry, Atwood's machine, tackles, drums."""

import numpy as np
import pytest

import torseur as ts

ORIGIN = [0, 0, 0]
G = 9.81
COORDINATES = pytest.mark.parametrize("coordinates", ["joint", "absolute"])


def slide(body, x, y=0.0, name=None):
    place = [[x, y, 0], ORIGIN]
    return {
        "type": "prismatic",
        "axis": "y",
        "bodies": ["ground", body],
        "point": place,
        "coordinate": name or body,
    }


def sheave(body, wrap="-180 deg", radius="r", **more):
    return {"sheave": body, "radius": radius, "wrap": wrap} | more


def atwood(**sections):
    """Two weights on a wheel of moment of inertia I, the heavier on the left."""
    model = {
        "gravity": [0, -G, 0],
        "parameters": {"m1": 3, "m2": 1, "r": 0.1, "I": 0.02},
        "bodies": {
            "a": {"mass": "m1"},
            "b": {"mass": "m2"},
            "pulley": {"mass": 1, "inertia": [0, 0, "I"]},
        },
        "joints": {
            "A": slide("a", "-r", -1.0),
            "B": slide("b", "r", -1.0),
            "P": {"type": "pivot", "axis": "z", "bodies": ["ground", "pulley"], "coordinate": "th"},
        },
    }
    return ts.load(model | sections)


WOUND = {
    "left": {"type": "rope", "through": [["a", ORIGIN], sheave("pulley")]},
    "right": {"type": "rope", "through": [sheave("pulley"), ["b", ORIGIN]]},
}


@COORDINATES
def test_weights_on_a_pulley_with_inertia_fall_as_atwoods(coordinates):
    """a = (m₁ − m₂) g/(m₁ + m₂ + I/r²); tensions m₁ (g − a), m₂ (g + a) load the bearing."""
    a = (3 - 1) * G / (3 + 1 + 0.02 / 0.1**2)
    run = ts.simulate(atwood(constraints=WOUND), 0.5, at=[0, 0.5], coordinates=coordinates)
    np.testing.assert_allclose(run["a"][-1], -a * 0.5**2 / 2, rtol=1e-9)
    np.testing.assert_allclose(run["th"][-1], a * 0.5**2 / 2 / 0.1, rtol=1e-9)
    tensions = 3 * (G - a), G + a
    for name, tension in zip(("left", "right"), tensions, strict=True):
        np.testing.assert_allclose(run.multiplier(name), tension, rtol=1e-12)
    np.testing.assert_allclose(run.reaction("P")[:, 1], sum(tensions) + G, rtol=1e-12)
    np.testing.assert_allclose(run.reaction("A"), 0, atol=1e-11)


@COORDINATES
@pytest.mark.parametrize("length", [{}, {"length": "2 + pi*r"}])
def test_over_a_smooth_pulley_one_tension_holds_both_weights(coordinates, length):
    over = {"type": "rope", "through": [["a", ORIGIN], sheave("pulley"), ["b", ORIGIN]]}
    run = ts.simulate(
        atwood(constraints={"rope": over | length}), 0.5, at=[0, 0.5], coordinates=coordinates
    )
    a = (3 - 1) * G / (3 + 1)
    np.testing.assert_allclose(run["b"][-1], a * 0.5**2 / 2, rtol=1e-11)
    np.testing.assert_allclose(run.multiplier("rope"), 3 * (G - a), rtol=1e-11)
    assert abs(run["th"]).max() < 1e-12


def test_the_torseurs_of_a_pulley_balance_with_those_of_its_ropes():
    run = ts.simulate(atwood(constraints=WOUND), 0.3, at=[0.3])
    torseurs = ts.torseurs.body_torseurs(run, "pulley")
    assert {*torseurs.forces} == {"left", "right"}
    for part in ("resultant", "moment"):
        balance = getattr(torseurs.action, part) - getattr(torseurs.dynamic, part)
        np.testing.assert_allclose(balance, 0, atol=1e-12)


@pytest.mark.parametrize("parts", [2, 4])
def test_a_tackle_of_n_parts_holds_n_times_the_pull(parts):
    """The rope runs n times between a fixed block and the load: x = n y, T = m g/n at rest."""
    r, path = 0.05, [["hand", ORIGIN]]
    for k in range(parts // 2):
        x = 2 * k * 2 * r
        path.append(sheave("ground", radius=r, centre=[x, 0, 0]))
        path.append(sheave("load", wrap="180 deg", radius=r, centre=[x + 2 * r, 0, 0]))
    path.append(["ground", [(parts - 1) * 2 * r + r, 0, 0]])
    model = ts.load(
        {
            "gravity": [0, -G, 0],
            "bodies": {"load": {"mass": 8}, "hand": {"mass": 1}},
            "joints": {"L": slide("load", 0, -1.0), "H": slide("hand", -r, -1.0)},
            "constraints": {"rope": {"type": "rope", "through": path}},
        }
    )
    run = ts.simulate(model, 0.2, at=[0, 0.2])
    a = (parts * 1 - 8) * G / (parts**2 + 8)  # of the load, upwards
    np.testing.assert_allclose(run["load"][-1], a * 0.2**2 / 2, rtol=1e-10)
    np.testing.assert_allclose(run["hand"], -parts * run["load"], atol=1e-14)
    np.testing.assert_allclose(run.multiplier("rope"), 8 * (G + a) / parts, rtol=1e-10)


@pytest.mark.parametrize("sense", [1, -1])
def test_a_rope_over_two_circles_is_as_long_as_an_open_or_a_crossed_belt(sense):
    """Its strand is √(d² − (R ∓ r)²), at the angle β with sin β = (R ∓ r)/d to the centres.

    It comes up to the large circle and leaves the small one downwards, or crossed upwards.
    """
    R, r, d = 0.3, 0.1, 1.0
    beta = np.arcsin((R - sense * r) / d)
    path = [
        ["ground", [R, -2, 0]],
        sheave("ground", radius=R, wrap="120 deg"),
        sheave("ground", radius=r, wrap=f"{sense * 120} deg", centre=[-d, 0, 0]),
        ["car", ORIGIN],
    ]
    model = ts.load(
        {
            "gravity": ORIGIN,
            "bodies": {"car": {"mass": 1}},
            "joints": {"C": slide("car", -d - r, 0.0, "y")},
            "forces": {"rope": {"type": "cable", "through": path, "stiffness": 1, "length": 0}},
        }
    )
    length = 4 + R * (np.pi / 2 + beta) + d * np.cos(beta) + r * (np.pi / 2 - sense * beta)
    force = ts.compile(model).applied([-2.0 * sense], [0.0])[0]
    assert force == pytest.approx(sense * length, rel=1e-12)


def test_a_weight_on_an_elastic_rope_over_a_pulley_swings_with_its_stiffness():
    path = [["ground", ["-r", -2, 0]], sheave("pulley"), ["b", ORIGIN]]
    cable = {"type": "cable", "through": path, "stiffness": 400, "length": "3 + pi*r"}
    model = atwood(forces={"rope": cable})
    fixed = ts.load(
        {
            "gravity": [0, -G, 0],
            "parameters": {"r": 0.1},
            "bodies": {"b": {"mass": 4}},
            "joints": {"B": slide("b", "r", -1.0)},
            "forces": {
                "rope": cable
                | {"through": [["ground", ["-r", -2, 0]], sheave("ground"), ["b", ORIGIN]]}
            },
        }
    )
    (rest,) = [x for x in ts.equilibria(fixed) if x.coordinates["b"] < 0]
    assert rest.coordinates["b"] == pytest.approx(-4 * G / 400, rel=1e-10)
    small = ts.linearise(fixed, at={"b": rest.coordinates["b"]})
    assert small.frequencies[0] == pytest.approx(10.0, rel=1e-9)
    assert ts.simulate(model, 0.2).energy_drift < 1e-7


@COORDINATES
def test_a_winch_hoists_by_what_it_winds(coordinates):
    """The rope pays out r θ: potential and torque on the drum follow, energy closes."""
    model = ts.load(
        {
            "gravity": [0, -G, 0],
            "parameters": {"r": 0.1, "C": 5},
            "bodies": {"load": {"mass": 2}, "drum": {"mass": 1, "inertia": [1, 1, 0.05]}},
            "joints": {
                "L": slide("load", "r", -1.0, "y"),
                "D": {
                    "type": "pivot",
                    "axis": "z",
                    "bodies": ["ground", "drum"],
                    "coordinate": "th",
                },
            },
            "forces": {
                "rope": {
                    "type": "cable",
                    "through": [sheave("drum"), ["load", ORIGIN]],
                    "stiffness": 1e4,
                    "damping": 100,
                    "length": "1 - r*th",
                },
                "motor": {"type": "joint", "joint": "D", "value": "C"},
            },
        }
    )
    run = ts.simulate(model, 0.5, at=[0.5], coordinates=coordinates)
    assert run.energy_drift < 1e-6
    a = (5 - 2 * G * 0.1) / (0.05 / 0.1 + 2 * 0.1)  # of the load, when the rope has settled
    assert run["y."][0] == pytest.approx(a * 0.5, rel=2e-3)


def test_a_rope_that_leaves_the_plane_of_its_sheave_is_refused():
    joints = {
        "A": slide("a", "-r", -1.0),
        "B": slide("b", "r", -1.0) | {"axis": "z"},
        "P": {"type": "pivot", "axis": "z", "bodies": ["ground", "pulley"], "coordinate": "th"},
    }
    path = [["a", ORIGIN], sheave("pulley"), ["b", ORIGIN]]
    cable = {"type": "cable", "through": path, "stiffness": 100, "length": 1}
    model = atwood(joints=joints, forces={"rope": cable})
    with pytest.raises(ts.SolveError, match="leaves the plane of its sheaves"):
        ts.simulate(model, 0.2, initial={"b.": 5.0})


def test_a_rope_that_leaves_its_sheave_is_refused():
    path = [["a", ORIGIN], sheave("pulley", "-90 deg"), ["ground", [2, "r", 0]]]
    rope = {"type": "cable", "through": path, "stiffness": 5e3, "length": 2}
    with pytest.raises(ts.SolveError, match='leaves the sheave "pulley"'):
        ts.simulate(atwood(forces={"rope": rope}), 0.5, initial={"a": 0.8, "a.": 10})


def test_a_length_of_a_rope_that_is_wound_up_is_refused():
    with pytest.raises(ts.ModelError, match="wound on a drum"):
        atwood(constraints={"rope": WOUND["left"] | {"length": 2}})


def test_ropes_are_read_again_as_they_were_written(tmp_path):
    model = atwood(
        constraints=WOUND,
        forces={
            "rope": {
                "type": "cable",
                "through": [["a", ORIGIN], sheave("pulley"), ["b", ORIGIN]],
                "stiffness": 100,
                "length": 2,
            }
        },
    )
    assert ts.load(model.save(tmp_path / "rope.yaml")) == model
