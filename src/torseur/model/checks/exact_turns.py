"""Rotations with rounding noise taken as the exact turns they are: 1.5707963 is a quarter turn.

A sine of 6e-17 where zero is meant costs as much as any other number, and so does everything that
it multiplies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from torseur.algebra.core.expr import CONSTANT, MINUS_ONE, ONE, PI, ZERO, Expr, expression, number
from torseur.algebra.core.graph import evaluate
from torseur.model.description import Mechanism
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, AxisTurn, MatrixRotation, Rotation, from_matrix, turn
from torseur.words.sentence import say

NOISE = 1e-9  # [rad], and of the entries of a matrix
DIGITS = 7  # numbers with this many decimals are taken as rounded
_HALF_UNIT = 0.5000001  # of the last decimal
_POWERS = [(decimals, 10**decimals) for decimals in range(DIGITS, 10)]
_MOST = _HALF_UNIT * 10.0**-DIGITS  # that rounding may do
_SHOWN = 6  # names in the notice
_HALF = number(Fraction(1, 2))
_SIZES = (ZERO, _HALF, _HALF.sqrt(), number(3).sqrt() / 2, ONE)  # of sines of the turns below
_NUMBERED = [(size, float(evaluate(size, {}))) for size in _SIZES]
_SHARES = (6, 4)  # turns by multiples of π/6 and π/4


def with_exact_turns(mechanism: Mechanism) -> Mechanism:
    """The mechanism with exact rotations of joints, contacts and frames, and one notice."""
    changed: list[str] = []
    parts: dict[str, Any] = {
        section: {
            name: _with_exact_poses(part, changed)
            for name, part in getattr(mechanism, section).items()
        }
        for section in ("joints", "constraints", "frames")
    }
    if not changed:
        return mechanism
    return replace(mechanism, **parts, notices=(*mechanism.notices, notice(changed)))


def notice(changed: Sequence[str]) -> str:
    """The notice about rotations that were taken as exact ones."""
    more = ", …" if len(changed) > _SHOWN else ""
    return say(
        "{changed}{more}: rotations that differ from exact turns by rounding only (at most "
        "{noise:g}, or half a unit of the last of {digits} decimals or more) are taken as these.",
        ", ".join(changed[:_SHOWN]),
        more,
        NOISE,
        DIGITS,
    )


def _with_exact_poses(part: Any, changed: list[str]) -> Any:
    """A part with exact poses; the same object where there is nothing to do."""
    poses = {
        name: Pose(pose.p, R)
        for name in ("X_AF", "X_BM", "pose")
        if (pose := getattr(part, name, None)) is not None
        and (R := exact_rotation(pose.R)) is not pose.R
    }
    if not poses:
        return part
    changed.append(part.name)
    return replace(part, **poses)


def exact_rotation(R: Rotation) -> Rotation:
    """A rotation with its constant turns and matrices exact; itself where they are."""
    if not R.factors:
        return R
    factors = [_exact_factor(factor) for factor in R.factors]
    pairs = zip(factors, R.factors, strict=True)
    if all(len(parts) == 1 and parts[0] is factor for parts, factor in pairs):
        return R
    exact = IDENTITY
    for parts in factors:
        exact = exact @ Rotation(parts)
    return exact


def _exact_factor(factor: AxisTurn | MatrixRotation) -> tuple[AxisTurn | MatrixRotation, ...]:
    if isinstance(factor, AxisTurn):
        angle = exact_angle(expression(factor.angle))
        return (factor,) if angle is factor.angle else turn(factor.axis, angle).factors
    entries = _exact_entries([expression(x) for x in factor.matrix.flat])
    if all(x is y for x, y in zip(entries, factor.matrix.flat, strict=True)):
        return (factor,)
    return from_matrix(np.array(entries, dtype=object).reshape(3, 3)).factors


def exact_angle(angle: Expr) -> Expr:
    """The multiple of π/6 or π/4 that an angle is but for rounding; else the angle."""
    if angle.stage != CONSTANT:
        return angle
    value = _float(angle)
    for share in _SHARES:
        turns = round(value * share / np.pi)
        apart = abs(value - turns / share * np.pi)
        if apart <= _MOST and apart <= _noise(angle):
            return number(Fraction(turns, share)) * PI
    return angle


def _exact_entries(entries: list[Expr]) -> list[Expr]:
    """Entries of a matrix, made exact where they are constant, all in one evaluation."""
    if all(x is ZERO or x is ONE or x is MINUS_ONE for x in entries):
        return entries
    exact = list(entries)
    for k, x in enumerate(entries):
        if x.stage == CONSTANT:
            value = _float(x)
            for size, size_value in _NUMBERED:
                apart = abs(abs(value) - size_value)
                if apart <= _MOST and apart <= _noise(x):
                    exact[k] = -size if value < 0 else size
    return exact


def _float(x: Expr) -> float:
    """The value of a constant."""
    return float(x.value[1]) if x.op == "number" else float(evaluate(x, {}))


def _noise(x: Expr) -> float:
    """Tolerance of a constant: it may be rounded to the decimals given."""
    value = x.value[1] if x.op == "number" else None
    if isinstance(value, Fraction):
        for decimals, power in _POWERS:
            if power % value.denominator == 0:
                return max(NOISE, _HALF_UNIT * 10.0**-decimals)
    return NOISE
