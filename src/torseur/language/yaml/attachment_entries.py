"""Points of bodies in the YAML form: ends of forces, paths of cables over obstacles and sheaves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO
from torseur.algebra.core.graph import in_array
from torseur.errors import ModelError, all_faults, unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.axes_and_turns import read_axis, read_point
from torseur.language.yaml.body_entries import body_name
from torseur.language.yaml.fields import Fields, listed, number
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND, Point
from torseur.model.forces.protocol import Attachment, Key, Sheave, no_vector
from torseur.model.forces.wrapping import Obstacle, PathPart, Pulley
from torseur.words.entries import shown_key
from torseur.words.sentence import say

Array = np.ndarray
OBSTACLE_KEYS = ("body", "centre", "radius", "axis", "side", "pulley")  # of a cable
SHEAVE = ("sheave", "centre", "axis", "radius", "wrap")


def _attachment(item: Item, of: Scope, names: Names | None = None) -> Attachment:
    """A body and a position, or the name of a point."""
    if isinstance(item.value, str):
        return _named_point(item, of)
    body, point = listed(item, "a body and a position", 2)
    return Attachment(body_name(body, of.bodies), read_point(point, names or of.constant))


def _named_point(item: Item, of: Scope) -> Attachment:
    """A point of the section `points`, by its name."""
    name = text_of(item)
    if name in of.points:
        point = _read(item, of)
        return Attachment(point.body, point.position)
    if name in of.bodies or english(name, (GROUND,)) == GROUND:
        problem = say("a body and a position are expected, not {item}.", item)
        raise item.fault(problem, say("For instance [{body}, [0, 0, 0]].", name))
    body = next(iter(of.bodies), GROUND)
    raise _unknown_point(item, of, say("a body and a position: [{body}, [0, 0, 0]]", body))


def _read(item: Item, of: Scope) -> Point:
    point = of.points[text_of(item)]
    if point is None:
        problem = say("the point {item} is described with an error.", item)
        raise item.fault(problem, say('See the section "{points}".', shown_key("points")))
    return point


def _unknown_point(item: Item, of: Scope, instead: str) -> ModelError:
    fault = unknown(str(item.place), "point", item.value, of.points)
    advice = say(
        'Add it to the section "{points}", or give {instead}.', shown_key("points"), instead
    )
    return ModelError(fault.place, fault.problem, *fault.advice, advice)


def read_point_named(item: Item, of: Scope, key: Key, names: Names | None = None) -> Array:
    """Three coordinates, or the name of a point of the body that is acted on."""
    body, name = of.body_of(key.name), item.value
    if not (body and isinstance(name, str) and name.isidentifier()):
        return read_point(item, names or of.constant)
    if name not in of.points:
        raise _unknown_point(item, of, say("three coordinates: {point}", "[0, 0, 0]"))
    point = _read(item, of)
    if point.body != body:
        problem = say(
            'the point "{name}" is on the body "{body}", not on "{other}".', name, point.body, body
        )
        raise item.fault(problem, "Give a point of this body, or three coordinates.")
    return point.position


def read_ends(item: Item, of: Scope, key: Key) -> tuple[Attachment, Attachment]:
    """The two points between which a force acts, each a body and a position."""
    first, second = listed(item, "the two ends of the force", 2)
    return _attachment(first, of), _attachment(second, of)


def read_path(item: Item, of: Scope, key: Key) -> tuple[Attachment | Sheave, ...]:
    """The points and sheaves that a rope runs through, in their order."""
    points = listed(item, key.name)
    if len(points) < 2:
        raise item.fault(say("a cable runs through two points or more, not {n}.", len(points)))
    return tuple(
        read_sheave(x, of) if isinstance(x.value, Mapping) else _attachment(x, of) for x in points
    )


def read_sheave(item: Item, of: Scope) -> Sheave:
    """A circle of a body that a rope runs over."""
    fields = Fields(item, "a sheave", SHEAVE)
    faults, names = fields.faults, of.constant
    body, radius = fields.required("sheave", "pulley"), fields.required("radius", "0.1 m")
    wrap = fields.required("wrap", "180 deg")
    centre, axis = fields.item("centre"), fields.item("axis")
    if body is None or radius is None or wrap is None:
        raise all_faults(faults.found)
    sheave = Sheave(
        body_name(body, of.bodies),
        no_vector() if centre is None else read_point(centre, names),
        in_array([ZERO, ZERO, ONE]) if axis is None else read_axis(axis, names),
        number(radius, names, of.measured("m")),
        number(wrap, names, of.measured("rad")),
    )
    faults.raised()
    return sheave


def read_wrapped_path(item: Item, of: Scope, key: Key) -> tuple[PathPart, ...]:
    """The points of a cable, obstacles between them, and pulleys."""
    return tuple(_path_part(part, of) for part in listed(item, key.name))


def _path_part(item: Item, of: Scope) -> PathPart:
    if not isinstance(item.value, Mapping):
        return _attachment(item, of)
    fields = Fields(item, "an obstacle", OBSTACLE_KEYS)
    parts, names = fields.item("pulley"), of.constant
    if parts is not None:
        for name in OBSTACLE_KEYS[:-1]:
            if fields.item(name) is not None:
                fields.refuse(name)
        fields.faults.raised()
        return Pulley(number(parts, names, "1"))
    body, radius = fields.required("body", "drum"), fields.required("radius", "0.1")
    axis = fields.read("axis", None, read_axis, names)
    if axis is not None and not any(x is not ZERO for x in axis):
        raise item.fault("the axis of the cylinder is zero.")
    obstacle = Obstacle(
        fields.read("body", "", body_name, of.bodies),
        fields.read("centre", no_vector(), read_point, names),
        ZERO if radius is None else fields.number("radius", names, "m"),
        None if axis is None else axis / np.sqrt(axis @ axis),
        fields.read("side", None, _attachment, of),
    )
    fields.faults.raised()
    assert body is not None, "its absence is an error"
    return obstacle


def read_centre(item: Item, of: Scope, key: Key) -> Attachment:
    """A body and a position, which on the ground may move with time."""
    if isinstance(item.value, str):
        return _named_point(item, of)
    body, _ = listed(item, "a body and a position", 2)
    return _attachment(item, of, of.timed if body_name(body, of.bodies) == GROUND else None)
