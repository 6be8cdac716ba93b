"""The sections `bodies`, `frames` and `points`.

Mass data of a body are given, those of a shape that is filled, or of parts added and taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.language.text.literals import plain_unit
from torseur.language.yaml.axes_and_turns import read_pose
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    number,
    numbers,
    vector,
    yes_or_no,
)
from torseur.language.yaml.fields import read_parts as read_named
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.form_mistakes import ground_meant
from torseur.language.yaml.height_field_entries import read_height_field
from torseur.language.yaml.point_tables import TableFolder
from torseur.language.yaml.solid_entries import SolidFile, read_solid_file
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND, Body, Frame, Mesh, Part, Point, Shape
from torseur.model.forces.protocol import no_tensor, no_vector
from torseur.model.mass.properties import FrenchForm, MassProperties, composed
from torseur.spatial.inertia import tensor_of
from torseur.spatial.vectors import Array
from torseur.words.entries import shown_key
from torseur.words.sentence import say

GIVEN = ("mass", "centre", "inertia", "shape", "density")
LETTERS = ("A", "B", "C", "D", "E", "F")  # of French courses
KEYS = (*GIVEN, "parts", "accept", "meshes", "visuals", "collision")
PART_KEYS = (*GIVEN, "position", "rotation", "removed")
MESH_KEYS = ("file", "position", "rotation", "scale")
VISUAL_KEYS = ("shape", "position", "rotation")
COLLISION_KEYS = ("shape", "hull", "height_field", "position", "rotation", "friction")
FRAME_KEYS = ("body", "position", "rotation")
_VOLUME = "kg/m³"  # unit of the density of a solid in a file
FEWEST_POINTS, MOST_POINTS = 4, 256  # of a hull
Common = Callable[[str], Expr]  # the density of parts that have none, in a unit


def read_body(name: str, item: Item, names: Names, folder: TableFolder) -> Body:
    """A body: its mass data, or its shape or parts and their mass or density."""
    if english(name, (GROUND,)) == GROUND:
        problem = say('the body "{ground}" always exists and has no data.', name)
        raise item.fault(problem, "Leave it out.")
    fields = Fields(item, "a body", KEYS)
    solid, parts, mass = read_mass(fields, names, folder)
    shape = None if isinstance(solid, SolidFile) else solid
    accept: tuple[str, ...] = fields.read("accept", (), _accepted_kinds)
    meshes: tuple[Mesh, ...] = fields.read("meshes", (), _each, "meshes", _mesh, names)
    meshes += solid.meshes if isinstance(solid, SolidFile) else ()
    visuals: tuple[Part, ...] = fields.read("visuals", (), _each, "visuals", _visual, names)
    collision: tuple[Part, ...] = fields.read("collision", (), _solids, names, folder)
    fields.faults.raised()
    return Body(
        name,
        expression(mass.mass),
        expressions(mass.centre),
        expressions(mass.inertia),
        shape,
        accept,
        str(item.place),
        meshes,
        parts,
        visuals,
        collision,
    )


def _solids(item: Item, names: Names, folder: TableFolder) -> tuple[Part, ...]:
    """The solids of a body that touch."""
    return tuple(_touching(part, names, folder) for part in listed(item, "solids"))


def _each(item: Item, what: str, reading: Callable[..., Any], names: Names) -> tuple[Any, ...]:
    """The parts of a list."""
    return tuple(reading(part, names) for part in listed(item, what))


def _mesh(item: Item, names: Names) -> Mesh:
    """A surface in a file, such as `{file: arm.stl, position: [0, 0, 0.1]}`."""
    fields = Fields(item, "a mesh", MESH_KEYS)
    fields.required("file", "meshes/arm.stl")
    pose = read_pose(fields, names)
    scale = fields.vector("scale", names, "1") if fields.item("scale") else ()
    fields.faults.raised()
    return Mesh(fields.text("file"), pose, tuple(scale))


def _visual(item: Item, names: Names) -> Part:
    """A solid to draw, such as `{shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}`."""
    fields = Fields(item, "a visual", VISUAL_KEYS)
    fields.required("shape", "{box: {size: [0.1, 0.1, 0.2]}}")
    shape = fields.read("shape", None, _checked_shape, names)
    pose = read_pose(fields, names)
    fields.faults.raised()
    assert shape is not None, "a shape that cannot be read is a fault"
    return Part(shape, pose)


def _touching(item: Item, names: Names, folder: TableFolder) -> Part:
    """A solid that touches: a shape, the hull of points or a height field, at a position."""
    fields = Fields(item, "a solid", COLLISION_KEYS)
    shape = fields.read("shape", None, _checked_shape, names)
    points: tuple[Array, ...] = fields.read("hull", (), _hull_points, names)
    field = fields.read("height_field", None, read_height_field, folder)
    friction = fields.read("friction", None, number, names, "1")
    pose = read_pose(fields, names)
    fields.faults.raised()
    if (shape is not None) + bool(points) + (field is not None) != 1:
        problem = say("one of shape, hull and height_field is expected.")
        raise item.fault(
            problem, "Example: {shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}"
        )
    if field is not None:
        return Part(None, pose, friction=friction, height_field=field)
    return Part(shape or ("hull", {"points": points}), pose, friction=friction)


def _hull_points(item: Item, names: Names) -> tuple[Array, ...]:
    """At least four points, at most as many as a hull may have."""
    points = listed(item, "points")
    if not FEWEST_POINTS <= len(points) <= MOST_POINTS:
        problem = say(
            "a hull has {least} to {most} points, not {number}.",
            FEWEST_POINTS,
            MOST_POINTS,
            len(points),
        )
        raise item.fault(problem, "Leave out points inside, or take several hulls.")
    return tuple(vector(part, names, "m") for part in points)


def _checked_shape(item: Item, names: Names) -> Shape:
    """A shape that has its dimensions, and no others."""
    from torseur.model.mass.solids import SOLIDS

    name, dimensions = read_shape(item, names)
    SOLIDS[name].checked(dimensions, place=str(item.place))
    return name, dimensions


def _accepted_kinds(item: Item) -> tuple[str, ...]:
    """The kinds of error in the mass data that the user lets pass."""
    from torseur.model.mass.validity import KINDS

    kinds = tuple(english(text_of(part), KINDS) for part in listed(item, "kinds of error"))
    for kind in kinds:
        if kind not in KINDS:
            raise unknown(str(item.place), "kind of error", kind, map(shown_key, KINDS))
    return kinds


def read_frame(name: str, item: Item, bodies: Collection[str], names: Names) -> Frame:
    """A named frame, such as `tool: {body: hand, position: [0, 0, 0.1]}`."""
    if english(name, (GROUND,)) in (GROUND, *bodies):
        problem = say('the name "{name}" is that of a body, which is a frame itself.', name)
        raise item.fault(problem, say('Give another name, for instance "{name}_2".', name))
    fields = Fields(item, "a frame", FRAME_KEYS)
    fields.required("body", "ground")
    body = fields.read("body", GROUND, body_name, bodies)
    pose = read_pose(fields, names)
    fields.faults.raised()
    return Frame(name, body, pose, str(item.place))


def read_point_of(
    name: str, item: Item, bodies: Collection[str], frames: Mapping[str, Frame], names: Names
) -> Point:
    """A named point, such as `P3: [rod, [0.5, 0, 0]]`, in a body or in a frame."""
    carrier, coordinates = listed(item, "its body and its position", 2)
    position, place = vector(coordinates, names, "m"), str(item.place)
    frame = frames.get(text_of(carrier))
    if frame is not None:
        return Point(name, frame.body, frame.pose.point(position), place)
    return Point(name, body_name(carrier, bodies), position, place)


def body_name(item: Item, bodies: Collection[str]) -> str:
    """The name of a body that exists."""
    name = text_of(item)
    if name not in bodies:
        name = english(name, (GROUND,))
    if name != GROUND and name not in bodies:
        fault = unknown(str(item.place), "body", name, {shown_key(GROUND), *bodies})
        raise ModelError(
            fault.place, fault.problem, *fault.advice, *ground_meant(name, shown_key(GROUND))
        )
    return name


# --- mass data ------------------------------------------------------------------------------------


def read_mass(
    fields: Fields, names: Names, folder: TableFolder
) -> tuple[Shape | SolidFile | None, tuple[Part, ...], MassProperties]:
    """Shape, parts and mass data of a body from its entries."""
    shape: Shape | SolidFile | None = fields.read("shape", None, _read_solid, names, folder)
    if fields.item("parts") is None:
        return shape, (), _mass_of_piece(fields, names, shape)
    return shape, *_composed_mass(fields, names, folder)


def _mass_of_piece(
    fields: Fields,
    names: Names,
    shape: Shape | SolidFile | None,
    common: Common | None = None,
) -> MassProperties:
    """Mass data of one piece: given, or those of its shape and its mass or density."""
    mass = fields.number("mass", names, "kg")
    centre = fields.vector("centre", names, "m")
    inertia = fields.read("inertia", no_tensor(), _inertia, names)
    faults, given = fields.faults, MassProperties(mass, centre, inertia)
    computed = fields.item("shape") is not None and fields.item("inertia") is None
    if fields.item("density") is not None and not computed:
        problem = say("the density {density} has no shape to fill.", fields.item("density"))
        advice = "Give a shape without an inertia, or leave the density out."
        faults.add(fields.at.fault(problem, advice))
    if not computed or shape is None or faults.found:
        return given
    filled: MassProperties = faults.attempt(given, _filled_mass, shape, fields, names, common)
    return filled if fields.item("centre") is None else replace(filled, centre=centre)


def _composed_mass(
    fields: Fields, names: Names, folder: TableFolder
) -> tuple[tuple[Part, ...], MassProperties]:
    """Mass data of parts that are put together, or taken away where they are `removed`.

    Those without a mass or density of their own have the density of the body, or together its mass.
    """
    for key in ("centre", "inertia", "shape"):
        if fields.item(key) is not None:
            fields.refuse(key)
    weighed, density = fields.item("mass") is not None, fields.item("density")
    if weighed and density is not None:
        fields.refuse("density")
    units: set[str] = set()  # of the density that parts have in common

    def common(unit: str) -> Expr:
        units.add(unit)
        return ONE if density is None else number(density, names, unit)

    shared = common if weighed or density is not None else None
    parts = read_named(fields.item("parts"), fields.faults, _part, names, folder, shared, weighed)
    if len(units) > 1:
        listed_units = ", ".join(sorted(units))
        problem = say("solids, surfaces and lines share no density ({units}).", listed_units)
        advice = "Give each part its own mass or density."
        fields.faults.add(fields.at.fault(problem, advice))
    nothing = MassProperties(ZERO, no_vector(), no_tensor())
    if fields.faults.found or not parts:
        return (), nothing
    signed = [data.scaled(-1) if part.removed else data for part, data in parts.values()]
    total: MassProperties = fields.faults.attempt(nothing, composed, signed)
    if weighed:
        total = total.scaled(fields.number("mass", names, "kg") / total.mass)
    return tuple(part for part, _ in parts.values()), total


def _part(
    name: str,
    item: Item,
    names: Names,
    folder: TableFolder,
    common: Common | None,
    weighed: bool,
) -> tuple[Part, MassProperties]:
    """A part such as `{shape: {cylinder: {radius: r, length: a}}, position: [0, 0, a]}`."""
    fields = Fields(item, "a part", PART_KEYS)
    for key in ("mass", "density", "inertia") if weighed else ():
        if fields.item(key) is not None:
            fields.refuse(key)
    solid = fields.read("shape", None, _read_solid, names, folder)
    data = _mass_of_piece(fields, names, solid, common)
    pose = read_pose(fields, names)
    removed = fields.read("removed", False, yes_or_no)
    fields.faults.raised()
    shape = None if isinstance(solid, SolidFile) else solid
    return Part(shape, pose, removed), data.in_frame(pose.R.matrix, pose.p)


def _inertia(item: Item, names: Names) -> Array:
    """Three moments, [xx, yy, zz, xy, xz, yz], a symmetric matrix, or the letters A … F.

    With letters, products are D = +∫yz dm, E = +∫xz dm, F = +∫xy dm.
    """
    if isinstance(item.value, Mapping):
        return _inertia_by_letters(item, names)
    if isinstance(item.value, str):
        problem = say("inertia: a list of 3 or 6 values is expected, not {item}.", item)
        raise item.fault(
            problem,
            say("Give the moments about x, y and z: [0, 0, {value}], for instance.", item.value),
        )
    rows = listed(item, "inertia", 3, 6)
    if isinstance(rows[0].value, tuple):
        return np.array([vector(row, names, "kg.m^2", "a row of the inertia") for row in rows[:3]])
    return tensor_of((*numbers(rows, names, "kg.m^2"), ZERO, ZERO, ZERO)[:6])


def _inertia_by_letters(item: Item, names: Names) -> Array:
    """The inertia [[A, −F, −E], [−F, B, −D], [−E, −D, C]] of French courses."""
    fields = Fields(item, "an inertia", LETTERS)
    for moment in LETTERS[:3]:
        fields.required(moment, "0.02")
    values = [fields.number(letter, names, "kg.m^2") for letter in LETTERS]
    fields.faults.raised()
    return FrenchForm(*values).inertia


def read_shape(item: Item, names: Names) -> tuple[str, dict[str, Any]]:
    """The name of a solid and its dimensions; directions such as `axis: x` stay texts."""
    from torseur.model.mass.solids import SOLIDS

    shapes = entries(item)
    if len(shapes) != 1:
        problem = say("one shape is expected, but {number} are given.", len(shapes))
        raise item.fault(problem, say("Shapes: {solids}.", ", ".join(SOLIDS)))
    ((written, dimensions),) = shapes.items()
    name = english(written, SOLIDS)
    if name not in SOLIDS:
        raise unknown(str(item.keys[written]), "shape", name, map(shown_key, SOLIDS))
    direction = SOLIDS[name].directed_by
    faults = Faults()
    read: dict[str, Any] = {}
    known = (*SOLIDS[name].parameters, *([direction] if direction else []))
    for word, value in entries(dimensions).items():
        key = english(word, known)
        if key == direction:
            read[key] = faults.attempt("z", text_of, value)
        elif isinstance(value.value, tuple):
            read[key] = faults.attempt(None, numbers, value.value, names, "m")
        else:
            read[key] = faults.attempt(None, number, value, names, "m")
    faults.raised()
    return name, read


def _read_solid(item: Item, names: Names, folder: TableFolder) -> Shape | SolidFile:
    """A solid by its dimensions, or one in a file."""
    return read_solid_file(item, names, folder) or read_shape(item, names)


def _filled_mass(
    shape: Shape | SolidFile, fields: Fields, names: Names, common: Common | None
) -> MassProperties:
    """The mass data of a shape with a mass, or with a density, its own or the common one."""
    from torseur.model.mass.solids import SOLIDS

    density_unit = _VOLUME if isinstance(shape, SolidFile) else SOLIDS[shape[0]].density_unit
    units = {"mass": "kg", "density": plain_unit(density_unit)}
    given: dict[str, Any] = {
        k: fields.number(k, names, unit) for k, unit in units.items() if fields.item(k)
    }
    if not given and common is not None:
        given["density"] = common(units["density"])
    if isinstance(shape, SolidFile):
        return shape.filled(**given, place=str(fields.at.place))
    name, dimensions = shape
    return SOLIDS[name].mass_properties(dimensions, **given, place=str(fields.at.place))
