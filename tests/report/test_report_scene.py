"""The scene: one description of what is seen, which every pencil draws."""

from dataclasses import dataclass, replace
from importlib.resources import files
from typing import ClassVar

import numpy as np
import pytest

import torseur as ts
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.protocol import JointType
from torseur.model.joints.symbol import Bar, Cylinder, Plate, Symbol, SymbolBlock
from torseur.report.drawing.pencil import strokes
from torseur.report.scene.camera import cameras
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.scene import scene
from torseur.report.scene.scene_solids import BallPart, Limb, MeshPart, Polyline, covers
from torseur.report.viewer.embedded import KINDS, document
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import turn

VIEW = cameras(np.array([0.0, 0.0, 1.0]))[0]


@dataclass(frozen=True)
class CrossTable(JointType):
    freedoms: ClassVar = (Slide(0), Slide(1))


@dataclass(frozen=True)
class PinInASlot(JointType):
    freedoms: ClassVar = (Slide(0), Turn(2))


@dataclass(frozen=True)
class Stated(JointType):
    freedoms: ClassVar = (Turn(2),)
    symbol: ClassVar = Symbol((SymbolBlock((1.0, 1.0, 1.0)),))


def example(name):
    return movement(ts.load(files("torseur.examples") / f"{name}.yaml"))


def test_a_joint_without_a_symbol_has_that_of_its_freedoms():
    table, slot = CrossTable().symbol, PinInASlot().symbol
    assert table.first == (Plate(2),)
    assert [type(part) for part in table.second] == [SymbolBlock]
    assert slot.second == (Bar(0), Cylinder(2))
    assert slot.axis == 0


def test_a_joint_that_states_its_symbol_has_this_one():
    assert Stated().symbol is Stated.symbol


def test_what_states_neither_symbol_nor_freedoms_is_not_drawn_and_no_fault():
    assert JointType().symbol == Symbol(foot=False)


@pytest.mark.parametrize(
    "kind", [x for x in JOINTS if hasattr(x, "axis")], ids=lambda x: x.__name__
)
def test_the_symbol_of_a_joint_turns_with_its_axis(kind):
    for axis in range(3):
        found = kind(axis=axis).symbol
        parts = [x for x in (*found.first, *found.second) if hasattr(x, "axis")]
        assert all(part.axis == axis for part in parts)


@pytest.mark.parametrize("name", ["slider_crank", "puma560", "cart_pendulum", "rolling_wheel"])
def test_the_page_has_the_solids_of_the_scene_and_nothing_else(name):
    found = example(name)
    seen, page = scene(found), document(found)
    for body in page["bodies"]:
        solids = seen.parts[body["name"]]
        assert [x["kind"] for x in body["parts"]] == [KINDS[type(x)] for x in solids]
        assert [x["style"] for x in body["parts"]] == [solid.style for solid in solids]
    assert [tie["name"] for tie in page["ties"]] == [tie.name for tie in seen.ties]


@pytest.mark.parametrize("name", ["slider_crank", "stewart_platform", "whitworth"])
def test_every_end_of_a_body_is_covered_by_its_parts(name):
    """Levers reach all the joints of a body, stars included."""
    seen = scene(example(name))
    for body, places in seen.places.items():
        if body != "ground":
            assert all(covers(seen.parts[body], place) for place in places[:2]), body


@pytest.mark.parametrize("flat", [(False, False), (True, False), (True, True)])
def test_a_limb_towards_the_reader_is_cut_and_its_pieces_come_nearer_one_by_one(flat):
    a = np.zeros(3)
    limb = Limb(a, a + VIEW.reader + 0.3 * VIEW.right, 0.05, 0.04, lift=0.0, flat=flat)
    pieces = list(strokes(limb, replace(VIEW, scale=100.0), "x"))
    depths = [piece.depth for piece in pieces]
    assert len(pieces) > 2
    assert depths == sorted(depths)
    assert [bool(piece.gradient) for piece in pieces] == [True] + [False] * (len(pieces) - 1)
    across = Limb(a, a + VIEW.right, 0.05, 0.04)
    assert len(list(strokes(across, replace(VIEW, scale=100.0), "x"))) == 1


def test_solids_move_as_their_frames_do():
    X = Pose(np.array([1.0, 2.0, 3.0]), turn(2, 0.5))
    ball, mesh = BallPart(np.array([1.0, 0.0, 0.0]), 0.1), MeshPart(np.eye(3), ((0, 1, 2),))
    np.testing.assert_allclose(ball.transformed(X).centre, X.point(ball.centre))
    np.testing.assert_allclose(mesh.transformed(X).vertices, [X.point(p) for p in mesh.vertices])


@pytest.mark.parametrize("name", ["box_on_slope", "rocking_block", "legged_robot", "bouncing_ball"])
def test_a_floor_reaches_further_than_what_stands_on_it(name):
    found = example(name)
    shown = scene(found)
    floor = np.concatenate([x.points for x in shown.parts["ground"] if isinstance(x, Polyline)])
    bodies = [solid.corners for body, solid in shown.solids(found) if body != "ground"]
    sites = [
        site.joint for site in shown.sites if site.joint.name in found.geometry.mechanism.contacts
    ]
    touching = [
        found.way(joint.second, joint.X_BM.numeric(found.geometry.numbers).p) for joint in sites
    ]
    assert np.concatenate(bodies).size and np.concatenate(touching).size
    for ways in touching:
        assert (floor[:, 0].min() < ways[:, 0]).all() and (ways[:, 0] < floor[:, 0].max()).all()
    if shown.shaped:
        width = np.ptp(np.concatenate(bodies)[:, 0])
        assert np.ptp(floor[:, 0]) > width


@pytest.mark.parametrize("name", ["box_on_slope", "rocking_block", "curling_stone"])
def test_what_touches_is_shown_where_it_starts(name):
    mechanism = ts.load(files("torseur.examples") / f"{name}.yaml")
    start = ts.simulate(mechanism, 0.01).q[0]
    np.testing.assert_allclose(movement(mechanism).q, start[None], atol=1e-12)


def test_symbols_of_what_has_no_size_are_as_large_as_its_travel_asks_for():
    mechanism = ts.load(files("torseur.examples") / "coulomb_oscillator.yaml")
    run = ts.simulate(mechanism, 20.0)
    travel = np.ptp(run["x"])
    assert 0.3 * travel < scene(movement(run)).size.unit < travel


@pytest.mark.parametrize(("name", "axis"), [("brake_squeal", 1), ("turntable", 2)])
def test_without_gravity_up_is_in_the_plane_of_what_slides_or_along_z(name, axis):
    np.testing.assert_array_equal(example(name).geometry.up, np.eye(3)[axis])
