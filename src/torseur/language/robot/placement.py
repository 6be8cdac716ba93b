"""Positions and rotations as files of robots give them, and tensors in turned axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np

from torseur.language.yaml.coordinate_entries import identifier
from torseur.spatial import quaternion
from torseur.spatial.inertia import components_of, tensor_of

Array = np.ndarray
Numbers = tuple[float, ...]
NOWHERE: Numbers = (0, 0, 0)
IDENTITY = np.eye(3)
IDENTITY.setflags(write=False)
_ATTITUDE = ("qw", "qx", "qy", "qz")
_ZERO = 1e-15  # an angle or an entry of a matrix below this is rounding


@final
@dataclass(frozen=True)
class Placement:
    """Pose of a frame B in a frame A: a position, and a rotation as the YAML form writes it."""

    position: Numbers = NOWHERE  # p_AB [m]
    rotation: Any = None  # turns, a quaternion or a matrix; None: none
    R: Array = field(default_factory=lambda: IDENTITY)  # the rotation in floats

    @property
    def p(self) -> Array:
        """The position in floats."""
        return np.array(self.position, dtype=float)

    @property
    def entries(self) -> dict[str, Any]:
        """The entries of the YAML form."""
        position = {"position": list(self.position)} if any(self.position) else {}
        return position | ({} if self.rotation is None else {"rotation": self.rotation})


def by_angles(position: Numbers, rpy: Numbers) -> Placement:
    """A position, and turns about the fixed axes x, y, z: about z, the new y, the new x."""
    if rpy is NOWHERE or rpy == NOWHERE:
        return Placement(position)
    roll, pitch, yaw = rpy
    angles = (("z", yaw), ("y", pitch), ("x", roll))
    turns = [{axis: angle} for axis, angle in angles if abs(angle) > _ZERO]
    return Placement(position, turns, _shared_matrix(rpy)) if turns else Placement(position)


def by_matrix(position: Any, R: Array) -> Placement:
    """A position and a rotation in floats, without the rounding of zeros."""
    p = tuple(float(x) for x in position)
    R = np.where(np.abs(R) < _ZERO, 0.0, R)
    return Placement(p) if np.array_equal(R, np.eye(3)) else Placement(p, R.tolist(), R)


def by_quaternion(position: Any, q: Any) -> Placement:
    """A position and a unit quaternion (w, x, y, z)."""
    return by_matrix(position, quaternion.matrix(q))


def free_start(name: str, X: Placement) -> dict[str, float]:
    """The coordinates of a free joint at a pose."""
    attitude = zip(_ATTITUDE, quaternion.from_matrix(X.R), strict=True)
    values = {**dict(zip("xyz", X.p, strict=True)), **dict(attitude)}
    return {f"{identifier(name)}_{key}": float(value) for key, value in values.items()}


def start_of(name: str, initial: Mapping[str, float]) -> Placement:
    """The pose at which a free joint starts."""
    at = f"{identifier(name)}_"
    if f"{at}qw" not in initial:
        return Placement()
    p, q = ([float(initial[at + x]) for x in names] for names in (("x", "y", "z"), _ATTITUDE))
    return by_quaternion(p, np.array(q))


@lru_cache(maxsize=64)  # parts of a robot are turned alike
def _shared_matrix(angles: Numbers) -> Array:
    """The matrix of `rpy_matrix`, read-only."""
    R = rpy_matrix(angles)
    R.setflags(write=False)
    return R


def rpy_matrix(angles: Iterable[float]) -> Array:
    """R_z(yaw) R_y(pitch) R_x(roll); sines and cosines of quarter turns are exact."""
    (cr, sr), (cp, sp), (cy, sy) = (_cosine_and_sine(angle) for angle in angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _cosine_and_sine(angle: float) -> tuple[float, float]:
    quarters = round(angle * 2 / math.pi)
    if abs(angle - quarters * math.pi / 2) < 1e-12:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
    return math.cos(angle), math.sin(angle)


def turned_inertia(six: Numbers, R: Array) -> Numbers:
    """The components xx, yy, zz, xy, xz, yz of a tensor in the axes that see its axes as R."""
    if R is IDENTITY or np.array_equal(R, IDENTITY):
        return six
    K = R @ tensor_of(six) @ R.T
    K[np.abs(K) < 1e-16 * np.abs(K).max()] = 0.0
    return components_of(K)
