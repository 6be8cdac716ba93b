"""Rows that fill whole vectors, so that the numbers of a row do not depend on the others.

Compiled functions take the rows that are left over after whole vectors one by one, and these round
differently in their last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = np.ndarray
_WIDEST = 8  # numbers of the widest vector


def in_whole_vectors(
    function: Callable[..., Any], arrays: tuple[Array, ...], parameters: Mapping[str, Any]
) -> Array:
    """What a function of arrays by rows, and of parameters by name, gives for every row.

    Of the parameters, those that are arrays have one value for each row.
    """
    count = len(arrays[0])
    missing = -count % _WIDEST
    if not missing or not count:
        return np.asarray(function(*arrays, parameters=dict(parameters) or None))
    wide = {n: _filled(x, missing) if np.ndim(x) else x for n, x in parameters.items()}
    found = function(*(_filled(x, missing) for x in arrays), parameters=wide or None)
    return np.asarray(found)[:count]


def _filled(x: Array, missing: int) -> Array:
    """The rows, and the last one again as often as rows are missing."""
    return np.concatenate([x, np.repeat(x[-1:], missing, axis=0)])
