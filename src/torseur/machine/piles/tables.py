"""A pile at given parameters as the tables of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.machine.collision.tables import CollisionTables, collision_tables
from torseur.machine.piles import places as at
from torseur.machine.piles.joints import ties
from torseur.model.constraints.pile import Pile
from torseur.model.description import Body, Mechanism
from torseur.model.values.numbers import place_of
from torseur.words.sentence import say

Array = np.ndarray
_ROUND = 1e-12  # of the largest moment of inertia: a difference that is none


@final
@dataclass(frozen=True)
class Tables:
    """Bodies, what may touch of them, and what joints hold."""

    body: Array  # (bodies + 1, BODY_WIDTH)
    collision: CollisionTables
    tie: Array  # (ties, TIE_WIDTH): what joints hold


def tables(
    numbers: Mechanism, piles: Sequence[Pile], values: Mapping[str, Any], length: float
) -> Tables:
    """The tables of a mechanism whose bodies are numbers already, and of a usual length."""
    body = _bodies(numbers)
    collision = collision_tables(numbers, piles, values)
    body[:, at.REACH] = collision.reaches(len(numbers.bodies))
    return Tables(body, collision, ties(numbers, length))


def has_inertia(body: Body) -> bool:
    """Whether a body has mass and moments of inertia about all axes, in numbers."""
    moments = np.linalg.eigvalsh(np.asarray(body.inertia, dtype=float))
    return float(body.mass) > 0 and bool(moments[0] > 0)  # type: ignore[arg-type]


def _bodies(numbers: Mechanism) -> Array:
    """Masses and inertias, the ground first."""
    table = np.zeros((len(numbers.bodies) + 1, at.BODY_WIDTH))
    upper = np.triu_indices(3)
    for row, body in zip(table[1:], numbers.bodies.values(), strict=True):
        mass, I = float(body.mass), np.asarray(body.inertia, dtype=float)  # type: ignore[arg-type]
        moments = np.linalg.eigvalsh(I)
        if not has_inertia(body):
            raise ModelError(
                place_of(body, "body"),
                say(
                    "its mass {mass:g} or a moment of inertia {moment:g} is zero.", mass, moments[0]
                ),
                "A body that touches others needs mass and moments of inertia in all directions.",
            )
        row[at.MASS], row[at.INVERSE_MASS] = mass, 1 / mass
        row[at.INERTIA : at.INERTIA + 6] = I[upper]
        row[at.INVERSE_INERTIA : at.INVERSE_INERTIA + 6] = np.linalg.inv(I)[upper]
        row[at.IS_ROUND] = np.abs(I - moments[0] * np.eye(3)).max() <= _ROUND * moments[2]
    return table
