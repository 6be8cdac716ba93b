"""Published robots that touch with their own shapes; skipped where their files are missing.

Files are those of `example-robot-data` (extra `robot-zoo`), and of the menagerie of MuJoCo in the
folder that the variable MUJOCO_MENAGERIE names.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import solo12

import torseur as ts

MENAGERIE = Path(os.environ.get("MUJOCO_MENAGERIE", "none"))
HAND = MENAGERIE / "franka_emika_panda" / "hand.xml"
TALOS = solo12.ROBOTS / "talos_data/robots/talos_reduced.urdf"
needs_robots = pytest.mark.skipif(
    not solo12.FILE.is_file(), reason="example-robot-data is not installed"
)


@pytest.mark.slow
@needs_robots
def test_solo12_stands_on_its_four_feet_which_carry_its_weight():
    model = solo12.robot()
    run = solo12.moved(model, 4.0, solo12.standing)
    touches = run.touching[-2]
    assert {x.first for x in touches} == {f"{leg}_FOOT" for leg in ("FL", "FR", "HL", "HR")}
    weight = 9.81 * model.mass_matrix(run.q[-1])[2, 2]
    assert sum(x.force for x in touches) == pytest.approx([0, 0, weight], rel=1e-3, abs=0.05)


@pytest.mark.slow
@needs_robots
def test_solo12_trots_as_in_mujoco_the_nearer_the_stiffer_its_contacts():
    """Contacts of MuJoCo give way over a time constant, those here do not: the limit is common."""
    pytest.importorskip("mujoco")
    from benchmarks import solo12_mujoco

    model = solo12.robot()
    run, height = solo12.moved(model, 2.0, solo12.trotting), solo12.start(model)["base_z"]
    pairs = model.mechanism.contacts["links"].without
    far = []
    for softness in (8e-3, 4e-3, 2e-3, 1e-3):
        made = solo12_mujoco.model(pairs, 5e-5, softness)
        places = solo12_mujoco.moved(made, 2.0, solo12.trotting, height)
        far.append(np.linalg.norm(solo12.trunk(run) - places, axis=1).max())
    assert abs(run["base_x"][-1]) > 0.3  # it has gone somewhere
    assert far == sorted(far, reverse=True)
    assert far[-1] < 3e-3


@pytest.mark.slow
@needs_robots
@pytest.mark.parametrize("goal", [solo12.standing, solo12.trotting])
def test_solo12_moves_from_event_to_event_as_by_steps(goal):
    """Contacts by name, of balls about its feet, in two engines."""
    model = solo12.robot_on_balls()
    start = solo12.start(solo12.robot())
    asked = {"control": solo12.law(model, goal), "initial": start}
    asked["initial"]["base_z"] += solo12.ABOVE
    run = ts.simulate(model, 2.0, **solo12.BY_EVENTS, **asked)
    by_steps = ts.simulate(model, 2.0, **solo12.BY_STEPS, **asked)
    assert np.linalg.norm(solo12.trunk(run) - solo12.trunk(by_steps), axis=1).max() < 1e-3


@pytest.mark.slow
@needs_robots
def test_a_published_humanoid_falls_and_lies_still():
    model = ts.compile(ts.robots.load(TALOS, free_base=True, collisions="all"))
    assert len(model.speeds) == 38
    asked: dict[str, Any] = {"method": "moreau", "step": 1e-3, "rate": 50}
    run = ts.simulate(model, 3.0, initial={"base_z": 1.1}, **asked)
    kinetic = run.energy["kinetic"]
    assert kinetic.max() > 100
    assert kinetic[-1] < 1e-9
    assert run.touching.penetrations.max() < 5e-3


SCENE = """<mujoco><asset><model name="hand" file="{hand}"/></asset>
<worldbody><geom type="plane" size="0 0 1"/>
<body name="lift" pos="0 0 0.135"><joint name="z" type="slide" axis="0 0 1"/>
<inertial mass="0.1" pos="0 0 0" diaginertia="1e-3 1e-3 1e-3"/>
<body name="wrist" euler="180 0 0"><inertial mass="0.1" pos="0 0 0" diaginertia="1e-3 1e-3 1e-3"/>
<attach model="hand" body="hand" prefix="h_"/></body></body>
<body name="part" pos="0 0 0.025"><freejoint name="part"/>
<geom type="box" size="0.02 0.02 0.025" mass="0.1" friction="0.8"/></body></worldbody></mujoco>"""
FINGERS = ("h_finger_joint1", "h_finger_joint2")
CLOSES, LIFTS, OPENS, LIFTED, CARRIED = 0.1, 0.3, 0.5, 0.05, 0.93


@pytest.mark.slow
@pytest.mark.skipif(not HAND.is_file(), reason="MUJOCO_MENAGERIE names no menagerie")
def test_the_hand_of_a_panda_lifts_a_box_holds_it_without_creep_and_drops_it(tmp_path):
    """At zero the fingers are closed, inside of the box, which starts between open fingers."""
    path = tmp_path / "scene.xml"
    path.write_text(SCENE.format(hand=HAND), encoding="utf-8")
    model = ts.compile(ts.robots.load(path, collisions=True, limits="stop"))
    at_v = [model.speeds.index(f"{name}.") for name in FINGERS]
    z, v_z = model.coordinates.index("z"), model.speeds.index("z.")

    def law(t, q, v):
        Q = np.zeros(len(model.speeds))
        goal = LIFTED * np.clip((t - CLOSES) / (LIFTS - CLOSES), 0, 1)
        Q[v_z] = CARRIED * 9.81 + 4000 * (goal - q[z]) - 120 * v[v_z]
        Q[at_v] = -10.0 if t < OPENS else 5.0
        return Q

    asked: dict[str, Any] = {"sample": 1e-3, "method": "moreau", "step": 1e-3, "rate": 100}
    run = ts.simulate(model, 0.8, control=law, initial=dict.fromkeys(FINGERS, 0.035), **asked)
    held = (run.t > LIFTS + 0.1) & (run.t < OPENS - 0.01)
    assert run["part_z"][held].min() > 0.025 + 0.9 * LIFTED
    assert np.ptp((run["part_z"] - run["z"])[held]) < 1e-9
    assert run["part_z"][-1] == pytest.approx(0.025, abs=1e-3)
