"""A robot as numbers, for engines that take bodies and joints one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from benchmarks.robots import Robot
from torseur.algebra.core.graph import evaluate
from torseur.equations.symbols.system import system
from torseur.model.joints.library import Revolute

Array = np.ndarray


@final
@dataclass(frozen=True)
class NumericBody:
    """A body carried by a revolute joint about one of its axes."""

    parent: int  # −1: the ground
    axis: int
    R: Array  # of its joint in the parent's frame (3, 3)
    p: Array
    mass: float
    centre: Array
    inertia: Array  # at the centre (3, 3)


def numeric_bodies(robot: Robot) -> list[NumericBody]:
    """The bodies of a robot, each after the one that carries it, in the order of q."""
    links = system(robot.mechanism).tree.links
    given = []
    for link in links:
        assert isinstance(link.joint, Revolute), f"{link.joint} is not a revolute joint"
        R = link.X_PF.R.matrix if link.X_PF.R.factors else np.eye(3)
        parts = (link.inertia.m, link.inertia.h, link.inertia.tensor, R, link.X_PF.p)
        given.append(np.concatenate([np.ravel(np.asarray(x, dtype=object)) for x in parts]))
    rows = _numbers(np.array(given), robot)  # (bodies, 25), evaluated together
    return [_body(link.parent, link.joint.axis, row) for link, row in zip(links, rows, strict=True)]


def _body(parent: int, axis: int, row: Array) -> NumericBody:
    """A body from mass, first moment, inertia at the origin, R and p."""
    mass, moment, tensor = float(row[0]), row[1:4], row[4:13].reshape(3, 3)
    centre = moment / mass if mass else moment
    shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return NumericBody(
        parent, axis, row[13:22].reshape(3, 3), row[22:25], mass, centre, tensor - shift
    )


def gravity(robot: Robot) -> Array:
    """The field [m/s²]."""
    return _numbers(robot.mechanism.gravity, robot)


def tool(robot: Robot) -> tuple[int, Array]:
    """The body of the point `tool`, and where it is in the frame of its joint."""
    point, links = robot.mechanism.points["tool"], system(robot.mechanism).tree.links
    i = next(k for k, link in enumerate(links) if link.name == point.body)
    return i, _numbers(np.asarray(links[i].X_MB.point(point.position), dtype=object), robot)


def _numbers(value: Array, robot: Robot) -> Array:
    found = np.asarray(evaluate(value, robot.values), dtype=float)
    return found.reshape(value.shape)
