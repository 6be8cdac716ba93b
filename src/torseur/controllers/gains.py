"""Gains: what tunes a law, one number for all coordinates or one for each, as parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.errors import ModelError, require_known
from torseur.model.checks.limits import sensible
from torseur.words.sentence import say

Array = np.ndarray
Gain = float | Mapping[str, float]


@final
@dataclass(frozen=True)
class Gains:
    """A symbol for each coordinate, and the values of the symbols by name."""

    symbols: Array
    values: Mapping[str, float]


def gains(name: str, given: Gain, coordinates: Sequence[str]) -> Gains:
    """`kp` for all coordinates, or `kp_q1`, `kp_q2`, … where each has its own."""
    if not isinstance(given, Mapping):
        return Gains(np.array([symbol(name)] * len(coordinates), dtype=object),
                     {name: _checked(name, given)})  # fmt: skip
    require_known("control", "coordinate", given, coordinates)
    for coordinate in coordinates:
        if coordinate not in given:
            raise ModelError(
                "control",
                say('the gain "{name}" has no value for "{coordinate}".', name, coordinate),
                "Give one number for all, or one for each coordinate of the reference.",
            )
    values = {f"{name}_{x}": _checked(f"{name}_{x}", given[x]) for x in coordinates}
    return Gains(np.array([symbol(x) for x in values], dtype=object), values)


def _checked(name: str, value: float) -> float:
    return sensible("control", say('the gain "{name}"', name), value)
