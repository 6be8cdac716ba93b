"""The sections `forces` and `frame`: what acts on a mechanism besides its motors.

The entries of a force are those that its class declares; here each kind of entry has its reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import free_symbols
from torseur.errors import all_faults, unknown
from torseur.language.yaml.actions import Actors, joint_name
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import read_point
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    number,
    numbers,
    read_parts,
    vector,
)
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.source import Item
from torseur.model.description import GROUND
from torseur.model.forces.catalogue import force_class
from torseur.model.forces.protocol import Attachment, Force, Key, Kind
from torseur.model.joints.catalogue import plain
from torseur.model.moving_frame import MovingFrame, geocentric, laboratory
from torseur.words.sentence import say

Array = np.ndarray
FRAME = ("rotation", "acceleration", "entrainment", "preset", "latitude")
PRESETS = ("laboratory", "laboratoire", "geocentric", "géocentrique")


def read_forces(item: Item | None, actors: Actors, faults: Faults) -> dict[str, Force]:
    """The forces of a model; those with faults are left out."""
    return read_parts(item, faults, _force, actors)


def _force(name: str, item: Item, actors: Actors) -> Force:
    faults = Faults()
    kind = Fields(item, "a force", entries(item), faults).required("type", "joint")
    if kind is None:
        raise all_faults(faults.found)
    made: Any = force_class(text_of(kind), str(kind.place))
    known = ("type", *(key.name for key in made.keys))
    fields = Fields(item, f"a force of type {made.names[0]}", known, faults)
    given: dict[str, Any] = {}
    for key in made.keys:
        found = fields.required(key.name, key.example) if key.example else fields.item(key.name)
        if found is not None:
            given[key.attribute] = faults.attempt(None, READERS[key.kind], found, actors, key)
        if key.kind in (Kind.JOINT, Kind.COORDINATE):
            actors = actors.on(given.get("joint") or "", given.get("coordinate") or "")
    faults.raised()
    return made(name=name, **given, place=str(item.place))


# --- the kinds of entries -----------------------------------------------------------------------


def _constant(item: Item, actors: Actors, key: Key) -> Expr:
    return number(item, actors.constant, actors.measured(key.unit))


def _varying(item: Item, actors: Actors, key: Key) -> Expr:
    """An expression; the names that have a meaning in this entry only hide no other."""
    own = {name: x for name, x, _ in key.local}
    units = {name: actors.measured(unit) for name, _, unit in key.local}
    names = replace(actors.varying.also(own), units_of=units)
    value = number(item, names, actors.measured(key.unit))
    used = {x.key for x in free_symbols(value)}
    for name, x in own.items():
        if name in actors.varying.known and x.key in used:
            problem = say(
                '"{name}" has a meaning of its own here, and is a name of the model too.', name
            )
            raise item.fault(problem, say('Rename the parameter or the coordinate "{name}".', name))
    return value


def _vector(item: Item, actors: Actors, key: Key) -> Array:
    return vector(item, actors.varying, actors.measured(key.unit), key.name)


def _tensor(item: Item, actors: Actors, key: Key) -> Array:
    """One value, three on the diagonal, or three rows."""
    names, unit = actors.constant, key.unit
    if isinstance(item.value, str):
        same = number(item, names, unit)
        return _diagonal([same] * 3)
    rows = listed(item, key.name, 3)
    if isinstance(rows[0].value, tuple):
        return np.array([vector(row, names, unit, f"a row of {key.name}") for row in rows])
    return _diagonal(numbers(rows, names, unit))


def _diagonal(values: Any) -> Array:
    rows = [[values[i] if i == j else ZERO for j in range(3)] for i in range(3)]
    return np.array(rows, dtype=object)


def _point(item: Item, actors: Actors, key: Key) -> Array:
    return read_point(item, actors.constant)


def _ends(item: Item, actors: Actors, key: Key) -> tuple[Attachment, Attachment]:
    """The two points between which a force acts, each a body and a position."""
    first, second = listed(item, "the two ends of the force", 2)
    return _attachment(first, actors), _attachment(second, actors)


def _attachment(item: Item, actors: Actors) -> Attachment:
    body, point = listed(item, "a body and a position", 2)
    return Attachment(body_name(body, actors.bodies), read_point(point, actors.constant))


def _centre(item: Item, actors: Actors, key: Key) -> Attachment:
    """A body and a position, which on the ground may move with time."""
    body, point = listed(item, "a body and a position", 2)
    name = body_name(body, actors.bodies)
    names = actors.timed if name == GROUND else actors.constant
    return Attachment(name, read_point(point, names))


def _body(item: Item, actors: Actors, key: Key) -> str:
    return body_name(item, actors.bodies)


def _movable(item: Item, actors: Actors) -> str:
    """A body that has mass data: any but the ground."""
    name = body_name(item, actors.bodies)
    if name == GROUND:
        raise item.fault(say('the body "{name}" has no mass that could be attracted.', name))
    return name


def _bodies(item: Item, actors: Actors, key: Key) -> tuple[str, ...]:
    """`all`, which is nobody in particular, a body or a list of bodies."""
    if item.value == "all" and "all" not in actors.bodies:
        return ()
    several = item.value if isinstance(item.value, tuple) else (item,)
    return tuple(_movable(one, actors) for one in several)


def _pair(item: Item, actors: Actors, key: Key) -> tuple[str, str]:
    first, second = listed(item, "two bodies", 2)
    return _movable(first, actors), _movable(second, actors)


def _joint(item: Item, actors: Actors, key: Key) -> str:
    return joint_name(item, actors)


def _coordinate(item: Item, actors: Actors, key: Key) -> str:
    return text_of(item)


def _axes(item: Item, actors: Actors, key: Key) -> bool:
    """Whether the components are in body axes."""
    if item.value not in ("ground", "body"):
        raise item.fault(
            say("the frame {item} does not exist.", item), "Frames of a wrench: ground, body."
        )
    return item.value == "body"


READERS: dict[Kind, Callable[[Item, Actors, Key], Any]] = {
    Kind.CONSTANT: _constant,
    Kind.VARYING: _varying,
    Kind.VECTOR: _vector,
    Kind.TENSOR: _tensor,
    Kind.POINT: _point,
    Kind.ENDS: _ends,
    Kind.CENTRE: _centre,
    Kind.BODY: _body,
    Kind.BODIES: _bodies,
    Kind.PAIR: _pair,
    Kind.JOINT: _joint,
    Kind.COORDINATE: _coordinate,
    Kind.AXES: _axes,
}


# --- a ground that moves ------------------------------------------------------------------------


def read_frame(item: Item, actors: Actors) -> MovingFrame:
    """How the ground moves: a preset, or its rotation and the acceleration of its origin."""
    faults = Faults()
    fields = Fields(item, "a frame", FRAME, faults)
    preset = fields.read("preset", None, _preset, fields, actors)
    made = preset or MovingFrame(
        fields.vector("rotation", actors.timed, "rad/s"),
        fields.vector("acceleration", actors.timed, "m/s^2"),
    )
    entrained = fields.read("entrainment", made.entrainment, _yes_or_no)
    faults.raised()
    return MovingFrame(made.rotation, made.acceleration, entrained, str(item.place))


def _preset(item: Item, fields: Fields, actors: Actors) -> MovingFrame:
    for key in ("rotation", "acceleration"):
        given = fields.item(key)
        if given is not None:
            problem = say("the {key} is given besides the preset {item}.", key, item)
            raise given.fault(problem, "Keep one of them.")
    name = plain(text_of(item))
    if name == "geocentric" or name == "geocentrique":
        return geocentric()
    if name not in ("laboratory", "laboratoire"):
        raise unknown(str(item.place), "preset", text_of(item), PRESETS)
    latitude = fields.required("latitude", "48.85 deg")
    return laboratory(ZERO if latitude is None else number(latitude, actors.constant, "rad"))


def _yes_or_no(item: Item) -> bool:
    if item.value not in ("yes", "no", "true", "false", "True", "False"):
        raise item.fault(say("yes or no is expected, not {item}.", item))
    return item.value in ("yes", "true", "True")
