"""Rotations kept as products of elementary rotations, and the matrices they make.

R_AB takes components in B to components in A, so that letters cancel: R_AC = R_AB @ R_BC. A
rotation about a coordinate axis costs four products on a vector where a full matrix costs nine,
and two successive rotations about the same axis become one rotation by the sum of the angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import Expr
from torseur.spatial.vectors import Array, cross, numeric, settled, skew, vector

AXES = {"x": 0, "y": 1, "z": 2}


@final
@dataclass(frozen=True)
class AxisTurn:
    """The elementary rotation by `angle` about the coordinate axis `axis` (0, 1, 2 for x, y, z)."""

    axis: int
    angle: Any  # [rad]

    @property
    def matrix(self) -> Array:
        """Its 3×3 matrix."""
        return elementary(self.axis, self.angle)

    def numeric(self, number: Callable[[Any], float]) -> AxisTurn:
        """Turn with a number for its angle."""
        return AxisTurn(self.axis, number(self.angle))

    @property
    def inverse(self) -> AxisTurn:
        """Inverse turn."""
        return AxisTurn(self.axis, -self.angle)

    @cached_property
    def _cosine_and_sine(self) -> tuple[Any, Any]:
        angle = self.angle
        if isinstance(angle, Expr):
            return angle.cos(), angle.sin()
        return np.cos(angle), np.sin(angle)

    def applied(self, v: Array) -> Array:
        """The turned vector T v: four products, two sums."""
        return self._turned(v, *self._cosine_and_sine)

    def undone(self, v: Array) -> Array:
        """The vector turned back, Tᵀ v."""
        c, s = self._cosine_and_sine
        return self._turned(v, c, -s)

    def _turned(self, v: Array, c: Any, s: Any) -> Array:
        j, k = (self.axis + 1) % 3, (self.axis + 2) % 3
        turned = [v[0], v[1], v[2]]
        turned[j], turned[k] = c * v[j] - s * v[k], s * v[j] + c * v[k]
        return vector(*turned)

    def applied_to_tensor(self, K: Array) -> Array:
        """The turned symmetric tensor T K Tᵀ: eight products instead of twenty-seven."""
        i, j, k = self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3
        c, s = self._cosine_and_sine
        w = s * (K[j, j] - K[k, k]) + c * (2 * K[j, k])
        turned = np.array(K, dtype=object)
        turned[j, j], turned[k, k] = K[j, j] - s * w, K[k, k] + s * w
        turned[j, k] = turned[k, j] = c * w - K[j, k]
        turned[i, j] = turned[j, i] = c * K[i, j] - s * K[i, k]
        turned[i, k] = turned[k, i] = s * K[i, j] + c * K[i, k]
        return settled(turned)


@final
@dataclass(frozen=True)
class MatrixRotation:
    """A rotation given by its matrix, in nine products."""

    matrix: Array

    def numeric(self, number: Callable[[Any], float]) -> MatrixRotation:
        """Rotation with a matrix of numbers."""
        return MatrixRotation(numeric(self.matrix, number))

    @property
    def inverse(self) -> MatrixRotation:
        """The transposed matrix."""
        return MatrixRotation(self.matrix.T)

    def applied(self, v: Array) -> Array:
        """The turned vector."""
        return np.asarray(self.matrix @ v)

    def undone(self, v: Array) -> Array:
        """The vector turned back."""
        return np.asarray(self.matrix.T @ v)

    def applied_to_tensor(self, K: Array) -> Array:
        """The turned tensor R K Rᵀ."""
        return np.asarray(self.matrix @ K @ self.matrix.T)


@final
@dataclass(frozen=True)
class Rotation:
    """A product of elementary and general rotations, applied factor by factor."""

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    factors: tuple[AxisTurn | MatrixRotation, ...] = ()

    def __matmul__(self, other: Rotation) -> Rotation:
        """R_AC = R_AB @ R_BC; equal axes that meet add their angles."""
        if self.factors and other.factors:
            last, first = self.factors[-1], other.factors[0]
            if (
                isinstance(last, AxisTurn)
                and isinstance(first, AxisTurn)
                and last.axis == first.axis
            ):
                angle = last.angle + first.angle
                middle = () if _is_zero(angle) else (AxisTurn(last.axis, angle),)
                return Rotation(self.factors[:-1] + middle + other.factors[1:])
        return Rotation(self.factors + other.factors)

    def numeric(self, number: Callable[[Any], float]) -> Rotation:
        """Rotation with numbers for its angles and matrices."""
        return Rotation(tuple(factor.numeric(number) for factor in self.factors))

    @property
    def inverse(self) -> Rotation:
        """R_BA from R_AB."""
        return Rotation(tuple(factor.inverse for factor in reversed(self.factors)))

    @property
    def matrix(self) -> Array:
        """The 3×3 matrix."""
        product = np.eye(3)
        for factor in self.factors:
            product = product @ factor.matrix
        return product

    def out(self, v: Array) -> Array:
        """R_AB v: components in B to components in A."""
        for factor in reversed(self.factors):
            v = factor.applied(v)
        return v

    def tensor_out(self, K: Array) -> Array:
        """R_AB K R_ABᵀ: a symmetric tensor from B to A."""
        for factor in reversed(self.factors):
            K = factor.applied_to_tensor(K)
        return K

    def into(self, v: Array) -> Array:
        """R_ABᵀ v: components in A to components in B."""
        for factor in self.factors:
            v = factor.undone(v)
        return v


IDENTITY = Rotation()


def turn(axis: int | str, angle: Any) -> Rotation:
    """The rotation by `angle` about a coordinate axis."""
    index = AXES[axis] if isinstance(axis, str) else axis
    return IDENTITY if _is_zero(angle) else Rotation((AxisTurn(index, angle),))


def _is_zero(angle: Any) -> bool:
    return not angle if isinstance(angle, Expr) else angle == 0


def from_matrix(R: Array) -> Rotation:
    """The rotation of a 3×3 matrix."""
    identity = all(R[i, j] == int(i == j) for i in range(3) for j in range(3))
    return IDENTITY if identity else Rotation((MatrixRotation(R),))


def elementary(axis: int, angle: Any) -> Array:
    """The matrix of the rotation by `angle` about the axis x, y or z (0, 1, 2)."""
    return elementary_by(axis, np.cos(angle), np.sin(angle))


def elementary_by(axis: int, c: Any, s: Any) -> Array:
    """Elementary rotation matrix from the cosine and the sine of the angle."""
    zero, one = 0 * c, 0 * c + 1
    rows = [[one if i == j else zero for j in range(3)] for i in range(3)]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    rows[j][j], rows[j][k], rows[k][j], rows[k][k] = c, -s, s, c
    return np.array(rows)


def rodrigues(axis: Array, angle: Any) -> Array:
    """1 + sin θ ũ + (1 − cos θ) ũ²: the rotation by θ about the unit vector u."""
    u = skew(np.asarray(axis))
    return np.asarray(np.eye(3) + np.sin(angle) * u + (1 - np.cos(angle)) * (u @ u))


def smallest(a: Array, b: Array) -> Array:
    """The smallest rotation that brings the unit vector a onto the unit vector b.

    Undefined for b = −a, where every axis normal to a is as good as another.
    """
    v = skew(cross(a, b))
    return np.asarray(np.eye(3) + v + (v @ v) / (1 + a @ b))
