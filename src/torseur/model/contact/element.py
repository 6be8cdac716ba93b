"""Contact elements: rows of J that touch, stop or rub, and the load of their friction.

The first row may be that of a gap, which only pushes; the others are those of the speeds that
friction resists, up to a coefficient times a load: the normal force of the element itself or of
another, the load in a joint, a constant, or what an expression gives. Where a force depends on
reactions, its rows carry what its law gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.model.constraints.protocol import Rows
from torseur.model.joints.friction import Compliance, Friction, Patch
from torseur.spatial.vectors import Array


@final
@dataclass(frozen=True)
class OwnNormal:
    """The normal force of the element itself."""


@final
@dataclass(frozen=True)
class NormalOf:
    """The normal force of another element, which friction is proportional to by a length."""

    element: str


@final
@dataclass(frozen=True)
class PushOf:
    """The force of the spring of an element, as the load of its friction."""

    element: str


@final
@dataclass(frozen=True)
class JointWrenchLoad:
    """The size of some components of the wrench in a joint, times an arm.

    The wrench is the force, then the couple, of the first body on the second at the origin of the
    joint's frame M, in its axes; `components` (k, 6) makes forces of it.
    """

    joint: str
    components: Array
    arm: Expr = ONE
    driven: Array | None = None  # (k,): of an effort along the coordinate, which presses on nothing


@final
@dataclass(frozen=True)
class Constant:
    """A size that depends on no load, one for each direction."""

    forward: Expr
    backward: Expr


@final
@dataclass(frozen=True)
class ExpressionLoad:
    """The value of an expression of coordinates, speeds, time and reactions, at least 0."""

    value: Expr


Load = OwnNormal | NormalOf | PushOf | JointWrenchLoad | Constant | ExpressionLoad


@final
@dataclass(frozen=True)
class ReactionLaw:
    """The values of the rows of a force: expressions that may name reactions.

    Of a force on a body, the force and the couple, in ground axes where the body is named.
    """

    values: tuple[Expr, ...]
    turned_into: str = ""  # the body in whose axes the rows are


@final
@dataclass(frozen=True)
class Element:
    """A contact, a stop, friction, or a force that depends on reactions."""

    name: str
    rows: tuple[Rows, ...]
    has_gap: bool  # the first row is that of a gap
    friction: Friction | None = None
    load: Load = OwnNormal()
    restitution: Expr = ZERO
    place: str = ""
    law: ReactionLaw | None = None
    by_impulse: bool = False  # restitution by the impulse (Poisson)
    tangential: Expr = ZERO  # restitution of the speed of sliding
    spring: Compliance | None = None  # force of the first row, instead of a gap
    patch: Patch | None = None  # the last row is that of pivoting, times the radius

    @property
    def pushes(self) -> bool:
        """Whether the first row is along a normal."""
        return self.has_gap or self.spring is not None

    @property
    def count(self) -> int:
        """Number of its rows."""
        return sum(row.count for row in self.rows)
