"""The drawing of a mechanism: every joint has its symbol, every coordinate its label."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from random_trees import EVERY_JOINT
from written_text import drawing

from torseur.algebra.core.expr import expression, symbol
from torseur.errors import ModelError
from torseur.language.phrase.phrase_mechanism import phrase_mechanism
from torseur.model.description import Body, Joint, Mechanism, Parameter, Point
from torseur.report.drawing.drawing import figure
from torseur.report.scene.camera import cameras
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement_sources import still
from torseur.spatial.pose import Pose

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
ROBOTS = {
    "six axes": "RY(q1), TYK(L1), RX(q2), TYK(L2), RX(q3), TZK(L3), RX(q4), RY(q5), RZ(q6), "
    "TZK(L6);",
    "no lever at all": "RZ(q1), RY(q2), RX(q3);",
    "gantry": "TX(x), TY(y), TZ(z), RZ(c);",
    "two branches": "RZ(q1), TZK(L1), [RX(q2), TZK(L2)], RX(q3), TZK(L3);",
    "a turn in between": "RZ(q1), RXK(90deg), TXK(a), RZ(q2), TXK(2*b);",
    "one joint": "TX(x1);",
}


def vector(*values):
    return np.array([expression(x) for x in values], dtype=object)


def two_bodies(kind):
    """Two bodies on two joints of one kind, with lengths that have no value."""

    def joint(name, first, second, X):
        coordinates = tuple(f"{name}{k + 1}" for k in range(kind().nq))
        speeds = tuple(f"{name}{k + 1}." for k in range(kind().nv))
        return Joint(
            name, kind(), first, second, X, Pose(), coordinates, speeds, (None,) * kind().nq
        )

    L1, L2 = symbol("L1"), symbol("L2")
    return Mechanism(
        name=kind.__name__,
        parameter_table={name: Parameter(name) for name in ("L1", "L2")},
        bodies={name: Body(name) for name in ("ground", "1", "2")},
        joints={
            "q": joint("q", "ground", "1", Pose(vector(0, 0, 0))),
            "r": joint("r", "1", "2", Pose(vector(L1, 0, L1 / 2))),
        },
        gravity=vector(0, 0, -9.81),
        points={"tool": Point("tool", "2", vector(0, L2, L2))},
    )


def labels(svg):
    """The text of each label, without the marks that have no width."""
    elements = ET.fromstring(svg).iter(f"{SVG}text")
    return ["".join(element.itertext()).replace("\u200b", "") for element in elements]


def has_only_finite_numbers(svg):
    assert not re.search(r"\b(?:nan|inf)\b", svg, re.IGNORECASE)
    root = ET.fromstring(svg)
    shapes = [x for x in root.iter() if x.tag.removeprefix(SVG) in ("path", "circle", "ellipse")]
    places = [
        x.get(key) for x in shapes for key in ("d", "cx", "cy", "r", "rx", "ry") if x.get(key)
    ]
    numbers = [float(n) for text in places for n in NUMBER.findall(text)]
    return bool(numbers) and all(abs(n) < 1e5 for n in numbers)


@pytest.mark.parametrize("kind", EVERY_JOINT, ids=lambda kind: kind.__name__)
def test_every_kind_of_joint_is_drawn_with_its_coordinates(kind):
    mechanism = two_bodies(kind)
    svg = drawing(mechanism)
    assert has_only_finite_numbers(svg)
    words = ", ".join(labels(svg)).split(", ")
    for name in mechanism.coordinates:
        assert name in words


@pytest.mark.parametrize("name", ROBOTS)
def test_every_robot_is_drawn_with_its_axes(name):
    mechanism = phrase_mechanism(ROBOTS[name], masses="lever", gravity=(0, 0, -9.81))
    svg = drawing(mechanism)
    assert has_only_finite_numbers(svg)
    assert {*mechanism.coordinates, "X", "Y", "Z"} <= set(labels(svg))


def test_lengths_without_a_value_are_drawn_as_one_and_said_to_be():
    mechanism = phrase_mechanism(ROBOTS["six axes"])
    assert figure(mechanism).assumed == ("L1", "L2", "L3", "L6")
    assert any("drawn as 1: L1, L2, L3, L6" in text for text in labels(drawing(mechanism)))
    assert any("égales à 1" in text for text in labels(drawing(mechanism, lang="fr")))
    given = {"L1": 0.4, "L2": 0.5, "L3": 0.3, "L6": 0.1}
    assert figure(mechanism, parameters=given).assumed == ()


def test_joints_at_one_place_are_drawn_apart():
    wrist = phrase_mechanism(ROBOTS["six axes"])
    assert figure(wrist).apart
    assert not figure(phrase_mechanism("RZ(q1), TXK(L1), RZ(q2), TXK(L2);")).apart
    root = ET.fromstring(drawing(wrist))
    caps = [(x.get("cx"), x.get("cy")) for x in root.iter(f"{SVG}ellipse")]
    assert len(caps) == len(set(caps)) == 6


def test_the_pose_is_the_one_that_is_asked_for():
    arm = phrase_mechanism("RZ(q1), TXK(L1), RZ(q2), TXK(L2);")
    straight = drawing(arm, [0.0, 0.0])
    assert straight == drawing(arm, {"q1": 0.0})
    assert straight != drawing(arm, [0.0, 1.0])
    found, tool = still(geometry(arm), [0.0, np.pi / 2]), arm.points["tool"]
    (place,) = found.way(tool.body, found.geometry.numbers(tool.position))
    assert place == pytest.approx([1, 1, 0])
    with pytest.raises(ModelError, match="q3"):
        drawing(arm, {"q3": 1.0})
    with pytest.raises(ModelError, match="expected 2 values"):
        drawing(arm, [0.0, 0.0, 0.0])


def test_limits_and_initial_values_hold_in_the_pose_that_is_chosen():
    arm = phrase_mechanism("RZ(q1, 0.1, 0.2), TXK(L1), RZ(q2), TXK(L2);")
    found, elbow = still(geometry(arm)), arm.joints["2"]
    assert len(found.q) > 1
    for x, y, _ in found.way(elbow.first, found.geometry.numbers(elbow.X_AF.p)):
        assert 0.1 - 1e-12 <= np.arctan2(y, x) <= 0.2 + 1e-12


def test_two_drawings_in_a_page_do_not_share_their_gradients():
    first, second = (
        set(re.findall(r'id="([^"]+)"', drawing(phrase_mechanism(ROBOTS[name]))))
        for name in ("six axes", "two branches")
    )
    assert first
    assert first.isdisjoint(second)


def test_a_drawing_needs_nothing_from_the_network():
    svg = drawing(phrase_mechanism(ROBOTS["six axes"], name="<script>alert(1)</script>"))
    assert "<script" not in svg
    assert re.findall(r"http[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert "prefers-color-scheme: dark" in svg


def test_every_camera_has_the_vertical_upwards_and_right_angles():
    up = np.array([0.0, 0.6, 0.8])
    for view in cameras(up):
        frame = np.array([view.right, view.top, view.reader])
        assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(frame) == pytest.approx(1)
        assert view.at(up)[0] == pytest.approx(0, abs=1e-12)
        assert view.at(up)[1] < 0


def test_rates_have_their_dots_in_pictures():
    """ẋ is one sign; θ̇ has none, and its dot is set over it."""
    from torseur.report.drawing.labels import svg_name

    assert svg_name("x.") == "<tspan>ẋ</tspan>"
    assert svg_name("theta.").count("˙") == 1
    assert svg_name("theta1..").count("˙") == 2
    assert "˙" not in svg_name("theta1")
