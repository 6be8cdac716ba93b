"""SDF, MJCF and tables of Denavit and Hartenberg: the mechanisms that they mean."""

import numpy as np
import pytest
from example_states import FOLDER
from robot_texts import FOUR_BAR, HAND, SAME_FOUR_BAR

import torseur as ts
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.model.values.numeric import numeric_mechanism
from torseur.topology.structure import structure

EPS = 1e-12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("formats")
    (place / "four_bar.sdf").write_text(FOUR_BAR, encoding="utf-8")
    (place / "hand.xml").write_text(HAND, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def four_bar(folder):
    return ts.load(folder / "four_bar.sdf")


def test_a_loop_of_sdf_moves_as_the_same_loop_in_the_yaml_form(four_bar):
    runs = [ts.simulate(m, 0.1, rate=10.0) for m in (four_bar, ts.load(SAME_FOUR_BAR))]
    assert runs[0]["A"] == pytest.approx(runs[1]["A"], abs=1e-8)  # rtol of the runs
    assert ts.mobility(four_bar).degree == 1


def test_a_model_that_nothing_holds_is_free(tmp_path):
    path = tmp_path / "box.sdf"
    path.write_text(
        '<sdf><model name="m"><pose>0 0 2 0 0 0</pose><link name="box"/></model></sdf>',
        encoding="utf-8",
    )
    m = ts.load(path)
    assert any('"box" to the world' in x for x in m.notices)
    assert float(str(m.initial["box_base_z"])) == 2
    assert m.parameters["m_box"] == 1


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<child>crank</child>", "<child>cranck</child>", 'frame "cranck" does not exist'),
        ('type="revolute"', 'type="gearbox"', 'has the type "gearbox"'),
        ("<pose>0 0.2 0 0 0 0</pose>", '<pose relative_to="B"/>', "in a circle"),
        ('<model name="four bar">', '<model name="four bar"><include/>', "<include> in a model"),
        ("</sdf>", "", "the XML cannot be read"),
    ],
)
def test_faults_of_sdf_are_told_with_their_line(tmp_path, old, new, told):
    path = tmp_path / "bad.sdf"
    assert old in FOUR_BAR
    path.write_text(FOUR_BAR.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ts.ModelError, match=told) as caught:
        ts.load(path)
    assert "bad.sdf:" in str(caught.value)


def test_errors_of_a_robot_file_give_no_advice_on_the_yaml_form(tmp_path):
    axes = "".join(f"<{x}><xyz>0 0 1</xyz></{x}>" for x in ("axis", "axis2"))
    (tmp_path / "cross.sdf").write_text(
        '<sdf><model name="m"><link name="a"/><joint name="j" type="universal">'
        f"<parent>world</parent><child>a</child>{axes}</joint></model></sdf>",
        encoding="utf-8",
    )
    with pytest.raises(ts.ModelError, match="are parallel") as caught:
        ts.load(tmp_path / "cross.sdf")
    assert "rotation" not in str(caught.value)


def test_a_joint_of_sdf_that_is_defined_twice_is_refused(tmp_path):
    path = tmp_path / "twice.sdf"
    joint = FOUR_BAR[FOUR_BAR.index("<joint") : FOUR_BAR.index("</joint>") + len("</joint>")]
    path.write_text(FOUR_BAR.replace(joint, joint + joint, 1), encoding="utf-8")
    with pytest.raises(ts.ModelError, match="is defined twice, first on line"):
        ts.load(path)


def test_a_loop_is_refused_in_urdf_and_an_equality_in_mjcf(four_bar, folder):
    with pytest.raises(ts.ModelError, match="it closes a loop"):
        four_bar.save(folder / "x.urdf")
    text = four_bar.save(folder / "four_bar.xml").read_text(encoding="utf-8")
    assert text.count("<connect") == 2 and "soft in MuJoCo" in text


