"""The kind of each constraint: holonomic or not, one side or both, with time in it or not."""

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.main import commands
from torseur.words.sentence import said


@cache
def kinds(name):
    return ts.linkages.constraint_kinds(str(files("torseur.examples") / f"{name}.yaml"))


@pytest.mark.parametrize(
    ("example", "name", "words"),
    [
        ("slider_crank", "O", "holonomic, bilateral, scleronomic"),
        ("ball_governor", "link1", "holonomic, bilateral, scleronomic"),
        ("ball_governor", "drive", "holonomic, bilateral, rheonomic"),
        ("rolling_wheel", "road", "holonomic, though given in speeds, bilateral, scleronomic"),
        ("rolling_disc", "floor", "non-holonomic, bilateral, scleronomic"),
        ("bouncing_ball", "floor", "holonomic, unilateral, scleronomic"),
        ("pendulum_between_stops", "theta", "holonomic, unilateral, scleronomic"),
        ("capstan", "rope", "holonomic, unilateral, scleronomic"),
    ],
)
def test_each_constraint_is_of_its_kind(example, name, words):
    assert kinds(example)[name].words == words


def test_a_system_is_holonomic_and_scleronomic_when_all_its_constraints_are():
    assert kinds("slider_crank").holonomic and kinds("slider_crank").scleronomic
    assert kinds("ball_governor").holonomic and not kinds("ball_governor").scleronomic
    assert not kinds("rolling_disc").holonomic and kinds("rolling_disc").scleronomic


def test_a_body_whose_imposed_pose_changes_with_time_is_held_by_a_rheonomic_constraint():
    table = ts.load(
        {
            "torseur": 1,
            "name": "table",
            "bodies": {"table": {"mass": 1, "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "free", "bodies": ["ground", "table"]}},
            "motions": {"shake": {"body": "table", "position": ["sin(t)", 0, 0]}},
        }
    )
    found = ts.linkages.constraint_kinds(table)
    assert [one.name for one in found.constraints] == ["shake"]  # a free joint holds nothing
    assert found["shake"].words == "holonomic, bilateral, rheonomic"


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e4])
def test_the_kind_of_a_condition_on_speeds_does_not_depend_on_how_large_a_mechanism_is(size):
    """A disc of a micrometre rolls as one of a kilometre does; d(xy) = r l dp has an integral."""
    inertia = [0.5 * size**2, size**2, 0.5 * size**2]
    disc = {
        "bodies": {"disc": {"mass": 2, "inertia": inertia}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "disc"]}},
        "constraints": {"roll": {"type": "rolling", "bodies": ["ground", "disc"], "shape": "disc",
                                 "radius": size, "axis": "y"}},
        "initial": {"F_z": size},
    }  # fmt: skip
    assert not ts.linkages.constraint_kinds(disc)["roll"].holonomic
    for zero, holonomic in (("x.*y + x*y. - r*l*p.", True), ("x.*y - r*l*p.", False)):
        found = ts.linkages.constraint_kinds(two_slides(zero, size))
        assert found["k"].holonomic == holonomic, zero


def two_slides(zero, size=1.0):
    slide = {"type": "prismatic", "bodies": ["ground", "a"], "axis": "x", "coordinate": "x"}
    across = slide | {"bodies": ["a", "b"], "axis": "y", "coordinate": "y"}
    turn = {"type": "pivot", "bodies": ["b", "c"], "axis": "z", "coordinate": "p"}
    return ts.load({
        "parameters": {"r": {"value": size, "unit": "m"}, "l": {"value": size, "unit": "m"},
                       "w": {"value": 2, "unit": "rad/s"}},
        "bodies": {"a": {"mass": 1}, "b": {"mass": 1}, "c": {"mass": 1, "inertia": [size**2] * 3}},
        "joints": {"X": slide, "Y": across, "T": turn},
        "constraints": {"k": {"type": "relation", "zero": zero}},
        "initial": {"x": size, "y": 0.3 * size},
    })  # fmt: skip


