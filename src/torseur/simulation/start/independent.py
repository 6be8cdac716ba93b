"""Which rows of the constraints hold a motion: those that are no fixed combination of others."""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np

from torseur.equations.functions.held_rows import FREE, Rows
from torseur.errors import SolveError
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.loop_closing import LoopClosing
from torseur.spatial.in_words import listed
from torseur.words.sentence import say

Array = np.ndarray
# J has no dimension; a real constraint is far above this, rounding and open loops far below.
_RANK = 1e-8
_STEP = 0.1  # of the motion that leaves a singular configuration, in sizes of the speeds
_AWAY = 0.5  # of the poses, closed or not, at which fixed combinations are told from others
_POSES = 3
# The weakest singular value of J, beside the largest and beside those of the poses around: it is
# of the order of the distance to the fork, which is a double root and known to 1e-6 only.
_WEAK = 1e-3
_FALL = 1e-5
_INVOLVED = 0.1  # the share of a row in a dependency beside the largest, from which it is named
ADVICE = "Give a state a little further along the branch that is meant."


def independent_rows(constraints: NumericConstraints, q: Array, t: float) -> Rows:
    """The rows to keep, those that hold positions taken first, and their rank.

    Fixed combinations are the same at poses that close no loop. The rank is that of closed poses:
    the given one and some that the mechanism can move to, because a start at a singular
    configuration hides constraints.
    """
    if not constraints:
        return FREE
    others = [k for k in range(len(constraints.owners)) if k not in constraints.positions]
    closed = closed_poses(constraints, q, t)
    columns = np.hstack([*_anywhere(constraints, q, t), *closed])
    selected = tuple(sorted(_chosen(columns, [*constraints.positions, *others])))
    positions = tuple(k for k in selected if k in constraints.positions)

    def rank(rows: tuple[int, ...]) -> int:
        return max(_rank(J[list(rows)]) for J in closed) if rows else 0

    return Rows(selected, rank(selected), positions, rank(positions))


def _anywhere(constraints: NumericConstraints, q: Array, t: float) -> list[Array]:
    """J at poses around the given one, whether the loops close there or not."""
    rng, sizes = np.random.default_rng(0), constraints.sizes.displacements
    steps = _AWAY * sizes * rng.normal(size=(_POSES, len(sizes)))
    with np.errstate(all="ignore"):
        samples = [constraints.scaled_J(advanced(constraints.model, q, step), t) for step in steps]
    return [J for J in samples if np.isfinite(J).all()]


def closed_poses(constraints: NumericConstraints, q: Array, t: float) -> list[Array]:
    """J here, and a little further along motions that remain."""
    J = constraints.scaled_J(q, t)
    samples, rng = [J], np.random.default_rng(0)
    _, _, right = np.linalg.svd(J)
    rank = _rank(J)
    for _ in range(2 if rank < J.shape[1] else 0):
        step = constraints.sizes.displacements * (
            right[rank:].T @ rng.normal(size=len(right) - rank)
        )
        try:
            displaced = LoopClosing(constraints, t).closed(
                advanced(constraints.model, q, _STEP * step)
            )
        except SolveError:
            continue
        samples.append(constraints.scaled_J(displaced, t))
    return samples


def _rank(J: Array) -> int:
    sizes = np.linalg.svd(J, compute_uv=False)
    return int((sizes > _RANK * sizes.max(initial=1.0)).sum())


def _chosen(J: Array, order: list[int]) -> list[int]:
    """The rows, in the given order, that are not combinations of those before."""
    basis: list[Array] = []
    chosen = []
    for k in order:
        row = J[k].copy()
        size = np.linalg.norm(row)
        for _ in range(2):  # twice is enough for orthogonality to rounding
            for e in basis:
                row = row - (row @ e) * e
        left = np.linalg.norm(row)
        if left > _RANK * max(float(size), 1.0):
            basis.append(row / left)
            chosen.append(k)
    return chosen


# --- forks ----------------------------------------------------------------------------------------


@final
class Weakest(NamedTuple):
    """The constraint that restrains least at a configuration."""

    share: float  # its singular value beside the largest
    names: str  # of what it combines
    speed: int  # the one that it holds


def weakest(constraints: NumericConstraints, q: Array, t: float, rank: int) -> Weakest:
    """The last of the `rank` singular values of J, and the rows and the speed it belongs to."""
    left, sizes, right = np.linalg.svd(constraints.scaled_J(q, t))
    parts = np.abs(left[:, rank - 1])
    rows = np.flatnonzero(parts > _INVOLVED * parts.max())
    names = listed(list(dict.fromkeys(say('"{value}"', constraints.owners[row]) for row in rows)))
    share = float(sizes[rank - 1] / sizes[0]) if sizes[0] else 0.0
    return Weakest(share, names, int(np.abs(right[rank - 1]).argmax()))


def fork(constraints: NumericConstraints, q: Array, t: float, rows: Rows | None = None) -> str:
    """Words for the fork that a closed configuration is at; empty where it is at none."""
    if not constraints:
        return ""
    rank = (independent_rows(constraints, q, t) if rows is None else rows).rank
    if not rank:
        return ""
    weak = weakest(constraints, q, t, rank)
    if weak.share > _WEAK:
        return ""
    poses = [np.linalg.svd(J, compute_uv=False)[rank - 1] for J in closed_poses(constraints, q, t)]
    if poses[0] > _FALL * max(poses):
        return ""
    return say(
        "fork (singular configuration): {names} no longer hold {coordinate}, branches of the "
        "linkage meet here and its motion is not determined.",
        weak.names,
        constraints.model.speeds[weak.speed].removesuffix("."),
    )


def require_no_fork(
    constraints: NumericConstraints, q: Array, t: float, rows: Rows | None = None
) -> None:
    """Refuse to start a motion where it is not determined."""
    if words := fork(constraints, q, t, rows):
        raise SolveError(f"t = {t:.6g} s", words, ADVICE)
