"""Points, axes and rotations as entries, for one body or for two.

A rotation is a 3×3 matrix, a quaternion, or a list of turns about moving axes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.algebra.core.graph import in_array
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.fields import Fields, listed, number, numbers, vector
from torseur.language.yaml.source import Item
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import AXES, IDENTITY, Rotation, from_matrix, turn
from torseur.words.sentence import say

Array = np.ndarray
Reading = Callable[[Item, Names], Array]

_NAMED = re.compile(r"([+-]?)([xyzXYZ])")  # an axis
_PAIR = "[[0, 0, 1], [1, 0, 0]]"


def read_point(item: Item, names: Names) -> Array:
    """Three coordinates."""
    return vector(item, names, "m", "point")


def read_axis(item: Item, names: Names) -> Array:
    """`x`, `-y`, … or three components."""
    if not isinstance(item.value, str):
        return vector(item, names, alike(names), "axis")
    named = _NAMED.fullmatch(item.value.strip())
    if not named:
        advice = say(
            "Axes: x, y, z, -x, -y, -z, three components, or a pair such as {pair}.", _PAIR
        )
        raise item.fault(say("the axis {item} does not exist.", item), advice)
    sign = -ONE if named.group(1) == "-" else ONE
    k = "xyz".index(named.group(2).lower())
    return in_array([sign if j == k else ZERO for j in range(3)])


def alike(names: Names) -> Expected:
    """A dimension that several entries share, whatever it is."""
    return None if names.measures is None else names.measures.symbols.fresh()


def one_or_two(item: Item, names: Names, reading: Reading) -> tuple[Array, Array]:
    """A value in each body, or one that is equal in both."""
    if isinstance(item.value, tuple) and len(item.value) == 2 and not _lacks_third(item.value):
        return two(item, names, reading)
    one = reading(item, names)
    return one, one


def _lacks_third(parts: tuple[Item, ...]) -> bool:
    """Whether two values are components, [1, 1], and neither vectors nor axes by name."""
    texts = [x.value for x in parts]
    return all(isinstance(x, str) and not _NAMED.fullmatch(x.strip()) for x in texts)


def two(item: Item, names: Names, reading: Reading) -> tuple[Array, Array]:
    """A value in the first body and another in the second."""
    first, second = listed(item, "axes, one in each body", 2)
    return reading(first, names), reading(second, names)


TURNS = "[{z: 30 deg}, {x: 90 deg}]"
CLOSE = 1e-6  # how far a typed matrix may be from a rotation
NEAR = 1e-3  # how far a typed quaternion may be from a unit one: it is made one


def read_rotation(item: Item, names: Names) -> Rotation:
    """The orientation R_AB of the second body in the first."""
    parts = listed(item, "rotation")
    if all(isinstance(part.value, Mapping) for part in parts):
        return _turns(parts, names)
    if len(parts) == 4:
        return _attitude(item, numbers(parts, names, "1"), names)
    rows = listed(item, "rotation", 3, 4)
    matrix = np.array([vector(row, names, "1", "a row of the rotation") for row in rows])
    known = [names.value(x) for x in matrix.flat]
    if None not in known:
        _check_rotation(item, np.array(known, dtype=float).reshape(3, 3))
    return from_matrix(matrix)


def _turns(parts: tuple[Item, ...], names: Names) -> Rotation:
    """Successive turns, each about an axis of the frame turned so far."""
    R = IDENTITY
    for part in parts:
        assert isinstance(part.value, Mapping), "the caller has looked"
        for axis, angle in part.value.items():
            if axis not in AXES:
                raise unknown(str(part.keys[axis]), "axis", axis, AXES)
            R = R @ turn(axis, number(angle, names, "rad"))
    return R


def _attitude(item: Item, q: np.ndarray, names: Names) -> Rotation:
    square: Expr = q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2
    size = names.value(square.sqrt())
    if size is not None and abs(size - 1) > NEAR:
        problem = say("the quaternion (w, x, y, z) has the length {size:.6g}, not 1.", size)
        raise item.fault(
            problem, say("Divide it by its length, or give turns: rotation: {turns}", TURNS)
        )
    unit = q if square == 1 else np.array([x / square.sqrt() for x in q], dtype=object)
    return from_matrix(quaternion.matrix(unit))


def _check_rotation(item: Item, R: np.ndarray) -> None:
    error = np.abs(R @ R.T - np.eye(3)).max()
    if error > CLOSE:
        problem = say(
            "the matrix is not a rotation: its rows are not normal or unit by {error:.2g}.", error
        )
        raise item.fault(problem, say("Give more digits, or turns: rotation: {turns}", TURNS))
    if np.linalg.det(R) < 0:
        raise item.fault(
            say("the matrix is a reflection: its determinant is {det:.3g}.", np.linalg.det(R)),
            "Change the sign of one row: frames are right-handed.",
        )


def read_pose(fields: Fields, names: Names) -> Pose:
    """The entries `position` and `rotation` of a part: where its frame is, and how it is turned."""
    position = fields.vector("position", names, "m")
    return Pose(position, fields.read("rotation", IDENTITY, read_rotation, names))
