"""MJCF: accelerations are those of MuJoCo; each element and attribute is read or reported."""

import re

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.language.mjcf.mjcf_table import MJCF

mujoco = pytest.importorskip("mujoco")
from mjcf_fields import fields, group_of, silent  # noqa: E402
from mjcf_oracle import accelerations, coordinates, pair, random_data, turned  # noqa: E402

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


def test_flexible_bodies_are_refused_by_name(tmp_path):
    grid = '<flexcomp name="f" type="grid" count="2 2 1" spacing="1 1 1" dim="2" mass="1">'
    edge = '<edge equality="true"/></flexcomp>'
    with pytest.raises(ts.ModelError, match=r"flexible bodies \(flex\) are out of scope: f"):
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
        *("deformable/flex", "joint/@springyield", "geom/@surfacevel", "geom/@adhesion"),
        *("fixed/@armature", "fixed/@frictionloss", "fixed/@range", "spatial/@range"),
        *("body/flexcomp", "body/plugin", "contact/pair", "key/@mpos", "gyro/@cutoff"),
        *("sensor/force", "extension/plugin", "mesh/plugin"),
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


def test_a_joint_bounds_the_sum_of_its_actuators(tmp_path):
    parts = {"joint": 'axis="0 1 0" actuatorfrcrange="-0.4 0.4"'}
    two = '<motor name="a" joint="x" gear="2"/><position name="b" joint="x" kp="3" kv="1"/>'
    tail = f"<actuator>{two}</actuator>"
    both = written(tmp_path, ARM.format(**{**DEFAULTS, **parts, "tail": tail}))
    for seed in range(4):
        agree(both, random_data(both.model, np.random.default_rng(seed)))
    assert list(both.mechanism.loads) == ["a + b"]


