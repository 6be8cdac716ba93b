"""The quadruped in MuJoCo: point feet as balls of a tenth of a millimetre, PD before each step."""

from __future__ import annotations

import mujoco
import numpy as np

from benchmarks.outcome import Cell
from benchmarks.quadruped import (
    DAMPED,
    GOAL,
    HEIGHT,
    HIPS,
    LEG,
    PARTS,
    SHOULDER,
    SIDES,
    STEP,
    STIFF,
    TRUNK,
)
from benchmarks.timing import fastest

FOOT = 1e-4  # m


def rows(repeats: int) -> list[tuple[Cell, ...]]:
    """A second of standing, by the loop of Python and by steps alone."""
    model = _model()
    data, steps, goal = mujoco.MjData(model), round(1 / STEP), np.array(list(GOAL.values()))

    def start() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[2], data.qpos[7:] = HEIGHT + FOOT, goal

    def stand() -> None:
        start()
        for _ in range(steps):
            data.ctrl[:] = STIFF * (goal - data.qpos[7:]) - DAMPED * data.qvel[6:]
            mujoco.mj_step(model, data)

    stand()
    held = data.ctrl.copy()

    def alone() -> None:
        start()
        data.ctrl[:] = held
        mujoco.mj_step(model, data, steps)

    return [
        (f"MuJoCo {mujoco.__version__}, law in Python", 1e3 * fastest(stand, repeats)),
        ("the same, steps alone", 1e3 * fastest(alone, repeats)),
    ]


def _model() -> mujoco.MjModel:
    """The same bodies and joints."""
    spec = mujoco.MjSpec()
    spec.option.timestep = STEP
    rough = [0.6, 0.005, 0.0001]
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0.0, 0.0, 1.0], friction=rough)
    trunk = spec.worldbody.add_body(mass=TRUNK[0], inertia=TRUNK[1], explicitinertial=True)
    trunk.add_freejoint()
    for name, (x, y) in SIDES.items():
        body, places = trunk, ([HIPS[0] * x, HIPS[1] * y, 0.0], [0, SHOULDER * y, 0], [0, 0, -LEG])
        for k, ((part, mass, across, along), place) in enumerate(zip(PARTS, places, strict=True)):
            own = {"mass": mass, "inertia": [across, across, along], "explicitinertial": True}
            centre = [0.0, 0.0, 0.0 if part == "s" else -LEG / 2]
            body = body.add_body(name=name + part, pos=place, ipos=centre, **own)
            axis = [1.0, 0.0, 0.0] if k == 0 else [0.0, 1.0, 0.0]
            body.add_joint(name=f"{name}{k}", axis=axis)
            motor = spec.add_actuator(name=f"{name}{k}", target=f"{name}{k}")
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        ball = mujoco.mjtGeom.mjGEOM_SPHERE
        body.add_geom(type=ball, size=[FOOT, 0.0, 0.0], pos=[0.0, 0.0, -LEG], friction=rough)
    return spec.compile()
