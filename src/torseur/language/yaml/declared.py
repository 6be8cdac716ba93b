"""The sections `forces`, `constraints`, `motions`, `contacts`, by the entries classes declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torseur.errors import all_faults
from torseur.language.yaml.entries import Scope, read_entries
from torseur.language.yaml.fields import Faults, Fields, entries
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.friction import require_restitution
from torseur.language.yaml.source import Item
from torseur.model.constraints.catalogue import MOTIONS, constraint_class
from torseur.model.constraints.contact import CONTACTS
from torseur.model.constraints.protocol import Constraint, Declaration, Unilateral
from torseur.model.forces.catalogue import force_class
from torseur.model.forces.protocol import Force
from torseur.words.sentence import Sentence, say


def read_force(name: str, item: Item, scope: Scope) -> Force:
    """A force of a type."""
    made, fields = _typed(item, "a force", "joint", force_class)
    given = read_entries(made.keys, fields, scope)
    force: Force = made(name=name, **given, place=str(item.place))
    return force


def read_constraint(name: str, item: Item, scope: Scope) -> Constraint:
    """A constraint of a type."""
    made, fields = _typed(item, "a constraint", "relation", constraint_class)
    given = read_entries(made.keys, fields, scope)
    constraint: Constraint = made.described(name, given, scope.value, str(item.place))
    return constraint


def read_motion(name: str, item: Item, scope: Scope) -> Constraint:
    """An imposed motion."""
    return _told_by_key(name, item, scope, "a motion", MOTIONS)


def read_contact(name: str, item: Item, scope: Scope) -> Constraint:
    """A contact."""
    made = _told_by_key(name, item, scope, "a contact", CONTACTS)
    holding = made.holding
    if isinstance(holding, Unilateral):
        require_restitution(holding.restitution.coefficient, str(item.place), scope.value)
    return made


def _told_by_key(
    name: str, item: Item, scope: Scope, what: str, classes: list[type[Declaration]]
) -> Constraint:
    """That of the class whose first key is written."""
    every = Fields(item, what, entries(item), Faults())
    named = [made for made in classes[::-1] if every.item(made.keys[0].name) is not None]
    made, meant = (named or classes)[0], named[:1] or classes
    known = dict.fromkeys(key.name for one in meant for key in one.keys)
    fields = Fields(item, what, known, Faults())
    given = read_entries(made.keys, fields, scope)
    return made.described(name, given, scope.value, str(item.place))


def _typed(
    item: Item, what: str, example: str, by_name: Callable[[str, str], Any]
) -> tuple[Any, Fields]:
    """The class that the entry `type` names, and the entries, which are those of its keys."""
    faults = Faults()
    kind = Fields(item, what, entries(item), faults).required("type", example)
    if kind is None:
        raise all_faults(faults.found)
    made = by_name(text_of(kind), str(kind.place))
    known = ("type", *dict.fromkeys(key.name for key in made.keys))
    return made, Fields(
        item, say("{what} of type {name}", Sentence(what, {}), made.names[0]), known, faults
    )
