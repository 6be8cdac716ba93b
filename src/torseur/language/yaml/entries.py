"""The sections `forces`, `constraints`, `motions`, `contacts`, by the entries classes declare.

There is a reader for each kind of entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, symbol
from torseur.errors import all_faults, unknown
from torseur.language.text.expression import Names
from torseur.language.text.measures import TIME
from torseur.language.yaml.attachment_entries import (
    read_centre,
    read_ends,
    read_path,
    read_point_named,
    read_wrapped_path,
)
from torseur.language.yaml.axes_and_turns import (
    alike,
    one_or_two,
    read_axis,
    read_point,
    read_rotation,
)
from torseur.language.yaml.body_entries import body_name
from torseur.language.yaml.fields import (
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
from torseur.language.yaml.friction_entries import (
    read_friction,
    read_patch,
    read_resistance,
    read_restitution,
    require_restitution,
)
from torseur.language.yaml.number_entries import (
    read_factors,
    read_imu_errors,
    read_number,
    read_six_tensor,
    read_tensor,
    read_two_constants,
    read_vector,
)
from torseur.language.yaml.point_tables import read_mesh
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.constraints.catalogue import MOTIONS, constraint_class
from torseur.model.constraints.contact import CONTACTS
from torseur.model.constraints.protocol import Constraint, ConstraintInput, Declaration, Unilateral
from torseur.model.contact.reactions import reaction_names
from torseur.model.description import GROUND, Joint
from torseur.model.forces.catalogue import force_class
from torseur.model.forces.protocol import (
    SHARED,
    Force,
    Key,
    Kind,
)
from torseur.model.sensors import Sensor, sensor_class
from torseur.spatial.pose import Pose
from torseur.words.sentence import Sentence, say

Array = np.ndarray
_FRAMES = (GROUND, "body")  # that components of a wrench may be in


def varying(constant: Names, states: Mapping[str, str]) -> Names:
    """The names that have a meaning in a force: parameters, coordinates, speeds and time."""
    moving = {name: symbol(name, kind) for name, kind in states.items()}
    return replace(constant.also({**moving, TIME: symbol(TIME, "time")}), implied=True)


def read_entries(keys: Iterable[Key], fields: Fields, scope: Scope) -> dict[str, Any]:
    """Values of the relevant entries by the fields of the class; all errors are raised."""
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


def _body_names(item: Item, of: Scope, key: Key) -> tuple[str, ...]:
    """The bodies of `all` (none listed), of a body or of a list of bodies."""
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


# --- the readers of all kinds ---------------------------------------------------------------------


READERS: dict[Kind, Callable[[Item, Scope, Key], Any]] = {
    Kind.CONSTANT: lambda item, of, key: read_number(item, of, key, of.constant),
    Kind.TWO_CONSTANTS: read_two_constants,
    Kind.THREE_CONSTANTS: lambda item, of, key: tuple(
        vector(item, of.constant, of.measured(key.unit), key.name)
    ),
    Kind.FOUR_CONSTANTS: lambda item, of, key: tuple(
        numbers(listed(item, key.name, 4), of.constant, key.unit)
    ),
    Kind.VARYING: lambda item, of, key: read_number(item, of, key, of.varying),
    Kind.VECTOR: read_vector,
    Kind.TENSOR: read_tensor,
    Kind.SIX_TENSOR: read_six_tensor,
    Kind.ROTATION: lambda item, of, key: read_rotation(item, of.constant),
    Kind.TIMED: lambda item, of, key: number(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_VECTOR: lambda item, of, key: vector(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_ROTATION: lambda item, of, key: read_rotation(item, of.timed),
    Kind.FACTORS: read_factors,
    Kind.POINT: read_point_named,
    Kind.MOVING_POINT: lambda item, of, key: read_point_named(item, of, key, of.varying),
    Kind.POINTS: lambda item, of, key: tuple(
        read_point(part, of.constant) for part in listed(item, key.name)
    ),
    Kind.TWO_POINTS: lambda item, of, key: one_or_two(item, of.constant, read_point),
    Kind.PLACE: lambda item, of, key: Pose(read_point(item, of.constant)),
    Kind.DIRECTION: lambda item, of, key: read_axis(item, of.constant),
    Kind.ENDS: read_ends,
    Kind.PATH: read_path,
    Kind.WRAPPED_PATH: read_wrapped_path,
    Kind.CENTRE: read_centre,
    Kind.BODY: lambda item, of, key: body_name(item, of.bodies),
    Kind.BODIES: _body_names,
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
    Kind.CONTACT: lambda item, of, key: known_name(item, "contact", of.contacts),
    Kind.IMU_ERRORS: read_imu_errors,
    Kind.FLAG: lambda item, of, key: yes_or_no(item),
}


# --- the sections `forces`, `constraints`, `motions` and `contacts` -----------------------------


def with_reactions(top: Fields, scope: Scope) -> Scope:
    """The scope of forces: also reactions whose names are not used otherwise."""
    if not top.declared("forces"):
        return scope
    sections = (top.declared(name) for name in ("joints", "contacts", "constraints"))
    known = scope.varying.known
    reactions = {n: x for n, x in reaction_names(*sections).items() if n not in known}
    names = scope.varying.also({name: x for name, (x, _) in reactions.items()})
    units = {name: unit or None for name, (_, unit) in reactions.items()}
    return replace(scope, varying=replace(names, units_of=units))


def read_force(name: str, item: Item, scope: Scope) -> Force:
    """A force of a type."""
    kind, fields = class_and_fields(item, "a force", "joint", force_class)
    given = read_entries(kind.keys, fields, scope)
    force: Force = kind(name=name, **given, place=str(item.place))
    return force


def read_sensor(name: str, item: Item, scope: Scope) -> Sensor:
    """A sensor of a type."""
    kind, fields = class_and_fields(item, "a sensor", "imu", sensor_class)
    given = read_entries(kind.keys, fields, scope)
    sensor: Sensor = kind(name=name, **given, place=str(item.place))
    return sensor


def read_constraint(name: str, item: Item, scope: Scope) -> Constraint:
    """A constraint of a type."""
    kind, fields = class_and_fields(item, "a constraint", "relation", constraint_class)
    return _constraint_of(kind, name, fields, scope)


def _constraint_of(kind: type[Declaration], name: str, fields: Fields, scope: Scope) -> Constraint:
    given = read_entries(kind.keys, fields, scope)
    return kind.described(name, ConstraintInput(given, scope.constant.value, str(fields.at.place)))


def read_motion(name: str, item: Item, scope: Scope) -> Constraint:
    """An imposed motion."""
    return _by_first_key(name, item, scope, "a motion", MOTIONS)


def read_contact(name: str, item: Item, scope: Scope) -> Constraint:
    """A contact."""
    contact = _by_first_key(name, item, scope, "a contact", CONTACTS)
    holding = contact.holding
    if isinstance(holding, Unilateral):
        require_restitution(holding.restitution, item, scope.constant)
        if holding.restitution.tangential is not ZERO and holding.friction is None:
            problem = say("a tangential restitution acts by friction, and there is none.")
            raise item.fault(problem, "Give a coefficient: friction: 0.6.")
    return contact


def _by_first_key(
    name: str, item: Item, scope: Scope, what: str, classes: list[type[Declaration]]
) -> Constraint:
    """The constraint of the class whose first key is written."""
    all_fields = Fields(item, what, entries(item))
    named = [kind for kind in classes[::-1] if all_fields.item(kind.keys[0].name) is not None]
    kind, candidates = (named or classes)[0], named[:1] or classes
    known = dict.fromkeys(key.name for one in candidates for key in one.keys)
    return _constraint_of(kind, name, Fields(item, what, known), scope)


def class_and_fields(
    item: Item, what: str, example: str, by_name: Callable[[str, str], Any]
) -> tuple[Any, Fields]:
    """The class that the entry `type` names, and the entries, which are those of its keys."""
    all_fields = Fields(item, what, entries(item))
    kind = all_fields.required("type", example)
    if kind is None:
        raise all_faults(all_fields.faults.found)
    written = text_of(kind)
    kind_class = by_name(written, str(kind.place))
    known = ("type", *dict.fromkeys(key.name for key in kind_class.keys))
    called = say("{what} of type {name}", Sentence(what, {}), written)
    return kind_class, Fields(item, called, known, all_fields.faults)
