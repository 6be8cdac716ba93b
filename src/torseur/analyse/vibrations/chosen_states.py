"""States of small motions in the coordinates that a description chooses: x_chosen = X x.

Each chosen coordinate takes the place of an independent coordinate of a joint. The coordinate of
the joint stays where the chosen one does not determine it, or turns for ever.
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
        n, end = len(self.coordinates), len(self.coordinates) + len(self.speeds)
        S, W = np.linalg.inv(self.X[:n, :n]), np.linalg.inv(self.X[n:end, n:end])
        carried = W @ self.X[n:end, :n]
        D = free.D - free.M @ carried @ free.A[:n, n:end]
        K = free.K - free.M @ carried @ free.A[:n, :n] - D @ carried
        A = self.X @ free.A @ self.back
        return {"M": W.T @ free.M @ W, "D": W.T @ D @ W, "K": W.T @ K @ S, "A": A}


def chosen_states(free: SmallMotions) -> ChosenStates:
    """The states of small motions, chosen coordinates in the places that they take."""
    known = free.here.tangent.model.mechanism.change
    result = ChosenStates(free.coordinates, free.speeds, np.eye(len(free.A)))
    if not known.taken:
        return result
    channels = Channels(free.places, zero_slopes(free.here, 0))
    turning = {displacement_name(free.here.tangent.speeds[k]) for k in free.turning}
    n = len(result.coordinates)
    for joint, chosen in known.taken.items():
        parts = free.here.tangent.model.mechanism.chosen[chosen].slopes
        if joint in result.coordinates and not turning & set(parts):
            k = result.coordinates.index(joint)
            result = _with_state(result, k, chosen, channels.positions[chosen])
        if f"{joint}." in result.speeds:
            k = result.speeds.index(f"{joint}.")
            result = _with_state(result, n + k, f"{chosen}.", channels.speeds[f"{chosen}."])
    return result


def _with_state(result: ChosenStates, k: int, name: str, row: Any) -> ChosenStates:
    """With a state in the place of another, if it tells it."""
    X = result.X.copy()
    X[k] = row
    if abs(np.linalg.det(X)) < _FLAT:
        return result
    names = [*result.coordinates, *result.speeds]
    names[k] = name
    n = len(result.coordinates)
    return ChosenStates(tuple(names[:n]), tuple(names[n:]), X)
