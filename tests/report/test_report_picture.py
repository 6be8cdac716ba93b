"""A picture of a run: everything is in it, in its place, at every time that it shows."""

import re
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from written_text import picture

import torseur as ts
from torseur.model.mass.solids import SOLIDS
from torseur.report.drawing.pencil import strokes
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.shape_solids import loose, shape_solid, wheel
from torseur.report.scene.snapshot import Moment

SVG = "{http://www.w3.org/2000/svg}"
PLANE = {"four_bar": "z", "slider_crank": "z", "cart_pendulum": "z", "planetary_reducer": "x",
         "box_on_slope": "z", "stopping_block": "z", "bouncing_ball": "z", "brake_squeal": "z",
         "coulomb_oscillator": "z", "capstan": "y", "cartesian_pendulum": "z"}  # fmt: skip
IN_SPACE = ["cardan_shaft", "gyroscope", "unbalanced_rotor", "spherical_pendulum", "turntable"]
HALF_PIXEL = 0.5


@cache
def run(name, duration=0.3):
    path = files("torseur.examples") / f"{name}.yaml"
    return ts.simulate(ts.load(path), duration, rate=60 / duration)


def moment(name):
    return Moment(movement(run(name), reactions=False), 0.0, None)


def numbers(text):
    return np.array(re.findall(r"-?\d+(?:\.\d+)?", text), dtype=float)


def frame(svg):
    left, top, width, height = numbers(ET.fromstring(svg).get("viewBox"))
    return np.array([left, top]), np.array([left + width, top + height])


def ways(svg):
    """The ways of points on the page, each (samples, 2)."""
    paths = [x for x in ET.fromstring(svg).iter(f"{SVG}path") if "way" in x.get("class").split()]
    return [numbers(path.get("d")).reshape(-1, 2) for path in paths]


def dots(svg):
    """The points as they are drawn: their classes and their places."""
    circles = ET.fromstring(svg).iter(f"{SVG}circle")
    found = [x for x in circles if x.get("class") and "dot" in x.get("class").split()]
    return [
        (x.get("class").split(), np.array([float(x.get("cx")), float(x.get("cy"))])) for x in found
    ]


@pytest.mark.parametrize(("name", "axis"), PLANE.items())
def test_a_plane_mechanism_is_seen_along_its_normal_with_the_vertical_upwards(name, axis):
    found = moment(name)
    assert found.is_plane
    assert abs(found.view.reader["xyz".index(axis)]) == pytest.approx(1)
    assert found.view.top @ found.geometry.up == pytest.approx(1)


@pytest.mark.parametrize("name", IN_SPACE)
def test_a_mechanism_in_space_is_not_taken_for_a_plane_one(name):
    assert not moment(name).is_plane
    with pytest.raises(ts.ModelError, match="does not move in the plane"):
        picture(run(name), moving=True)


def test_the_reader_may_look_from_elsewhere():
    above = picture(run("four_bar"), reader=[1, 1, 1])
    assert above != picture(run("four_bar"))
    with pytest.raises(ts.ModelError, match="plane of the page"):
        picture(run("four_bar"), reader=[1, 1, 1], moving=True)


@pytest.mark.parametrize("name", [*PLANE, *IN_SPACE])
def test_ways_and_points_are_inside_the_picture(name):
    svg = picture(run(name), ghosts=2, size=(300, 200))
    low, high = frame(svg)
    places = [*ways(svg), *(at[None] for _, at in dots(svg))]
    assert high - low == pytest.approx([300, 200])
    for way in places:
        assert (low < way).all()
        assert (way < high).all()


def transformed(steps, at):
    """A place after translate(…) rotate(…) translate(…), as a browser computes it."""
    x, y, angle, back_x, back_y = numbers(steps)
    turn = np.radians(angle)
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.array([x, y]) + R @ (at + np.array([back_x, back_y]))


@pytest.mark.parametrize("name", PLANE)
def test_what_moves_in_a_picture_stays_on_the_ways_that_the_dynamics_give(name):
    svg = picture(run(name), 0.1, moving=True)
    animations = dict(re.findall(r"@keyframes ([\w-]+)\{(.*?\})\}", svg))
    moving = [name for name, _ in moment(name).ways()]
    assert len(dots(svg)) == len(moving)
    for (classes, at), way in zip(dots(svg), ways(svg), strict=True):
        steps = re.findall(r"\{transform:([^}]*)\}", animations[classes[-1]])
        shown = np.array([transformed(step, at) for step in steps])
        kept = np.linspace(0, len(way) - 1, len(steps)).round().astype(int)
        assert np.abs(shown - way[kept]).max() < HALF_PIXEL


def test_a_movement_that_comes_back_goes_on_and_another_returns_as_it_went():
    assert "alternate" in picture(run("four_bar"), moving=True)
    turn = run("whitworth", 1.0)
    assert "alternate" not in picture(turn, moving=True)


def test_a_saved_run_has_the_same_picture(tmp_path):
    run("four_bar").save(tmp_path / "run.nc")
    assert picture(ts.load_run(tmp_path / "run.nc")) == picture(run("four_bar"))


def test_a_picture_needs_nothing_from_the_network_and_no_script():
    svg = picture(run("four_bar"), moving=True)
    assert "<script" not in svg
    assert re.findall(r'(?:href|src|url)\s*[=(]\s*["\']?https?:', svg) == []


# --- solids from inertias -----------------------------------------------------------------------


def tensor(shape, mass):
    name, dimensions = shape
    return SOLIDS[name].mass_properties(dimensions, mass=mass).inertia.astype(float)


@pytest.mark.parametrize(
    ("moments", "arm"),
    [([2.0, 2.0, 3.0], [0, 0, 0]), ([1.5, 1.5, 1.5], [0, 0, 0]), ([1.5, 1.5, 1.5], [0, 0, 0.2]),
     ([1.2, 2.0, 2.6], [0.1, 0, 0])],
)  # fmt: skip
def test_the_solid_drawn_for_an_inertia_has_that_inertia(moments, arm):
    shape = loose(5.0, np.diag(moments), np.array(arm))
    assert tensor(shape, 5.0) == pytest.approx(np.diag(moments))


def test_a_wheel_is_drawn_only_about_the_axis_of_its_symmetry():
    inertia, here = np.diag([2.0, 2.0, 3.0]), np.zeros(3)
    assert tensor(wheel(5.0, inertia, here, 2), 5.0) == pytest.approx(inertia)
    assert wheel(5.0, inertia, here, 0) is None
    assert wheel(5.0, inertia, np.array([0.1, 0, 0]), 2) is None
    assert wheel(0.0, inertia, here, 2) is None


def test_of_a_box_the_three_faces_towards_the_reader_are_drawn():
    box = shape_solid(("box", {"size": [1.0, 2.0, 3.0]}), np.zeros(3), 0.1)
    found = list(strokes(box, moment("cardan_shaft").view, ""))
    assert len(found) == 3
