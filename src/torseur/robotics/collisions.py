"""Collisions and distances of the links of a robot in configurations, by their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.machine.collision import places as at
from torseur.machine.collision.probe import Probe
from torseur.machine.collision.tables import CollisionTables, collision_tables, piles_of
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.constraints.pile import Pile
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numeric import numeric_mechanism
from torseur.result import Result
from torseur.robotics.inverse_kinematics import given_coordinates
from torseur.words.sentence import say

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
    With `margin` [m], pairs nearer than that are listed too.
    """
    model = compiled_at(mechanism, parameters)
    numbers = numeric_mechanism(model.mechanism, model.parameters)
    piles = piles_of(numbers) or [Pile("all", ())]
    probe = Probe(collision_tables(numbers, piles, model.parameters), len(numbers.bodies))
    rows, is_one = _places(model, q)
    names = (GROUND, *numbers.bodies)
    listed = [_deepest(probe.contacts(places, float(margin)), names) for places in rows]
    return listed[0] if is_one else listed


def distance(
    mechanism: Mechanism | CompiledModel,
    first: str,
    second: str,
    q: Configuration = None,
    *,
    parameters: Mapping[str, float] | None = None,
) -> float | np.ndarray:
    """Distance of two bodies by their shapes [m]; negative: how deep they are in each other.

    `q` is that of `collisions`; for rows of an array there is an array of distances.
    """
    model = compiled_at(mechanism, parameters)
    numbers = numeric_mechanism(model.mechanism, model.parameters)
    for name in (first, second):
        if name not in numbers.bodies:
            raise unknown("distance", "body", name, numbers.bodies)
    if first == second:
        raise ModelError("distance", say('"{name}" has no distance from itself.', first))
    pile = Pile("pair", (first, second))
    tables = collision_tables(numbers, [pile], model.parameters)
    probe = Probe(tables, len(numbers.bodies))
    probe.list_pairs(_pairs(tables, *(1 + list(numbers.bodies).index(x) for x in (first, second))))
    rows, is_one = _places(model, q)
    gaps = np.array([probe.nearest(places)[:, at.GAP].min() for places in rows])
    return float(gaps[0]) if is_one else gaps


def _pairs(tables: CollisionTables, first: int, second: int) -> Array:
    """All pairs of a shape of one body and one of another."""
    owner = tables.shape[:, at.OWNER]
    one, other = np.flatnonzero(owner == first), np.flatnonzero(owner == second)
    return np.array([(a, b) for a in one for b in other], dtype=np.int64)


def _places(model: CompiledModel, q: Configuration) -> tuple[Array, bool]:
    """(rows, bodies, 12): places of bodies, and whether one configuration is given."""
    if q is None or isinstance(q, Mapping):
        state = given_coordinates(model, q, "q")
    else:
        state = np.asarray(q, dtype=float)
    places = np.asarray(model.body_places(np.atleast_2d(state)))
    return places.reshape(-1, len(model.mechanism.bodies), at.BODY_PLACED_WIDTH), state.ndim == 1


def _deepest(rows: Array, names: Sequence[str]) -> list[Collision]:
    """The deepest contact of each pair of bodies, the deepest pair first."""
    best: dict[tuple[int, int], Array] = {}
    for row in rows[np.argsort(rows[:, at.GAP], kind="stable")]:
        best.setdefault((int(row[at.FIRST]), int(row[at.SECOND])), row)
    return [
        Collision(
            names[first],
            names[second],
            -float(row[at.GAP]),
            row[at.POINT : at.POINT + 3].copy(),
            row[at.AXES : at.AXES + 3].copy(),
        )
        for (first, second), row in best.items()
    ]