def mujoco_forces(path, q, v, a):
    """M a + bias by MuJoCo, in the order of its joints, and their names."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(model, data)
    product = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, product, a)
    return product + data.qfrc_bias, [model.jnt(k).name for k in range(model.njnt)]


def test_mjcf_has_the_dynamics_of_mujoco(folder):
    q, v, a = np.random.default_rng(3).uniform(-1, 1, (3, 4))
    expected, names = mujoco_forces(folder / "hand.xml", q, v, a)
    m = ts.load(folder / "hand.xml")
    assert list(m.coordinates) == names
    f = ts.compile(m)
    found = f.mass_matrix(q) @ a + f.bias(q, v) + f.gravity(q)
    assert found == pytest.approx(expected, abs=EPS)
    spring = f.applied(q, v)
    assert spring[1] == pytest.approx(-30 * q[1], abs=EPS)
    start = ts.assemble(m, {"curl": 0.2}).coordinates
    assert start["bend"] == pytest.approx(0.4, abs=1e-9)


TURNED_BALL = """<mujoco><worldbody><body name="arm" pos="0.1 0 0.3" euler="30 50 20">
<joint name="ball" type="ball" stiffness="2" damping="0.1" armature="0.01"/>
<inertial pos="0.2 0.1 0" mass="1.5" diaginertia="0.02 0.03 0.04"/></body></worldbody></mujoco>"""


def test_a_ball_of_mjcf_tells_its_axes_and_what_is_not_read(tmp_path):
    """The quaternion of MuJoCo is about axes turned by R: q here has the vector part R q."""
    mujoco = pytest.importorskip("mujoco")
    path = tmp_path / "ball.xml"
    path.write_text(TURNED_BALL, encoding="utf-8")
    model = mujoco.MjModel.from_xml_path(str(path))
    data, R = mujoco.MjData(model), np.zeros(9)
    q = np.array([0.8, 0.36, -0.48, 0.0])
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    mujoco.mju_quat2Mat(R, model.body_quat[1])
    m = ts.load(path)
    turned = np.array([q[0], *(R.reshape(3, 3) @ q[1:])])
    pose = np.asarray(ts.compile(m).pose("arm", turned))
    assert pose[:3, :3] == pytest.approx(data.xmat[1].reshape(3, 3), abs=EPS)
    told = "\n".join(m.notices)
    assert 'axes parallel to those of "world" at zero; MuJoCo uses the axes of "arm".' in told
    assert '"ball" (spherical): not read: armature.' in told


def test_mjcf_that_is_written_has_the_same_dynamics(folder):
    pytest.importorskip("mujoco")
    m = ts.load(folder / "hand.xml")
    path = m.save(folder / "again.xml")
    q, v, a = np.random.default_rng(4).uniform(-1, 1, (3, 4))
    expected, _ = mujoco_forces(path, q, v, a)
    f = ts.compile(m)
    assert f.mass_matrix(q) @ a + f.bias(q, v) + f.gravity(q) == pytest.approx(expected, abs=EPS)


def test_a_loop_of_mjcf_moves_as_it_was_written(four_bar, folder):
    pytest.importorskip("mujoco")
    again = ts.load(four_bar.save(folder / "loop.xml"))
    runs = [ts.simulate(m, 0.1, rate=10.0) for m in (four_bar, again)]
    assert runs[0]["A"] == pytest.approx(runs[1]["A"], abs=1e-8)


def test_a_loop_that_is_open_at_zero_is_closed_in_mujoco_where_it_is_here(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    flat = ts.load(FOLDER / "five_bar.yaml")
    path = flat.save(tmp_path / "five_bar.xml")
    again, here = ts.load(path), ts.assemble(flat)
    names = {joint.name: joint.coordinates[0] for joint in flat.joints.values()}
    order = [flat.coordinates.index(names[name]) for name in again.coordinates]
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    data.qpos[:] = here.q[order]
    mujoco.mj_forward(theirs, data)
    assert np.abs(data.efc_pos).max() < 1e-9  # what its equalities are off by
    q, v, Q = here.q, here.v, np.array([0.3, -0.2, 0.1, 0.5])
    ours = ts.compile(flat).forward_dynamics(q, v, Q)[order]
    assert ts.compile(again).forward_dynamics(q[order], v[order], Q[order]) == pytest.approx(ours)
    assert "Moments of left" in path.read_text(encoding="utf-8")


JOINTED = {
    "gravity": [0, 0, -9.81],
    "bodies": {
        "slab": {"mass": 2, "centre": [0.1, 0, 0], "inertia": [0.1, 0.2, 0.15]},
        "arm": {"mass": 1, "centre": [0, 0.2, 0], "inertia": [0.02, 0.01, 0.02]},
        "lump": {"mass": 0.3, "centre": [0, 0, 0.1]},
    },
    "joints": {
        "table": {"type": "planar", "bodies": ["ground", "slab"], "normal": "z"},
        "cross": {"type": "universal", "bodies": ["slab", "arm"], "axes": ["x", "y"],
                  "point": [[0.3, 0, 0], [0, 0, 0]], "rotation": [{"x": "30 deg"}]},
        "weld": {"type": "fixed", "bodies": ["arm", "lump"], "point": [[0, 0.4, 0], [0, 0, 0]]},
    },
}  # fmt: skip


@pytest.mark.parametrize("ending", [".xml", ".urdf"])
def test_joints_of_several_freedoms_are_written_as_turns_and_slides(tmp_path, ending):
    if ending == ".xml":
        pytest.importorskip("mujoco")
    m = ts.load(JOINTED)
    again = ts.load(m.save(tmp_path / f"jointed{ending}"))
    assert again.coordinates == m.coordinates
    q, v, Q = np.random.default_rng(5).uniform(-1, 1, (3, 5))
    first, second = (ts.compile(x).forward_dynamics(q, v, Q) for x in (m, again))
    assert second == pytest.approx(first, rel=1e-9)


def test_coordinates_of_a_urdf_keep_their_order(tmp_path):
    """Of two arms whose joints are told in turns."""
    links = "".join(f'<link name="{x}"/>' for x in ("base", "a1", "b1", "a2", "b2"))
    joints = "".join(
        f'<joint name="{x}" type="continuous"><parent link="{p}"/><child link="{x}"/></joint>'
        for x, p in (("a1", "base"), ("b1", "base"), ("b2", "b1"), ("a2", "a1"))
    )
    (tmp_path / "two.urdf").write_text(f'<robot name="two">{links}{joints}</robot>', "utf-8")
    m = ts.load(tmp_path / "two.urdf")
    assert ts.load(m.save(tmp_path / "again.urdf")).coordinates == m.coordinates


def test_copies_without_end_are_refused_before_they_are_made(tmp_path):
    path = tmp_path / "crowd.xml"
    one = "<replicate count='200'>"
    path.write_text(f"<mujoco><worldbody>{one}{one}<body/></replicate></replicate></worldbody>"
                    "</mujoco>", encoding="utf-8")  # fmt: skip
    with pytest.raises(ts.ModelError, match="<replicate> makes 40000 copies"):
        ts.load(path)


def test_mjcf_without_mujoco_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    with pytest.raises(ts.ModelError, match=r"torseur\[robots\]"):
        ts.load(folder / "hand.xml")


def homogeneous(axis, angle, along, distance):
    """A turn about an axis and a shift along it."""
    X = np.eye(4)
    i, j = ((1, 2), (2, 0), (0, 1))[axis]
    X[i, i] = X[j, j] = np.cos(angle)
    X[j, i], X[i, j] = np.sin(angle), -np.sin(angle)
    X[along, 3] = distance
    return X


TABLE = [
    {"a": 0.3, "alpha": "90 deg", "d": 0.4, "theta": "30 deg", "mass": 1},
    {"a": 0.2, "alpha": 0.3, "d": 0.1, "joint": "prismatic", "theta": 0.5, "mass": 1},
    {"a": 0.1, "alpha": -0.7, "d": 0.05, "mass": 1, "coordinate": "wrist", "limits": [-1, 1]},
]


@pytest.mark.parametrize("modified", [False, True])
def test_a_table_is_the_product_of_its_matrices(modified):
    m = ts.robots.from_dh(TABLE, modified=modified)
    assert m.coordinates == ("q1", "q2", "wrist")
    q = np.array([0.3, -0.2, 0.7])
    X = np.eye(4)
    numbers = [(0.3, np.pi / 2, 0.4, np.pi / 6), (0.2, 0.3, 0.1, 0.5), (0.1, -0.7, 0.05, 0.0)]
    for k, (a, alpha, d, theta) in enumerate(numbers):
        slides = k == 1
        about_z = homogeneous(2, theta + (0 if slides else q[k]), 2, d + (q[k] if slides else 0))
        about_x = homogeneous(0, alpha, 0, a)
        X = X @ (about_x @ about_z if modified else about_z @ about_x)
    tree = structure(numeric_mechanism(m, {})).tree
    found = ground_poses(tree, q)[-1] @ tree.links[-1].X_MB
    assert np.array(found.R.matrix, dtype=float) == pytest.approx(X[:3, :3], abs=EPS)
    assert np.array(found.p, dtype=float) == pytest.approx(X[:3, 3], abs=EPS)


def test_a_wrong_row_of_a_table_is_named():
    with pytest.raises(ts.ModelError, match=r'row 2: entry "alfa"'):
        ts.robots.from_dh([{"a": 1}, {"alfa": 2}])
    with pytest.raises(ts.ModelError, match="no row"):
        ts.robots.from_dh([])
    with pytest.raises(ts.ModelError, match='joints of type "ball"'):
        ts.robots.from_dh([{"joint": "ball"}])


def test_a_spring_of_an_sdf_joint_pulls_towards_its_reference(tmp_path):
    text = """<sdf version="1.9"><model name="door">
      <link name="leaf"><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>0.5</izz>
        </inertia></inertial>
        <visual name="v"><geometry><box><size>1 1 0.1</size></box></geometry></visual></link>
      <joint name="hinge" type="revolute"><parent>world</parent><child>leaf</child>
        <axis><xyz>0 0 1</xyz><dynamics><spring_stiffness>3</spring_stiffness>
          <spring_reference>0.2</spring_reference></dynamics></axis></joint>
    </model></sdf>"""
    (tmp_path / "door.sdf").write_text(text, encoding="utf-8")
    door = ts.load(tmp_path / "door.sdf")
    assert ts.compile(door).forward_dynamics([0.5], [0.0], [0.0])[0] == pytest.approx(
        -3 * 0.3 / 0.5
    )
    assert [x.shape[0] for x in door.bodies["leaf"].visuals] == ["box"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (" \n", "the file is empty"),
        (
            '<robot><link name="a"><inertial><mass value="${m}"/></inertial></link></robot>',
            "expand it: xacro FILE > robot.urdf",
        ),
    ],
)
def test_a_urdf_that_is_empty_or_of_xacro_is_told_so(tmp_path, text, told):
    (tmp_path / "r.urdf").write_text(text)
    with pytest.raises(ts.ModelError, match=told):
        ts.load(tmp_path / "r.urdf")
