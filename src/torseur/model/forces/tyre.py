"""Tyres and wheels that creep: a wrench at the contact point, which moves along the rim."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, number
from torseur.algebra.core.rules import choice, larger
from torseur.errors import ModelError
from torseur.model.forces.body import SMALL
from torseur.model.forces.protocol import (
    Action,
    Array,
    Attachment,
    Effect,
    Force,
    Key,
    Kind,
    Places,
    no_vector,
    place_of,
)
from torseur.spatial.vectors import cross

SLOW = number(0.01)


@final
@dataclass(frozen=True)
class Footprint:
    """The lowest point of a wheel above a plane through the ground's origin: gap, axes, slip."""

    places: Places
    at: Attachment  # the centre of the wheel
    axis: Array  # of the wheel, in its body
    normal: Array  # of the plane, upwards, in ground axes
    radius: Expr
    slow: Expr

    @cached_property
    def _spin(self) -> Array:
        return _unit(self.places.rotation(self.at.body).out(self.axis))

    @cached_property
    def _up(self) -> Array:
        return _unit(self.normal)

    @cached_property
    def _across(self) -> Array:
        """The part of the normal across the axis of the wheel."""
        return np.asarray(self._up - (self._up @ self._spin) * self._spin)

    @property
    def lies_flat(self) -> bool:
        """Whether the wheel has no lowest point, however it moves."""
        return expression(self._across @ self._across) is ZERO

    @cached_property
    def down(self) -> Array:
        """From the centre of the wheel to its lowest point, a unit vector."""
        return -_unit(self._across)

    @cached_property
    def place(self) -> Attachment:
        """The lowest point, in the body of the wheel."""
        lowest = self.radius * self.places.rotation(self.at.body).into(self.down)
        return Attachment(self.at.body, self.at.point + lowest)

    @cached_property
    def velocity(self) -> Array:
        """The velocity of the wheel at its lowest point."""
        return self.places.velocity(self.place)

    @cached_property
    def axes(self) -> tuple[Array, Array, Array]:
        """Forward, to the left of it, and up."""
        forward = _unit(cross(self._spin, self._up))
        return forward, cross(self._up, forward), self._up

    @property
    def gap(self) -> Any:
        """Height of the lowest point above the plane [m]."""
        return self._up @ self.places.position(self.place)

    @property
    def slips(self) -> Array:
        """Longitudinal and lateral slip: sliding velocity over the speed of the wheel's centre."""
        forward, left, _ = self.axes
        speed = forward @ self.places.velocity(self.at)
        rolling = np.sqrt(speed * speed + self.slow * self.slow)
        return np.array([self.velocity @ x / rolling for x in (forward, left)], dtype=object)


