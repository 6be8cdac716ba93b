"""The combinations of rows that hold a motion, where rows repeat each other: they follow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

import numpy as np

from torseur.equations.actions.reactions import wrench_names
from torseur.equations.functions.held_rows import Rows, share
from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.drive import Attend
from torseur.machine.native import Calls
from torseur.simulation.constraints.multipliers import RANK
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray
_NOTHING = 1e-7  # of the largest force or couple over the length of the mechanism


@final
class RowCombinations:
    """Machine code whose rows are combined as suits the pose it is at.

    The combinations span what the left singular vectors of J do: of all sets of as many rows, the
    best conditioned one. They are the ones nearest to those before, because an integrator goes on
    with their multipliers. Those of rows that hold positions come first; what rows on speeds add to
    them follows.
    """

    def __init__(self, constraints: NumericConstraints, rows: Rows) -> None:
        self.rows = rows
        self._held = constraints
        self._kept = list(rows.selected)
        self._is_position = np.isin(rows.selected, rows.positions)
        self._places = {row: k for k, row in enumerate(rows.selected)}
        self._followers: list[tuple[Calls, Array, Array]] = []  # with parameters and shares there
        self._shares = np.full((rows.rank, len(rows.selected)), np.nan)

    def calls(self, code: Evaluator) -> Calls:
        """Machine code of a motion, with the combinations of the pose that was last followed."""
        numbers = self._held.model.numbers(code)
        pairs = [self._share(name) for name in code.parameters]
        shares = np.array(pairs, dtype=int).reshape(-1, 2).T
        calls = Calls(code, self._mixed(numbers, shares))
        if self.rows.repeating:
            self._followers.append((calls, numbers, shares))
        return calls

    def _share(self, name: str) -> tuple[int, int]:
        """The combination and the place of the row whose share a parameter is, or (-1, -1)."""
        place = share(name)
        return (-1, -1) if place is None else (place[0], self._places[place[1]])

    @property
    def attend(self) -> Attend | None:
        """Function that an integrator must call before each step; None if there is none."""
        return self.follow if self.rows.repeating else None

    def follow(self, t: float, y: Array) -> None:
        """Combine the rows for a state, coordinates first, in all the code that was made."""
        if self.rows.repeating:
            self._shares = self._combined(y[: len(self._held.model.coordinates)], t)
            for calls, numbers, shares in self._followers:
                calls.set(self._mixed(numbers, shares))

    def _mixed(self, numbers: Array, shares: Array) -> Array:
        """Parameters with the shares that rows have now."""
        if not self.rows.rank:
            return numbers
        now = self._shares / self._held.sizes.rows[self._kept]
        return np.where(shares[0] < 0, numbers, now[tuple(shares)])

    def _combined(self, q: Array, t: float) -> Array:
        rows, former = self.rows, self._shares
        J, is_position = self._held.scaled_J(q, t)[self._kept], self._is_position
        shares, first = np.zeros(former.shape), rows.position_rank
        left, _, right = np.linalg.svd(J[is_position])
        shares[:first, is_position] = _nearest(left[:, :first].T, former[:first, is_position])
        if first < rows.rank:
            left, _, _ = np.linalg.svd(J[~is_position] @ right[first:].T)
            added = left[:, : rows.rank - first].T
            shares[first:, ~is_position] = _nearest(added, former[first:, ~is_position])
        return shares


def _nearest(basis: Array, former: Array) -> Array:
    """The rows that span the same as a basis, as near as possible to former ones (Procrustes)."""
    if not np.isfinite(former).all():
        return basis
    left, _, right = np.linalg.svd(former @ basis.T)
    return np.asarray(left @ right @ basis)


# --- self-stresses --------------------------------------------------------------------------------


@final
class SelfStress:
    """The multipliers with Jᵀ λ = 0 at a pose, and what they do in joints."""

    def __init__(self, constraints: NumericConstraints, q: Array, t: float) -> None:
        U, sizes, _ = np.linalg.svd(constraints.scaled_J(q, t))
        rank = int((sizes > RANK * max(sizes.max(initial=0.0), 1.0)).sum())
        self._owners = constraints.owners
        self._multipliers = U[:, rank:].T / constraints.sizes.rows  # (degree, rows)
        self._wrenches = self._added(constraints, q, t)

    @property
    def multipliers(self) -> Array:
        """(degree, rows): multipliers that move nothing."""
        return np.asarray(self._multipliers)

    @property
    def degree(self) -> int:
        """Number of such sets."""
        return len(self._multipliers)

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
