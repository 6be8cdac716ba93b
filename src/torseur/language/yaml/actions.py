"""The sections `motors` and `initial`: what drives a mechanism and how it starts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.forms.dimensions import DimensionForm, known_dimension
from torseur.errors import unknown
from torseur.language.text.expression import TIME, Names
from torseur.language.text.measures import Expected
from torseur.language.yaml.directions import read_axis
from torseur.language.yaml.fields import (
    Faults,
    Fields,
    listed,
    number,
    numbers,
    read_parts,
)
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.source import Item
from torseur.model.description import Motor
from torseur.model.forces.protocol import COORDINATE_RATE, EFFORT

MOTOR = ("joint", "ratio", "rotor_inertia", "axis", "viscous", "dry", "torque")


@final
@dataclass(frozen=True)
class Actors:
    """What motors and forces act on, and what their values may depend on."""

    bodies: Collection[str]
    joints: Mapping[str, tuple[str, ...]]  # their coordinates; none for a joint with faults
    constant: Names  # parameters
    varying: Names  # parameters, coordinates, speeds and time
    defined: Mapping[str, Expr] = field(default_factory=dict)  # definitions of t and parameters
    acting: str = ""  # the coordinate that a force acts on, if it is known

    @property
    def timed(self) -> Names:
        """Parameters and time."""
        why = "changes with the motion; this value may depend on t and the parameters only."
        timed = self.constant.also({**self.defined, TIME: symbol(TIME, "time")})
        return replace(timed, refused={x: why for x in self.varying.known if x not in timed.known})

    def on(self, joint: str, coordinate: str = "") -> Actors:
        """The same, for what acts on a coordinate of a joint or on its only one."""
        own = self.joints.get(joint, ())
        only = own[0] if len(own) == 1 else ""
        return replace(self, acting=coordinate if coordinate in own else only)

    def measured(self, unit: str) -> Expected:
        """A unit; the effort on the coordinate, or its rate, for those words."""
        measures = self.constant.measures
        if unit not in (EFFORT, COORDINATE_RATE):
            return unit or None
        if measures is None or not self.acting:
            return None
        effort = measures.effort(self.acting)
        return effort if unit == EFFORT else measures.symbols.of_symbol(f"{self.acting}.")


def varying(constant: Names, states: Mapping[str, str]) -> Names:
    """The names that have a meaning in a force: parameters, coordinates, speeds and time."""
    moving = {name: symbol(name, kind) for name, kind in states.items()}
    return replace(constant.also({**moving, TIME: symbol(TIME, "time")}), implied=True)


def read_motors(item: Item | None, actors: Actors, faults: Faults) -> dict[str, Motor]:
    """The motors of a model; those with faults are left out."""
    return read_parts(item, faults, _motor, actors)


def _motor(name: str, item: Item, actors: Actors) -> Motor:
    faults = Faults()
    fields = Fields(item, "a motor", MOTOR, faults)
    item_of_joint = fields.required("joint", "A")
    joint = "" if item_of_joint is None else faults.attempt("", joint_name, item_of_joint, actors)
    names, acting = actors.constant, actors.on(joint)
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
        fields.number("torque", actors.varying, "N.m"),
        str(item.place),
    )
    faults.raised()
    return motor


def _sides(
    fields: Fields, key: str, names: Names, reading: Any, otherwise: Any, units: tuple
) -> tuple[Any, Any]:
    """What is given on the motor side and on the output side, in their units."""
    item = fields.item(key)
    if item is None:
        return otherwise, otherwise
    sides = Fields(item, f"{key} friction", ("motor", "output"), fields.faults)
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
    own = names.measures.symbols.of_symbol(name) if names.measures else None
    return number(item, names, own)
