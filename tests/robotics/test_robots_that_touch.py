"""Robots that touch with their own collision shapes: a quadruped, a gripper, a humanoid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torseur as ts

pytest.importorskip("mujoco")

QUADRUPED = Path(__file__).parents[1] / "models" / "quadruped.xml"
LEGS = ("fl", "fr", "hl", "hr")
JOINTS = [f"{leg}{k}" for leg in LEGS for k in range(3)]
STIFF, DAMPED, BASE = 12.0, 0.3, 6  # N m/rad, N m s/rad, speeds of the trunk
CROUCHED = np.tile([0.0, 0.7, -1.4], 4)
STANDS, SWINGS = 0.3, 0.25  # seconds before the trot, and until it is whole
BY_STEPS: dict[str, Any] = {"sample": 1e-3, "rate": 100, "method": "moreau", "step": 1e-3}


def trotting(t: float) -> np.ndarray:
    """Angles at which legs across from each other swing together, twice a second."""
    wanted, since = CROUCHED.reshape(4, 3).copy(), t - STANDS
    if since < 0:
        return wanted.ravel()
    for k, turn in enumerate((1, -1, -1, 1)):
        lift = 0.3 * max(0.0, turn * np.sin(4 * np.pi * since))
        swing = -0.12 * turn * np.cos(4 * np.pi * since) * min(1.0, since / SWINGS)
        wanted[k] += 0.0, lift + swing, -2 * lift
    return wanted.ravel()


def walked(seconds: float, step: float = 1e-3, goal: Any = trotting) -> ts.Run:
    model = ts.compile(ts.load(QUADRUPED, collisions=True, actuators=False))
    at_q = [model.coordinates.index(name) for name in JOINTS]
    at_v = [model.speeds.index(f"{name}.") for name in JOINTS]

    def law(t, q, v):
        pd = STIFF * (goal(t) - q[at_q]) - DAMPED * v[at_v]
        return np.concatenate([np.zeros(BASE), pd])

    start = dict(zip(JOINTS, CROUCHED, strict=True))
    return ts.simulate(model, seconds, control=law, initial=start, **{**BY_STEPS, "step": step})


def trunk(run: ts.Run) -> np.ndarray:
    return np.column_stack([run[f"base_{axis}"] for axis in "xyz"])


def test_a_quadruped_stands_on_its_feet():
    run = walked(4.0, goal=lambda t: CROUCHED)
    touches = run.touching[-2]
    assert {x.first for x in touches} == {f"{leg}_lower" for leg in LEGS}
    weight = sum(x.force for x in touches)
    assert weight == pytest.approx([0, 0, 2.9 * 9.81], rel=1e-3, abs=0.02)


@pytest.mark.slow
def test_a_quadruped_trots_as_with_the_stiffest_contacts_of_mujoco():
    import mujoco

    run, step, seconds = walked(2.0), 5e-5, 2.0
    model = mujoco.MjModel.from_xml_path(str(QUADRUPED))
    model.opt.timestep, model.opt.noslip_iterations = step, 10
    # softer contacts sink and creep more: with 2 ms it is 4 mm, with 1 ms 2 mm
    model.geom_solref[:], model.geom_solimp[:] = [1e-3, 1], [0.99, 0.999, 1e-4, 0.5, 2]
    data, places = mujoco.MjData(model), []
    data.qpos[7:] = CROUCHED
    for k in range(round(seconds / step) + 1):
        if k % 200 == 0:
            places.append(data.qpos[:3].copy())
        if k % 20 == 0:
            wanted = trotting(k * step)
            data.ctrl[:] = STIFF * (wanted - data.qpos[7:]) - DAMPED * data.qvel[6:]
        mujoco.mj_step(model, data)
    assert abs(run["base_x"][-1]) > 0.3  # it has gone somewhere
    assert np.abs(trunk(run) - np.array(places)).max() < 3e-3
    assert np.abs(trunk(run) - trunk(walked(2.0, 1e-4))).max() < 1e-3


GRIPPER = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
<body name="hand" pos="0 0 0.2"><joint name="z" type="slide" axis="0 0 1"/>
<inertial mass="1" pos="0 0 0" diaginertia="0.01 0.01 0.01"/>
<geom type="cylinder" size="0.04 0.02"/>
<body name="left" pos="0 0.06 -0.12"><joint name="l" type="slide" axis="0 -1 0"/>
<geom type="box" size="0.02 0.01 0.04" mass="0.1" friction="0.8"/></body>
<body name="right" pos="0 -0.06 -0.12"><joint name="r" type="slide" axis="0 1 0"/>
<geom type="box" size="0.02 0.01 0.04" mass="0.1" friction="0.8"/></body></body>
<body name="part" pos="0 0 0.04"><freejoint name="part"/>
<geom type="box" size="0.03 0.03 0.04" mass="0.2" friction="0.8"/></body>
</worldbody></mujoco>"""
CLOSES, LIFTS, OPENS, LIFTED = 0.2, 0.8, 1.4, 0.1


