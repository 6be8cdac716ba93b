"""Normalised schemes: symbols by freedoms, classes of bodies, SVG and TikZ."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from test_cli import torseur

import torseur as ts
from torseur.model.joints import library
from torseur.report.schemes.lines import Stroke
from torseur.report.schemes.scheme import Sheet, classes
from torseur.report.schemes.symbols import Hull, scheme_symbol
from torseur.spatial.hulls import outline

JOINTS = [x for x in vars(library).values() if isinstance(x, type) and hasattr(x, "words")]
HINGE = """torseur: 1
bodies: {door: {mass: 1, centre: [0.5, 0, 0], inertia: [0, 0, 0.1]}, knob: {mass: 0.1}}
joints:
  A: {type: pivot, bodies: [ground, door], axis: z, coordinate: theta}
  K: {type: fixed, bodies: [door, knob], point: [[1, 0, 0], [0, 0, 0]]}
"""


@pytest.fixture(scope="module")
def hinge(tmp_path_factory):
    file = tmp_path_factory.mktemp("hinge") / "hinge.yaml"
    file.write_text(HINGE)
    return ts.load(str(file)), str(file)


@pytest.mark.parametrize("kind", [k for k in JOINTS if k.__name__ != "ParallelAxes"],
                         ids=lambda k: k.__name__)  # fmt: skip
def test_every_joint_of_elementary_freedoms_has_a_normalised_symbol(kind):
    found = scheme_symbol(kind().freedoms)
    assert found is not None
    if 0 < kind().nv < 6:
        assert found.first
        assert found.second or found.second_behind


def test_a_pivot_is_two_circles_from_its_end_and_a_sleeve_across(hinge):
    """From the end the outlines are round; across, as long as the sleeve and as wide as it."""
    for view, ratio in (("z", 1.0), ("x", 1.7)):
        sheet = Sheet(hinge[0], None, None, view)
        ground = [m for m in sheet.marks(False) if isinstance(m, Stroke) and m.closed]
        size = np.ptp(ground[0].points, axis=0)
        assert max(size) / min(size) == pytest.approx(ratio, rel=2e-2)


def test_bodies_that_are_fixed_to_each_other_are_one_class(hinge):
    assert classes(hinge[0]) == {"ground": 0, "door": 1, "knob": 1}


def test_a_pinion_has_a_pitch_circle_and_its_rack_a_pitch_line_along_its_way():
    body = {"mass": 1, "inertia": [0.01, 0.01, 0.01]}
    model = {
        "bodies": {"pinion": body, "rack": body},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "pinion"], "axis": "z"},
            "S": {"type": "prismatic", "bodies": ["ground", "rack"], "axis": "x",
                  "point": [[0, -0.1, 0], [0, 0, 0]]},
        },
        "constraints": {
            "teeth": {"type": "gear", "kind": "rack", "joints": ["A", "S"], "radii": [0.1, 1]}
        },
    }  # fmt: skip
    marks = Sheet(ts.load(model), None, None, "z").marks(False)
    lines = [m.points for m in marks if isinstance(m, Stroke) and m.style == "dashed"]
    (wide, tall), (along, across) = (np.ptp(points, axis=0) for points in lines)
    assert wide == pytest.approx(tall, rel=1e-3)
    assert along == pytest.approx(wide, rel=1e-3)
    assert across == pytest.approx(0.0, abs=1e-6)


def test_an_outline_is_convex_and_holds_all_points():
    points = np.random.default_rng(3).normal(size=(60, 2))
    corners = outline(points)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = np.array([a[1] - b[1], b[0] - a[0]])
        assert ((points - a) @ side).min() > -1e-5


def test_hidden_edges_of_a_sleeve_face_away():
    tube = scheme_symbol(library.Revolute().freedoms).first[0]
    assert isinstance(tube, Hull)
    assert [float(n @ [0, 0, 1]) for n in tube.normals] == [1.0, -1.0]


@pytest.mark.parametrize("name", ["slider_crank", "planetary_reducer", "wheelie"])
def test_a_scheme_names_joints_and_bodies_and_is_well_formed(name, tmp_path):
    from importlib.resources import files

    mechanism = ts.load(files("torseur.examples") / f"{name}.yaml")
    path = ts.pictures.scheme(mechanism, tmp_path / "s.svg")
    root = ElementTree.parse(path).getroot()
    told = "".join(root.itertext())
    assert all(body in told for body in mechanism.bodies)
    assert not re.search(r"nan|inf", path.read_text())
    used = {x.get("class").split()[1] for x in root if "path" in x.tag}
    assert len(used) == min(8, len(set(classes(mechanism).values())))
    bare = ts.pictures.scheme(mechanism, tmp_path / "bare.tikz", names=False).read_text()
    assert r"\node" not in bare
    assert bare.count(r"\begin{tikzpicture}") == bare.count(r"\end{tikzpicture}") == 1


def test_the_command_draws_and_refuses_other_formats(hinge, tmp_path):
    done = torseur("draw", hinge[1], "-o", str(tmp_path / "a.tex"), "--view", "perspective")
    assert done.returncode == 0
    assert (tmp_path / "a.tex").read_text().startswith(r"\documentclass")
    with pytest.raises(ts.ModelError, match="not a format of schemes"):
        ts.pictures.scheme(hinge[0], tmp_path / "a.bmp")
    with pytest.raises(ts.ModelError, match="view"):
        ts.pictures.scheme(hinge[0], tmp_path / "a.svg", view="behind")


def test_names_of_sliders_and_the_ground_are_where_sliders_have_come_to():
    """A slider at x = 2 m: its sleeve, its name and the hatching below it, none of them at 0."""
    sheet = Sheet(
        ts.load(
            {
                "bodies": {"shoe": {"mass": 1}, "arm": {"mass": 1, "centre": [0, 1, 0]}},
                "joints": {
                    "rail": {"type": "slider", "bodies": ["ground", "shoe"], "axis": "x"},
                    "pin": {"type": "pivot", "bodies": ["shoe", "arm"], "axis": "z"},
                    "wall": {
                        "type": "pivot",
                        "bodies": ["ground", "arm"],
                        "axis": "z",
                        "point": [[0, 1, 0], [0, 2, 0]],
                    },
                },
                "initial": {"rail": 2.0},
            }
        ),
        None,
        None,
        "auto",
    )
    (slider,) = (site for site in sheet.seen.sites if site.joint.name == "rail")
    at = sheet.camera.at(sheet.poses["shoe"].p)
    assert np.abs(sheet.camera.at(sheet._drawn_at(slider)) - at).max() < 3 * sheet.radius * (
        sheet.camera.scale
    )
    grounds = sheet.camera.at(np.array(sheet._grounded()))
    assert min(np.hypot(*(grounds - at).T)) < 3 * sheet.radius * sheet.camera.scale


def test_the_ground_holds_the_springs_that_are_fixed_to_it():
    described = {
        "bodies": {"cart": {"mass": 1}},
        "joints": {"rail": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x"}},
        "forces": {
            "s": {
                "type": "spring",
                "between": [["ground", [-1, 0, 0]], ["cart", [0, 0, 0]]],
                "stiffness": 40,
            }
        },
    }
    sheet = Sheet(ts.load(described), None, None, "auto")
    assert any(np.allclose(at, [-1, 0, 0]) for at in sheet._grounded())


def test_a_ladder_is_drawn_between_its_feet_and_planes_are_under_them():
    ladder = ts.load(
        {
            "bodies": {"ladder": {"mass": 10, "inertia": [0, 0, 3]}},
            "joints": {"plane": {"type": "planar", "bodies": ["ground", "ladder"], "normal": "z"}},
            "constraints": {
                "floor": {
                    "type": "point on plane",
                    "bodies": ["ground", "ladder"],
                    "point": [[0, 0, 0], [0, -2, 0]],
                    "normal": "y",
                },
                "wall": {
                    "type": "point on plane",
                    "bodies": ["ground", "ladder"],
                    "point": [[0, 0, 0], [0, 2, 0]],
                    "normal": "x",
                },
            },
            "initial": {"plane_angle": 0.35},
        }
    )
    sheet = Sheet(ladder, None, None, "auto")
    pose = sheet.poses["ladder"]
    foot, head = pose.point(np.array([0, -2.0, 0])), pose.point(np.array([0, 2.0, 0]))
    places = {site.joint.name: sheet._drawn_at(site) for site in sheet.seen.sites}
    np.testing.assert_allclose(places["floor"], foot, atol=1e-9)
    np.testing.assert_allclose(places["wall"], head, atol=1e-9)
    levers = [mark.points for mark in sheet._levers() if isinstance(mark, Stroke)]
    ends = [np.abs(sheet.camera.at(p) - line[-1]).max() for p in (foot, head) for line in levers]
    assert sorted(ends)[1] < 1e-6


def test_a_belt_goes_about_its_pulleys():
    """A closed way of the length of two half circles and two straight pieces: equal radii."""
    drive = ts.load(
        {
            "bodies": {"a": {"inertia": [1, 1, 1]}, "b": {"inertia": [1, 1, 1]}},
            "joints": {
                "A": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
                "B": {
                    "type": "pivot",
                    "bodies": ["ground", "b"],
                    "axis": "z",
                    "point": [[1, 0, 0], [0, 0, 0]],
                },
            },
            "constraints": {"belt": {"type": "belt", "joints": ["A", "B"], "radii": [0.2, 0.2]}},
        }
    )
    sheet = Sheet(drive, None, None, "auto")
    *pulleys, belt = sheet._belts()
    assert len(pulleys) == 2 and {x.colour for x in pulleys} == {1, 2}
    pieces = np.linalg.norm(np.diff(belt.points / sheet.camera.scale, axis=0), axis=1)
    assert pieces.sum() == pytest.approx(2 + 0.4 * np.pi, rel=2e-3)
