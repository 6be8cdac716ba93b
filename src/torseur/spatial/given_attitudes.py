"""Attitudes that are given from outside: sequences, axes, matrices and quaternions, checked.

Expressions pass as they are: whether cos² + sin² is 1 is not asked of symbols.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.spatial.rotation import AXES
from torseur.spatial.rotation import elementary as about_coordinate_axis
from torseur.spatial.rotation import rodrigues as about_unit_vector
from torseur.spatial.vectors import Array, is_symbolic
from torseur.words.sentence import say

_CLOSE = 1e-6  # a matrix typed with seven decimals is a rotation


def sequence_axes(sequence: str, *, count: int | None = None) -> list[int]:
    """The numbers of the axes of a sequence, about which turns follow each other."""
    wrong = [axis for axis in sequence if axis not in AXES]
    if wrong or (count is not None and len(sequence) != count):
        raise ModelError(
            "Euler angles",
            say('"{sequence}" is no sequence of axes.', sequence),
            'Three letters x, y, z, each axis after the turns before it: "zxz", "xyz".',
        )
    axes = [AXES[axis] for axis in sequence]
    if count is not None and any(a == b for a, b in pairwise(axes)):
        raise ModelError(
            "Euler angles",
            say('"{sequence}" turns twice in a row about the same axis.', sequence),
            'Three letters x, y, z, each axis after the turns before it: "zxz", "xyz".',
        )
    return axes


def unit_vector(axis: Any, place: str) -> Array:
    """The direction of a vector of numbers; expressions are taken to have the length 1."""
    u = np.asarray(axis)
    if is_symbolic(u):
        return u
    size = float(np.linalg.norm(u.astype(float)))
    if not size > 0:
        raise ModelError(
            place, say("the axis {axis} has no direction.", u.tolist()), "For instance [0, 0, 1]."
        )
    return u / size


def elementary(axis: int | str, angle: Any) -> Array:
    """The matrix of the rotation by `angle` about the axis x, y or z, or 0, 1 or 2."""
    number = AXES.get(axis, -1) if isinstance(axis, str) else axis
    if number not in AXES.values():
        raise ModelError("elementary", say("{axis} is no axis.", axis), 'Axes: "x", "y", "z".')
    return about_coordinate_axis(number, angle)


def rodrigues(axis: Array, angle: Any) -> Array:
    """1 + sin θ ũ + (1 − cos θ) ũ²: the rotation by θ about the direction u of an axis."""
    return about_unit_vector(unit_vector(axis, "rodrigues"), angle)


def rotation_matrix(R: Any, place: str) -> Array:
    """A matrix of numbers that turns, or many of them (3, 3, N)."""
    given = np.asarray(R)
    if is_symbolic(given):
        return given
    if given.shape[:2] != (3, 3):
        raise _no_rotation(place, say("its shape is {shape}, not (3, 3).", given.shape))
    off = np.einsum("ji...,jk...->ik...", given, given)
    off = np.abs(np.moveaxis(off, (0, 1), (-2, -1)) - np.eye(3)).max()
    if not off <= _CLOSE:
        raise _no_rotation(place, say("its columns miss an orthonormal basis by {off:.2g}.", off))
    if (np.linalg.det(np.moveaxis(given, (0, 1), (-2, -1))) < 0).any():
        raise _no_rotation(place, say("its determinant is -1: it mirrors."))
    return given


def unit_quaternion(a: Any, place: str) -> Array:
    """A quaternion of numbers over its length, or many of them (4, N)."""
    given = np.asarray(a)
    if is_symbolic(given):
        return given
    sizes = np.sqrt((given.astype(float) ** 2).sum(axis=0)) if given.shape[:1] == (4,) else 0.0
    if not np.all(sizes > 0):
        raise ModelError(
            place,
            say("{given} is no quaternion (w, x, y, z).", given.tolist()),
            "For instance [1, 0, 0, 0].",
        )
    return np.asarray(given / sizes)


def _no_rotation(place: str, reason: str) -> ModelError:
    return ModelError(
        place, say("the matrix is no rotation: {reason}", reason), "Give R with RᵀR = 1, det R = 1."
    )
