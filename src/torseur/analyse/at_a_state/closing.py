"""Loops closed near a configuration, with some coordinates kept as they are."""

from __future__ import annotations

import numpy as np

from torseur.analyse.at_a_state.chart import completed
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import Look, returned
from torseur.simulation.constraints.numeric_constraints import CLOSED

Array = np.ndarray


def close_loops(
    tangent: Tangent, q: Array, t: float, fixed: tuple[int, ...] = (), within: float = CLOSED
) -> Array | None:
    """The nearest coordinates that close every loop, the fixed displacements none; or None."""
    if not tangent.positions:
        return q
    model, (rows, lengths) = tangent.model, tangent.units_gap

    def look(place: Array) -> Look[Array]:
        terms = tangent.at(place, t)
        return Look(
            terms.gap / rows,
            lambda: completed(terms.along.gap, fixed, -terms.gap, (rows, lengths)) / lengths,
            lambda step: advanced(model, place, step * lengths),
        )

    def closed_within(place: Array, factor: float) -> float:
        return max(within, factor * CLOSED) + 8 * model.sizes.rounding(place)

    found = returned(look, q, closed_within, steps=30, growth=10.0)
    return found.q if found.is_closed else None
