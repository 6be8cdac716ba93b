"""Where a law starts: the initial pose of the mechanism it knows."""

from __future__ import annotations

from collections.abc import Mapping

from torseur.controllers.model import known_model
from torseur.model.description import Mechanism
from torseur.model.values.numbers import values_of


def initial_pose(
    mechanism: Mechanism, parameters: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The initial values of the coordinates of the tree; zero where none are given."""
    known = known_model(mechanism, parameters)
    number = values_of(known.mechanism)
    given = known.mechanism.initial
    return {x: float(number(given[x]) or 0.0) if x in given else 0.0 for x in known.coordinates}
