"""Laws of friction, of shocks and of springs that are met, as they are described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.algebra.core.rules import larger


@final
@dataclass(frozen=True)
class Friction:
    """Dry friction of Coulomb, with a viscous term.

    Contacts stick while the friction is at most static × load; sliding ones are held back by
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
    def acts(self) -> bool:
        """Whether a coefficient or the viscous term is not zero."""
        return any(x is not ZERO for x in (self.static, self.kinetic, self.viscous))

    @property
    def is_dry(self) -> bool:
        """Whether something holds without motion."""
        return self.static is not ZERO or self.kinetic is not ZERO

    @property
    def limits(self) -> tuple[Expr, Expr]:
        """The friction over the load: the largest while sticking, and that of sliding.

        Of a rope that runs towards the side where it slides, e^(μα) − 1 times the tension of the
        other side (Euler); that is c, the other way it is c/(1 + c).
        """
        if self.wrap is ZERO:
            return self.static, self.kinetic
        return (self.static * self.wrap).exp() - 1, (self.kinetic * self.wrap).exp() - 1


@final
@dataclass(frozen=True)
class JointCompliance:
    """Compliance of a joint in the directions that it carries, by which it shares loads.

    It is too little to move anything: reactions that statics leaves open are those of the least
    energy in the joints (Menabrea).
    """

    translation: Expr = ZERO  # [m/N]
    rotation: Expr = ZERO  # [rad/(N m)]


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

    @property
    def is_viscous(self) -> bool:
        """Whether only speeds resist."""
        resists = self.law.viscous is not ZERO
        return resists and not self.law.is_dry and self.constant is ZERO


@final
@dataclass(frozen=True)
class Patch:
    """A round surface by which a contact touches; it slides and pivots against one friction.

    The pressure is the same everywhere, or falls to the edge as that of a ball does (Hertz).
    """

    radius: Expr  # [m]
    hertz: bool = False


@final
@dataclass(frozen=True)
class Restitution:
    """Restitution of a shock: a part of the speed, or of the compressing impulse (Poisson).

    With a tangential part friction reverses this part of the sliding speed, as far as it can
    (Garwin 1969, Walton 1993).
    """

    coefficient: Expr = ZERO  # from 0 to 1
    of_impulse: bool = False
    tangential: Expr = ZERO  # from 0 to 1


NO_REBOUND = Restitution()


@final
@dataclass(frozen=True)
class Compliance:
    """A spring that is met where bodies touch: it gives way instead of a shock.

    Pressed in by δ it pushes by stiffness × δⁿ (1 + dissipation × δ̇), and never pulls (Hunt and
    Crossley 1975).
    """

    stiffness: Expr  # [N/mⁿ or N m/radⁿ]
    dissipation: Expr = ZERO  # [s/m or s/rad]
    exponent: Expr = ONE

    def push(self, depth: Expr, rate: Expr) -> Expr:
        """The force at a depth that grows at a rate."""
        return (
            self.stiffness
            * larger(depth, ZERO) ** self.exponent
            * larger(1 + self.dissipation * rate, ZERO)
        )


@final
@dataclass(frozen=True)
class Stop:
    """Behaviour at the limits of a joint: a shock, or a spring."""

    restitution: Restitution = NO_REBOUND
    spring: Compliance | None = None
