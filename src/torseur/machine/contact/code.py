"""What is made once of the contacts of a mechanism, whatever values its parameters have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import final

import numpy as np

from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.inertia_tree import tree_tables
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.model.contact.closed import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written

Array = np.ndarray
Parts = list[tuple[list[int], list[int]]]  # speeds, rows


@final
@dataclass(frozen=True)
class Islands:
    """Rows that act and speeds, parted: those of different islands have nothing to do with
    each other."""

    of_rows: Array  # (rows,); −1 for one that does not act
    of_speeds: Array  # (speeds,)
    order: Array  # rows that act, island after island
    first: Array  # where each starts there, and where the last one ends
    parts: Parts


@final
class ContactCode:
    """The elements of a mechanism, the functions of a state that they need, and their islands."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.parts = elements(mechanism)
        held = closed(mechanism, self.parts)
        self.held = CompiledModel(held)
        self.state = ContactState(self.held.system, self.parts)
        own, zeros = fingerprint(held), [exact_text(x.zero) for x in held.events.values()]
        parts = f"{written(list(self.parts))} {own}"
        self._identity = parts
        self.of_events: Evaluator | None = None
        self.of_laws: Evaluator | None = None
        if zeros:
            events = MotionKernels(self.held.system, FREE).events
            self.of_events = kernel_code(events, f"contact events {zeros} {own}")
        if self.state.laws:
            self.of_laws = kernel_code(self.state.laws_kernel, f"contact_laws {parts}")
        self._islands: dict[bytes, Islands] = {}
        self._of_parts: dict[tuple[str, ...], Evaluator] = {}

    def of_parts(self, names: tuple[str, ...]) -> Evaluator:
        """Code of some parts of a state, made when it is first asked for."""
        if names not in self._of_parts:
            identity = f"contact_state {' '.join(names)} {self._identity}"
            self._of_parts[names] = kernel_code(partial(self.state.kernel, names), identity)
        return self._of_parts[names]

    @cached_property
    def places(self) -> dict[str, Array]:
        """Where the numbers of each function of parts are in all parts."""
        return {name: np.array(self.state.places(x), int) for name, x in at.OF_PARTS.items()}

    @cached_property
    def tree(self) -> dict[str, Array]:
        """Tables of the tree of inertia."""
        return tree_tables(self.state.inertia, self.state.moved)

    def islands(self, acts: Array) -> Islands:
        """Those of the rows that act."""
        if (key := acts.tobytes()) not in self._islands:
            self._islands[key] = self._parted(acts)
        return self._islands[key]

    def _parted(self, acts: Array) -> Islands:
        """A row that moves nothing, though joints may feel it, is in the first island."""
        parts = self.state.joined(np.flatnonzero(acts).tolist())
        of_rows, of_speeds = np.where(acts, 0, -1), np.zeros(len(self.held.speeds), int)
        for place, (speeds, rows) in enumerate(parts):
            of_rows[rows], of_speeds[speeds] = place, place
        order = np.flatnonzero(acts)[np.argsort(of_rows[acts], kind="stable")]
        first = np.searchsorted(of_rows[order], np.arange(len(parts) + 1))
        return Islands(of_rows, of_speeds, order, first, parts)
