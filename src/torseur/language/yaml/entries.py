"""The sections `forces`, `constraints`, `motions`, `contacts`, by the entries classes declare.

There is a reader for each kind of entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.dimensions import DimensionForm
from torseur.errors import all_faults, unknown
from torseur.language.text.expression import Names
from torseur.language.text.measures import TIME
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import alike, one_or_two, read_axis, read_point, read_rotation
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    number,
    numbers,
    option,
    vector,
    yes_or_no,
)
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.friction import (
    read_friction,
    read_patch,
    read_resistance,
    read_restitution,
    require_restitution,
)
from torseur.language.yaml.places import read_centre, read_ends, read_point_named
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.language.yaml.tables import read_mesh
from torseur.language.yaml.translated_keys import english
from torseur.model.constraints.catalogue import MOTIONS, constraint_class
from torseur.model.constraints.contact import CONTACTS
from torseur.model.constraints.protocol import Constraint, Declaration, Given, Unilateral
from torseur.model.description import GROUND, Joint
from torseur.model.forces.catalogue import force_class
from torseur.model.forces.protocol import (
    OF_COORDINATE,
    SHARED,
    Force,
    Key,
    Kind,
)
from torseur.spatial.pose import Pose
from torseur.words.sentence import Sentence, say

Array = np.ndarray
_FRAMES = (GROUND, "body")  # that components of a wrench may be in


def varying(constant: Names, states: Mapping[str, str]) -> Names:
    """The names that have a meaning in a force: parameters, coordinates, speeds and time."""
    moving = {name: symbol(name, kind) for name, kind in states.items()}
    return replace(constant.also({**moving, TIME: symbol(TIME, "time")}), implied=True)


def read_entries(keys: Iterable[Key], fields: Fields, scope: Scope) -> dict[str, Any]:
    """What the entries that count give, by the fields of the class; every fault is raised."""
    if any(key.unit == SHARED for key in keys):
        scope = replace(scope, shared=alike(scope.varying))
    items = {key.name: fields.item(key.name) for key in keys}
    written = {name: item.value for name, item in items.items() if item is not None}
    given: dict[str, Any] = {}
    counting = [key for key in keys if key.when is None or key.when(written)]
    for name in written:
        if name not in [key.name for key in counting]:
            fields.refuse(name)
    for key in counting:
        item = fields.required(key.name, key.example) if key.example else items[key.name]
        if item is not None:
            given[key.attribute] = fields.faults.attempt(None, READERS[key.kind], item, scope, key)
        if key.kind in (Kind.JOINT, Kind.COORDINATE):
            scope = scope.on(given.get("joint") or "", given.get("coordinate") or "")
        elif key.kind is Kind.ANY_COORDINATE:
            scope = replace(scope, acting=given.get(key.attribute) or "")
        elif key.kind is Kind.BODY:
            scope = replace(scope, body=given.get(key.attribute) or "")
        elif key.kind is Kind.PAIR:
            scope = replace(scope, pair=given.get(key.attribute) or ())
    fields.faults.raised()
    return given


# --- numbers ------------------------------------------------------------------------------------


def _expression(item: Item, of: Scope, key: Key, known: Names) -> Expr:
    """An expression; the names that have a meaning in this entry only hide no other."""
    if not key.local:
        return number(item, known, of.measured(key.unit))
    own = {name: x for name, x, _ in key.local}
    units = {name: of.measured(unit) for name, _, unit in key.local}
    names = replace(known.also(own), units_of={**known.units_of, **units})
    value = number(item, names, of.measured(key.unit))
    used = {x.key for x in free_symbols(value)}
    for name, x in own.items():
        if name in known.known and x.key in used:
            problem = say(
                '"{name}" has a meaning of its own here, and is a name of the model too.', name
            )
            raise item.fault(problem, say('Rename the parameter or the coordinate "{name}".', name))
    return value


def _tensor(item: Item, of: Scope, key: Key) -> Array:
    """One value, three on the diagonal, or three rows."""
    names, unit = of.constant, key.unit
    if isinstance(item.value, str):
        return _diagonal([number(item, names, unit)] * 3)
    rows = listed(item, key.name, 3)
    if isinstance(rows[0].value, tuple):
        return np.array([vector(row, names, unit, f"a row of {key.name}") for row in rows])
    return _diagonal(numbers(rows, names, unit))


def _diagonal(values: Any) -> Array:
    rows = [[values[i] if i == j else ZERO for j in range(3)] for i in range(3)]
    return np.array(rows, dtype=object)


def _two_constants(item: Item, of: Scope, key: Key) -> tuple[Expr, Expr]:
    units = (key.unit.split() * 2)[:2]
    parts = zip(listed(item, key.name, 2), units, strict=True)
    first, second = (number(x, of.constant, of.measured(unit)) for x, unit in parts)
    return first, second


def _factors(item: Item, of: Scope, key: Key) -> list[tuple[str, Expr]]:
    found, faults, whole = [], Faults(), of.measured(key.unit)
    for name, factor in entries(item).items():
        if name not in of.coordinates:
            raise unknown(str(item.keys[name]), "coordinate", name, of.coordinates)
        own = replace(of, acting=name).measured(OF_COORDINATE)
        unit = None
        if isinstance(whole, DimensionForm) and isinstance(own, DimensionForm):
            unit = whole * own**-1
        found.append((name, faults.attempt(ZERO, number, factor, of.constant, unit)))
    faults.raised()
    return found


# --- names --------------------------------------------------------------------------------------


def known_name(item: Item, kind: str, names: Collection[str]) -> str:
    """A name that something bears."""
    if text_of(item) not in names:
        raise unknown(str(item.place), kind, text_of(item), names)
    return text_of(item)


def _movable(item: Item, of: Scope) -> str:
    """A body that has mass data: any but the ground."""
    name = body_name(item, of.bodies)
    if name == GROUND:
        raise item.fault(say('the body "{name}" has no mass that could be attracted.', name))
    return name


def _bodies(item: Item, of: Scope, key: Key) -> tuple[str, ...]:
    """`all`, which is nobody in particular, a body or a list of bodies."""
    named = item.value if isinstance(item.value, str) else ""
    if named not in of.bodies and english(named, ("all",)) == "all":
        return ()
    several = item.value if isinstance(item.value, tuple) else (item,)
    return tuple(_movable(one, of) for one in several)


def _joints(item: Item, of: Scope, key: Key) -> tuple[Joint, ...]:
    parts = listed(item, "the joints of the two wheels", 2)
    return tuple(of.joints[known_name(part, "joint", of.joints)] for part in parts)


def _axes(item: Item, of: Scope, key: Key) -> bool:
    """Whether the components are in body axes."""
    word = english(text_of(item), _FRAMES)
    if word not in _FRAMES:
        raise item.fault(
            say("the frame {item} does not exist.", item), "Frames of a wrench: ground, body."
        )
    return word == "body"


READERS: dict[Kind, Callable[[Item, Scope, Key], Any]] = {
    Kind.CONSTANT: lambda item, of, key: _expression(item, of, key, of.constant),
    Kind.TWO_CONSTANTS: _two_constants,
    Kind.THREE_CONSTANTS: lambda item, of, key: tuple(
        vector(item, of.constant, of.measured(key.unit), key.name)
    ),
    Kind.VARYING: lambda item, of, key: _expression(item, of, key, of.varying),
    Kind.VECTOR: lambda item, of, key: vector(item, of.varying, of.measured(key.unit), key.name),
    Kind.TENSOR: _tensor,
    Kind.TIMED: lambda item, of, key: number(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_VECTOR: lambda item, of, key: vector(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_ROTATION: lambda item, of, key: read_rotation(item, of.timed),
    Kind.FACTORS: _factors,
    Kind.POINT: read_point_named,
    Kind.POINTS: lambda item, of, key: tuple(
        read_point(part, of.constant) for part in listed(item, key.name)
    ),
    Kind.TWO_POINTS: lambda item, of, key: one_or_two(item, of.constant, read_point),
    Kind.PLACE: lambda item, of, key: Pose(read_point(item, of.constant)),
    Kind.DIRECTION: lambda item, of, key: read_axis(item, of.constant),
    Kind.ENDS: read_ends,
    Kind.CENTRE: read_centre,
    Kind.BODY: lambda item, of, key: body_name(item, of.bodies),
    Kind.BODIES: _bodies,
    Kind.PAIR: lambda item, of, key: tuple(
        body_name(part, of.bodies) for part in listed(item, key.name, 2)
    ),
    Kind.PAIRS: lambda item, of, key: tuple(
        tuple(body_name(part, of.bodies) for part in listed(pair, "two bodies", 2))
        for pair in listed(item, key.name)
    ),
    Kind.TWO_MASSES: lambda item, of, key: tuple(
        _movable(part, of) for part in listed(item, "two bodies", 2)
    ),
    Kind.JOINT: lambda item, of, key: known_name(item, "joint", of.freedoms),
    Kind.TWO_JOINTS: _joints,
    Kind.COORDINATE: lambda item, of, key: text_of(item),
    Kind.ANY_COORDINATE: lambda item, of, key: known_name(item, "coordinate", of.coordinates),
    Kind.AXES: _axes,
    Kind.WORD: lambda item, of, key: option(item, key.called, key.options),
    Kind.MESH: lambda item, of, key: read_mesh(item, of.folder),
    Kind.FRICTION: lambda item, of, key: read_friction(item, of.constant),
    Kind.RESISTANCE: lambda item, of, key: read_resistance(item, of.constant),
    Kind.RESTITUTION: lambda item, of, key: read_restitution(item, of.constant),
    Kind.PATCH: lambda item, of, key: read_patch(item, of.constant),
    Kind.FLAG: lambda item, of, key: yes_or_no(item),
}


# --- the sections `forces`, `constraints`, `motions` and `contacts` -----------------------------


def read_force(name: str, item: Item, scope: Scope) -> Force:
    """A force of a type."""
    made, fields = _typed(item, "a force", "joint", force_class)
    given = read_entries(made.keys, fields, scope)
    force: Force = made(name=name, **given, place=str(item.place))
    return force


def read_constraint(name: str, item: Item, scope: Scope) -> Constraint:
    """A constraint of a type."""
    made, fields = _typed(item, "a constraint", "relation", constraint_class)
    return _described(made, name, fields, scope)


def _described(made: type[Declaration], name: str, fields: Fields, scope: Scope) -> Constraint:
    given = read_entries(made.keys, fields, scope)
    return made.described(name, Given(given, scope.constant.value, str(fields.at.place)))


def read_motion(name: str, item: Item, scope: Scope) -> Constraint:
    """An imposed motion."""
    return _told_by_key(name, item, scope, "a motion", MOTIONS)


def read_contact(name: str, item: Item, scope: Scope) -> Constraint:
    """A contact."""
    made = _told_by_key(name, item, scope, "a contact", CONTACTS)
    holding = made.holding
    if isinstance(holding, Unilateral):
        require_restitution(holding.restitution, item, scope.constant)
    return made


def _told_by_key(
    name: str, item: Item, scope: Scope, what: str, classes: list[type[Declaration]]
) -> Constraint:
    """That of the class whose first key is written."""
    every = Fields(item, what, entries(item))
    named = [made for made in classes[::-1] if every.item(made.keys[0].name) is not None]
    made, meant = (named or classes)[0], named[:1] or classes
    known = dict.fromkeys(key.name for one in meant for key in one.keys)
    return _described(made, name, Fields(item, what, known), scope)


def _typed(
    item: Item, what: str, example: str, by_name: Callable[[str, str], Any]
) -> tuple[Any, Fields]:
    """The class that the entry `type` names, and the entries, which are those of its keys."""
    every = Fields(item, what, entries(item))
    kind = every.required("type", example)
    if kind is None:
        raise all_faults(every.faults.found)
    written = text_of(kind)
    made = by_name(written, str(kind.place))
    known = ("type", *dict.fromkeys(key.name for key in made.keys))
    called = say("{what} of type {name}", Sentence(what, {}), written)
    return made, Fields(item, called, known, every.faults)
