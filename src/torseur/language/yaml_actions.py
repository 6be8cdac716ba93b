"""The sections `motors` and `initial`: what drives a mechanism and how it starts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from torseur.algebra.expr import ONE, ZERO, Expr, symbol
from torseur.errors import unknown
from torseur.language.directions import read_axis
from torseur.language.expression import TIME, Names
from torseur.language.fields import (
    Faults,
    Fields,
    listed,
    number,
    numbers,
    read_parts,
)
from torseur.language.fields import text as text_of
from torseur.language.yaml_source import Item
from torseur.mechanism.description import Motor

MOTOR = ("joint", "ratio", "rotor_inertia", "axis", "viscous", "dry", "torque")


@final
@dataclass(frozen=True)
class Actors:
    """What motors and forces act on, and what their values may depend on."""

    bodies: Collection[str]
    joints: Collection[str]
    constant: Names  # parameters
    varying: Names  # parameters, coordinates, speeds and time

    @property
    def timed(self) -> Names:
        """Parameters and time."""
        why = "changes with the motion; this value may depend on t and the parameters only."
        timed = self.constant.also({TIME: symbol(TIME, "time")})
        return replace(timed, refused={x: why for x in self.varying.known if x not in timed.known})


def varying(constant: Names, states: Mapping[str, str]) -> Names:
    """The names that have a meaning in a force: parameters, coordinates, speeds and time."""
    moving = {name: symbol(name, kind) for name, kind in states.items()}
    return constant.also({**moving, TIME: symbol(TIME, "time")})


def read_motors(item: Item | None, actors: Actors, faults: Faults) -> dict[str, Motor]:
    """The motors of a model; those with faults are left out."""
    return read_parts(item, faults, _motor, actors)


def _motor(name: str, item: Item, actors: Actors) -> Motor:
    faults = Faults()
    fields = Fields(item, "a motor", MOTOR, faults)
    item_of_joint = fields.required("joint", "A")
    joint = "" if item_of_joint is None else faults.attempt("", joint_name, item_of_joint, actors)
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


def joint_name(item: Item, actors: Actors) -> str:
    """The name of a joint that exists."""
    name = text_of(item)
    if name not in actors.joints:
        raise unknown(str(item.place), "joint", name, actors.joints)
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
