"""Robot files: whatever is not read is listed, by name and number, and flags are obeyed."""

from dataclasses import replace

import pytest

import torseur as ts
from torseur.language.mjcf.mjcf_table import MJCF as MJCF_TABLES
from torseur.language.robot.xml_tree import XmlElement
from torseur.language.sdf.sdf_reader import SDF as SDF_TABLES
from torseur.language.urdf.urdf_reader import URDF as URDF_TABLES

URDF = """<robot name="arm"><link name="base"><collision/></link>
<link name="bar"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
<collision/></link>
<joint name="j" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="0" jerk="9"/><safety_controller/></joint>
<gazebo/><gazebo/></robot>"""

SDF = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><wind/><physics/>
<plugin name="p"/><model name="arm" placement_frame="f"><self_collide>false</self_collide>
<link name="bar"><gravity>{gravity}</gravity><kinematic>false</kinematic>
<inertial auto="{auto}"><mass>1</mass><fluid_added_mass/></inertial><collision name="c"/>
<velocity_decay/></link>
<joint name="j" type="universal"><parent>world</parent><child>bar</child>
<axis><xyz>0 0 1</xyz><dynamics><damping>2</damping></dynamics></axis>
<axis2><xyz>0 1 0</xyz><dynamics><damping>2</damping></dynamics></axis2></joint>
</model></world></sdf>"""


def loaded(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return ts.load(path)


def test_what_a_urdf_has_besides_is_listed_once_by_name_and_number(tmp_path):
    m = loaded(tmp_path, URDF, "arm.urdf")
    listed = (
        "Not read: <gazebo> (2), <joint><safety_controller> (1), <limit jerk> (1), "
        '<link><collision> (2), <limit velocity="0"> (1).'
    )
    assert [x for x in m.notices if x.startswith("Not read")] == [listed]
    assert "Limits of joints that do not act on motions: effort (1)." in m.notices
    assert listed in ts.check(m).assumed
    assert listed in ts.simulate(m, 0.1).notices
    assert listed in ts.simulate(m, 0.1, initial={"j": [0.1, 0.2]}).notices


@pytest.mark.parametrize(("gravity", "auto"), [("true", "false"), ("false", "true")])
def test_what_an_sdf_has_besides_is_listed_unless_it_says_what_is_meant_anyway(
    tmp_path, gravity, auto
):
    m = loaded(tmp_path, SDF.format(gravity=gravity, auto=auto), "arm.sdf")
    (told,) = (x for x in m.notices if x.startswith("Not read"))
    places = "<world><wind> <world><plugin> <link><collision> <link><velocity_decay>"
    always = [*places.split(), "<inertial><fluid_added_mass>", "<axis2><dynamics>"]
    assert [x for x in [*always, "<model placement_frame>"] if f"{x} (1)" not in told] == []
    for part in ("physics", "self_collide", "kinematic", "<xyz"):
        assert part not in told
    assert ("<link><gravity> (1)" in told) == (gravity == "false")
    assert ("<inertial auto> (1)" in told) == (auto == "true")
    assert 'joint "j" (universal): not read: damping.' in m.notices


MJCF = """<mujoco><option {option}><flag {flags}/></option><worldbody>
<body><joint name="x" type="slide" stiffness="40" damping="3" frictionloss="0.5" axis="1 0 1"/>
<geom size="0.1" contype="0" conaffinity="0"/>
<body pos="0.3 0 0"><joint name="a" axis="0 1 0" stiffness="7" damping="{damping}"/>
<geom size="0.1" pos="0.2 0 0" contype="0" conaffinity="0"/></body></body></worldbody>
<equality><joint joint1="x" joint2="a" polycoef="0.1 0.4"/></equality></mujoco>"""


@pytest.mark.parametrize(
    "flags",
    [
        ["gravity"],
        ["spring"],
        ["damper"],
        ["equality"],
        ["gravity", "spring", "damper"],
        ["constraint", "gravity"],
        ["contact", "warmstart"],
    ],
)
def test_flags_of_mujoco_are_obeyed(tmp_path, flags):
    """Accelerations are those of MuJoCo, without its soft equalities and friction."""
    mujoco = pytest.importorskip("mujoco")
    given = " ".join(f'{flag}="disable"' for flag in ["frictionloss", *flags])
    m = loaded(tmp_path, MJCF.format(option="", flags=given, damping="0.2"), "m.xml")
    assert bool(m.constraints) == (not {"equality", "constraint"} & set(flags))
    without = replace(m, constraints={})
    state = {"x": 0.2, "a": 0.4, "x.": 0.3, "a.": -0.7}
    found = ts.simulate(without, 0.01, initial=state).a[0]
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    model.eq_active0[:] = 0
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = (0.2, 0.4), (0.3, -0.7)
    mujoco.mj_forward(model, data)
    assert found == pytest.approx(data.qacc, rel=1e-9, abs=1e-9)
    assert any(x.startswith("Disabled by flags of the file: ") for x in m.notices)


def test_what_a_file_of_mujoco_has_besides_is_listed(tmp_path):
    pytest.importorskip("mujoco")
    text = MJCF.format(option='density="1.2" wind="1 0 0"', flags="", damping="1 2 3").replace(
        "</mujoco>",
        '<actuator><motor name="p" joint="x" delay="0.01" nsample="3"/></actuator>'
        "<keyframe><key/></keyframe>"
        '<sensor><jointvel joint="x"/></sensor></mujoco>',
    )
    m = loaded(tmp_path, text, "m.xml")
    listed = 'Not read: <sensor><jointvel> (1), actuator "p" (1).'
    assert [x for x in m.notices if x.startswith("Not read")] == [listed]
    assert listed in ts.simulate(m, 0.1).notices


def test_contents_of_included_files_are_listed(tmp_path):
    pytest.importorskip("mujoco")
    part = '<mujocoinclude><sensor><jointvel joint="x"/></sensor></mujocoinclude>'
    (tmp_path / "part.xml").write_text(part, encoding="utf-8")
    text = MJCF.format(option="", flags="", damping="1").replace(
        "<worldbody>", '<include file="part.xml"/><worldbody>', 1
    )
    assert "Not read: <sensor><jointvel> (1)." in loaded(tmp_path, text, "m.xml").notices


def element(tag, *path):
    """An element that holds the value of a path."""
    inner, attributes = [], {}
    if path and path[0].startswith("@"):
        attributes = {path[0][1:]: "1"}
    elif path:
        inner = [element(*path)]
    return XmlElement(tag, attributes, "robot", 1, inner, ["1"])


@pytest.mark.parametrize(
    "format", [URDF_TABLES, SDF_TABLES, MJCF_TABLES], ids=["urdf", "sdf", "mjcf"]
)
def test_a_value_of_a_table_is_read_and_any_other_is_listed(format):
    fields = [(tag, x) for tag, table in format.tables.items() for x in table.values()]
    paths = [[tag, *x.path.split("/")] for tag, x in fields]
    paths += [x.split("/") for x in format.read.split()]
    assert len(paths) > 30
    for *outer, last in paths:
        assert not format.unread(element(*outer, last))
        for unheard in ("unheard", "@unheard"):
            assert format.unread(element(*outer, unheard)).total() == 1
