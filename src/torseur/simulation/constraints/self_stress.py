"""Self-stress of over-constrained mechanisms: joint forces without effect on the motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from torseur.equations.actions.reactions import wrench_names
from torseur.simulation.constraints.multipliers import RANK
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray
_NOTHING = 1e-7  # of the largest force or couple over the length of the mechanism


@final
class SelfStress:
    """The multipliers with Jᵀ λ = 0 at a pose, and what they do in joints."""

    def __init__(self, constraints: NumericConstraints, q: Array, t: float) -> None:
        U, sizes, _ = np.linalg.svd(constraints.scaled_J(q, t))
        rank = int((sizes > RANK * max(sizes.max(initial=0.0), 1.0)).sum())
        self._owners = constraints.owners
        self._multipliers = U[:, rank:].T / constraints.sizes.rows  # (degree, rows)
        self._wrenches = self._added(constraints, q, t)

    def _added(self, constraints: NumericConstraints, q: Array, t: float) -> Mapping[str, Array]:
        """Wrenches that each set of multipliers adds in joints: (degree, 18) with the frame."""
        model, count = constraints.model, len(self._multipliers)
        still = np.zeros((count + 1, len(model.speeds)))
        loads = np.vstack([np.zeros(len(self._owners)), self._multipliers])
        poses, times = np.tile(q, (count + 1, 1)), np.full(count + 1, t)
        wrenches = np.array(model.timed("joint_wrenches")(poses, still, still, loads, times))
        wrenches[1:, :, :6] -= wrenches[:1, :, :6]
        return dict(zip(wrench_names(model.system), np.moveaxis(wrenches[1:], 0, 1), strict=True))

    def wrench(self, joint: str, length: float) -> Array:
        """(degree, 18): what may be added in a joint; nothing where that is rounding."""
        added = self._wrenches[joint].copy()
        joined = np.concatenate([x[:, :6] for x in self._wrenches.values()])
        largest = np.abs(joined * np.repeat((length, 1.0), 3)).max(initial=0.0)
        small = np.abs(added[:, :6] * np.repeat((length, 1.0), 3)) <= _NOTHING * largest
        added[:, :6][small] = 0.0
        return added

    def multiplier(self, constraint: str) -> Array:
        """(degree,): what may be added to the multiplier of a constraint of one row."""
        added = self._multipliers[:, self._owners.index(constraint)]
        largest = np.abs(self._multipliers).max(initial=0.0)
        return np.where(np.abs(added) <= _NOTHING * largest, 0.0, added)
