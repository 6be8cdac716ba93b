"""MJCF: accelerations are those of MuJoCo; each element and attribute is read or reported."""

import re

import numpy as np
import pytest

import torseur as ts
from torseur.language.mjcf.mjcf_table import MJCF

mujoco = pytest.importorskip("mujoco")

ARM = """<mujoco><compiler angle="radian"/>{head}<worldbody>
<site name="wall" pos="-0.4 0.1 0.2"/>
<body name="first" {body} pos="0.1 0 0.2" euler="0.2 0.1 0.3"><joint name="x" {joint}/>
<inertial pos="0.1 0.05 0.02" mass="1.5" fullinertia="0.03 0.04 0.05 0.001 0.002 0.003"/>
<body name="second" pos="0.3 0 0.1" euler="0.4 0 0.1"><joint name="y" {second}/>
<inertial pos="0.2 0 0.1" mass="0.7" diaginertia="0.01 0.02 0.02"/><site name="tip" pos="0.1 0 0"/>
</body></body></worldbody>{tail}</mujoco>"""
DEFAULTS = {"head": "", "body": "", "joint": 'axis="0 1 0"', "second": 'axis="1 0 1"', "tail": ""}
SUM = '<joint joint="x" coef="2"/><joint joint="y" coef="-0.5"/>'
FIXED = f"<tendon><fixed {{}}>{SUM}</fixed></tendon>"
SPATIAL = '<tendon><spatial {}><site site="wall"/><site site="tip"/></spatial></tendon>'
CASES = {
    "springs and dampers": {
        "joint": 'type="slide" axis="1 0 1" stiffness="40" springref="0.1" damping="3"',
        "second": 'axis="0 1 0" stiffness="7" damping="0.2" armature="0.3"',
    },
    "reference": {"joint": 'axis="0 1 0" ref="0.3" springref="0.5" stiffness="6"'},
    "polynomials": {
        "joint": 'type="slide" stiffness="40 5 6" springref="0.2" damping="1 2 3"',
        "second": 'axis="0 1 0" stiffness="0 3 0" damping="0 0 2"',
    },
    "spring and damper by time constant": {"joint": 'axis="0 1 0" springdamper="0.1 0.7"'},
    "defaults": {"head": '<default><joint damping="2" stiffness="3 1"/></default>'},
    "gravity compensation": {"body": 'gravcomp="0.7"', "head": '<option gravity="1 2 -9"/>'},
    "gravity disabled": {
        "body": 'gravcomp="0.7"',
        "head": '<option><flag gravity="disable"/></option>',
    },
    "passive forces disabled": {
        "body": 'gravcomp="0.7"',
        "joint": 'stiffness="3" damping="1 1"',
        "head": '<option><flag spring="disable" damper="disable"/></option>',
        "tail": FIXED.format('stiffness="3" damping="2"'),
    },
    "damper of a ball": {"second": 'type="ball" pos="0 0.1 0" damping="0.6"'},
    "spring of a ball": {"second": 'type="ball" pos="0 0.1 0" stiffness="6"'},
    "springs of two balls": {"joint": 'type="ball" stiffness="4"', "second": 'type="ball"'},
    "two balls": {"joint": 'type="ball" damping="0.4"', "second": 'type="ball" damping="0.6"'},
    "damper of a free body": {"joint": 'type="free" damping="0.8"'},
    "fixed tendon": {"tail": FIXED.format('stiffness="30" damping="2"')},
    "fixed tendon with slack": {
        "joint": 'axis="0 1 0" ref="0.2"',
        "tail": FIXED.format('stiffness="30 4 5" damping="2 1 3" springlength="-0.4 0.1"'),
    },
    "straight tendon": {
        "tail": SPATIAL.format('stiffness="30 4" damping="2 0 1" springlength="0.2 0.3"')
    },
    "mocap body": {
        "head": '<worldbody><body name="hand" mocap="true" pos="1 2 3"><geom size="1" '
        'contype="0" conaffinity="0"/></body></worldbody>'
    },
}


