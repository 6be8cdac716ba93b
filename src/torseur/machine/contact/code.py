"""What is made once of the contacts of a mechanism, whatever values its parameters have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.printing.text import text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.machine.compiled import CompiledModel
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
        identity = f"contact_state {written(list(self.parts))} {fingerprint(held)}"
        self.of_state = kernel_code(self.state.kernel, identity)
        self.of_events = self._event_code(held)
        self.of_laws = self._law_code(held)
        self._islands: dict[bytes, Islands] = {}

    def _event_code(self, held: Mechanism) -> Evaluator | None:
        zeros = [text(x.zero) for x in held.events.values()]
        if not zeros:
            return None
        made = MotionKernels(self.held.system, FREE)
        return kernel_code(made.events, f"contact events {zeros} {fingerprint(held)}")

    def _law_code(self, held: Mechanism) -> Evaluator | None:
        if not self.state.laws:
            return None
        identity = f"contact_laws {written(list(self.parts))} {fingerprint(held)}"
        return kernel_code(self.state.laws_kernel, identity)

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
