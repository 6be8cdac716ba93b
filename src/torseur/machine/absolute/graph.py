"""The sets of rows of a mechanism and the bodies they move: the graph that is eliminated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.dynamics.absolute.elimination import Elimination, RowNode, elimination
from torseur.machine.absolute import places as at
from torseur.machine.absolute.held import RowElement
from torseur.machine.absolute.measured import Measures
from torseur.model.description import GROUND, Mechanism

Array = np.ndarray


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
