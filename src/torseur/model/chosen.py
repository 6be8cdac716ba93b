"""Coordinates that the user chooses: combinations of those of joints that take their places.

So the second angle of a double pendulum may be counted from the vertical, φ₂ = θ₁ + θ₂. Their
coefficients are numbers, so that the coordinates of joints follow from them whatever the parameters
are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.calculus.derivative import derivative, solved_for
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.errors import ModelError
from torseur.words.sentence import say

_NOTHING: Mapping[str, Any] = {}


@final
@dataclass(frozen=True)
class ChosenCoordinate:
    """A coordinate of the user: its name, and its expression in coordinates of joints."""

    name: str
    value: Expr
    place: str = ""

    @property
    def rate(self) -> Expr:
        """Its speed as an expression of the speeds of joints."""
        return rate_of(self.value)

    @property
    def names(self) -> tuple[str, str, str]:
        """Names of the coordinate, its speed and its acceleration."""
        return self.name, f"{self.name}.", f"{self.name}.."

    @property
    def slopes(self) -> dict[str, float]:
        """The coefficient of each coordinate of a joint."""
        return {x.name: float(evaluate(derivative(self.value, x), {})) for x in self._parts}

    @property
    def zero(self) -> float:
        """Its value where those coordinates are zero."""
        return float(evaluate(substitute(self.value, dict.fromkeys(self._parts, ZERO)), {}))

    @property
    def _parts(self) -> list[Expr]:
        return free_symbols(self.value)


@final
@dataclass(frozen=True)
class Change:
    """From the coordinates of joints to those that are chosen."""

    taken: Mapping[str, str]  # a coordinate of a joint → the one that takes its place
    values: Mapping[str, Expr]  # the same → its expression in the others

    def name(self, coordinate: str) -> str:
        """The coordinate that stands at the place of one of a joint."""
        return self.taken.get(coordinate, coordinate)


def change(chosen: Mapping[str, ChosenCoordinate], coordinates: Sequence[str]) -> Change:
    """Each takes the place of the last coordinate that it tells, of those that are left.

    `coordinates` are those of the joints that carry bodies.
    """
    joints = [symbol(name, "coordinate") for name in coordinates]
    replaced: dict[str, str] = {}
    known: dict[Expr, Any] = {}
    for one in chosen.values():
        _check(one, coordinates)
        zero = expression(substitute(one.value, known) - symbol(one.name, "coordinate"))
        candidates = [x for x in joints if x not in known and derivative(zero, x) is not ZERO]
        if not candidates:
            raise ModelError(
                one.place,
                say('"{name}" follows from those before it.', one.name),
                "Give a combination that is independent of them, or leave it out.",
            )
        known = solved_for(candidates[-1], zero, known)
        replaced[candidates[-1].name] = one.name
    return Change(replaced, {x.name: expression(value) for x, value in known.items()})


def rate_of(value: Expr) -> Expr:
    """d/dt of a function of coordinates and parameters."""
    total = ZERO
    for x in free_symbols(value):
        if x.kind == "coordinate":
            total = total + expression(derivative(value, x)) * symbol(f"{x.name}.", "speed")
    return total


def every_start(
    chosen: Mapping[str, ChosenCoordinate], initial: Mapping[str, Any]
) -> dict[str, Any]:
    """The initial values of joints, and with them those of chosen coordinates and speeds."""
    starts = dict(initial)
    for one in chosen.values():
        for name, value in ((one.name, one.value), (f"{one.name}.", one.rate)):
            known = {x: initial.get(x.name, ZERO) for x in free_symbols(value)}
            starts[name] = expression(substitute(value, known))
    return starts


def joint_values(
    given: Mapping[str, Any], known: Change, start: Mapping[str, Any] = _NOTHING
) -> dict[str, Any]:
    """Values of coordinates and speeds by the names of joints.

    What is not given is as it is at the start, or zero. A value that is given for a coordinate of a
    joint itself stays.
    """
    chosen = set(known.taken.values())
    result = {name: x for name, x in given.items() if name.removesuffix(".") not in chosen}
    for name, value in known.values.items():
        for joint, formula in ((name, value), (f"{name}.", rate_of(value))):
            parts = free_symbols(formula)
            if joint not in given and any(x.name in given for x in parts):
                values = {x: given.get(x.name, start.get(x.name, ZERO)) for x in parts}
                result[joint] = expression(substitute(formula, values))
    return result


def _check(one: ChosenCoordinate, coordinates: Iterable[str]) -> None:
    """Refuse other than linear combinations, with numbers, of coordinates that carry bodies."""
    for x in free_symbols(one.value):
        if x.name not in coordinates:
            raise ModelError(
                one.place,
                say('"{name}" is not a coordinate of a joint that carries a body.', x.name),
                say("Coordinates of such joints: {coordinates}.", ", ".join(coordinates)),
            )
    slopes = [derivative(one.value, x) for x in free_symbols(one.value)]
    if not slopes or any(free_symbols(x) for x in slopes):
        raise ModelError(
            one.place,
            say('"{value}" is not a sum of coordinates with numerical coefficients.', one.value),
            "Example: coordinates: {phi2: theta1 + theta2}",
        )
