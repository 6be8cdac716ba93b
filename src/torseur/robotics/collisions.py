"""Collisions and distances of the links of a robot in configurations, by their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.machine.collision import probe_layout as at
from torseur.machine.collision.distances import ShapeDistances
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.inverse_kinematics import given_coordinates

Array = np.ndarray
Configuration = Mapping[str, float] | Sequence[float] | np.ndarray | None


@final
class Collision(Result):
    """Two bodies that touch: the deepest point, and the normal from the second to the first."""

    first: str
    second: str
    depth: float  # [m]; negative: a gap
    point: Array  # (3,) in ground axes [m]
    normal: Array  # (3,)

    def __str__(self) -> str:
        return self.say("{first} and {second}: {depth:.6g} m deep")


def collisions(
    mechanism: Mechanism | CompiledModel,
    q: Configuration = None,
    *,
    margin: float = 0.0,
    parameters: Mapping[str, float] | None = None,
) -> list[Collision] | list[list[Collision]]:
    """The pairs of bodies that touch in a configuration, the deepest first.

    `q` has coordinates by name, completed by the initial values, or in the order of the model; for
    rows of an array there is a list each. Pairs are those of the contacts `among` bodies of the
    description, with planes of the ground; without any, all pairs that no joint holds together.
    Beside contacts among bodies, a body with a shape that no contact names meets all others.
    With `margin` [m], pairs nearer than that are listed too.
    """
    model = compiled_at(mechanism, parameters)
    distances: ShapeDistances = model.value("distances", lambda: ShapeDistances(model))
    rows, is_one = given_states(model, q)
    found = distances.at(rows, float(margin))
    listed = [_deepest(distances, nearest, float(margin)) for nearest in found]
    return listed[0] if is_one else listed


def distance(
    mechanism: Mechanism | CompiledModel,
    first: str,
    second: str,
    q: Configuration = None,
    *,
    parameters: Mapping[str, float] | None = None,
) -> float | np.ndarray:
    """Distance between two bodies by their shapes [m]; a negative one is a depth.

    `q` is that of `collisions`; for rows of an array there is an array of distances.
    """
    model = compiled_at(mechanism, parameters)
    rows, is_one = given_states(model, q)
    gaps = np.asarray(model.distance(first, second, rows))
    return float(gaps[0]) if is_one else gaps


def given_states(model: CompiledModel, q: Configuration) -> tuple[Array, bool]:
    """(rows, coordinates), and whether one configuration is given."""
    if q is None or isinstance(q, Mapping):
        return given_coordinates(model, q, "q")[np.newaxis], True
    state = np.asarray(q, dtype=float)
    return np.atleast_2d(state), state.ndim == 1


def _deepest(distances: ShapeDistances, nearest: Array, margin: float) -> list[Collision]:
    """The deepest contact of each pair of bodies, the deepest pair first."""
    best: dict[tuple[str, str], Array] = {}
    for k in np.argsort(nearest[:, at.GAP], kind="stable"):
        row = nearest[k]
        if row[at.GAP] > margin or not row[at.IS_EXACT]:
            continue
        best.setdefault(distances.pair(int(k)), row)
    return [
        Collision(
            first,
            second,
            -float(row[at.GAP]),
            row[at.POINT : at.POINT + 3].copy(),
            row[at.NORMAL : at.NORMAL + 3].copy(),
        )
        for (first, second), row in best.items()
    ]
