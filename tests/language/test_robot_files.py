"""URDF read and written: the same dynamics, everything kept or told, one message for each fault."""

import re
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from robot_texts import ARM

import torseur as ts
from torseur.cli.describe.check import check

EPS = 1e-12  # rounding of a few hundred operations


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("robots")
    (place / "arm.urdf").write_text(ARM, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def arm(folder):
    return ts.load(folder / "arm.urdf")


def forces(mechanism, q, v, a):
    """M a + h + g, without what is applied."""
    f = ts.compile(mechanism)
    return f.mass_matrix(q) @ a + f.bias(q, v) + f.gravity(q)


def changed(folder, old, new):
    """The arm with another text in it, read; a new folder keeps the old files."""
    assert old in ARM
    path = folder / "changed.urdf"
    path.write_text(ARM.replace(old, new, 1), encoding="utf-8")
    return ts.load(path)


def turn(axis, angle):
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def rpy(r, p, y):
    return turn((0, 0, 1), y) @ turn((0, 1, 0), p) @ turn((1, 0, 0), r)


def test_potential_energy_is_that_of_the_poses_by_hand(arm):
    q = np.array([0.3, -0.7, 0.02, 0.03])
    R1 = rpy(np.pi / 2, 0, 0.2) @ turn((0, 0, 1), q[0])
    p1 = np.array([0, 0, 0.3])
    R2, p2 = R1 @ rpy(0.3, -0.2, 0.1) @ turn((0.6, 0, 0.8), q[1]), p1 + R1 @ [0.4, 0, 0]
    finger, thumb = (p2 + R2 @ [0, y, 0.3] for y in (0.02 + q[2], -0.02 - q[3]))
    heights = ((p1 + R1 @ [0.1, 0.02, 0])[2], (p2 + R2 @ [0, 0, 0.15])[2], finger[2], thumb[2])
    energy = 9.81 * np.dot((2, 1.5, 0.1, 0.1), heights)
    f = ts.compile(arm)
    zero = f.potential_energy(np.zeros(4))
    R1 = rpy(np.pi / 2, 0, 0.2)
    R2, p2 = R1 @ rpy(0.3, -0.2, 0.1), p1 + R1 @ [0.4, 0, 0]
    ends = [p2 + R2 @ [0, y, 0.3] for y in (0.02, -0.02)]
    heights = ((p1 + R1 @ [0.1, 0.02, 0])[2], (p2 + R2 @ [0, 0, 0.15])[2], *(x[2] for x in ends))
    there = 9.81 * np.dot((2, 1.5, 0.1, 0.1), heights)
    assert f.potential_energy(q) - zero == pytest.approx(energy - there, abs=EPS)


def test_the_inertia_of_a_turned_frame_is_that_of_the_link(arm):
    tensor = np.array([[0.01, 0.001, 0], [0.001, 0.02, 0], [0, 0, 0.025]])
    R = rpy(0, 0, 0.4)
    p = arm.parameters
    found = [[p["Ixx_upper_arm"], p["Ixy_upper_arm"]], [p["Ixy_upper_arm"], p["Iyy_upper_arm"]]]
    assert np.array(found) == pytest.approx((R @ tensor @ R.T)[:2, :2], abs=EPS)


def test_numbers_are_parameters_and_names_are_legal(arm):
    assert arm.coordinates == ("shoulder", "elbow", "finger_slide", "thumb_slide")
    assert arm.parameters["m_fore_arm"] == 1.5 and arm.parameters["z_shoulder"] == 0.3
    assert "fore-arm" in arm.bodies
    heavier = ts.compile(arm).with_parameters(m_fore_arm=3.0)
    q = np.zeros(4)
    assert heavier.mass_matrix(q)[0, 0] > ts.compile(arm).mass_matrix(q)[0, 0]


def test_limits_efforts_and_speeds_are_kept_and_do_not_act(arm):
    joint = arm.joints["shoulder"]
    assert [float(Fraction(str(x))) for x in joint.limits[0]] == [-2, 2.5]
    assert [str(x) for x in (*joint.effort, *joint.velocity)] == ["80", "3"]
    assert joint.stop is None
    assert arm.joints["elbow"].limits == (None,)


def test_damping_and_friction_are_those_of_a_motor(arm):
    motor = arm.motors["shoulder"]
    assert arm.parameters[str(motor.viscous_output)] == 0.4
    assert arm.parameters[str(motor.dry_output[0])] == 0.1


def test_a_follower_is_a_coupling(arm):
    start = ts.assemble(arm, {"finger_slide": 0.02})
    assert start.coordinates["thumb_slide"] == pytest.approx(0.05, abs=1e-9)


def test_what_was_assumed_and_ignored_is_told(arm):
    told = "\n".join(arm.notices)
    for part in ("<gazebo> (1)", "(0, 0, −9.81)", 'The base "base" is fixed', "exact turns"):
        assert part in told


def test_meshes_keep_their_path_and_their_scale(arm):
    (mesh,) = arm.bodies["upper-arm"].meshes
    assert mesh.file == "package://arm/meshes/upper.stl"
    assert "arm" in next(x for x in arm.notices if x.startswith("Packages"))


def test_packages_are_found_above_the_file_and_where_one_says(folder, tmp_path):
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    m = ts.robots.load(folder / "arm.urdf", packages=[str(tmp_path)])
    assert m.bodies["upper-arm"].meshes[0].file == str(tmp_path / "arm" / "meshes" / "upper.stl")


@pytest.mark.parametrize("ending", [".urdf", ".yaml"])
def test_what_is_written_has_the_same_dynamics(arm, folder, ending):
    again = ts.load(arm.save(folder / f"again{ending}"))
    q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 4))
    assert forces(again, q, v, a) == pytest.approx(forces(arm, q, v, a), abs=EPS)
    assert again.joints["shoulder"].limits == arm.joints["shoulder"].limits
    assert again.joints["shoulder"].effort == arm.joints["shoulder"].effort
    assert [len(x.constraints) for x in (arm, again)] == [1, 1]


