"""The sliders of a mechanism: its parameters and where it starts, with ranges that make sense."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, final

from torseur.algebra.core.graph import free_symbols
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.numbers import values_of
from torseur.model.values.scales import scales, state_units
from torseur.report.pages.content import unit
from torseur.report.scene.configurations import constrained
from torseur.words.sentence import meant


@final
@dataclass(frozen=True)
class Control:
    """One number: its value now (None while it has none), its unit, and how far it may be moved."""

    name: str
    kind: str  # "parameter", "coordinate" or "speed"
    value: float | None
    unit: str
    meaning: str
    low: float
    high: float
    free: bool = True  # it follows from no other parameter


def controls(described: Mechanism, now: Mechanism) -> list[dict[str, Any]]:
    """The controls of a description, at the values it has now; ranges are those of the text."""
    return [asdict(one) for one in (*_parameters(described, now), *_start(described, now))]


def _parameters(described: Mechanism, now: Mechanism) -> Iterator[Control]:
    first, values = described.parameters, now.parameters
    for name, one in described.parameter_table.items():
        free = one.value is None or not free_symbols(one.value)
        low, high = _around(first[name])
        told = meant(one.meaning)
        yield Control(name, "parameter", values[name], unit(one.unit), told, low, high, free)


def _start(described: Mechanism, now: Mechanism) -> Iterator[Control]:
    """Coordinates and speeds; of closed loops those that the text gives, if it gives any."""
    units, value, size = state_units(described), values_of(now), scales(now, now.parameters)
    driven = {x.coordinate for x in imposed_coordinates(described).values()}
    ranges = {"rad": math.pi, "m": 2 * size.length, "1": 1.0}
    for name in _offered(described):
        if name.removesuffix(".") in driven:
            continue
        kind = "speed" if name.endswith(".") else "coordinate"
        given = value(now.initial[name]) if name in now.initial else 0.0
        wide = ranges.get(units[name], 0.0) or 2 * ranges[units[name][:-2]] / size.time
        wide = max(wide, 2 * abs(_first(described, name)))
        yield Control(name, kind, given, unit(units[name]), "", -wide, wide)


def _offered(mechanism: Mechanism) -> Iterable[str]:
    given = list(mechanism.initial)
    if constrained(mechanism) and given:
        speeds = [f"{name}." for name in given if f"{name}." in mechanism.every_speed]
        return dict.fromkeys([*given, *speeds])
    return dict.fromkeys([*mechanism.coordinates, *mechanism.speeds])


def _first(mechanism: Mechanism, name: str) -> float:
    """What the text says of a coordinate or a speed."""
    given = mechanism.initial.get(name)
    return 0.0 if given is None else values_of(mechanism)(given) or 0.0


def _around(value: float | None) -> tuple[float, float]:
    """From nothing to twice a value; about zero where it is zero, to 2 where it has none."""
    if value is None:
        return 0.0, 2.0
    if not value:
        return -1.0, 1.0
    return min(0.0, 2 * value), max(0.0, 2 * value)
