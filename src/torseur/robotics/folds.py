"""Where a branch of configurations folds: a driven coordinate turns back while the others are held.

The curve is followed along its tangent, by pseudo-arc length (Keller 1977), many at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.robotics.branch import STEP, DrivenBranch

Array = np.ndarray
_MARCHES = 80  # steps towards a fold
_HALVINGS = 44


def folds(branch: DrivenBranch, q: Array, k: int, way: int, span: tuple[float, float]) -> Array:
    """The folds ahead of configurations (N, nq) as driven coordinate k grows, or falls.

    A curve that leaves the range of the coordinate before has none.
    """
    columns, column = [*branch.passive, branch.columns[k]], branch.columns[k]
    tangent = _tangents(branch, q, columns)
    tangent = tangent * (way * np.sign(tangent[:, [column]]))
    found = [q[:0]]
    for _ in range(_MARCHES):
        if not len(q):
            break
        ahead, closed = _ahead(branch, q, tangent, columns, np.full(len(q), STEP))
        turned = _like(_tangents(branch, ahead, columns), tangent)
        back = closed & (way * turned[:, column] <= 0)
        found.append(_turning(branch, q[back], tangent[back], columns, (column, way)))
        value = ahead[:, branch.places[k]]
        on = closed & ~back & (value >= span[0]) & (value <= span[1])
        q, tangent = ahead[on], turned[on]
    return np.concatenate(found)


def _turning(
    branch: DrivenBranch, q: Array, tangent: Array, columns: Sequence[int], turn: tuple[int, int]
) -> Array:
    """Within one step, where the driven coordinate stands still: by halves."""
    if not len(q):
        return q
    column, way = turn
    low, high = np.zeros(len(q)), np.full(len(q), STEP)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        there, _ = _ahead(branch, q, tangent, columns, middle)
        slope = _like(_tangents(branch, there, columns), tangent)[:, column] * way
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return _ahead(branch, q, tangent, columns, low)[0]


def _ahead(
    branch: DrivenBranch, q: Array, tangent: Array, columns: Sequence[int], steps: Array
) -> tuple[Array, Array]:
    """Configurations a step along their tangents, and which of them close their loops."""
    return branch.closed(branch.moved(q, tangent * steps[:, np.newaxis]), columns)


def _tangents(branch: DrivenBranch, q: Array, columns: Sequence[int]) -> Array:
    """(N, nv): the one motion of some speeds that the loops leave free, of unit size."""
    found = np.zeros((len(q), len(branch.model.speeds)))
    if len(q):
        found[:, columns] = np.linalg.svd(branch.J(q)[:, :, columns])[2][:, -1]
    return found


def _like(tangents: Array, before: Array) -> Array:
    """The same motions, the way that others before them go."""
    same = np.einsum("ni,ni->n", tangents, before)
    return np.asarray(tangents * np.where(same < 0, -1.0, 1.0)[:, np.newaxis])
