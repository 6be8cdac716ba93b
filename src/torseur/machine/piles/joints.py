"""Joints beside a pile: points of one body that stay where another has them.

A point of the second body of a joint keeps its place along axes of the first. Where a joint bars a
turn, a second point off the first one does, at a usual length from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.machine.absolute.joint_elements import frame_of
from torseur.machine.piles import places as at
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.joints.composed import Composed
from torseur.model.joints.freedoms import Ball, Slide, Turn

Array = np.ndarray
Held = tuple[Array, list[int]]  # a point of the second body in the axes of M, axes of the first
_ORIGIN = np.zeros(3)


def ties(numbers: Mechanism, length: float) -> Array:
    """(ties, TIE_WIDTH): what the joints of a mechanism hold."""
    rows = [row for joint in numbers.joints.values() for row in _of_joint(numbers, joint, length)]
    return np.array(rows).reshape(-1, at.TIE_WIDTH)


def held_points(joint: Joint, length: float) -> list[Held] | None:
    """The points that a joint holds; None of one that is not made of such."""
    freedoms: tuple[Any, ...] = joint.kind.freedoms if isinstance(joint.kind, Composed) else (None,)
    slides = [x.axis for x in freedoms if isinstance(x, Slide)]
    turns = [x.axis for x in freedoms if isinstance(x, Turn)]
    across = [k for k in range(3) if k not in slides]
    first: list[Held] = [(_ORIGIN, across)] if across else []
    if any(isinstance(x, Ball) for x in freedoms):
        return first
    known = all(isinstance(x, Slide | Turn) for x in freedoms)
    if known and (more := _barring(slides, turns, np.eye(3) * length)) is not None:
        return [*first, *more]
    return None


def _barring(slides: list[int], turns: list[int], e: Array) -> list[Held] | None:
    """The points that bar the other turns; None where points do not tell them."""
    if not slides and len(turns) == 2:
        return [(e[turns[1]], [turns[0]])]
    if len(turns) > 1 or len(slides) > 2:
        return None
    if len(slides) == 2:
        k = 3 - sum(slides)
        return [(e[i], [k]) for i in slides] if turns == [k] else None
    k = (slides or turns or [0])[0]
    if turns and turns != [k]:
        return None
    i, j = (k + 1) % 3, (k + 2) % 3
    more: list[Held] = [(e[k], [i, j])]
    return more if turns else [*more, (e[i], [j])]


def _of_joint(numbers: Mechanism, joint: Joint, length: float) -> Iterator[list[float]]:
    """Rows of the table; a body of the ground is the second of its row."""
    ends = [(joint.first, joint.X_AF), (joint.second, joint.X_BM)]
    points = held_points(joint, length)
    assert points is not None, "a joint that points do not hold moves in its coordinates"
    if joint.second == GROUND:
        ends.reverse()
        points = _from_the_other_side(points)
    (base, F), (moving, M) = ends
    index = {GROUND: 0} | {name: 1 + k for k, name in enumerate(numbers.bodies)}
    p, axes = frame_of(numbers, base, F)
    r, moving_axes = frame_of(numbers, moving, M)
    for point, along in points:
        directions = np.zeros((3, 3))
        directions[: len(along)] = axes[:, along].T
        yield [
            *(index[moving], index[base], len(along)),
            *(r + moving_axes @ point),
            *(p + axes @ point),
            *directions.ravel(),
        ]


def _from_the_other_side(points: list[Held]) -> list[Held]:
    """Points with F and M exchanged: two axes that stay normal to each other change places."""
    return [
        (np.eye(3)[along[0]] * np.abs(point).max(), [int(np.abs(point).argmax())])
        if len(points) == 2 and len(points[0][1]) == 3 and len(along) == 1
        else (point, along)
        for point, along in points
    ]
