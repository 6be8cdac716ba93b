"""A state seen by its contacts: what touches, what slides, and how forces would change that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.at_rest import RESTING
from torseur.machine.contact.model import ContactModel

Array = np.ndarray
TOUCHING = 1e-10  # of the size of a gap: one that is none
SLIDING = 1e-9  # of the usual speed: what slides slower sticks, if it can


@final
@dataclass(frozen=True)
class Situation:
    """Rows at one state: gaps, speeds u, and what forces z do to them, w = A z + c.

    For forces c are accelerations, for impulses speeds; every row that can act has its part.
    """

    contacts: ContactModel
    t: float
    gap: Array  # (elements,)
    u: Array  # (rows,)
    A: Array  # (rows, rows)
    c: Array  # (rows,)
    touches: Array  # (elements,): no gap, and nothing that opens it; always where there is none

    @cached_property
    def normal_speed(self) -> Array:
        """(elements,): of the gap; zero where there is none."""
        return of_normals(self.contacts, self.u)

    @cached_property
    def movable(self) -> Array:
        """(rows,): those that forces move."""
        own = self.A.diagonal() / self.contacts.held.sizes.rows**2
        return np.asarray(own > at.UNMOVED * own.max(initial=0.0))

    @cached_property
    def approaches(self) -> Array:
        """(elements,): those of which it must come to a shock."""
        return self.touches & (self.normal_speed < -resting(self.contacts))

    @cached_property
    def slides(self) -> Array:
        """(elements,): those that slide."""
        own = np.array([np.linalg.norm(self.u[rows]) for rows in self.contacts.rubbing_rows])
        return own > SLIDING * self.contacts.pace * self.contacts.slip_sizes


def of_normals(contacts: ContactModel, rows: Array) -> Array:
    """Of values of rows, those of gaps (elements,); zero where an element has none."""
    return np.where(contacts.has_gap, rows[contacts.normal_rows], 0.0)


def resting(contacts: ContactModel) -> Array:
    """(elements,): speeds of gaps that are none."""
    return np.asarray(RESTING * contacts.pace * contacts.gap_sizes)


def situation(contacts: ContactModel, y: Array, t: float) -> Situation:
    """The state y at a time, with every row that is not idle."""
    contacts.all_rows_act()
    contacts.call(at.LOOK, y, t)
    gap = of_normals(contacts, contacts["gap"])
    u, A, c = (contacts[name].copy() for name in ("u", "A", "c"))
    near = gap <= TOUCHING * contacts.gap_sizes
    near &= of_normals(contacts, u) <= resting(contacts)
    return Situation(contacts, t, gap, u, A, c, near | ~contacts.has_gap)
