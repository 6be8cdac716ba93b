"""Contact shapes of the second body, as the entries of a contact give them.

A shape is made of tips, the places where it can touch a plane: a box has its corners, a capsule the
balls of its ends, a cylinder its rims. The inside of something round is touched by tips alone, too;
its outside may be touched by what is between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError
from torseur.model.constraints.protocol import ConstraintInput
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.plane_curves import PolarRim
from torseur.model.joints.rolling import (
    PlaneContact,
    RollingAlong,
    RollingBall,
    RollingCylinder,
    RollingDisc,
    RollingEllipsoid,
)
from torseur.spatial.vectors import Array
from torseur.words.entries import shown_key
from torseur.words.sentence import say

AXES = expressions(np.eye(3, dtype=int))


@final
@dataclass(frozen=True)
class Tip:
    """A place where a shape touches, and its centre from that of the shape, in the second body."""

    shape: type[PlaneContact] | type[PolarRim]
    size: Any  # a radius, radii or an outline [m]
    offset: Array


@final
@dataclass(frozen=True)
class ContactShape:
    """A contact shape: its names, English first, its entries, its tips."""

    names: tuple[str, ...]
    entries: tuple[str, ...]
    tips: Callable[[ConstraintInput], list[Tip]]


def _single(shape: type[PlaneContact]) -> Callable[[ConstraintInput], list[Tip]]:
    return lambda given: [Tip(shape, given[shape.entry], no_vector())]


def _points(given: ConstraintInput) -> list[Tip]:
    """Tips at the points listed, or at the corners of a mesh."""
    if "file" in given:
        scale = given.get("scale", ONE)
        return [Tip(RollingBall, ZERO, expressions(scale * x)) for x in given["file"].hull]
    if not given["points"]:
        raise ModelError(given.place, "points: the list is empty.", "Example: points: [[0, 0, 0]].")
    return [Tip(RollingBall, ZERO, point) for point in given["points"]]


def _corners(given: ConstraintInput) -> list[Tip]:
    half = np.array(given["size"], dtype=object) / 2
    return [Tip(RollingBall, ZERO, half * signs) for signs in product((-1, 1), repeat=3)]


def _ends(shape: type[PlaneContact]) -> Callable[[ConstraintInput], list[Tip]]:
    """One at each end of a length along an axis."""

    def tips(given: ConstraintInput) -> list[Tip]:
        half = given["length"] / 2 * given.direction("axis", AXES[2])
        return [Tip(shape, given["radius"], sign * half) for sign in (-1, 1)]

    return tips


POINT = ContactShape(("point", "pointe"), (), lambda given: [Tip(RollingBall, ZERO, no_vector())])
BALL = ContactShape((*RollingBall.names, "pin", "tourillon"), ("radius",), _single(RollingBall))
DISC = ContactShape(RollingDisc.names, ("radius", "axis"), _single(RollingDisc))
LINE = ContactShape(RollingAlong.names, ("radius", "along"), _single(RollingAlong))
ELLIPSOID = ContactShape(RollingEllipsoid.names, ("radii",), _single(RollingEllipsoid))
ROLLER = ContactShape(
    RollingCylinder.names, ("radius", "axis"), _single(RollingCylinder)
)  # on a line
OUTLINE = ContactShape(
    ("outline", "contour"),
    ("outline", "axis"),
    lambda given: [Tip(PolarRim, given["outline"], no_vector())],
)
BOX = ContactShape(("box", "boîte", "pavé"), ("size",), _corners)
CAPSULE = ContactShape(("capsule", "gélule"), ("radius", "length", "axis"), _ends(RollingBall))
CYLINDER = ContactShape(("cylinder", "cylindre"), ("radius", "length", "axis"), _ends(RollingDisc))
POINTS = ContactShape(
    ("points", "mesh", "sommets", "maillage"), ("points", "file", "scale"), _points
)
ALL = (POINT, BALL, DISC, LINE, ELLIPSOID, OUTLINE, BOX, CAPSULE, CYLINDER, POINTS)
SHAPES: dict[str, ContactShape] = {plain(word): shape for shape in ALL for word in shape.names}


def usual_shape(written: Mapping[str, Any]) -> ContactShape:
    """Points where there are some, a ball where there is a radius, otherwise a point."""
    if "points" in written or "file" in written:
        return POINTS
    return BALL if "radius" in written else POINT


def require_positive(given: ConstraintInput, *names: str) -> None:
    """Refuse values that are zero or negative."""
    for name in names:
        for x in np.ravel(given.get(name, ())):
            size = given.value(x)
            if size is not None and size <= 0:
                problem = say("{name}: {size:g} is not positive.", shown_key(name), size)
                raise ModelError(given.place, problem, "Give a positive value.")
