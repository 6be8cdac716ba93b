"""Configurations of a mechanism: a given one, or some that show its structure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning
from torseur.report.scene.geometry import SceneGeometry
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say

Array = np.ndarray
_SWINGS = (0.5, 0.55, 0.4, 0.5, 0.6, 0.35)  # [rad] in turn, to show the structure
_SIGNS = ((1, -1), (-1, 1), (1, 1, -1, -1), (-1, -1, 1, 1), (1, -1, -1, 1), (-1, 1, 1, -1))
_SLIDE = 0.5  # of a usual lever
_TURNS = ((0.9, -0.9, 1.3), (0.4, -0.4), (0.15, -0.15))  # [rad, m] of a first coordinate


def configurations(geometry: SceneGeometry, q: Any = None) -> list[Array]:
    """The coordinates q (an array or a dict by name); without q, some to choose from.

    What is not given of a closed mechanism is assembled; what touches is shown where it starts.
    """
    if q is not None:
        return [_given(geometry, q)]
    if constrained(geometry.mechanism):
        return _closed(geometry)
    if one_sided(geometry.mechanism):
        return [_showing(geometry, ())]
    return [_showing(geometry, signs) for signs in _SIGNS]


def constrained(mechanism: Mechanism) -> bool:
    """Whether coordinates depend on each other or on time."""
    closing = spanning(mechanism).closing or restraints(mechanism)
    return bool(closing)


def assembled(
    geometry: SceneGeometry, guess: Mapping[str, float] | None = None, pinned: tuple[str, ...] = ()
) -> Assembled:
    """Coordinates that close every loop of a geometry, near a guess."""
    return assemble(_model(geometry), guess, pinned=pinned)


def _model(geometry: SceneGeometry) -> CompiledModel:
    table = geometry.mechanism.parameter_table
    given = {name: x for name, x in geometry.values.items() if name in table}
    return compile(geometry.mechanism).with_parameters(**given)


# --- coordinates --------------------------------------------------------------------------------


def _given(geometry: SceneGeometry, q: Any) -> Array:
    names = geometry.structure.coordinates
    if isinstance(q, Mapping):
        for name in q:
            if name not in names:
                raise unknown("q", "coordinate", name, names)
        if constrained(geometry.mechanism):
            speeds = set(geometry.structure.speeds)
            return assembled(geometry, q, tuple(name for name in q if f"{name}." in speeds)).q
        start = geometry.structure.tree.neutral
        return np.array([q.get(name, x) for name, x in zip(names, start, strict=True)], float)
    array = np.asarray(q, dtype=float)
    if array.shape != (len(names),):
        problem = say(
            "expected {number} values, got an array of shape {shape}.", len(names), array.shape
        )
        raise ModelError("q", problem, say("In this order: {names}.", ", ".join(names)))
    return array


def _closed(geometry: SceneGeometry) -> list[Array]:
    """The assembled pose, and others where a first coordinate moved: one may show better.

    What imposed motions ask for at the start is no reason not to move.
    """
    start = assembled(geometry)
    described = replace(geometry.mechanism, motions={})
    free = replace(geometry, mechanism=described)
    names, speeds = geometry.structure.coordinates, set(geometry.structure.speeds)
    first = next((name for name in names if f"{name}." in speeds), "")
    poses = [start.q]
    for turns in _TURNS if first else ():
        for turn in turns:
            guess = start.coordinates | {first: start.coordinates[first] + turn}
            try:
                poses.append(assembled(free, guess, (first,)).q)
            except SolveError:  # the loop does not reach there
                continue
        if len(poses) > 1:
            break
    return poses


def _showing(geometry: SceneGeometry, signs: tuple[int, ...]) -> Array:
    """The initial values that were given; else angles with these signs, and slides out.

    Without signs it stays as it starts: elsewhere it could be in what it touches.
    """
    tree, mechanism, known = geometry.structure.tree, geometry.mechanism, geometry.known
    levers = [size for link in tree.links if (size := float(np.linalg.norm(link.X_PF.p))) > 0]
    slide = _SLIDE * (float(np.median(levers)) if levers else 1.0)
    q, turned = np.zeros(tree.nq), 0
    for link in tree.links:
        joint = mechanism.joints[link.joint_name]
        neutral = np.array(link.joint.neutral(), dtype=float)
        for k, unit in enumerate(link.joint.coordinate_units):
            if unit == "m" and signs:
                neutral[k] = slide
            elif unit == "rad" and signs:
                neutral[k] = signs[turned % len(signs)] * _SWINGS[turned % len(_SWINGS)]
                turned += 1
            limits = geometry.limits(joint.limits[k]) if k < len(joint.limits) else None
            neutral[k] = np.clip(neutral[k], *limits) if limits else neutral[k]
            start = mechanism.initial.get(joint.coordinates[k])
            if start is not None and all(x.name in known for x in free_symbols([start])):
                neutral[k] = float(evaluate(expression(start), known))
        free = link.joint.coordinate_units[-4:] == ("1",) * 4
        if signs and free and tuple(neutral[-4:]) == (1, 0, 0, 0):
            neutral[-4:] = np.array([0.92, 0.2, 0.3, 0.15]) / np.linalg.norm([0.92, 0.2, 0.3, 0.15])
        q[link.q] = neutral
    return q
