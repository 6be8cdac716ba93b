"""What every joint answers.

A joint links a frame F of its first body to a frame M of its second. Motions are (ω; v), six
components in the axes of M at the origin of M, relative to F. Wrenches are (couple; force), six
components in the same axes at the same point, so that the power is their scalar product.
"""

from typing import Any, ClassVar, Protocol

import numpy as np

from torseur.spatial.pose import Pose

Array = np.ndarray


class JointType(Protocol):
    """A joint type: coordinates, pose, free motions S, reactions T, names."""

    nq: ClassVar[int]  # coordinates
    nv: ClassVar[int]  # speeds: the degrees of freedom
    names: ClassVar[tuple[str, ...]]  # English first, then French
    coordinate_units: ClassVar[tuple[str, ...]]  # "rad", "m" or "1" for each coordinate
    speed_units: ClassVar[tuple[str, ...]]

    def transform(self, q: Array) -> Pose:
        """X_FM at the coordinates q."""

    def motion_subspace(self, q: Array) -> Array:
        """S (6 × nv): the relative motion is S v."""

    def bias(self, q: Array, v: Array) -> Array:
        """Ṡ v (6), the derivative being taken in the axes of M."""

    def reaction_subspace(self, q: Array) -> Array:
        """T (6 × (6 − nv)): the wrenches carried without working; Tᵀ S = 0."""

    def rates(self, q: Array, v: Array) -> Array:
        """q̇ (nq) from the speeds."""

    def speeds(self, q: Array, rates: Array) -> Array:
        """v (nv) from the rates of the coordinates."""

    def read(self, R: Array, p: Array) -> Array:
        """The coordinates of a relative pose that the joint allows, or the nearest such."""

    def neutral(self) -> Array:
        """The coordinates at which F and M coincide."""


def unit(axis: int) -> Array:
    """The coordinate vector x, y or z."""
    return np.eye(3)[axis]


def turn_angle(R: Array, axis: int) -> Any:
    """The angle of a rotation about a coordinate axis, from its matrix."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    return np.arctan2(R[k, j] - R[j, k], R[j, j] + R[k, k])


def columns(*vectors: Any) -> Array:
    """A 6 × n matrix from n pairs (angular, linear) or (couple, force)."""
    return np.array([[*angular, *linear] for angular, linear in vectors]).T.reshape(6, len(vectors))


NOTHING = np.zeros(3)
