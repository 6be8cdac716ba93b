"""Parts of bodies that are removed: whether they lie within what they are removed from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.model.description import Body, Part
from torseur.model.values.numbers import Values
from torseur.words.entries import shown_key
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.mass.extent import PlacedExtent

_ROUNDED = 1e-9  # of the size of a body


def overhangs(body: Body, value: Values) -> Iterator[str]:
    """Parts that are removed and reach beyond those they are removed from, as far as is known."""
    from torseur.model.mass.extent import beyond

    if not any(part.removed for part in body.parts):
        return
    placed = [(part, _placed(part, value)) for part in body.parts]
    kept = [extent for part, extent in placed if not part.removed]
    if not kept or None in kept:
        return
    size = max(abs(x.reach(u)) for x in kept if x for u in np.eye(3))
    for part, extent in placed:
        out = beyond(extent, filter(None, kept)) if part.removed and extent else 0.0
        if out > _ROUNDED * size and part.shape is not None:
            yield say(
                "the removed part ({shape}) reaches {out:.4g} m beyond what it is removed from: "
                "mass that is not there is taken off.",
                shown_key(part.shape[0]),
                out,
            )


def _placed(part: Part, value: Values) -> PlacedExtent | None:
    """Where a part reaches, if its shape is known and has its values."""
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
    found = [value(y) for y in array.flat]
    if None in found:
        return None
    return np.array(found, dtype=float).reshape(array.shape) if array.shape else found[0]
