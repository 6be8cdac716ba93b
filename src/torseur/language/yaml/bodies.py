"""The sections `bodies`, `frames` and `points`: mass data, given or from a shape; places."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import expressions
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.directions import read_pose
from torseur.language.yaml.fields import Fields, listed, vector
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.mass_data import GIVEN, read_mass, read_shape
from torseur.language.yaml.mistakes import ground_meant
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND, Body, Frame, Mesh, Part, Point, Shape
from torseur.spatial.vectors import Array
from torseur.words.entries import shown_key
from torseur.words.sentence import say

KEYS = (*GIVEN, "parts", "accept", "meshes", "visuals", "collision")
MESH_KEYS = ("file", "position", "rotation", "scale")
VISUAL_KEYS = ("shape", "position", "rotation")
COLLISION_KEYS = ("shape", "hull", "position", "rotation")
FRAME_KEYS = ("body", "position", "rotation")
FEWEST_POINTS, MOST_POINTS = 4, 64  # of a hull


def read_body(name: str, item: Item, names: Names) -> Body:
    """A body: its mass data, or its shape or parts and their mass or density."""
    if english(name, (GROUND,)) == GROUND:
        problem = say('the body "{ground}" always exists and has no data.', name)
        raise item.fault(problem, "Leave it out.")
    fields = Fields(item, "a body", KEYS)
    shape, parts, mass = read_mass(fields, names)
    accept: tuple[str, ...] = fields.read("accept", (), _accepted)
    meshes: tuple[Mesh, ...] = fields.read("meshes", (), _meshes, names)
    visuals: tuple[Part, ...] = fields.read("visuals", (), _visuals, names)
    collision: tuple[Part, ...] = fields.read("collision", (), _collision, names)
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


def _meshes(item: Item, names: Names) -> tuple[Mesh, ...]:
    """Surfaces in files, such as `[{file: arm.stl, position: [0, 0, 0.1]}]`."""
    return tuple(_mesh(part, names) for part in listed(item, "meshes"))


def _mesh(item: Item, names: Names) -> Mesh:
    fields = Fields(item, "a mesh", MESH_KEYS)
    fields.required("file", "meshes/arm.stl")
    pose = read_pose(fields, names)
    scale = fields.vector("scale", names, "1") if fields.item("scale") else ()
    fields.faults.raised()
    return Mesh(fields.text("file"), pose, tuple(scale))


def _visuals(item: Item, names: Names) -> tuple[Part, ...]:
    """Solids to draw, such as `[{shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}]`."""
    return tuple(_visual(part, names) for part in listed(item, "visuals"))


def _visual(item: Item, names: Names) -> Part:
    fields = Fields(item, "a visual", VISUAL_KEYS)
    fields.required("shape", "{box: {size: [0.1, 0.1, 0.2]}}")
    shape = fields.read("shape", None, _sized, names)
    pose = read_pose(fields, names)
    fields.faults.raised()
    assert shape is not None, "a shape that cannot be read is a fault"
    return Part(shape, pose)


def _collision(item: Item, names: Names) -> tuple[Part, ...]:
    """Solids that touch, such as `[{shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}]`."""
    return tuple(_touching(part, names) for part in listed(item, "solids"))


def _touching(item: Item, names: Names) -> Part:
    """A solid, or the hull of points."""
    fields = Fields(item, "a solid", COLLISION_KEYS)
    shape = fields.read("shape", None, _sized, names)
    points: tuple[Array, ...] = fields.read("hull", (), _points, names)
    pose = read_pose(fields, names)
    fields.faults.raised()
    if (shape is None) == (not points):
        problem = say("one of shape and hull is expected.")
        raise item.fault(
            problem, "Example: {shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}"
        )
    return Part(shape or ("hull", {"points": points}), pose)


def _points(item: Item, names: Names) -> tuple[Array, ...]:
    """At least four points, at most as many as a hull may have."""
    found = listed(item, "points")
    if not FEWEST_POINTS <= len(found) <= MOST_POINTS:
        problem = say(
            "a hull has {least} to {most} points, not {number}.",
            FEWEST_POINTS,
            MOST_POINTS,
            len(found),
        )
        raise item.fault(problem, "Leave out points inside, or take several hulls.")
    return tuple(vector(part, names, "m") for part in found)


def _sized(item: Item, names: Names) -> Shape:
    """A shape that has its dimensions, and no others."""
    from torseur.model.mass.solids import SOLIDS

    name, dimensions = read_shape(item, names)
    SOLIDS[name].checked(dimensions, place=str(item.place))
    return name, dimensions


def _accepted(item: Item) -> tuple[str, ...]:
    """The kinds of fault in the mass data that the user lets pass."""
    from torseur.model.mass.validity import KINDS

    kinds = tuple(english(text_of(part), KINDS) for part in listed(item, "kinds of fault"))
    for kind in kinds:
        if kind not in KINDS:
            raise unknown(str(item.place), "kind of fault", kind, map(shown_key, KINDS))
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
