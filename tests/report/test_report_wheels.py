"""Gears, racks and belts are drawn from their constraints: whole teeth that meet gaps."""

from pathlib import Path as File

import numpy as np
import pytest

import torseur as ts
from torseur.model.constraints.selection import meshes
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import CylinderPart, MeshPart, Polyline
from torseur.report.scene.snapshot import outlook
from torseur.report.scene.wheels import Train, _pair, wheel_parts

EXAMPLES = File(ts.__file__).parent / "examples"
BODY = {"mass": 1, "inertia": [0.01, 0.01, 0.01]}
WHEELS = {
    "gravity": [0, -9.81, 0],
    "bodies": {"pinion": BODY, "rack": BODY, "wheel": BODY, "pulley": BODY},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "pinion"], "axis": "z"},
        "S": {"type": "prismatic", "bodies": ["ground", "rack"], "axis": "x",
              "point": [[0, -0.1, 0], [0, 0, 0]]},
        "B": {"type": "pivot", "bodies": ["ground", "wheel"], "axis": "z",
              "point": [[0, 0.3, 0], [0, 0, 0]]},
        "C": {"type": "pivot", "bodies": ["ground", "pulley"], "axis": "z",
              "point": [[0.7, 0.3, 0], [0, 0, 0]]},
    },
    "constraints": {
        "teeth": {"type": "gear", "kind": "rack", "joints": ["A", "S"], "radii": [0.1, 1]},
        "gear": {"type": "gear", "joints": ["A", "B"], "radii": [0.1, 0.2]},
        "belt": {"type": "belt", "joints": ["B", "C"], "radii": [0.15, 0.08]},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def moving():
    return movement(ts.load(WHEELS))


@pytest.fixture(scope="module")
def parts(moving):
    return list(wheel_parts(moving, scene(moving).size))


def profile(part):
    """The distances of the corners of a wheel from its axis."""
    return np.linalg.norm(part.vertices[:, :2], axis=1)


def test_teeth_are_whole_in_number_and_in_the_ratio_of_the_radii(parts):
    counts = {}
    for body, part in parts:
        if isinstance(part, MeshPart) and body != "rack":
            tips = profile(part) > 0.999 * profile(part).max()
            counts[body] = tips.sum() // 4  # two corners of a tooth, on two ends
    assert counts["wheel"] == 2 * counts["pinion"] >= 28


def test_the_pitch_circle_is_between_the_tips_and_the_roots(parts):
    for body, radius in (("pinion", 0.1), ("wheel", 0.2)):
        (wheel,) = (x for name, x in parts if name == body and isinstance(x, MeshPart))
        module = (profile(wheel).max() - profile(wheel).min()) / 2.25
        assert profile(wheel).max() - module == pytest.approx(radius)


def test_a_belt_touches_its_pulleys_and_leaves_them_along_tangents(parts):
    ((_, belt),) = ((body, part) for body, part in parts if isinstance(part, Polyline))
    points = np.array(belt.points)
    away = np.minimum(
        np.abs(np.linalg.norm(points - [0, 0.3, 0], axis=1) - 0.15),
        np.abs(np.linalg.norm(points - [0.7, 0.3, 0], axis=1) - 0.08),
    )
    assert away.max() < 1e-12
    steps = np.diff(points, axis=0)
    straight = steps[np.linalg.norm(steps, axis=1) > 0.3]
    assert len(straight) == 2
    leaving = points[1:][np.linalg.norm(steps, axis=1) > 0.3] - [0.7, 0.3, 0]
    assert abs(leaving[0] @ straight[0]) < 1e-12
    radii = {body: part.radius for body, part in parts if isinstance(part, CylinderPart)}
    assert radii == pytest.approx({"wheel": 0.15, "pulley": 0.08})


def test_teeth_of_a_planetary_gear_meet_gaps_at_all_six_pitch_points():
    moving = movement(ts.load(EXAMPLES / "planetary_reducer.yaml"))
    pairs = [_pair(moving, row) for row in meshes(moving.geometry.mechanism)]
    assert len(pairs) == 6
    hollow = {wheel.body for pair in pairs for wheel in pair if wheel.hollow}
    assert hollow == {"ground"}
    least = min(wheel.radius for pair in pairs for wheel in pair)
    assert min(Train(pairs, 2 * least / teeth).misfit for teeth in range(14, 31)) < 1e-6


def test_a_plane_mechanism_is_seen_along_the_normal_of_its_plane(moving):
    view = outlook(moving, scene(moving), 0)
    assert view.reader == pytest.approx([0, 0, 1])
    assert view.top == pytest.approx([0, 1, 0])


# --- what rubs ----------------------------------------------------------------------------------


def example(name):
    return movement(ts.load(EXAMPLES / f"{name}.yaml"))


def test_a_rope_goes_over_its_drum_and_down_to_both_weights():
    found = example("capstan")
    shown, R = scene(found), found.geometry.mechanism.parameters["R"]
    (drum,) = [x for x in shown.parts["ground"] if isinstance(x, CylinderPart)]
    assert drum.radius == pytest.approx(R) and abs(drum.axis[1]) == pytest.approx(1)
    (rope,) = [x for x in shown.parts["ground"] if isinstance(x, Polyline) and x.style == "belt"]
    away = np.array(rope.points) - drum.centre
    assert np.linalg.norm(away, axis=1) == pytest.approx(R)
    assert (away[:, 2] > -1e-12).all()  # over it: the weights hang
    hung = [tie for tie in shown.ties if tie.style == "rod"]
    starts = sorted(float(tie.ends[0][1][0]) for tie in hung)
    assert starts == pytest.approx(sorted(np.array(rope.points)[[0, -1], 0]))
    assert {tie.ends[1][0] for tie in hung} == {"left", "right"}


@pytest.mark.parametrize(
    ("name", "body", "radius"), [("shoe_brake", "drum", "r"), ("curling_stone", "stone", "R")]
)
def test_what_is_rubbed_on_has_the_radius_of_its_law(name, body, radius):
    found = example(name)
    wanted = found.geometry.mechanism.parameters[radius]
    discs = [x.radius for x in scene(found).parts[body] if isinstance(x, CylinderPart)]
    assert pytest.approx(wanted) in discs
