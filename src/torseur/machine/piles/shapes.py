"""Shapes of bodies as numbers that the kernel takes: spheres, capsules and boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.machine.piles import places as at
from torseur.model.description import Body
from torseur.model.values.numbers import place_of
from torseur.words.sentence import say

SHAPES = ("sphere", "shell", "hollow_sphere", "capsule", "box")


@final
@dataclass(frozen=True)
class Shape:
    """A shape about the centre of mass."""

    kind: int
    sizes: tuple[float, float, float]  # see `places.SIZE`
    reach: float  # to its farthest point [m]
    least: float  # its smallest half width [m]


def shape_of(body: Body, values: Mapping[str, Any]) -> Shape:
    """The shape of a body at parameter values."""
    if body.shape is None or body.shape[0] not in SHAPES:
        named = say("none") if body.shape is None else body.shape[0]
        raise ModelError(
            place_of(body, "body"),
            say('the shape of "{body}" is {named}, which cannot touch others.', body.name, named),
            say("Shapes that touch: {shapes}.", ", ".join(SHAPES)),
        )
    name, given = body.shape

    def number(x: Any) -> float:
        return float(evaluate(x, values))

    return _made(name, given, number)


def _made(name: str, given: Mapping[str, Any], number: Callable[[Any], float]) -> Shape:
    if name == "box":
        x, y, z = (number(side) / 2 for side in given["size"])
        return Shape(at.BOX, (x, y, z), float(np.hypot(np.hypot(x, y), z)), min(x, y, z))
    if name == "capsule":
        radius, half = number(given["radius"]), number(given["length"]) / 2
        axis = float("xyz".index(given.get("axis", "z")))
        return Shape(at.CAPSULE, (radius, half, axis), radius + half, radius)
    radius = number(given["outer_radius" if name == "hollow_sphere" else "radius"])
    return Shape(at.SPHERE, (radius, 0.0, 0.0), radius, radius)
