"""Small motions in the coordinates that a description chooses: x_chosen = X x.

Each takes the place of a coordinate of a joint among the independent ones. Where a chosen one does
not tell that coordinate, or turns for ever with another, the coordinate of the joint stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.analyse.at_a_state.channels import Channels, zero_slopes
from torseur.analyse.stability.small_motions import SmallMotions, displacement_name

Array = np.ndarray
_FLAT = 1e-9  # the least share of a state that a chosen one must have of its own


@final
@dataclass(frozen=True)
class ChosenStates:
    """The names of the states, and how they follow from those of joints."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    X: Array

    @property
    def plain(self) -> bool:
        """Whether nothing is other than in the coordinates of joints."""
        return bool(np.array_equal(self.X, np.eye(len(self.X))))

    @property
    def back(self) -> Array:
        """x of joints from x of these."""
        return np.asarray(np.linalg.inv(self.X))

    def matrices(self, free: SmallMotions) -> dict[str, Array]:
        """M, D, K and A, from M ẇ + D w + K s = 0 with s = S s_c and w = W (w_c − L s)."""
        if self.plain:
            return {name: getattr(free, name) for name in "MDKA"}
        n = len(self.coordinates)
        S, W = np.linalg.inv(self.X[:n, :n]), np.linalg.inv(self.X[n:, n:])
        carried = W @ self.X[n:, :n]
        D = free.D - free.M @ carried @ free.A[:n, n:]
        K = free.K - free.M @ carried @ free.A[:n, :n] - D @ carried
        A = self.X @ free.A @ self.back
        return {"M": W.T @ free.M @ W, "D": W.T @ D @ W, "K": W.T @ K @ S, "A": A}


def chosen_states(free: SmallMotions) -> ChosenStates:
    """The states of small motions, chosen coordinates in the places that they take."""
    known = free.here.tangent.model.mechanism.change
    found = ChosenStates(free.coordinates, free.speeds, np.eye(len(free.A)))
    if not known.taken:
        return found
    channels = Channels(free.here, free.kept, zero_slopes(free.here, 0))
    turning = {displacement_name(free.here.tangent.speeds[k]) for k in free.turning}
    n = len(found.coordinates)
    for joint, own in known.taken.items():
        parts = free.here.tangent.model.mechanism.chosen[own].slopes
        if joint in found.coordinates and not turning & set(parts):
            k = found.coordinates.index(joint)
            found = _taken(found, k, own, channels.positions[own])
        if f"{joint}." in found.speeds:
            k = found.speeds.index(f"{joint}.")
            found = _taken(found, n + k, f"{own}.", channels.speeds[f"{own}."])
    return found


def _taken(found: ChosenStates, k: int, name: str, row: Any) -> ChosenStates:
    """With a state in the place of another, if it tells it."""
    X = found.X.copy()
    X[k] = row
    if abs(np.linalg.det(X)) < _FLAT:
        return found
    names = [*found.coordinates, *found.speeds]
    names[k] = name
    n = len(found.coordinates)
    return ChosenStates(tuple(names[:n]), tuple(names[n:]), X)
