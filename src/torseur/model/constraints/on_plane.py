"""The contact of a shape with a plane, from the entries that describe it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.model.joints.frames import Values, about_axis, about_two_axes
from torseur.model.joints.rolling import PlaneContact
from torseur.spatial.rotation import IDENTITY, Rotation

AXES = expressions(np.eye(3, dtype=int))


def on_plane(
    shape: type[PlaneContact], given: Mapping[str, Any], value: Values, place: str
) -> tuple[PlaneContact, Rotation, Rotation]:
    """The contact of a shape with a plane, and the axes of its frames F and M in their bodies."""
    size, n = given[shape.entry], given.get("normal", AXES[2])
    if shape.turns_about == "along":
        frames = about_two_axes(n, given.get("along", AXES[0]), None, value, place)
    else:
        frames = about_axis(n, n, None, value, place)
    made: Any = shape
    kind = made(size, *frames.axes[1:], normal=frames.axes[0])
    if shape.turns_about != "axis":
        return kind, frames.R_AF, IDENTITY
    own = about_axis(given["axis"], given["axis"], None, value, place)
    return replace(kind, axis=own.axes[0]), frames.R_AF, own.R_BM
