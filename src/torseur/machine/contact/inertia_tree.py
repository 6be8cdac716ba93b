"""The tree along which inertia is factorised, from what is never zero of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.core.expr import ZERO

Array = np.ndarray


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
