"""Shapes that touch: rims, hulls, several solids on a body, and bodies that joints hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

G = 9.81
STATE = 13  # numbers of a body
FLOOR = {"floor": {"among": "all", "normal": "z", "friction": 0.6}}
CUBE = [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]


def moved(
    body: dict[str, Any], start: dict[str, float], down: tuple[float, ...], seconds: float
) -> np.ndarray:
    """States of one free body on a floor."""
    sections = {"bodies": {"b": body}, "contacts": FLOOR, "gravity": list(down)}
    joints = {"J": {"type": "free", "bodies": ["ground", "b"]}}
    initial = {f"J_{name}": x for name, x in start.items()}
    model = ts.load({**sections, "joints": joints, "initial": initial})
    run = ts.simulate(model, seconds, method="moreau", step=1e-3, rate=100)
    return run.samples.kept_states[:, :STATE]


def slope(degrees: float) -> tuple[float, ...]:
    a = np.radians(degrees)
    return (float(G * np.sin(a)), 0.0, float(-G * np.cos(a)))


def test_a_cylinder_rolls_down_a_slope_at_two_thirds_of_what_slides():
    body = {"mass": 2, "shape": {"cylinder": {"radius": 0.1, "length": 0.3, "axis": "y"}}}
    states = moved(body, {"z": 0.1}, slope(10), 1.0)
    assert states[-1, 0] == pytest.approx(0.5 * 2 / 3 * G * np.sin(np.radians(10)), rel=3e-3)
    assert np.ptp(states[:, 2]) < 1e-9


def test_a_cylinder_stands_on_its_end():
    body = {"mass": 2, "shape": {"cylinder": {"radius": 0.1, "length": 0.3, "axis": "z"}}}
    states = moved(body, {"z": 0.15}, slope(5), 0.5)
    assert np.abs(states - states[0]).max() < 1e-12


def test_a_cylinder_on_its_end_tips_over_on_a_steep_slope():
    body = {"mass": 2, "shape": {"cylinder": {"radius": 0.1, "length": 0.6, "axis": "z"}}}
    states = moved(body, {"z": 0.3}, slope(25), 0.8)  # beyond atan(r / half length) = 18.4 degrees
    assert states[-1, 2] < 0.25


@pytest.mark.parametrize("degrees", [0.0, 20.0, 40.0])
def test_the_hull_of_the_corners_of_a_cube_moves_as_the_cube_does(degrees):
    box = {"mass": 1, "shape": {"box": {"size": [0.2, 0.2, 0.2]}}}
    hull = {**box, "collision": [{"hull": CUBE}]}
    start = {"z": 0.1}
    found = [moved(body, start, slope(degrees), 0.5) for body in (box, hull)]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_a_hull_of_many_vertices_rests_on_four_of_them():
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = [[0.1 * np.cos(a), 0.1 * np.sin(a), -0.05] for a in angles]
    body = {"mass": 1, "inertia": [0.01] * 3, "collision": [{"hull": [*ring, [0, 0, 0.1]]}]}
    sections = {"bodies": {"b": body}, "contacts": FLOOR, "gravity": [0, 0, -G]}
    joints = {"J": {"type": "free", "bodies": ["ground", "b"]}}
    model = ts.load({**sections, "joints": joints, "initial": {"J_z": 0.05}})
    run = ts.simulate(model, 0.2, method="moreau", step=1e-3, rate=20)
    forces = sum(touch.force for touch in run.touching[2])
    assert len(run.touching[2]) <= 4
    assert forces == pytest.approx([0, 0, G], abs=1e-9)
    assert np.ptp(run["J_z"]) < 1e-12


def test_a_prism_of_a_hundred_sides_rests_on_the_face_of_a_box():
    angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    sides = [[0.1 * np.cos(a), 0.1 * np.sin(a), z] for z in (-0.05, 0.05) for a in angles]
    body = {"mass": 1, "inertia": [0.01] * 3, "collision": [{"hull": sides}]}
    table = {"mass": 5, "inertia": [1] * 3, "shape": {"box": {"size": [1, 1, 0.1]}}}
    joints = {
        "T": {"type": "prismatic", "bodies": ["ground", "t"], "axis": "x", "coordinate": "x"},
        "J": {"type": "free", "bodies": ["ground", "b"]},
    }
    rest = {"bodies": {"t": table, "b": body}, "joints": joints, "gravity": [0, 0, -G]}
    model = ts.load({**rest, "contacts": {"all": {"among": "all"}}, "initial": {"J_z": 0.1}})
    run = ts.simulate(model, 0.1, method="moreau", step=1e-3, rate=20)
    touches = run.touching[1]
    assert len(touches) == 4
    assert sum(abs(touch.force) for touch in touches) == pytest.approx([0, 0, G], abs=1e-9)
    assert np.ptp(run["J_z"]) < 1e-12


def test_two_balls_on_a_body_move_as_the_ends_of_a_capsule_on_a_plane():
    mass = {"mass": 1, "inertia": [0.02, 0.02, 0.01]}
    capsule = {**mass, "shape": {"capsule": {"radius": 0.05, "length": 0.4, "axis": "x"}}}
    ball = {"shape": {"sphere": {"radius": 0.05}}}
    balls = [{**ball, "position": [x, 0, 0]} for x in (-0.2, 0.2)]
    start = {"z": 0.3, "qw": float(np.cos(0.2)), "qy": float(np.sin(0.2))}
    found = [moved(body, start, slope(5), 0.6) for body in (capsule, {**mass, "collision": balls})]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_solids_have_their_places_in_the_frame_of_the_body_not_at_its_centre_of_mass():
    ball = {"shape": {"sphere": {"radius": 0.1}}, "position": [0, 0, 0.3]}
    body = {"mass": 1, "centre": [0, 0, 0.3], "inertia": [0.01] * 3, "collision": [ball]}
    sections = {"bodies": {"b": body}, "contacts": FLOOR, "gravity": [0, 0, -G]}
    joints = {"J": {"type": "free", "bodies": ["ground", "b"]}}
    model = ts.load({**sections, "joints": joints, "initial": {"J_z": -0.2}})
    run = ts.simulate(model, 0.1, method="moreau", step=1e-3, rate=20)
    assert np.ptp(run["J_z"]) == 0.0


def test_a_cone_among_bodies_is_refused_by_name():
    body = {"mass": 2, "shape": {"cone": {"radius": 0.1, "height": 0.3}}}
    joints = {"J": {"type": "free", "bodies": ["ground", "b"]}}
    model = ts.load({"bodies": {"b": body}, "joints": joints, "contacts": {"p": {"among": "all"}}})
    with pytest.raises(ModelError, match='"b" is cone, which cannot touch others'):
        ts.simulate(model, 0.1, method="moreau")


@pytest.mark.parametrize(
    ("solid", "told"),
    [
        ({"hull": [[0, 0, 0]]}, "4 to 256 points, not 1"),
        ({"position": [0, 0, 0]}, "one of shape, hull and height_field"),
        ({"hull": CUBE, "shape": {"sphere": {"radius": 1}}}, "one of shape, hull and height_field"),
    ],
)
def test_a_solid_that_touches_is_a_shape_or_a_hull(solid, told):
    joints = {"J": {"type": "free", "bodies": ["ground", "b"]}}
    body = {"mass": 1, "inertia": [1, 1, 1], "collision": [solid]}
    with pytest.raises(ModelError, match=told):
        ts.load({"bodies": {"b": body}, "joints": joints})


def test_bodies_that_are_left_out_pass_through_each_other():
    ball = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
    joints = {f"F{k}": {"type": "free", "bodies": ["ground", f"b{k}"]} for k in range(3)}
    initial = {"F0_x.": 1.0, "F1_x": 0.05, "F2_x": 0.4}
    sections = {"bodies": {f"b{k}": ball for k in range(3)}, "joints": joints, "initial": initial}
    pile = {"among": "all", "without": [["b0", "b1"]]}
    run = ts.simulate(
        ts.load({**sections, "contacts": {"p": pile}}), 0.5, method="moreau", step=1e-3
    )
    assert run["F1_x"][-1] == 0.05
    assert run["F2_x."][-1] == pytest.approx(0.5, abs=1e-12)  # a shock of equal masses with e = 0
    with pytest.raises(ModelError, match='body "b9" does not exist'):
        ts.load({**sections, "contacts": {"p": {**pile, "without": [["b0", "b9"]]}}})
