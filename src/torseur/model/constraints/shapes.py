"""What touches and what is touched: shapes of the second body of a contact, surfaces of the first.

A shape is made of tips, the places where it can touch a plane: a box has its corners, a capsule the
balls of its ends, a cylinder its rims. The inside of something round is touched by tips alone, too;
its outside may be touched by what is between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.errors import ModelError
from torseur.model.constraints.rolling import AXES, on_plane
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.catalogue import plain
from torseur.model.joints.frames import Values, about_axis, about_two_axes, unit_vector
from torseur.model.joints.rolling import (
    ContactType,
    PlaneContact,
    RollingAlong,
    RollingBall,
    RollingDisc,
    RollingEllipsoid,
)
from torseur.model.joints.surfaces import (
    BallInBowl,
    BallInHole,
    BallOnShaft,
    BallOnSphere,
    PointOnProfile,
)
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

Piece = tuple[ContactType, Pose, Pose]  # with its frame F in the first body, M in the second


@final
@dataclass(frozen=True)
class Given:
    """The entries of a contact, what expressions are worth, and where it was written."""

    entries: Mapping[str, Any]
    value: Values
    place: str

    def __getitem__(self, entry: str) -> Any:
        return self.entries[entry]

    def direction(self, entry: str, otherwise: Array) -> Array:
        """A unit vector."""
        return unit_vector(self.entries.get(entry, otherwise), self.value, self.place)

    @property
    def through(self) -> Array:
        """A point of the surface, or its centre, in the first body."""
        return np.asarray(self.entries.get("through", no_vector()))


# --- what touches ---------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Tip:
    """A place where a shape touches, and its centre from that of the shape, in the second body."""

    shape: type[PlaneContact]
    size: Any  # a radius or radii [m]
    offset: Array


@final
@dataclass(frozen=True)
class Shape:
    """What touches: its names, English first, its entries, its tips."""

    names: tuple[str, ...]
    entries: tuple[str, ...]
    tips: Callable[[Given], list[Tip]]


def _single(shape: type[PlaneContact]) -> Callable[[Given], list[Tip]]:
    return lambda given: [Tip(shape, given[shape.entry], no_vector())]


def _point(given: Given) -> list[Tip]:
    return [Tip(RollingBall, ZERO, no_vector())]


def _points(given: Given) -> list[Tip]:
    if not given["points"]:
        raise ModelError(given.place, "points: there is none.", "Example: points: [[0, 0, 0]].")
    return [Tip(RollingBall, ZERO, point) for point in given["points"]]


def _corners(given: Given) -> list[Tip]:
    half = np.array(given["size"], dtype=object) / 2
    return [Tip(RollingBall, ZERO, half * signs) for signs in product((-1, 1), repeat=3)]


def _ends(shape: type[PlaneContact]) -> Callable[[Given], list[Tip]]:
    """One at each end of a length along an axis."""

    def tips(given: Given) -> list[Tip]:
        half = given["length"] / 2 * given.direction("axis", AXES[2])
        return [Tip(shape, given["radius"], sign * half) for sign in (-1, 1)]

    return tips


POINT = Shape(("point", "pointe"), (), _point)
BALL = Shape((*RollingBall.names, "pin", "tourillon"), ("radius",), _single(RollingBall))
DISC = Shape(RollingDisc.names, ("radius", "axis"), _single(RollingDisc))
LINE = Shape(RollingAlong.names, ("radius", "along"), _single(RollingAlong))
ELLIPSOID = Shape(RollingEllipsoid.names, ("radii",), _single(RollingEllipsoid))
BOX = Shape(("box", "boîte", "pavé"), ("size",), _corners)
CAPSULE = Shape(("capsule", "gélule"), ("radius", "length", "axis"), _ends(RollingBall))
CYLINDER = Shape(("cylinder", "cylindre"), ("radius", "length", "axis"), _ends(RollingDisc))
POINTS = Shape(("points", "mesh", "sommets", "maillage"), ("points",), _points)
ALL = (POINT, BALL, DISC, LINE, ELLIPSOID, BOX, CAPSULE, CYLINDER, POINTS)
SHAPES: dict[str, Shape] = {plain(word): shape for shape in ALL for word in shape.names}


# --- what is touched ------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Surface:
    """What is touched: its names, English first, its entries, the shapes it takes, its contacts."""

    names: tuple[str, ...]
    entries: tuple[str, ...]
    takes: tuple[Shape, ...]
    contacts: Callable[[Tip, Given], Iterator[Piece]]


def _plane(tip: Tip, given: Given, n: Array, through: Array) -> Piece:
    entries = {**given.entries, tip.shape.entry: tip.size, "normal": n}
    kind, R_AF, R_BM = on_plane(tip.shape, entries, given.value, given.place)
    return kind, Pose(through, R_AF), Pose(tip.offset, R_BM)


def _one_plane(tip: Tip, given: Given) -> Iterator[Piece]:
    yield _plane(tip, given, given.direction("normal", AXES[2]), given.through)


def _two_planes(tip: Tip, given: Given) -> Iterator[Piece]:
    """Half the width on both sides of the middle, facing it."""
    n = given.direction("normal", AXES[2])
    for side in (n, -n):
        yield _plane(tip, given, side, given.through - given["width"] / 2 * side)


def _round(made: Callable[..., ContactType], entry: str) -> Callable[[Tip, Given], Iterator[Piece]]:
    """Those of balls; the entry is that of the axis that the contact is given by."""

    def contacts(tip: Tip, given: Given) -> Iterator[Piece]:
        a = given.direction(entry, AXES[2])
        frames = about_axis(a, a, None, given.value, given.place)
        kind = made(tip.size, given["surface_radius"], frames.axes[0])
        yield kind, Pose(given.through, frames.R_AF), Pose(tip.offset, IDENTITY)

    return contacts


def _inside(made: Any, entry: str) -> Callable[[Tip, Given], Iterator[Piece]]:
    """The same, for what must fit."""
    contacts = _round(made, entry)

    def fitting(tip: Tip, given: Given) -> Iterator[Piece]:
        inner, outer = given.value(tip.size), given.value(given["surface_radius"])
        if inner is not None and outer is not None and inner >= outer:
            what = made.names[0]
            raise ModelError(
                given.place,
                say(
                    "the radius {inner:g} m does not fit into the {what}, {outer:g} m.",
                    inner,
                    what,
                    outer,
                ),
                "Give a radius smaller than the surface_radius: they differ by the clearance.",
            )
        yield from contacts(tip, given)

    return fitting


def _profile(tip: Tip, given: Given) -> Iterator[Piece]:
    n, along = given.direction("normal", AXES[2]), given.direction("along", AXES[0])
    frames = about_two_axes(n, along, None, given.value, given.place)
    normal, x = frames.axes
    kind = PointOnProfile(given["height"], along=x, normal=normal)
    yield kind, Pose(given.through, frames.R_AF), Pose(tip.offset, IDENTITY)


_SINGLE, _TIPS = (POINT, BALL), (POINT, BALL, BOX, CAPSULE, POINTS)
_ROUND, _LONG = ("surface_radius", "normal"), ("surface_radius", "surface_axis")
PLANE = Surface(("plane", "plan"), ("normal",), ALL, _one_plane)
SLOT = Surface(("slot", "rainure"), ("normal", "width"), ALL, _two_planes)
SPHERE = Surface(BallOnSphere.names, _ROUND, _SINGLE, _round(BallOnSphere, "normal"))
BOWL = Surface(BallInBowl.names, _ROUND, _TIPS, _inside(BallInBowl, "normal"))
SHAFT = Surface(BallOnShaft.names, _LONG, _SINGLE, _round(BallOnShaft, "surface_axis"))
HOLE = Surface(BallInHole.names, _LONG, _TIPS, _inside(BallInHole, "surface_axis"))
PROFILE = Surface(PointOnProfile.names, ("normal", "along", "height"), (POINT,), _profile)
SURFACES: dict[str, Surface] = {
    plain(word): surface
    for surface in (PLANE, SLOT, SPHERE, BOWL, SHAFT, HOLE, PROFILE)
    for word in surface.names
}


# --- what is written ------------------------------------------------------------------------------


def counts(entry: str) -> Callable[[Mapping[str, Any]], bool]:
    """Whether the shape and the surface that are written have an entry."""

    def told(written: Mapping[str, Any]) -> bool:
        shape = SHAPES.get(_word(written, "shape", usual_shape(written)))
        surface = SURFACES.get(_word(written, "on", PLANE))
        if shape is None or surface is None:
            return entry in written
        return entry in (*shape.entries, *surface.entries)

    return told


def _word(written: Mapping[str, Any], entry: str, usual: Shape | Surface) -> str:
    return plain(str(written.get(entry, usual.names[0])))


def usual_shape(written: Mapping[str, Any]) -> Shape:
    """Points where there are some, a ball where there is a radius, otherwise a point."""
    if "points" in written:
        return POINTS
    return BALL if "radius" in written else POINT


def pieces(entries: Mapping[str, Any], value: Values, place: str) -> list[Piece]:
    """The contacts of a shape with a surface, one for each tip."""
    given = Given(entries, value, place)
    shape, surface = entries.get("shape", usual_shape(entries)), entries.get("on", PLANE)
    require_positive(given, "radii", "size", "length", "surface_radius", "width")
    if shape not in surface.takes:
        raise _refused(shape, surface, place)
    centre = entries.get("point", no_vector())
    return [
        (kind, X_AF, Pose(centre + X_BM.p, X_BM.R))
        for tip in shape.tips(given)
        for kind, X_AF, X_BM in surface.contacts(tip, given)
    ]


def require_positive(given: Given, *names: str) -> None:
    """Refuse values that are zero or negative."""
    for name in names:
        for x in np.ravel(given.entries.get(name, ())):
            size = given.value(x)
            if size is not None and size <= 0:
                problem = say("{name}: {size:g} is not positive.", name, size)
                raise ModelError(given.place, problem, "Give a positive value.")


def _refused(shape: Shape, surface: Surface, place: str) -> ModelError:
    foot = (
        "Where a ball touches a profile only an equation tells. Give the profile of its centre, a "
        "curve at the distance of its radius, and shape: point."
    )
    return ModelError(
        place,
        say(
            'the shape "{shape}" is not known against "{surface}".',
            shape.names[0],
            surface.names[0],
        ),
        say("Shapes that are: {takes}.", ", ".join(x.names[0] for x in surface.takes)),
        *((foot,) if surface is PROFILE else ()),
    )
