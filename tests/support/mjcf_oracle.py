"""MuJoCo as an oracle: a mechanism read from MJCF and the compiled model at the same state."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import mujoco
import numpy as np

import torseur as ts
from torseur.language.mjcf import mjcf_reader

Array = np.ndarray


@dataclass
class Pair:
    """A mechanism and the model, with the commands and states of actuators by number."""

    mechanism: Any
    model: Any
    actuators: Any

    @property
    def unread(self) -> list[int]:
        """The actuators that are not read."""
        m, names = self.model, self.actuators.unread if self.actuators else ()
        return [k for k in range(m.nactuator) if (m.actuator(k).name or f"actuator{k}") in names]


def pair(path: Path, **options: Any) -> Pair:
    """The mechanism of a file and the model of MuJoCo."""
    read: list[Any] = []
    original = mjcf_reader.mjcf_actuators

    def noted(*given: Any) -> Any:
        read.append(original(*given))
        return read[-1]

    with mock.patch.object(mjcf_reader, "mjcf_actuators", noted):
        mechanism = ts.load(path, **options)
    return Pair(mechanism, mujoco.MjModel.from_xml_path(str(path)), read[-1] if read else None)


def turned(model: Any) -> Array:
    """The rotation that axes of speeds here differ by: those of balls are the carrier's."""
    R = np.eye(model.nv)
    for k in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_BALL):
        block, at = np.zeros(9), slice(model.jnt_dofadr[k], model.jnt_dofadr[k] + 3)
        first = model.jnt_bodyid[k]
        if k == model.body_jntadr[first]:  # further joints of a body have its axes
            mujoco.mju_quat2Mat(block, model.body_quat[first])
            R[at, at] = block.reshape(3, 3)
    return R


def coordinates(model: Any, data: Any, R: Array) -> Array:
    """The coordinates here: counted from references, quaternions about turned axes."""
    q = np.array(data.qpos)
    for k in range(model.njnt):
        at, dof = model.jnt_qposadr[k], model.jnt_dofadr[k]
        if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_BALL:
            q[at + 1 : at + 4] = R[dof : dof + 3, dof : dof + 3] @ q[at + 1 : at + 4]
        elif model.jnt_type[k] != mujoco.mjtJoint.mjJNT_FREE:
            q[at] -= model.qpos0[at]
    return q


def random_data(model: Any, rng: np.random.Generator, size: float = 0.7) -> Any:
    """A state with commands and activations, near the reference."""
    data = mujoco.MjData(model)
    step = rng.uniform(-size, size, model.nv)
    mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    data.qvel[:] = rng.uniform(-1, 1, model.nv)
    data.ctrl[:], data.act[:] = rng.uniform(-1, 1, model.nu), rng.uniform(0.1, 0.9, model.na)
    return data


def accelerations(both: Pair, data: Any, no_friction: bool = True) -> tuple[Array, Array]:
    """Those of the mechanism without constraints and contacts, and the ones of MuJoCo."""
    m, read = both.model, both.actuators
    for k in both.unread:
        m.actuator_gainprm[k], m.actuator_biasprm[k] = 0, 0
    mujoco.mj_forward(m, data)
    values, states = {}, {}
    if read is not None:
        ctrl = [int(x) for x in m.actuator_ctrladr]
        values = {name: float(data.ctrl[ctrl[k]]) for k, name in read.by_index.items()}
        states = {
            name: float(data.act[m.actuator_actadr[k] + m.actuator_actnum[k] - 1])
            for k, name in read.activations.items()
        }
    if no_friction:  # a constraint there
        names = both.mechanism.parameters
        values |= {x: 0.0 for x in names if x.startswith("f_") and f"d_{x[2:]}" != x}
    f = ts.compile(both.mechanism, parameters=values)
    R = turned(m)
    q, v = coordinates(m, data, R), R @ data.qvel
    more = ([states[x] for x in both.mechanism.states],) if both.mechanism.states else ()
    force = f.applied(q, v, *more) - f.bias(q, v) - f.gravity(q)
    return np.linalg.solve(f.mass_matrix(q), force), R @ data.qacc_smooth
