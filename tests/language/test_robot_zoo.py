"""The robots of `example-robot-data` (extra `robot-zoo`), and Pinocchio's dynamics of them."""

import math
import re
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.language.imported import robot_form
from torseur.language.robot.plain_robot import plain_mechanism
from torseur.language.yaml.form import imported_mechanism

ROBOTS = "cmeel.prefix/share/example-robot-data/robots"
QUICK = ("panda.urdf", "ur5_robot.urdf", "double_pendulum.urdf", "TwoDofs.urdf")  # in every run

# what the files get wrong, by what is told
FAULTY = {
    "alex_psyonic_hands.urdf": 'joint "index_q1" does not exist',
    "romeo_laas_small.urdf": "is negative",
    "tiago.urdf": "is negative",
    "tiago_dual.urdf": "is negative",
    "tiago_no_hand.urdf": "is negative",
    "ur3.urdf": "the file has no link",
}


def robots():
    """The files, where the package is installed."""
    roots = [Path(np.__file__).parents[1] / ROBOTS]
    return sorted(path for root in roots for path in root.rglob("*.urdf"))


FILES = robots()
pytestmark = pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")


def ids(path):
    return f"{path.parents[1].name}-{path.stem}"


def sorted_out(paths):
    """Cases, of which few are in every run."""
    return [
        pytest.param(x, marks=[] if x.name in QUICK else [pytest.mark.slow], id=ids(x))
        for x in paths
    ]


@pytest.mark.parametrize("path", sorted_out(FILES))
def test_every_robot_is_read_or_explained(path):
    if path.name in FAULTY:
        with pytest.raises(ts.ModelError, match=FAULTY[path.name]) as caught:
            ts.load(path)
        assert f"{path.name}:" in str(caught.value)
    else:
        assert ts.load(path).notices


@pytest.mark.slow  # a bound of time, for a machine that does nothing else
@pytest.mark.parametrize("name", ["simple_humanoid.urdf", "talos_reduced.urdf", "icub.urdf"])
def test_thirty_joints_are_read_in_50_milliseconds(name):
    path = next(x for x in FILES if x.name == name)
    spent = []
    for _ in range(8):  # the quickest: others use the processor too
        start = time.process_time()
        ts.load(path)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.05


def exact(text):
    """The angles that Torseur takes as exact turns, written as these."""

    def one(angle):
        try:
            value, decimals = float(angle), len(angle.partition(".")[2])
        except ValueError:
            return angle
        noise = max(1e-9, 0.5000001 * 10.0**-decimals) if decimals >= 7 else 1e-9
        for share in (6, 4):
            turns = round(value * share / math.pi)
            if abs(value - turns * math.pi / share) <= noise:
                return repr(turns * math.pi / share)
        return angle

    return re.sub(r'(rpy=")([^"]*)"', lambda x: x[1] + " ".join(map(one, x[2].split())) + '"', text)


UNREAD = ("alex_psyonic_hands.urdf", "ur3.urdf")


def pinocchio_state(model, mechanism, values):
    """The values of coordinates, speeds and accelerations in Pinocchio's order."""
    import pinocchio

    names = {x: j.name for j in mechanism.joints.values() for x in j.coordinates}
    q, v, a = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    order = []
    for k, name in enumerate(mechanism.coordinates):
        joint = model.joints[model.getJointId(names[name])]
        angle = values[0][k]
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            angle if joint.nq == 1 else (np.cos(angle), np.sin(angle))
        )
        v[joint.idx_v], a[joint.idx_v] = values[1][k], values[2][k]
        order.append(joint.idx_v)
    return q, v, a, order


MASSLESS = ("romeo.urdf", "romeo_laas_small.urdf")  # joints that move no mass: no accelerations


