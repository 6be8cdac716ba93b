"""MuJoCo: the same bodies in its XML, without contact, limits or constraints."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco import rollout

from benchmarks.engines import Call, Engine, Rows, row_by_row
from benchmarks.engines.bodies import NumericBody, gravity, numeric_bodies
from benchmarks.robots import Robot

Array = np.ndarray
_SKIPPED = ("mjDSBL_CONSTRAINT", "mjDSBL_CONTACT", "mjDSBL_SENSOR", "mjDSBL_WARMSTART")
_FORWARD = "d.qpos[:] = q; d.qvel[:] = v; d.qfrc_applied[:] = x; run(m, d)"
_INVERSE = "d.qpos[:] = q; d.qvel[:] = v; d.qacc[:] = x; run(m, d)"
_MASSES = "d.qpos[:] = q; place(m, d); centre(m, d); run(m, d); full(m, d, y)"


def engine(robot: Robot) -> Engine:
    """mj_inverse, mj_forward, and the steps that lead to the mass matrix."""
    model = mujoco_model(robot)
    names = {"m": model, "d": mujoco.MjData(model)}
    mass = {
        "place": mujoco.mj_kinematics,
        "centre": mujoco.mj_comPos,
        "run": mujoco.mj_makeM,
        "full": mujoco.mj_fullM,
        "y": np.zeros((model.nv, model.nv)),
    }
    calls = {
        "inverse_dynamics": Call(_INVERSE, {"run": mujoco.mj_inverse, **names}, "d.qfrc_inverse"),
        "mass_matrix": Call(_MASSES, {**mass, **names}),
        "forward_dynamics": Call(_FORWARD, {"run": mujoco.mj_forward, **names}, "d.qacc"),
    }
    batches = {
        "row by row": {name: row_by_row(call) for name, call in calls.items()},
        "rollout(1)": {"forward_dynamics": _rollout(model)},
    }
    remark = "MuJoCo's rollout steps a row by 1 s: forward dynamics and an explicit Euler update."
    return Engine("MuJoCo", calls, batches, remarks=(remark,))


def mujoco_model(robot: Robot) -> mujoco.MjModel:
    """The robot in MuJoCo.

    Bodies without mass, which its compiler refuses, are needed here: the XML holds the joints, the
    mass data are written into the compiled model.
    """
    bodies = numeric_bodies(robot)
    field = " ".join(repr(float(x)) for x in gravity(robot))
    tree = "".join(_xml(bodies, i) for i, body in enumerate(bodies) if body.parent < 0)
    option = f'<option gravity="{field}" timestep="1" integrator="Euler"/>'
    text = f"<mujoco>{option}<worldbody>{tree}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    for i, body in enumerate(bodies, start=1):
        moments, axes = np.linalg.eigh(body.inertia)
        axes = axes * np.sign(np.linalg.det(axes))
        model.body_mass[i], model.body_inertia[i] = body.mass, moments
        model.body_ipos[i], model.body_iquat[i] = body.centre, _quaternion(axes)
    for name in _SKIPPED:
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, name))
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def _xml(bodies: list[NumericBody], i: int) -> str:
    """A body and everything it carries; the mass data are replaced later."""
    body = bodies[i]
    place = " ".join(repr(float(x)) for x in body.p)
    turn = " ".join(repr(float(x)) for x in _quaternion(body.R))
    axis = " ".join(str(int(k == body.axis)) for k in range(3))
    carried = "".join(_xml(bodies, k) for k, other in enumerate(bodies) if other.parent == i)
    return (
        f'<body pos="{place}" quat="{turn}"><joint type="hinge" axis="{axis}"/>'
        '<inertial pos="1 2 3" quat="1 2 3 4" mass="1" diaginertia="1 1.1 1.2"/>'
        f"{carried}</body>"
    )


def _quaternion(R: Array) -> Array:
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, np.ascontiguousarray(R).ravel())
    return found


def _rollout(model: mujoco.MjModel) -> Rows:
    """One step a row in its own compiled loop; with a step of 1 s, Δv is the acceleration."""
    data, n = [mujoco.MjData(model)], model.nv
    applied = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

    def rows(Q: Array, V: Array, X: Array) -> Array:
        start = np.hstack([np.zeros((len(Q), 1)), Q, V])
        control = X[:, np.newaxis]
        state, _ = rollout.rollout(model, data, start, control, control_spec=applied, nstep=1)
        return state[:, 0, 1 + n :] - V

    return rows
