"""The section `constraints`: relations, couplings, rolling contacts, gears and belts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.forms.dimensions import DimensionForm
from torseur.errors import all_faults, unknown
from torseur.language.text.expression import Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import alike, one_or_two, read_axis, read_point
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    nothing,
    number,
    read_parts,
)
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.gears import GEARS, belt, meshing
from torseur.language.yaml.joint_frames import about_axis, about_two_axes
from torseur.language.yaml.source import Item
from torseur.model.description import Contact, Gear, Joint, Relation
from torseur.model.joints.catalogue import plain
from torseur.model.joints.rolling import (
    ROLLING,
    RollingAlong,
    RollingBall,
    RollingCylinder,
    RollingDisc,
)
from torseur.model.values.numbers import Values
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import IDENTITY, Rotation

Array = np.ndarray
Constraint = Relation | Contact | Gear


@final
@dataclass(frozen=True)
class Restrained:
    """What constraints may speak of."""

    bodies: Collection[str]
    joints: Mapping[str, Joint]
    coordinates: Collection[str]
    constant: Names  # parameters
    varying: Names  # and coordinates, speeds and time
    value: Values


def read_constraints(
    item: Item | None, restrained: Restrained, faults: Faults
) -> dict[str, Constraint]:
    """The constraints of a model; those with faults are left out."""
    return read_parts(item, faults, _constraint, restrained)


def _constraint(name: str, item: Item, restrained: Restrained) -> Constraint:
    faults = Faults()
    kind_item = Fields(item, "a constraint", entries(item), faults).required("type", "relation")
    if kind_item is None:
        raise all_faults(faults.found)
    kind = plain(text_of(kind_item))
    if kind not in TYPES:
        raise unknown(str(kind_item.place), "constraint type", text_of(kind_item), TYPES)
    keys, reading = TYPES[kind]
    fields = Fields(item, f"a constraint of type {kind}", ("type", *keys), faults)
    made = reading(name, fields, restrained)
    faults.raised()
    return made


# --- relations ----------------------------------------------------------------------------------


def _relation(name: str, fields: Fields, restrained: Restrained) -> Relation:
    fields.required("zero", "x. - r*theta.")
    zero = fields.number("zero", restrained.varying, None)
    return Relation(name, zero, str(fields.at.place))


def _coupling(name: str, fields: Fields, restrained: Restrained) -> Relation:
    given = fields.required("coefficients", "{phi1: 2, phi2: -1}")
    measures = restrained.varying.measures
    same = alike(restrained.varying)
    value = fields.number("value", restrained.varying, same)
    total = -value
    for coordinate, factor in ({} if given is None else entries(given)).items():
        if coordinate not in restrained.coordinates:
            place = str(given.keys[coordinate]) if given is not None else ""
            raise unknown(place, "coordinate", coordinate, restrained.coordinates)
        part: Expected = None
        if measures is not None and isinstance(same, DimensionForm):
            part = same * measures.symbols.of_symbol(coordinate) ** -1
        factor_value: Expr = fields.faults.attempt(ZERO, number, factor, restrained.constant, part)
        total = total + factor_value * symbol(coordinate, "coordinate")
    return Relation(name, total, str(fields.at.place))


# --- rolling ------------------------------------------------------------------------------------


def _rolling(name: str, fields: Fields, restrained: Restrained) -> Contact:
    names, value = restrained.constant, restrained.value
    bodies = fields.required("bodies", "[ground, wheel]")
    pair = () if bodies is None else listed(bodies, "bodies", 2)
    first, second = (body_name(x, restrained.bodies) for x in pair) if pair else ("", "")
    shape_item = fields.required("shape", "disc")
    shapes = {plain(word): shape for shape in ROLLING for word in shape.names}
    shape = shapes.get(plain(text_of(shape_item))) if shape_item is not None else RollingBall
    if shape is None:
        assert shape_item is not None, "a shape was given"
        raise unknown(str(shape_item.place), "rolling shape", text_of(shape_item), shapes)
    fields.required("radius", "0.3")
    p_A, p_B = fields.read("point", (nothing(), nothing()), one_or_two, names, read_point)
    n = fields.read("normal", read_axis_name("z"), read_axis, names)
    place = str(fields.at.place)
    R_AF: Rotation
    R_BM: Rotation = IDENTITY
    radius = fields.number("radius", names, "m")
    kind: Any
    if shape is RollingAlong:
        along = fields.read("along", read_axis_name("x"), read_axis, names)
        frames = about_two_axes(n, along, None, value, place)
        normal, direction, R_AF = frames.axes[0], frames.axes[1], frames.R_AF
        kind = RollingAlong(radius, direction, normal)
    else:
        frames = about_axis(n, n, None, value, place)
        normal, R_AF = frames.axes[0], frames.R_AF
        kind = RollingBall(radius, normal)
        if shape in (RollingDisc, RollingCylinder):
            a = fields.read("axis", read_axis_name("y"), read_axis, names)
            fields.required("axis", "y")
            own = about_axis(a, a, None, value, place)
            kind, R_BM = shape(radius, own.axes[0], normal), own.R_BM
    return Contact(name, kind, first, second, Pose(p_A, R_AF), Pose(p_B, R_BM), place)


def read_axis_name(name: str) -> Array:
    """The coordinate axis x, y or z."""
    return np.array([ZERO + int(axis == name) for axis in "xyz"], dtype=object)


# --- gears --------------------------------------------------------------------------------------


def _gear(name: str, fields: Fields, restrained: Restrained) -> Gear:
    """Two wheels by their joints on one carrier, or by the pitch point and direction."""
    names, place = restrained.constant, str(fields.at.place)
    if fields.item("point") is None:
        joints = _two_joints(fields, restrained)
        kind_item = fields.item("kind")
        kind = plain(text_of(kind_item)) if kind_item is not None else "external"
        if kind not in GEARS:
            raise unknown(place, "kind of gear", kind, GEARS)
        radii = _two_numbers(fields, "radii", restrained, "m", "1" if kind == "rack" else "m")
        angle = fields.number("pressure_angle", names, "rad")
        lead = fields.number("lead", names, "m")
        return meshing(name, kind, joints, radii, angle, lead, restrained.value, place)
    bodies = fields.required("bodies", "[sun, planet]")
    pair = () if bodies is None else listed(bodies, "bodies", 2)
    first, second = (body_name(x, restrained.bodies) for x in pair) if pair else ("", "")
    carrier = fields.required("carrier", "arm")
    fields.required("direction", "[0, 0, 1]")
    return Gear(
        name,
        first,
        second,
        "" if carrier is None else body_name(carrier, restrained.bodies),
        fields.read("point", nothing(), read_point, names),
        fields.read("direction", nothing(), read_axis, names),
        place=place,
    )


def _belt(name: str, fields: Fields, restrained: Restrained) -> Relation:
    joints = _two_joints(fields, restrained)
    same = alike(restrained.constant)
    radii = _two_numbers(fields, "radii", restrained, same, same)
    crossed = fields.text("crossed", "false").lower() == "true"
    return belt(name, joints, radii, crossed, str(fields.at.place))


def _two_joints(fields: Fields, restrained: Restrained) -> tuple[Joint, Joint]:
    item = fields.required("joints", "[A, B]")
    if item is None:
        raise all_faults(fields.faults.found)
    found = []
    for part in listed(item, "the joints of the two wheels", 2):
        if text_of(part) not in restrained.joints:
            raise unknown(str(part.place), "joint", text_of(part), restrained.joints)
        found.append(restrained.joints[text_of(part)])
    return found[0], found[1]


def _two_numbers(
    fields: Fields, key: str, restrained: Restrained, *units: Expected
) -> tuple[Expr, Expr]:
    item = fields.required(key, "[20 mm, 60 mm]")
    if item is None:
        raise all_faults(fields.faults.found)
    pairs = zip(listed(item, key, 2), units, strict=True)
    first, second = (number(x, restrained.constant, unit) for x, unit in pairs)
    return first, second


_GEAR_KEYS = (
    "joints", "kind", "radii", "pressure_angle", "lead", "bodies", "carrier", "point", "direction"
)  # fmt: skip
TYPES: dict[str, tuple[tuple[str, ...], Callable[..., Constraint]]] = {
    "relation": (("zero",), _relation),
    "coupling": (("coefficients", "value"), _coupling),
    "rolling": (("bodies", "shape", "radius", "point", "normal", "axis", "along"), _rolling),
    "gear": (_GEAR_KEYS, _gear),
    "belt": (("joints", "radii", "crossed"), _belt),
}
