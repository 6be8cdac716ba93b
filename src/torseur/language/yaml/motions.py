"""The sections `motions` and `events`: laws of time imposed, instants looked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import final

from torseur.algebra.core.expr import Expr, symbol
from torseur.errors import unknown
from torseur.language.text.expression import TIME, Names
from torseur.language.yaml.bodies import body_name
from torseur.language.yaml.directions import read_point
from torseur.language.yaml.fields import Faults, Fields, nothing, number, read_parts
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.rotations import read_rotation
from torseur.language.yaml.source import Item
from torseur.model.description import BodyMotion, Event, Motion
from torseur.model.values.numbers import Values
from torseur.spatial.pose import Pose

KEYS = ("coordinate", "law", "body", "point", "position", "rotation")


@final
@dataclass(frozen=True)
class Movable:
    """What may be moved, and what laws may speak of."""

    bodies: Collection[str]
    coordinates: Collection[str]
    constant: Names  # parameters
    value: Values
    defined: Mapping[str, Expr] = field(default_factory=dict)  # definitions of t and parameters

    @property
    def timed(self) -> Names:
        """Parameters and time."""
        return self.constant.also({**self.defined, TIME: symbol(TIME, "time")})


def read_motions(
    item: Item | None, movable: Movable, faults: Faults
) -> dict[str, Motion | BodyMotion]:
    """The imposed motions of a model; those with faults are left out."""
    return read_parts(item, faults, _motion, movable)


def _motion(name: str, item: Item, movable: Movable) -> Motion | BodyMotion:
    faults = Faults()
    fields = Fields(item, "a motion", KEYS, faults)
    if fields.item("body") is not None:
        return _body_motion(name, fields, movable)
    chosen = fields.required("coordinate", "phi1")
    if chosen is not None and text_of(chosen) not in movable.coordinates:
        problem = unknown(str(chosen.place), "coordinate", text_of(chosen), movable.coordinates)
        faults.found.append(problem)
    fields.required("law", "Omega*t")
    names = movable.timed
    own = None
    if names.measures is not None and chosen is not None:
        own = names.measures.symbols.of_symbol(str(chosen.value))
    law = fields.number("law", names, own)
    faults.raised()
    assert chosen is not None, "its absence was a fault"
    return Motion(name, text_of(chosen), law, str(item.place))


def _body_motion(name: str, fields: Fields, movable: Movable) -> BodyMotion:
    body = fields.required("body", "table")
    fields.required("position", "[0.1*sin(20*t), 0, 0]")
    made = BodyMotion(
        name,
        "" if body is None else fields.faults.attempt("", body_name, body, movable.bodies),
        fields.vector("position", movable.timed, "m"),
        fields.read("rotation", None, read_rotation, movable.timed, movable.value),
        Pose(fields.read("point", nothing(), read_point, movable.constant)),
        str(fields.at.place),
    )
    fields.faults.raised()
    return made


# --- events -------------------------------------------------------------------------------------

DIRECTIONS = {"both": 0, "rising": 1, "falling": -1}


def read_events(item: Item | None, varying: Names, faults: Faults) -> dict[str, Event]:
    """The events of a model: an expression, or `zero` with a direction and whether to stop."""
    return read_parts(item, faults, read_event, varying)


def read_event(name: str, item: Item, varying: Names) -> Event:
    """One event."""
    if isinstance(item.value, str):
        return Event(name, number(item, varying, None), place=str(item.place))
    faults = Faults()
    fields = Fields(item, "an event", ("zero", "direction", "stop"), faults)
    fields.required("zero", "theta - 90 deg")
    zero = fields.number("zero", varying, None)
    direction = fields.read("direction", 0, _direction)
    stop = fields.read("stop", False, _yes_or_no)
    faults.raised()
    return Event(name, zero, direction, stop, str(item.place))


def _direction(item: Item) -> int:
    if text_of(item) not in DIRECTIONS:
        raise unknown(str(item.place), "direction", text_of(item), DIRECTIONS)
    return DIRECTIONS[text_of(item)]


def _yes_or_no(item: Item) -> bool:
    word = text_of(item).lower()
    if word not in ("true", "false"):
        raise item.fault(f"true or false is expected, not {item}.")
    return word == "true"
