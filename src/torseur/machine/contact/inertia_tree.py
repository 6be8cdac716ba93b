"""The tree along which inertia is factorised, from what is never zero of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.expr import ZERO

Array = np.ndarray


def tree_tables(M: Array, moved: Sequence[Sequence[int]]) -> dict[str, Array]:
    """Tables of the tree of inertia M, and of the parts of it that each row moves."""
    parent, n = parents(M), len(M)
    paths = [path([i], parent) for i in range(n)]
    above, above_count = _listed([own[1:] for own in paths], n)
    of_rows, count = _listed([path(own, parent) for own in moved], n)
    return {
        "above": above,
        "above_count": above_count,
        "path": of_rows,
        "path_count": count,
        "every_speed": np.arange(n)[::-1].copy(),
        "start": np.array([own[-1] for own in paths], dtype=float),
    }


def _listed(lists: Sequence[Sequence[int]], width: int) -> tuple[Array, Array]:
    """Lists as rows of a table, and how long they are."""
    table = np.zeros((len(lists), width), dtype=np.int64)
    for row, own in zip(table, lists, strict=True):
        row[: len(own)] = own
    return table, np.array([len(own) for own in lists], dtype=np.int64)


def parents(M: Array) -> list[int]:
    """Of each speed, the last before it that inertia joins to it, those after being eliminated.

    −1: there is none.
    """
    before = [{j for j in range(i) if M[i, j] is not ZERO} for i in range(len(M))]
    for own in reversed(before):
        if own:
            before[max(own)] |= own - {max(own)}
    return [max(own, default=-1) for own in before]


def path(moved: Sequence[int], parent: Sequence[int]) -> list[int]:
    """Some speeds and all their parents, the last one first."""
    found: set[int] = set()
    for i in moved:
        while i >= 0 and i not in found:
            found.add(i)
            i = parent[i]
    return sorted(found, reverse=True)
