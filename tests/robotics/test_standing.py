"""Robots that start just touching what is below them."""

import numpy as np
import pytest

import torseur as ts


def link(name, solid, place="0 0 0"):
    inertia = '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    shape = f'<collision><origin xyz="{place}"/><geometry>{solid}</geometry></collision>'
    return f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial>{shape}</link>'


@pytest.fixture
def path(tmp_path):
    """A box with a leg, 0.5 m long, that ends in a ball of 5 cm and turns about y."""
    leg = '<joint name="hip" type="continuous"><parent link="trunk"/><child link="leg"/>'
    parts = [
        link("trunk", '<box size="0.4 0.3 0.2"/>'),
        link("leg", '<sphere radius="0.05"/>', "0 0 -0.5"),
        f'{leg}<axis xyz="0 1 0"/></joint>',
    ]
    (tmp_path / "hopper.urdf").write_text(f'<robot name="hopper">{"".join(parts)}</robot>')
    return tmp_path / "hopper.urdf"


@pytest.mark.parametrize(("hip", "height"), [(0.0, 0.55), (1.0, 0.5 * np.cos(1.0) + 0.05)])
@pytest.mark.parametrize("start", [-2.0, 0.3, 4.0])
def test_the_base_is_lifted_or_lowered_until_the_lowest_shape_touches(path, hip, height, start):
    robot = ts.load(path, free_base=True, collisions="ground")
    placed = ts.robots.on_the_ground(robot, {"hip": hip, "base_z": start, "base_x": 1.5})
    assert placed["base_z"] == pytest.approx(height, abs=1e-9)
    assert (placed["base_x"], placed["base_y"], placed["hip"]) == (1.5, 0.0, hip)
    run = ts.simulate(robot, 0.01, method="moreau", step=1e-3, initial=placed)
    assert [x.first for x in run.touching[0]] == ["leg"]


def test_a_clearance_is_kept_and_the_lowest_may_be_the_trunk(path):
    robot = ts.load(path, free_base=True, collisions={"ground": 0.2, "self": False})
    placed = ts.robots.on_the_ground(robot, {"hip": np.pi}, clearance=0.03)
    assert placed["base_z"] == pytest.approx(0.2 + 0.1 + 0.03, abs=1e-9)


def test_uneven_ground_and_several_robots(path, monkeypatch):
    """One stands on a table that is a body, the other beside it on the floor."""
    monkeypatch.chdir(path.parent)
    robot = {"file": path.name, "free_base": True, "collisions": "ground"}
    solid = {"shape": {"box": {"size": [1, 1, 0.4]}}}
    scene = ts.load({
        "gravity": [0, 0, -9.81],
        "bodies": {"table": {"mass": 1, "inertia": [1, 1, 1], "collision": [solid]}},
        "joints": {"T": {"type": "fixed", "bodies": ["ground", "table"],
                         "point": [[0, 0, 0.2], [0, 0, 0]]}},
        "include": [robot, {**robot, "prefix": "b_"}],
    })  # fmt: skip
    placed = ts.robots.on_the_ground(scene, {"base_z": 3.0, "b_base_x": 4.0})
    assert placed["base_z"] == pytest.approx(0.4 + 0.55, abs=1e-8)
    assert placed["b_base_z"] == pytest.approx(0.55, abs=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"free_base": True, "collisions": True}, "free_base=True"),
        ({"collisions": "ground"}, "ts.load"),
    ],
)
def test_without_ground_or_free_base_it_says_how_to_load(path, options, message):
    with pytest.raises(ts.ModelError) as caught:
        ts.robots.on_the_ground(ts.load(path, **options))
    assert message in str(caught.value)


def test_an_error_about_a_start_in_the_floor_names_the_start_above_it(path):
    robot = ts.load(path, free_base=True, collisions="ground")
    with pytest.raises(ts.SolveError) as caught:
        ts.simulate(robot, 0.01, method="moreau", step=1e-3, initial={"base_z": 0.5})
    assert "overlap by 0.05 m" in str(caught.value)
    assert "on_the_ground" in str(caught.value)
