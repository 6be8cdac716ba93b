"""Collision shapes of robots as contacts by name, which motions move from event to event."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.spatial.enclosing_ball import enclosing_ball

QUADRUPED = Path(__file__).parents[1] / "models" / "quadruped.xml"
LEGS = ("fl", "fr", "hl", "hr")
FEET = [f"{leg}_lower" for leg in LEGS]
JOINTS = [f"{leg}{k}" for leg in LEGS for k in range(3)]
CROUCHED = np.tile([0.0, 0.7, -1.4], 4)
BASE = 6  # speeds of the trunk
SOLIDS = {
    "ball": '<sphere radius="0.1"/>',
    "log": '<cylinder radius="0.1" length="0.4"/>',
    "die": '<box size="0.2 0.3 0.4"/>',
}


def loose(path: Path, solid: str, **asked) -> ts.Mechanism:
    """A body that moves freely, with a solid at 0.5 m turned about x by a quarter."""
    inertia = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    mass = f'<inertial><mass value="1"/>{inertia}</inertial>'
    pose = '<origin xyz="0 0 0.5" rpy="1.5707963267948966 0 0"/>'
    touching = f"<collision>{pose}<geometry>{solid}</geometry></collision>"
    text = f'<robot name="r"><link name="body">{mass}{touching}</link></robot>'
    path.write_text(text, encoding="utf-8")
    return ts.load(path, free_base=True, collisions=asked)


def pose(model: ts.Mechanism) -> dict[str, float]:
    """A pose of the body, its base turned in space."""
    turned = np.array([0.8, 0.3, -0.4, np.sqrt(1 - 0.89)])
    free = model.coordinates
    names = [next(x for x in free if x.endswith(end)) for end in ("_qw", "_qx", "_qy", "_qz")]
    return dict(zip(names, turned.tolist(), strict=True))


@pytest.mark.parametrize("solid", SOLIDS)
def test_a_shape_touches_the_plane_where_its_lowest_point_does(tmp_path, solid):
    """The same shape in contacts that are searched for has the same distance from the plane."""
    named = loose(tmp_path / "a.urdf", SOLIDS[solid], named=True, ground=-2.0)
    plain = loose(tmp_path / "b.urdf", SOLIDS[solid], self=False, ground=-2.0)
    lowered = ts.robots.on_the_ground(plain, pose(plain))
    run = ts.simulate(named, 0.01, initial=lowered | {"base_z": lowered["base_z"] + 1e-3})
    parts = named.contacts["body"]
    names = [x.name for x in getattr(parts, "parts", (parts,))]
    lowest = min(run.contact(name).gap[0] for name in names)
    assert lowest == pytest.approx(1e-3, abs=1e-9)


def test_points_of_a_hull_touch_and_balls_stand_for_many_only_when_asked(tmp_path):
    points = np.random.default_rng(0).normal(size=(60, 3))
    points *= 0.1 / np.linalg.norm(points, axis=1, keepdims=True)
    cube = np.array(list(product((-0.1, 0.1), repeat=3)))
    for name, corners in (("round.obj", points), ("cube.obj", cube)):
        rows = [f"v {x} {y} {z}" for x, y, z in corners]
        rows += [f"f {k} {k + 1} {k + 2}" for k in range(1, len(corners) - 1)]
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
    model = loose(tmp_path / "r.urdf", '<mesh filename="cube.obj"/>', named=True)
    assert len(model.contacts["body"].parts) == 8
    model = loose(tmp_path / "r.urdf", '<mesh filename="round.obj"/>', named=True)
    assert not model.contacts
    assert "Shapes of more than 8 corners have no contact by name: body." in model.notices
    model = loose(tmp_path / "r.urdf", '<mesh filename="round.obj"/>', named=True, balls=True)
    ball = model.contacts["body"]
    assert evaluate(ball.kind.radius, {}) == pytest.approx(0.1, rel=2e-2)
    assert any("smallest ball about it stands for each of 1 hull" in x for x in model.notices)


def test_the_smallest_ball_is_that_of_an_optimiser_and_of_closed_forms():
    corner = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    assert enclosing_ball(corner)[1] == pytest.approx(np.sqrt(3))  # about a regular tetrahedron
    blunt = np.array([[0.0, 0, 0], [2, 0, 0], [1, 0.1, 0]])
    assert enclosing_ball(blunt)[1] == pytest.approx(1.0)  # about its longest side
    for seed in range(5):
        points = np.random.default_rng(seed).normal(size=(40, 3))
        centre, radius = enclosing_ball(points)
        assert np.linalg.norm(points - centre, axis=1).max() == pytest.approx(radius)
        rows = {"type": "ineq", "fun": lambda x, p=points: x[3] - ((p - x[:3]) ** 2).sum(axis=1)}
        best = minimize(lambda x: x[3], [0.0, 0, 0, 20], constraints=rows, tol=1e-12)
        assert radius == pytest.approx(np.sqrt(best.fun), rel=1e-6)


def test_a_quadruped_stands_under_pd_from_event_to_event_as_by_steps():
    """Its feet alone have contacts; the by-steps motion of all its shapes is another engine."""
    pytest.importorskip("mujoco")
    asked = {"sample": 1e-3, "rate": 100, "initial": dict(zip(JOINTS, CROUCHED, strict=True))}
    runs = []
    for collisions, how in (
        ({"named": FEET}, {}),
        (True, {"method": "moreau", "step": 1e-3}),
    ):
        model = ts.compile(ts.load(QUADRUPED, collisions=collisions, actuators=False))
        at_q = [model.coordinates.index(name) for name in JOINTS]
        at_v = [model.speeds.index(f"{name}.") for name in JOINTS]

        def law(t, q, v, at_q=at_q, at_v=at_v):
            return np.concatenate([np.zeros(BASE), 12.0 * (CROUCHED - q[at_q]) - 0.3 * v[at_v]])

        runs.append(ts.simulate(model, 1.0, control=law, **asked, **how))
    places = [np.column_stack([run[f"base_{axis}"] for axis in "xyz"]) for run in runs]
    assert np.abs(places[0] - places[1]).max() < 1e-3
    feet = [runs[0].contact(f"{name}_2") for name in FEET]
    weight = sum(foot.normal[-1] for foot in feet)
    assert weight == pytest.approx(2.9 * 9.81, rel=1e-2)
    assert all(set(foot.state[-20:]) == {"stick"} for foot in feet)


def test_an_included_robot_has_contacts_by_name_with_its_prefix(tmp_path):
    loose(tmp_path / "r.urdf", SOLIDS["ball"])
    robot = {"file": "r.urdf", "prefix": "a_", "free_base": True, "collisions": {"named": ["body"]}}
    text = f"name: m\ngravity: [0, 0, -9.81]\ninclude: [{json.dumps(robot)}]\n"
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    model = ts.load(tmp_path / "m.yaml")
    assert list(model.contacts) == ["a_body"]
    model.save(tmp_path / "saved.yaml")
    assert ts.load(tmp_path / "saved.yaml") == model


def test_links_that_do_not_exist_and_wrong_names_are_told(tmp_path):
    with pytest.raises(ModelError, match='link "foot" does not exist'):
        loose(tmp_path / "r.urdf", SOLIDS["ball"], named=["foot"])
    with pytest.raises(ModelError, match="names of links are expected, not 3"):
        loose(tmp_path / "r.urdf", SOLIDS["ball"], named=3)
