"""Balls, drums with ropes, brake shoes and bevel wheels, in schemes and pictures."""

from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement_sources import still
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import BallPart, MeshPart
from torseur.report.schemes.body_lines import levers
from torseur.report.schemes.joint_symbols import arranged
from torseur.report.schemes.lines import SchemeStroke
from torseur.report.schemes.masses_and_drums import balls, drums, shoes
from torseur.report.schemes.scheme import scheme_marks
from torseur.report.schemes.scheme_sheet import Sheet

DIFFERENTIAL = {
    "parameters": {"r": 0.05, "s": 0.03, "I": 0.002},
    "bodies": {
        **{name: {"inertia": ["I", "I", "I"]} for name in ("housing", "left", "right")},
        "satellite": {"mass": 0.1, "inertia": ["I/10", "I/10", "I/10"]},
    },
    "joints": {
        "H": {"type": "pivot", "bodies": ["ground", "housing"], "axis": "x", "coordinate": "h"},
        **{name: {"type": "pivot", "bodies": ["ground", body], "axis": "x", "coordinate": q,
                  "point": [[at, 0, 0], [at, 0, 0]]}
           for name, body, q, at in (("L", "left", "a", "-2*r"), ("R", "right", "b", "2*r"))},
        "S": {"type": "pivot", "bodies": ["housing", "satellite"], "axis": "y",
              "point": [[0, "r", 0], [0, 0, 0]], "coordinate": "c"},
    },
    "constraints": {
        f"mesh {body}": {"type": "gear", "bodies": [body, "satellite"], "carrier": "housing",
                         "point": [at, "r", 0], "direction": "z"}
        for body, at in (("left", "-s"), ("right", "s"))
    },
}  # fmt: skip


def test_a_differential_is_seen_in_the_plane_of_its_axes_each_wheel_as_a_cone_on_its_shaft():
    sheet = Sheet(ts.load(DIFFERENTIAL), None, None, "auto")
    marks = [x for x in scheme_marks(sheet, False) if isinstance(x, SchemeStroke)]
    assert not [x for x in marks if x.style == "dashed"]  # no pitch circle seen askew
    scale = sheet.camera.scale
    cones = {
        body: [np.ptp(x.points, axis=0) / scale for x in marks
               if x.closed and len(x.points) == 5 and x.colour == sheet.colour(body)]
        for body in ("left", "right", "satellite")
    }  # fmt: skip
    # wheels of the radius 0.05 seen from the side are 0.1 high; the satellite, 0.06 wide
    assert any(size[1] == pytest.approx(0.1, rel=1e-6) for size in cones["left"])
    assert any(size[1] == pytest.approx(0.1, rel=1e-6) for size in cones["right"])
    assert any(size[0] == pytest.approx(0.06, rel=1e-6) for size in cones["satellite"])
    # shafts end at their wheels: none goes on to the middle
    middle = sheet.camera.at(np.zeros(3))
    for body in ("left", "right"):
        ends = [x.points for x in levers(sheet, arranged(sheet)) if x.colour == sheet.colour(body)]
        assert all(np.abs(p - middle).max(axis=1).min() > 1 for p in ends)


@pytest.mark.parametrize(
    ("name", "count"), [("ball_governor", 2), ("cart_pendulum", 1), ("double_pendulum", 0)]
)
def test_a_mass_at_the_end_of_an_arm_is_a_ball_in_schemes_and_pictures(name, count):
    """Point masses of the governor and of the cart; bars have an inertia, and no ball."""
    mechanism = ts.load(str(files("torseur.examples") / f"{name}.yaml"))
    sheet = Sheet(mechanism, None, None, "auto")
    assert len(list(balls(sheet, arranged(sheet)))) == count
    drawn = scene(still(geometry(mechanism, None), None).at(0))
    large = [
        x
        for parts in drawn.parts.values()
        for x in parts
        if isinstance(x, BallPart) and x.radius == pytest.approx(1.6 * drawn.size.radius)
    ]
    assert len(large) == count


def test_a_brake_has_its_drum_and_a_shoe_that_the_lever_presses():
    mechanism = ts.load(str(files("torseur.examples") / "shoe_brake.yaml"))
    sheet = Sheet(mechanism, None, None, "auto")
    drawn = arranged(sheet)
    pad, arm = shoes(sheet, drawn)
    axle = sheet.camera.at(np.zeros(3))
    reach = np.hypot(*(pad.points - axle).T) / sheet.camera.scale
    assert reach.min() == pytest.approx(0.15, rel=1e-6)  # on the drum
    assert pad.colour == arm.colour == sheet.colour("lever")
    drawn = scene(still(geometry(mechanism, None), None).at(0))
    assert any(isinstance(x, MeshPart) for x in drawn.parts["lever"])
    (drum,) = (x for x in drums(sheet) if x.colour == sheet.colour("drum"))
    assert np.ptp(drum.points, axis=0) / sheet.camera.scale == pytest.approx([0.3, 0.3], rel=1e-2)


def test_a_rope_over_a_drum_goes_from_one_strand_to_the_other():
    sheet = Sheet(ts.load(str(files("torseur.examples") / "capstan.yaml")), None, None, "auto")
    ropes = [x for x in drums(sheet) if x.style == "thin" and len(x.points) > 10]
    (rope,) = ropes
    tops = sheet.camera.at(np.array([[-0.1, 0, 0], [0.1, 0, 0]]))
    ends = sorted([rope.points[0], rope.points[-1]], key=lambda x: x[0])
    assert np.array(ends) == pytest.approx(np.array(sorted(tops, key=lambda x: x[0])), abs=1e-6)
