"""What matrices within bounds have in common: independent columns, multipliers, left inverses."""

from __future__ import annotations

import numpy as np

from torseur.analyse.equilibria.boxed import Boxes, Span, Statement

Array = np.ndarray
_SQUARINGS = 4


def about_middle(statement: Statement, what: Array, slopes: Array, boxes: Boxes) -> Span:
    """Bounds of a column from its value in the middle and its slopes: closer on small boxes."""
    centre = statement.on(what, boxes.at_middle)
    slope = statement.on(slopes, boxes)
    # the ends are doubles: outwards by what the radius may have lost to rounding
    spread = slope.largest @ (boxes.radius * (1 + 1e-12) + 1e-15)[:, :, np.newaxis]
    spread = np.where(np.isnan(spread), np.inf, spread) * (1 + 1e-12)
    return Span(centre.low - spread, centre.high + spread)


def independent(matrices: Span) -> Array:
    """(boxes): whether the columns are independent for all matrices within the bounds.

    So it is if |1 − Y A| has a spectral radius below 1, Y being an inverse of the middle one.
    """
    Y, exact = inverses(matrices)
    return np.asarray(matrices.bounded & exact & _contracts(rest(Y, matrices)))


def rest(Y: Array, matrices: Span) -> Array:
    """|1 − Y A| at most, for all matrices within the bounds."""
    eye = np.eye(matrices.low.shape[2])
    rounding = 1e-13 * (np.abs(Y) @ np.abs(matrices.middle) + eye)
    return np.asarray(np.abs(eye - Y @ matrices.middle) + np.abs(Y) @ matrices.radius + rounding)


def inverses(matrices: Span) -> tuple[Array, Array]:
    """Left inverses of the middles, and whether they are any good.

    Rows and columns are brought to one size first, by what they are at most: a row that may vanish
    is not blown up.
    """
    largest = np.where(matrices.bounded[:, None, None], matrices.largest, 0.0)
    rows = 1 / np.maximum(largest.max(axis=2, keepdims=True), 1e-290)
    columns = 1 / np.maximum((largest * rows).max(axis=1, keepdims=True), 1e-290)
    scaled = matrices.middle * rows * columns
    inverse = np.linalg.pinv(scaled, rcond=1e-9)
    full = (np.abs(inverse @ scaled - np.eye(scaled.shape[2])) < 1e-3).all(axis=(1, 2))
    return np.swapaxes(columns, 1, 2) * inverse * np.swapaxes(rows, 1, 2), full


def _contracts(matrices: Array) -> Array:
    """Whether matrices of non-negative entries have spectral radii below 1: a power is small."""
    power = np.minimum(matrices, 1e30)
    contracts = np.zeros(len(power), dtype=bool)
    for _ in range(_SQUARINGS):
        contracts |= power.sum(axis=2).max(axis=1) < 0.999
        power = np.minimum(power @ power, 1e30)
    return contracts


def multiplier_bounds(forces: Span) -> Span:
    """Bounds of every λ with r = Jᵀ λ, as columns; infinite where J may lose rank."""
    J = Span(-forces.high[:, :, 1:], -forces.low[:, :, 1:])
    r = Span(forces.low[:, :, :1], forces.high[:, :, :1])
    Y, exact = inverses(J)
    off = rest(Y, J)
    sure = J.bounded & r.bounded & exact & _contracts(off)
    off = np.where(sure[:, None, None], off, 0.0)
    centre = Y @ r.middle
    spread = np.abs(Y) @ (r.radius + 1e-12 * np.abs(r.middle))
    # |λ − Y r| = |(1 − Y Jᵀ) λ|, which also bounds |λ|
    most = np.linalg.solve(np.eye(off.shape[1]) - off, np.abs(centre) + spread)
    far = (spread + off @ most) * (1 + 1e-9)
    far = np.where(sure[:, None, None], far, np.inf)
    return Span(centre - far, centre + far)
