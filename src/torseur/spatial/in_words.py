"""Directions and points of the ground as people say them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.words.sentence import say

Array = np.ndarray
_CLOSE = 1e-7


def direction(e: Array) -> str:
    """`z` for the axis z in either sense, components otherwise."""
    size = np.linalg.norm(e)
    for k in range(3):
        if abs(e[k]) > (1 - _CLOSE) * size:
            return "xyz"[k]
    largest = e[np.argmax(np.abs(e))]
    return f"({components(e / size * np.sign(largest))})"


def point(p: Array) -> str:
    """The three coordinates of a point [m]."""
    return f"({components(p)})"


def components(values: Array) -> str:
    """Numbers to three figures, rounding shown as zero."""
    size = max(np.abs(values).max(initial=0.0), 1e-3)
    shown = np.where(np.abs(values) < 1e-9 * size, 0.0, values)
    return ", ".join(f"{x:.3g}" for x in shown)


def spanned(vectors: Array) -> list[str]:
    """The directions that columns span: coordinate axes by name, others by components."""
    if not vectors.size:
        return []
    axes, sizes, _ = np.linalg.svd(vectors)
    rank = int((sizes > _CLOSE).sum())
    space = axes[:, :rank]
    named = [k for k in range(3) if np.linalg.norm(space[k]) > 1 - _CLOSE]
    if len(named) == rank:
        return ["xyz"[k] for k in named]
    return [direction(space[:, k]) for k in range(rank)]


def listed(names: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return say("{names} {last} {names2}", ", ".join(names[:-1]), last, names[-1])


def counted(n: int, noun: str) -> str:
    """`1 motion`, `2 motions`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
