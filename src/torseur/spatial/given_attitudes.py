"""Attitudes that are given from outside: sequences, axes, matrices and quaternions, checked.

Expressions pass as they are: whether cos² + sin² is 1 is not asked of symbols. A name, or an
expression of SymPy, makes one.
"""

import re
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, symbol
from torseur.errors import ModelError
from torseur.spatial.rotation import AXES
from torseur.spatial.rotation import elementary as about_coordinate_axis
from torseur.spatial.rotation import rodrigues as about_unit_vector
from torseur.spatial.vectors import Array, is_symbolic
from torseur.spatial.vectors import axial_vector as vector_of_tensor
from torseur.spatial.vectors import skew as tensor_of_vector
from torseur.words.sentence import say

_NAME = re.compile(r"[^\W\d]\w*(\.{0,2})")
_KINDS = ("coordinate", "speed", "acceleration")  # by the dots of a name
_CLOSE = 1e-6  # a matrix typed with seven decimals is a rotation


def sequence_axes(sequence: str, *, count: int | None = None) -> list[int]:
    """The numbers of the axes of a sequence, about which turns follow each other."""
    advice = 'Three letters x, y, z, each axis after the turns before it: "zxz", "xyz".'
    wrong = [axis for axis in sequence if axis not in AXES]
    if wrong or (count is not None and len(sequence) != count):
        problem = say('"{sequence}" is no sequence of axes.', sequence)
        raise ModelError("Euler angles", problem, advice)
    axes = [AXES[axis] for axis in sequence]
    if count is not None and any(a == b for a, b in pairwise(axes)):
        problem = say('"{sequence}" turns twice in a row about the same axis.', sequence)
        raise ModelError("Euler angles", problem, advice)
    return axes


def angle_of(given: Any, place: str) -> Any:
    """An angle [rad]: a number, an expression, or a text that names it."""
    if isinstance(given, str) and not given.isidentifier():
        problem = say('"{given}" is no name of an angle.', given)
        raise ModelError(place, problem, 'For instance "theta"; numbers are in radians.')
    angle = scalar_of(given)
    if angle is not None:
        return angle
    problem = say("the angle {given} is no number ({kind}).", given, type(given).__name__)
    raise ModelError(place, problem, 'Give it in radians, or by a name such as "theta".')


def scalar_of(given: Any) -> Any:
    """A number or an expression; of a name such as theta or theta., or of SymPy; else None."""
    if isinstance(given, str):
        named = _NAME.fullmatch(given)
        return None if named is None else symbol(given, _KINDS[len(named[1])])
    if isinstance(given, Expr | Real | np.ndarray):
        return given
    if not hasattr(given, "free_symbols"):
        return None
    from torseur.algebra.exchange import from_sympy

    return from_sympy(given, {x: symbol(x.name, "coordinate") for x in given.free_symbols})


def components(given: Any, count: int, place: str) -> Array:
    """Numbers or expressions, as many as there must be, or columns of them (count, N)."""
    values = np.asarray(given)
    if values.shape[:1] != (count,):
        problem = say("{count} components are needed, not the shape {shape}.", count, values.shape)
        raise ModelError(place, problem)
    return values


def unit_vector(axis: Any, place: str) -> Array:
    """The direction of a vector of numbers; expressions are taken to have the length 1."""
    u = components(axis, 3, place)
    if is_symbolic(u):
        return u
    largest = float(np.abs(u.astype(float)).max())  # before squares, which may not be numbers
    if not 0 < largest < np.inf:
        raise ModelError(
            place, say("the axis {axis} has no direction.", u.tolist()), "For instance [0, 0, 1]."
        )
    return np.asarray(u / largest / np.linalg.norm(u / largest))


def skew(a: Array) -> Array:
    """ã, the tensor of the cross product: ã b = a × b."""
    return tensor_of_vector(components(a, 3, "skew"))


def axial_vector(A: Array) -> Array:
    """The vector a of the antisymmetric part ã of a tensor, or of every one of (…, 3, 3)."""
    given = np.asarray(A)
    if given.shape[-2:] != (3, 3):
        problem = say("the tensor has the shape {shape}, not (3, 3).", given.shape)
        raise ModelError("axial_vector", problem)
    return vector_of_tensor(given)


def elementary(axis: int | str, angle: Any) -> Array:
    """The matrix of the rotation by `angle` about the axis x, y or z, or 0, 1 or 2."""
    number = AXES.get(axis, -1) if isinstance(axis, str) else axis
    if number not in AXES.values():
        raise ModelError("elementary", say("{axis} is no axis.", axis), 'Axes: "x", "y", "z".')
    return about_coordinate_axis(number, angle_of(angle, "elementary"))


def rodrigues(axis: Array, angle: Any) -> Array:
    """1 + sin θ ũ + (1 − cos θ) ũ²: the rotation by θ about the direction u of an axis."""
    return about_unit_vector(unit_vector(axis, "rodrigues"), angle_of(angle, "rodrigues"))


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
        problem = say("{given} is no quaternion (w, x, y, z).", given.tolist())
        raise ModelError(place, problem, "For instance [1, 0, 0, 0].")
    return np.asarray(given / sizes)


def _no_rotation(place: str, reason: str) -> ModelError:
    return ModelError(
        place, say("the matrix is no rotation: {reason}", reason), "Give R with RᵀR = 1, det R = 1."
    )
