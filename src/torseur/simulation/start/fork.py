"""Forks: configurations at which branches of a linkage meet.

The constraints allow more motions at a fork than beside it. Which of the branches a motion follows
does not depend on the laws of mechanics: a parallelogram that is flat goes on as a parallelogram or
as a butterfly.
"""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np

from torseur.equations.functions.held_rows import Rows
from torseur.errors import SolveError
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.independent import closed_poses, independent_rows
from torseur.spatial.in_words import listed
from torseur.words.sentence import say

Array = np.ndarray
# The weakest singular value of J, beside the largest and beside those of the poses around: it is
# of the order of the distance to the fork, which is a double root and known to 1e-6 only.
_WEAK = 1e-3
_FALL = 1e-5
_INVOLVED = 0.1  # the share of a row in a dependency beside the largest, from which it is named
ADVICE = "Give a state a little further along the branch that is meant."


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