@final
@dataclass(frozen=True)
class Tyre(Force):
    """A wheel on a plane of the ground that carries by its stiffness and pulls by its slip.

    The load is N = max(0, −k gap − c rate) or given. Forces along the plane oppose the slips s:
    `creep` makes them F = −(Cₓ sₓ, C_y s_y) [N]; with a `friction` μ their size is at most μ N, by
    τ = |F|/(3 μ N): μ N (1 − (1 − min(τ, 1))³) (Vermeulen and Johnson 1964). `magic` has
    Pacejka's formula for s = |s|, N D sin(C atan(B s − E (B s − atan B s))), against the
    slip (Pacejka 2012, (4.49)).
    """

    name: str
    body: str
    axis: Array  # of the wheel, in its body
    radius: Expr  # [m]
    normal: Array  # of the plane, in ground axes
    point: Array = field(default_factory=no_vector)  # centre of the wheel, in its body [m]
    stiffness: Expr = ZERO  # k [N/m]
    damping: Expr = ZERO  # c [N s/m]
    load: Expr | None = None  # instead of a stiffness [N]
    creep: tuple[Expr, Expr] | None = None  # Cₓ, C_y [N]
    friction: Expr = ZERO  # μ, at which creep ends in sliding; zero: it does not
    magic: tuple[Expr, ...] | None = None  # B, C, D, E
    trail: Expr = ZERO  # of the lateral force behind the lowest point [m]
    slow: Expr = SLOW  # speed below which slip is not divided by it [m/s]
    place: str = ""

    names = ("tyre", "tire", "pneu")
    keys = (
        Key("body", Kind.BODY, "wheel"),
        Key("axis", Kind.DIRECTION, "z"),
        Key("radius", Kind.VARYING, "0.3 m", unit="m"),
        Key("normal", Kind.DIRECTION, "y"),
        Key("centre", Kind.POINT, of_class="point"),
        Key("stiffness", Kind.CONSTANT, unit="N/m"),
        Key("damping", Kind.CONSTANT, unit="N.s/m"),
        Key("load", Kind.VARYING, unit="N"),
        Key("creep", Kind.TWO_CONSTANTS, unit="N"),
        Key("friction", Kind.CONSTANT, unit="1"),
        Key("magic", Kind.FOUR_CONSTANTS, unit="1"),
        Key("trail", Kind.CONSTANT, unit="m"),
        Key("slow", Kind.CONSTANT, unit="m/s"),
    )

    def __post_init__(self) -> None:
        if (self.load is None) == (self.stiffness is ZERO):
            problem = "a tyre has either a stiffness or a given load."
            advice = "For instance stiffness: 200 kN/m, or load: 3 kN."
            raise ModelError(place_of(self), problem, advice)
        if (self.creep is None) == (self.magic is None):
            problem = "a tyre has one law of its slip: creep or magic."
            advice = "For instance creep: [80 kN, 60 kN], or magic: [10, 1.9, 1, 0.97]."
            raise ModelError(place_of(self), problem, advice)
        if self.creep is None and self.friction is not ZERO:
            problem = "friction limits the forces of creep; magic has its own limit, D."
            raise ModelError(place_of(self), problem, 'Leave out "friction", or give "creep".')

    def effect(self, places: Places) -> Effect:
        at = Attachment(self.body, self.point)
        footprint = Footprint(places, at, self.axis, self.normal, self.radius, self.slow)
        if footprint.lies_flat:
            problem = "its axis is along the normal of the plane: the wheel lies flat."
            raise ModelError(place_of(self), problem, "Give the axis about which it rolls.")
        forward, left, up = footprint.axes
        load, stored = self._carried(footprint, up)
        along, aside = self._opposed(footprint.slips, load)
        force = load * up + along * forward + aside * left
        return Effect((Action(footprint.place, force, -self.trail * aside * up),), potential=stored)

    def _carried(self, footprint: Footprint, up: Array) -> tuple[Any, Any]:
        """The load N, and the energy that the tyre stores."""
        if self.load is not None:
            return self.load, ZERO
        depth = larger(expression(-footprint.gap), ZERO)
        rate = expression(footprint.velocity @ up)
        push = self.stiffness * depth - choice(depth, self.damping * rate, ZERO)
        return larger(push, ZERO), self.stiffness * depth**2 / 2

    def _opposed(self, slips: Array, load: Any) -> Array:
        """Forces along the plane, forward and to the left."""
        if self.creep is not None:
            linear = np.asarray(-np.array(self.creep, dtype=object) * slips)
            return linear if self.friction is ZERO else self._limited(linear, load)
        assert self.magic is not None, "one of the two laws is given"
        B, C, D, E = self.magic
        slip = np.sqrt(slips @ slips + SMALL * SMALL)
        turned = B * slip - E * (B * slip - (B * slip).arctan())
        return np.asarray(-load * D * (C * turned.arctan()).sin() / slip * slips)

    def _limited(self, linear: Array, load: Any) -> Array:
        """Forces of creep, up to those of sliding."""
        most = self.friction * load
        size = np.sqrt(linear @ linear + SMALL * SMALL)
        rest = larger(expression(3 * most - size), ZERO)  # 3 μ N (1 − τ)
        return np.asarray(choice(most, (most - rest**3 / (27 * most**2)) / size, ZERO) * linear)


def _unit(v: Array) -> Array:
    """A vector divided by its length."""
    return np.asarray(v / expression(v @ v).sqrt())
