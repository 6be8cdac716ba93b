"""The rows of joints between two frames, for any scalar: numbers, columns of them, expressions.

A frame is (end, p, axes): the end of its body, see `elementary`, its origin from there, and its
axes as columns; all in ground axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from torseur.dynamics.absolute.elementary import (
    coincidence,
    distance,
    in_plane,
    orthogonality,
    threaded,
    turning,
)
from torseur.dynamics.absolute.joints import Advance, Given, Reading, Spin
from torseur.model.joints.elementary import (
    Apart,
    Coincident,
    Elementary,
    InPlane,
    Orthogonal,
    Threaded,
)
from torseur.spatial.triples import dot, times

Frame = tuple[Any, Any, Any]


def joint_rows(kind: Any, first: Frame, second: Frame) -> Iterator[Any]:
    """The rows of a joint between its frames F and M."""
    for part in kind.elementary or ():
        yield from elementary_rows(part, first, second)


def elementary_rows(part: Elementary, first: Frame, second: Frame) -> Iterator[Any]:
    """The rows of one elementary constraint."""
    (i, p_i, F), (j, p_j, M) = first, second
    if isinstance(part, Coincident):
        yield from coincidence(i, p_i, j, p_j)
    elif isinstance(part, Apart):
        yield distance(part.length, 1 / part.length, i, p_i, j, p_j)
    elif isinstance(part, Orthogonal):
        yield orthogonality(i, F[:, part.first], j, M[:, part.second])
    elif isinstance(part, InPlane):
        yield in_plane(0, i, F[:, part.normal], p_i, j, p_j)
    else:
        yield _thread(part, first, second)


def _thread(part: Threaded, first: Frame, second: Frame) -> Any:
    """The value is the distance that the angle does not explain, known within one pitch."""
    (i, p_i, F), (j, p_j, M) = first, second
    u, lead = F[:, part.axis], part.lead
    slide = in_plane(0, i, u, p_i, j, p_j)
    row = threaded(lead, slide, turning(i, j, u, i[2]))
    b, c = (part.axis + 1) % 3, (part.axis + 2) % 3
    cosine, sine = dot(F[:, b], M[:, b]), dot(F[:, c], M[:, b])
    s, k = np.sin(slide[0] / lead), np.cos(slide[0] / lead)
    ahead = lead * np.arctan2(cosine * s - sine * k, cosine * k + sine * s)
    return (ahead, *row[1:])


def measure_row(freedom: Reading, first: Frame, second: Frame) -> Any:
    """The row of a freedom; its value is a distance, or zero for an angle, which is read else."""
    assert not isinstance(freedom, Given), "the rows of a defined joint come together"
    (i, p_i, F), (j, p_j, M) = first, second
    if isinstance(freedom, Advance):
        value, n, a_i, a_j, bias = in_plane(0, i, F[:, freedom.axis], p_i, j, p_j)
        x = 1 / freedom.lead
        return x * value, times(x, n), times(x, a_i), times(x, a_j), x * bias
    of_second = isinstance(freedom, Spin) or freedom.of_second
    axes, w = (M, j[2]) if of_second else (F, i[2])
    return turning(i, j, axes[:, freedom.axis], w)