def test_origins_that_are_off_the_axis_are_moved_to_it(folder):
    m = ts.load(
        {
            "gravity": [0, 0, -9.81],
            "bodies": {
                "a": {"mass": 1, "centre": [0.3, 0.1, 0], "inertia": [0.1, 0.2, 0.2]},
                "b": {"mass": 2, "centre": [0.1, 0, 0.4], "inertia": [0.1, 0.1, 0.1]},
            },
            "joints": {
                "J1": {"type": "pivot", "bodies": ["ground", "a"], "axis": "y",
                       "point": [[0, 0, 1], [0.5, 0, 0]]},
                "J2": {"type": "pivot", "bodies": ["b", "a"], "axis": [0.6, 0.8, 0],
                       "point": [[0, 0.2, 0], [-0.5, 0, 0.1]]},
            },
        }
    )  # fmt: skip
    path = m.save(folder / "moved.urdf")
    assert "The origins of these links" in path.read_text(encoding="utf-8")
    q, v, a = np.random.default_rng(2).uniform(-1, 1, (3, 2))
    assert forces(ts.load(path), q, v, a) == pytest.approx(forces(m, q, v, a), abs=EPS)


def test_a_free_base_has_six_freedoms_more(folder):
    m = ts.robots.load(folder / "arm.urdf", free_base=True)
    assert m.coordinates[:7] == tuple(f"base_{x}" for x in ("x", "y", "z", "qw", "qx", "qy", "qz"))


def test_a_shell_says_how_a_robot_is_read(folder):
    def checked(*arguments):
        return CliRunner().invoke(check, [str(x) for x in arguments])

    assert "base_qw" in checked(folder / "arm.urdf", "--free-base", "--json").output
    path = folder / "changed.urdf"
    path.write_text(ARM.replace('izz="0.002"', 'izz="-0.02"'), encoding="utf-8")
    assert '--accept "negative moment"' in str(checked(path).exception)
    assert checked(path, "--accept", "negative moment").exit_code == 0
    assert "kind of error" in str(checked(path, "--accept", "moments").exception)
    assert "of robots only" in str(checked("RX(q1);", "--free-base").exception)


