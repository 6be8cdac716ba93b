"""A pile at given parameters as the tables of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.machine.piles import places as at
from torseur.machine.piles.joints import ties
from torseur.model.constraints.pile import Pile
from torseur.model.description import Body, Mechanism
from torseur.model.values.numbers import place_of
from torseur.words.sentence import say

Array = np.ndarray
MOST_PILES = 48  # of a mechanism: sets of them are whole numbers that doubles hold
_SHAPES = ("sphere", "shell", "hollow_sphere", "capsule", "box")
_ROUND = 1e-12  # of the largest moment of inertia: a difference that is none


@final
@dataclass(frozen=True)
class Shape:
    """A shape about the centre of mass."""

    kind: int
    sizes: tuple[float, float, float]  # see `places.SIZE`
    reach: float  # to its farthest point [m]
    least: float  # its smallest half width [m]


@final
@dataclass(frozen=True)
class Tables:
    """Bodies, planes and laws; the smallest half width of any shape [m]."""

    body: Array  # (bodies + 1, BODY_WIDTH)
    plane: Array  # (planes, PLANE_WIDTH)
    law: Array  # (piles, LAW_WIDTH): of pairs, then of planes
    tie: Array  # (ties, TIE_WIDTH): what joints hold
    least: float


def tables(
    numbers: Mechanism, piles: Sequence[Pile], values: Mapping[str, Any], length: float
) -> Tables:
    """The tables of a mechanism whose bodies are numbers already, and of a usual length."""
    pairs = [pile for pile in piles if pile.normal is None]
    planes = [pile for pile in piles if pile.normal is not None]
    if len(piles) > MOST_PILES:
        raise ModelError(
            "contacts", say("there are {count} piles, more than {most}.", len(piles), MOST_PILES)
        )
    body = _bodies(numbers)
    shapes: dict[str, Shape] = {}
    for column, own in ((at.PAIRS, pairs), (at.PLANES, planes)):
        for k, pile in enumerate(own):
            for name in members(numbers, pile):
                row = body[1 + list(numbers.bodies).index(name)]
                shapes[name] = shapes.get(name) or _shape_of(numbers.bodies[name], values)
                row[at.SHAPE], row[at.REACH] = shapes[name].kind, shapes[name].reach
                row[at.SIZE : at.SIZE + 3] = shapes[name].sizes
                row[column] += 2**k
    return Tables(
        body,
        np.array([_plane(pile, len(pairs) + k, values) for k, pile in enumerate(planes)]).reshape(
            -1, at.PLANE_WIDTH
        ),
        np.array([_law(pile, values) for pile in (*pairs, *planes)]).reshape(-1, at.LAW_WIDTH),
        ties(numbers, length),
        min(shape.least for shape in shapes.values()),
    )


def members(mechanism: Mechanism, pile: Pile) -> tuple[str, ...]:
    """The bodies of a pile: those that are named, or all that have a shape."""
    shaped = tuple(name for name, body in mechanism.bodies.items() if body.shape is not None)
    if not (pile.among or shaped):
        raise ModelError(
            place_of(pile, "contact"),
            say('no body of "{mechanism}" has a shape.', mechanism.name),
            "Example: bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}}}",
        )
    return pile.among or shaped


def _bodies(numbers: Mechanism) -> Array:
    """Masses and inertias, the ground first."""
    table = np.zeros((len(numbers.bodies) + 1, at.BODY_WIDTH))
    table[:, at.SHAPE] = at.NO_SHAPE
    upper = np.triu_indices(3)
    for row, body in zip(table[1:], numbers.bodies.values(), strict=True):
        mass, I = float(body.mass), np.asarray(body.inertia, dtype=float)  # type: ignore[arg-type]
        moments = np.linalg.eigvalsh(I)
        if not (mass > 0 and moments[0] > 0):
            raise ModelError(
                place_of(body, "body"),
                say(
                    "its mass {mass:g} or a moment of inertia {moment:g} is zero.", mass, moments[0]
                ),
                "A body that touches others needs mass and moments of inertia in all directions.",
            )
        row[at.MASS], row[at.INVERSE_MASS] = mass, 1 / mass
        row[at.INERTIA : at.INERTIA + 6] = I[upper]
        row[at.INVERSE_INERTIA : at.INVERSE_INERTIA + 6] = np.linalg.inv(I)[upper]
        row[at.IS_ROUND] = np.abs(I - moments[0] * np.eye(3)).max() <= _ROUND * moments[2]
    return table


def _shape_of(body: Body, values: Mapping[str, Any]) -> Shape:
    """The shape of a body at parameter values."""
    if body.shape is None or body.shape[0] not in _SHAPES:
        named = say("none") if body.shape is None else body.shape[0]
        raise ModelError(
            place_of(body, "body"),
            say('the shape of "{body}" is {named}, which cannot touch others.', body.name, named),
            say("Shapes that touch: {shapes}.", ", ".join(_SHAPES)),
        )
    name, given = body.shape

    def number(x: Any) -> float:
        return float(evaluate(x, values))

    if name == "box":
        x, y, z = (number(side) / 2 for side in given["size"])
        return Shape(at.BOX, (x, y, z), float(np.hypot(np.hypot(x, y), z)), min(x, y, z))
    if name == "capsule":
        radius, half = number(given["radius"]), number(given["length"]) / 2
        axis = float("xyz".index(given.get("axis", "z")))
        return Shape(at.CAPSULE, (radius, half, axis), radius + half, radius)
    radius = number(given["outer_radius" if name == "hollow_sphere" else "radius"])
    return Shape(at.SPHERE, (radius, 0.0, 0.0), radius, radius)


def _plane(pile: Pile, law: int, values: Mapping[str, Any]) -> list[float]:
    normal, through = (
        np.array([float(evaluate(x, values)) for x in given])
        for given in (pile.normal, pile.through)
        if given is not None
    )
    size = float(np.linalg.norm(normal))
    if not size > 0:
        raise ModelError(
            place_of(pile, "contact"),
            say("its normal {normal} has no direction.", normal.tolist()),
            "Example: normal: z",
        )
    unit = normal / size
    return [*unit, float(unit @ through), float(law)]


def _law(pile: Pile, values: Mapping[str, Any]) -> tuple[float, float]:
    """The coefficient of friction and that of restitution."""
    given = pile.friction
    if given is None:
        return 0.0, float(evaluate(pile.restitution, values))
    parts = (given.static, given.kinetic, given.viscous, given.stribeck)
    static, kinetic, *other = (float(evaluate(x, values)) for x in parts)
    if static != kinetic or any(other):
        raise ModelError(
            place_of(pile, "contact"),
            say(
                "its friction is {static:g} at rest and {kinetic:g} in motion, or depends on "
                "speed; a pile has one coefficient.",
                static,
                kinetic,
            ),
            say("Give one: friction: {kinetic:g}.", kinetic),
        )
    return kinetic, float(evaluate(pile.restitution, values))
