"""The tree along which inertia is factorised, from what is never zero of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.expr import ZERO

Array = np.ndarray


def write_tree(made: dict[str, Array], M: Array, moved: Sequence[Sequence[int]]) -> None:
    """The tree of inertia in tables, and the paths in it of the speeds that rows move."""
    parent = parents(M)
    made["parent"][:], made["run"][:] = parent, runs(parent)
    for row, speeds in enumerate(moved):
        own = path(speeds, parent)
        made["path"][row, : len(own)], made["path_count"][row] = own, len(own)
    made["every_speed"][:] = np.arange(len(parent))[::-1]
    made["every_row"][:] = np.arange(len(made["every_row"]))


def parents(M: Array) -> list[int]:
    """Of each speed, the last before it that inertia joins to it, those after being eliminated.

    −1: there is none.
    """
    before = [{j for j in range(i) if M[i, j] is not ZERO} for i in range(len(M))]
    for own in reversed(before):
        if own:
            before[max(own)] |= own - {max(own)}
    return [max(own, default=-1) for own in before]


def runs(parent: Sequence[int]) -> list[int]:
    """Of each speed, the first of those up to it that are parents one of the other."""
    found: list[int] = []
    for i, above in enumerate(parent):
        found.append(found[above] if i and above == i - 1 else i)
    return found


def path(moved: Sequence[int], parent: Sequence[int]) -> list[int]:
    """Some speeds and all their parents, the last one first."""
    found: set[int] = set()
    for i in moved:
        while i >= 0 and i not in found:
            found.add(i)
            i = parent[i]
    return sorted(found, reverse=True)