def test_followers_of_followers_and_of_fixed_joints_are_resolved(folder):
    chain = changed(
        folder,
        '<axis xyz="0 1 0"/>',
        '<axis xyz="0 1 0"/><mimic joint="elbow" multiplier="0.5" offset="0.1"/>',
    )
    start = ts.assemble(chain, {"elbow": 0.02}).coordinates
    assert start["thumb_slide"] == pytest.approx(2 * (0.5 * 0.02 + 0.1) + 0.01, abs=1e-9)
    assert any("followers of followers" in x for x in chain.notices)
    still = changed(folder, 'mimic joint="finger-slide"', 'mimic joint="mount"')
    assert ts.assemble(still, {}).coordinates["thumb_slide"] == pytest.approx(0.01, abs=1e-9)


BAD = {
    "a joint that does not exist": ('mimic joint="finger-slide"', 'mimic joint="fingerslide"',
                                    r'changed.urdf:48: joint "thumb-slide": joint "fingerslide"'),
    "itself": ('mimic joint="finger-slide"', 'mimic joint="thumb-slide"', "in a circle"),
    "a link that does not exist": ('<parent link="flange"/>', '<parent link="flnge"/>',
                                   'link "flnge" does not exist'),
    "a loop": ('<child link="thumb"/>', '<child link="finger"/>', "that is a loop"),
    "a circle": ('<parent link="base"/>', '<parent link="fore-arm"/>', "in a circle"),
    "two bases": ('<link name="base"/>', '<link name="base"/><link name="rock"/>',
                  "carried by no joint: base, rock"),
    "the same name": ('<link name="base"/>', '<link name="base"/><link name="flange"/>', "twice"),
    "a type": ('type="continuous"', 'type="hinge"', 'has the type "hinge"'),
    "a number": ('xyz="0 0 0.3" rpy', 'xyz="0 0 O.3" rpy', 'xyz of <origin> is "O.3"'),
    "two numbers": ('xyz="0 0 0.3" rpy', 'xyz="0 0.3" rpy', "has 2 numbers, not 3"),
    "nan": ('value="1.5"', 'value="nan"', "not a finite number"),
    "no child": ('<child link="thumb"/>', "", "has no <child>"),
    "a zero axis": ('<axis xyz="0.6 0 0.8"/>', '<axis xyz="0 0 0"/>', "is zero"),
    "a negative moment": ('izz="0.002"', 'izz="-0.02"', "is negative"),
    "truncated": ("</robot>", "", "the XML cannot be read"),
    "an entity": ("<robot name", '<!DOCTYPE r [<!ENTITY a "b">]><robot name', "DOCTYPE"),
    "another root": ("<robot name", "<robots name", "the XML cannot be read|root element"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_fault_is_one_message_with_its_line(folder, case):
    old, new, told = case
    with pytest.raises(ts.ModelError, match=told) as caught:
        changed(folder, old, new)
    assert "changed.urdf:" in str(caught.value)
    assert len(caught.value.faults) == 1


def test_entities_are_refused_before_they_grow(tmp_path):
    lines = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 30))
    path = tmp_path / "bomb.urdf"
    path.write_text(f"<!DOCTYPE r [{lines}]><robot>&a29;</robot>", encoding="utf-8")
    with pytest.raises(ts.ModelError, match=r"bomb\.urdf:1: the file declares <!DOCTYPE"):
        ts.load(path)
    path.write_text("<robot>" * 200, encoding="utf-8")
    with pytest.raises(ts.ModelError, match="elements are nested"):
        ts.load(path)


def test_impossible_moments_are_kept_with_a_notice_or_on_request(folder):
    m = changed(folder, 'izz="0.002"', 'izz="0.05"')
    assert any("fore-arm" in x and "moments" in x for x in m.notices)
    path = folder / "changed.urdf"
    path.write_text(ARM.replace('izz="0.002"', 'izz="-0.02"'), encoding="utf-8")
    assert ts.robots.load(path, accept=["negative moment"]).parameters["Izz_fore_arm"] == -0.02
    with pytest.raises(ts.ModelError) as caught:
        ts.load(path)
    (offered,) = re.findall(r"ts\.robots\.load\(.*\]\)", str(caught.value))
    assert eval(offered, {"ts": ts}).parameters["Izz_fore_arm"] == -0.02


def test_a_joint_that_moves_no_mass_is_told(folder):
    m = changed(folder, '<mass value="0.1"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" '
                'iyz="0" izz="1e-4"/>', "")  # fmt: skip
    assert any(x.startswith("finger-slide: these joints move") for x in m.notices)


