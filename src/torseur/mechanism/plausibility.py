"""Values that are possible but seldom meant: most often millimetres or grams given as SI units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from torseur.algebra.expr import Expr, expression
from torseur.mechanism.description import Body, Mechanism
from torseur.mechanism.numbers import entries, mechanism_numbers, numbers
from torseur.mechanism.parameters import values

STRONG = 50.0  # gravity [m/s²]: twice that of Jupiter
LONG = 100.0  # a length on a body [m]
DENSE = 25_000.0  # [kg/m³]: more than osmium, the densest metal

_UNIT = "is a length in mm instead of m?"


def remarks(mechanism: Mechanism) -> tuple[str, ...]:
    """What is implausible in a mechanism that is accepted, one sentence each."""
    known = mechanism_numbers(mechanism)
    return (
        *_gravity(mechanism, known),
        *_lengths(mechanism, known),
        *(note for body in mechanism.bodies.values() for note in _density(body, mechanism)),
    )


def _gravity(mechanism: Mechanism, known: Mapping[Expr, float]) -> Iterator[str]:
    size = math.hypot(*(known.get(expression(x), 0.0) for x in mechanism.gravity))
    if size > STRONG:
        yield f"gravity: {size:.4g} m/s² is more than {STRONG:g}; {_UNIT}"


def _lengths(mechanism: Mechanism, known: Mapping[Expr, float]) -> Iterator[str]:
    seen = set()
    for place, what, x in entries(mechanism):
        far = what in ("centre", "point", "position") and abs(known.get(x, 0.0)) > LONG
        if far and (place, what) not in seen:
            seen.add((place, what))
            yield f"{place}: the {what} is at {known[x]:.4g} m, more than {LONG:g}; {_UNIT}"


def _density(body: Body, mechanism: Mechanism) -> Iterator[str]:
    if body.shape is None:
        return
    from torseur.mechanism.mass.solids import SOLIDS

    name, dimensions = body.shape
    solid = SOLIDS.get(name)
    if solid is None or solid.dimension != 3:
        return
    sizes = {key: value for key, value in dimensions.items() if key in solid.parameters}
    volume = expression(solid.geometry(**sizes).measure)
    known = numbers([volume, body.mass], values(mechanism.parameter_table))
    if volume in known and expression(body.mass) in known and known[volume] > 0:
        density = known[expression(body.mass)] / known[volume]
        if np.isfinite(density) and density > DENSE:
            yield (
                f"{body.place or body.name}: the density {density:.4g} kg/m³ is above {DENSE:g}, "
                f"that of every material; {_UNIT}"
            )
