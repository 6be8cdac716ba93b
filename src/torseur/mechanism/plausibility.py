"""Values that are possible but seldom meant: most often millimetres or grams given as SI units."""

from __future__ import annotations

import math
from collections.abc import Iterator

from torseur.mechanism.description import Body, Mechanism
from torseur.mechanism.numbers import Values, entries, place_of, values_of

STRONG = 50.0  # gravity [m/s²]: twice that of Jupiter
LONG = 100.0  # a length on a body [m]
DENSE = 25_000.0  # [kg/m³]: more than osmium, the densest metal

_UNIT = "is a length in mm instead of m?"


def remarks(mechanism: Mechanism) -> tuple[str, ...]:
    """What is implausible in a mechanism that is accepted, one sentence each."""
    value = values_of(mechanism)
    return (
        *_gravity(mechanism, value),
        *_lengths(mechanism, value),
        *(note for body in mechanism.bodies.values() for note in _density(body, value)),
    )


def _gravity(mechanism: Mechanism, value: Values) -> Iterator[str]:
    size = math.hypot(*(value(x) or 0.0 for x in mechanism.gravity))
    if size > STRONG:
        yield f"gravity: {size:.4g} m/s² is more than {STRONG:g}; {_UNIT}"


def _lengths(mechanism: Mechanism, value: Values) -> Iterator[str]:
    seen = set()
    for place, what, x in entries(mechanism):
        size = value(x) if what in ("centre", "point", "position") else None
        if size is not None and abs(size) > LONG and (place, what) not in seen:
            seen.add((place, what))
            yield f"{place}: the {what} is at {size:.4g} m, more than {LONG:g}; {_UNIT}"


def _density(body: Body, value: Values) -> Iterator[str]:
    if body.shape is None:
        return
    from torseur.mechanism.mass.solids import SOLIDS

    name, dimensions = body.shape
    solid = SOLIDS.get(name)
    if solid is None or solid.dimension != 3:
        return
    sizes = {key: size for key, size in dimensions.items() if key in solid.parameters}
    volume, mass = value(solid.geometry(**sizes).measure), value(body.mass)
    if volume and mass and mass / volume > DENSE:
        yield (
            f"{place_of(body, 'body')}: the density {mass / volume:.4g} kg/m³ is above {DENSE:g}, "
            f"that of every material; {_UNIT}"
        )
