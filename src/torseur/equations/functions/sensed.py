"""Readings of sensors as expressions of a state and of its accelerations, without their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.kinematics import accelerations
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.symbols.system import System
from torseur.model.description import GROUND
from torseur.model.sensors import Encoder, Imu, Sensor
from torseur.spatial.pose import Pose

Array = np.ndarray


def reading(known: System, sensor: Sensor) -> Array:
    """The columns of a sensor of positions or motions."""
    return expressions(_READINGS[type(sensor)](known, sensor))


def has_expressions(sensor: Sensor) -> bool:
    """Whether the columns of a sensor are expressions of a state and its accelerations."""
    return type(sensor) in _READINGS


def _imu(known: System, imu: Imu) -> list[Any]:
    """Rᵀ (a − g) at the point and Rᵀ ω, R the axes of the sensor in the ground."""
    mounting = Pose(imu.point, imu.rotation)
    if imu.body == GROUND:
        return [*mounting.R.into(-known.gravity), 0, 0, 0]
    i = next(i for i, link in known.tree if link.name == imu.body)
    moving = accelerations(known.tree, known.q, known.v, known.a, known.gravity)[i]
    X = known.tree.links[i].X_MB @ mounting
    return [*X.R.into(moving.acc + moving.U @ X.p), *X.R.into(moving.w)]


def _encoder(known: System, encoder: Encoder) -> list[Any]:
    q = symbol(encoder.coordinate, "coordinate")
    return [constraints_of(known).opened(q) if known.cuts else q]


_READINGS: dict[type[Sensor], Callable[..., list[Any]]] = {Imu: _imu, Encoder: _encoder}
