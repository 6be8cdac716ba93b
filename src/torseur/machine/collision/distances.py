"""Distances of the bodies of a mechanism by their shapes: values, gradients, bounds of motions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar, final

import numpy as np
from numpy.typing import ArrayLike

from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import carrying_speeds
from torseur.errors import ModelError, unknown
from torseur.machine.collision import places as at
from torseur.machine.collision import probe_layout as slot
from torseur.machine.collision.probe import Probe
from torseur.machine.collision.tables import (
    CollisionTables,
    can_touch,
    collision_tables,
    members,
    piles_of,
)
from torseur.model.constraints.pile import Pile
from torseur.model.description import GROUND, Mechanism
from torseur.model.values.numeric import numeric_mechanism
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
T = TypeVar("T")
Pairs = Sequence[tuple[str, str]]
_FREE = 6  # speeds of a joint that holds nothing


class PlacedModel(Protocol):
    """Functions of q that place the bodies of a mechanism."""

    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def parameters(self) -> Any: ...
    @property
    def system(self) -> System: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    def value(self, name: str, make: Callable[[], T]) -> T: ...
    @property
    def body_places(self) -> Callable[..., Any]: ...
    @property
    def speed_axes(self) -> Callable[..., Any]: ...


@final
class NearestPoints(Result):
    """Distance of two bodies by their shapes, and where they are nearest."""

    first: str
    second: str
    distance: Array  # () or (N,) [m]; negative: how deep they are in each other
    on_first: Array  # (3,) or (N, 3), in ground axes [m]
    on_second: Array
    normal: Array  # unit vector from the second to the first
    gradient: Array  # (speeds,) or (N, speeds): its rate at each unit speed [m/rad, 1]

    def __str__(self) -> str:
        if np.ndim(self.distance):
            least = float(np.min(self.distance))
            return self.say("{first} and {second}: {least:.6g} m at least", least=least)
        return self.say("{first} and {second}: {distance:.6g} m")


@final
class ShapeDistances:
    """Distances of pairs of bodies of a model at its parameters, a row for each pair of shapes."""

    def __init__(
        self, model: PlacedModel, pairs: Pairs | None = None, place: str = "pairs"
    ) -> None:
        """Without `pairs`, they are those of the contacts of the mechanism.

        Beside contacts among bodies, a body with a shape that no contact names meets all others.
        """
        self._model = model
        numbers = numeric_mechanism(model.mechanism, model.parameters)
        self.names = (GROUND, *numbers.bodies)
        piles = piles_of(numbers)
        if pairs is None:
            meets, planes = _described(numbers, piles)
        else:
            meets, planes = _given(self.names, piles, pairs, place)
        shaped = tuple(
            self.names[b] for b in np.flatnonzero(meets.any(axis=0) | planes.any(axis=1))
        )
        others = [pile for pile in piles if pile.normal is not None]
        all_shapes = [Pile("all", shaped)] if shaped else []
        self.tables = collision_tables(numbers, [*all_shapes, *others], model.parameters)
        self.pairs = _pairs_of_shapes(self.tables, meets, planes)
        owner = self.tables.shape[:, at.OWNER].astype(int)
        first, second = self.pairs.T
        self.bodies = np.stack([owner[first], np.where(second < 0, 0, owner[second])], axis=1)
        self._probe = Probe(self.tables, len(numbers.bodies), self.pairs)

    def without_still(self) -> ShapeDistances:
        """The pairs of bodies that move past each other."""
        moving = self.carried.any(axis=1)
        result = object.__new__(ShapeDistances)
        result._model, result.names, result.tables = self._model, self.names, self.tables
        result.pairs, result.bodies = self.pairs[moving], self.bodies[moving]
        result._probe = Probe(self.tables, len(self.names) - 1, result.pairs)
        return result

    def pair(self, k: int) -> tuple[str, str]:
        """The bodies of a pair of shapes."""
        one, other = self.bodies[k]
        return self.names[one], self.names[other]

    # --- distances ------------------------------------------------------------------------------

    def at(self, q: Array, within: float = np.inf) -> Array:
        """(rows, pairs, NEAREST_WIDTH): nearest points at rows of coordinates.

        A pair that is farther apart than `within` has a lower bound of its distance only.
        """
        return self._probe.nearest(self._places(q), within)

    def _places(self, q: Array) -> Array:
        places = np.asarray(self._model.body_places(q))
        return places.reshape(len(q), -1, at.BODY_PLACED_WIDTH)

    def rates(self, q: Array, nearest: Array) -> Array:
        """(rows, pairs, speeds): the rate of each distance at each unit speed."""
        axes = np.asarray(self._model.speed_axes(q))
        n = nearest[..., slot.NORMAL : slot.NORMAL + 3]
        arm = np.cross(nearest[..., slot.POINT : slot.POINT + 3], n)
        rates = np.einsum("rpi,rki->rpk", arm, axes[..., :3])
        rates += np.einsum("rpi,rki->rpk", n, axes[..., 3:])
        return np.asarray(rates * self.carried)

    @cached_property
    def carried(self) -> Array:
        """(pairs, speeds): 1 or −1 for a speed that moves the first or the second body only."""
        moves = np.zeros((len(self.names), len(self._model.speeds)))
        for b, carrying in enumerate(carrying_speeds(self._model.system), 1):
            moves[b, carrying] = 1.0
        return np.asarray(moves[self.bodies[:, 0]] - moves[self.bodies[:, 1]])

    # --- bounds ---------------------------------------------------------------------------------

    def most_moved(self, q: Array, motions: Array) -> Array:
        """(rows, pairs): how much distances change at most if joints move by `motions` (rows, k).

        Joint by joint, from one end of the chain between two bodies to the other, each point moves
        on a helix about the axis as it stands at q: no farther than the speed of the point times
        the motion of the joint. So this holds for all coordinates within, not near to q only.
        """
        axes, places = np.asarray(self._model.speed_axes(q)), self._places(q)
        shape = self.tables.shape
        owner = shape[:, at.OWNER].astype(int) - 1
        R = places[:, owner, : at.BODY_CENTRE].reshape(len(q), -1, 3, 3)
        offset = shape[:, at.OFFSET : at.OFFSET + 3]
        centres = places[:, owner, at.BODY_CENTRE :] + np.einsum("rsij,sj->rsi", R, offset)
        turning, moving = axes[:, np.newaxis, :, :3], axes[:, np.newaxis, :, 3:]
        speed = np.linalg.norm(moving + np.cross(turning, centres[:, :, np.newaxis]), axis=3)
        reach = shape[:, at.REACH, np.newaxis]
        way = (speed + np.linalg.norm(turning, axis=3) * reach) * motions[:, np.newaxis]
        first, second = self.pairs.T
        crossed = np.abs(self.carried)
        of_first = np.einsum("rpk,pk->rp", way[:, first], crossed)
        of_second = np.einsum("rpk,pk->rp", way[:, np.maximum(second, 0)], crossed)
        return np.asarray(np.where(second < 0, of_first, np.minimum(of_first, of_second)))


def distance(model: PlacedModel, first: str, second: str, q: ArrayLike) -> Any:
    """Distance between two bodies by their shapes [m]; a negative one is a depth.

    q is one state (n,), or many (N, n), of which there is an array (N,). The "ground" stands for
    its planes.
    """
    pairs, rows = _pairs_and_states(model, first, second, q)
    gaps = pairs.at(np.atleast_2d(rows))[:, :, slot.GAP].min(axis=1)
    return gaps if rows.ndim == 2 else float(gaps[0])


def nearest(model: PlacedModel, first: str, second: str, q: ArrayLike) -> NearestPoints:
    """Distance of two bodies, the points where they are nearest, the normal there, and the
    gradient: the rate of the distance at each unit speed."""
    pairs, states = _pairs_and_states(model, first, second, q)
    rows = np.atleast_2d(states)
    listed, each = pairs.at(rows), np.arange(len(rows))
    best = listed[:, :, slot.GAP].argmin(axis=1)
    row = listed[each, best]
    gap = row[:, slot.GAP]
    is_first = np.array([pairs.pair(k)[0] == first for k in best])
    normal = row[:, slot.NORMAL : slot.NORMAL + 3] * np.where(is_first, 1.0, -1.0)[:, np.newaxis]
    middle, half = row[:, slot.POINT : slot.POINT + 3], normal * gap[:, np.newaxis] / 2
    gradient = pairs.rates(rows, listed)[each, best]
    values = gap, middle + half, middle - half, normal, gradient
    return NearestPoints(first, second, *(x if states.ndim == 2 else x[0] for x in values))


def _pairs_and_states(
    model: PlacedModel, first: str, second: str, q: ArrayLike
) -> tuple[ShapeDistances, Array]:
    """Pairs of shapes of two bodies, and states as an array."""
    rows, count = np.asarray(q, dtype=float), len(model.coordinates)
    if rows.ndim not in (1, 2) or rows.shape[-1] != count:
        problem = say("{count} coordinates are expected, got {shape}.", count, rows.shape)
        names_in_order = say("Their order: {names}.", ", ".join(model.coordinates))
        raise ModelError("distance", problem, names_in_order)
    key = f"distances {first} {second}"
    return model.value(key, lambda: ShapeDistances(model, [(first, second)], "distance")), rows


# --- pairs ----------------------------------------------------------------------------------------


def _described(numbers: Mechanism, piles: list[Pile]) -> tuple[Array, Array]:
    """Which bodies meet each other (bodies + 1, bodies + 1), and planes (bodies + 1, planes)."""
    index = {name: 1 + k for k, name in enumerate(numbers.bodies)}
    size = len(index) + 1
    meets, planes = np.zeros((size, size), dtype=bool), []
    named = np.zeros(size, dtype=bool)
    for pile in piles or [Pile("all", ())]:
        among = np.zeros(size, dtype=bool)
        among[[index[name] for name in members(numbers, pile)]] = True
        named |= among
        if pile.normal is None:
            meets |= np.outer(among, among)
        else:
            planes.append(among)
    free = [0, *(can_touch(body) for body in numbers.bodies.values())]
    others = np.array(free, dtype=bool) & ~named
    others &= any(pile.normal is None for pile in piles)
    meets |= np.outer(others, others | named) | np.outer(others | named, others)
    np.fill_diagonal(meets, False)  # solids of one body
    for joint in numbers.joints.values():
        if joint.kind.nv < _FREE and GROUND not in (joint.first, joint.second):
            meets[index[joint.first], index[joint.second]] = False
            meets[index[joint.second], index[joint.first]] = False
    for one, other in (pair for pile in piles for pair in pile.without):
        meets[index[one], index[other]] = meets[index[other], index[one]] = False
    return meets, np.array(planes, dtype=bool).reshape(len(planes), size).T


def _given(
    names: tuple[str, ...], piles: list[Pile], pairs: Pairs, place: str
) -> tuple[Array, Array]:
    """Bodies and planes that meet, of pairs by name; the ground stands for its planes."""
    count = sum(pile.normal is not None for pile in piles)
    meets = np.zeros((len(names), len(names)), dtype=bool)
    planes = np.zeros((len(names), count), dtype=bool)
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise ModelError(
                place,
                say("a pair of bodies is expected, got {pair}.", pair),
                'Example: pairs=[("hand", "table")].',
            )
        for name in pair:
            if name not in names:
                raise unknown(place, "body", name, names)
        one, other = sorted(names.index(name) for name in pair)
        if one == other:
            raise ModelError(place, say('"{name}" has no distance from itself.', pair[0]))
        if one == 0 and not count:
            problem = "the ground has no plane."
            advice = (
                "Planes are those of contacts with a normal; "
                'robots have one with collisions="ground".'
            )
            raise ModelError(place, problem, advice)
        if one == 0:
            planes[other] = True
        else:
            meets[one, other] = meets[other, one] = True
    return meets, planes


def _pairs_of_shapes(tables: CollisionTables, meets: Array, planes: Array) -> Array:
    """(pairs, 2): two shapes, the simpler first, or a shape and −1 − the plane."""
    owner = tables.shape[:, at.OWNER].astype(int)
    both = np.argwhere(np.triu(meets[np.ix_(owner, owner)], 1))
    on_planes = np.argwhere(planes[owner])
    on_planes[:, 1] = -1 - on_planes[:, 1]
    return np.concatenate([both, on_planes]).reshape(-1, 2)
