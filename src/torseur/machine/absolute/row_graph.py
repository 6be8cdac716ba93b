"""The sets of rows of a mechanism, the bodies they move, and the order of their elimination.

The graph has a node for each body and one for each set of constraint rows; a row node touches the
bodies that its rows move. Nodes of least degree go first. The pivot of a body is definite. That of
a row node is minus J G Jᵀ, G being the compliance of what is gone: it waits for all its bodies, but
for one that touched no other rows when it went. Such a body, with what it carries, moves freely, so
that the rows are independent on it. On a tree this is the recursion of articulated bodies: leaves
first, and no fill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import final

import numpy as np

from torseur.machine.absolute import body_tables as at
from torseur.machine.absolute.constraint_elements import RowElement
from torseur.machine.absolute.joint_elements import Measures
from torseur.model.description import GROUND, Mechanism

Array = np.ndarray


@final
@dataclass(frozen=True)
class RowNode:
    """Constraint rows on some bodies."""

    bodies: tuple[int, ...]
    waits: bool = False  # for all its bodies in any case: its rows may not be independent on one


@final
@dataclass(frozen=True)
class Elimination:
    """The order, and the blocks of the factor in the order in which they are met.

    The blocks of a pivot are its diagonal block, then one for each node that it touches when it
    goes. A node that goes later than another one has the rows of their common block.
    """

    order: Array  # (nodes,)
    diagonal: Array  # (nodes,): block of each node
    first: Array  # (nodes + 1,): where the touched nodes of each pivot begin
    touched: Array  # nodes, in the order in which they go themselves
    block: Array  # the block of each touched node
    target: Array  # for each pivot, the blocks of the pairs (a, b ≤ a) of touched nodes
    blocks: int

    @property
    def fill(self) -> int:
        """Blocks that are not zero and were not in the system."""
        return self.blocks - len(self.order) - self.given

    given: int  # blocks off the diagonal that were in the system

    def position(self) -> Array:
        """When each node goes."""
        position = np.empty(len(self.order), dtype=np.int64)
        position[self.order] = np.arange(len(self.order))
        return position

    def common(self) -> dict[tuple[int, int], int]:
        """The block of each pair of nodes, the one that goes first first."""
        counts = np.diff(self.first)
        pivots = np.repeat(self.order, counts.astype(np.intp))
        pairs = zip(pivots.tolist(), self.touched.tolist(), strict=True)
        return dict(zip(pairs, self.block.tolist(), strict=True))


def elimination(
    bodies: int, rows: Sequence[RowNode], coupled: Sequence[tuple[int, int]] = ()
) -> Elimination:
    """The elimination of bodies 0, 1, … and of row nodes numbered after them.

    `coupled` are pairs of bodies whose mass matrices have a common block.
    """
    neighbours: list[set[int]] = [set() for _ in range(bodies + len(rows))]

    def join(a: int, b: int) -> None:
        neighbours[a].add(b)
        neighbours[b].add(a)

    for k, row in enumerate(rows):
        for body in row.bodies:
            join(bodies + k, body)
    for a, b in coupled:
        join(a, b)
    given = sum(map(len, neighbours)) // 2
    order, touched = _ordered(bodies, rows, neighbours)
    return _laid_out(order, touched, given)


def _ordered(
    bodies: int, rows: Sequence[RowNode], neighbours: list[set[int]]
) -> tuple[list[int], list[list[int]]]:
    """The nodes in order, and those that each touches when it goes."""
    waiting = [len(row.bodies) for row in rows]
    heap = [(len(neighbours[k]), -k) for k in range(bodies)]
    heapify(heap)
    order: list[int] = []
    touched: list[list[int]] = []
    gone = [False] * len(neighbours)
    while heap:
        degree, node = heappop(heap)
        node = -node
        if gone[node] or degree != len(neighbours[node]):
            continue  # an entry that is no longer true; the true one follows
        gone[node] = True
        left = list(neighbours[node])
        order.append(node)
        touched.append(left)
        for a in left:
            neighbours[a].discard(node)
            neighbours[a].update(b for b in left if b != a)
        row_sets = [a - bodies for a in left if a >= bodies]
        for k in row_sets if node < bodies else ():
            if node in rows[k].bodies:
                alone = len(row_sets) == 1 and not rows[k].waits
                waiting[k] = 0 if alone else waiting[k] - 1
        for a in left:
            if a < bodies or waiting[a - bodies] <= 0:
                heappush(heap, (len(neighbours[a]), -a))
    assert len(order) == len(neighbours), "a node waits for a body that it does not touch"
    return order, touched


def _laid_out(order: list[int], touched: list[list[int]], given: int) -> Elimination:
    """Blocks numbered in the order in which they are met."""
    position = {node: k for k, node in enumerate(order)}
    block: dict[tuple[int, int], int] = {}
    count = 0
    for node, left in zip(order, touched, strict=True):
        left.sort(key=position.__getitem__)
        for other in (node, *left):
            block[node, other] = count
            count += 1
    target = [block[b, a] for left in touched for k, a in enumerate(left) for b in (*left[:k], a)]
    diagonal = np.empty(len(order), dtype=np.int64)
    diagonal[order] = [block[node, node] for node in order]
    pairs = zip(order, touched, strict=True)
    return Elimination(
        np.array(order, dtype=np.int64),
        diagonal,
        np.cumsum([0, *map(len, touched)], dtype=np.int64),
        np.array([a for left in touched for a in left], dtype=np.int64),
        np.array([block[node, a] for node, left in pairs for a in left], dtype=np.int64),
        np.array(target, dtype=np.int64),
        count,
        given,
    )


@final
@dataclass(frozen=True)
class RowSet:
    """The rows of a joint with the imposed motions of its coordinates, or of something else."""

    owners: tuple[str, ...]  # of each row
    bodies: tuple[int, ...]  # those it moves, from 1
    joint: str = ""
    waits: bool = False  # its rows may depend on each other on one body alone


@final
@dataclass(frozen=True)
class Graph:
    """Bodies, sets of rows, and how they are eliminated."""

    bodies: tuple[str, ...]
    sets: tuple[RowSet, ...]
    places: tuple[tuple[int, int], ...]  # set and first row of each row element but joints
    coupled: tuple[tuple[int, int], ...]  # bodies, from 1, whose masses have a common block

    @cached_property
    def elimination(self) -> Elimination:
        """Its order and blocks."""
        rows = [RowNode(tuple(b - 1 for b in s.bodies), s.waits) for s in self.sets]
        return elimination(len(self.bodies), rows, [(a - 1, b - 1) for a, b in self.coupled])

    @cached_property
    def slots(self) -> dict[tuple[int, int], int]:
        """The number of each body of each set of rows."""
        listed = [(k, b) for k, s in enumerate(self.sets) for b in s.bodies]
        return {pair: n for n, pair in enumerate(listed)}

    @cached_property
    def slot_table(self) -> Array:
        """The rows of the slots."""
        table = np.zeros((len(self.slots), at.SLOT_WIDTH), dtype=np.int64)
        common, position = self._common, self._position
        for (k, b), n in self.slots.items():
            node = len(self.bodies) + k
            upright = position[node] < position[b - 1]
            pair = (node, b - 1) if upright else (b - 1, node)
            table[n] = b, k, common[pair], int(upright)
        return table

    @cached_property
    def _common(self) -> dict[tuple[int, int], int]:
        return self.elimination.common()

    @cached_property
    def _position(self) -> Array:
        return self.elimination.position()

    def later(self, a: int, b: int) -> bool:
        """Whether body a goes later than body b."""
        return bool(self._position[a - 1] > self._position[b - 1])

    def block(self, a: int, b: int) -> int:
        """The common block of two bodies, or that of one."""
        if a == b:
            return int(self.elimination.diagonal[a - 1])
        first, second = (b, a) if self.later(a, b) else (a, b)
        return self._common[first - 1, second - 1]


def row_sets(
    mechanism: Mechanism,
    joints: Sequence[RowElement],
    others: Sequence[RowElement],
    measures: Measures,
    index: Mapping[str, int],
) -> tuple[list[RowSet], list[tuple[int, int]]]:
    """The sets of rows, and where the rows of each element that is no joint stand."""
    owners = {one.name: [one.name] * one.rows for one in joints}
    first = []
    for one in others:
        names = owners[one.joint] if one.joint else []
        first.append(len(names))
        names.append(one.name)
    sets: list[RowSet] = []
    number: dict[str, int] = {}
    for one in joints:
        if owners[one.name]:
            number[one.name], waits = len(sets), bool(one.element.measures)
            bodies = tuple(index[name] for name in one.element.bodies)
            sets.append(RowSet(tuple(owners[one.name]), bodies, one.name, waits))
    places = []
    for one, row in zip(others, first, strict=True):
        places.append((number[one.joint] if one.joint else len(sets), row))
        if not one.joint:
            bodies = _moved_bodies(mechanism, one, measures, index)
            sets.append(RowSet((one.name,) * one.rows, bodies, waits=True))
    return sets, places


def _moved_bodies(
    mechanism: Mechanism,
    one: RowElement,
    measures: Measures,
    index: Mapping[str, int],
) -> tuple[int, ...]:
    """The bodies that the rows of an element move."""
    names = list(one.element.bodies)
    for name in one.element.measures:
        joint = mechanism.joints[measures[name][1].joint]
        names += [joint.first, joint.second]
    return tuple(dict.fromkeys(index[name] for name in names if name != GROUND))