@pytest.mark.parametrize(
    "start",
    [{}, {"x": 1}, {"y": 1}, {"p": 1}, {"x": 1, "y": 1, "p": 1}, {"x": 1, "y": 2, "p": 0.3},
     {"x": -1, "y": 2}, {"x": 0.5, "y": 0.5, "p": 0.5}],
)  # fmt: skip
@pytest.mark.parametrize("closed", [True, False])
def test_the_kind_of_a_condition_does_not_depend_on_the_start(start, closed):
    """d(xy − p²) = 0 leaves a surface on which a knife edge has one motion; alone it has two."""
    knife = {"type": "relation", "zero": "x.*sin(p) - y.*cos(p)"}
    surface = {"type": "relation", "zero": "x*y. + y*x. - 2*p*p."}
    mass = {"mass": 1, "inertia": [1, 1, 1]}
    slide = {"type": "prismatic", "bodies": ["ground", "a"], "axis": "x", "coordinate": "x"}
    found = ts.linkages.constraint_kinds(ts.load({
        "bodies": {"a": mass, "b": mass, "c": mass},
        "joints": {"X": slide,
                   "Y": slide | {"bodies": ["a", "b"], "axis": "y", "coordinate": "y"},
                   "T": {"type": "pivot", "bodies": ["b", "c"], "axis": "z", "coordinate": "p"}},
        "constraints": {"edge": knife} | ({"k": surface} if closed else {}),
        "initial": start,
    }))  # fmt: skip
    assert found["edge"].holonomic == closed
    assert not closed or found["k"].holonomic


@pytest.mark.parametrize(
    ("zero", "holonomic"),
    [
        ("x. - r*w*cos(w*t)", True),
        ("x. - r*cos(w*t)*p. + r*w*sin(w*t)*p", True),  # d/dt of x − r p cos(w t)
        ("x. - r*cos(w*t)*p.", False),
        ("x. - r*w*t*p.", False),  # x = r w ∫ t dp: it depends on when p moved
    ],
)
def test_whether_a_condition_has_an_integral_is_asked_of_places_and_times(zero, holonomic):
    found = ts.linkages.constraint_kinds(two_slides(zero))["k"]
    assert (found.holonomic, found.scleronomic) == (holonomic, False)


@pytest.mark.parametrize(
    ("zero", "holonomic"),
    [
        ("r*p. - (x/r)^4*y.", False),  # its brackets vanish at x = 0, and their brackets too
        ("x*x. + r*y*p.", False),  # at x = y = 0 it asks for nothing
        ("x*y. + y*x.", True),
        ("r*p. - (x/r)^4*x.", True),
        ("x*y. - y*x.", True),  # y/x stays
    ],
)
def test_a_start_that_is_special_does_not_decide_the_kind_of_a_condition(zero, holonomic):
    for there in ({}, {"x": 0.3, "y": 0.2}):
        model = replace(two_slides(zero), initial={})
        found = ts.linkages.holonomy(ts.assemble(model, there))
        assert (found.nonholonomic == ()) == holonomic, there


def test_without_numbers_a_condition_on_speeds_counts_as_it_is_given():
    arm = ts.load("RY(q1), TYK(L1), RX(q2), TYK(L2);", masses="lever")
    assert ts.linkages.constraint_kinds(arm).holonomic


def test_the_command_tells_the_kinds_in_both_languages():
    path = str(files("torseur.examples") / "ball_governor.yaml")
    found = CliRunner().invoke(commands, ["mobility", path])
    assert "holonomic, bilateral, rheonomic: drive" in found.output
    page = json.loads(CliRunner().invoke(commands, ["mobility", path, "--json"]).output)
    drive = next(one for one in page["constraints"] if one["name"] == "drive")
    assert drive["holonomic"] and drive["bilateral"] and not drive["scleronomic"]
    words = kinds("ball_governor")["drive"].words
    assert said(words, "fr") == "holonome, bilatérale, rhéonome"
