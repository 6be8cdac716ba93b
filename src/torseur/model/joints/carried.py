"""The wrenches that a joint carries and the gaps it keeps closed, from its elementary freedoms.

Couples come first, then forces, in the axes of M at its origin; each gap is that of the wrench at
its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from torseur.model.joints.freedoms import Freedoms, Helix, barred, helix, kept, slides, turns
from torseur.model.joints.protocol import NOTHING, Array, offset, tilt, turned, unit
from torseur.spatial.vectors import cross

Wrench = tuple[Array, Array]  # couple, force


def couples(freedoms: Freedoms, R: Array) -> list[Wrench]:
    """About the axes of M that do not turn, or about the normal to two that do."""
    about = turns(freedoms)
    if about is None:
        return []
    if len(about) > 1:
        return [(cross(R[about[0]], unit(about[1])), NOTHING)]
    return [(unit(k), NOTHING) for k in _others(about)]


def tilts(freedoms: Freedoms, R: Array) -> Iterable[Any]:
    """How far M is turned from where the couples keep it."""
    about = turns(freedoms)
    if about is None:
        return ()
    if len(about) > 1:
        return (-R[about[0], about[1]],)
    return tilt(R, about[0]) if about else turned(R)


def forces(freedoms: Freedoms, R: Array) -> list[Wrench]:
    """Along the axes of M where these stay those that do not slide, else along those of F."""
    screw = helix(freedoms)
    if screw is not None:
        e = unit(screw.axis)
        normal = [(NOTHING, unit(k)) for k in _others([screw.axis])]
        return [*normal, (-screw.lead * e, e)]
    ours = not slides(freedoms) or kept(freedoms)
    return [(NOTHING, unit(k) if ours else R[k]) for k in barred(freedoms)]


def offsets(freedoms: Freedoms, R: Array, p: Array) -> Iterable[Any]:
    """How far the origin of M is from where the forces keep it."""
    screw, free = helix(freedoms), slides(freedoms)
    if screw is not None:
        return (*offset(R, p, screw.axis), _ahead(screw, R, p[screw.axis]))
    if not free:
        return R.T @ p
    if len(free) == 1 and kept(freedoms):
        return offset(R, p, free[0])
    return [p[k] for k in barred(freedoms)]


def _others(about: list[int]) -> list[int]:
    """The axes that follow the axis of turning; all where there is none."""
    return [(about[0] + k) % 3 for k in (1, 2)] if about else [0, 1, 2]


def _ahead(screw: Helix, R: Array, distance: Any) -> Any:
    """The distance that the angle does not explain, which is known within one pitch."""
    if not screw.lead:
        return distance
    j, k = (screw.axis + 1) % 3, (screw.axis + 2) % 3
    s, c = R[k, j] - R[j, k], R[j, j] + R[k, k]  # of the angle, but for a common factor
    explained = distance / screw.lead
    sine, cosine = np.sin(explained), np.cos(explained)
    return screw.lead * np.arctan2(c * sine - s * cosine, c * cosine + s * sine)
