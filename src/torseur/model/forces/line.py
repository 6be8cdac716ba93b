"""Forces along the line between two points: a spring, a damper, or any law of length and rate."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.core.rules import choice, larger
from torseur.errors import ModelError
from torseur.model.forces.potentials import check_potential, potential_of
from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    Sheave,
    place_of,
)
from torseur.model.forces.rope_path import RopePath

Ends = tuple[Attachment, Attachment]
LENGTH, RATE = symbol("length", "input"), symbol("rate", "input")
_LOCAL = (("length", LENGTH, "m"), ("rate", RATE, "m/s"))
_BETWEEN = Key("between", Kind.ENDS, "[[ground, [0, 0, 0]], [cart, [0, 0, 0]]]")


@final
@dataclass(frozen=True)
class Line:
    """The line between two attachments, along which a force of some place acts."""

    places: Places
    ends: Ends
    place: str = ""

    @cached_property
    def _vector(self) -> Array:
        first, second = self.ends
        return np.asarray(self.places.position(second) - self.places.position(first))

    @cached_property
    def length(self) -> Any:
        """The distance between the ends [m]."""
        length = np.sqrt(self._vector @ self._vector)
        if length is ZERO:
            raise ModelError(
                self.place,
                "its two ends are at the same place, however the mechanism moves.",
                "Attach it to two points that can move apart.",
            )
        return length

    @cached_property
    def rate(self) -> Any:
        """The rate of the distance [m/s]."""
        first, second = self.ends
        relative = self.places.velocity(second) - self.places.velocity(first)
        return self._vector @ relative / self.length

    def pulled(self, tension: Any) -> tuple[Action, Action]:
        """The forces on both ends; a positive tension pulls them together."""
        first, second = self.ends
        pull = tension / self.length * self._vector
        return Action(first, pull), Action(second, -pull)


@final
@dataclass(frozen=True)
class Spring(Force):
    """A spring along a line: tension k (l − l₀), potential ½ k (l − l₀)²."""

    name: str
    between: Ends
    stiffness: Expr  # [N/m]
    length: Expr = ZERO  # at rest [m]
    place: str = ""

    names = ("spring", "ressort")
    keys = (
        _BETWEEN,
        Key("stiffness", Kind.CONSTANT, "80 N/m", unit="N/m"),
        Key("length", Kind.CONSTANT, unit="m"),
    )

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between, place_of(self))
        longer = line.length - self.length
        tension = self.stiffness * longer
        return Effect(line.pulled(tension), potential=self.stiffness * longer**2 / 2)


@final
@dataclass(frozen=True)
class Damper(Force):
    """A damper along a line: tension b l̇; its power is −b l̇²."""

    name: str
    between: Ends
    damping: Expr  # [N s/m]
    place: str = ""

    names = ("damper", "amortisseur")
    keys = (_BETWEEN, Key("damping", Kind.CONSTANT, "12 N.s/m", unit="N.s/m"))

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between, place_of(self))
        return Effect(line.pulled(self.damping * line.rate))


@final
@dataclass(frozen=True)
class LineForce(Force):
    """A tension φ(l, l̇) that pulls two points together (Llibre 2009, §4.2.3).

    The potential V of its part at rest, dV/dl = φ(l, 0), is found when that is a polynomial in l,
    or given. The remainder is counted by its power.
    """

    name: str
    between: Ends
    tension: Expr  # [N], of length and rate
    potential: Expr | None = None  # [J], of length
    place: str = ""

    names = ("line", "ligne")
    keys = (
        _BETWEEN,
        Key("tension", Kind.VARYING, "80*(length - 0.2) + 3*rate", local=_LOCAL, unit="N"),
        Key("potential", Kind.VARYING, local=_LOCAL, unit="J"),
    )

    def __post_init__(self) -> None:
        if self.potential is not None:
            check_potential(place_of(self), self.potential, self.tension, LENGTH, RATE)

    def effect(self, places: Places) -> Effect:
        line = Line(places, self.between, place_of(self))
        given = self.potential
        stored = potential_of(self.tension, LENGTH, RATE) if given is None else given
        tension = substitute(self.tension, {LENGTH: line.length, RATE: line.rate})
        return Effect(line.pulled(tension), potential=substitute(stored, {LENGTH: line.length}))


@final
@dataclass(frozen=True)
class Cable(Force):
    """A cable through points and over sheaves without friction: max(0, k (L − L₀) + b L̇).

    L is the length of its straight parts and of its arcs, L₀ that of the cable without tension.
    While it is slack it does nothing; when it is tight, it never pushes.
    """

    name: str
    through: tuple[Attachment | Sheave, ...]
    stiffness: Expr  # k [N/m]
    length: Expr  # L₀ [m], less what drums have wound up
    damping: Expr = ZERO  # b [N s/m]
    place: str = ""

    names = ("cable", "câble")
    keys = (
        Key("through", Kind.PATH, "[[ground, [0, 2, 0]], [hook, [0, 0, 0]], [ground, [1, 2, 0]]]"),
        Key("stiffness", Kind.CONSTANT, "2000 N/m", unit="N/m"),
        Key("length", Kind.VARYING, "1.5 m", unit="m"),
        Key("damping", Kind.CONSTANT, unit="N.s/m"),
    )

    def effect(self, places: Places) -> Effect:
        path = RopePath(places, self.through, place_of(self))
        longer = larger(path.length - self.length, ZERO)
        damped = choice(longer, self.damping * path.rate, ZERO)
        pull = larger(self.stiffness * longer + damped, ZERO)
        moving = any(x.kind in ("coordinate", "speed") for x in free_symbols(self.length))
        stored = ZERO if moving else self.stiffness * longer**2 / 2
        return Effect(path.pulled(pull), potential=stored)
