"""Normalised schemes: symbols by freedoms, classes of bodies, SVG and TikZ."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from test_cli import torseur

import torseur as ts
from torseur.model.joints import library
from torseur.report.schemes.body_lines import grounded, levers, touches
from torseur.report.schemes.joint_symbols import arranged
from torseur.report.schemes.lines import SchemeName, SchemeStroke
from torseur.report.schemes.scheme import belt_lines, scheme_marks
from torseur.report.schemes.scheme_sheet import SPAN, Sheet, classes
from torseur.report.schemes.symbol_outlines import SymbolHull, scheme_symbol
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


@pytest.mark.parametrize(
    "kind",
    [k for k in JOINTS if k.__name__ not in ("Distance", "ParallelAxes")],
    ids=lambda k: k.__name__,
)
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
        ground = [m for m in scheme_marks(sheet, False) if isinstance(m, SchemeStroke) and m.closed]
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
    marks = scheme_marks(Sheet(ts.load(model), None, None, "z"), False)
    lines = [m.points for m in marks if isinstance(m, SchemeStroke) and m.style == "dashed"]
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
    assert isinstance(tube, SymbolHull)
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
    drawn = arranged(sheet)
    (slider,) = (one for one in drawn if one.name == "rail")
    at = sheet.camera.at(sheet.poses["shoe"].p)
    assert np.abs(sheet.camera.at(slider.at) - at).max() < 3 * sheet.px
    grounds = sheet.camera.at(np.array([held.at for held in grounded(sheet, drawn)]))
    assert min(np.hypot(*(grounds - at).T)) < 3 * sheet.px


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
    held = grounded(sheet, arranged(sheet))
    assert any(np.allclose(one.at, [-1, 0, 0]) for one in held)


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
    drawn = arranged(sheet)
    places = {one.name: one.at for one in drawn}
    np.testing.assert_allclose(places["floor"], foot, atol=1e-9)
    np.testing.assert_allclose(places["wall"], head, atol=1e-9)
    lines = [mark.points for mark in levers(sheet, drawn)]
    ends = [np.abs(sheet.camera.at(p) - line[-1]).max() for p in (foot, head) for line in lines]
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
    *pulleys, belt = belt_lines(sheet)
    assert len(pulleys) == 2 and {x.colour for x in pulleys} == {1, 2}
    pieces = np.linalg.norm(np.diff(belt.points / sheet.camera.scale, axis=0), axis=1)
    assert pieces.sum() == pytest.approx(2 + 0.4 * np.pi, rel=2e-3)


# --- what an examiner looks at ------------------------------------------------------------------


def example(name, view="auto"):
    from importlib.resources import files

    return Sheet(ts.load(files("torseur.examples") / f"{name}.yaml"), None, None, view)


def test_a_pivot_on_a_slider_is_in_the_colour_of_the_slider_and_its_rail_is_the_grounds():
    """The sleeve around the pin B of a piston is the piston's, or the pin would be the ground's."""
    sheet = example("slider_crank")
    drawn = {one.name: one for one in arranged(sheet)}
    assert drawn["P"].swapped
    np.testing.assert_allclose(drawn["P"].at, drawn["B"].at, atol=1e-9)
    assert drawn["P"].factor > drawn["B"].factor


def test_a_telescopic_leg_has_its_sleeve_between_its_ends():
    sheet = example("stewart_platform")
    drawn = {one.name: one for one in arranged(sheet)}
    for k in range(1, 7):
        base, top = drawn[f"U{k}"].M.p, drawn[f"P{k}"].M.p
        np.testing.assert_allclose(drawn[f"P{k}"].at, (base + top) / 2, atol=1e-9)


def test_a_mechanism_is_not_shown_at_a_dead_point():
    """The crank and the rod of a slider-crank make an angle, and no crank hides on its arm."""
    for name, (a, b, c) in (("slider_crank", "OAB"), ("whitworth", ("O", "pin", "Q"))):
        at = {one.name: one.at for one in arranged(example(name))}
        u, v = at[a] - at[b], at[c] - at[b]
        assert np.linalg.norm(np.cross(u, v)) > 0.2 * np.linalg.norm(u) * np.linalg.norm(v)


@pytest.mark.parametrize(
    "name", ["cylinder_holonomic", "single_cylinder_engine", "capstan", "stick_slip",
             "bouncing_ball", "peaucellier", "legged_robot"]
)  # fmt: skip
def test_what_moves_in_a_plane_is_seen_in_it_with_gravity_downwards(name):
    """Also where joints are defined, rods, or slides alone."""
    sheet = example(name)
    assert sheet.is_plane
    assert abs(sheet.camera.reader @ sheet.geometry.up) < 1e-9
    np.testing.assert_allclose(sheet.camera.top, sheet.geometry.up, atol=1e-9)


@pytest.mark.parametrize("name", ["crankshaft", "unbalanced_rotor", "screw_jack", "heavy_top"])
def test_what_is_long_along_its_axis_is_seen_in_perspective(name):
    sheet = example(name)
    assert 0.1 < abs(sheet.camera.reader @ sheet.geometry.up) < 0.9


def test_joints_at_one_place_of_a_plane_mechanism_are_one_within_the_other():
    sheet = example("peaucellier")
    drawn = {one.name: one for one in arranged(sheet)}
    for one, other in (("P1", "P2"), ("A", "A1"), ("O1", "O2")):
        np.testing.assert_allclose(drawn[one].at, drawn[other].at, atol=1e-9)
        assert drawn[one].factor != drawn[other].factor


def test_a_body_ends_at_its_own_end_of_a_rod():
    """The arms of a governor do not reach its sleeve: the links do."""
    sheet = example("ball_governor")
    drawn = arranged(sheet)
    sleeve = sheet.camera.at(sheet.poses["sleeve"].p)
    arms = [x.points for x in levers(sheet, drawn) if x.colour == sheet.colour("arm1")]
    assert arms
    assert min(np.hypot(*(line - sleeve).T).min() for line in arms) > 3 * sheet.px


def test_a_pendulum_without_named_points_fits_the_page_as_one_with_them():
    joint = {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z", "coordinate": "phi"}
    bob = {"mass": 1, "centre": [0, -2, 0], "inertia": [1, 1, 1]}
    model = {"gravity": [0, -9.81, 0], "bodies": {"bob": bob}, "joints": {"O": joint}}
    for points in ({}, {"points": {"B": ["bob", [0, -2, 0]]}}):
        sheet = Sheet(ts.load(model | points), None, None, "auto")
        (line,) = levers(sheet, arranged(sheet))
        assert np.ptp(line.points, axis=0).max() == pytest.approx(SPAN)


def test_a_wheel_touches_the_hatched_line_of_its_road_and_is_on_the_page():
    sheet = example("cylinder_contact")
    (road,) = touches(sheet)
    np.testing.assert_allclose(road.at, road.foot, atol=1e-9)
    marks = scheme_marks(sheet, True)
    wheel = max((x for x in marks if isinstance(x, SchemeStroke) and x.colour == 1),
                key=lambda x: np.ptp(x.points, axis=0).max())  # fmt: skip
    assert np.ptp(wheel.points, axis=0).max() < 560
    assert np.hypot(*(wheel.points - sheet.camera.at(road.foot)).T).min() < 0.1 * sheet.px + 12
    (name,) = (x for x in marks if isinstance(x, SchemeName) and x.text == "road")
    assert np.hypot(*(np.array(name.at) - sheet.camera.at(road.foot))) < 80


def test_contacts_of_one_plane_share_its_line_which_is_below_all_bodies():
    sheet = example("legged_robot")
    feet = np.array([sheet.camera.at(touch.foot) for touch in touches(sheet)])
    lines = [x.points for x in scheme_marks(sheet, False) if isinstance(x, SchemeStroke)]
    ground = [p for p in lines if len(p) == 2 and np.ptp(p[:, 1]) < 1e-6 < np.ptp(p[:, 0])]
    (road,) = [p for p in ground if np.allclose(p[0, 1], feet[0, 1])]
    assert road[:, 0].min() < feet[:, 0].min() < feet[:, 0].max() < road[:, 0].max()


def test_freedom_in_the_plane_of_the_page_has_no_symbol():
    """The planar joint by which a motorcycle has x, y and an angle is no plate in its wheel."""
    drawn = {one.name: one for one in arranged(example("motorcycle"))}
    assert not drawn["plane"].is_visible
    assert not grounded(example("motorcycle"), list(drawn.values()))


def test_stops_stand_where_the_lever_would_be():
    sheet = example("pendulum_between_stops")
    marks = [x.points for x in scheme_marks(sheet, False) if isinstance(x, SchemeStroke)
             and x.style == "thick"]  # fmt: skip
    assert len(marks) == 2
    joint = sheet.geometry.mechanism.joints["O"]
    low, high = sheet.geometry.limits(joint.limits[0])
    ways = [line[1] - line[0] for line in marks]
    angles = [np.arctan2(way[0], way[1]) for way in ways]
    assert abs(abs(angles[1] - angles[0]) - (high - low)) < 1e-6


def test_bodies_have_the_number_of_their_class_and_fixed_joints_no_name(hinge):
    marks = scheme_marks(Sheet(hinge[0], None, None, "auto"), True)
    names = {x.text for x in marks if isinstance(x, SchemeName)}
    assert {"1 door", "1 knob", "A"} == names


@pytest.mark.parametrize("name", ["speed_governor", "governor_with_friction"])
def test_a_sleeve_stands_beside_a_contact_of_its_rod(name):
    """The point I at which a fly-weight pushes is not within the sleeve of the pusher."""
    sheet = example(name)
    drawn = {one.name: one for one in arranged(sheet)}
    at = drawn["I"].at if "I" in drawn else touches(sheet)[0].at
    assert np.linalg.norm(drawn["rail"].at - at) > 2.5 * sheet.radius


def test_wheels_are_drawn_once_by_their_pitch_circles():
    sheet = example("planetary_reducer")
    assert not sheet.solids
    marks = scheme_marks(sheet, False)
    assert sum(x.style == "dashed" for x in marks if isinstance(x, SchemeStroke)) == 5


def test_the_guide_of_a_follower_is_on_the_other_side_than_its_cam():
    follower = {
        "bodies": {"cam": {"inertia": [1, 1, 1]}, "follower": {"mass": 1}},
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "cam"], "axis": "z"},
            "G": {
                "type": "slider",
                "bodies": ["ground", "follower"],
                "axis": "y",
                "point": [[0, 0.12, 0], [0, 0, 0]],
                "coordinate": "y",
            },
        },
        "contacts": {
            "C": {
                "bodies": ["cam", "follower"],
                "radius": 0.01,
                "on": "cam",
                "surface_outline": "0.04 + 0.015*cos(theta)",
                "surface_axis": "z",
            }
        },
        "initial": {"y": -0.055},
    }
    sheet = Sheet(ts.load(follower), None, None, "auto")
    guide = {one.name: one for one in arranged(sheet)}["G"]
    assert guide.at[1] > sheet.poses["follower"].p[1] + sheet.radius
    sizes = [np.ptp(solid.corners, axis=0).max() for _, solid in sheet.touched(sheet.touching[0])]
    t = np.linspace(0, np.pi, 1000)
    across = 2 * ((0.04 + 0.015 * np.cos(t)) * np.sin(t)).max()
    assert sorted(sizes) == pytest.approx([0.02, across], rel=1e-2)


@pytest.mark.parametrize(("name", "body", "corners"), [
    ("jansen_leg", "upper", 3),
    ("stewart_platform", "platform", 6),
    ("planetary_reducer", "carrier", 0),
])  # fmt: skip
def test_a_body_of_several_joints_is_a_frame_around_them_unless_one_is_inside(name, body, corners):
    sheet = example(name)
    lines = [x.points for x in levers(sheet, arranged(sheet)) if x.colour == sheet.colour(body)]
    frames = [line for line in lines if len(line) > 2]
    assert [len(line) - 1 for line in frames] == ([corners] if corners else [])
    assert all(np.array_equal(line[0], line[-1]) for line in frames)
    ends = [
        sheet.camera.at(at) for one in arranged(sheet) if one.joins(body) for at in one.ends(body)
    ]
    drawn = np.concatenate(lines)
    assert all(np.linalg.norm(drawn - end, axis=1).min() < 1e-6 for end in ends)


def test_a_solid_that_is_drawn_apart_from_its_centre_has_its_name_beside_it(tmp_path):
    """The rotor of a gyroscope turns where its suspension is; both are drawn, one above."""
    made = ts.load("gyroscope")
    picture = ts.pictures.scheme(made, tmp_path / "x.svg").read_text(encoding="utf-8")
    ((x, y),) = re.findall(r'<text class="t2 b" x="([-\d.]+)" y="([-\d.]+)">2 rotor', picture)
    lines = re.findall(r'<path class="[sw] c2" [^>]*d="M([^"]*?)Z?"', picture)
    places = np.array([[float(v) for v in at.split()] for d in lines for at in d.split("L")])
    assert np.hypot(*(places - [float(x), float(y)]).T).min() < 60
