"""Contacts among bodies of mechanisms with joints, motors, stops and control: rows and motions."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError
from torseur.machine.collision import places as at
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import pool
from torseur.machine.contact.pool import Pool

G = 9.81
MOTOR = {"motors": {"M": {"joint": "A", "ratio": 1}}}
STEPS = {"method": "moreau", "step": 1e-3}


# --- rows ----------------------------------------------------------------------------------------


@cache
def arm() -> ts.Mechanism:
    """Two links with a ball at the tip, turned out of their plane, above two balls and a floor."""
    link = {"mass": 1, "centre": [0.2, 0, 0], "inertia": [0.01, 0.02, 0.03]}
    capsule = {"capsule": {"radius": 0.03, "length": 0.3, "axis": "x"}}
    upper = {**link, "collision": [{"shape": capsule, "position": [0.2, 0, 0]}]}
    tip = {"shape": {"sphere": {"radius": 0.05}}, "position": [0.4, 0.02, 0]}
    box = {"shape": {"box": {"size": [0.1, 0.1, 0.06]}}, "position": [0.1, 0.0, 0.0]}
    lower = {**link, "collision": [box, tip]}
    ball = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
    joints = {
        "A": {"type": "universal", "bodies": ["ground", "upper"], "axes": ["z", "y"]},
        "B": {"type": "revolute", "bodies": ["upper", "lower"], "axis": "y", "coordinate": "q"},
        "F": {"type": "free", "bodies": ["ground", "ball"]},
    }
    joints["A"]["point"] = [[0, 0, 0.35], [0, 0, 0]]
    joints["B"]["point"] = [[0.4, 0, 0], [0, 0, 0]]
    contacts = {"all": {"among": "all", "friction": 0.5}, "floor": {"among": "all", "normal": "z"}}
    bodies = {"upper": upper, "lower": lower, "ball": ball}
    motor = {"motors": {"M": {"joint": "B", "ratio": 1}}}
    sections = {"bodies": bodies, "joints": joints, "contacts": contacts, **motor}
    return ts.load({**sections, "gravity": [0, 0, -G]})


Seen = dict[tuple[float, ...], tuple[np.ndarray, np.ndarray]]


def near(own: Pool, y: np.ndarray) -> Seen:
    """Lines and rows of the contacts near a state, by bodies and feature."""
    own.contacts["step"][0] = 0.4  # as long a step as reaches all of them
    lines, first = own.contacts_at(y, 0.0), len(own.contacts.state.constraints.owners)
    rows = own.contacts["J"][first : first + 3 * len(lines)].copy()
    keys = map(tuple, lines[:, : at.FEATURE + 1].tolist())
    return dict(zip(keys, zip(lines, rows.reshape(len(lines), 3, -1), strict=True), strict=True))


def placed(rng: np.random.Generator, model: CompiledModel) -> np.ndarray:
    """A state with the ball beside the arm."""
    size = Pool(model).contacts.size + 5
    y, names = np.zeros(size), list(model.coordinates)
    angles = rng.uniform(-0.4, 0.4, 3)
    four = rng.normal(size=4)
    y[: len(names)] = [*angles, 0.5, 0.25, 0.2, *(four / np.linalg.norm(four))]
    return y


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_contacts_are_those_of_the_jacobians_of_bodies(seed):
    model = CompiledModel(arm())
    y = placed(np.random.default_rng(seed), model)
    found = near(Pool(model), y)
    q, bodies = y[: len(model.coordinates)], ["ground", *model.mechanism.bodies]
    assert {key[:2] for key in found} >= {(1, 0), (2, 0), (3, 0), (3, 1), (3, 2)}  # 0: the floor
    for key, (line, rows) in found.items():
        wanted = np.zeros_like(rows)
        point, axes = line[at.POINT : at.POINT + 3], line[at.AXES : at.AXES + 9].reshape(3, 3)
        for body, sign in ((int(key[0]), 1), (int(key[1]), -1)):
            if body:
                J = np.asarray(model.function(f"jacobian:{bodies[body]}")(q))
                pose = np.asarray(model.function(f"pose:{bodies[body]}")(q))
                arms = np.cross(J[:3].T, point - pose[:3, 3]).T
                wanted += sign * axes @ (J[3:] + arms)
        assert rows == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_normal_rows_are_the_rates_of_gaps(seed):
    model = CompiledModel(arm())
    rng, own = np.random.default_rng(seed), Pool(model)
    y, nq, nv = placed(rng, model), len(model.coordinates), len(model.speeds)
    v, here, e = rng.normal(size=nv), near(own, y), 1e-6
    y[nq : nq + nv] = v
    rates = np.asarray(model.function("rates")(y[:nq], v))
    ends = []
    for side in (-e, e):
        moved = y.copy()
        moved[:nq] += side * rates
        ends.append(near(own, moved))
    for key, (_, rows) in here.items():
        rate = (ends[1][key][0][at.GAP] - ends[0][key][0][at.GAP]) / (2 * e)
        assert rows[0] @ v == pytest.approx(rate, abs=1e-7)


# --- motions: the same as by named contacts -------------------------------------------------------


def pendulum(contacts: dict[str, Any], **more: Any) -> ts.Mechanism:
    """A capsule on a hinge with a motor."""
    offset = [0.6, 0, -0.8]
    shape = {"shape": {"sphere": {"radius": 0.1}}, "position": offset}
    body = {"mass": 1, "centre": [0.4, 0, -0.4], "inertia": [0.1, 0.2, 0.15], "collision": [shape]}
    joint = {"type": "revolute", "bodies": ["ground", "bob"], "axis": "y", "coordinate": "q"}
    sections = {"bodies": {"bob": body}, "contacts": contacts, "initial": {"q": 1.2}}
    joints = {"A": {**joint, **more.pop("joint", {})}}
    return ts.load({**sections, "gravity": [3, 0, -G], "joints": joints, **MOTOR, **more})


PLANE = {"normal": "z", "through": [0, 0, -0.95], "friction": 0.3, "restitution": 0.5}
NAMED = {"floor": {"bodies": ["ground", "bob"], "shape": "ball", "radius": 0.1, **PLANE}}
NAMED["floor"]["point"] = [0.6, 0, -0.8]
AMONG = {"floor": {"among": "all", **PLANE}}
DOWN = {"down": {"type": "joint", "joint": "A", "value": "-20 - 5*q."}}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"joint": {"friction": {"coefficient": 0.2, "radius": 0.05}}},  # by the load of the joint
        {
            "joint": {
                "friction": {"constant": "0.4 N.m"},
                "limits": [0.9, 1.21],
                "stop": {"restitution": 0.3},
            }
        },
        {"forces": {"push": {"type": "joint", "joint": "A", "value": "2*sin(5*t)"}}},
    ],
)
def test_a_pendulum_on_a_plane_moves_as_with_a_named_contact(more):
    runs = [ts.simulate(pendulum(x, **more), 1.0, **STEPS, rate=50) for x in (NAMED, AMONG)]
    named, among = runs
    assert among["q"] == pytest.approx(named["q"], abs=1e-12)
    assert among["q."] == pytest.approx(named["q."], abs=1e-11)
    assert among.energy["work"] == pytest.approx(named.energy["work"], abs=1e-11)
    assert any(len(among.touching[k]) for k in range(len(among.t)))


def test_a_joint_carries_what_contacts_push():
    run = ts.simulate(pendulum(AMONG, forces=DOWN), 2.0, **STEPS, rate=20)
    assert abs(run["q."][-1]) < 1e-12  # it lies on the floor
    pushed = sum(touch.force for touch in run.touching[-1])
    held = run.reaction("A")[-1, :3]
    assert np.linalg.norm(pushed) > 1
    assert held + pushed == pytest.approx([-3, 0, G], abs=1e-9)


def test_absolute_coordinates_agree_with_those_of_joints():
    runs = [
        ts.simulate(pendulum(AMONG), 0.6, **STEPS, rate=20, coordinates=kind)
        for kind in ("joint", "absolute")
    ]
    assert runs[0]["q"] == pytest.approx(runs[1]["q"], abs=1e-5)


def test_a_law_of_control_moves_the_pendulum_as_with_a_named_contact():
    runs = []
    for contacts in (NAMED, AMONG):
        model = pendulum(contacts, inputs=["q"])
        law = {"control": {"q": "30*(0.9 - q) - 3*q."}, "sample": 5e-3}
        runs.append(ts.simulate(model, 1.0, **STEPS, rate=50, **law))
    assert runs[0]["q"] == pytest.approx(runs[1]["q"], abs=1e-12)
    assert runs[0].input("q") == pytest.approx(runs[1].input("q"), abs=1e-10)
    assert any(len(runs[1].touching[k]) for k in range(51))


def test_a_law_measures_reactions_with_what_contacts_push():
    """On the floor the hinge carries the weight less what the floor does."""
    seen = []

    def law(t, q, v, reactions):
        seen.append(np.linalg.norm(reactions))
        return [0.0]

    model = pendulum(AMONG, inputs=["q"], forces=DOWN)
    loop = ts.control.Loop(law, sample=0.05, actuators=["q"], reactions=["X_A", "Y_A", "Z_A"])
    run = ts.simulate(model, 1.0, control=loop, **STEPS, rate=20)
    size = np.linalg.norm(run.reaction("A")[:, :3], axis=1)
    assert seen[:-1] == pytest.approx(size[: len(seen) - 1], abs=1e-9)
    with pytest.raises(ModelError, match='"N_floor" does not exist'):
        named = ts.control.Loop(law, sample=0.05, actuators=["q"], reactions=["N_floor"])
        ts.simulate(model, 1.0, control=named, **STEPS)


def test_rows_of_a_batch_are_those_of_single_motions():
    starts = [1.2, 1.3, 1.4]
    model = pendulum(AMONG)
    batch = ts.simulate(model, 0.5, **STEPS, rate=20, initial={"q": np.array(starts)})
    for k, start in enumerate(starts):
        single = ts.simulate(model, 0.5, **STEPS, rate=20, initial={"q": start})
        assert np.array_equal(batch[k].q, single.q)
        assert np.array_equal(batch[k].v, single.v)


def test_a_run_is_the_same_after_it_was_saved(tmp_path):
    run = ts.simulate(pendulum(AMONG), 0.5, **STEPS, rate=20)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    assert np.array_equal(again["q"], run["q"])
    assert [len(again.touching[k]) for k in range(len(run.t))] == [
        len(run.touching[k]) for k in range(len(run.t))
    ]


# --- motions: laws --------------------------------------------------------------------------------


def grip(force: str) -> ts.Mechanism:
    """Two fingers on slides, pressed against a box."""
    finger = {"mass": 0.3, "shape": {"box": {"size": [0.02, 0.06, 0.08]}}}
    slide = {"type": "prismatic", "axis": "x"}
    joints = {
        "A": {**slide, "bodies": ["ground", "left"], "coordinate": "l"},
        "R": {**slide, "bodies": ["ground", "right"], "coordinate": "r"},
        "B": {"type": "free", "bodies": ["ground", "box"]},
    }
    box = {"mass": 0.2, "shape": {"box": {"size": [0.1, 0.1, 0.1]}}}
    push = {"type": "joint", "joint": "A", "value": force}
    forces = {"pl": push, "pr": {**push, "joint": "R", "value": f"-({force})"}}
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"left": finger, "right": finger, "box": box},
            "joints": joints,
            "forces": forces,
            "contacts": {"all": {"among": "all", "friction": 0.6}},
            "initial": {"l": -0.06, "r": 0.06},
            **MOTOR,
        }
    )


def test_a_gripper_holds_a_box_by_friction_and_drops_it_when_it_opens():
    held = ts.simulate(grip("5"), 1.0, **STEPS, rate=20)
    for name in ("l", "r", "B_x", "B_y", "B_z", "B_qx", "B_qy", "B_qz"):
        assert np.ptp(held[name]) < 1e-9
    shares = np.array([touch.force for touch in held.touching[5]])
    assert np.abs(shares[:, 0]) == pytest.approx(1.25, abs=1e-9)  # symmetric: 5 N on four corners
    assert shares[:, 2] == pytest.approx(-0.2 * G / 8, abs=1e-9)
    let_go = ts.simulate(grip("5*cos(2*pi*t)"), 0.6, **STEPS, rate=20)
    fall = let_go["B_z."]
    open_now = let_go.t > 0.3
    assert np.diff(fall[open_now]) == pytest.approx(-G / 20, rel=1e-9)


def test_a_body_that_a_joint_keeps_from_turning_needs_no_moment_of_inertia():
    """A block without moments of inertia slides on a rail into a ball: momentum is kept."""
    scene = ts.load({
        "gravity": [0, 0, 0],
        "bodies": {"block": {"mass": 1, "collision": [{"shape": {"box": {"size": [0.1] * 3}}}]},
                   "ball": {"mass": 2, "shape": {"sphere": {"radius": 0.05}}}},
        "joints": {"S": {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x",
                         "coordinate": "s"},
                   "F": {"type": "free", "bodies": ["ground", "ball"]}},
        "contacts": {"pair": {"among": ["block", "ball"], "restitution": 1}},
        "initial": {"s.": 3, "F_x": 0.2},
    })  # fmt: skip
    run = ts.simulate(scene, 0.2, **STEPS, rate=20)
    assert run["s."][-1] == pytest.approx(-1, abs=1e-9)  # elastic: (1 − 2)/(1 + 2) × 3
    assert run["F_x."][-1] == pytest.approx(2, abs=1e-9)


def thrown_box(**more: Any) -> ts.Mechanism:
    """A box thrown on a floor; a wheel beside it keeps it from being a pile."""
    box = {"mass": 1, "shape": {"box": {"size": [0.2, 0.2, 0.1]}}}
    wheel = {"mass": 1, "inertia": [1, 1, 1]}
    joints = {
        "A": {"type": "free", "bodies": ["ground", "b"]},
        "W": {"type": "revolute", "bodies": ["ground", "w"], "axis": "z", "coordinate": "w"},
    }
    floor = {"floor": {"among": ["b"], "normal": "z", "friction": 0.3}}
    start = {"A_z": 0.2, "A_qw": 0.95, "A_qx": 0.3, "A_qy": 0.1, "A_x.": 0.5}
    sections = {"bodies": {"b": box, "w": wheel}, "joints": joints, "contacts": floor}
    return ts.load({**sections, "initial": start, "gravity": [0, 0, -G], **more})


def test_a_thrown_box_comes_to_where_it_comes_as_a_pile():
    pile, joints = (
        ts.simulate(thrown_box(**more), 1.5, method="moreau", step=1e-4, rate=20)
        for more in ({}, {"motors": {"M": {"joint": "W", "ratio": 1}}})
    )
    assert joints["A_z"][-1] == pytest.approx(0.05, abs=1e-9)
    for name in ("A_x", "A_y", "A_z"):
        assert joints[name] == pytest.approx(pile[name], abs=5e-3)


@pytest.mark.parametrize(
    ("solid", "share"),
    [
        ({"shape": {"cylinder": {"radius": 0.1, "length": 0.3, "axis": "y"}}}, 2 / 3),
        ({"shape": {"sphere": {"radius": 0.1}}}, 5 / 7),
    ],
)
def test_what_rolls_down_a_slope_keeps_its_height_to_rounding(solid, share):
    """Points that touch change on the body: rows at the start and at the end are their own."""
    a = np.radians(10)
    wheel = {"mass": 1, "inertia": [1, 1, 1]}
    joints = {
        "F": {"type": "free", "bodies": ["ground", "b"]},
        "A": {"type": "revolute", "bodies": ["ground", "w"], "axis": "z", "coordinate": "w"},
    }
    floor = {"floor": {"among": ["b"], "normal": "z", "friction": 0.6}}
    sections = {"bodies": {"b": {"mass": 2, **solid}, "w": wheel}, "joints": joints, **MOTOR}
    down = [float(G * np.sin(a)), 0, float(-G * np.cos(a))]
    model = ts.load({**sections, "gravity": down, "contacts": floor, "initial": {"F_z": 0.1}})
    run = ts.simulate(model, 1.0, **STEPS, rate=50)
    assert run["F_x"] == pytest.approx(0.5 * share * G * np.sin(a) * run.t**2, abs=1e-9)
    assert np.ptp(run["F_z"]) < 1e-12


def test_an_arm_that_folds_touches_itself_and_stops():
    link = {"mass": 1, "centre": [0.2, 0, 0], "inertia": [0.01, 0.02, 0.02]}
    capsule = {"capsule": {"radius": 0.04, "length": 0.2, "axis": "x"}}
    body = {**link, "collision": [{"shape": capsule, "position": [0.25, 0, 0]}]}
    joints = {}
    for k, first in enumerate(("ground", "a", "b")):
        own = {"type": "revolute", "bodies": [first, "abc"[k]], "axis": "y"}
        joints["ABC"[k]] = {**own, "coordinate": f"q{k}"}
        if k:
            joints["ABC"[k]]["point"] = [[0.4, 0, 0], [0, 0, 0]]
    fold = {"fold": {"type": "joint", "joint": "C", "value": 1.0}}
    model = ts.load(
        {
            "bodies": {"a": body, "b": {**link, "mass": 0.5}, "c": body},
            "joints": joints,
            "forces": fold,
            "contacts": {"self": {"among": "all", "friction": 0.2}},
            "initial": {"q1": 2.0, "q2": 1.0},
            **MOTOR,
        }
    )
    run = ts.simulate(model, 1.0, **STEPS, rate=50)
    pairs = {(x.first, x.second) for k in range(len(run.t)) for x in run.touching[k]}
    assert pairs == {("a", "c")}  # neighbours do not meet
    assert run.touching.penetrations.max() < 5e-3


def test_momenta_of_a_free_floating_pair_that_is_struck_are_kept():
    """Two bodies on a hinge with a motor, and a ball that strikes them, without gravity."""
    ball = {"mass": 1, "inertia": [0.01] * 3}
    solid = [{"shape": {"sphere": {"radius": 0.1}}, "position": [0.5, 0, 0]}]
    bodies = {"a": {**ball, "collision": solid}, "b": {**ball, "collision": solid}}
    free = {"type": "free", "bodies": ["ground", "a"]}
    hinge = {"type": "revolute", "bodies": ["a", "b"], "axis": "z", "coordinate": "q"}
    stray = {"mass": 2, "shape": {"sphere": {"radius": 0.15}}}
    joints = {"F": free, "A": hinge, "S": {"type": "free", "bodies": ["ground", "c"]}}
    law = {"friction": 0.4, "restitution": 0.6}
    model = ts.load(
        {
            "bodies": {**bodies, "c": stray},
            "joints": joints,
            "contacts": {"all": {"among": "all", **law}},
            "initial": {"q": 1.2, "q.": -1.0, "S_x": 0.9, "S_y": 0.05, "S_x.": -0.8, "S_wz": 3.0},
            **MOTOR,
        }
    )
    errors = []
    for step in (1e-3, 2.5e-4):
        run = ts.simulate(model, 1.5, method="moreau", step=step, rate=100)
        assert run["S_x."][-1] > -0.7  # it was struck
        names = ("a", "b", "c")
        total = [ts.torseurs.body_torseurs(run, x).kinetic.at(np.zeros(3)) for x in names]
        linear, angular = (
            sum(np.asarray(getattr(one, part)) for one in total) for part in ("resultant", "moment")
        )
        assert np.abs(linear - linear[0]).max() < 1e-13
        kinetic = run.energy["kinetic"]
        off = kinetic - kinetic[0] - run.energy["work"]
        errors.append([np.abs(angular - angular[0]).max(), np.abs(off).max()])
        assert kinetic[-1] < kinetic[0]
    assert max(errors[0]) < 1e-3
    assert max(np.divide(errors[1], errors[0])) < 0.5  # order 1


def test_a_heap_on_a_driven_tray_makes_the_pool_grow():
    """More contacts than there is room for at first: the motion goes on, with more room."""
    tray = {"mass": 5, "shape": {"box": {"size": [1.0, 1.0, 0.1]}}}
    ball = {"mass": 0.1, "shape": {"box": {"size": [0.1, 0.1, 0.1]}}}
    slide = {"type": "prismatic", "bodies": ["ground", "tray"], "axis": "z", "coordinate": "z"}
    joints: dict[str, Any] = {"A": slide}
    initial = {}
    for k in range(3):
        joints[f"b{k}"] = {"type": "free", "bodies": ["ground", f"b{k}"]}
        initial |= {f"b{k}_x": 0.3 * k - 0.3, f"b{k}_z": 0.1 + 0.01 * k}
    lift = {"lift": {"type": "joint", "joint": "A", "value": 5.3 * G + 2}}
    model = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"tray": tray} | {f"b{k}": ball for k in range(3)},
            "joints": joints,
            "forces": lift,
            "contacts": {"all": {"among": "all", "friction": 0.5}},
            "initial": initial,
            **MOTOR,
        }
    )
    run = ts.simulate(model, 0.3, **STEPS, rate=20)
    assert len(run.touching[-1]) == 12
    for k in range(3):
        assert run[f"b{k}_z"][-1] - run["z"][-1] == pytest.approx(0.1, abs=1e-9)
    assert run["z."][-1] - run["z."][-2] == pytest.approx(2 / 5.3 / 20, rel=1e-6)


def test_a_pool_that_grows_on_the_way_moves_as_one_that_has_room(monkeypatch):
    def falling() -> ts.Run:
        model = thrown_box(motors={"M": {"joint": "W", "ratio": 1}})
        return ts.simulate(model, 0.6, **STEPS, rate=20)

    wide = falling()
    monkeypatch.setattr(pool, "_FIRST_CAPACITY", 1)
    monkeypatch.setattr(pool, "_OF_A_SHAPE", 0)
    narrow = falling()
    assert len(wide.touching[-1]) == 4
    assert narrow.q == pytest.approx(wide.q, abs=1e-9)
    assert narrow.t.tolist() == wide.t.tolist()


# --- what else moves a mechanism ------------------------------------------------------------------


def test_in_a_moving_frame_a_plane_moves_with_the_ground():
    frame = {"frame": {"rotation": [0, 0, 2.0], "acceleration": [0.5, 0, 1.0]}}
    runs = [ts.simulate(pendulum(x, **frame), 1.0, **STEPS, rate=50) for x in (NAMED, AMONG)]
    assert runs[0]["q"] == pytest.approx(runs[1]["q"], abs=1e-12)


def crank(contacts: dict[str, Any]) -> ts.Mechanism:
    """A four-bar linkage, of whose coupler a ball meets a floor."""
    bar = {"mass": 1, "inertia": [0.01] * 3}
    pin = {"type": "revolute", "axis": "y"}
    ends = {
        "A": (["ground", "a"], [[0, 0, 0], [0, 0, 0]], "p"),
        "B": (["a", "b"], [[0.3, 0, 0], [0, 0, 0]], "q"),
        "C": (["b", "c"], [[0.8, 0, 0], [0, 0, 0]], "r"),
        "D": (["c", "ground"], [[0.6, 0, 0], [0.9, 0, 0]], "s"),
    }
    solid = {"shape": {"sphere": {"radius": 0.05}}, "position": [0.4, 0, 0]}
    joints = {
        name: {**pin, "bodies": bodies, "point": point, "coordinate": q}
        for name, (bodies, point, q) in ends.items()
    }
    bodies = {"a": bar, "b": {**bar, "centre": [0.4, 0, 0], "collision": [solid]}, "c": bar}
    sections = {"bodies": bodies, "joints": joints, "contacts": contacts, **MOTOR}
    return ts.load({**sections, "gravity": [0, 0, -G], "initial": {"p": -1.4, "p.": -1.0}})


def test_a_loop_that_strikes_a_floor_moves_as_with_a_named_contact():
    law = {"normal": "z", "through": [0, 0, 0.08], "friction": 0.2, "restitution": 0.4}
    ball = {"shape": "ball", "radius": 0.05, "point": [0.4, 0, 0]}
    named = {"floor": {"bodies": ["ground", "b"], **ball, **law}}
    both = named, {"floor": {"among": "all", **law}}
    runs = [ts.simulate(crank(x), 1.0, **STEPS, rate=50) for x in both]
    assert any(event.cause == "shock" for event in runs[0].events)
    assert runs[0]["p"] == pytest.approx(runs[1]["p"], abs=1e-9)


def test_a_driven_table_carries_a_box_by_friction():
    """A table that accelerates by less than mu g takes a box with it; by more, it slides."""
    table = {"mass": 5, "shape": {"box": {"size": [4, 1, 0.1]}}}
    box = {"mass": 0.1, "shape": {"box": {"size": [0.1, 0.1, 0.1]}}}
    slide = {"type": "prismatic", "bodies": ["ground", "table"], "axis": "x", "coordinate": "x"}
    joints = {"A": slide, "B": {"type": "free", "bodies": ["ground", "box"]}}
    for rate, wanted in ((2.0, 2.0), (6.0, 0.3 * G)):
        model = ts.load(
            {
                "gravity": [0, 0, -G],
                "bodies": {"table": table, "box": box},
                "joints": joints,
                "motions": {"drive": {"coordinate": "x", "law": f"{rate / 2}*t^2"}},
                "contacts": {"all": {"among": "all", "friction": 0.3}},
                "initial": {"B_z": 0.1},
            }
        )
        run = ts.simulate(model, 0.5, **STEPS, rate=20)
        assert run["B_x."][-1] == pytest.approx(wanted * 0.5, rel=5e-3)
        assert run["B_z"][-1] == pytest.approx(0.1, abs=1e-9)


def test_named_contacts_and_those_among_bodies_act_together():
    """A ball by a named contact and one of a pile come to rest side by side, touching."""
    ball = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
    joints = {f"F{k}": {"type": "free", "bodies": ["ground", f"b{k}"]} for k in range(2)}
    floor = {"normal": "z", "friction": 0.4}
    contacts = {
        "one": {"bodies": ["ground", "b0"], "shape": "ball", "radius": 0.1, **floor},
        "other": {"among": ["b1"], **floor},
        "both": {"among": "all"},
    }
    initial = {"F0_z": 0.1, "F1_z": 0.1, "F1_x": 0.25, "F1_x.": -0.5}
    sections = {"bodies": {"b0": ball, "b1": ball}, "joints": joints, "contacts": contacts}
    model = ts.load({**sections, "gravity": [0, 0, -G], "initial": initial})
    run = ts.simulate(model, 1.0, **STEPS, rate=50)
    assert run["F1_x"] - run["F0_x"] == pytest.approx(np.maximum(run["F1_x"] - run["F0_x"], 0.2))
    assert run["F0_x."][-1] < -0.1
    assert run.contact("one").normal[-1] == pytest.approx(G, rel=1e-6)


@pytest.mark.parametrize("moved", ["stepper", "control", "batch"])
def test_what_does_not_step_refuses_contacts_among_bodies(moved):
    model = pendulum(AMONG, inputs=["q"])
    with pytest.raises(ModelError, match="does not move contacts among bodies"):
        if moved == "stepper":
            ts.Stepper(model)
        elif moved == "control":
            ts.simulate(model, 0.1, control={"q": "-q"}, sample=0.01)
        else:
            ts.simulate(model, 0.1, initial={"q": np.array([1.2, 1.3])})
