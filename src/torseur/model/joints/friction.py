"""Laws of friction and of stops, as they are described: coefficients, lengths, restitution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import ZERO, Expr


@final
@dataclass(frozen=True)
class Friction:
    """Dry friction of Coulomb, with what is viscous beside it.

    Nothing slides while the friction is at most static × load; what slides is held back by
    kinetic × load, and by viscous × speed. With a Stribeck speed the coefficient falls from the
    static to the kinetic one as exp(−(speed / stribeck)²) (Llibre 2009, §1.5.1).
    """

    static: Expr
    kinetic: Expr
    viscous: Expr = ZERO  # [N s/m], or [N m s/rad] in a joint that turns
    stribeck: Expr = ZERO  # [m/s or rad/s]; zero: it falls at once
    wrap: Expr = ZERO  # [rad]: of a rope about a drum

    @property
    def numbers(self) -> tuple[Expr, ...]:
        """All of them."""
        return self.static, self.kinetic, self.viscous, self.stribeck, self.wrap

    @property
    def limits(self) -> tuple[Expr, Expr]:
        """The friction over the load, of what sticks at most and of what slides.

        Of a rope that runs towards the side where it slides, e^(μα) − 1 times the tension of the
        other side (Euler); that is c, the other way it is c/(1 + c).
        """
        if self.wrap is ZERO:
            return self.static, self.kinetic
        return (self.static * self.wrap).exp() - 1, (self.kinetic * self.wrap).exp() - 1


@final
@dataclass(frozen=True)
class JointFriction:
    """Friction in a joint, of its own load or of a constant size.

    `radius` is that of a bearing, a ball or a thread; `half_angle` that of the profile of a thread.
    """

    law: Friction
    radius: Expr = ZERO  # [m]
    half_angle: Expr = ZERO  # [rad]
    constant: Expr | None = None  # [N or N m]: a size that depends on no load


@final
@dataclass(frozen=True)
class Stop:
    """What happens at the limits of a joint: a shock, or a spring that is met there.

    Beyond a limit by δ the spring pushes back by stiffness × δ (1 + dissipation × δ̇), never pulls
    (Hunt and Crossley 1975).
    """

    restitution: Expr = ZERO
    stiffness: Expr = ZERO  # [N/m or N m/rad]; zero: rigid
    dissipation: Expr = ZERO  # [s/m or s/rad]
