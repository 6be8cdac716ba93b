"""States of mechanisms with motions that carry no inertia, decided by the balance of forces."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from torseur.analyse.at_a_state.statics import AtState, Unknowns, steady_state
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.model.constraints.light_balance import LightBalance
from torseur.simulation.constraints.moving_model import moving_model

Array = np.ndarray
_NOTHING = 1e-13  # of the largest entry of a matrix


def in_balance(state: AtState, turning: Iterable[int] = ()) -> AtState:
    """The state of the mechanism with these balances; itself where everything has inertia.

    Coordinates with inertia are independent before others, those that turn before all.
    """
    tangent = state.tangent
    model = moving_model(tangent.model)
    if model is tangent.model:
        return state
    balances = (x for x in model.mechanism.constraints.values() if isinstance(x, LightBalance))
    light = {tangent.speeds.index(f"{x.coordinate}.") for x in balances}
    heavy = (k for k in range(tangent.size) if k not in light)
    preferred = tuple(dict.fromkeys((*turning, *heavy)))
    other = Tangent(model, tangent.slides)
    return steady_state(other, state.q, state.v, state.t, Unknowns(wanted=preferred))


def undamped_stiffness(state: AtState) -> Array:
    """Stiffness along the motions that neither inertia nor dampers resist, counted in energies.

    Where it has no minimum, such a motion leaves at once: no small motion starts from there.
    """
    arms, equations = state.arms[:, np.newaxis], state.reduced
    M, D = (arms * x * state.arms for x in (equations.M, equations.D))
    if equations.K.shape[0] != equations.K.shape[1] or in_balance(state) is state:
        return np.zeros((0, 0))
    light = _still(M, np.abs(M).max(initial=0.0))
    light = light @ _still(light.T @ D @ light, np.abs(D).max(initial=0.0))
    return np.asarray(light.T @ (arms * equations.K * state.units) @ light)


def _still(matrix: Array, size: float) -> Array:
    """Directions in which a matrix does nothing."""
    _, values, rows = np.linalg.svd(matrix)
    return np.asarray(rows[values <= _NOTHING * max(size, 1e-300)].T)
