"""A state seen by its contacts: what touches, what slides, how forces would change that; modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import TOUCHING

Array = np.ndarray


@final
@dataclass(frozen=True)
class Situation:
    """Rows at one state: gaps, speeds u, and what forces z do to them, w = A z + c.

    For forces c are accelerations, for impulses speeds; every row that can act has its part.
    """

    contacts: ContactModel
    t: float
    seen: Array  # (elements, SEEN): gaps, speeds, directions
    u: Array  # (rows,)
    A: Array  # (rows, rows)
    c: Array  # (rows,)
    touches: Array  # (elements,): no gap, and nothing that opens it; always where there is none

    @cached_property
    def gap(self) -> Array:
        """(elements,): zero where there is none, and of springs."""
        return np.where(self.contacts.has_gap, self.seen[:, at.GAP], 0.0)

    @cached_property
    def normal_speed(self) -> Array:
        """(elements,): of the gap; zero where there is none."""
        return np.where(self.contacts.has_gap, self.seen[:, at.CLOSING], 0.0)

    @property
    def along(self) -> Array:
        """(elements, 3): the directions of sliding."""
        return self.seen[:, at.ALONG :]

    @property
    def approaches(self) -> Array:
        """(elements,): those of which it must come to a shock."""
        return np.asarray(self.touches & (self.normal_speed < -self.contacts.resting_speeds))

    @property
    def slides(self) -> Array:
        """(elements,): those that slide."""
        return np.asarray(self.seen[:, at.SLIDING] > self.contacts.sliding_speeds)

    @cached_property
    def is_struck(self) -> bool:
        """Whether it must come to a shock."""
        return bool(self.approaches.any())


def of_normals(contacts: ContactModel, rows: Array) -> Array:
    """Of values of rows, those of gaps (elements,); zero where an element has none."""
    return np.where(contacts.has_gap, rows[contacts.normal_rows], 0.0)


def situation(contacts: ContactModel, y: Array, t: float) -> Situation:
    """The state y at a time, with every row that is not idle."""
    contacts.all_rows_act()
    contacts.call(at.LOOK, y, t)
    seen, u, A, c = (contacts[name].copy() for name in ("seen", "u", "A", "c"))
    near = (seen[:, at.GAP] <= TOUCHING * contacts.gap_sizes) & (
        seen[:, at.CLOSING] <= contacts.resting_speeds
    )
    touches = near | ~contacts.has_gap
    if contacts.has_spring.any():
        touches = np.where(contacts.has_spring, _met(contacts), touches)
    return Situation(contacts, t, seen, u, A, c, touches)


def _met(contacts: ContactModel) -> Array:
    """(elements,): whether the spring that presses each is met; at its end, while it is pressed."""
    rows, none = contacts.spring_rows, at.MET * contacts.gap_sizes
    gap, speed = contacts["gap"][rows], contacts["u"][rows]
    return np.asarray((gap < -none) | ((gap <= none) & (speed <= contacts.resting_speeds)))


# --- modes ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Modes:
    """A mode for each element, and the direction in which each slides."""

    kinds: tuple[int, ...]
    directions: Array  # (elements, 3)

    def changed(self, k: int, kind: int, direction: Array | None = None) -> Modes:
        """One of them in another mode."""
        directions = self.directions.copy()
        if direction is not None:
            directions[k, : len(direction)] = direction
        kinds = (*self.kinds[:k], kind, *self.kinds[k + 1 :])
        return Modes(kinds, directions)


@final
@dataclass(frozen=True)
class Found:
    """Modes that agree, the forces of the rows, and what becomes of the rows."""

    modes: Modes
    z: Array
    w: Array
    holds: bool  # whether what is held stays: forces that cannot do that only come near to it
    wanted: Array  # (elements, 4): modes that these forces ask for, each with its direction
    reference: Array  # (rows,): of forces that have a choice, these are the nearest to them

    @cached_property
    def objections(self) -> list[tuple[int, int, Array]]:
        """The elements whose modes disagree with forces and motions, and what to try instead."""
        return [
            (int(k), int(self.wanted[k, 0]), self.wanted[k, 1:])
            for k in np.flatnonzero(self.wanted[:, 0] != at.AGREES)
        ]

    @property
    def agrees(self) -> bool:
        """Whether nothing disagrees."""
        return not self.objections and self.holds
