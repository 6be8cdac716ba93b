"""A quadruped on four point feet under PD at 1 kHz, by steps of 1 ms: the robot and its laws."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.outcome import Bar, Cell, Table
from benchmarks.timing import fastest
from torseur.controllers.joint_laws import pd
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.simulation.simulate import simulate

Array = np.ndarray
LEG, SIDES = 0.16, {"a": (1, 1), "b": (1, -1), "c": (-1, 1), "d": (-1, -1)}
JOINTS = [f"{name}{k}" for name in SIDES for k in range(3)]
GOAL = dict(zip(JOINTS, 4 * (0.0, 0.7, -1.4), strict=True))
STIFF, DAMPED, STEP = 12.0, 0.3, 1e-3  # N m/rad, N m s/rad, s
PARTS = (("s", 0.14, 1e-4, 1e-4), ("u", 0.15, 3e-4, 3e-5), ("l", 0.06, 1e-4, 1e-5))
TRUNK = 1.5, (0.01, 0.02, 0.025)  # kg, kg m²
HIPS, SHOULDER, HEIGHT = (0.19, 0.08), 0.015, 2 * LEG * float(np.cos(0.7))
BY_STEPS: dict[str, Any] = {"sample": STEP, "rate": 50, "method": "moreau", "step": STEP}
ROWS = 1000  # of the batch that a figure is given for


def described() -> dict[str, Any]:
    """A trunk on four legs of three joints each."""
    mass, inertia = TRUNK
    bodies: dict[str, Any] = {"trunk": {"mass": mass, "inertia": list(inertia)}}
    joints: dict[str, Any] = {"base": {"type": "free", "bodies": ["ground", "trunk"]}}
    contacts, initial = {}, {"base_z": HEIGHT}
    for name, (x, y) in SIDES.items():
        for part, own, across, along in PARTS:
            bodies[name + part] = {"mass": own, "inertia": [across, across, along]}
            if part != "s":
                bodies[name + part]["centre"] = [0, 0, -LEG / 2]
        carried = (
            ("trunk", "s", "x", [HIPS[0] * x, HIPS[1] * y, 0]),
            (f"{name}s", "u", "y", [0, SHOULDER * y, 0]),
            (f"{name}u", "l", "y", [0, 0, -LEG]),
        )
        for k, (first, second, axis, point) in enumerate(carried):
            joints[name + second] = {
                "type": "revolute",
                "bodies": [first, name + second],
                "axis": axis,
                "point": [point, [0, 0, 0]],
                "coordinate": f"{name}{k}",
            }
        foot = {"point": [0, 0, -LEG], "normal": "z", "friction": 0.6}
        contacts[name] = {"bodies": ["ground", f"{name}l"], **foot}
        initial |= {f"{name}1": 0.7, f"{name}2": -1.4}
    return {
        "gravity": [0, 0, -9.81],
        "reactions": "least_norm",
        "bodies": bodies,
        "joints": joints,
        "contacts": contacts,
        "inputs": JOINTS,
        "initial": initial,
    }


def figures(*, quick: bool) -> tuple[Table, list[Bar]]:
    """A second of standing and two of a trot, by steps, beside events and MuJoCo."""
    model, repeats = compile(load(described())), 3 if quick else 9
    gains = (dict.fromkeys(JOINTS, gain) for gain in (STIFF, DAMPED))
    text, python = (
        pd(model.mechanism, GOAL, *gains),
        _law(model, lambda t: np.array(list(GOAL.values()))),
    )
    standing = _cost(model, 1.0, text, repeats)
    own = 1e3 * fastest(lambda: _called(model, python), repeats)
    by_python = _cost(model, 1.0, python, repeats) - own
    rows = 20 if quick else 100
    heights = {"base_z": HEIGHT + np.linspace(0.0, 0.02, rows)}
    batch = _cost(model, 1.0, text, 1, initial=heights, threads=1) * ROWS / rows / 1e3
    far = _apart(model)
    found: list[tuple[Cell, ...]] = [
        ("Torseur, law in machine code", standing),
        ("Torseur, law in Python, beyond it", by_python),
    ]
    if find_spec("mujoco"):
        found += import_module("benchmarks.quadruped_mujoco").rows(repeats)
    return Table(
        "A quadruped under PD at 1 kHz: a second by steps of 1 ms", ("engine", "ms"), found
    ), [
        Bar("quadruped stands 1 s, law in machine code", standing, 12.0, "ms"),
        Bar("the same with a law in Python, beyond it", by_python, 25.0, "ms"),
        Bar("quadruped trots 2 s by steps, way forward beside events", far, 1.0, "mm"),
        Bar(f"{ROWS} quadrupeds of 1 s, one core", batch, 15.0, "s"),
    ]


def _cost(model: CompiledModel, seconds: float, law: Any, repeats: int, **more: Any) -> float:
    """Processor time of a run by steps [ms]."""
    asked = BY_STEPS | more
    simulate(model, seconds, control=law, **asked)
    return 1e3 * fastest(lambda: simulate(model, seconds, control=law, **asked), repeats)


def _law(model: CompiledModel, wanted: Callable[[float], Array]) -> Any:
    """PD about the angles wanted, as a function of Python."""
    q_of = [model.coordinates.index(name) for name in JOINTS]
    v_of = [model.speeds.index(f"{name}.") for name in JOINTS]

    def law(t: float, q: Array, v: Array) -> Array:
        found: Array = STIFF * (wanted(t) - q[q_of]) - DAMPED * v[v_of]
        return found

    return law


def trot(model: CompiledModel) -> Any:
    """The law of a trot, as a function of Python."""
    return _law(model, _trot)


def _called(model: CompiledModel, law: Any) -> None:
    """The calls of a law in a second."""
    q, v = np.zeros(len(model.coordinates)), np.zeros(len(model.speeds))
    for _ in range(round(1 / STEP)):
        law(0.0, q, v)


def _trot(t: float) -> Array:
    """Angles at which legs across from each other swing together, twice a second."""
    phase, wanted = 4 * np.pi * t, np.zeros((4, 3))
    for k, turn in enumerate((1, -1, -1, 1)):
        lift = 0.3 * max(0.0, turn * np.sin(phase))
        swing = -0.12 * turn * np.cos(phase)
        wanted[k] = 0.0, 0.7 + lift + swing, -1.4 - 2 * lift
    return wanted.ravel()


def _apart(model: CompiledModel) -> float:
    """The largest distance between both ways to move the trunk, along its way forward [mm]."""
    law = trot(model)
    steps = simulate(model, 2.0, control=law, **BY_STEPS)
    events = simulate(model, 2.0, control=law, sample=STEP, rate=50)
    return 1e3 * float(np.abs(steps["base_x"] - events["base_x"]).max())