def read(tmp_path, text):
    path = tmp_path / "m.xml"
    path.write_text(text, encoding="utf-8")
    return ts.load(path), mujoco.MjModel.from_xml_path(str(path))


def turned(model):
    """The rotation that axes of speeds here differ by: those of balls are the carrier's."""
    R = np.eye(model.nv)
    for k in range(model.njnt):
        if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_BALL:
            block, at = np.zeros(9), slice(model.jnt_dofadr[k], model.jnt_dofadr[k] + 3)
            mujoco.mju_quat2Mat(block, model.body_quat[model.jnt_bodyid[k]])
            R[at, at] = block.reshape(3, 3)
    return R


def coordinates(model, data, R):
    """The coordinates here: counted from references, quaternions about turned axes."""
    q = np.array(data.qpos)
    for k in range(model.njnt):
        at, dof = model.jnt_qposadr[k], model.jnt_dofadr[k]
        if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_BALL:
            q[at + 1 : at + 4] = R[dof : dof + 3, dof : dof + 3] @ q[at + 1 : at + 4]
        elif model.jnt_type[k] != mujoco.mjtJoint.mjJNT_FREE:
            q[at] -= model.qpos0[at]
    return q


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("case", CASES)
def test_accelerations_are_those_of_mujoco(tmp_path, case, sign):
    m, model = read(tmp_path, ARM.format(**{**DEFAULTS, **CASES[case]}))
    data, rng = mujoco.MjData(model), np.random.default_rng(7)
    step, data.qvel[:] = sign * rng.uniform(-0.7, 0.7, model.nv), rng.uniform(-1, 1, model.nv)
    mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    mujoco.mj_forward(model, data)
    R = turned(model)
    state = coordinates(model, data, R), R @ data.qvel
    found = ts.compile(m).forward_dynamics(*state, np.zeros(model.nv))
    assert found == pytest.approx(R @ data.qacc, rel=1e-8, abs=1e-8)
    assert not [x for x in m.notices if x.startswith("Not read")]


LOOP = """<mujoco><worldbody>
<body name="arm"><joint name="x" axis="0 0 1"/><geom size="0.1" contype="0" conaffinity="0"/></body>
<body name="box" pos="1 0.2 0" euler="10 20 30"><freejoint name="free"/>
<geom size="0.1" contype="0" conaffinity="0"/></body></worldbody>
<equality><weld body1="arm" body2="box" {}/></equality></mujoco>"""


@pytest.mark.parametrize(
    ("weld", "mobility"),
    [
        ('anchor="0.1 0.2 0.3"', 1),
        ('anchor="0.1 0.2 0.3" relpose="0.9 0.1 0.2 1 0 0 0"', 1),
        ('anchor="0.1 0.2 0.3" torquescale="0"', 4),
    ],
)
def test_a_weld_holds_the_bodies_where_mujoco_holds_them(tmp_path, weld, mobility):
    """Without couples (torquescale 0) it holds a point."""
    m, model = read(tmp_path, LOOP.format(weld))
    assert ts.mobility(m).degree == mobility
    data = mujoco.MjData(model)
    data.qpos[:] = ts.assemble(m, {"x": 0.4}).q
    mujoco.mj_forward(model, data)
    assert data.nefc == 6 and np.abs(data.efc_pos).max() < 1e-9


@pytest.mark.parametrize("q", [(1, 0, 0, 0), (-0.1, 0.7, 0.5, -0.5), (0.999999999999, 1e-6, 0, 0)])
def test_a_spring_of_a_ball_pulls_to_the_nearer_side_from_any_turn(tmp_path, q):
    text = ARM.format(**{**DEFAULTS, "second": 'type="ball" stiffness="6"'})
    m, model = read(tmp_path, text)
    data, R = mujoco.MjData(model), turned(model)
    data.qpos[1:] = np.array(q) / np.linalg.norm(q)
    mujoco.mj_forward(model, data)
    state = coordinates(model, data, R), np.zeros(model.nv)
    found = ts.compile(m).forward_dynamics(*state, np.zeros(model.nv))
    assert found == pytest.approx(R @ data.qacc, rel=1e-8, abs=1e-8)


