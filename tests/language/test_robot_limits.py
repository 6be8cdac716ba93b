"""Limits and efforts of files of robots: reported where they are passed, acting where asked."""

import re

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands

TEXT = """<robot name="arm"><link name="base"/>
<link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="2"/>
<inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="3"/></joint></robot>"""
INERTIA = 0.03 + 2 * 0.2**2  # about the joint


@pytest.fixture
def path(tmp_path):
    (tmp_path / "arm.urdf").write_text(TEXT, encoding="utf-8")
    return tmp_path / "arm.urdf"


def pushed(m, force=100.0, duration=0.2):
    return ts.simulate(m, duration, control=lambda t, q, v: [force], sample=1e-2, rate=100)


def test_what_passes_its_limits_is_reported_and_moves_on(path):
    run = pushed(ts.load(path))
    assert run["j."][-1] == pytest.approx(100 / INERTIA * 0.2, rel=1e-9)
    told = " ".join(run.notices)
    assert "j is above its limit 1 rad" in told
    assert "its speed is above the limit 3 rad/s" in told
    assert "its command is above the effort 5 N·m" in told
    assert not [x for x in pushed(ts.load(path), 1.0, 0.1).notices if 'joint "j"' in x]


def test_efforts_clip_commands_where_asked(path):
    m = ts.robots.load(path, effort="clip")
    run = pushed(m)
    assert run["j."][-1] == pytest.approx(5 / INERTIA * 0.2, rel=1e-9)
    np.testing.assert_array_equal(run.inputs, 5.0)
    assert not [x for x in run.notices if "its command" in x]
    assert not any("effort" in x for x in m.notices)
    assert pushed(m, -100.0)["j."][-1] == pytest.approx(-5 / INERTIA * 0.2, rel=1e-9)
    runs = ts.simulate(
        m, 0.2, initial={"j": np.zeros(3)}, control=lambda t, q, v: [9.0], sample=1e-2, rate=100
    )
    np.testing.assert_allclose(runs["j."][:, -1], 5 / INERTIA * 0.2, rtol=1e-9)
    own = ts.control.Loop(lambda t, q, v: [9.0], 1e-2, saturation=7.0)  # a loop that says its own
    assert ts.simulate(m, 0.1, control=own).inputs.max() == 7.0
    stepper = ts.Stepper(m, 0.1)
    stepper.step(100.0)
    assert stepper.v[0] == pytest.approx(5 / INERTIA * 0.1, rel=1e-6)


def test_joints_stop_at_their_limits_where_asked(path):
    run = pushed(ts.robots.load(path, limits="stop", effort="clip"), duration=0.6)
    assert run["j"].max() == pytest.approx(1.0, abs=1e-9)
    assert run["j."][-1] == pytest.approx(0.0, abs=1e-9)


def test_the_choice_is_part_of_the_description(path, tmp_path):
    m = ts.robots.load(path, limits="stop", effort="clip")
    again = ts.load(m.save(tmp_path / "arm.yaml"))
    assert again.joints["j"].clip and again.joints["j"].stop is not None
    french = ts.load(TEXT_FR)
    assert french.joints["j"].clip


TEXT_FR = """
solides: {a: {masse: 1, inertie: [1, 1, 1]}}
liaisons:
  j: {type: pivot, solides: [bâti, a], axe: z, effort maximal: 5, écrêter: oui}
"""


@pytest.mark.parametrize(("option", "message"), [
    ({"limits": "soft"}, 'behaviour "soft" does not exist'),
    ({"effort": "stop"}, 'behaviour "stop" does not exist'),
])  # fmt: skip
def test_other_words_are_refused(path, option, message):
    with pytest.raises(ts.ModelError, match=message):
        ts.robots.load(path, **option)
    with pytest.raises(ts.ModelError, match="it clips, but has no effort"):
        ts.load(
            {
                "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                "joints": {
                    "j": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z", "clip": True}
                },
            }
        )


def test_commands_have_the_options(path):
    found = CliRunner().invoke(
        commands, ["check", str(path), "--limits", "stop", "--effort", "clip"]
    )
    assert found.exit_code == 0, found.output
    assert "effort (1)" not in found.output


def test_messages_about_files_of_robots_give_no_advice_of_the_yaml_form(path):
    robot = ts.load(path)
    fast = ts.simulate(robot, 2.0, initial={"j": 0.5, "j.": 1.0})
    assert any('with limits="stop" only' in x for x in fast.notices)
    for act in (
        lambda: ts.simulate(robot, 0.1, method="moreau", step=1e-3),
        lambda: ts.robots.collisions(robot, [0.0]),
        lambda: ts.robots.attach(robot, robot, "a"),
    ):
        with pytest.raises(ts.ModelError) as caught:
            act()
        assert not re.search(r"\w: ?[\[{]|prefix: |:\d+:\d+", str(caught.value)), caught.value


def test_one_door_takes_every_option_of_a_robot(path):
    options = {"limits": "stop", "effort": "clip", "free_base": True}
    assert ts.load(path, **options) == ts.robots.load(path, **options)
    assert "base_x" in ts.load(path, **options).coordinates
    with pytest.raises(ts.ModelError, match="apply to files of robots only"):
        ts.load("RY(q1), TXK(0.5);", limits="stop")
