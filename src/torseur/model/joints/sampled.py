"""A contact at many poses at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions

Array = np.ndarray
_R = np.array([[symbol(f"R[{i},{j}]", "input") for j in range(3)] for i in range(3)], dtype=object)
_P = np.array([symbol(f"p[{i}]", "input") for i in range(3)], dtype=object)


def at_poses(function: Callable[[Array, Array], Any], R: Array, p: Array) -> Array:
    """What a function of a pose gives at each of R (n, 3, 3) and p (n, 3); the poses come first.

    It is asked once, for expressions, which are then evaluated on arrays.
    """
    made = expressions(np.asarray(function(_R, _P), dtype=object))
    names = [x.name for x in (*_R.ravel(), *_P)]
    columns = np.concatenate([R.reshape(-1, 9), p], axis=1).T
    with np.errstate(all="ignore"):
        entries = [evaluate(x, dict(zip(names, columns, strict=True))) for x in made.ravel()]
    table = np.stack([np.broadcast_to(x, len(p)) for x in entries], axis=1)
    return np.asarray(table, dtype=float).reshape(len(p), *made.shape)
