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
    rounded = np.where(np.abs(values) < 1e-9 * size, 0.0, values)
    return ", ".join(f"{x:.3g}" for x in rounded)


def spanned(vectors: Array) -> list[str]:
    """The directions that columns span: coordinate axes by name, then others by components."""
    if not vectors.size:
        return []
    axes, sizes, _ = np.linalg.svd(vectors)
    space = axes[:, : int((sizes > _CLOSE).sum())]
    named = [k for k in range(3) if np.linalg.norm(space[k]) > 1 - _CLOSE]
    onto = space @ space.T - np.diag([float(k in named) for k in range(3)])
    return ["xyz"[k] for k in named] + [
        direction(e) for e in _basis(onto, space.shape[1] - len(named))
    ]


def _basis(onto: Array, count: int) -> list[Array]:
    """Orthogonal directions of a space by its projector: those closest to coordinate axes first."""
    basis: list[Array] = []
    for _ in range(count):
        lengths = np.round(np.diagonal(onto), 6)  # the first of axes that are equally close
        e = onto[:, np.argmax(lengths)] / np.sqrt(onto.diagonal()[np.argmax(lengths)])
        onto = onto - np.outer(e, e)
        basis.append(e)
    return basis


def listed(names: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    first = ", ".join(names[:-1])
    if last == "or":
        return say("{names} or {last}", first, names[-1])
    return say("{names} and {last}", first, names[-1])
