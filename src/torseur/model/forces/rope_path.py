"""Ropes over points and sheaves: straight strands, tangent to circles, and arcs between them.

All lies in planes across the axes of the sheaves, which are parallel. About the unit normal n of
these planes, a rope that runs along u touches a sheave at its centre plus ρ u × n, where ρ is the
radius, negative when the rope turns clockwise. From one circle to the next, at a distance d, with
δ = ρ₁ − ρ₂: d = l u + δ u × n, hence l = √(d² − δ²), open belts and crossed ones alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.errors import ModelError
from torseur.model.forces.protocol import (
    GROUND,
    Action,
    Array,
    Attachment,
    Places,
    Sheave,
    no_vector,
)
from torseur.spatial.vectors import cross

Element = Attachment | Sheave


@final
@dataclass(frozen=True)
class Strand:
    """A straight part of a rope: its direction, its length, the radii at both ends."""

    direction: Array  # in ground axes
    length: Any  # [m]
    radii: tuple[Any, Any]  # signed; of a point zero


@final
@dataclass(frozen=True, eq=False)
class RopePath:
    """A rope through points and over sheaves, in some place.

    Inside the path the rope slips over sheaves without friction; at an end of it the sheave is a
    drum, on which the rope is wound.
    """

    places: Places
    through: tuple[Element, ...]
    place: str = ""
    _positions: dict[int, Array] = field(default_factory=dict)

    def _centre(self, k: int) -> Array:
        """A point of the path, or the centre of a sheave, in ground axes."""
        if k not in self._positions:
            one = self.through[k]
            self._positions[k] = self.places.position(Attachment(one.body, one.point))
        return self._positions[k]

    @cached_property
    def _normal(self) -> Array:
        """The axis of the first sheave, in ground axes; without one there is no plane."""
        for one in self.through:
            if isinstance(one, Sheave):
                axis = self.places.rotation(one.body).out(one.axis)
                return np.asarray(axis / _size(axis))
        return np.zeros(3)

    def _radius(self, k: int) -> Any:
        """Radius of an element, negative when the rope turns clockwise; of a point zero."""
        one = self.through[k]
        return one.radius * self._sense(one) if isinstance(one, Sheave) else ZERO

    def _sense(self, one: Sheave) -> Any:
        """1 for a rope that turns counter-clockwise about the axis, −1 otherwise."""
        if free_symbols(one.wrap):
            return one.wrap.sign()
        return int(np.sign(evaluate(one.wrap, {})))

    @cached_property
    def strands(self) -> list[Strand]:
        """The straight parts, in their order."""
        return [self._strand(i, j) for i, j in pairwise(range(len(self.through)))]

    def _strand(self, i: int, j: int) -> Strand:
        n, d = self._normal, self._centre(j) - self._centre(i)
        first, second = self._radius(i), self._radius(j)
        apart, square = first - second, expression(d @ d)
        if square is ZERO:
            problem = "two of its points are at the same place, however the mechanism moves."
            raise ModelError(self.place, problem, "Leave one of them out.")
        length = expression(square - apart * apart).sqrt()
        aside = cross(d, n)
        u = (length * d - apart * aside) / square if apart is not ZERO else d / length
        return Strand(np.asarray(u), length, (first, second))

    @cached_property
    def length(self) -> Any:
        """Length of the strands and of the arcs between them [m]; drums count nothing."""
        arcs = (sheave.radius * angle for sheave, angle in self.arcs)
        return sum((x.length for x in self.strands), ZERO) + sum(arcs, ZERO)

    @cached_property
    def arcs(self) -> list[tuple[Sheave, Any]]:
        """The sheaves between strands, each with the angle of its arc [rad]."""
        arcs = []
        for k, (before, after) in enumerate(pairwise(self.strands), 1):
            one = self.through[k]
            if isinstance(one, Sheave):
                angle = self._wrapped(one, before.direction, after.direction)
                arcs.append((one, self._sense(one) * angle))
        return arcs

    @property
    def tilts(self) -> list[Any]:
        """Sines of the angles between the axes of the sheaves and that of the first one."""
        sheaves = [one for one in self.through if isinstance(one, Sheave)]
        axes = [self.places.rotation(one.body).out(one.axis) for one in sheaves]
        return [_size(cross(self._normal, a)) / _size(a) for a in axes[1:]]

    def off_plane(self, k: int) -> Any:
        """Sine of the angle of a strand to the plane across the axes."""
        d = self._centre(k + 1) - self._centre(k)
        return self._normal @ d / _size(d)

    def _wrapped(self, one: Sheave, u: Array, w: Array) -> Any:
        """The angle from one direction to the next, within half a turn of what is given."""
        sine, cosine = expression(self._normal @ cross(u, w)), expression(u @ w)
        c, s = one.wrap.cos(), one.wrap.sin()
        return one.wrap + expression(sine * c - cosine * s).arctan2(cosine * c + sine * s)

    @cached_property
    def rate(self) -> Any:
        """Rate at which the rope would stretch [m/s], its parts on drums left out."""
        total, last = ZERO, len(self.through) - 1
        for k, strand in enumerate(self.strands):
            u, (first, second) = strand.direction, strand.radii
            total = total + u @ (self._velocity(k + 1) - self._velocity(k))
            if k == 0 and first is not ZERO:
                total = total - first * self._spin(0)
            if k + 1 == last and second is not ZERO:
                total = total + second * self._spin(last)
        return total

    def _velocity(self, k: int) -> Array:
        """The velocity of a point, or of the centre of a sheave."""
        one = self.through[k]
        return self.places.velocity(Attachment(one.body, one.point))

    def _spin(self, k: int) -> Any:
        """The angular velocity of a sheave about the normal."""
        body = self.through[k].body
        if body == GROUND:
            return ZERO
        w, _ = self.places.twist(Attachment(body, no_vector()))
        return self._normal @ self.places.rotation(body).out(w)

    def pulled(self, tension: Any) -> tuple[Action, ...]:
        """The forces of a rope under a tension; those that a sheave feels act at its centre."""
        actions = []
        for k, strand in enumerate(self.strands):
            for at, radius, sign in zip((k, k + 1), strand.radii, (1, -1), strict=True):
                one = self.through[at]
                pull = sign * tension * strand.direction
                couple = sign * tension * radius * self._normal
                actions.append(Action(Attachment(one.body, one.point), pull, couple))
        return tuple(actions)


def _size(v: Array) -> Any:
    """Length of a vector."""
    return expression(v @ v).sqrt()
