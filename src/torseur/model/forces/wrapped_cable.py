"""Cables past spheres and cylinders, with pulleys: a tension by a law of length and rate."""

from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.algebra.core.graph import substitute
from torseur.errors import ModelError
from torseur.model.forces.potentials import check_potential, potential_of
from torseur.model.forces.protocol import (
    Action,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    place_of,
)
from torseur.model.forces.wrapping import Obstacle, PathPart, Pulley, Stretch, straight, wrapped

LENGTH, RATE = symbol("length", "input"), symbol("rate", "input")
_LOCAL = (("length", LENGTH, "m"), ("rate", RATE, "m/s"))
_EXAMPLE = "[[ground, [0, 0, 1]], {body: arm, centre: [0, 0, 0], radius: 0.1}, [arm, [1, 0, 0]]]"


@final
@dataclass(frozen=True)
class WrappedCable(Force):
    """A tension φ(L, L̇) in a cable through points of bodies, past obstacles between them.

    L is the length of its branches, those behind a pulley divided by its number of parts, in which
    the tension is divided too. The potential is found or given as that of a line.
    """

    name: str
    through: tuple[PathPart, ...]
    tension: Expr  # [N], of length and rate
    potential: Expr | None = None  # [J], of length
    place: str = ""

    names = ("wrapped cable", "câble enroulé")
    keys = (
        Key("through", Kind.WRAPPED_PATH, _EXAMPLE),
        Key("tension", Kind.VARYING, "max(500*(length - 1.2), 0)", local=_LOCAL, unit="N"),
        Key("potential", Kind.VARYING, local=_LOCAL, unit="J"),
    )

    def __post_init__(self) -> None:
        _check_path(self)
        if self.potential is not None:
            check_potential(place_of(self), self.potential, self.tension, LENGTH, RATE)

    def effect(self, places: Places) -> Effect:
        length, rate, pulls = ZERO, ZERO, []
        for stretch, parts in _stretches(self.through, places):
            length += stretch.length / parts
            for pull in stretch.pulls:
                rate -= _power(places, pull) / parts
                pulls.append(Action(pull.at, pull.force / parts, pull.couple / parts))
        known = {LENGTH: length, RATE: rate}
        given = self.potential
        stored = potential_of(self.tension, LENGTH, RATE) if given is None else given
        tension = substitute(self.tension, known)
        actions = (Action(x.at, tension * x.force, tension * x.couple) for x in pulls)
        return Effect(tuple(actions), potential=substitute(stored, known))


def _stretches(through: tuple[PathPart, ...], places: Places) -> list[tuple[Stretch, Expr]]:
    """The cable from point to point, and the number that each length is divided by."""
    stretches, parts, last, between = [], ONE, None, None
    for part in through:
        if isinstance(part, Pulley):
            parts, last = part.parts, None
        elif isinstance(part, Obstacle):
            between = part
        else:
            if last is not None and between is not None:
                stretches.append((wrapped(places, last, between, part), parts))
            elif last is not None:
                stretches.append((straight(places, last, part), parts))
            last, between = part, None
    return stretches


def _power(places: Places, action: Action) -> Any:
    """The power of an action in ground axes."""
    power = action.force @ places.velocity(action.at)
    if not action.couple.any():
        return power
    w, _ = places.twist(action.at)
    return power + action.couple @ places.rotation(action.at.body).out(w)


def _check_path(cable: WrappedCable) -> None:
    """Refuse obstacles that are not between two points, and branches of one point."""
    previous: PathPart = Pulley(ONE)
    points = 0
    for part in (*cable.through, Pulley(ONE)):
        at_end = not isinstance(previous, Attachment)
        if (isinstance(part, Obstacle) and at_end) or (
            isinstance(previous, Obstacle) and not (isinstance(part, Attachment))
        ):
            problem = "an obstacle is not between two points of the cable."
            raise ModelError(place_of(cable), problem, "Give a point before and after each one.")
        if isinstance(part, Pulley):
            if points < 2:
                problem = "a branch of the cable has fewer than two points."
                raise ModelError(place_of(cable), problem, "A pulley stands between two branches.")
            points = 0
        points += isinstance(part, Attachment)
        previous = part
