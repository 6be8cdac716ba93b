"""The section `joints`: type, bodies, points, axes, orientation, coordinates and limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import PI, Expr
from torseur.errors import all_faults
from torseur.language.text.expression import Names
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.coordinates import Limits, read_coordinates, read_limits, speed_names
from torseur.language.yaml.defined_joint import read_defined
from torseur.language.yaml.directions import Array, Reading, one_or_two, read_axis, read_point, two
from torseur.language.yaml.fields import Faults, Fields, entries, listed, nothing, read_parts
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.joint_frames import Frames, about_axis, about_two_axes, without_axis
from torseur.language.yaml.rotations import read_rotation
from torseur.language.yaml.source import Item
from torseur.model.description import Joint
from torseur.model.joints.annular_contact import AnnularContact
from torseur.model.joints.catalogue import called, joint_class
from torseur.model.joints.cylindrical import Cylindrical
from torseur.model.joints.defined import Defined
from torseur.model.joints.distance import Distance
from torseur.model.joints.line_contact import LineContact
from torseur.model.joints.parallel_axes import ParallelAxes
from torseur.model.joints.planar import Planar
from torseur.model.joints.point_contact import PointContact
from torseur.model.joints.prismatic import Prismatic
from torseur.model.joints.protocol import JointType
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.screw import Screw
from torseur.model.joints.universal import Universal
from torseur.model.values.numbers import Values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY

COMMON = ("type", "bodies", "point", "rotation", "coordinate", "coordinates", "limits")

# The entries that give a joint its directions and its dimensions.
_OWN: Mapping[type[JointType], tuple[str, ...]] = {
    Revolute: ("axis",),
    Prismatic: ("axis",),
    Cylindrical: ("axis",),
    Screw: ("axis", "pitch"),
    Universal: ("axes",),
    Planar: ("normal",),
    LineContact: ("normal", "line"),
    AnnularContact: ("axis",),
    PointContact: ("normal",),
    ParallelAxes: ("axis",),
    Distance: ("length",),
    Defined: ("position",),
}
_IN_FIRST: tuple[type[JointType], ...] = (AnnularContact, PointContact)
_AT_RIGHT_ANGLES: tuple[type[JointType], ...] = (Universal, LineContact)
_WITHOUT_DIRECTION = ("length", "position")


@final
@dataclass(frozen=True)
class Context:
    """What the reading of a joint needs to know of the rest of the model."""

    bodies: Collection[str]
    names: Names
    value: Values


def read_joints(item: Item | None, context: Context, faults: Faults) -> dict[str, Joint]:
    """The joints of a model; those with faults are left out."""
    return read_parts(item, faults, _joint, context)


def _joint(name: str, item: Item, context: Context) -> Joint:
    faults = Faults()
    kinds = Fields(item, "a joint", entries(item), faults)
    type_item = kinds.required("type", "revolute")
    if type_item is None:
        raise all_faults(faults.found)
    kind = joint_class(text_of(type_item), str(type_item.place))
    fields = Fields(item, called(kind), _known(kind), faults)
    first, second = _bodies(fields, context.bodies)
    p_A, p_B = fields.read("point", (nothing(), nothing()), one_or_two, context.names, read_point)
    frames = _frames(kind, fields, context)
    made = _made(kind, frames.axes, fields, context)
    if isinstance(made, Defined):
        coordinates = tuple(x.name for x in made.coordinates)
    else:
        coordinates = read_coordinates(name, made, fields) if made.carries else ()
    speeds = speed_names(name, made, coordinates)
    _measured(made, coordinates, speeds, context.names)
    units = made.coordinate_units
    limits: Limits = fields.read("limits", (None,) * made.nq, read_limits, units, context.names)
    faults.raised()
    return Joint(
        name,
        made,
        first,
        second,
        Pose(p_A, frames.R_AF),
        Pose(p_B, frames.R_BM),
        coordinates,
        speeds,
        limits,
        str(item.place),
    )


def _measured(
    kind: JointType, coordinates: tuple[str, ...], speeds: tuple[str, ...], names: Names
) -> None:
    """What the coordinates and speeds of a joint measure; its pose may have told it already."""
    if names.measures is None:
        return
    told = isinstance(kind, Defined)
    for name, unit in zip(coordinates, kind.coordinate_units, strict=False):
        if not told or names.measures.known(name) is None:
            names.measures.declare(name, unit)
    for name, unit in zip(speeds, kind.speed_units, strict=False):
        if told:
            names.measures.declare_rate(name[:-1])
        else:
            names.measures.declare(name, unit)


def _known(kind: type[JointType]) -> tuple[str, ...]:
    """The entries of a joint; a rod has no coordinates and no zero position."""
    common = COMMON[:3] if kind is Distance else COMMON
    return (*common, *_OWN.get(kind, ()))


def _bodies(fields: Fields, bodies: Collection[str]) -> tuple[str, str]:
    item = fields.required("bodies", "[ground, crank]")
    if item is None:
        return "", ""
    pair = fields.faults.attempt(None, listed, item, "bodies", 2)
    if pair is None:
        return "", ""
    first, second = (fields.faults.attempt("", body_name, body, bodies) for body in pair)
    if first and first == second:
        problem = f'it joins the body "{first}" to itself.'
        fields.faults.found.append(item.fault(problem, "Name two different bodies."))
    return first, second


def _frames(kind: type[JointType], fields: Fields, context: Context) -> Frames:
    """The frames F and M; after a fault, frames that let the reading go on."""
    if kind is Defined:  # its rotation moves: the axes of F and M are those of the bodies
        return without_axis(None)
    failed = Frames((2, 0), IDENTITY, IDENTITY)
    R_AB = fields.read("rotation", None, read_rotation, context.names, context.value)
    direction = _OWN.get(kind, _WITHOUT_DIRECTION)[0]
    if direction in _WITHOUT_DIRECTION:
        return without_axis(R_AB)
    before = len(fields.faults.found)
    item = fields.required(direction, "[[0, 1, 0], [0, 0, 1]]" if kind is Universal else "z")
    line = fields.required("line", "x") if kind is LineContact else None
    if len(fields.faults.found) > before or item is None:
        return failed
    reading = _reading(kind, line)
    a, b = fields.faults.attempt((nothing(), nothing()), reading, item, context.names, read_axis)
    if len(fields.faults.found) > before:
        return failed
    if kind in _IN_FIRST and R_AB is not None:  # its direction is one of the first body only
        b = R_AB.into(a)
    placing = about_two_axes if kind in _AT_RIGHT_ANGLES else about_axis
    return fields.faults.attempt(failed, placing, a, b, R_AB, context.value, str(item.place))


def _reading(kind: type[JointType], line: Item | None) -> Callable[..., tuple[Array, Array]]:
    """How the directions of a joint in its two bodies are read."""

    def apart(item: Item, names: Names, read: Reading) -> tuple[Array, Array]:
        return read(item, names), read(line or item, names)

    if kind in _IN_FIRST or kind is LineContact:
        return apart
    return two if kind is Universal else one_or_two


def _made(
    kind: type[JointType], axes: tuple[int, ...], fields: Fields, context: Context
) -> JointType:
    names = context.names
    if kind is Screw:
        if fields.required("pitch", "5 mm") is None:
            return Screw(axes[0])
        return Screw(axes[0], fields.number("pitch", names, "m") / (2 * PI))
    if kind is Distance:
        item = fields.required("length", "0.5")
        return Distance() if item is None else Distance(_length(item, fields, context))
    if kind is Defined:
        return read_defined(fields, names, context.value)
    if kind in _AT_RIGHT_ANGLES:
        return kind(*axes[:2])
    return kind(axes[0]) if kind in _OWN else kind()  # type: ignore[call-arg]


def _length(item: Item, fields: Fields, context: Context) -> Expr:
    length = fields.number("length", context.names, "m")
    size = context.value(length)
    if size is not None and size <= 0:
        problem = f"the length {size:.6g} m is not positive."
        fields.faults.found.append(item.fault(problem, "For points that coincide: spherical."))
    return length
