"""Euler angles: precession, nutation, spin (z-x-z) and any other sequence of three axes."""

from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError, SolveError
from torseur.spatial.given_attitudes import angle_of, rotation_matrix, sequence_axes
from torseur.spatial.rotation import IDENTITY, Rotation, turn
from torseur.spatial.vectors import Array, is_symbolic
from torseur.words.sentence import say


def rotation(sequence: str, angles: Any) -> Rotation:
    """The product of the elementary rotations about the successive (moving) axes of `sequence`."""
    R, axes = IDENTITY, sequence_axes(sequence)
    angles = [angles] if np.ndim(angles) == 0 else angles
    if len(axes) != len(angles):
        raise ModelError(
            "Euler angles",
            say('"{sequence}" has {count} angles, not {given}.', sequence, len(axes), len(angles)),
        )
    for axis, angle in zip(axes, angles, strict=True):
        R = R @ turn(axis, angle_of(angle, "Euler angles"))
    return R


def matrix(sequence: str, angles: Any) -> Array:
    """The 3×3 matrix of a sequence; "zxz" gives precession ψ, nutation θ, spin φ (S4, (1.40)).

    Angles [rad] may be names, such as "theta": the matrix then holds expressions.
    """
    return _exact(rotation(sequence, angles).matrix)


def body_rates(sequence: str, angles: Any) -> Array:
    """E with ω = E (angle rates), ω in body axes; singular at θ = 0, π for z-x-z."""
    axes = enumerate(np.eye(3)[sequence_axes(sequence)])
    turned = [rotation(sequence[k + 1 :], angles[k + 1 :]).into(e) for k, e in axes]
    return _exact(np.array(turned).T)


def ground_rates(sequence: str, angles: Any) -> Array:
    """E with ω = E (angle rates), ω in fixed axes."""
    axes = enumerate(np.eye(3)[sequence_axes(sequence)])
    return _exact(np.array([rotation(sequence[:k], angles[:k]).out(e) for k, e in axes]).T)


def _exact(angles: Array) -> Array:
    """Numbers beside expressions as expressions: 1, not 1.0."""
    return expressions(angles) if is_symbolic(angles) else angles


def angles(sequence: str, R: Array, *, tolerance: float = 1e-9) -> Array:
    """The angles of a rotation matrix (floats), the second one in [0, π] or [−π/2, π/2].

    At the singular positions (sin θ = 0 for z-x-z, cos θ = 0 for x-y-z) only the sum or the
    difference of the outer angles exists: this is refused by name.
    """
    i, j, k = sequence_axes(sequence, count=3)
    R = rotation_matrix(R, f"Euler angles {sequence}")
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        third = 3 - i - j
        second = np.arctan2(np.hypot(R[i, j], R[i, third]), R[i, i])
        if np.sin(second) < tolerance:
            raise _singular(sequence, second)
        first = np.arctan2(R[j, i], -sign * R[third, i])
        last = np.arctan2(R[i, j], sign * R[i, third])
    else:
        second = np.arctan2(sign * R[i, k], np.hypot(R[i, i], R[i, j]))
        if np.cos(second) < tolerance:
            raise _singular(sequence, second)
        first = np.arctan2(-sign * R[j, k], R[k, k])
        last = np.arctan2(-sign * R[i, j], R[i, i])
    return np.array([first, second, last])


def _singular(sequence: str, second: float) -> SolveError:
    problem = say(
        "the second angle is {second:.12g} rad: the first and the third turn about one axis.",
        second,
    )
    advice = "Only their sum or difference is defined there. Use a quaternion, or another sequence."
    return SolveError(f"Euler angles {sequence}", problem, advice)
