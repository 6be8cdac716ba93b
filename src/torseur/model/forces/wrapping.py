"""Shortest cables between two points past a sphere or a cylinder, as expressions.

The cable is straight, or it touches the obstacle along an arc of a great circle or of a helix. Its
straight parts are tangent to the obstacle, so that its length changes by the velocities of the
points where it is tied, and of the obstacle, along them only.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, number
from torseur.algebra.core.graph import expressions
from torseur.algebra.core.rules import choice, larger, smaller
from torseur.model.forces.protocol import Action, Array, Attachment, Places, no_vector
from torseur.spatial.vectors import cross, vector

TINY = number(1e-30)  # beside squares of lengths, where a direction must exist
_TURN = number(2 * np.pi)
_ALONG = number(1e-12)  # |A × B|² below this × |A|² |B|²: points in line with the centre


@final
@dataclass(frozen=True)
class Obstacle:
    """A sphere or, with an axis, a cylinder without end, fixed to a body."""

    body: str
    centre: Array  # in the body [m]
    radius: Expr
    axis: Array | None = None  # a unit vector, in the body
    side: Attachment | None = None  # where opposite to both ends, the cable goes the long way

    @property
    def at(self) -> Attachment:
        """The centre."""
        return Attachment(self.body, self.centre)

    @property
    def ends(self) -> tuple[Attachment, ...]:
        """Its points of bodies."""
        return (self.at,) if self.side is None else (self.at, self.side)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Its numbers and expressions."""
        axis = () if self.axis is None else self.axis
        return (*(x for end in self.ends for x in end.point), self.radius, *axis)