def test_what_urdf_cannot_say_is_refused_by_name(folder):
    loop = ts.load({"bodies": {"a": {"mass": 1}}, "joints": {
        "A": {"type": "rotule", "bodies": ["ground", "a"]}}})  # fmt: skip
    with pytest.raises(ts.ModelError, match="URDF has no joint of type spherical"):
        loop.save(folder / "x.urdf")
    with pytest.raises(ts.ModelError, match="Endings"):
        loop.save(folder / "x.obj")


def test_xacro_without_xacrodoc_says_what_to_install(folder):
    path = folder / "arm.xacro"
    path.write_text(ARM, encoding="utf-8")
    try:
        import xacrodoc  # noqa: F401
    except ImportError:
        with pytest.raises(ts.ModelError, match="xacrodoc"):
            ts.load(path)
    else:
        assert len(ts.load(path).coordinates) == 4


def test_xacro_includes_what_is_beside_it(folder, tmp_path, monkeypatch):
    pytest.importorskip("xacrodoc")
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    (tmp_path / "arm.xacro").write_text(ARM, encoding="utf-8")
    path = tmp_path / "robot.xacro"
    path.write_text(f'{head}<xacro:include filename="arm.xacro"/></robot>', encoding="utf-8")
    monkeypatch.chdir(folder)  # elsewhere
    assert len(ts.load(path).coordinates) == 4


def test_xacro_that_includes_itself_is_told_so(tmp_path):
    pytest.importorskip("xacrodoc")
    path = tmp_path / "m.xacro"
    path.write_text(
        "<robot xmlns:xacro='x'><xacro:include filename='m.xacro'/></robot>", encoding="utf-8"
    )
    with pytest.raises(ts.ModelError, match="includes itself"):
        ts.load(path)


def test_a_mesh_that_is_filled_has_the_mass_of_its_solid(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((0.2, 0.1, 0.4)).export(tmp_path / "box.stl")
    path = tmp_path / "box.urdf"
    path.write_text(
        '<robot name="b"><link name="world"/><link name="box"><visual><origin xyz="0 0 0.2"/>'
        '<geometry><mesh filename="box.stl"/></geometry></visual></link><joint name="j" '
        'type="continuous"><parent link="world"/><child link="box"/></joint></robot>',
        encoding="utf-8",
    )
    with pytest.raises(ts.ModelError, match="the file"):
        ts.robots.load(tmp_path / "bx.urdf")
    found = ts.robots.load(path, mesh_density=1000.0).parameters
    assert found["m_box"] == pytest.approx(8, rel=1e-6)  # STL has single precision
    assert found["cz_box"] == pytest.approx(0.2, rel=1e-6)
    assert found["Ixx_box"] == pytest.approx(8 * (0.1**2 + 0.4**2) / 12, rel=1e-6)


def test_a_link_called_ground_is_a_body_beside_the_others(tmp_path):
    path = tmp_path / "ground.urdf"
    path.write_text(
        '<robot name="r"><link name="ground"/><link name="ground_link"/><joint name="j" '
        'type="continuous"><parent link="ground_link"/><child link="ground"/></joint></robot>',
        encoding="utf-8",
    )
    m = ts.load(path)
    assert set(m.bodies) == {"ground_link", "ground_link_link"}
    assert (m.joints["j"].first, m.joints["j"].second) == ("ground_link", "ground_link_link")


BASED = """<robot name="r"><link name="{base}"><inertial><origin xyz="0.5 0 0"/><mass value="10"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="bar"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="{base}"/><child link="bar"/><axis xyz="0 0 1"/>
</joint></robot>"""


@pytest.mark.parametrize(
    ("base", "centre"),
    [
        ("base", (10 * 0.5 + 2 * 0.2) / 12),  # all bodies, as in MuJoCo
        ("world", 0.2),  # the ground has no mass: what Pinocchio gives for either file
    ],
)
def test_a_base_that_is_fixed_to_the_ground_counts_in_the_centre_of_mass(tmp_path, base, centre):
    path = tmp_path / "r.urdf"
    path.write_text(BASED.format(base=base), encoding="utf-8")
    m = ts.load(path)
    found = ts.compile(m).centre_of_mass([0.0])
    assert found == pytest.approx([centre, 0, 0], abs=1e-15)
    told = [x for x in m.notices if "its mass of 10 kg does not count" in x]
    assert len(told) == (base == "world")
