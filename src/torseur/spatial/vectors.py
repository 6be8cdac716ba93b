"""Three-vectors and 3×3 matrices of any scalar: floats or expressions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr

Array = np.ndarray


def vector(x: Any, y: Any, z: Any) -> Array:
    """The array of three scalars; NumPy takes long to find out what expressions are."""
    if type(x) is Expr or type(y) is Expr or type(z) is Expr:
        result = np.empty(3, dtype=object)
        result[0], result[1], result[2] = x, y, z
        return result
    return np.array([x, y, z])


def cross(a: Array, b: Array) -> Array:
    """a × b."""
    return vector(
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def skew(a: Array) -> Array:
    """ã, the matrix of the cross product: ã b = a × b."""
    zero = 0 * a[0]
    return np.array([[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]])


def axial(A: Array) -> Array:
    """The vector of the antisymmetric part: axial(ã) = 2 a, so axial(u vᵀ) = v × u."""
    return np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])


def axial_vector(A: Array) -> Array:
    """The vector a of the antisymmetric part ã of a tensor, or of every one of (…, 3, 3)."""
    return np.moveaxis(axial(np.moveaxis(np.asarray(A), (-2, -1), (0, 1))), 0, -1) / 2


def settled(values: Any) -> Array:
    """The array with dtype float when every entry is a number, object otherwise."""
    array = np.asarray(values)
    if array.dtype == object and not is_symbolic(array):
        return array.astype(float)
    return array


def numeric(values: Any, number: Callable[[Any], float]) -> Array:
    """The array of floats that a function of the entries gives."""
    values_array = np.asarray(values)
    if values_array.dtype != object:
        return values_array.astype(float)
    return np.array([number(x) for x in values_array.ravel()], dtype=float).reshape(
        values_array.shape
    )


def is_symbolic(values: Any) -> bool:
    """Whether an array holds expressions."""
    array = np.asarray(values)
    return array.dtype == object and any(isinstance(x, Expr) for x in array.ravel())
