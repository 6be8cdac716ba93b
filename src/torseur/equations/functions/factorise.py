"""Linear systems with a mass matrix, in straight-line code that uses the tree's sparsity."""

from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, expression
from torseur.topology.tree import Tree

Array = np.ndarray


def parents_of_speeds(tree: Tree) -> list[int]:
    """For each speed, the speed just before it on the way to the ground (−1: none).

    Entry (i, j) of the mass matrix is zero unless one of i, j is an ancestor of the other.
    """
    last: dict[int, int] = {-1: -1}
    parent = [-1] * tree.nv
    for i, link in tree:
        before = last[link.parent]
        for speed in range(link.v.start, link.v.stop):
            parent[speed] = before
            before = speed
        last[i] = before
    return parent


def leaves_first(parent: list[int]) -> list[int]:
    """The speeds, each before its ancestors."""

    def depth(k: int) -> int:
        steps = 0
        while (k := parent[k]) >= 0:
            steps += 1
        return steps

    return sorted(range(len(parent)), key=lambda k: -depth(k))


def solve(M: Array, right: Array, parent: list[int]) -> Array:
    """M⁻¹ right by M = Lᵀ D L without fill-in (Featherstone 2008, §6.5); right may have columns."""
    n = len(M)
    D: list[Any] = [ZERO] * n
    inverse: list[Any] = [ZERO] * n
    L: dict[tuple[int, int], Any] = {}
    H = {(i, j): expression(M[i, j]) for i in range(n) for j in range(n)}
    order = leaves_first(parent)
    for k in order:  # M = Lᵀ D L
        D[k] = H[k, k]
        inverse[k] = 1 / D[k]
        i = parent[k]
        while i >= 0:
            L[k, i] = H[k, i] * inverse[k]
            j = i
            while j >= 0:
                H[i, j] = H[j, i] = H[i, j] - L[k, i] * H[k, j]
                j = parent[j]
            i = parent[i]
    x = [expression(b) if np.ndim(b) == 0 else np.array(b, dtype=object) for b in right]
    for k in order:  # Lᵀ y = right
        i = parent[k]
        while i >= 0:
            x[i] = x[i] - L[k, i] * x[k]
            i = parent[i]
    for k in reversed(order):  # L x = D⁻¹ y
        x[k] = x[k] * inverse[k]
        i = parent[k]
        while i >= 0:
            x[k] = x[k] - L[k, i] * x[i]
            i = parent[i]
    return np.array(x, dtype=object)
