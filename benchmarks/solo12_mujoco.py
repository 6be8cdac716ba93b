"""Solo12 in MuJoCo: the same file, meshes, pairs and friction; contacts as stiff as is asked."""

from __future__ import annotations

import re

import mujoco
import numpy as np

from benchmarks.solo12 import CROUCHED, DAMPED, FILE, FRICTION, JOINTS, ROBOTS, STEP, STIFF, Goal

Array = np.ndarray
RECORDED = 10  # milliseconds between positions
_OPTIONS = '<mujoco><compiler fusestatic="false" strippath="false" discardvisual="true"/></mujoco>'


def model(pairs: tuple[tuple[str, str], ...], step: float, softness: float) -> mujoco.MjModel:
    """The model; `softness` is the time constant of its contacts [s], 0 what is usual."""
    text = FILE.read_text(encoding="utf-8")
    text = text.replace("package://example-robot-data/robots", str(ROBOTS))
    text = re.sub(r"(<robot [^>]*>)", rf"\1{_OPTIONS}", text, count=1)
    spec = mujoco.MjSpec.from_string(text)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0.0, 0.0, 1.0])
    spec.body("base_link").add_freejoint()
    for one, other in pairs:
        spec.add_exclude(bodyname1=one, bodyname2=other)
    made = spec.compile()
    made.geom_friction[:] = FRICTION, 0.0, 0.0
    made.opt.timestep = step
    if softness:
        made.opt.noslip_iterations, made.opt.cone = 10, mujoco.mjtCone.mjCONE_ELLIPTIC
        made.geom_solref[:], made.geom_solimp[:] = (softness, 1), (0.99, 0.999, 1e-4, 0.5, 2)
    return made


def moved(made: mujoco.MjModel, seconds: float, goal: Goal, height: float) -> Array:
    """Positions (samples, 3) of the trunk under PD at 1 kHz."""
    data = mujoco.MjData(made)
    joints = [made.joint(name).id for name in JOINTS]
    at_q, at_v = made.jnt_qposadr[joints], made.jnt_dofadr[joints]
    data.qpos[:7] = 0, 0, height, 1, 0, 0, 0
    data.qpos[at_q] = CROUCHED
    steps, places = round(STEP / made.opt.timestep), []
    for k in range(round(seconds / STEP) + 1):
        if k % RECORDED == 0:
            places.append(data.qpos[:3].copy())
        pd = STIFF * (goal(k * STEP) - data.qpos[at_q]) - DAMPED * data.qvel[at_v]
        data.qfrc_applied[at_v] = pd
        mujoco.mj_step(made, data, steps)
    return np.array(places)
