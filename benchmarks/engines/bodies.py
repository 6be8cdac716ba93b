"""A robot as numbers, for engines that take bodies and joints one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from benchmarks.robots import Robot
from torseur.algebra.graph import evaluate
from torseur.formalisms.system import system
from torseur.joints.revolute import Revolute

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
    made = []
    for _, link in system(robot.mechanism).tree:
        assert isinstance(link.joint, Revolute), f"{link.joint} is not a revolute joint"
        mass = float(_numbers(link.inertia.m, robot))
        moment = _numbers(link.inertia.h, robot)
        centre = moment / mass if mass else moment
        shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        tensor = _numbers(link.inertia.tensor, robot) - shift
        R = _numbers(link.X_PF.R.matrix, robot) if link.X_PF.R.factors else np.eye(3)
        p = _numbers(link.X_PF.p, robot)
        made.append(NumericBody(link.parent, link.joint.axis, R, p, mass, centre, tensor))
    return made


def gravity(robot: Robot) -> Array:
    """The field [m/s²]."""
    return _numbers(robot.mechanism.gravity, robot)


def _numbers(value: object, robot: Robot) -> Array:
    return np.asarray(evaluate(value, robot.values), dtype=float)
