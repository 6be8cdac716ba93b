"""The frames F and M of a joint from its axes in the two bodies.

The axis of a joint is a coordinate axis of both frames. At zero coordinates F and M coincide, so
that R_AB = R_AF R_BMᵀ; without a given R_AB it is the smallest rotation that makes the axes agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, in_array
from torseur.errors import ModelError
from torseur.spatial.rotation import IDENTITY, Rotation, elementary_by, from_matrix, smallest, turn
from torseur.spatial.triples import dot
from torseur.spatial.vectors import Array, cross
from torseur.words.sentence import say

Values = Callable[[Any], float | None]  # value of an expression of the parameters
ROUNDING = 1e-15  # of the square of a unit vector that is written with all digits of a float
NOTHING = 1e-12  # a direction whose components are below this is none
CLOSE = 1e-6  # tolerance of typed directions

_ROTATION = "Give the orientation of the second body: rotation: [{x: 90 deg}], for instance."


@final
@dataclass(frozen=True)
class Frames:
    """The coordinate axes a joint uses (0, 1, 2), and the rotations of F and M in their bodies."""

    axes: tuple[int, ...]
    R_AF: Rotation
    R_BM: Rotation


def without_axis(R_AB: Rotation | None) -> Frames:
    """The frames of a joint that has no direction of its own."""
    return Frames((), IDENTITY, IDENTITY if R_AB is None else R_AB.inverse)


def about_axis(a: Array, b: Array, R_AB: Rotation | None, value: Values, place: str) -> Frames:
    """The frames of a joint whose axis is `a` in its first body and `b` in its second."""
    b = unit_vector(b, value, place)
    if R_AB is not None and _along(b) and not _along(a):  # M is then the frame of the body, exactly
        _check_kept(_unit_numbers(a, value, place), b, R_AB, value, place)
        return agreeing_frames(a, b, R_AB)
    a = unit_vector(a, value, place)
    if R_AB is not None:
        _check_kept([value(x) for x in a], b, R_AB, value, place)
        return agreeing_frames(a, b, R_AB)
    if all(x is y for x, y in zip(a, b, strict=True)):
        return agreeing_frames(a, b, None)
    _check_not_opposite(a, b, value, place)
    for k in range(3):
        if b[k] is ONE:
            return Frames((k,), _from_coordinate_axis(k, a), IDENTITY)
        if a[k] is ONE:
            return Frames((k,), IDENTITY, _from_coordinate_axis(k, b))
    axis, R_AF = _onto(a)
    return Frames((axis,), R_AF, _rotation_of(smallest(a, b)) @ R_AF)


def agreeing_frames(a: Array, b: Array, R_AB: Rotation | None) -> Frames:
    """The frames of an axis whose unit vectors in both bodies agree with their rotation."""
    if R_AB is None:
        axis, R = _onto(b)
        return Frames((axis,), R, R)
    if _along(b) and not _along(a):
        axis, R_BM = _onto(b)
        return Frames((axis,), R_AB @ R_BM, R_BM)
    axis, R_AF = _onto(a)
    return Frames((axis,), R_AF, R_AB.inverse @ R_AF)


def about_two_axes(a: Array, b: Array, R_AB: Rotation | None, value: Values, place: str) -> Frames:
    """The frames of a cardan: the first arm is `a` in A, the second is `b` in B, at right angles.

    Without R_AB the second body is turned as little as possible to make the arms normal.
    """
    a, b = unit_vector(a, value, place), unit_vector(b, value, place)
    b_A = b if R_AB is None else R_AB.out(b)
    along = dot(a, b_A)
    cosine = value(along)
    if cosine is None or abs(cosine) > 1e-12:
        if R_AB is not None and cosine is not None and abs(cosine) > CLOSE:
            problem = say(
                "the axes are not normal after the rotation: their cosine is {cosine:.4g}.", cosine
            )
            raise ModelError(place, problem, "Correct the axes or the rotation.")
        if cosine is not None and abs(cosine) > 1 - CLOSE:
            problem = say(
                "the axes [{shown}] and [{shown2}] are parallel, not at right angles.",
                _components(a),
                _components(b),
            )
            raise ModelError(place, problem, _ROTATION)
        b_A = unit_vector(b_A - along * a, value, place)
        R_AB = _rotation_of(smallest(b, b_A)) if R_AB is None else R_AB
    R_AB = R_AB or IDENTITY
    if R_AB is IDENTITY:
        for i in range(3):
            for j in range(3):
                if a[i] is ONE and b[j] is ONE:
                    return Frames((i, j), IDENTITY, IDENTITY)
    R_AF = _rotation_of(np.array([a, b_A, cross(a, b_A)]).T)
    return Frames((0, 1), R_AF, R_AB.inverse @ R_AF)


# --- directions ---------------------------------------------------------------------------------


def unit_vector(a: Array, value: Values, place: str) -> Array:
    """The unit vector of a direction; exactly ±1 along a coordinate axis."""
    sizes = [value(x) for x in a]
    if all(size is not None and abs(size) < NOTHING for size in sizes):
        raise ModelError(
            place,
            say("the axis [{shown}] is zero.", _components(a)),
            "Give a direction, such as z.",
        )
    parts = [k for k in range(3) if a[k] is not ZERO]
    if len(parts) == 1 and a[parts[0]].op == "number":
        sign = 1 if a[parts[0]].value[1] > 0 else -1
        return in_array([expression(sign) if k in parts else ZERO for k in range(3)])
    square = _square(a)
    if square.op == "number" and abs(square.value[1] - 1) < ROUNDING:
        return a
    root = square.sqrt()
    return in_array([x / root for x in a])


def _square(a: Array) -> Expr:
    """The square of a vector; numbers need no graph."""
    if all(x.op == "number" for x in a):
        return expression(sum(x.value[1] * x.value[1] for x in a))
    return expression(dot(a, a))


def _unit_numbers(a: Array, value: Values, place: str) -> list[float | None]:
    """The unit vector of a direction in numbers, as far as parameters have values."""
    sizes = [value(x) for x in a]
    length = None if None in sizes else math.hypot(*(size or 0.0 for size in sizes))
    if length is None or length < NOTHING:
        return [value(x) for x in unit_vector(a, value, place)]
    return [(size or 0.0) / length for size in sizes]


def _components(a: Array) -> str:
    return ", ".join(map(str, a))


def _rotation_of(matrix: Array) -> Rotation:
    return from_matrix(expressions(matrix))


def _along(a: Array) -> bool:
    """Whether a direction is a coordinate axis, or its opposite."""
    return sum(x is not ZERO for x in a) == 1


def _onto(a: Array) -> tuple[int, Rotation]:
    """A coordinate axis k and a rotation R with R e_k = a."""
    for k in range(3):
        if a[k] is ONE:
            return k, IDENTITY
        if a[k] == -1:
            return k, _half_turn((k + 1) % 3)
    for zero in range(3):
        if a[zero] is ZERO:
            return (zero + 1) % 3, _from_coordinate_axis((zero + 1) % 3, a)
    if split(a[2])[0] < 0:  # −e_z is closer to a: start from there
        return 2, _from_coordinate_axis(2, -a) @ _half_turn(0)
    return 2, _from_coordinate_axis(2, a)


def _half_turn(axis: int) -> Rotation:
    return _rotation_of(np.diag([1 if k == axis else -1 for k in range(3)]))


def _from_coordinate_axis(k: int, a: Array) -> Rotation:
    """The smallest rotation that brings e_k onto the unit vector a."""
    for zero, other, sign in (((k + 1) % 3, (k + 2) % 3, -1), ((k + 2) % 3, (k + 1) % 3, 1)):
        if a[zero] is ZERO:  # a turn about a coordinate axis: cosine a_k, sine ± a_other
            return _plane_turn(zero, a[k], sign * a[other])
    e = np.array([ONE if j == k else ZERO for j in range(3)], dtype=object)
    return _rotation_of(smallest(e, a))


def _plane_turn(axis: int, cosine: Expr, sine: Expr) -> Rotation:
    """The rotation about a coordinate axis by its cosine and sine, by its angle where it shows."""
    if cosine.op == "cos" and sine.op == "sin" and cosine.args == sine.args:
        return turn(axis, cosine.args[0])
    return _rotation_of(elementary_by(axis, cosine, sine))


# --- checks -------------------------------------------------------------------------------------


def _check_kept(
    expected: Sequence[float | None], b: Array, R_AB: Rotation, value: Values, place: str
) -> None:
    """The rotation brings the axis of the second body onto that of the first, given in numbers."""
    turned = _rotated_axis(R_AB, b, value)
    pairs = [
        (x, y) for x, y in zip(turned, expected, strict=True) if x is not None and y is not None
    ]
    if all(abs(x - y) <= CLOSE for x, y in pairs):
        return
    exact = (value(x) for x in R_AB.out(b))  # 0 where numbers leave rounding
    text = ", ".join(f"{x + 0.0:.4g}" for x in exact if x is not None)
    raise ModelError(
        place,
        say(
            "the rotation brings the axis of the second body onto [{shown}], which is not the axis "
            "in the first.",
            text,
        ),
        "Give the axis in both bodies: axis: [in the first, in the second].",
    )


def _rotated_axis(R_AB: Rotation, b: Array, value: Values) -> list[float | None]:
    """R_AB b in numbers, by expressions only where a parameter has no value."""
    unknown: list[Any] = []

    def number(x: Any) -> float:
        known = value(x)
        unknown.extend([x] if known is None else [])
        return known or 0.0

    turned = R_AB.numeric(number).out(np.array([number(x) for x in b]))
    return [value(x) for x in R_AB.out(b)] if unknown else turned.tolist()


def _check_not_opposite(a: Array, b: Array, value: Values, place: str) -> None:
    cosine = value(dot(a, b))
    if cosine is not None and cosine < -1 + CLOSE:
        problem = say(
            "the axes [{shown}] and [{shown2}] are opposite: many rotations fit.",
            _components(a),
            _components(b),
        )
        raise ModelError(place, problem, _ROTATION)
