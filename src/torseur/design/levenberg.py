"""Least squares between bounds, of functions that are not defined everywhere.

The method of Levenberg (1944) and Marquardt (1963) with the scaling of Moré (1978); steps are
projected onto the bounds, and variables that the gradient holds at a bound stay there, as in
Kanzow, Yamashita & Fukushima (2004). A trial where the function is not defined makes the
damping larger. Unlike interior methods it goes along active bounds as fast as inside of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
_TRIES = 25  # of one step
_ENOUGH = 1e-4  # of the predicted decrease
_STILL = 1e-14  # a step, beside the variables
_PATIENCE = 12  # steps, after which a search that gains little ends


def least(
    at: Callable[[Array], tuple[Array, Array] | None],
    X: Array,
    bounds: tuple[Array, Array],
    steps: int,
    gain: float = 1e-3,
) -> Array:
    """Variables at which the sum of squares is least, from a point where it is defined.

    `at` gives residuals and their Jacobian, None where they are not defined. It ends after so many
    steps, or where the last ones gained less than a part of the sum.
    """
    here, (low, high) = at(X), bounds
    damping, scale, costs = 1e-3, np.zeros(len(X)), []
    for _ in range(steps):
        if here is None:
            return X
        r, J = here
        costs.append(float(r @ r))
        if len(costs) > _PATIENCE and costs[-1] > (1 - gain) * costs[-1 - _PATIENCE]:
            return X
        slope = J.T @ r
        scale = np.maximum(scale, np.sqrt((J * J).sum(axis=0)))
        free = ~(((low >= X) & (slope > 0)) | ((high <= X) & (slope < 0)))
        if not free.any() or not r @ r:
            return X
        for _ in range(_TRIES):
            trial = np.clip(X + _step(J, r, scale, free, damping), low, high)
            there, step = at(trial), trial - X
            expected = r @ r - float(((r + J @ step) ** 2).sum())
            if there is not None and expected > 0:
                part = (r @ r - there[0] @ there[0]) / expected
                if part > _ENOUGH:
                    damping *= max(1 / 9, 1 - (2 * part - 1) ** 3)
                    break
            damping *= 6.0
        else:
            return X
        still = np.abs(step).max() <= _STILL * (1.0 + np.abs(X).max())
        X, here = trial, there
        if still:
            return X
    return X


def _step(J: Array, r: Array, scale: Array, free: Array, damping: float) -> Array:
    """The damped step of the free variables."""
    own = np.where(scale > 0, scale, 1.0)[free]
    rows = np.concatenate([J[:, free] / own, np.sqrt(damping) * np.eye(int(free.sum()))])
    right = np.concatenate([-r, np.zeros(int(free.sum()))])
    step = np.zeros(len(scale))
    step[free] = np.linalg.lstsq(rows, right, rcond=None)[0] / own
    return step
