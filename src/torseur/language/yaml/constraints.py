"""The sections `constraints` and `motions`.

The entries of a constraint are those that its class declares; here each kind of entry has its
reader.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.forms.dimensions import DimensionForm
from torseur.errors import all_faults, unknown
from torseur.language.text.expression import TIME, Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import alike, one_or_two, read_axis, read_point
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    entries,
    listed,
    number,
    read_parts,
    vector,
)
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.rotations import read_rotation
from torseur.language.yaml.source import Item
from torseur.model.constraints.catalogue import MOTIONS, constraint_class
from torseur.model.constraints.protocol import Constraint, Declaration
from torseur.model.description import Joint
from torseur.model.forces.protocol import OF_COORDINATE, SHARED, Key, Kind
from torseur.model.joints.catalogue import plain
from torseur.model.values.numbers import Values
from torseur.spatial.pose import Pose


@final
@dataclass(frozen=True)
class Restrained:
    """What constraints and motions may speak of."""

    bodies: Collection[str]
    joints: Mapping[str, Joint]
    coordinates: Collection[str]
    constant: Names  # parameters
    varying: Names  # and coordinates, speeds and time
    value: Values
    defined: Mapping[str, Expr] = field(default_factory=dict)  # definitions of t and parameters
    shared: Expected = None  # the unit that entries of one constraint have in common
    chosen: str = ""  # the coordinate that it names

    @property
    def timed(self) -> Names:
        """Parameters and time."""
        return self.constant.also({**self.defined, TIME: symbol(TIME, "time")})

    def measured(self, unit: str) -> Expected:
        """What a unit stands for."""
        if unit == SHARED:
            return self.shared
        return self.of_coordinate(self.chosen) if unit == OF_COORDINATE else unit or None

    def of_coordinate(self, name: str) -> DimensionForm | None:
        """The unit of a coordinate."""
        measures = self.varying.measures
        return None if measures is None or not name else measures.symbols.of_symbol(name)


def read_constraints(
    item: Item | None, restrained: Restrained, faults: Faults
) -> dict[str, Constraint]:
    """The constraints of a model; those with faults are left out."""
    return read_parts(item, faults, _constraint, restrained)


def _constraint(name: str, item: Item, restrained: Restrained) -> Constraint:
    faults = Faults()
    kind = Fields(item, "a constraint", entries(item), faults).required("type", "relation")
    if kind is None:
        raise all_faults(faults.found)
    made = constraint_class(text_of(kind), str(kind.place))
    known = ("type", *dict.fromkeys(key.name for key in made.keys))
    fields = Fields(item, f"a constraint of type {made.names[0]}", known, faults)
    return _described(made, name, fields, restrained)


def read_motions(
    item: Item | None, restrained: Restrained, faults: Faults
) -> dict[str, Constraint]:
    """The imposed motions of a model; those with faults are left out."""
    return read_parts(item, faults, _motion, restrained)


def _motion(name: str, item: Item, restrained: Restrained) -> Constraint:
    """What moves is what the first key of a motion names."""
    known = [key.name for made in MOTIONS for key in made.keys]
    fields = Fields(item, "a motion", known, Faults())
    named = (made for made in MOTIONS[::-1] if fields.item(made.keys[0].name) is not None)
    return _described(next(named, MOTIONS[0]), name, fields, restrained)


def _described(
    made: type[Declaration], name: str, fields: Fields, restrained: Restrained
) -> Constraint:
    """What a declaration makes of the entries that count."""
    of = replace(restrained, shared=alike(restrained.varying))
    items = {key.name: fields.item(key.name) for key in made.keys}
    written = {key: item.value for key, item in items.items() if item is not None}
    given: dict[str, Any] = {}
    for key in made.keys:
        if key.when is not None and not key.when(written):
            continue
        item = fields.required(key.name, key.example) if key.example else items[key.name]
        if item is not None:
            given[key.attribute] = fields.faults.attempt(None, READERS[key.kind], item, of, key)
        if key.kind is Kind.COORDINATE:
            of = replace(of, chosen=given.get(key.attribute) or "")
    fields.faults.raised()
    return made.described(name, given, of.value, str(fields.at.place))


# --- the kinds of entries -----------------------------------------------------------------------


def _two_constants(item: Item, of: Restrained, key: Key) -> tuple[Expr, Expr]:
    units = (key.unit.split() * 2)[:2]
    parts = zip(listed(item, key.name, 2), units, strict=True)
    first, second = (number(x, of.constant, of.measured(unit)) for x, unit in parts)
    return first, second


def _factors(item: Item, of: Restrained, key: Key) -> list[tuple[str, Expr]]:
    found, faults, whole = [], Faults(), of.measured(key.unit)
    for name, factor in entries(item).items():
        if name not in of.coordinates:
            raise unknown(str(item.keys[name]), "coordinate", name, of.coordinates)
        own = of.of_coordinate(name)
        unit = whole * own**-1 if isinstance(whole, DimensionForm) and own is not None else None
        found.append((name, faults.attempt(ZERO, number, factor, of.constant, unit)))
    faults.raised()
    return found


def _bodies(item: Item, of: Restrained, key: Key) -> tuple[str, ...]:
    return tuple(body_name(part, of.bodies) for part in listed(item, key.name, 2))


def _joints(item: Item, of: Restrained, key: Key) -> tuple[Joint, ...]:
    parts = listed(item, "the joints of the two wheels", 2)
    return tuple(of.joints[_known(part, "joint", of.joints)] for part in parts)


def _known(item: Item, kind: str, names: Collection[str]) -> str:
    if text_of(item) not in names:
        raise unknown(str(item.place), kind, text_of(item), names)
    return text_of(item)


def _word(item: Item, of: Restrained, key: Key) -> Any:
    word = plain(text_of(item))
    if word not in key.options:
        raise unknown(str(item.place), key.called, text_of(item), key.options)
    return key.options[word]


READERS: dict[Kind, Callable[[Item, Restrained, Key], Any]] = {
    Kind.CONSTANT: lambda item, of, key: number(item, of.constant, of.measured(key.unit)),
    Kind.TWO_CONSTANTS: _two_constants,
    Kind.VARYING: lambda item, of, key: number(item, of.varying, of.measured(key.unit)),
    Kind.TIMED: lambda item, of, key: number(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_VECTOR: lambda item, of, key: vector(item, of.timed, of.measured(key.unit)),
    Kind.TIMED_ROTATION: lambda item, of, key: read_rotation(item, of.timed, of.value),
    Kind.FACTORS: _factors,
    Kind.POINT: lambda item, of, key: read_point(item, of.constant),
    Kind.TWO_POINTS: lambda item, of, key: one_or_two(item, of.constant, read_point),
    Kind.PLACE: lambda item, of, key: Pose(read_point(item, of.constant)),
    Kind.DIRECTION: lambda item, of, key: read_axis(item, of.constant),
    Kind.BODY: lambda item, of, key: body_name(item, of.bodies),
    Kind.PAIR: _bodies,
    Kind.TWO_JOINTS: _joints,
    Kind.COORDINATE: lambda item, of, key: _known(item, "coordinate", of.coordinates),
    Kind.WORD: _word,
    Kind.FLAG: lambda item, of, key: text_of(item).lower() == "true",
}
