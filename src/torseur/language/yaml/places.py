"""Points of bodies as entries: a body and a position, or the name of a point."""

from __future__ import annotations

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import read_point
from torseur.language.yaml.fields import listed
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND, Point
from torseur.model.forces.protocol import Attachment, Key
from torseur.words.entries import shown_key
from torseur.words.sentence import say

Array = np.ndarray


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
    if _is_body(name, of):
        problem = say("a body and a position are expected, not {item}.", item)
        raise item.fault(problem, say("For instance [{body}, [0, 0, 0]].", name))
    raise _unknown_point(item, of, say("a body and a position: [{body}, [0, 0, 0]]", _a_body(of)))


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


def read_point_named(item: Item, of: Scope, key: Key) -> Array:
    """Three coordinates, or the name of a point of the body that is acted on."""
    body, name = of.body_of(key.name), item.value
    if not (body and isinstance(name, str) and name.isidentifier()):
        return read_point(item, of.constant)
    if name not in of.points:
        raise _unknown_point(item, of, say("three coordinates: {point}", "[0, 0, 0]"))
    point = _read(item, of)
    if point.body != body:
        problem = say(
            'the point "{name}" is on the body "{body}", not on "{other}".', name, point.body, body
        )
        raise item.fault(problem, "Give a point of this body, or three coordinates.")
    return point.position


def _is_body(name: str, of: Scope) -> bool:
    return name in of.bodies or english(name, (GROUND,)) == GROUND


def _a_body(of: Scope) -> str:
    return next(iter(of.bodies), GROUND)


def read_ends(item: Item, of: Scope, key: Key) -> tuple[Attachment, Attachment]:
    """The two points between which a force acts, each a body and a position."""
    first, second = listed(item, "the two ends of the force", 2)
    return _attachment(first, of), _attachment(second, of)


def read_centre(item: Item, of: Scope, key: Key) -> Attachment:
    """A body and a position, which on the ground may move with time."""
    if isinstance(item.value, str):
        return _named_point(item, of)
    body, _ = listed(item, "a body and a position", 2)
    return _attachment(item, of, of.timed if body_name(body, of.bodies) == GROUND else None)
