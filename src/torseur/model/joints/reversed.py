"""A joint crossed from its second body to its first."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, final

import numpy as np

from torseur.model.joints.protocol import Array, JointType
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross


def _of(name: str) -> Any:
    """A property that does not depend on the direction of the joint."""
    return property(attrgetter(f"kind.{name}"))


@final
@dataclass(frozen=True)
class Reversed(JointType):
    """A joint with the same coordinates whose second body carries the first.

    The twist of F relative to M is minus that of M relative to F, brought to F. The derivative of
    the change of frame does not appear, because a twist does not change along itself.
    """

    kind: JointType

    backwards = True
    names, words, keys = _of("names"), _of("words"), _of("keys")
    nq, nv, turning = _of("nq"), _of("nv"), _of("turning")
    coordinate_units, speed_units = _of("coordinate_units"), _of("speed_units")
    carries, closes, lengths = _of("carries"), _of("closes"), _of("lengths")
    symbol = _of("symbol")

    @property
    def forward(self) -> JointType:
        return self.kind

    def transform(self, q: Array) -> Pose:
        return self.kind.transform(q).inverse

    def _in_first_frame(self, q: Array, motions: Array) -> Array:
        """Motions (ω; v) from the axes and origin of M to those of F."""
        X = self.kind.transform(q)
        w, v = X.R.out(motions[:3]), X.R.out(motions[3:])
        return np.concatenate([w, v + cross(X.p, w)])

    def motion_subspace(self, q: Array) -> Array:
        return -self._in_first_frame(q, self.kind.motion_subspace(q))

    def bias(self, q: Array, v: Array) -> Array:
        return -self._in_first_frame(q, self.kind.bias(q, v))

    def reaction_subspace(self, q: Array) -> Array:
        X = self.kind.transform(q)
        return _at_first(X.R.matrix, X.p, self.kind.reaction_subspace(q))

    def reactions_at(self, R: Array, p: Array) -> Array:
        back = -(R.T @ p)
        return _at_first(R.T, back, self.kind.reactions_at(R.T, back))

    def gap(self, R: Array, p: Array) -> Array:
        return -self.kind.gap(R.T, -(R.T @ p))

    def rates(self, q: Array, v: Array) -> Array:
        return self.kind.rates(q, v)

    def speeds(self, q: Array, rates: Array) -> Array:
        return self.kind.speeds(q, rates)

    def read(self, R: Array, p: Array) -> Array:
        return self.kind.read(R.T, -(R.T @ p))

    def neutral(self) -> Array:
        return self.kind.neutral()


def _at_first(R: Array, p: Array, T: Array) -> Array:
    """Wrenches (couple; force) from the axes and origin of M to those of F; (R, p) is M in F."""
    couple, force = R @ T[:3], R @ T[3:]
    return np.concatenate([couple + cross(p, force), force])