def test_an_equality_called_like_a_joint_replaces_none(tmp_path):
    body = '<body name="{0}"><joint name="{1}" axis="0 0 1"/><geom size="1"/></body>'
    m, _ = read(
        tmp_path,
        f"<mujoco><worldbody>{body.format('a', 'x')}{body.format('b', 'y')}</worldbody>"
        '<equality><connect name="x" body1="a" body2="b" anchor="0 0 1"/></equality></mujoco>',
    )
    assert list(m.joints) == ["x", "y", "x_"]


def test_an_equality_of_a_deformable_body_is_refused_by_name(tmp_path):
    grid = '<flexcomp name="f" type="grid" count="2 2 1" spacing="1 1 1" dim="2" mass="1">'
    edge = '<edge equality="true"/></flexcomp>'
    with pytest.raises(ts.ModelError, match="its kind, flex, is not read"):
        read(tmp_path, f"<mujoco><worldbody>{grid}{edge}</worldbody></mujoco>")


def schema():
    """Elements of the schema of MuJoCo with their attributes, below the element around them."""
    text, above = mujoco.mj_printSchema(False, False), []
    for line in re.sub(r"\n {30}(?=\S)", " ", text).splitlines():
        if found := re.match(r"( *)([\w()]+) \(.\) *(.*)", line):
            depth, tag = len(found[1]) // 3, found[2].replace("(world)body", "body")
            above[depth:] = [tag]
            yield above[depth - 1] if depth else "", tag, found[3].split()


def test_tables_of_mjcf_name_what_mujoco_has():
    """Names of older versions and of macros, which the schema leaves out, are listed here."""
    older = {*["passive", "mpr_iterations", "mpr_tolerance", "apirate"]}
    macros = {"frame", "replicate", "composite", "worldbody"}
    known = {}
    for outer, tag, attributes in schema():
        known.setdefault(outer, set()).add(tag)
        known.setdefault(tag, set()).update(f"@{x}" for x in attributes)
    for path in (*MJCF.read.split(), *MJCF.idle.split()):
        tag, step = path.split("=")[0].split("/")
        if tag != step and not {tag, step} & macros and step.lstrip("@") not in older:
            assert step in known[tag], path


@pytest.mark.parametrize(
    "path",
    [
        *("option/@density", "option/@viscosity", "option/@wind", "deformable/flex"),
        *("joint/@springyield", "joint/@actuatorgravcomp", "geom/@fluidshape", "geom/@fluidcoef"),
        *("fixed/@armature", "fixed/@frictionloss", "fixed/@range", "spatial/@range"),
        *("spatial/geom", "spatial/pulley", "body/flexcomp", "body/plugin", "contact/pair"),
        *("sensor/gyro", "keyframe/key", "extension/plugin", "mesh/plugin"),
    ],
)
def test_effects_that_are_not_read_are_reported(path):
    known = {x.split("=")[0] for x in (*MJCF.read.split(), *MJCF.idle.split()) if "=" not in x}
    assert path not in known
    tag = path.split("/")[0]
    assert any(x.endswith(f"/{tag}") for x in MJCF.read.split())  # its elements are looked at


ACTUATED = {
    "motor": '<motor name="drive" joint="x" gear="3" ctrlrange="-0.5 0.4" ctrllimited="true"/>',
    "motor at its limit": '<motor joint="x" gear="-2" forcelimited="true" forcerange="-0.1 0.3"/>',
    "position servo": '<position name="drive" joint="x" kp="20" kv="3" gear="-1.5"/>',
    "position servo at its limit": '<position joint="y" kp="200" forcerange="-0.2 1" gear="2"/>',
    "damping ratio": '<position joint="x" kp="20" dampratio="0.7"/>',
    "velocity servo": '<velocity joint="y" kv="4" gear="0.5" ctrlrange="-0.2 0.2"/>',
    "several": '<motor joint="x"/><position joint="x" kp="3"/><velocity name="y" joint="y"/>',
    "general": '<general joint="x" gainprm="7" biastype="affine" biasprm="0 -7 -2"/>',
}