@final
@dataclass(frozen=True)
class Pulley:
    """Beginning of a further branch of a cable, whose length counts divided by `parts`."""

    parts: Expr
    ends: ClassVar[tuple[Attachment, ...]] = ()

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Its numbers and expressions."""
        return (self.parts,)


PathPart = Attachment | Obstacle | Pulley


@final
@dataclass(frozen=True)
class Stretch:
    """A cable between two points: its length, and the actions of a tension of 1 N."""

    length: Any
    pulls: tuple[Action, ...]


def straight(places: Places, first: Attachment, second: Attachment) -> Stretch:
    """The straight cable; on one body it pulls nothing."""
    if first.body == second.body:
        on_body = expressions(second.point - first.point)
        return Stretch(expression(on_body @ on_body).sqrt(), ())
    along = places.position(second) - places.position(first)
    length = expression(along @ along).sqrt()
    return Stretch(length, (Action(first, along / length), Action(second, -along / length)))


def wrapped(places: Places, first: Attachment, obstacle: Obstacle, second: Attachment) -> Stretch:
    """The cable past an obstacle: straight or round it, the long way where the side asks for that.

    A point inside the obstacle makes it straight.
    """
    arc, chord = _Arc(places, first, obstacle, second), straight(places, first, second)
    touches = arc.touches

    def either(one: Array, other: Array) -> Array:
        return vector(
            *(
                choice(touches, expression(x), expression(y))
                for x, y in zip(one, other, strict=True)
            )
        )

    none = no_vector()
    from_first, from_second = (x.force for x in chord.pulls) if chord.pulls else (none, none)
    pulls = (
        Action(first, either(arc.departing, from_first)),
        Action(second, either(-arc.arriving, from_second)),
        Action(obstacle.at, either(arc.arriving - arc.departing, none), either(arc.couple, none)),
    )
    return Stretch(choice(touches, arc.length, chord.length), pulls)


@final
@dataclass(frozen=True)
class _Arc:
    """A cable from A to B that touches an obstacle, in the plane e₁, e₂ through its centre.

    A is on e₁; B is at the angle γ. The cable leaves A, touches after the angle α, goes round by
    the angle θ and leaves for B at the angle β before it; σ = ±1 is the way round.
    """

    places: Places
    first: Attachment
    obstacle: Obstacle
    second: Attachment

    def _from_centre(self, end: Attachment) -> Array:
        return np.asarray(self.places.position(end) - self.places.position(self.obstacle.at))

    @cached_property
    def _a(self) -> Array:
        return self._from_centre(self.first)

    @cached_property
    def _b(self) -> Array:
        return self._from_centre(self.second)

    @cached_property
    def _normal(self) -> Array:
        """e₃: the axis of a cylinder, or the normal of the plane of A, B and the centre."""
        axis = self.obstacle.axis
        if axis is not None:
            return self.places.rotation(self.obstacle.body).out(axis)
        normal = cross(self._a, self._b)
        sine, sizes = normal @ normal, (self._a @ self._a) * (self._b @ self._b)
        x, y, z = (expression(component) for component in self._a)
        slim = choice(smaller(y**2, z**2) - x**2, ONE, ZERO)  # A is not along x
        other = cross(self._a, vector(slim, 1 - slim, ZERO))
        planar = expression(sine) - _ALONG * sizes
        normal = vector(
            *(choice(planar, expression(u), w) for u, w in zip(normal, other, strict=True))
        )
        return np.asarray(normal / (normal @ normal + TINY**2).sqrt())

    @cached_property
    def _e1(self) -> Array:
        in_plane = self._a - (self._a @ self._normal) * self._normal
        return np.asarray(in_plane / expression(in_plane @ in_plane).sqrt())

    @cached_property
    def _e2(self) -> Array:
        return cross(self._normal, self._e1)

    def _plane(self, p: Array) -> tuple[Expr, Expr]:
        return expression(p @ self._e1), expression(p @ self._e2)

    @cached_property
    def _reaches(self) -> tuple[Expr, Expr]:
        """Distances of A and B from the centre, in the plane."""
        x, y = self._plane(self._b)
        return expression(self._a @ self._e1), (x**2 + y**2).sqrt()

    @cached_property
    def _tangents(self) -> tuple[Expr, Expr]:
        """Lengths of the straight parts, in the plane."""
        r = self.obstacle.radius
        first, second = (larger(x**2 - r**2, ZERO).sqrt() for x in self._reaches)
        return first, second

    @cached_property
    def _angle(self) -> Expr:
        """γ, between −π and π."""
        x, y = self._plane(self._b)
        return y.arctan2(x)

    @cached_property
    def _lost(self) -> Expr:
        """α + β."""
        first, second = (x.arctan2(self.obstacle.radius) for x in self._tangents)
        return first + second

    def _turned(self, way: Expr) -> Expr:
        """θ by one way round; negative where the straight parts would cross."""
        angle = way * self._angle
        return choice(-angle, angle + _TURN, angle) - self._lost

    @cached_property
    def _hit(self) -> Expr:
        """Positive where the straight cable would go through the obstacle."""
        return choice(-self._angle, -self._angle, self._angle) - self._lost

    @cached_property
    def _short(self) -> Expr:
        """The sign of γ: the shorter way round."""
        return choice(-self._angle, -ONE, ONE)

    @cached_property
    def _long(self) -> Expr:
        """Positive where the side is in the sector opposite to A and B: −λ A − μ B, λ, μ > 0."""
        side = self.obstacle.side
        if side is None:
            return -ONE
        x, y = self._plane(self._b)
        s, t = self._plane(self._from_centre(side))
        return smaller(-self._short * t, self._short * (x * t - y * s))

    @cached_property
    def way(self) -> Expr:
        """σ: the shorter way, or the other one."""
        return choice(self._long, -self._short, self._short)

    @cached_property
    def touches(self) -> Expr:
        """Positive where the cable touches the obstacle."""
        outside = smaller(*self._reaches) - self.obstacle.radius
        return choice(outside, larger(self._hit, self._long), -ONE)

    @cached_property
    def _unrolled(self) -> tuple[Expr, Expr]:
        """Length in the plane, and rise along the axis of a cylinder."""
        first, second = self._tangents
        flat = first + self.obstacle.radius * self._turned(self.way) + second
        rise = ZERO if self.obstacle.axis is None else (self._b - self._a) @ self._normal
        return flat, expression(rise)

    @cached_property
    def length(self) -> Expr:
        """The length of the cable [m]."""
        flat, rise = self._unrolled
        return flat if rise is ZERO else (flat**2 + rise**2).sqrt()

    def _out(self, x: Expr, y: Expr) -> Array:
        """A direction in the plane, inclined by the rise."""
        flat, rise = self._unrolled
        u = np.asarray(x * self._e1 + y * self._e2)
        return u if rise is ZERO else np.asarray((flat * u + rise * self._normal) / self.length)

    @cached_property
    def departing(self) -> Array:
        """The direction of the cable from A."""
        (ra, _), (ta, _) = self._reaches, self._tangents
        return self._out(-ta / ra, self.way * self.obstacle.radius / ra)

    @cached_property
    def arriving(self) -> Array:
        """The direction of the cable towards B."""
        (_, rb), (_, tb) = self._reaches, self._tangents
        x, y = (u / rb for u in self._plane(self._b))
        radial, tangential = tb / rb, self.way * self.obstacle.radius / rb
        return self._out(radial * x - tangential * y, radial * y + tangential * x)

    @cached_property
    def couple(self) -> Array:
        """The couple of a tension of 1 N on the obstacle, about its centre.

        Both straight parts end on the lines that they have with A and B: a moment about the centre
        is that of the direction at A and B.
        """
        return np.asarray(cross(self._b, self.arriving) - cross(self._a, self.departing))
