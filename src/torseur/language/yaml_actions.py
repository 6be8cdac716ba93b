"""The sections `motors`, `forces` and `initial`: what drives a mechanism and how it starts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.expr import ONE, ZERO, Expr, symbol
from torseur.errors import all_faults, unknown
from torseur.language.directions import read_axis, read_point
from torseur.language.expression import TIME, Names
from torseur.language.fields import (
    Faults,
    Fields,
    entries,
    listed,
    nothing,
    number,
    numbers,
    read_parts,
)
from torseur.language.fields import text as text_of
from torseur.language.yaml_bodies import body_name
from torseur.language.yaml_source import Item
from torseur.mechanism.description import BodyLoad, JointLoad, Motor
from torseur.mechanism.forces import LINE_FORCES, Attachment, LineForce

MOTOR = ("joint", "ratio", "rotor_inertia", "axis", "viscous", "dry", "torque")
FORCES = {
    "joint": ("type", "joint", "value"),
    "wrench": ("type", "body", "point", "force", "couple", "frame"),
    **{kind: ("type", "between", *law.values) for kind, law in LINE_FORCES.items()},
}
Load = JointLoad | BodyLoad | LineForce


@final
@dataclass(frozen=True)
class Actors:
    """What motors and forces act on, and what their values may depend on."""

    bodies: Collection[str]
    joints: Collection[str]
    constant: Names  # parameters
    varying: Names  # parameters, coordinates, speeds and time


def varying(constant: Names, states: Mapping[str, str]) -> Names:
    """The names that have a meaning in a force: parameters, coordinates, speeds and time."""
    moving = {name: symbol(name, kind) for name, kind in states.items()}
    return Names({**constant.known, **moving, TIME: symbol(TIME, "time")})


def read_motors(item: Item | None, actors: Actors, faults: Faults) -> dict[str, Motor]:
    """The motors of a model; those with faults are left out."""
    return read_parts(item, faults, _motor, actors)


def _motor(name: str, item: Item, actors: Actors) -> Motor:
    faults = Faults()
    fields = Fields(item, "a motor", MOTOR, faults)
    joint = _joint_name(fields, actors.joints)
    viscous_motor, viscous_output = _sides(fields, "viscous", actors.constant, number, ZERO)
    dry_motor, dry_output = _sides(fields, "dry", actors.constant, _both_ways, (ZERO, ZERO))
    motor = Motor(
        name,
        joint,
        fields.number("ratio", actors.constant, ONE),
        fields.number("rotor_inertia", actors.constant),
        fields.read("axis", None, read_axis, actors.constant),
        viscous_motor,
        viscous_output,
        dry_motor,
        dry_output,
        fields.number("torque", actors.varying),
        str(item.place),
    )
    faults.raised()
    return motor


def _sides(fields: Fields, key: str, names: Names, reading: Any, otherwise: Any) -> tuple[Any, Any]:
    """What is given on the motor side and on the output side."""
    item = fields.item(key)
    if item is None:
        return otherwise, otherwise
    sides = Fields(item, f"{key} friction", ("motor", "output"), fields.faults)
    motor, output = (sides.read(side, otherwise, reading, names) for side in ("motor", "output"))
    return motor, output


def _both_ways(item: Item, names: Names) -> tuple[Expr, Expr]:
    """One magnitude, or one for the positive and one for the negative direction."""
    if isinstance(item.value, tuple):
        plus, minus = numbers(listed(item, "dry friction, plus and minus", 2), names)
        return plus, minus
    both = number(item, names)
    return both, both


def read_forces(item: Item | None, actors: Actors, faults: Faults) -> dict[str, Load]:
    """The forces of a model; those with faults are left out."""
    return read_parts(item, faults, _force, actors)


def _force(name: str, item: Item, actors: Actors) -> Load:
    faults = Faults()
    kind_item = Fields(item, "a force", entries(item), faults).required("type", "joint")
    if kind_item is None:
        raise all_faults(faults.found)
    kind = text_of(kind_item)
    if kind not in FORCES:
        raise unknown(str(kind_item.place), "force type", kind, FORCES)
    fields = Fields(item, f"a force of type {kind}", FORCES[kind], faults)
    force: Load
    if kind in LINE_FORCES:
        force = _line_force(name, kind, fields, actors)
    elif kind == "joint":
        joint, place = _joint_name(fields, actors.joints), str(item.place)
        fields.required("value", "-2*x.")
        force = JointLoad(name, joint, fields.number("value", actors.varying), place)
    else:
        force = _wrench(name, fields, actors)
    faults.raised()
    return force


def _line_force(name: str, kind: str, fields: Fields, actors: Actors) -> LineForce:
    law = LINE_FORCES[kind]
    between = fields.required("between", "[[ground, [0, 0, 0]], [cart, [0, 0, 0]]]")
    nowhere = (Attachment("", nothing()),) * 2
    ends = nowhere if between is None else fields.faults.attempt(nowhere, _ends, between, actors)
    fields.required(law.values[0], "80 N/m")
    given: dict[str, Any] = {key: fields.number(key, actors.constant) for key in law.values}
    return law(name, *ends, **given, place=str(fields.at.place))


def _ends(item: Item, actors: Actors) -> tuple[Attachment, Attachment]:
    """The two points between which a force acts, each a body and a position."""
    first, second = (
        _attachment(end, actors) for end in listed(item, "the two ends of the force", 2)
    )
    return first, second


def _attachment(item: Item, actors: Actors) -> Attachment:
    body, point = listed(item, "a body and a position", 2)
    return Attachment(body_name(body, actors.bodies), read_point(point, actors.constant))


def _wrench(name: str, fields: Fields, actors: Actors) -> BodyLoad:
    body = fields.required("body", "rod")
    frame = fields.read("frame", "ground", _frame)
    return BodyLoad(
        name,
        "" if body is None else fields.faults.attempt("", body_name, body, actors.bodies),
        fields.read("point", nothing(), read_point, actors.constant),
        fields.vector("force", actors.varying),
        fields.vector("couple", actors.varying),
        frame == "body",
        str(fields.at.place),
    )


def _frame(item: Item) -> str:
    if item.value not in ("ground", "body"):
        raise item.fault(f"the frame {item} does not exist.", "Frames of a wrench: ground, body.")
    return text_of(item)


def _joint_name(fields: Fields, joints: Collection[str]) -> str:
    item = fields.required("joint", "A")
    return "" if item is None else fields.faults.attempt("", _known_joint, item, joints)


def _known_joint(item: Item, joints: Collection[str]) -> str:
    name = text_of(item)
    if name not in joints:
        raise unknown(str(item.place), "joint", name, joints)
    return name


def read_initial(
    item: Item | None, states: Collection[str], names: Names, faults: Faults
) -> dict[str, Expr]:
    """The values of coordinates and speeds at the start."""
    return read_parts(item, faults, _initial, states, names)


def _initial(name: str, item: Item, states: Collection[str], names: Names) -> Expr:
    if name not in states:
        coordinates = [state for state in states if not state.endswith(".")]
        raise unknown(str(item.place), "coordinate", name, coordinates)
    return number(item, names)