@pytest.mark.parametrize("case", ACTUATED)
@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"joint": 'axis="0 1 0" ref="0.3"', "head": '<option><flag clampctrl="disable"/></option>'},
        {"head": '<option><flag actuation="disable"/></option>'},
    ],
)
def test_actuators_push_as_in_mujoco(tmp_path, case, parts):
    tail = f"<actuator>{ACTUATED[case]}</actuator>"
    m, model = read(tmp_path, ARM.format(**{**DEFAULTS, **parts, "tail": tail}))
    data, rng = mujoco.MjData(model), np.random.default_rng(7)
    data.qpos[:], data.qvel[:] = rng.uniform(-0.7, 0.7, 2), rng.uniform(-1, 1, 2)
    data.ctrl[:] = rng.uniform(-1, 1, model.nu)
    mujoco.mj_forward(model, data)
    commands = [x for x in m.parameters if x in NAMED]
    values = dict(zip(commands, map(float, data.ctrl), strict=bool(commands)))
    state = coordinates(model, data, np.eye(2)), data.qvel
    found = ts.compile(m, parameters=values).forward_dynamics(*state, np.zeros(2))
    assert found == pytest.approx(data.qacc, rel=1e-8, abs=1e-8)
    assert not [x for x in m.notices if x.startswith("Not read")]
    assert bool(commands) != ("actuation" in str(parts))


NAMED = ("drive", "actuator0", "actuator1", "y_2")


def test_a_joint_bounds_the_force_of_its_only_actuator(tmp_path):
    parts = {"joint": 'axis="0 1 0" actuatorfrcrange="-0.4 0.4"'}
    one = '<actuator><motor joint="x" gear="2" forcerange="-0.3 0.1"/>{}</actuator>'
    m, model = read(tmp_path, ARM.format(**{**DEFAULTS, **parts, "tail": one.format("")}))
    data = mujoco.MjData(model)
    data.ctrl[:] = -5.0
    mujoco.mj_forward(model, data)
    f = ts.compile(m, parameters={"actuator0": -5.0})
    found = f.forward_dynamics(np.zeros(2), np.zeros(2), np.zeros(2))
    assert found == pytest.approx(data.qacc, rel=1e-8)
    two = one.format('<motor name="other" joint="x"/>')
    m, _ = read(tmp_path, ARM.format(**{**DEFAULTS, **parts, "tail": two}))
    assert 'actuator "actuator0" (1), actuator "other" (1)' in str(m.notices)


@pytest.mark.parametrize(
    "text",
    [
        '<position name="p" joint="x" kp="3" timeconst="0.1"/>',
        '<motor name="p" site="tip"/>',
        '<motor name="p" joint="x" armature="0.1"/>',
        '<general name="p" joint="x" biastype="affine" biasprm="1 0 0"/>',
        '<muscle name="p" joint="x" lengthrange="0 1"/>',
    ],
)
def test_other_actuators_are_reported_by_name(tmp_path, text):
    m, _ = read(tmp_path, ARM.format(**{**DEFAULTS, "tail": f"<actuator>{text}</actuator>"}))
    assert [x for x in m.notices if x.startswith('Not read: actuator "p" (1)')]
    assert not m.loads


def test_commands_are_named_in_a_notice(tmp_path):
    text = '<actuator><motor name="x" joint="x"/><motor name="go" joint="y"/></actuator>'
    m, _ = read(tmp_path, ARM.format(**{**DEFAULTS, "tail": text}))
    assert "Commands of actuators are parameters, 0 here: x_2, go." in m.notices
    assert m.parameters["x_2"] == m.parameters["go"] == 0
    assert list(m.loads) == ["x", "go"]
