"""The length, mass and time of a mechanism, to which tolerances are relative."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import isfinite, sqrt
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.constraints.selection import restraints
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import expressions_of
from torseur.model.freed import followed
from torseur.model.values.numbers import Values
from torseur.once import once
from torseur.units import unit_factor

Array = np.ndarray
_LENGTHS = {"point", "length", "centre of attraction"}  # among the entries of forces


@final
@dataclass(frozen=True)
class Scales:
    """Reference sizes for comparisons, by dimension; one radian for angles."""

    length: float = 1.0  # the largest that the description gives [m]
    mass: float = 1.0  # the largest [kg]
    time: float = 1.0  # of a fall by the length, or of the given speeds, the shorter [s]
    gravity: float = 0.0  # [m/s²]
    bare: bool = False  # whether no length is given at all, so that only a motion can tell one

    @property
    def fall(self) -> float:
        """Rate of a fall by that length under gravity [1/s]."""
        return sqrt(self.gravity / self.length) if isfinite(self.gravity) else 0.0

    def of(self, units: Iterable[str]) -> Array:
        """Reference size of each unit; the units are those of joints, or J."""
        speed = self.length / self.time
        known = {
            "rad": 1.0,
            "1": 1.0,
            "m": self.length,
            "rad/s": 1 / self.time,
            "m/s": speed,
            "J": self.mass * (speed * speed),  # of which a power would be an error beyond 1e308
        }
        return np.array([known[unit] for unit in units], dtype=float)


def scales(mechanism: Mechanism, parameters: Mapping[str, float | None]) -> Scales:
    """The scales of a mechanism at some values of its parameters; 1 where nothing tells them."""
    value = Values(parameters)
    bodies = mechanism.bodies.values()
    masses = _sizes(value, (body.mass for body in bodies))
    moments = _sizes(value, (x for body in bodies for x in body.inertia.flat))
    rotors = _sizes(value, (motor.rotor_inertia for motor in mechanism.motors.values()))
    mass, moment = max(masses, default=0.0), max((*moments, *rotors), default=0.0)
    length = max(_sizes(value, _lengths(mechanism)), default=0.0)
    length = length or (sqrt(moment / mass) if mass else 0.0)
    mass = mass or (moment / (length * length) if length else moment)
    g = sqrt(sum(x * x for x in map(value, mechanism.gravity) if x))
    result = Scales(length or 1.0, mass or 1.0, gravity=g, bare=not length)
    rate = max(result.fall, _rate(mechanism, value, result))
    return replace(result, time=1 / rate if rate else 1.0)


@final
@dataclass(frozen=True)
class RowScales:
    """Scales for many sets of parameters, a row each; times follow from motions."""

    length: Array  # (rows) [m]
    mass: Array  # (rows) [kg]
    gravity: Array  # (rows) [m/s²]
    bare: Array  # (rows): whether no length is given at all

    @property
    def fall(self) -> Array:
        """Rate of a fall by that length under gravity (rows) [1/s]."""
        known = np.where(np.isfinite(self.gravity), self.gravity, 0.0)
        return np.asarray(np.sqrt(known / self.length))

    def of(self, units: Iterable[str], time: Array) -> Array:
        """(rows, units): reference size of each unit."""
        one, speed = np.ones_like(time), self.length / time
        known = {"rad": one, "1": one, "m": self.length, "rad/s": 1 / time, "m/s": speed}
        known["J"] = self.mass * (speed * speed)
        return np.stack([known[unit] for unit in units], axis=-1)


def row_scales(mechanism: Mechanism, parameters: Mapping[str, Any], rows: int) -> RowScales:
    """The scales at many values of parameters, each a number or one for every row."""
    known = {name: x for name, x in parameters.items() if x is not None}

    def largest(given: Iterable[Any]) -> Array:
        listed = [expression(x) for x in given]
        needed = [x for x in listed if {s.name for s in free_symbols(x)} <= known.keys()]
        with np.errstate(all="ignore"):
            values = [np.abs(np.asarray(x, dtype=float)) for x in evaluate(needed, known)]
        sizes = (np.where(np.isfinite(x), x, 0.0) for x in values)
        return reduce(np.maximum, sizes, np.zeros(rows))

    bodies = mechanism.bodies.values()
    mass, length = largest(body.mass for body in bodies), largest(_lengths(mechanism))
    moment = largest(x for body in bodies for x in body.inertia.flat)
    moment = np.maximum(moment, largest(x.rotor_inertia for x in mechanism.motors.values()))
    with np.errstate(all="ignore"):
        length = np.where(length > 0, length, np.where(mass > 0, np.sqrt(moment / mass), 0.0))
        mass = np.where(mass > 0, mass, np.where(length > 0, moment / (length * length), moment))
    gravity = np.sqrt(sum(largest([x]) ** 2 for x in mechanism.gravity))
    bare = length <= 0
    return RowScales(np.where(bare, 1.0, length), np.where(mass > 0, mass, 1.0), gravity, bare)


def _sizes(value: Values, given: Iterable[Any]) -> list[float]:
    """The sizes that are neither zero nor unknown."""
    values = (value(x) for x in given)
    return [abs(x) for x in values if x and isfinite(x)]


def _lengths(mechanism: Mechanism) -> Iterator[Any]:
    """The lengths that the description gives."""
    for body in mechanism.bodies.values():
        yield from body.centre
    for joint in mechanism.joints.values():
        yield from (*joint.X_AF.p, *joint.X_BM.p, *joint.kind.lengths)
    for constraint in restraints(mechanism):
        yield from constraint.rows.lengths
    for load in mechanism.loads.values():
        yield from (x for what, x in expressions_of(load) if what in _LENGTHS)
    units = coordinate_units(mechanism)
    yield from (x for name, x in mechanism.initial.items() if units.get(name) == "m")


def _rate(mechanism: Mechanism, value: Values, scale: Scales) -> float:
    """The largest of the given speeds [1/s]."""
    units = speed_units(mechanism)
    given = {name: value(x) for name, x in mechanism.initial.items() if name in units}
    speeds = (float(abs(x) / scale.of([units[name]])[0]) for name, x in given.items() if x)
    return max((x for x in speeds if isfinite(x)), default=0.0)


@once
def coordinate_units(mechanism: Mechanism) -> dict[str, str]:
    """ "rad", "m" or "1" for every coordinate, those of closing joints too."""
    joints = mechanism.joints.values()
    named = {
        n: u for j in joints for n, u in zip(j.coordinates, j.kind.coordinate_units, strict=False)
    }
    return named | dict.fromkeys(followed(mechanism), "rad")


@once
def speed_units(mechanism: Mechanism) -> dict[str, str]:
    """ "rad/s" or "m/s" for every speed, those of closing joints too."""
    joints = mechanism.joints.values()
    return {n: u for j in joints for n, u in zip(j.speeds, j.kind.speed_units, strict=False)}


def state_units(mechanism: Mechanism) -> dict[str, str]:
    """Units of all coordinates, speeds and first-order states, by name."""
    states = {name: state.unit or "1" for name, state in mechanism.states.items()}
    return coordinate_units(mechanism) | speed_units(mechanism) | states


def with_unit(mechanism: Mechanism, name: str) -> str:
    """Name of a coordinate, a speed or a parameter and its unit, for the axis of a figure."""
    unit = state_units(mechanism).get(name, "")
    if name in mechanism.parameter_table:
        given = mechanism.parameter_table[name].unit
        unit = given if unit_factor(given) == (1, 0) else "SI"
    return f"{name} [{unit}]" if unit else name


def chosen_units(mechanism: Mechanism) -> dict[str, str]:
    """The units of the coordinates that the user chooses, and of their speeds."""
    if not mechanism.chosen:
        return {}
    units, replaced = state_units(mechanism), mechanism.change.taken
    return {
        f"{new}{dot}": units[f"{old}{dot}"] for old, new in replaced.items() for dot in ("", ".")
    }
