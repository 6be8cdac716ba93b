"""Angle of the one rotation that all joints together leave to a ball joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur.algebra.core.expr import ONE, ZERO, Expr, symbol
from torseur.equations.motion.signs_at_start import SignsAtStart
from torseur.equations.symbols.system import System
from torseur.model.joints.freedoms import Ball
from torseur.teach.derivation.step_formulas import names as names_in_prose

_ZERO = 1e-12  # of a component of a quaternion at the start
_NAME = "psi"


@final
@dataclass(frozen=True)
class RemainingRotation:
    """A ball joint that turns about one axis: ψ, w = cos(ψ/2), the component along it sin(ψ/2)."""

    angle: Expr
    axis: int
    body: str  # the second of the joint, whose axis it is
    speed: Expr
    cosine: Expr  # w
    sine: Expr  # the component of the quaternion along the axis
    zeros: tuple[Expr, ...]  # the others

    @property
    def in_angle(self) -> dict[Expr, Expr]:
        """w = sin ψ/(2 z): attitudes have it in w z = ½ sin ψ alone, once w² is 1 − z²."""
        return dict.fromkeys(self.zeros, ZERO) | {
            self.cosine: self.angle.sin() / (2 * self.sine),
        }

    @property
    def squares(self) -> dict[Expr, Expr]:
        """z² = ½ (1 − cos ψ)."""
        return {self.sine: (ONE - self.angle.cos()) / 2}

    def sentence(self, words: Mapping[str, str]) -> str:
        """Angle, axis and rate, and the components of the quaternion in it."""
        angle, axis = self.angle.name, f"{'xyz'[self.axis]}_{self.body}"
        zeros = names_in_prose(x.name for x in self.zeros)
        return words["turning"].format(
            f"${angle}$",
            f"${axis}$",
            f"${angle}. = {self.speed.name}$",
            zeros,
            f"${self.cosine.name}$",
            f"${self.sine.name}$",
            f"${angle}/2$",
        )


def remaining_rotations(
    system: System, still: Mapping[Expr, Any], start: SignsAtStart
) -> Iterator[RemainingRotation]:
    """Ball joints of which two rotations are still, and that start turned about the third axis."""
    names = {*system.mechanism.parameters, *system.coordinates}
    for _, link in system.tree:
        kind = link.joint.forward if link.joint.backwards else link.joint
        if not any(isinstance(x, Ball) for x in kind.freedoms or ()):
            continue
        w, *vector = system.q[link.q][-4:]
        moving = [k for k, x in enumerate(system.v[link.v][-3:]) if x not in still]
        zeros = tuple(x for k, x in enumerate(vector) if k not in moving)
        if len(moving) != 1 or any(abs(start.value(x) or 0) > _ZERO for x in zeros):
            continue
        name = _NAME if _NAME not in names else f"{_NAME}_{link.joint_name}"
        names.add(name)
        yield RemainingRotation(
            symbol(name, "coordinate"),
            moving[0],
            system.mechanism.joints[link.joint_name].second,
            system.v[link.v][-3:][moving[0]],
            w,
            vector[moving[0]],
            zeros,
        )