@pytest.mark.parametrize("path", sorted_out(x for x in FILES if x.name not in UNREAD))
def test_dynamics_are_those_of_pinocchio(path):
    pinocchio = pytest.importorskip("pinocchio")
    mechanism = ts.robots.load(path, accept=["negative moment"])
    model = pinocchio.buildModelFromXML(exact(path.read_text(encoding="utf-8")))
    n = len(mechanism.coordinates)
    if not n:
        return
    given = np.random.default_rng(0).uniform(-1, 1, (3, n))
    q, v, a, order = pinocchio_state(model, mechanism, given)
    expected = pinocchio.rnea(model, model.createData(), q, v, a)[order]
    f = ts.compile(mechanism)
    M, rest = f.mass_matrix(given[0]), f.bias(*given[:2]) + f.gravity(given[0])
    assert M @ given[2] + rest == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())
    if path.name not in MASSLESS:
        there = pinocchio.aba(model, model.createData(), q, v, np.zeros(model.nv))[order]
        # lengths and inertias that are taken as 0 are named in the notices
        near = 1e-8 if not any("taken as 0" in x for x in mechanism.notices) else 1e-6
        assert np.linalg.solve(M, -rest) == pytest.approx(there, abs=near * np.abs(there).max())


# what MuJoCo does not take from these files, although no shape is read: inertias of no body, links
# that move without mass
NOT_IN_MUJOCO = "inertia must|positive eigenvalues|mjMINVAL"
_SHAPES = re.compile(r"<(visual|collision)\b.*?</\1>|<mimic[^>]*/>", re.DOTALL)
_COMPILER = (
    '<mujoco><compiler fusestatic="false" boundmass="0" boundinertia="0" '
    'inertiafromgeom="false"/></mujoco>'
)


@pytest.mark.parametrize("path", sorted_out(x for x in FILES if x.name not in UNREAD))
def test_dynamics_are_those_of_mujoco_where_it_reads_the_file(path):
    mujoco = pytest.importorskip("mujoco")
    text = _SHAPES.sub("", exact(path.read_text(encoding="utf-8")))
    text = re.sub(r"(<robot\b[^>]*>)", lambda x: x[1] + _COMPILER, text, count=1)
    mechanism = ts.robots.load(path, accept=["negative moment"])
    if not mechanism.coordinates:
        return
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        assert re.search(NOT_IN_MUJOCO, str(error))
        return
    dry = [x for motor in mechanism.motors.values() for x in motor.dry_output if x.op == "symbol"]
    # dry friction is a force of the mechanism here, a constraint there
    f, data = ts.compile(mechanism), mujoco.MjData(model)
    f = f.with_parameters(**{x.name: 0.0 for x in dry})
    names = {x: j.name for j in mechanism.joints.values() for x in j.coordinates}
    at = [model.joint(names[x]).id for x in mechanism.coordinates]
    at_q, at_v = model.jnt_qposadr[at], model.jnt_dofadr[at]
    q, v = np.random.default_rng(0).uniform(-1, 1, (2, len(at)))
    data.qpos[at_q], data.qvel[at_v] = q, v
    mujoco.mj_forward(model, data)
    smooth = f.applied(q, v) - f.bias(q, v) - f.gravity(q)
    expected = data.qfrc_smooth[at_v]
    assert smooth == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())


def test_followers_are_those_of_pinocchio():
    """Pinocchio leaves followers out of v; here they stay, held by couplings."""
    pinocchio = pytest.importorskip("pinocchio")
    path = next(x for x in FILES if x.name == "panda.urdf")
    mechanism = ts.load(path)
    model = pinocchio.buildModelFromXML(exact(path.read_text(encoding="utf-8")), True)
    rng = np.random.default_rng(1)
    v, a = rng.uniform(-1, 1, (2, model.nv))
    q = rng.uniform(-1, 1, model.nq)
    expected = pinocchio.rnea(model, model.createData(), q, v, a)
    leader = mechanism.coordinates.index("panda_finger_joint1")
    G = np.vstack([np.eye(8), np.eye(8)[leader]])  # the second finger does as the first
    f = ts.compile(mechanism)
    found = f.mass_matrix(G @ q) @ (G @ a) + f.bias(G @ q, G @ v) + f.gravity(G @ q)
    assert G.T @ found == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("path", sorted_out(FILES))
def test_plain_numbers_give_the_mechanism_of_the_general_reader(path):
    """Two roads, to the same parts, places and notices."""
    if path.name in FAULTY:
        return
    document, source = robot_form(path)
    plain = plain_mechanism(document, source)
    if plain is not None:
        formed = imported_mechanism(document.data, source, document.lines)
        for field in fields(plain):
            a, b = (repr(getattr(x, field.name)) for x in (plain, formed))
            assert a == b, field.name
