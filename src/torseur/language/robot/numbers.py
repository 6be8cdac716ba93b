"""Numbers, vectors and turns as files of robots write them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from torseur.language.robot.parts import IDENTITY, Array, Numbers, Placement
from torseur.language.robot.xml_tree import Element
from torseur.language.yaml.coordinates import identifier
from torseur.model.checks.limits import LARGEST
from torseur.spatial import quaternion
from torseur.spatial.inertia import components_of, tensor_of
from torseur.words.sentence import say

_WHOLE = 1e15  # below this, whole numbers are written without a point
_SMALLEST = 1 / LARGEST  # below this, a number is zero


def number(element: Element, key: str, text: str) -> float:
    """A number; its shortest decimals are those that were written, so that 0.1 is one tenth."""
    try:
        value = float(text)
    except ValueError:
        problem = say('{key} of <{tag}> is "{text}", not a number.', key, element.tag, text[:40])
        raise element.fault(problem, *_expanded(text)) from None
    size = abs(value)
    if _SMALLEST <= size < _WHOLE:
        return int(value) if value.is_integer() else value
    if size < _SMALLEST:
        return 0
    if not size <= LARGEST:
        raise element.fault(
            say("{key} of <{tag}> is {text}, not a finite number.", key, element.tag, text[:40])
        )
    return value


def _expanded(text: str) -> tuple[str, ...]:
    """That macros of xacro are expanded first."""
    if "${" not in text:
        return ()
    return (
        "This is a macro of xacro: call the file .xacro, or expand it: xacro FILE > robot.urdf",
    )


def attribute(element: Element | None, key: str, otherwise: str = "0") -> float:
    """The number of an attribute."""
    if element is None:
        return float(otherwise)
    return number(element, key, element.get(key) or otherwise)


def several(element: Element, key: str, text: str, count: int) -> Numbers:
    """As many numbers, separated by blanks."""
    parts = text.split()
    if len(parts) != count:
        raise element.fault(
            say(
                '{key} of <{tag}> has {found} numbers, not {count}: "{text}".',
                key,
                element.tag,
                len(parts),
                count,
                text[:60],
            )
        )
    return tuple(number(element, key, part) for part in parts)


def placed(position: Numbers, rpy: Numbers) -> Placement:
    """A position, and turns about the fixed axes x, y, z: about z, the new y, the new x."""
    turns = [
        {axis: angle}
        for axis, angle in zip("zyx", reversed(rpy), strict=True)
        if abs(angle) > 1e-15
    ]
    return Placement(position, turns, rpy_matrix(rpy)) if turns else Placement(position)


def by_matrix(position: Any, R: Array) -> Placement:
    """A position and a rotation in floats; what rounding left of zeros is removed."""
    p = tuple(float(x) for x in position)
    R = np.where(np.abs(R) < 1e-15, 0.0, R)
    return Placement(p) if np.array_equal(R, np.eye(3)) else Placement(p, R.tolist(), R)


def free_start(name: str, X: Placement) -> dict[str, float]:
    """The coordinates of a free joint at a pose."""
    attitude = zip(("qw", "qx", "qy", "qz"), quaternion.from_matrix(X.R), strict=True)
    values = {**dict(zip("xyz", X.p, strict=True)), **dict(attitude)}
    return {f"{identifier(name)}_{key}": float(value) for key, value in values.items()}


def rpy_matrix(angles: Iterable[float]) -> Array:
    """R_z(yaw) R_y(pitch) R_x(roll); sines and cosines of quarter turns are exact."""
    (cr, sr), (cp, sp), (cy, sy) = (_exact(angle) for angle in angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _exact(angle: float) -> tuple[float, float]:
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
