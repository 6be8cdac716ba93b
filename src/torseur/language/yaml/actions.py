"""The sections `motors`, `initial`, `frame` and `events`: drives, start, ground, instants."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.algebra.forms.dimensions import DimensionForm, known_dimension
from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.language.text.given import unknown_state
from torseur.language.text.measures import Expected
from torseur.language.yaml.axes_and_turns import read_axis
from torseur.language.yaml.entries import known_name
from torseur.language.yaml.fields import Fields, listed, number, numbers, option, yes_or_no
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.scope import Scope
from torseur.language.yaml.source import Item
from torseur.model.description import (
    Event,
    FirstOrderState,
    Motor,
    MovingFrame,
    geocentric,
    laboratory,
)
from torseur.model.forces.protocol import COORDINATE_RATE, EFFORT
from torseur.model.joints.catalogue import plain
from torseur.words.sentence import say

FRAME = ("rotation", "acceleration", "entrainment", "preset", "latitude")
PRESETS = ("laboratory", "laboratoire", "geocentric", "géocentrique")
_FRICTION = {"viscous": "viscous friction", "dry": "dry friction"}
DIRECTIONS = {"both": 0, "rising": 1, "falling": -1}
MOTOR = ("joint", "ratio", "rotor_inertia", "axis", "viscous", "dry", "torque")


def read_motor(name: str, item: Item, scope: Scope) -> Motor:
    """A motor."""
    fields = Fields(item, "a motor", MOTOR)
    item_of_joint = fields.required("joint", "A")
    joint = ""
    if item_of_joint is not None:
        joint = fields.faults.attempt("", known_name, item_of_joint, "joint", scope.freedoms)
    names, acting = scope.constant, scope.on(joint)
    effort, rate = acting.measured(EFFORT), acting.measured(COORDINATE_RATE)
    viscous, ratio = (
        (effort * rate**-1, DimensionForm(known_dimension("rad/s")) * rate**-1)
        if isinstance(effort, DimensionForm) and isinstance(rate, DimensionForm)
        else (None, None)
    )
    sides = _sides(fields, "viscous", names, number, ZERO, ("N.m.s/rad", viscous))
    viscous_motor, viscous_output = sides
    sides = _sides(fields, "dry", names, _both_ways, (ZERO, ZERO), ("N.m", effort))
    dry_motor, dry_output = sides
    motor = Motor(
        name,
        joint,
        fields.number("ratio", names, ratio, ONE),
        fields.number("rotor_inertia", names, "kg.m^2"),
        fields.read("axis", None, read_axis, names),
        viscous_motor,
        viscous_output,
        dry_motor,
        dry_output,
        fields.number("torque", scope.varying, "N.m"),
        str(item.place),
    )
    fields.faults.raised()
    return motor


def _sides(
    fields: Fields, key: str, names: Names, reading: Any, otherwise: Any, units: tuple[Any, Any]
) -> tuple[Any, Any]:
    """Values on the motor side and on the output side, in their units."""
    item = fields.item(key)
    if item is None:
        return otherwise, otherwise
    sides = Fields(item, _FRICTION[key], ("motor", "output"), fields.faults)
    motor, output = (
        sides.read(side, otherwise, reading, names, unit)
        for side, unit in zip(("motor", "output"), units, strict=True)
    )
    return motor, output


def _both_ways(item: Item, names: Names, unit: Expected) -> tuple[Expr, Expr]:
    """One magnitude, or one for the positive and one for the negative direction."""
    if isinstance(item.value, tuple):
        plus, minus = numbers(listed(item, "dry friction, plus and minus", 2), names, unit)
        return plus, minus
    both = number(item, names, unit)
    return both, both


def read_initial(name: str, item: Item, states: Collection[str], names: Names) -> Expr:
    """The value of a coordinate or of a speed at the start."""
    if name not in states:
        coordinates = [state for state in states if not state.endswith(".")]
        raise unknown_state(str(item.place), "coordinate", name, coordinates)
    dimension = names.measures.symbols.of_symbol(name) if names.measures else None
    return number(item, names, dimension)


# --- a ground that moves ------------------------------------------------------------------------


def read_moving_ground(item: Item, scope: Scope) -> MovingFrame:
    """Motion of the ground: a preset, or its rotation and the acceleration of its origin."""
    fields = Fields(item, "a frame", FRAME)
    preset = fields.read("preset", None, _preset, fields, scope)
    frame = preset or MovingFrame(
        fields.vector("rotation", scope.timed, "rad/s"),
        fields.vector("acceleration", scope.timed, "m/s^2"),
    )
    entrained = fields.read("entrainment", frame.entrainment, yes_or_no)
    fields.faults.raised()
    return MovingFrame(frame.rotation, frame.acceleration, entrained, str(item.place))


def _preset(item: Item, fields: Fields, scope: Scope) -> MovingFrame:
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
    return laboratory(ZERO if latitude is None else number(latitude, scope.constant, "rad"))


# --- first-order states -------------------------------------------------------------------------


def read_state(name: str, item: Item, varying: Names, names: Names) -> FirstOrderState:
    """A quantity with a rate of its own: `rate`, its value at the start and its unit."""
    fields = Fields(item, "a state", ("rate", "initial", "unit"), alone="rate")
    fields.required("rate", "(u - x)/tau")
    unit = fields.text("unit")
    dimension: Expected = unit or None
    changing: Expected = f"{unit}/s" if unit else None
    if not unit and names.measures is not None:
        form = names.measures.symbols.of_symbol(name)
        dimension, changing = form, form * DimensionForm(known_dimension("s")) ** -1
    rate = fields.number("rate", varying, changing)
    initial = fields.number("initial", names, dimension)
    fields.faults.raised()
    return FirstOrderState(name, rate, initial, unit, str(item.place))


# --- instants to find ---------------------------------------------------------------------------


def read_event(name: str, item: Item, varying: Names) -> Event:
    """An event: an expression, or `zero` with a direction and whether to stop."""
    fields = Fields(item, "an event", ("zero", "direction", "stop"), alone="zero")
    fields.required("zero", "theta - 90 deg")
    zero = fields.number("zero", varying, None)
    direction = fields.read("direction", 0, option, "direction", DIRECTIONS)
    stop = fields.read("stop", False, yes_or_no)
    fields.faults.raised()
    return Event(name, zero, direction, stop, str(item.place))
