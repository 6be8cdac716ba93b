"""MuJoCo: the tree of rods in its joint coordinates, loops closed by its `connect` constraints.

Its constraints are springs as stiff as the step allows: they are made as hard as it is stable.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from benchmarks.moving import Ready, Way
from benchmarks.moving.rods import BASE, GRAVITY, INERTIA, LENGTH, MASS, Rods

Array = np.ndarray
STEPS = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
_HARD = 0.999999  # share of the reference acceleration that a constraint gets: its impedance
_LARGE = 60  # coordinates, from which its own rule takes sparse Jacobians
# time constant of a constraint over the step; less than two is against its advice, and RK4 bears it
_CONSTANTS = {"Euler": 2.0, "RK4": 1.0}


def ways(rods: Rods) -> list[Way]:
    """Both its integrators for motion without damping."""
    usual = {"Euler": 1e-3, "RK4": 1e-3 if rods.closing else 5e-3}
    return [
        Way("MuJoCo", name, "step", STEPS, usual[name], _ready(rods, name)) for name in _CONSTANTS
    ]


def _ready(rods: Rods, integrator: str) -> Callable[[float, Array], Ready]:
    def ready(step: float, times: Array) -> Ready:
        model = _model(rods, integrator, step)
        data = mujoco.MjData(model)
        address = np.array([model.joint(name).qposadr[0] for name in rods.bodies])
        angles, rates = rods.joint_angles()
        steps = round(float(times[1]) / step)

        def go() -> Array:
            mujoco.mj_resetData(model, data)
            data.qpos[address], data.qvel[address] = angles, rates
            kept = np.empty((len(times), 2, len(address)))
            kept[0] = angles, rates
            for k in range(1, len(times)):
                mujoco.mj_step(model, data, steps)
                kept[k] = data.qpos[address], data.qvel[address]
            return kept

        return Ready(go, lambda kept: (times, rods.from_joints(kept[:, 0], kept[:, 1])))

    return ready


def _model(rods: Rods, integrator: str, step: float) -> mujoco.MjModel:
    """Built body by body: nested XML has a limit of depth."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    options = spec.option
    options.timestep, options.gravity = step, [0.0, -GRAVITY, 0.0]
    options.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    sparse = len(rods.bodies) >= _LARGE
    kinds = mujoco.mjtJacobian
    options.jacobian = kinds.mjJAC_SPARSE if sparse else kinds.mjJAC_DENSE
    for name in _disabled(rods, integrator):
        options.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    bodies = {BASE: spec.worldbody}
    for rod in rods.outward:
        pin = rods.carrying[rod]
        bodies[rod] = bodies[pin.first].add_body(
            name=rods.bodies[rod],
            pos=[pin.at, 0.0, 0.0],
            mass=MASS,
            ipos=[LENGTH / 2, 0.0, 0.0],
            inertia=[INERTIA, INERTIA, INERTIA],
            explicitinertial=True,
        )
        bodies[rod].add_joint(
            name=rods.bodies[rod], type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0]
        )
    for pin in rods.closing:
        spec.add_equality(
            name=pin.name,
            type=mujoco.mjtEq.mjEQ_CONNECT,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=rods.bodies[pin.second],
            name2=rods.bodies[pin.first],
            data=[pin.end, 0.0, 0.0, *[0.0] * 9],
            solref=[_CONSTANTS[integrator] * step, 1.0],
            solimp=[_HARD, _HARD, 0.001, 0.5, 2.0],
        )
    model = spec.compile()
    for k, pin in enumerate(rods.closing):
        model.eq_data[k, 3:6] = pin.at, 0.0, 0.0  # the compiler has read it from a pose not closed
    return model


def _disabled(rods: Rods, integrator: str) -> list[str]:
    """What the rods do not need."""
    names = ["CONTACT", "LIMIT", "SENSOR", "WARMSTART"]
    if not rods.closing:
        names.append("CONSTRAINT")
    if _CONSTANTS[integrator] < 2.0:
        names.append("REFSAFE")
    return names


def _quiet(_: str) -> None:
    """Warnings of instability would be written to a file; they are seen in the measures."""


mujoco.set_mju_user_warning(_quiet)
