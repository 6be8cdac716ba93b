"""Models joined: a tool on a flange, robots on a table; as written by hand, and as each alone."""

import numpy as np
import pytest

import torseur as ts

ARM = """<robot name="arm"><link name="base"><inertial><mass value="3"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><origin xyz="0.1 0 0.02"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.3"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="3"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0"/>
<axis xyz="0 1 0"/><dynamics damping="0.3"/></joint></robot>"""
# "m" is a parameter and a unit, "x" a coordinate and an axis
TOOL = """
name: hand
parameters: {m: 0.8, k: 20 N.m/rad}
gravity: [0, 0, -9.81]
bodies:
  palm: {mass: m, centre: [50 mm, 0, 0], inertia: [1e-3, 2e-3, 2e-3]}
  finger: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}
joints:
  w: {type: pivot, bodies: [0, palm], axis: x, coordinate: roll}
  grip:
    type: slider
    bodies: [palm, finger]
    axis: y
    point: [[0.1 m, 0, 0], [0, 0, 0]]
    coordinate: x
forces: {s: {type: law, joint: w, value: "-k*angle"}}
points: {tip: [finger, [0.05, 0, 0]], mark: [ground, [0, 0, 0.01]]}
initial: {roll: 10 deg, x.: 0.1}
"""
TABLE = """
name: cell
gravity: [0, 0, -9.81]
bodies: {table: {mass: 20, inertia: [1, 1, 1]}}
joints: {legs: {type: fixed, bodies: [ground, table], point: [[0, 0, 0.7], [0, 0, 0]]}}
frames: {plate: {body: table, position: [0.2, -0.5, 0.1], rotation: [{x: 90 deg}]}}
include:
- {file: arm.urdf, prefix: left_, at: [table, [0, 0.5, 0]]}
- {file: arm.urdf, prefix: right_, at: plate, rotation: [{z: 90 deg}], limits: stop, effort: clip}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("arm.urdf", ARM), ("tool.yaml", TOOL), ("cell.yaml", TABLE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def by_hand():
    """The arm with the tool on the end of b, turned by 30° about y."""
    return ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {
            "base": {"mass": 3, "inertia": [1, 1, 1]},
            "a": {"mass": 2, "centre": [0.2, 0, 0], "inertia": [0.01, 0.03, 0.03]},
            "b": {"mass": 1, "centre": [0.1, 0, 0.02], "inertia": [0.01, 0.02, 0.02]},
            "palm": {"mass": 0.8, "centre": [0.05, 0, 0], "inertia": [1e-3, 2e-3, 2e-3]},
            "finger": {"mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]},
        },
        "joints": {
            "f": {"type": "fixed", "bodies": ["ground", "base"]},
            "j": {"type": "pivot", "bodies": ["base", "a"], "axis": "z",
                  "point": [[0, 0, 0.3], [0, 0, 0]]},
            "k": {"type": "pivot", "bodies": ["a", "b"], "axis": "y",
                  "point": [[0.4, 0, 0], [0, 0, 0]]},
            "w": {"type": "pivot", "bodies": ["b", "palm"], "coordinate": "roll",
                  "point": [[0.3, 0, 0.01], [0, 0, 0]], "rotation": [{"y": "30 deg"}],
                  "axis": [["cos(pi/6)", 0, "-sin(pi/6)"], [1, 0, 0]]},
            "grip": {"type": "slider", "bodies": ["palm", "finger"], "axis": "y",
                     "point": [[0.1, 0, 0], [0, 0, 0]], "coordinate": "x"},
        },
        "motors": {"k": {"joint": "k", "ratio": 1, "viscous": {"output": 0.3}}},
        "forces": {"s": {"type": "law", "joint": "w", "value": "-20*angle"}},
    })  # fmt: skip


def attached(**options):
    given = {"position": [0.3, 0, 0.01], "rotation": [{"y": "30 deg"}], "prefix": "tool_"}
    return ts.robots.attach("arm.urdf", "tool.yaml", "b", **given | options)


def test_an_arm_with_a_tool_is_the_model_written_by_hand(folder):
    f, g = ts.compile(attached()), ts.compile(by_hand())
    assert f.coordinates == ("j", "k", "tool_roll", "tool_x")
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, 5, 4))
    np.testing.assert_allclose(f.mass_matrix(q), g.mass_matrix(q), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        f.inverse_dynamics(q, v, a), g.inverse_dynamics(q, v, a), rtol=1e-10, atol=1e-12
    )
    tip = f.point("tool_tip", q) - f.pose("tool_finger", q)[:, :3, 3]
    np.testing.assert_allclose(np.linalg.norm(tip, axis=1), 0.05, rtol=1e-12)
    mark, b = f.point("tool_mark", q[0]), f.pose("b", q[0])  # 1 cm above the flange, turned
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    expected = b[:3, :3] @ [0.3 + 0.01 * s, 0, 0.01 + 0.01 * c] + b[:3, 3]
    np.testing.assert_allclose(mark, expected, atol=1e-14)
    run = ts.simulate(attached(), 0.5)
    assert run["tool_roll"][0] == pytest.approx(np.radians(10))
    assert run["tool_x."][0] == pytest.approx(0.1)


def test_a_payload_changes_without_compiling(folder):
    f = ts.compile(attached())
    heavy = f.with_parameters(tool_m=3.0)
    text = TOOL.replace("m: 0.8", "m: 3.0")
    (folder / "tool.yaml").write_text(text, encoding="utf-8")
    q = np.array([0.1, 0.2, 0.3, 0.01])
    np.testing.assert_array_equal(heavy.gravity(q), ts.compile(attached()).gravity(q))


def test_two_arms_on_a_table_are_each_alone(folder):
    m = ts.load("cell.yaml")
    f, one = ts.compile(m), ts.compile(ts.load("arm.urdf"))
    assert f.coordinates == ("left_j", "left_k", "right_j", "right_k")
    q, v, a = np.random.default_rng(1).normal(size=(3, 4))
    M = f.mass_matrix(q)
    for part in (slice(0, 2), slice(2, 4)):
        np.testing.assert_allclose(M[part, part], one.mass_matrix(q[part]), rtol=1e-13)
    np.testing.assert_array_equal(M[:2, 2:], 0)
    Q = f.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(Q[:2], one.inverse_dynamics(q[:2], v[:2], a[:2]), rtol=1e-12)
    # the right one lies on its side: gravity is along its axis y
    lying = ts.load("arm.urdf", gravity=[-9.81, 0, 0])
    X = f.pose("right_base", q)
    np.testing.assert_allclose(X[:3, 3], [0.2, -0.5, 0.8], atol=1e-15)
    down = X[:3, :3].T @ [0, 0, -9.81]
    lying = ts.compile(ts.load("arm.urdf", gravity=[float(x) for x in down]))
    np.testing.assert_allclose(
        Q[2:], lying.inverse_dynamics(q[2:], v[2:], a[2:]), rtol=1e-10, atol=1e-12
    )
    assert m.joints["right_j"].stop is not None and m.joints["left_j"].stop is None
    run = ts.simulate(m, 0.5, initial={"left_k": 0.4, "right_k": -0.3})
    assert run.energy_drift < 1e-7
    assert sum("no gravity" in x for x in m.notices) == 0


def test_a_joined_model_is_saved_and_read_back(folder):
    m = ts.load("cell.yaml")
    again = ts.load(m.save("whole.yaml"))
    q = [0.1, 0.2, 0.3, 0.4]
    assert again.coordinates == m.coordinates
    np.testing.assert_array_equal(ts.compile(again).gravity(q), ts.compile(m).gravity(q))
    both = ts.robots.attach(m, "tool.yaml", "left_b", prefix="t_", name="all")
    assert both.name == "all" and "t_roll" in both.coordinates


def test_a_free_base_and_loops_keep_their_names(folder):
    text = ARM.replace('<dynamics damping="0.3"/>', '<mimic joint="j" multiplier="2"/>')
    (folder / "arm.urdf").write_text(text, encoding="utf-8")
    m = ts.load({"include": [{"file": "arm.urdf", "prefix": "r_", "free_base": "yes"}]})
    assert "r_k_follows" in m.constraints
    assert m.coordinates[0].startswith("r_base")
    run = ts.simulate(m, 0.1, initial={"r_j.": 1.0})
    assert run["r_k."][-1] == pytest.approx(2 * run["r_j."][-1], rel=1e-6)


@pytest.mark.parametrize(("include", "messages"), [
    ("[{file: arm.urdf}, {file: arm.urdf}]", ("already, at arm.urdf:1:", 'such as "left_"')),
    ("[{file: arm.urdf, at: tabel}]", ("text:2:", 'place "tabel" does not exist')),
    ("[{file: harm.urdf}]", ("text:2:", "does not exist", "arm.urdf")),
    ("[{file: ../arm.urdf}]", ("text:2:", "outside the folder")),
    ("[{file: bad.yaml, prefix: x_}]", ("bad.yaml:2:", "masss")),
    ("[{file: self.yaml}]", ("in a circle",)),
    ("[{fil: arm.urdf}]", ("text:2:", "fil")),
    ("[{file: phrase.yaml}]", ("phrase.yaml:1:", "a phrase cannot be joined")),
    ("[{file: arm.urdf, limits: soft}]", ('behaviour "soft" does not exist',)),
])  # fmt: skip
def test_errors_name_file_and_line(folder, include, messages):
    (folder / "bad.yaml").write_text(
        "bodies:\n  b: {masss: 1}\njoints: {j: {type: pivot, bodies: [ground, b], axis: z}}\n"
    )
    (folder / "self.yaml").write_text("include: [{file: self.yaml}]\n")
    (folder / "phrase.yaml").write_text("phrase: RY(q1), TYK(L1);\n")
    with pytest.raises(ts.ModelError) as error:
        ts.load(f"name: scene\ninclude: {include}\ngravity: [0, 0, -9.81]\n")
    for message in messages:
        assert message in str(error.value)
