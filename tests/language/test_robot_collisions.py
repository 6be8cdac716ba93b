"""Collision shapes of robot files: on request bodies touch with them, and pairs are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError

INERTIA = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
INERTIAL = f'<inertial><mass value="1"/>{INERTIA}</inertial>'


def value(x) -> float:
    """A number of a description."""
    return float(evaluate(x, {}))


def urdf_link(name: str, solid: str, origin: str = "0 0 0") -> str:
    geometry = f'<collision><origin xyz="{origin}"/><geometry>{solid}</geometry></collision>'
    return f'<link name="{name}">{INERTIAL}{geometry}</link>'


def urdf_joint(name: str, parent: str, child: str, origin: str) -> str:
    limit = '<limit lower="-3" upper="3" effort="5" velocity="1"/>'
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/>'
    return f'<joint name="{name}" type="revolute">{ends}<axis xyz="0 1 0"/>{limit}</joint>'


ARM = "".join(
    [
        '<robot name="arm">',
        urdf_link("base", '<box size="0.2 0.2 0.2"/>'),
        urdf_link("bar", '<cylinder radius="0.03" length="0.5"/>', "0 0 0.3"),
        urdf_link("tip", '<mesh filename="tip.stl" scale="0.5 0.5 0.5"/>'),
        urdf_joint("j", "base", "bar", "0 0 0.12"),
        urdf_joint("k", "bar", "tip", "0 0 0.7"),
        "</robot>",
    ]
)


def stl(points: np.ndarray) -> str:
    """A surface whose corners are some points."""
    rows = [f"vertex {x} {y} {z}" for x, y, z in points]
    loops = [
        "facet normal 0 0 1\nouter loop\n" + "\n".join(rows[k : k + 3]) + "\nendloop\nendfacet"
        for k in range(0, len(rows) - 2, 3)
    ]
    return "solid s\n" + "\n".join(loops) + "\nendsolid s\n"


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    cube = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
    (tmp_path / "tip.stl").write_text(stl(np.concatenate([cube, cube[:1]])), encoding="utf-8")
    (tmp_path / "arm.urdf").write_text(ARM, encoding="utf-8")
    return tmp_path / "arm.urdf"


def test_without_the_request_shapes_are_counted_and_the_option_is_named(arm):
    notices = ts.load(arm).notices
    assert "3 collision shapes were not read; load with collisions=True." in notices


def test_shapes_of_a_urdf_touch_and_neighbours_do_not(arm):
    model = ts.load(arm, collisions="all")
    links, ground = model.contacts["links"], model.contacts["ground"]
    assert set(links.without) == {("base", "bar"), ("bar", "tip")}
    assert ground.among == ("bar", "tip")  # the base is fixed
    assert not any("collision" in x for x in model.notices)
    # the cube of 0.1 m is at the height 0.12 + 0.7, upright; the box ends at 0.1
    assert ts.robots.distance(model, "base", "tip") == pytest.approx(0.82 - 0.05 - 0.1, abs=1e-12)
    assert ts.robots.collisions(model) == []
    folded = ts.robots.collisions(model, {"j": np.pi - 0.3})
    assert [x.first for x in folded if x.second == "ground"] == ["tip", "bar"]
    rows = ts.robots.distance(model, "base", "tip", np.array([[0.0, 0.0], [1.0, 0.5]]))
    single = [ts.robots.distance(model, "base", "tip", q) for q in ([0.0, 0.0], [1.0, 0.5])]
    assert rows == pytest.approx(single, abs=0)


def test_the_plane_and_the_pairs_of_links_are_asked_for_apart(arm):
    assert list(ts.load(arm, collisions=True).contacts) == ["links"]
    assert list(ts.load(arm, collisions="ground").contacts) == ["ground"]
    asked = {"self": False, "ground": -0.5, "friction": 0.3, "restitution": 0.1}
    ground = ts.robots.load(arm, collisions=asked).contacts["ground"]
    assert [value(x) for x in ground.through] == [0, 0, -0.5]
    assert (value(ground.friction.kinetic), value(ground.restitution)) == (0.3, 0.1)


def test_an_srdf_beside_the_file_leaves_pairs_out(arm):
    pair = '<disable_collisions link1="base" link2="tip" reason="Never"/>'
    arm.with_suffix(".srdf").write_text(f'<robot name="arm">{pair}</robot>', encoding="utf-8")
    model = ts.load(arm, collisions=True)
    assert "links" not in model.contacts  # no pair is left
    assert "1 pairs do not collide by arm.srdf." in model.notices


def test_pairs_that_overlap_at_home_are_left_out_and_named(tmp_path):
    text = ARM.replace('xyz="0 0 0.7"', 'xyz="0 0 0"').replace(
        '<mesh filename="tip.stl" scale="0.5 0.5 0.5"/>', '<sphere radius="0.05"/>'
    )
    (tmp_path / "arm.urdf").write_text(text, encoding="utf-8")
    model = ts.load(tmp_path / "arm.urdf", collisions=True)
    assert "Pairs that overlap at home do not collide: base – tip." in model.notices


def test_an_object_that_overlaps_a_robot_at_home_touches_it(arm):
    ball = '<collision><geometry><sphere radius="0.2"/></geometry></collision>'
    text = ARM.replace(
        "</robot>",
        f'<link name="ball"><inertial><mass value="1"/></inertial>{ball}</link><joint name="loose" '
        'type="floating"><parent link="base"/><child link="ball"/></joint></robot>',
    )
    arm.write_text(text, encoding="utf-8")
    model = ts.load(arm, collisions=True)
    assert "ball" in model.contacts["links"].among
    assert not any("ball" in pair for pair in model.contacts["links"].without)


def test_a_loop_of_sdf_has_its_shapes(tmp_path):
    """Each link of the loop is carried by a joint, one of them by two."""
    ball = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry>"
    inertia = "<inertial><mass>1</mass></inertial>"
    link = f"<link name='{{}}'>{inertia}{ball}</collision></link>"
    joint = "<joint name='{0}' type='revolute'><parent>{1}</parent><child>{2}</child>"
    ends = (("j", "world", "a"), ("k", "a", "b"), ("m", "b", "c"), ("n", "c", "a"))
    axis = "<axis><xyz>0 0 1</xyz></axis></joint>"
    parts = [link.format(x) for x in "abc"] + [joint.format(*x) + axis for x in ends]
    path = tmp_path / "loop.sdf"
    path.write_text(f"<sdf version='1.9'><model name='m'>{''.join(parts)}</model></sdf>")
    assert len(ts.load(path, collisions=True).bodies) == 3


def test_a_mesh_of_many_points_has_a_hull_of_256_and_says_how_much_is_cut(arm):
    points = np.random.default_rng(0).normal(size=(600, 3))
    points /= 10 * np.linalg.norm(points, axis=1, keepdims=True)  # a ball of 0.1 m, then scaled
    arm.with_name("tip.stl").write_text(stl(points), encoding="utf-8")
    model = ts.load(arm, collisions=True)
    (part,) = model.bodies["tip"].collision
    assert len(part.shape[1]["points"]) == 256
    (cut,) = (x for x in model.notices if "256 vertices here" in x)
    assert 0 < cut.values["cut"] < 0.1 * 0.05


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("every", 'choice "every" does not exist'),
        ({"floor": 1}, 'entry "floor" does not exist'),
        ({"friction": "much"}, '"friction" is much, not a number'),
        ({"srdf": "none.srdf"}, 'the file "none.srdf" does not exist'),
    ],
)
def test_a_wrong_request_is_named(arm, asked, told):
    with pytest.raises(ModelError, match=told):
        ts.load(arm, collisions=asked)


SDF = """<sdf version="1.9"><model name="pair"><link name="a"><inertial><mass>1</mass></inertial>
<collision name="c"><pose>0 0 0.1 0 0 0</pose><geometry><sphere><radius>0.1</radius></sphere>
</geometry><surface><friction><ode><mu>{mu}</mu><mu2>0.5</mu2></ode></friction></surface>
</collision></link><link name="b"><pose>1 0 0 0 0 0</pose><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
</link></model></sdf>"""


def test_of_two_coefficients_of_an_sdf_the_smaller_acts(tmp_path):
    path = tmp_path / "pair.sdf"
    path.write_text(SDF.format(mu=0.4), encoding="utf-8")
    model = ts.load(path, collisions="all")
    piles = [(x.among, value(x.friction.kinetic)) for x in model.contacts.values()]
    assert (("a", "b"), 0.4) in piles
    assert (("a",), 0.4) in piles  # with the plane
    assert (("b",), 1.0) in piles
    assert any("<ode><mu2> (1)" in x for x in model.notices)
    assert not any("<link><collision>" in x for x in model.notices)


MJCF = """<mujoco><worldbody><geom type="plane" size="0 0 1" pos="0 0 -1" friction="0.3"/>
<geom type="box" size="0.1 0.1 0.1" pos="3 0 0"/>
<body name="a"><freejoint/><geom size="0.1" friction="0.8"/></body>
<body name="b" pos="1 0 0"><freejoint/><geom type="capsule" size="0.1 0.2" friction="0.5"/></body>
<body name="c" pos="2 0 0"><freejoint/><geom type="cylinder" size="0.1 0.2" condim="1"/></body>
<body name="d" pos="0 2 0"><freejoint/><geom size="0.1" contype="2" conaffinity="2"/></body>
</worldbody><contact><exclude body1="a" body2="b"/></contact></mujoco>"""


def test_masks_excludes_frictions_and_the_world_of_an_mjcf(tmp_path):
    pytest.importorskip("mujoco")
    path = tmp_path / "four.xml"
    path.write_text(MJCF, encoding="utf-8")
    model = ts.load(path, collisions=True)
    links = [x for x in model.contacts.values() if x.normal is None]
    pairs = {frozenset(p) for x in links for p in x.without}
    of_sets = {frozenset(("d", name)) for name in ("a", "b", "c", "world_shapes")}
    assert pairs == {frozenset("ab"), *of_sets}
    assert len(model.bodies["world_shapes"].collision) == 1

    def law(one: str, other: str) -> float:
        both = [x for x in links if {one, other} <= set(x.among)]
        return value(both[0].friction.kinetic) if both[0].friction else 0.0

    assert law("a", "c") == 0.8  # the larger of 0.8 and 0
    assert law("b", "c") == 0.5
    assert law("b", "world_shapes") == 1.0
    planes = [x for x in model.contacts.values() if x.normal is not None]
    frictions = {name: value(x.friction.kinetic) for x in planes for name in x.among}
    assert frictions == {"a": 0.8, "b": 0.5, "c": 0.3}  # d meets no plane of another set


FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


def block(low: list[float], high: list[float]) -> np.ndarray:
    """The corners of the triangles of a box."""
    corners = [[x, y, z] for x, y, z in np.ndindex(2, 2, 2)]
    return (np.array(low) + np.array(corners) * (np.array(high) - low))[FACES].reshape(-1, 3)


def test_parts_of_a_mesh_touch_one_by_one(arm):
    """A fork of two prongs, 0.1 m apart: something between them touches the hull of both only."""
    prongs = [block([-0.2, -0.15, 0], [0.2, -0.05, 0.4]), block([-0.2, 0.05, 0], [0.2, 0.15, 0.4])]
    arm.with_name("tip.stl").write_text(stl(np.concatenate(prongs)), encoding="utf-8")
    whole, parts = (ts.robots.load(arm, collisions=x) for x in (True, {"parts": True}))
    assert any("is concave" in x and "67%" in x for x in whole.notices)
    assert not any("concave" in x for x in parts.notices)
    assert [len(model.bodies["tip"].collision) for model in (whole, parts)] == [1, 2]
    beside = [ts.robots.ray(model, "ground", [0, 0, 1], {"j": 0.0}, without=["base", "bar"])
              for model in (whole, parts)]  # fmt: skip
    assert beside[0].distance == pytest.approx(0.82) and beside[1].distance == np.inf
