"""Starts at which free robots just touch the ground: lifted or lowered along the vertical."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, SolveError
from torseur.machine.collision import probe_layout as at
from torseur.machine.collision.distances import ShapeDistances
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import GROUND, Mechanism
from torseur.model.joints.library import Free
from torseur.robotics.inverse_kinematics import given_coordinates
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

Array = np.ndarray
_PLACE = "on_the_ground"
_LEVEL = 1e-3  # a gap that changes by less than this share of a way up is beside the robot
_CLOSE = 1e-10  # [m]
_STEPS = 60


def on_the_ground(
    mechanism: Mechanism | CompiledModel,
    initial: Mapping[str, float] | None = None,
    *,
    clearance: float = 0.0,
    parameters: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """The initial values at which every free robot just touches what is below it.

    Robots keep their postures, those of `initial` or of the description, and are lifted or lowered
    along the vertical, opposite to gravity, until the nearest of their shapes is as far as
    `clearance` [m] from planes of the ground and from bodies that do not move.
    """
    model = compiled_at(mechanism, parameters)
    up = _upwards(model)
    distances: ShapeDistances = model.value("distances", lambda: ShapeDistances(model))
    q = given_coordinates(model, initial, "initial")
    if model.system.cuts:  # loops are closed as motions close them
        q = np.array(assemble(model, dict(initial or {})).q)
    start = dict(initial or {})
    joints = [x for x in model.mechanism.joints.values() if isinstance(x.kind, Free)]
    free = [x for x in joints if x.first == GROUND and x.speeds[0] in model.speeds]
    for joint in free:
        places = [model.coordinates.index(name) for name in joint.coordinates[:3]]
        speeds = [model.speeds.index(name) for name in joint.speeds]
        if _lift(model, distances, q, places, speeds, up, float(clearance)):
            names = joint.coordinates[:3]
            start |= {name: float(q[k]) for name, k in zip(names, places, strict=True)}
    if start == dict(initial or {}):
        raise ModelError(
            _PLACE,
            "no free body can touch a plane of the ground, or a body that does not move.",
            'For a robot: ts.load(path, free_base=True, collisions="all").',
        )
    return start


def _upwards(model: CompiledModel) -> Array:
    gravity = np.array(evaluate(model.mechanism.gravity, model.parameters), dtype=float)
    size = float(np.linalg.norm(gravity))
    if size == 0.0:
        raise ModelError(_PLACE, "without gravity there is no vertical.")
    return -gravity / size


def _lift(
    model: CompiledModel,
    distances: ShapeDistances,
    q: Array,
    places: list[int],
    speeds: list[int],
    up: Array,
    clearance: float,
) -> bool:
    """Whether shapes of a free body's robot have something below; q ← where they just touch it."""
    others = np.setdiff1d(np.arange(len(model.speeds)), speeds)
    alone = (distances.carried[:, speeds] != 0).all(axis=1)
    alone &= ~_moved_by_free(model, distances, others)
    if not alone.any():
        return False
    for _ in range(_STEPS):
        row = q[np.newaxis]
        nearest = distances.at(row)
        axes = np.asarray(model.speed_axes(row))[0, speeds[:3], 3:]
        rates = distances.rates(row, nearest)[0][:, speeds[:3]] @ (axes @ up)
        below = alone & (rates > _LEVEL)
        if not below.any():
            return False
        ways = (clearance - nearest[0, below, at.GAP]) / rates[below]
        q[places] += float(ways.max()) * (axes @ up)
        if abs(ways.max()) < _CLOSE:
            return True
    problem = say("no height at which it just touches was found in {count} steps.", _STEPS)
    raise SolveError(_PLACE, problem, "Give other initial values.")


def _moved_by_free(model: CompiledModel, distances: ShapeDistances, others: Array) -> Array:
    """(pairs,): whether another free body moves one of the two."""
    free = {
        x for j in model.mechanism.joints.values() if isinstance(j.kind, Free) for x in j.speeds
    }
    listed = [k for k in others if model.speeds[k] in free]
    return np.asarray((distances.carried[:, listed] != 0).any(axis=1))
