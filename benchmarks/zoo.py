"""Published robots that touch with their own shapes: a quadruped, a batch of it, humanoids."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import solo12
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.controllers.joint_laws import pd
from torseur.language.load import load_robot
from torseur.machine.compiled import CompiledModel, compile
from torseur.simulation.simulate import simulate

SOFTNESS = (0.0, 4e-3, 2e-3, 1e-3, 5e-4)  # time constants of MuJoCo's contacts [s]; 0: usual
FINE = 5e-5  # s
ROWS = 1000
HUMANOID = "talos_data/robots/talos_reduced.urdf"


def run(*, quick: bool) -> Part:
    """The robots of example-robot-data; nothing where the package is missing."""
    if not solo12.FILE.is_file():
        remarks = ["example-robot-data is not installed: no published robot is measured."]
        return Part("zoo", [], [], remarks)
    model, repeats = solo12.robot(), 2 if quick else 5
    table, bars = _standing(model, repeats)
    tables = [table]
    if find_spec("mujoco"):
        far, bar = _apart(model, SOFTNESS[3:4] if quick else SOFTNESS)
        tables, bars = [*tables, far], [*bars, bar]
    bars += [_by_events(first=solo12.start(model), repeats=repeats)]
    bars += [_batch(model, 20 if quick else 100), _humanoid(1.0 if quick else 4.0)]
    return Part("zoo", tables, bars, [])


def _standing(model: CompiledModel, repeats: int) -> tuple[Table, list[Bar]]:
    """Processor time of a second, standing and trotting."""
    first = solo12.start(model)
    text = pd(model.mechanism, *_gains())
    asked: dict[str, Any] = {**solo12.BY_STEPS, "initial": first}

    def cost(law: Any) -> float:
        simulate(model, 2.0, control=law, **asked)
        return 500 * fastest(lambda: simulate(model, 2.0, control=law, **asked), repeats)

    stand, trot = cost(text), cost(solo12.law(model, solo12.trotting))
    found: list[tuple[Cell, ...]] = [
        ("Torseur, stands, law in machine code", stand),
        ("Torseur, trots, law in Python", trot),
    ]
    if find_spec("mujoco"):
        peer = import_module("benchmarks.solo12_mujoco")
        made = peer.model(_pairs(model), solo12.STEP, 0.0)
        goal, height = solo12.trotting, first["base_z"]
        theirs = 500 * fastest(lambda: peer.moved(made, 2.0, goal, height), repeats)
        found.append(("MuJoCo, usual contacts, trots, law in Python", theirs))
    title = "Solo12 with its own shapes: a second by steps of 1 ms"
    return Table(title, ("engine", "ms"), found), [
        Bar("Solo12 trots 1 s by steps", trot, 100, "ms")
    ]


def _by_events(first: dict[str, float], repeats: int) -> Bar:
    """Processor time of a second of trot from event to event, on balls about the feet."""
    model = solo12.robot_on_balls()
    law = solo12.law(model, solo12.trotting)
    placed = {**first, "base_z": first["base_z"] + solo12.ABOVE}
    asked: dict[str, Any] = {**solo12.BY_EVENTS, "control": law, "initial": placed}
    simulate(model, 2.0, **asked)
    taken = 500 * fastest(lambda: simulate(model, 2.0, **asked), repeats)
    return Bar("Solo12 trots 1 s from event to event", taken, 300, "ms")


def _gains() -> tuple[dict[str, float], ...]:
    goal = dict(zip(solo12.JOINTS, solo12.CROUCHED.tolist(), strict=True))
    gains = (dict.fromkeys(solo12.JOINTS, x) for x in (solo12.STIFF, solo12.DAMPED))
    return goal, *gains


def _pairs(model: CompiledModel) -> tuple[tuple[str, str], ...]:
    """The pairs of links that do not collide."""
    pairs: Any = model.mechanism.contacts["links"]
    return tuple(pairs.without)


def _apart(model: CompiledModel, softness: tuple[float, ...]) -> tuple[Table, Bar]:
    """Distance of the trunk from MuJoCo's in two seconds of a trot, by how soft contacts are."""
    peer = import_module("benchmarks.solo12_mujoco")
    height = solo12.start(model)["base_z"]
    ours = [solo12.trunk(solo12.moved(model, 2.0, solo12.trotting, step)) for step in (1e-3, 1e-4)]
    rows: list[tuple[Cell, ...]] = []
    stiffest = np.inf
    for constant in softness:
        made = peer.model(_pairs(model), FINE, constant)
        places = peer.moved(made, 2.0, solo12.trotting, height)
        far = [1e3 * float(np.linalg.norm(x - places, axis=1).max()) for x in ours]
        name = f"{1e3 * constant:g} ms" if constant else "usual (20 ms, impedance 0.9 to 0.95)"
        rows.append((name, *far))
        stiffest = min(stiffest, far[0])
    head = ("time constant of MuJoCo's contacts", "mm from steps of 1 ms", "from 0.1 ms")
    title = "Solo12 trots 2 s: distance of its trunk from MuJoCo's at 50 µs"
    return Table(title, head, rows), Bar("Solo12, distance from MuJoCo", stiffest, 3.0, "mm")


def _batch(model: CompiledModel, rows: int) -> Bar:
    """A second of many that are dropped from different heights, on one core."""
    first, law = solo12.start(model), pd(model.mechanism, *_gains())
    heights = {**first, "base_z": first["base_z"] + np.linspace(0.0, 0.02, rows)}
    asked: dict[str, Any] = {**solo12.BY_STEPS, "initial": heights, "threads": 1}
    seconds = fastest(lambda: simulate(model, 1.0, control=law, **asked), 1) * ROWS / rows
    return Bar(f"{ROWS} Solo12 stand 1 s, one core", seconds, 100.0, "s")


def _humanoid(seconds: float) -> Bar:
    """Talos, 32 joints and 52 shapes, falls without a controller."""
    model = compile(load_robot(solo12.ROBOTS / HUMANOID, free_base=True, collisions="all"))
    asked: dict[str, Any] = {"method": "moreau", "step": 1e-3, "rate": 50}
    asked["initial"] = {"base_z": 1.1}
    simulate(model, 0.01, **asked)
    cost = fastest(lambda: simulate(model, seconds, **asked), 1) / seconds
    return Bar("Talos falls 1 s", cost, 5.0, "s")
