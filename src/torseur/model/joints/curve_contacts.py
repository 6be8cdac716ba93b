"""Balls, discs and outlines on profiles and round outlines: contacts of plane curves.

Of the points of a rim, P(u), that one touches where L, which is zero on the track, is smallest:
H(u) = ∇L·P′(u) = 0. No formula gives u. It is looked for among points of the rim, then by halving,
then by Newton's method, in a number of steps that is the same everywhere: so it is an expression
as any other, that compiles and has derivatives. The last steps make these exact.

The gap is L/|∇L|: the distance, to first order. As H = 0, its rate is that of the point that
touches along ∇L, less what |∇L| changes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.rules import choice
from torseur.model.joints.plane_curves import Rim, Track
from torseur.model.joints.protocol import Array, unit
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.surfaces import within
from torseur.model.joints.symbol import Symbol
from torseur.spatial.vectors import cross, is_symbolic
from torseur.words.sentence import say

_AROUND = 48  # points of a rim that are looked at, a whole turn
_HALVINGS, _STEPS = 14, 2  # halvings have no derivative, which keeps those of the steps short


@final
@dataclass(frozen=True)
class _Touch:
    """The contact point of a rim with its derivatives, in F, and the function L there."""

    points: Array  # (3, 3): P − p, P′, P″
    value: Any  # L
    gradient: Array  # (3)
    second: Array  # (3×3): the derivatives of the gradient

    @property
    def slope(self) -> Any:
        """H = dL/du."""
        return self.gradient @ self.points[1]

    @property
    def bend(self) -> Any:
        """dH/du."""
        _, first, second = self.points
        return first @ (self.second @ first) + self.gradient @ second


@final
@dataclass(frozen=True)
class CurveContact(ContactType):
    """A rim about the origin of M on a track of F.

    It carries forces along the normal, the curve and across; of a wheel in its own plane the first
    two.
    """

    track: Track
    rim: Rim
    forces: int = 3  # type: ignore[misc]

    names = ("profile", "profil")
    sizes = ()

    @property
    def nv(self) -> int:  # type: ignore[override]
        return 6 - self.forces

    @property
    def lengths(self) -> tuple[Any, ...]:
        return self.rim.lengths

    @property
    def symbol(self) -> Symbol:
        return Symbol((self.track.part,), (self.rim.part,), foot=False, radius=1.0)

    @property
    def axes_named(self) -> Sequence[str]:
        across = say("{axis} of F", "xyz"[self.track.across])
        return say("the normal"), say("the profile"), across

    # --- where it touches -------------------------------------------------------------------------

    def _at(self, u: Any, R: Array, p: Array) -> _Touch:
        x, z = self.track.axes
        points = self.rim.points(u, R, self.track)
        place = p + points[0]
        level = self.track.level(place[x], place[z])
        into = np.array([unit(x), unit(z)])
        second = into.T @ level.second @ into
        return _Touch(points, level.value, level.gradient @ into, second)

    def _nearest(self, R: Array, p: Array) -> tuple[Any, float]:
        """The sampled angle where L is smallest, and the distance of the samples."""
        x, z = self.track.axes
        half = not (self.rim.turns or self.track.closed)  # an upright rim touches from below
        reach = np.pi / 2 if half else np.pi
        angles = np.linspace(-reach, reach, _AROUND, endpoint=half)
        places = [p + self.rim.points(u, R, self.track)[0] for u in angles]
        levels = [self.track.value(place[x], place[z]) for place in places]
        return _smallest(levels, angles), float(angles[1] - angles[0])

    def touch(self, R: Array, p: Array) -> _Touch:
        """The contact point, or the nearest one."""
        u, step = self._nearest(R, p)
        low, high = u - step, u + step
        for _ in range(_HALVINGS):
            u = (low + high) / 2
            slope = self._at(u, R, p).slope
            low, high = _where(slope, low, u), _where(slope, u, high)
        u = (low + high) / 2
        for _ in range(_STEPS):
            at = self._at(u, R, p)
            u = within(u - at.slope / at.bend, low, high)
        return self._at(u, R, p)

    def place(self, R: Array, p: Array) -> Array:
        """Argument of the track at the contact, and curvature of the rim there [1/m].

        It fits wherever this curvature and that of the track have a positive sum.
        """
        at, (x, z) = self.touch(R, p), self.track.axes
        arm, first, second = at.points
        steep = np.sqrt(at.gradient @ at.gradient)
        curvature = at.gradient @ second / (first @ first * steep)
        point = p + arm
        return np.array([self.track.argument(point[x], point[z]), curvature])

    # --- rows -------------------------------------------------------------------------------------

    def frame(self, R: Array, p: Array) -> Array:
        return self._frame(self.touch(R, p))

    def _frame(self, at: _Touch) -> Array:
        n = at.gradient / np.sqrt(at.gradient @ at.gradient)
        x, z = self.track.axes
        return np.array([n, n[z] * unit(x) - n[x] * unit(z), unit(self.track.across)])

    def touching(self, R: Array, p: Array) -> Array:
        return np.asarray(R.T @ self.touch(R, p).points[0])

    def gap(self, R: Array, p: Array) -> Array:
        at = self.touch(R, p)
        return np.array([at.value / np.sqrt(at.gradient @ at.gradient)])

    def reactions_at(self, R: Array, p: Array) -> Array:
        """The wrench of the gap, then forces along the tangents at the point that touches.

        u̇ = −(P′·L″·v_P + ω·(P′ × ∇L))/H′, where v_P is the speed of the point of the rim, and the
        rate of 1/|∇L| is −∇L·L″·(v_P + P′ u̇)/|∇L|³.
        """
        at = self.touch(R, p)
        arm, first, _ = at.points
        normal, *tangents = self._frame(at)[: self.forces]
        steep = at.gradient @ at.gradient
        fall = at.value / (steep * np.sqrt(steep)) * (at.second @ at.gradient)
        share = (fall @ first) / at.bend
        force = normal - fall + share * (at.second @ first)
        couple = np.zeros(3)
        if self.rim.turns:
            couple = cross(arm, force) + share * cross(first, at.gradient)
        columns = [(couple, force), *((cross(arm, e), e) for e in tangents)]
        return np.array([[*(R.T @ c), *(R.T @ f)] for c, f in columns]).T


# --- numbers and expressions ----------------------------------------------------------------------


def _smallest(values: list[Any], angles: Array) -> Any:
    """The angle of the smallest value."""
    if not is_symbolic(np.array(values, dtype=object)):
        return float(angles[int(np.argmin(values))])
    best, least = expression(float(angles[0])), expression(values[0])
    for value, angle in zip(values[1:], angles[1:], strict=True):
        lower = least - value
        best = choice(lower, expression(float(angle)), best)
        least = choice(lower, expression(value), least)
    return best


def _where(condition: Any, above: Any, otherwise: Any) -> Any:
    if isinstance(condition, Expr):
        return choice(condition, expression(above), expression(otherwise))
    return above if condition > 0 else otherwise
