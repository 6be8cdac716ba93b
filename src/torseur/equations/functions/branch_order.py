"""An order in which a mechanism of many branches is solved: each leg first, then what they carry.

A leg of a parallel robot has speeds that only its own closing rows feel. Eliminating these speeds
and rows before the others leaves the mass that the platform feels, instead of a full matrix of
multipliers (operational inertia, Khatib 1987).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.core.graph import expressions
from torseur.equations.expressions.linear import leaves_first
from torseur.equations.expressions.sampling import sampled_matrix
from torseur.model.description import Mechanism

Array = np.ndarray
_RANK = 1e-9  # of a matrix at a random point


def branch_order(
    J: Array, owners: Sequence[str], parent: list[int], mechanism: Mechanism
) -> list[list[int]]:
    """Runs of speeds and of rows, counted after them, to eliminate; none where it saves nothing.

    It does with several joints that have all their rows on speeds of their own, and most rows.
    """
    J, speeds, m = expressions(J), leaves_first(parent), len(J)
    felt: Array = np.array([[x is not ZERO for x in row] for row in J])
    order: list[list[int]] = []
    for owner in dict.fromkeys(owners):
        rows = [k for k in range(m) if owners[k] == owner]
        shared = np.any(np.delete(felt, rows, axis=0), axis=0)
        alone = [j for j in speeds if felt[rows, j].any() and not shared[j]]
        if len(alone) < len(rows):
            continue
        block = sampled_matrix(J[np.ix_(rows, alone)], mechanism)
        if np.linalg.matrix_rank(block, tol=_RANK * np.abs(block).max()) == len(rows):
            order += [alone, [len(speeds) + k for k in rows]]
    eliminated = {k for run in order for k in run}
    if len(order) < 4 or 2 * sum(k >= len(speeds) for k in eliminated) < m:
        return []
    both = speeds, range(len(speeds), len(speeds) + m)
    return order + [[k for k in part if k not in eliminated] for part in both]
