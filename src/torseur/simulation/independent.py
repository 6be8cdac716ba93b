"""Which rows of the constraints are independent, judged where the mechanism is not singular."""

import numpy as np

from torseur.errors import SolveError
from torseur.simulation.assemble import advanced, closed
from torseur.simulation.held import Held

Array = np.ndarray
# Entries of J are lengths of about a metre or cosines; a real constraint is far above this.
_RANK = 1e-8
_STEP = 0.1  # of the motion that leaves a singular configuration [rad or m]


def independent_rows(held: Held, q: Array, t: float) -> tuple[int, ...]:
    """Rows that say everything the constraints say, those that hold positions taken first.

    The rank is looked at in the given configuration and in some that the mechanism can move to,
    because a start at a singular configuration hides constraints.
    """
    if not held:
        return ()
    order = [*held.positions, *(k for k in range(len(held.owners)) if k not in held.positions)]
    found = [_chosen(J, order) for J in _seen(held, q, t)]
    fullest = max(found, key=lambda rows: len(rows))
    return tuple(sorted(fullest))


def _seen(held: Held, q: Array, t: float) -> list[Array]:
    """J here, and a little further along motions that remain."""
    J = np.array(held.J(q, t))
    seen, rng = [J], np.random.default_rng(0)
    _, sizes, right = np.linalg.svd(J)
    rank = int((sizes > _RANK * sizes.max(initial=1.0)).sum())
    for _ in range(2 if rank < J.shape[1] else 0):
        step = right[rank:].T @ rng.normal(size=len(right) - rank)
        try:
            moved = closed(held, advanced(held.model, q, _STEP * step), [], t)
        except SolveError:
            continue
        seen.append(np.array(held.J(moved, t)))
    return seen


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