def test_a_gripper_lifts_a_box_holds_it_without_creep_and_drops_it(tmp_path):
    path = tmp_path / "gripper.xml"
    path.write_text(GRIPPER, encoding="utf-8")
    model = ts.compile(ts.load(path, collisions=True))
    speeds = {name: model.speeds.index(f"{name}.") for name in "zlr"}
    q_z, v_z = model.coordinates.index("z"), speeds["z"]

    def law(t, q, v):
        Q = np.zeros(len(model.speeds))
        goal = LIFTED * np.clip((t - CLOSES) / (LIFTS - CLOSES), 0, 1)
        carried = 1.2 + (0.2 if CLOSES < t < OPENS else 0.0)
        Q[v_z] = carried * 9.81 + 4000 * (goal - q[q_z]) - 120 * v[v_z]
        Q[speeds["l"]] = Q[speeds["r"]] = 8.0 if t < OPENS else -4.0
        return Q

    run = ts.simulate(model, 1.8, control=law, **BY_STEPS)
    assert np.ptp(run.at(0.3)["part_z"]) < 0.1
    held = (run.t > LIFTS + 0.25) & (run.t < OPENS - 0.01)
    in_hand = (run["part_z"] - run["z"])[held]
    assert run["part_z"][held].min() > 0.04 + 0.9 * LIFTED
    assert np.ptp(in_hand) < 1e-9
    assert run["part_z"][-1] == pytest.approx(0.04, abs=1e-3)  # it lies on the plane again


LIMB = """<body name="{name}" pos="{at}"><joint name="{name}_x" axis="1 0 0"/>
<joint name="{name}_y" axis="0 1 0"/>{third}
<geom type="{kind}" size="{size}" pos="0 0 {middle}" mass="{mass}"/>{inner}</body>"""


def limb(name: str, at: str, half: float, inner: str = "", **more: Any) -> str:
    """A link that hangs from two or three hinges."""
    third = f'<joint name="{name}_z" axis="0 0 1"/>' if more.get("turns") else ""
    kind = more.get("kind", "capsule")
    size = f"0.05 {half}" if kind != "box" else f"0.09 0.05 {half}"
    return LIMB.format(
        name=name,
        at=at,
        third=third,
        kind=kind,
        size=size,
        middle=more.get("up", -1) * (half + 0.06),
        mass=more.get("mass", 3),
        inner=inner,
    )


def humanoid() -> str:
    """A trunk of three links with a head, arms and legs: 29 hinges, 35 degrees of freedom."""
    below = "0 0 -0.42"
    legs = "".join(
        limb(
            f"{side}_thigh",
            f"0 {y} -0.1",
            0.15,
            limb(
                f"{side}_shin", below, 0.15, limb(f"{side}_foot", below, 0.02, kind="box", mass=1)
            ),
            turns=True,
            mass=6,
        )
        for side, y in (("l", 0.13), ("r", -0.13))
    )
    arms = "".join(
        limb(f"{side}_arm", f"0 {y} 0.3", 0.1, limb(f"{side}_hand", "0 0 -0.33", 0.08), turns=True)
        for side, y in (("l", 0.3), ("r", -0.3))
    )
    head = limb("head", "0 0 0.42", 0.03, up=1, mass=4)
    chest = limb("chest", "0 0 0.12", 0.12, arms + head, up=1, turns=True, kind="cylinder", mass=12)
    damped = '<default><joint damping="2" frictionloss="1"/></default>'
    pelvis = '<geom type="box" size="0.1 0.15 0.08" mass="10"/>'
    body = f'<body name="pelvis" pos="0 0 1.3"><freejoint/>{pelvis}{legs}{chest}</body>'
    floor = '<geom type="plane" size="0 0 1"/>'
    return f"<mujoco>{damped}<worldbody>{floor}{body}</worldbody></mujoco>"


@pytest.mark.slow
def test_a_humanoid_falls_and_lies_still(tmp_path):
    path = tmp_path / "humanoid.xml"
    path.write_text(humanoid(), encoding="utf-8")
    model = ts.compile(ts.load(path, collisions=True))
    assert len(model.speeds) >= 30
    start = {name: 0.05 for name in model.coordinates if name.endswith(("_x", "_y"))}
    start = {name: x for name, x in start.items() if not name.startswith("joint")}
    run = ts.simulate(model, 4.0, method="moreau", step=1e-3, rate=20, initial=start)
    assert run.energy["kinetic"].max() > 20
    assert run.energy["kinetic"][-1] < 1e-9
    assert run.touching.penetrations.max() < 5e-3
    total = run.energy["kinetic"] + run.energy["potential"]
    assert np.diff(total).max() < 1e-6
