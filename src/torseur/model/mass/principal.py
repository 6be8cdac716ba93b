"""Principal axes and moments of a numeric inertia, and the central frame of a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError
from torseur.model.mass.properties import Array, MassProperties, as_number
from torseur.words.sentence import say

# Two principal moments that differ by less than this fraction of the largest are equal: far above
# the rounding of an eigenvalue (1e-15), far below what a drawing or a scale can tell.
EQUAL = 1e-9


@final
@dataclass(frozen=True, eq=False)
class PrincipalInertia:
    """The principal moments of a body at a point, in increasing order, and their axes."""

    _repr_html_ = notebook.html

    point: Array  # (3,) [m], in the body frame B
    moments: Array  # (3,) [kg m²], increasing
    axes: Array  # (3, 3) R_BP: its columns are the axes, right-handed, in the body frame
    kind: str  # "asymmetric", "prolate", "oblate" (of revolution), "spherical" or "null"

    @property
    def revolution_axis(self) -> Array | None:
        """The axis (3,) about which every turn leaves the inertia alone, if there is just one."""
        column = {"prolate": 0, "oblate": 2}.get(self.kind)
        return None if column is None else self.axes[:, column]

    @property
    def sentence(self) -> str:
        """The degenerate case in words."""
        axis = self.revolution_axis
        if axis is not None:
            shape = {"prolate": say("elongated"), "oblate": say("flattened")}[self.kind]
            return say("inertia of revolution, {shape} along {axis}", shape, direction_name(axis))
        return {
            "asymmetric": say("three different principal moments"),
            "spherical": say("spherical inertia: every axis is principal"),
            "null": say("no inertia: every axis is principal"),
        }[self.kind]


def principal_inertia(
    properties: MassProperties, point: Sequence[float] | Array | None = None
) -> PrincipalInertia:
    """The principal moments and axes at a point, the centre of mass unless one is given.

    Deterministic: moments increase; the largest component of the first two axes is positive; where
    moments are equal the axes are those of the body frame, as nearly as possible.
    """
    values = numeric(properties)
    place = values.centre if point is None else np.asarray(point, dtype=float)
    inertia = values.inertia if point is None else values.inertia_at(place)
    moments, vectors = np.linalg.eigh((inertia + inertia.T) / 2)
    kind = _kind(moments)
    if kind in ("spherical", "null"):
        axes = np.eye(3)
    elif kind == "prolate":
        axes = _about(vectors[:, 0], first=True)
    elif kind == "oblate":
        axes = _about(vectors[:, 2], first=False)
    else:
        axes = _right_handed(_oriented(vectors[:, 0]), _oriented(vectors[:, 1]))
    return PrincipalInertia(place, moments, axes + 0.0, kind)


def central_frame(properties: MassProperties) -> tuple[Array, Array]:
    """The pose R_BC (3, 3), p_BC (3,) of the central frame: centre of mass and principal axes."""
    principal = principal_inertia(properties)
    return principal.axes, principal.point


def numeric(properties: MassProperties) -> MassProperties:
    """Mass properties as floats; symbols without values are refused."""
    entries = (properties.mass, *properties.centre, *properties.inertia.flat)
    values = [as_number(entry) for entry in entries]
    if None in values:
        symbolic = entries[values.index(None)]
        raise ModelError(
            "mass properties",
            say("the value {symbolic} is not a number.", symbolic),
            "Give a value to every parameter first.",
        )
    floats: Any = np.array(values, dtype=float)
    return MassProperties(float(floats[0]), floats[1:4], floats[4:].reshape(3, 3))


def direction_name(u: Array) -> str:
    """A unit vector in words: x, y or z where it is one of them, else its components."""
    nearest = int(np.argmax(np.abs(u)))
    if abs(abs(u[nearest]) - 1) < EQUAL:
        return "xyz"[nearest]
    return "(" + ", ".join(f"{component:.4g}" for component in u + 0.0) + ")"


def _kind(moments: Array) -> str:
    low, middle, high = moments
    size = np.abs(moments).max()
    if size == 0:
        return "null"
    same_low, same_high = middle - low <= EQUAL * size, high - middle <= EQUAL * size
    if same_low and same_high:
        return "spherical"
    if same_high:
        return "prolate"
    return "oblate" if same_low else "asymmetric"


def _about(axis: Array, *, first: bool) -> Array:
    """Axes with a given first or last one; the next is the projection of a body axis."""
    w = _oriented(axis)
    body_axis = np.eye(3)[int(np.argmin(np.round(np.abs(w), 9)))]
    u = body_axis - w * (body_axis @ w)
    u = u / np.linalg.norm(u)
    return _right_handed(w, u) if first else _right_handed(u, np.cross(w, u))


def _oriented(u: Array) -> Array:
    """The one of ±u whose largest component is positive (the first of them, if they tie)."""
    largest = int(np.argmax(np.round(np.abs(u), 9)))
    return u if u[largest] > 0 else -u


def _right_handed(u: Array, v: Array) -> Array:
    return np.array([u, v, np.cross(u, v)]).T