@pytest.mark.parametrize(
    "text",
    [
        '<motor name="p" joint="x" delay="0.01" nsample="3"/>',
        '<adhesion name="p" body="second" ctrlrange="0 1" gain="2"/>',
        '<motor name="p" site="tip" refsite="wall" gear="1 0 0 0 0 0"/>',
        '<position name="p" site="tip" kp="3" kv="1"/>',
        '<motor name="p" cranksite="tip" slidersite="wall" cranklength="0.9"/>',
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


# --- actuators with any law, tendons that wrap, fluids, keyframes, sensors ---------------------


def written(tmp_path, text, **options):
    path = tmp_path / "m.xml"
    path.write_text(text, encoding="utf-8")
    return pair(path, **options)


def agree(both, data):
    found, expected = accelerations(both, data)
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert not both.unread


ROUND = """<mujoco><compiler angle="radian"/>{head}<worldbody>
<site name="wall" pos="-0.6 0.2 0.3"/><site name="top" pos="0 0.1 1.2"/>
<geom name="drum" type="{drum}" size="0.15 0.3" pos="0.1 0.1 0.55" euler="1.3 0.2 0"/>
<body name="first" pos="0.1 0 0.2"><joint name="x" axis="0 1 0.2"/>
<inertial pos="0.1 0.05 0.02" mass="1.5" fullinertia="0.03 0.04 0.05 0.001 0.002 0.003"/>
<site name="elbow" pos="0.35 0.1 0.2"/><geom name="ball" size="0.08" pos="0.35 0 0.12"/>
<site name="aside" pos="0.35 0 0.3"/>
<body name="second" pos="0.3 0 0.1"><joint name="y" type="{second}"/>
<inertial pos="0.2 0 0.1" mass="0.7" diaginertia="0.01 0.02 0.02"/>
<site name="tip" pos="0.3 0 0.05" euler="0.3 0.4 0.5"/></body></body></worldbody>{tail}</mujoco>"""
WRAPPED = """<tendon><spatial name="t" {0}><site site="wall"/><geom geom="drum" {1}/>
<site site="elbow"/><geom geom="ball" {2}/><site site="tip"/>{3}</spatial></tendon>"""
PULLEY = '<pulley divisor="3"/><site site="top"/><site site="elbow"/><pulley divisor="2"/>'
PULLEY += '<site site="top"/><geom geom="ball"/><site site="tip"/>'


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("drum", ["sphere", "cylinder"])
@pytest.mark.parametrize("sides", [("", ""), ('sidesite="top"', 'sidesite="aside"')])
def test_tendons_wrap_as_in_mujoco(tmp_path, seed, drum, sides):
    law = 'stiffness="300 20" damping="2 1" springlength="0.6 0.9"'
    tail = WRAPPED.format(law, *sides, PULLEY)
    text = ROUND.format(head="", drum=drum, second="ball", tail=tail)
    both = written(tmp_path, text)
    agree(both, random_data(both.model, np.random.default_rng(seed), 1.5))


LAWS = {
    "filter": 'dyntype="filter" dynprm="0.2" gainprm="3"',
    "exact filter": 'dyntype="filterexact" dynprm="0.2" gaintype="affine" gainprm="1 2 3"',
    "integrator": 'dyntype="integrator" gainprm="4" biastype="affine" biasprm="1 -4 -2"',
    "clamped integrator": 'dyntype="integrator" actrange="-0.2 1.3" actlimited="true"',
    "affine": 'gaintype="affine" gainprm="1 -2 0.5" biastype="affine" biasprm="0.3 2 -1"',
    "bounded": 'gainprm="9" biastype="affine" biasprm="0 -3 0" forcerange="-1 2"',
    "muscle": 'dyntype="muscle" dynprm="0.01 0.04" gaintype="muscle" lengthrange="-0.5 1.6" '
    'gainprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2" biastype="muscle" '
    'biasprm="0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2"',
    "smooth muscle": 'dyntype="muscle" dynprm="0.01 0.04 0.3" gaintype="muscle" '
    'gainprm="0.6 1.2 40 200 0.4 1.5 1.4 1.3 1.3" biastype="muscle" '
    'biasprm="0.6 1.2 40 200 0.4 1.5 1.4 1.3 1.3" lengthrange="-0.2 1.1"',
}
TARGETS = {
    "joint": 'joint="x" gear="1.5"',
    "sum": 'tendon="sum" gear="-2"',
    "cable": 'tendon="t" gear="0.7"',
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("law", LAWS)
def test_laws_of_actuators_are_those_of_mujoco(tmp_path, law, target):
    fixed = '<fixed name="sum"><joint joint="x" coef="2"/><joint joint="y" coef="-1"/></fixed>'
    tail = WRAPPED.format("", "", "", "").replace("</tendon>", f"{fixed}</tendon>")
    tail += f'<actuator><general name="go" {TARGETS[target]} {LAWS[law]}/></actuator>'
    text = ROUND.format(head="", drum="sphere", second="hinge", tail=tail)
    both = written(tmp_path, text)
    for seed in range(6):
        data = random_data(both.model, np.random.default_rng(seed))
        agree(both, data)
        for name, rate in both.mechanism.states.items():
            state = {name: data.act[0], "go": data.ctrl[0]}
            found = evaluated(rate.rate, state)
            assert found == pytest.approx(data.act_dot[0], rel=1e-9, abs=1e-12)


def evaluated(x, values):
    return float(evaluate(x, {s.name: values[s.name] for s in free_symbols(x)}))


OTHERS = {
    "at a site": '<motor name="a" site="tip" gear="1 2 3 0.1 0.2 0.3" ctrlrange="-0.5 0.5"/>',
    "damper": '<damper name="a" joint="x" kv="3" ctrlrange="0 1"/>',
    "cylinder": '<cylinder name="a" joint="x" timeconst="0.3" area="2" bias="1 -2 -0.5"/>',
    "time constant": '<position name="a" joint="y" kp="30" timeconst="0.2"/>',
    "rotor and damper": '<motor name="a" joint="y" gear="3" armature="0.2" damping="0.4 1"/>',
}


@pytest.mark.parametrize("case", OTHERS)
def test_shortcuts_of_actuators_are_those_of_mujoco(tmp_path, case):
    tail = f"<actuator>{OTHERS[case]}</actuator>"
    text = ROUND.format(head="", drum="sphere", second="hinge", tail=tail)
    both = written(tmp_path, text)
    agree(both, random_data(both.model, np.random.default_rng(3)))


SHAPES = 'type="{0}" size="0.1 0.05 0.02" pos="0.1 0 0.05" euler="0.3 0.2 0.1"'
COEFFICIENTS = 'fluidshape="ellipsoid" fluidcoef="0.5 0.25 1.5 1 0.7"'


@pytest.mark.parametrize("fluid", ["", *("sphere", "capsule", "cylinder", "ellipsoid", "box")])
def test_fluids_act_as_in_mujoco(tmp_path, fluid):
    head = '<option density="800" viscosity="2" wind="1 -0.5 0.3"/>'
    text = ROUND.format(head=head, drum="sphere", second="ball", tail="")
    if fluid:
        geometry = f"<geom {SHAPES.format(fluid)} {COEFFICIENTS}/>"
        text = text.replace('<site name="aside"', f'{geometry}<site name="aside"')
    both = written(tmp_path, text)
    agree(both, random_data(both.model, np.random.default_rng(5)))


KEYS = """<keyframe><key name="home" qpos="0.5 0.8 0.6 0 0" qvel="1 2 3 4" ctrl="0.7" act="0.2"/>
<key name="away"/></keyframe>"""


def test_a_motion_starts_at_a_keyframe(tmp_path):
    tail = '<actuator><general name="go" joint="x" dyntype="filter" dynprm="0.2"/></actuator>'
    text = ROUND.format(head="", drum="sphere", second="ball", tail=tail + KEYS)
    text = text.replace('axis="0 1 0.2"', 'axis="0 1 0.2" ref="0.1"')
    text = text.replace('<body name="second"', '<body name="second" euler="0.2 0.3 0.4"')
    m, model = written(tmp_path, text, keyframe="home").mechanism, written(tmp_path, text).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    run, R = ts.simulate(m, 0.01), turned(model)
    assert run.q[0] == pytest.approx(coordinates(model, data, R))
    assert run.v[0] == pytest.approx(R @ data.qvel)
    assert m.parameters["go"] == 0.7 and run["go_activation"][0] == pytest.approx(0.2)
    names = [x for x in written(tmp_path, text).mechanism.notices if "keyframes: home, away" in x]
    assert len(names) == 1
    with pytest.raises(ts.ModelError, match='there is no keyframe "hom"'):
        written(tmp_path, text, keyframe="hom")


def test_inertial_units_and_positions_are_measured_as_in_mujoco(tmp_path):
    tail = '<sensor><gyro name="w" site="tip"/><accelerometer name="a" site="tip"/>'
    tail += '<jointpos name="q" joint="x"/><force name="f" site="tip"/></sensor>'
    text = ROUND.format(head="", drum="sphere", second="hinge", tail=tail)
    both = written(tmp_path, text)
    data = random_data(both.model, np.random.default_rng(2))
    mujoco.mj_forward(both.model, data)
    start = {"x": data.qpos[0], "y": data.qpos[1], "x.": data.qvel[0], "y.": data.qvel[1]}
    run = ts.simulate(both.mechanism, 0.01, initial={x: float(y) for x, y in start.items()})
    found = [*run.sensor("w").values[0, 3:], *run.sensor("a").values[0, :3]]
    assert [*found, *run.sensor("q").values[0]] == pytest.approx(data.sensordata[:7], rel=1e-9)
    assert "Not read: <sensor><force> (1)" in str(both.mechanism.notices)


def test_every_field_of_a_compiled_model_is_read_or_known_to_have_no_effect():
    assert not [name for name in fields() if not group_of(name)]


def test_no_field_in_use_is_lost_without_a_notice(tmp_path):
    text = ROUND.format(head="", drum="sphere", second="ball", tail=WRAPPED.format("", "", "", ""))
    text = text.replace('<geom name="ball"', '<geom name="ball" surfacevel="0 0 1 0 0 0"')
    text = text.replace('<spatial name="t"', '<spatial name="t" frictionloss="1" range="0 1"')
    text = text.replace('name="x"', 'name="x" springyield="0.1" actuatorgravcomp="true"')
    path = tmp_path / "m.xml"
    path.write_text(text, encoding="utf-8")
    assert silent(path) == []


def test_disabled_contacts_make_none(tmp_path):
    floor = '<geom type="plane" size="1 1 1"/><body name="first"'
    text = ROUND.format(head="{0}", drum="sphere", second="ball", tail="")
    text = text.replace('<body name="first"', floor, 1)
    touching = written(tmp_path, text.format(""), collisions=True).mechanism
    assert any("friction (ground)" in x for x in touching.notices)
    flag = '<option><flag contact="disable"/></option>'
    apart = written(tmp_path, text.format(flag), collisions=True).mechanism
    assert not any("friction (ground)" in x for x in apart.notices)
    assert "Disabled by flags of the file: contacts." in apart.notices
