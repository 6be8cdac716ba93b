"""The motion of a mechanism in absolute coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from torseur.algebra.graph import evaluate
from torseur.backends.absolute import places as at
from torseur.backends.absolute.model import AbsoluteModel
from torseur.backends.compiled import CompiledModel
from torseur.backends.integrators.problem import Events, Problem
from torseur.dynamics.closure import closures
from torseur.dynamics.kinematics import ground_poses, velocities
from torseur.mechanism.description import Mechanism
from torseur.spatial import quaternion
from torseur.spatial.vectors import cross
from torseur.topology.structure import Structure, structure

Array = np.ndarray


def problem(model: AbsoluteModel) -> Problem:
    """What an integrator calls."""
    held = bool(model.graph.sets)
    events = list(model.mechanism.events.values())
    watched = None
    if events:
        directions = tuple(event.direction for event in events)
        stops = tuple(event.stop for event in events)
        watched = Events(model.entry(at.WATCH), directions, stops)
    return Problem(
        model.entry(at.RATE),
        model.entry(at.CLOSE) if held else None,
        model.entry(at.CALM),
        watched,
    )


def placed(model: AbsoluteModel, q: Array, v: Array) -> Array:
    """The state of all bodies from the coordinates and speeds of a tree that carries them."""
    found = structure(model.numbers)
    state = np.zeros(model.size)
    tree, moving = found.tree, velocities(found.tree, q, v)
    for X_WM, motion, link in zip(ground_poses(tree, q), moving, tree.links, strict=True):
        body = model.numbers.bodies[link.name]
        centre = link.X_MB.point(np.asarray(body.centre, dtype=float))  # in the computing frame
        own = state[at.STATE * (model.index[link.name] - 1) :][: at.STATE]
        own[at.POSITION : at.ATTITUDE] = X_WM.point(centre)
        R = np.asarray((X_WM.R @ link.X_MB.R).matrix, dtype=float)
        own[at.ATTITUDE : at.VELOCITY] = quaternion.from_matrix(R)
        own[at.VELOCITY : at.SPIN] = X_WM.R.out(motion.v + cross(motion.w, centre))
        own[at.SPIN :] = link.X_MB.R.into(motion.w)
    angles = _angles(model, found, q)
    first = at.STATE * len(model.graph.bodies)
    for k, measure in enumerate(model.followers):
        state[first + k] = angles[measure.name]
    return state


def _angles(model: AbsoluteModel, found: Structure, q: Array) -> dict[str, float]:
    """Every coordinate of the joints of the tree and of those that close it."""
    values = dict(zip(found.coordinates, map(float, q), strict=True))
    joints = model.mechanism.joints
    closing = tuple(cut for cut in found.cuts if cut.name in joints and cut.coordinates)
    for closure in closures(found.tree, closing, q):
        read = map(float, closure.coordinates)
        values |= dict(zip(closure.cut.coordinates, read, strict=True))
    return values
