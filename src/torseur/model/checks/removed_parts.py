"""Removed parts of bodies that reach beyond the other parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.model.description import Body, Part
from torseur.model.values.numbers import Values
from torseur.words.entries import shown_key
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.mass.solids import PlacedExtent

_ROUNDED = 1e-9  # of the size of a body


def overhangs(body: Body, value: Values) -> Iterator[str]:
    """Parts that are removed and reach beyond those they are removed from, as far as is known."""
    from torseur.model.mass.solids import beyond

    if not any(part.removed for part in body.parts):
        return
    placed = [(part, _extent(part, value)) for part in body.parts]
    remaining = [extent for part, extent in placed if not part.removed]
    if not remaining or None in remaining:
        return
    size = max(abs(x.reach(u)) for x in remaining if x for u in np.eye(3))
    for part, extent in placed:
        out = beyond(extent, filter(None, remaining)) if part.removed and extent else 0.0
        if out > _ROUNDED * size and part.shape is not None:
            yield say(
                "the removed part ({shape}) reaches {out:.4g} m beyond the other parts: mass that "
                "does not exist is removed.",
                shown_key(part.shape[0]),
                out,
            )


def _extent(part: Part, value: Values) -> PlacedExtent | None:
    """The extent of a part; None where its shape or a value is unknown."""
    from torseur.model.mass.solids import SOLIDS

    if part.shape is None:
        return None
    name, dimensions = part.shape
    known = {key: _numbers(x, value) for key, x in dimensions.items()}
    R, p = (_numbers(x, value) for x in (part.pose.R.matrix, part.pose.p))
    if any(x is None for x in (*known.values(), R, p)):
        return None
    return SOLIDS[name].placed(known, R, p)


def _numbers(x: Any, value: Values) -> Any:
    """A dimension or an array of them in numbers, or a direction; None where one is not known."""
    if isinstance(x, str):
        return x
    array = np.asarray(x, dtype=object)
    numbers = [value(y) for y in array.flat]
    if None in numbers:
        return None
    return np.array(numbers, dtype=float).reshape(array.shape) if array.shape else numbers[0]
