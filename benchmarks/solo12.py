"""Solo12 of example-robot-data with its own collision shapes, under PD at 1 kHz on a plane."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.language.load import load_robot
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import Mechanism
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate

Array = np.ndarray
Goal = Callable[[float], Array]
ROBOTS = Path(np.__file__).parents[1] / "cmeel.prefix/share/example-robot-data/robots"
FILE = ROBOTS / "solo_description/robots/solo12.urdf"
JOINTS = [f"{leg}_{k}" for leg in ("FL", "FR", "HL", "HR") for k in ("HAA", "HFE", "KFE")]
CROUCHED = np.tile([0.0, 0.7, -1.4], 4)
STIFF, DAMPED, FRICTION, STEP = 12.0, 0.3, 1.0, 1e-3  # N m/rad, N m s/rad, –, s
STANDS, SWINGS, BASE = 0.3, 0.25, 6  # seconds before the trot, until it is whole; speeds
FEET = [f"{leg}_FOOT" for leg in ("FL", "FR", "HL", "HR")]
ABOVE = 2e-4  # [m]: balls about the feet are larger than these
BY_EVENTS: dict[str, Any] = {"sample": STEP, "rate": 100, "rtol": 1e-5}
BY_STEPS: dict[str, Any] = {"sample": STEP, "rate": 100, "method": "moreau", "step": STEP}


def standing(t: float) -> Array:
    """The angles of a crouch."""
    return CROUCHED


def trotting(t: float) -> Array:
    """Angles at which legs across from each other swing together, twice a second."""
    wanted, since = CROUCHED.reshape(4, 3).copy(), t - STANDS
    if since < 0:
        return wanted.ravel()
    for k, turn in enumerate((1, -1, -1, 1)):
        lift = 0.3 * max(0.0, turn * np.sin(4 * np.pi * since))
        swing = -0.12 * turn * np.cos(4 * np.pi * since) * min(1.0, since / SWINGS)
        wanted[k] += 0.0, lift + swing, -2 * lift
    return wanted.ravel()


def robot() -> CompiledModel:
    """The robot on the ground plane."""
    touching = {"ground": 0.0, "friction": FRICTION}
    return compile(load_robot(FILE, free_base=True, collisions=touching))


def robot_on_balls() -> CompiledModel:
    """The robot with contacts by name, of the balls about its feet."""
    touching = {"named": FEET, "balls": True, "friction": FRICTION}
    return compile(load_robot(FILE, free_base=True, collisions=touching))


def start(model: CompiledModel) -> dict[str, float]:
    """The crouch in which the lowest point of a foot is on the ground."""
    q = np.zeros(len(model.coordinates))
    q[model.coordinates.index("base_qw")] = 1.0
    q[[model.coordinates.index(name) for name in JOINTS]] = CROUCHED
    lowest = np.inf
    for name, points in hulls(model.mechanism):
        X = model.pose(name, q)
        lowest = min(lowest, float((points @ X[2, :3] + X[2, 3]).min()))
    return dict(zip(JOINTS, CROUCHED.tolist(), strict=True)) | {"base_z": -lowest}


def hulls(mechanism: Mechanism) -> list[tuple[str, Array]]:
    """The vertices (n, 3) of each hull, in the frame of its body."""
    found = []
    for body in mechanism.bodies.values():
        for part in body.collision:
            X = part.pose.numeric(lambda x: float(evaluate(x, mechanism.parameters)))
            points = np.array(evaluate(part.shape[1]["points"], mechanism.parameters), dtype=float)
            found.append((body.name, points @ np.array(X.R.matrix, dtype=float).T + X.p))
    return found


def law(model: CompiledModel, goal: Goal) -> Any:
    """PD about the angles wanted, as a function of Python."""
    q_of = [model.coordinates.index(name) for name in JOINTS]
    v_of = [model.speeds.index(f"{name}.") for name in JOINTS]

    def commands(t: float, q: Array, v: Array) -> Array:
        return np.concatenate([np.zeros(BASE), STIFF * (goal(t) - q[q_of]) - DAMPED * v[v_of]])

    return commands


def moved(model: CompiledModel, seconds: float, goal: Goal, step: float = STEP) -> Run:
    """A run by steps."""
    asked = BY_STEPS | {"step": step, "initial": start(model)}
    run: Run = simulate(model, seconds, control=law(model, goal), **asked)
    return run


def trunk(run: Run) -> Array:
    """Positions (samples, 3) of the trunk."""
    return np.column_stack([run[f"base_{axis}"] for axis in "xyz"])
