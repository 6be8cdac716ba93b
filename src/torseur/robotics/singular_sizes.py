"""How far configurations are from singular ones, and which coordinates are to blame.

Serial: the driven coordinates move, the place loses a direction. Parallel: the driven coordinates
stand still, passive ones move (Gosselin and Angeles 1990, singularities of the first and second
type).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.robotics.branch import DrivenBranch

Array = np.ndarray
_MOVES = 1e-7  # of the largest singular value: a direction that a place can take
_EQUAL = 1e-4  # of the largest: components that are as large


@final
@dataclass(frozen=True, eq=False)
class SingularSizes:
    """The smallest singular values that count, of a place on a branch."""

    branch: DrivenBranch
    place: str

    @cached_property
    def degree(self) -> int:
        """How many directions the place has, where it is not singular."""
        rng, branch = np.random.default_rng(0), self.branch
        q = np.repeat(branch.start[np.newaxis], 8, axis=0)
        away = 0.1 * rng.normal(size=(8, len(branch.driven))) * branch.units[branch.columns]
        near, fine = branch.followed(q, q[:, branch.places] + away)
        motions = self.motions(np.concatenate([q[:1], near[fine]]))
        sizes = np.linalg.svd(motions, compute_uv=False)
        return int((sizes > _MOVES * sizes.max(initial=1e-300)).sum(axis=1).max())

    def motions(self, q: Array) -> Array:
        """(N, 3 or 6, driven): motions of the place for rates of driven coordinates."""
        model = self.branch.model
        J = np.array([model.jacobian(self.place, one) for one in q]) * self.branch.units
        J[:, -3:] /= model.sizes.scales.length
        return np.asarray(J @ self.branch.rates(q))

    def points(self, q: Array) -> Array:
        """(N, 3): where the place is."""
        model = self.branch.model
        return np.array([model.pose(self.place, one)[:3, 3] for one in q]).reshape(-1, 3)

    def serial(self, q: Array) -> Array:
        """(N): vanishes where the place loses a direction."""
        sizes = np.linalg.svd(self.motions(q), compute_uv=False)
        return np.asarray(sizes[:, self.degree - 1]) if self.degree else np.zeros(len(q))

    def parallel(self, q: Array) -> Array:
        """(N): vanishes where passive coordinates move while the driven ones stand still."""
        if not self.branch.held or not self.branch.passive:
            return np.ones(len(q))
        sizes = np.linalg.svd(self.branch.J(q)[:, :, self.branch.passive], compute_uv=False)
        return np.asarray(sizes[:, len(self.branch.passive) - 1])

    def lost(self, q: Array) -> tuple[str, Array]:
        """At a serial singularity: the driven coordinate that moves in vain, and the direction."""
        left, _, right = np.linalg.svd(self.motions(q[np.newaxis])[0])
        k = self.degree - 1
        direction = left[:, k] * np.sign(left[_most(left[:, k]), k])
        return self.branch.driven[_most(right[k])], direction

    def loose(self, q: Array) -> str:
        """At a parallel singularity: the passive coordinate that moves most."""
        branch = self.branch
        right = np.linalg.svd(branch.J(q[np.newaxis])[0][:, branch.passive])[2]
        k = branch.passive[_most(right[len(branch.passive) - 1])]
        return branch.model.speeds[k].removesuffix(".")


def _most(motion: Array) -> int:
    """The first of the components that are largest but for rounding."""
    sizes = np.abs(motion)
    return int((sizes > (1 - _EQUAL) * sizes.max()).argmax())
