"""The combinations of rows that hold a motion, where rows repeat each other: they follow it."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.equations.functions.held_rows import Rows, share
from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.drive import Attend
from torseur.machine.native import Calls
from torseur.simulation.constraints.numeric_constraints import NumericConstraints

Array = np.ndarray


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
