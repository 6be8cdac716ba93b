"""Loads that the laws leave open follow one rule: squares of normal forces and of friction that
holds have the least sum.

The rule is asked of grips and of tables on three to six legs, at rest, at the onset of sliding,
while they slide and turn, and in shocks; in joint and absolute coordinates and by steps. The
smallest forces are found here by NumPy's pseudo-inverse, from the places of the feet alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import torseur as ts

Array = np.ndarray
G, MASS, HEIGHT, MU = 9.81, 2.0, 0.1, 0.4
STEP = 1e-4
WAYS: dict[str, dict[str, Any]] = {
    "joint": {"rtol": 1e-10},
    "absolute": {"coordinates": "absolute", "rtol": 1e-10},
    "steps": {"method": "moreau", "step": STEP},
}
EVENTS = ("joint", "absolute")


# --- a grip ---------------------------------------------------------------------------------------


def grip(seen: Array, order: int = 1, speed: float = 0.0) -> dict[str, Any]:
    """A box of 0.1 kg between two pads that press with 0.5 N by four points each, seen turned."""
    x, along = seen[:, 0], [float(g) for g in seen @ [0.0, 0.0, -G]]
    pads = {"left": 1.0, "right": -1.0}
    contacts = {
        f"{name} {j}{k}": {
            "bodies": [name, "box"],
            "point": listed(seen @ [-0.05 * sign, 0.03 * j, 0.03 * k]),
            "normal": listed(sign * x),
            "friction": 0.5,
        }
        for name, sign in pads.items()
        for j in (1, -1)
        for k in (1, -1)
    }
    light = {"mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4]}
    bodies = {"box": {"mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]}, "left": light, "right": light}
    joints: dict[str, Any] = {"box": {"type": "free", "bodies": ["ground", "box"]}}
    for name in pads:
        slide = {"axis": listed(x), "coordinate": f"s_{name}", "bodies": ["ground", name]}
        joints[name] = {"type": "prismatic", **slide}
    down = seen @ [0.0, 0.0, -speed]
    return {
        "gravity": along,
        "reactions": "least_norm",
        "bodies": dict(list(bodies.items())[::order]),
        "joints": joints,
        "forces": {
            name: {"type": "joint", "joint": name, "value": 0.5 * sign}
            for name, sign in pads.items()
        },
        "contacts": dict(list(contacts.items())[::order]),
        "initial": {
            **{f"s_{name}": -0.05 * sign for name, sign in pads.items()},
            **{f"box_{axis}.": float(v) for axis, v in zip("xyz", down, strict=True)},
        },
    }


def listed(vector: Array) -> list[float]:
    return [float(x) for x in vector]


TURNS = {
    "as it is": np.eye(3),
    "turned": Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix(),
    "mirrored": Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix() @ np.diag([1.0, -1.0, 1.0]),
}


@pytest.mark.sampled(1, kind=lambda way, speed: way)
@pytest.mark.parametrize("speed", [0.0, 0.3])
@pytest.mark.parametrize("way", WAYS)
def test_a_box_slips_through_a_symmetric_grip_without_turning(way, speed):
    """m a = m g − 8 μ N with N = F/4: 2.405 m in 1 s from rest."""
    scene = ts.load(grip(np.eye(3), speed=speed))
    run = ts.simulate(scene, 1.0, rate=50, **WAYS[way])
    acceleration = G - 2 * 0.5 * 0.5 / 0.1
    assert -run["box_z"][-1] == pytest.approx(speed + 0.5 * acceleration, abs=1e-9)
    for name in scene.contacts:
        assert run.contact(name).normal == pytest.approx(0.125, rel=1e-9)
    for name in ("box_wx", "box_wy", "box_wz", "box_x", "box_y"):
        assert np.abs(run[name]).max() < 1e-9


@pytest.mark.sampled(3, kind=lambda way, turn, order: way)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("way", WAYS)
def test_a_grip_shares_its_load_alike_however_it_is_turned_and_ordered(way, turn, order):
    scene = ts.load(grip(TURNS[turn], order))
    run = ts.simulate(scene, 0.1, rate=50, **WAYS[way])
    fallen = [run[f"box_{axis}"][-1] for axis in "xyz"]
    expected = TURNS[turn] @ [0.0, 0.0, -0.5 * 4.81 * 0.1**2]
    assert fallen == pytest.approx(listed(expected), abs=1e-10)
    for name in scene.contacts:
        assert run.contact(name).normal == pytest.approx(0.125, rel=1e-9)


def test_a_grip_of_bodies_that_meet_by_their_shapes_does_not_turn_the_box_either():
    """The pads are boxes on slides, and touch the box by the corners that collision finds."""
    made = grip(np.eye(3))
    del made["reactions"]
    made["contacts"] = {"all": {"among": "all", "friction": 0.5}}
    made["bodies"]["box"]["shape"] = {"box": {"size": [0.1, 0.06, 0.06]}}
    for name, place in (("left", -0.1), ("right", 0.1)):
        pad = made["bodies"][name]
        made["bodies"][name] = {**pad, "shape": {"box": {"size": [0.1, 0.06, 1.0]}}}
        made["initial"][f"s_{name}"] = place
    run = ts.simulate(ts.load(made), 0.02, rate=1000, method="moreau", step=1e-3)
    assert run["box_z."] == pytest.approx(-4.81 * run.t, abs=1e-10)
    assert np.abs([run[f"box_w{axis}"] for axis in "xyz"]).max() < 1e-9


# --- tables ---------------------------------------------------------------------------------------


def feet(legs: int) -> Array:
    """(legs, 2): places around the centre of mass, none of them symmetric."""
    rng = np.random.default_rng(legs)
    angles = 2 * np.pi * (np.arange(legs) + rng.uniform(-0.2, 0.2, legs)) / legs
    return rng.uniform(0.3, 0.6, legs)[:, np.newaxis] * np.column_stack(
        [np.cos(angles), np.sin(angles)]
    )


def table(legs: int, seen: Array | None = None, order: int = 1, **given: Any) -> dict[str, Any]:
    """A table on legs, its centre of mass at a height over the floor; seen turned."""
    seen = np.eye(3) if seen is None else seen
    law = {"bodies": ["ground", "A"], "normal": listed(seen[:, 2]), "friction": MU}
    law |= given.get("law", {})
    points = [seen @ [*foot, -HEIGHT] for foot in feet(legs)]
    contacts = {f"c{k}": {**law, "point": listed(point)} for k, point in enumerate(points)}
    inertia = seen @ np.diag([0.05, 0.08, 0.1]) @ seen.T
    force = seen @ given.get("force", [0.0, 0.0, 0.0])
    place = seen @ [0.0, 0.0, HEIGHT]
    v, w = (seen @ given.get(name, [0.0, 0.0, 0.0]) for name in ("v", "w"))
    initial = {f"A_{axis}": float(x) for axis, x in zip("xyz", place, strict=True)}
    initial |= {f"A_{axis}.": float(x) for axis, x in zip("xyz", v, strict=True)}
    initial |= {f"A_w{a}": float(x) * np.linalg.det(seen) for a, x in zip("xyz", w, strict=True)}
    return {
        "gravity": listed(seen @ [0.0, 0.0, -G]),
        "reactions": "least_norm",
        "bodies": {"A": {"mass": MASS, "inertia": [listed(row) for row in inertia]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "A"]}},
        "forces": {"pull": {"type": "wrench", "body": "A", "force": listed(force)}},
        "contacts": dict(list(contacts.items())[::order]),
        "initial": initial,
    }


def sliding_normals(places: Array, directions: Array) -> Array:
    """The smallest N by which a table that slides stays level: Σ N, and moments of N and μ N."""
    level = places - MU * HEIGHT * directions
    rows = np.vstack([np.ones(len(places)), level.T])
    return np.asarray(np.linalg.pinv(rows) @ [MASS * G, 0.0, 0.0])


def normals(run: Any, legs: int, k: int) -> Array:
    return np.array([run.contact(f"c{i}").normal[k] for i in range(legs)])


@pytest.mark.sampled(3, kind=lambda way, legs: way)
@pytest.mark.parametrize("legs", [3, 4, 5, 6])
@pytest.mark.parametrize("way", WAYS)
def test_a_table_pulled_from_rest_presses_with_the_smallest_normal_forces(way, legs):
    along = np.array([np.cos(0.6), np.sin(0.6)])
    pull = [*(2 * MU * MASS * G * along), 0.0]
    run = ts.simulate(ts.load(table(legs, force=pull)), 0.02, rate=500, **WAYS[way])
    expected = sliding_normals(feet(legs), np.tile(along, (legs, 1)))
    assert normals(run, legs, 1) == pytest.approx(expected, rel=1e-8)
    pace = MU * G * run.t[-1]
    assert [run["A_x."][-1], run["A_y."][-1]] == pytest.approx(listed(pace * along), rel=1e-9)
    assert np.abs([run[f"A_w{axis}"] for axis in "xyz"]).max() < 1e-9


@pytest.mark.sampled(3, kind=lambda way, turn, order: way)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("way", WAYS)
def test_shares_of_a_table_do_not_depend_on_axes_mirrors_and_order(way, turn, order):
    pull = [1.5 * MU * MASS * G, 0.3 * MU * MASS * G, 0.0]
    first, second = (
        ts.simulate(ts.load(made), 0.02, rate=500, **WAYS[way])
        for made in (table(5, force=pull), table(5, TURNS[turn], order, force=pull))
    )
    assert normals(second, 5, 5) == pytest.approx(normals(first, 5, 5), rel=1e-8)


@pytest.mark.sampled(3, kind=lambda way, legs: way)
@pytest.mark.parametrize("legs", [3, 4, 5, 6])
@pytest.mark.parametrize("way", WAYS)
def test_a_table_at_rest_on_a_slope_has_the_smallest_forces(way, legs):
    """Of all forces that hold a body: Σ F = −m g and Σ r × F = 0, six equations for 3 n forces."""
    tilt = 0.1
    weight = np.array([MASS * G * np.sin(tilt), 0.0, -MASS * G * np.cos(tilt)])
    made = table(legs, force=listed(weight + np.array([0.0, 0.0, MASS * G])))
    run = ts.simulate(ts.load(made), 0.01, rate=500, **WAYS[way])
    places = np.column_stack([feet(legs), np.full(legs, -HEIGHT)])
    crossed = [np.cross(place, axis) for place in places for axis in np.eye(3)]
    rows = np.vstack([np.tile(np.eye(3), legs), np.transpose(crossed)])
    expected = (np.linalg.pinv(rows) @ [*-weight, 0.0, 0.0, 0.0]).reshape(legs, 3)
    found = np.array([run.contact(f"c{k}").force[2] for k in range(legs)])  # N, then along x, y
    assert found == pytest.approx(expected[:, [2, 0, 1]], abs=1e-8 * MASS * G)
    assert np.abs(run.v).max() == 0.0


def sliding_directions(run: Any, k: int, legs: int) -> tuple[Array, Array]:
    """Of a table that turns about the vertical: places of its feet from its centre, directions."""
    turn = Rotation.from_quat([run[f"A_q{x}"][k] for x in "xyzw"]).as_matrix()[:2, :2]
    places = feet(legs) @ turn.T
    spin, v = run["A_wz"][k], np.array([run["A_x."][k], run["A_y."][k]])
    speeds = v + spin * np.column_stack([-places[:, 1], places[:, 0]])
    return places, speeds / np.linalg.norm(speeds, axis=1, keepdims=True)


@pytest.mark.parametrize("legs", [4, 5])
@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_slides_and_turns_has_the_smallest_forces_all_the_way(way, legs):
    """By steps the directions are those of the end of a step."""
    made = table(legs, v=[1.0, 0.4, 0.0], w=[0.0, 0.0, 3.0])
    run = ts.simulate(ts.load(made), 0.2, rate=50, **WAYS[way])
    near = 1e-6 if way in EVENTS else 50 * STEP
    for k in range(1, len(run.t)):
        expected = sliding_normals(*sliding_directions(run, k, legs))
        assert normals(run, legs, k) == pytest.approx(expected, rel=near)


def test_a_table_that_slides_and_turns_moves_alike_by_all_ways():
    made = ts.load(table(5, v=[1.0, 0.4, 0.0], w=[0.0, 0.0, 3.0]))
    joint, absolute, steps = (ts.simulate(made, 0.3, rate=50, **own) for own in WAYS.values())
    assert absolute.q == pytest.approx(joint.q, abs=1e-8)
    assert steps.q == pytest.approx(joint.q, abs=10 * STEP)


@pytest.mark.parametrize("legs", [3, 4, 5, 6])
@pytest.mark.parametrize("way", EVENTS)
def test_a_table_that_falls_flat_shares_its_shock_by_the_smallest_impulses(way, legs):
    """Σ P = m (1 + e) v and no moment, without friction."""
    law = {"restitution": 0.5, "friction": 0.0}
    made = ts.load(table(legs, law=law, v=[0.0, 0.0, -1.0]))
    run = ts.simulate(made, 0.01, rate=500, **WAYS[way])
    impulses = {event.name: event.impulse for event in run.events if event.cause == "shock"}
    rows = np.vstack([np.ones(legs), feet(legs).T])
    expected = np.linalg.pinv(rows) @ [MASS * 1.5, 0.0, 0.0]
    assert [impulses[f"c{k}"] for k in range(legs)] == pytest.approx(listed(expected), rel=1e-9)
    assert np.abs([run[f"A_w{axis}"] for axis in "xyz"]).max() < 1e-12


# --- a stop and a bearing ---------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_stop_and_the_friction_of_its_joint_share_a_shock_by_halves(way):
    """They hold one angle, and the couple of friction is far from its limit: both give I ω/2."""
    inertia, d, spin = 0.02, 0.2, 3.0
    entries = {
        "gravity": [0, 0, 0],
        "reactions": "least_norm",
        "bodies": {"arm": {"mass": MASS, "inertia": [0, 0, inertia], "centre": [d, 0, 0]}},
        "joints": {
            "a": {
                "type": "revolute",
                "bodies": ["ground", "arm"],
                "axis": "z",
                "limits": [-1, 0.3],
                "stop": {"restitution": 0},
                "friction": {"static": 5, "kinetic": 0, "radius": 0.1},
            }
        },
        "initial": {"a": 0, "a.": spin},
    }
    run = ts.simulate(ts.load(entries), 0.2, **WAYS[way])
    shock = next(event for event in run.events if event.cause == "shock")
    known = (inertia + MASS * d * d) * spin / 2
    assert shock.impulse == pytest.approx(known, rel=1e-3 if way == "steps" else 1e-9)
    assert run["a."][-1] == pytest.approx(0.0, abs=1e-9)
