"""Contact surfaces of the first body, and their contacts with shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, number
from torseur.algebra.core.graph import expressions, substitute
from torseur.errors import ModelError
from torseur.model.constraints.contact_shapes import (
    ALL,
    AXES,
    BALL,
    BOX,
    CAPSULE,
    DISC,
    LINE,
    OUTLINE,
    POINT,
    POINTS,
    ROLLER,
    SHAPES,
    ContactShape,
    Tip,
    require_positive,
    usual_shape,
)
from torseur.model.constraints.protocol import ConstraintInput
from torseur.model.forces.protocol import no_vector
from torseur.model.joints import mesh_points
from torseur.model.joints.catalogue import plain
from torseur.model.joints.curve_contacts import CurveContact
from torseur.model.joints.frames import CLOSE, about_two_axes
from torseur.model.joints.mesh_points import Corners, Meshes, MeshPoint
from torseur.model.joints.plane_curves import (
    ANGLE,
    PLACE,
    BallRim,
    OneArgument,
    PolarRim,
    PolarTrack,
    ProfileTrack,
    Track,
)
from torseur.model.joints.rolling import ContactType, RollingAlong, RollingBall
from torseur.model.joints.surfaces import (
    BallOnBox,
    CapsuleOnCapsule,
    CylinderContact,
    PointOnProfile,
    SphereContact,
)
from torseur.spatial.hulls import is_flat
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation
from torseur.spatial.vectors import Array
from torseur.words.sentence import say

_REFUSED = ("rolling", "pivoting", "patch", "stiffness")


def mesh_pieces(given: ConstraintInput) -> list[tuple[MeshPoint, Pose, Pose]]:
    """The points of two meshes, with their frames; names are given to them later."""
    for entry in _REFUSED:
        if entry in given:
            raise ModelError(
                given.place,
                say(
                    'two meshes take no "{entry}": their contact points change during the motion.',
                    entry,
                ),
                "Give friction and restitution only.",
            )
    shape = Meshes(_corners(given, "surface_"), _corners(given, ""))
    frames = Pose(given.get("through", no_vector()), IDENTITY), Pose(no_vector(), IDENTITY)
    return [(MeshPoint("", shape), *frames) for _ in range(mesh_points.POINTS)]


def _corners(given: ConstraintInput, before: str) -> Corners:
    """The corners listed, or those of the convex hull of the triangles of a file."""
    if f"{before}file" in given:
        scale = given.get(f"{before}scale", ONE)
        return tuple(map(tuple, expressions(scale * given[f"{before}file"].hull)))
    corners = tuple(map(tuple, given[f"{before}points"]))
    known = [[given.value(x) for x in corner] for corner in corners]
    if all(x is not None for corner in known for x in corner):
        require_volume(np.array(known, dtype=float), f"{before}points", given.place)
    return corners


def require_volume(corners: Array, entry: str, place: str) -> None:
    """Refuse corners (k, 3) that lie in a plane."""
    if is_flat(corners.reshape(-1, 3)):
        raise ModelError(
            place,
            say("{entry}: all points lie in a plane.", entry),
            "A mesh has some volume: give four points or more.",
        )


# --- meshes ---------------------------------------------------------------------------------------


Piece = tuple[ContactType, Pose, Pose]  # with its frame F in the first body, M in the second
_AROUND = np.linspace(-np.pi, np.pi, 49)
Contacts = Callable[[Tip, ConstraintInput], Iterator[Piece]]


@final
@dataclass(frozen=True)
class ContactSurface:
    """A contact surface: names, English first, entries, shapes it takes, contacts."""

    names: tuple[str, ...]
    entries: tuple[str, ...]
    takes: tuple[ContactShape, ...]
    contacts: Contacts
    whole: Callable[[ConstraintInput], list[Any]] | None = None  # for contacts of the whole shape


def _through(given: ConstraintInput) -> Array:
    """A point of the surface, or its centre, in the first body."""
    return np.asarray(given.get("through", no_vector()))


# --- planes ---------------------------------------------------------------------------------------


def _plane(tip: Tip, given: ConstraintInput, n: Array, through: Array) -> Piece:
    if issubclass(tip.shape, PolarRim):
        frames = given.about(n)
        normal = frames.axes[0]
        level = ProfileTrack(OneArgument(ZERO, PLACE), ((normal + 1) % 3, normal))
        return _on_track(level, frames.R_AF, tip, given, through)
    if tip.shape.turns_about == "along":
        along = given.get("along", AXES[0])
        frames = about_two_axes(n, along, None, given.value, given.place)
    else:
        frames = given.about(n)
    contact: Any = tip.shape
    kind = contact(tip.size, *frames.axes[1:], normal=frames.axes[0])
    X_AF = Pose(through, frames.R_AF)
    if tip.shape.turns_about != "axis":
        return kind, X_AF, Pose(tip.offset, IDENTITY)
    turned = given.about(given["axis"])
    return replace(kind, axis=turned.axes[0]), X_AF, Pose(tip.offset, turned.R_BM)


def _planes(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
    """One plane; with a width two, half of it on both sides of the middle, facing it."""
    n = given.direction("normal", AXES[2])
    if "width" not in given:
        yield _plane(tip, given, n, _through(given))
        return
    for side in (n, -n):
        yield _plane(tip, given, side, _through(given) - given["width"] / 2 * side)


# --- round surfaces -------------------------------------------------------------------------------


def _round(contact_type: Callable[..., ContactType], entry: str, side: int) -> Contacts:
    """Contacts of balls; `entry` names the axis of the surface."""

    def contacts(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
        frames = given.about(given.direction(entry, AXES[2]))
        kind = contact_type(tip.size, given["surface_radius"], frames.axes[0], side)
        if side < 0:
            _require_clearance(tip, given, kind.names[0])
        yield kind, Pose(_through(given), frames.R_AF), Pose(tip.offset, IDENTITY)

    return contacts


def _require_clearance(tip: Tip, given: ConstraintInput, what: str) -> None:
    """Refuse a ball that does not fit inside."""
    inner, outer = given.value(tip.size), given.value(given["surface_radius"])
    if inner is not None and outer is not None and inner >= outer:
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


# --- plane curves ---------------------------------------------------------------------------------


def _profile(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
    n, along = given.direction("normal", AXES[2]), given.direction("along", AXES[0])
    frames = about_two_axes(n, along, None, given.value, given.place)
    normal, x = frames.axes
    height = OneArgument(given["height"], PLACE)
    if tip.size is ZERO:
        kind = PointOnProfile(height, along=x, normal=normal)
        yield kind, Pose(_through(given), frames.R_AF), Pose(tip.offset, IDENTITY)
    else:
        yield _on_track(ProfileTrack(height, (x, normal)), frames.R_AF, tip, given, _through(given))


def _polar(side: int) -> Contacts:
    """On an outline about an axis of the first body, outside or inside."""

    def contacts(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
        frames = given.about(given.direction("surface_axis", AXES[2]))
        outline = _outline("surface_outline", given["surface_outline"], given)
        track = PolarTrack(outline, _after(frames.axes[0]), side)
        yield _on_track(track, frames.R_AF, tip, given, _through(given))

    return contacts


def _on_track(
    track: Track, R_AF: Rotation, tip: Tip, given: ConstraintInput, through: Array
) -> Piece:
    X_AF, forces = Pose(through, R_AF), 2 if tip.shape is RollingAlong else 3
    if tip.shape in (RollingBall, RollingAlong):
        kind = CurveContact(track, BallRim(tip.size), forces)
        return kind, X_AF, Pose(tip.offset, IDENTITY)
    turned = given.about(given["axis"])
    rim = PolarRim(_outline("outline", tip.size, given), _after(turned.axes[0]))
    return CurveContact(track, rim), X_AF, Pose(tip.offset, turned.R_BM)


def _outline(entry: str, radius: Expr, given: ConstraintInput) -> OneArgument:
    """A closed curve: positive all around, and the same after a turn."""
    around = [given.value(substitute(radius, {ANGLE: number(float(u))})) for u in _AROUND]
    values = [x for x in around if x is not None]
    if len(values) == len(_AROUND):
        k = int(np.argmin(values))
        problem = ""
        if values[k] <= 0:
            problem = say(
                "{name}: at {u:g} rad it is {x:g} m, not positive.", entry, _AROUND[k], values[k]
            )
        elif abs(values[-1] - values[0]) > CLOSE * max(values):
            problem = say(
                "{name}: at -pi it is {x:g} m, at pi {y:g} m.", entry, values[0], values[-1]
            )
        if problem:
            raise ModelError(
                given.place,
                problem,
                "An outline is positive and closes after a turn; a table of one has ends: periodic "
                "and goes from 0 to 2*pi.",
            )
    return OneArgument(radius, ANGLE)


def _after(axis: int) -> tuple[int, int]:
    """The axes that follow another."""
    return (axis + 1) % 3, (axis + 2) % 3


# --- capsules and boxes ---------------------------------------------------------------------------


def _on_capsule(given: ConstraintInput) -> list[Piece]:
    """A capsule, a ball or a point, all of which are capsules."""
    first = given.about(given.direction("surface_axis", AXES[2]))
    surface = given["surface_radius"], given["surface_length"], first.axes[0]
    X_AF = Pose(_through(given), first.R_AF)
    if "length" not in given:
        kind = CapsuleOnCapsule(given.get("radius", ZERO), ZERO, 2, *surface)
        return [(kind, X_AF, Pose(no_vector(), IDENTITY))]
    second = given.about(given.direction("axis", AXES[2]))
    kind = CapsuleOnCapsule(given["radius"], given["length"], second.axes[0], *surface)
    return [(kind, X_AF, Pose(no_vector(), second.R_BM))]


def _on_box(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
    kind = BallOnBox(tip.size, given["surface_size"])
    yield kind, Pose(_through(given), IDENTITY), Pose(tip.offset, IDENTITY)


def _no_tips(tip: Tip, given: ConstraintInput) -> Iterator[Piece]:
    yield from ()


# --- all of them ----------------------------------------------------------------------------------


_SINGLE, _TIPS = (POINT, BALL), (POINT, BALL, BOX, CAPSULE, POINTS)
_ROUND, _LONG = ("surface_radius", "normal"), ("surface_radius", "surface_axis")
PLANE = ContactSurface(("plane", "plan"), ("normal",), (*ALL, ROLLER), _planes)
SLOT = ContactSurface(("slot", "rainure"), ("normal", "width"), ALL, _planes)
SPHERE = ContactSurface(
    SphereContact.called[1], _ROUND, _SINGLE, _round(SphereContact, "normal", 1)
)
BOWL = ContactSurface(SphereContact.called[-1], _ROUND, _TIPS, _round(SphereContact, "normal", -1))
_AXIAL = CylinderContact, "surface_axis"
SHAFT = ContactSurface(CylinderContact.called[1], _LONG, _SINGLE, _round(*_AXIAL, 1))
HOLE = ContactSurface(CylinderContact.called[-1], _LONG, _TIPS, _round(*_AXIAL, -1))
_RIMS = (BALL, DISC, LINE, OUTLINE)
_POLAR = ("surface_outline", "surface_axis")
PROFILE = ContactSurface(
    PointOnProfile.names, ("normal", "along", "height"), (POINT, *_RIMS), _profile
)
CAM = ContactSurface(("cam", "came"), _POLAR, _RIMS, _polar(1))
RING = ContactSurface(("ring", "couronne"), _POLAR, _RIMS, _polar(-1))
LONG_BALL = ContactSurface(
    CAPSULE.names, (*_LONG, "surface_length"), (POINT, BALL, CAPSULE), _no_tips, _on_capsule
)
BLOCK = ContactSurface(BOX.names, ("surface_size",), (BALL,), _on_box)
_CORNERS = ("surface_points", "surface_file", "surface_scale")
HULL = ContactSurface(("mesh", "maillage"), _CORNERS, (POINTS,), _no_tips, mesh_pieces)
_SURFACES = (PLANE, SLOT, SPHERE, BOWL, SHAFT, HOLE, PROFILE, CAM, RING, LONG_BALL, BLOCK, HULL)
SURFACES: dict[str, ContactSurface] = {
    plain(word): surface for surface in _SURFACES for word in surface.names
}


# --- entries --------------------------------------------------------------------------------------


_SIZES = (
    *("radius", "radii", "size", "length", "scale", "width"),
    *("surface_radius", "surface_length", "surface_size", "surface_scale"),
)


def counts(
    entry: str,
    instead: str = "",
    shapes: Mapping[str, ContactShape] = SHAPES,
    surfaces: Mapping[str, ContactSurface] = SURFACES,
) -> Callable[[Mapping[str, Any]], bool]:
    """Whether the shape and the surface that are written have an entry, none being `instead`."""

    def applies(written: Mapping[str, Any]) -> bool:
        shape = shapes.get(_word(written, "shape", usual_shape(written)))
        surface = surfaces.get(_word(written, "on", PLANE))
        if shape is None or surface is None:
            return entry in written
        return entry in (*shape.entries, *surface.entries) and instead not in written

    return applies


def _word(written: Mapping[str, Any], entry: str, usual: ContactShape | ContactSurface) -> str:
    return plain(str(written.get(entry, usual.names[0])))


def pieces(given: ConstraintInput) -> list[Piece]:
    """The contacts of a shape with a surface, one for each tip."""
    shape, surface = given.get("shape", usual_shape(given.entries)), given.get("on", PLANE)
    require_positive(given, *_SIZES)
    if shape not in surface.takes:
        raise _unsupported(shape, surface, given.place)
    centre = given.get("point", no_vector())
    if surface.whole is not None:
        contacts = surface.whole(given)
    else:
        contacts = [piece for tip in shape.tips(given) for piece in surface.contacts(tip, given)]
    return [(kind, X_AF, Pose(centre + X_BM.p, X_BM.R)) for kind, X_AF, X_BM in contacts]


def _unsupported(shape: ContactShape, surface: ContactSurface, place: str) -> ModelError:
    return ModelError(
        place,
        say(
            'contacts of "{shape}" with "{surface}" are not supported.',
            shape.names[0],
            surface.names[0],
        ),
        say("Supported shapes: {takes}.", ", ".join(x.names[0] for x in surface.takes)),
    )
