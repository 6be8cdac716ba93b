"""Models of a scene that touch each other, by `include` and by `ts.robots.attach`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

G = 9.81


def box_urdf(name: str, size: float) -> str:
    """A free box, of 1 kg."""
    return f"""<robot name="{name}"><link name="{name}">
<inertial><mass value="1"/>
<inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="{size} {size} {size}"/></geometry></collision></link></robot>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.urdf").write_text(box_urdf("one", 0.2))
    (tmp_path / "two.urdf").write_text(box_urdf("two", 0.1))
    (tmp_path / "arm.urdf").write_text("""<robot name="arm">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="rod"><inertial><origin xyz="0 0 0.2"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.03" length="0.3"/></geometry>
</collision></link>
<joint name="a" type="continuous"><parent link="base"/><child link="rod"/>
<origin xyz="0 0 0.15"/><axis xyz="0 1 0"/></joint>
</robot>""")
    return tmp_path


def scene(folder: Path, text: str) -> ts.Mechanism:
    path = folder / "scene.yaml"
    path.write_text(text)
    return ts.load(path)


TABLE = """
gravity: [0, 0, -9.81]
bodies:
  table:
    collision: [{shape: {box: {size: [2, 2, 0.1]}}, position: [0, 0, -0.05], friction: 0.5}]
joints: {T: {type: fixed, bodies: [ground, table]}}
include:
"""


def test_a_box_on_a_box_on_a_table(folder):
    model = scene(
        folder,
        TABLE.replace("MU", "0.5")
        + """
- {file: one.urdf, free_base: true, collisions: {friction: 0.3}}
- {file: two.urdf, free_base: true, collisions: true, prefix: b_}
""",
    )
    start = {"base_z": 0.1, "b_base_z": 0.25}
    run = ts.simulate(model, 0.5, method="moreau", step=1e-3, initial=start)
    forces: dict[Any, float] = {}
    for touch in run.touching[-2]:
        pair = frozenset((touch.first, touch.second))
        forces[pair] = forces.get(pair, 0.0) + abs(float(touch.force[2]))
    assert forces[frozenset(("table", "one"))] == pytest.approx(2 * G, rel=1e-6)
    assert forces[frozenset(("one", "b_two"))] == pytest.approx(G, rel=1e-6)
    frictions = {(x.first, x.second): x.friction for x in run.touching[-2]}
    assert set(frictions.values()) == {0.5, 1.0}  # the larger of two


def test_arms_on_a_table_touch_each_other_but_not_what_carries_them(folder):
    model = scene(
        folder,
        TABLE.replace("MU", "0.5")
        + """
- {file: arm.urdf, collisions: true, prefix: l_, at: [table, [0, 0, 0.1]]}
- {file: arm.urdf, collisions: true, prefix: r_, at: [table, [0.25, 0, 0.1]]}
""",
    )
    assert ts.robots.collisions(model) == []
    pairs = {(x.first, x.second) for x in ts.robots.collisions(model, {"l_a": 0.9, "r_a": -0.3})}
    assert pairs == {("l_rod", "r_rod")}
    low = {(x.first, x.second) for x in ts.robots.collisions(model, {"r_a": 2.6})}
    assert ("table", "r_rod") in low


def test_shapes_without_self_collision_still_touch_other_models(folder):
    model = scene(
        folder,
        TABLE.replace("MU", "0.5")
        + """
- {file: arm.urdf, collisions: {self: false}, prefix: l_, at: [table, [0, 0, 0.1]]}
- {file: one.urdf, free_base: true, collisions: true}
""",
    )
    meeting = model.contacts["meeting"]
    assert ("l_base", "l_rod") in meeting.without
    near = {
        (x.first, x.second) for x in ts.robots.collisions(model, {"base_x": 0.1, "base_z": 0.45})
    }
    assert near == {("l_rod", "one")}


def test_a_tool_that_is_attached_touches_the_rest_of_the_robot_on_request(folder):
    arm = ts.robots.load(folder / "arm.urdf", collisions=True)
    tool = {
        "bodies": {"ball": {"mass": 0.1, "inertia": [1e-4] * 3,
                            "collision": [{"shape": {"sphere": {"radius": 0.05}}}]}},
        "joints": {"h": {"type": "revolute", "bodies": ["ground", "ball"], "axis": "y",
                         "point": [[0, 0, 0], [0.3, 0, 0]], "coordinate": "h"}},
    }  # fmt: skip
    alone, armed = (
        ts.robots.attach(arm, tool, "rod", position=[0, 0, 0.35], prefix="t_", collisions=x)
        for x in (False, {"friction": 0.4})
    )
    assert "meeting" not in alone.contacts
    contact = armed.contacts["meeting"]
    assert contact.among == ("base", "rod", "t_ball")
    assert str(contact.friction.kinetic) == "2/5"
    assert ("rod", "t_ball") in contact.without  # one joint joins them


def test_the_law_is_checked(folder):
    arm = ts.robots.load(folder / "arm.urdf", collisions=True)
    with pytest.raises(ModelError, match="frictoin"):
        ts.robots.attach(arm, folder / "one.urdf", collisions={"frictoin": 0.4})
    with pytest.raises(ModelError, match="True or False or a dict"):
        ts.robots.attach(arm, folder / "one.urdf", collisions=3)
    with pytest.raises(ModelError, match="collision shapes"):
        scene(folder, TABLE + "\n- {file: arm.urdf, collisions: maybe}\n")


def test_what_is_saved_is_read_again(folder):
    model = scene(
        folder,
        TABLE.replace("MU", "0.5")
        + """
- {file: one.urdf, free_base: true, collisions: true}
""",
    )
    again = ts.load(model.save(folder / "again.yaml"))
    assert again.contacts["meeting"].among == model.contacts["meeting"].among
    q = np.r_[0, 0, 0.15, 1, 0, 0, 0]
    assert ts.compile(again).distance("table", "one", q) == pytest.approx(0.05)
