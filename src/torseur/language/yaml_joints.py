"""The section `joints`: type, bodies, points, axes, orientation, coordinates and limits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

from torseur.algebra.expr import PI
from torseur.errors import all_faults
from torseur.joints.catalogue import joint_class
from torseur.joints.cylindrical import Cylindrical
from torseur.joints.planar import Planar
from torseur.joints.prismatic import Prismatic
from torseur.joints.protocol import JointType
from torseur.joints.revolute import Revolute
from torseur.joints.screw import Screw
from torseur.joints.universal import Universal
from torseur.language.directions import one_or_two, read_axis, read_point, two
from torseur.language.expression import Names
from torseur.language.fields import Faults, Fields, entries, listed, nothing, read_parts
from torseur.language.fields import text as text_of
from torseur.language.joint_frames import Frames, about_axis, about_two_axes, without_axis
from torseur.language.rotations import read_rotation
from torseur.language.yaml_bodies import body_name
from torseur.language.yaml_coordinates import Limits, read_coordinates, read_limits, speed_names
from torseur.language.yaml_source import Item
from torseur.mechanism.description import Joint
from torseur.mechanism.numbers import Values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY

COMMON = ("type", "bodies", "point", "rotation", "coordinate", "coordinates", "limits")
_WITH_AXIS: tuple[type[JointType], ...] = (Revolute, Prismatic, Cylindrical, Screw)


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
    fields = Fields(item, f"a {kind.names[0]} joint", (*COMMON, *_directions(kind)), faults)
    first, second = _bodies(fields, context.bodies)
    p_A, p_B = fields.read("point", (nothing(), nothing()), one_or_two, context.names, read_point)
    frames = _frames(kind, fields, context)
    coordinates = read_coordinates(name, kind, fields, frames.axes)
    limits: Limits = fields.read("limits", (None,) * kind.nq, read_limits, kind.nq, context.names)
    made = _made(kind, frames.axes, fields, context.names)
    faults.raised()
    return Joint(
        name,
        made,
        first,
        second,
        Pose(p_A, frames.R_AF),
        Pose(p_B, frames.R_BM),
        coordinates,
        speed_names(name, kind, coordinates),
        limits,
        str(item.place),
    )


def _directions(kind: type[JointType]) -> tuple[str, ...]:
    """The entries that give a joint its directions."""
    if kind is Screw:
        return ("axis", "pitch")
    if kind in _WITH_AXIS:
        return ("axis",)
    return {Universal: ("axes",), Planar: ("normal",)}.get(kind, ())


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
    failed = Frames((2, 0), IDENTITY, IDENTITY)
    R_AB = fields.read("rotation", None, read_rotation, context.names, context.value)
    direction = next((key for key in _directions(kind) if key != "pitch"), None)
    if direction is None:
        return without_axis(R_AB)
    item = fields.required(direction, "[[0, 1, 0], [0, 0, 1]]" if kind is Universal else "z")
    before = len(fields.faults.found)
    if item is None:
        return failed
    reading = two if kind is Universal else one_or_two
    a, b = fields.faults.attempt((nothing(), nothing()), reading, item, context.names, read_axis)
    if len(fields.faults.found) > before:
        return failed
    placing = about_two_axes if kind is Universal else about_axis
    return fields.faults.attempt(failed, placing, a, b, R_AB, context.value, str(item.place))


def _made(kind: type[JointType], axes: tuple[int, ...], fields: Fields, names: Names) -> JointType:
    if kind is Screw:
        if fields.required("pitch", "5 mm") is None:
            return Screw(axes[0])
        return Screw(axes[0], fields.number("pitch", names) / (2 * PI))
    if kind in _WITH_AXIS or kind is Planar:
        return kind(axes[0])  # type: ignore[call-arg]
    return Universal(*axes[:2]) if kind is Universal else kind()
