"""MuJoCo: by default, and by its own remedies for creep.

Its friction is soft. Elliptic cones with a large `impratio` make friction harder than the normal
forces and slow the creep; iterations of its solver `noslip` take away what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from benchmarks.slopes import CORNERS, HALF, INERTIA, MASS, RADIUS, Slid, Slope, Way

_REMEDIES: dict[str, dict[str, Any]] = {
    "by default, 2 ms": {},
    "elliptic cones, impratio 1000, 2 ms": {"cone": 1, "impratio": 1000.0},
    "the same and noslip, 2 ms": {"cone": 1, "impratio": 1000.0, "noslip_iterations": 50},
    "the same, 0.2 ms": {"cone": 1, "impratio": 1000.0, "noslip_iterations": 50, "timestep": 2e-4},
}


def ways() -> list[Way]:
    """Every remedy."""
    return [Way(f"MuJoCo, {name}", _ready(options)) for name, options in _REMEDIES.items()]


def _ready(options: dict[str, Any]) -> Callable[[Slope], Callable[[], Slid]]:
    def ready(slope: Slope) -> Callable[[], Slid]:
        model = _model(slope, options)
        data = mujoco.MjData(model)
        steps = round(slope.seconds / (slope.samples - 1) / model.opt.timestep)

        def go() -> Slid:
            mujoco.mj_resetData(model, data)
            kept = np.empty((slope.samples, 2))
            kept[0] = 0.0, 0.0
            for k in range(1, slope.samples):
                mujoco.mj_step(model, data, steps)
                kept[k] = data.qpos[0], data.qpos[2] - HALF
            return Slid(kept[:, 0], kept[:, 1])

        return go

    return ready


def _model(slope: Slope, options: dict[str, Any]) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.option.gravity = slope.gravity
    for name, value in options.items():
        setattr(spec.option, name, value)
    rough = [slope.friction, 0.005, 0.0001]
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(type=plane, size=[0.0, 0.0, 1.0], friction=rough)
    inertia = {"mass": MASS, "inertia": [INERTIA] * 3, "explicitinertial": True}
    box = spec.worldbody.add_body(pos=[0.0, 0.0, HALF], **inertia)
    box.add_freejoint()
    for corner in CORNERS:
        ball = mujoco.mjtGeom.mjGEOM_SPHERE
        box.add_geom(type=ball, size=[RADIUS, 0.0, 0.0], pos=corner, friction=rough)
    return spec.compile()
