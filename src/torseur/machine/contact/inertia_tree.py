"""The tree along which inertia is factorised, from what is never zero of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.expr import ZERO

Array = np.ndarray


def tree_tables(M: Array, row_speeds: Sequence[Sequence[int]]) -> dict[str, Array]:
    """Tables of the tree of inertia M, and of the parts of it that each row moves."""
    parent, n = parents(M), len(M)
    paths = [path([i], parent) for i in range(n)]
    above, above_count = _listed([speeds[1:] for speeds in paths], n)
    of_rows, count = _listed([path(speeds, parent) for speeds in row_speeds], n)
    return {
        "above": above,
        "above_count": above_count,
        "path": of_rows,
        "path_count": count,
        "every_speed": np.arange(n)[::-1].copy(),
        "start": np.array([speeds[-1] for speeds in paths], dtype=float),
    }


def _listed(lists: Sequence[Sequence[int]], width: int) -> tuple[Array, Array]:
    """Lists as rows of a table, and how long they are."""
    table = np.zeros((len(lists), width), dtype=np.int64)
    for row, entries in zip(table, lists, strict=True):
        row[: len(entries)] = entries
    return table, np.array([len(entries) for entries in lists], dtype=np.int64)


def parents(M: Array) -> list[int]:
    """Parent of each speed: the last before it that inertia joins to it, later ones eliminated.

    −1: there is none.
    """
    before = [{j for j in range(i) if M[i, j] is not ZERO} for i in range(len(M))]
    for joined in reversed(before):
        if joined:
            before[max(joined)] |= joined - {max(joined)}
    return [max(joined, default=-1) for joined in before]


def path(speeds: Sequence[int], parent: Sequence[int]) -> list[int]:
    """Some speeds and all their parents, the last one first."""
    nodes: set[int] = set()
    for i in speeds:
        while i >= 0 and i not in nodes:
            nodes.add(i)
            i = parent[i]
    return sorted(nodes, reverse=True)
