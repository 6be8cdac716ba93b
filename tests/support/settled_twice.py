"""Events that are settled twice, by machine code and by the search in Python, and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators import lanes
from torseur.simulation.contact.causes import cause_of
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.settling import Settling

Array = np.ndarray
EQUAL = 1e-9


def search_alone(monkeypatch: Any) -> None:
    """From here on no machine code settles events."""
    monkeypatch.setattr(ContactModel, "settled", lambda *_: False)
    without = tuple(name for name in lanes._OF_PROBLEMS if name != "settle")
    monkeypatch.setattr(lanes, "_OF_PROBLEMS", without)


def noted(path: Path) -> tuple[list[tuple[str, str, str]], Array]:
    """The events of a path in order: names, causes and effects; instants and impulses."""
    lines = sorted((e.name, e.cause, e.effect, e.t, e.impulse) for e in path.events)
    return [line[:3] for line in lines], np.array([line[3:] for line in lines]).reshape(-1, 2)


def note_the_same(one: Path, other: Path) -> bool:
    """Whether two paths have the same events, up to rounding."""
    (words, numbers), (known, others) = noted(one), noted(other)
    return words == known and np.allclose(numbers, others, rtol=EQUAL, atol=EQUAL)


@dataclass
class Twice:
    """What became of states that were settled twice."""

    served: int = 0
    left: int = 0
    different: list[Any] = field(default_factory=list)

    def settle(self, contacts: ContactModel, t: float, y: Array, event: int = at.AFTER_ACT) -> None:
        """y ← as the search has it; machine code must have the same, or leave it as it was."""
        times, quick, before = np.array([t, t + 1.0]), y.copy(), contacts.table.copy()
        role = contacts["role"].copy()
        code = Path(contacts, times, has_choice=True)
        done = contacts.settled(quick, t, event)
        code.take_notes()
        table = contacts.table.copy()
        if not done:
            self.left += 1
            assert (quick == y).all() and (table == before).all() and not code.events
            assert event < 0 or (contacts["role"] == role).all()
        contacts.set_modes(before[:, at.MODE], before[:, at.DIRECTION :])
        contacts.table[:] = before
        search = Path(contacts, times, has_choice=True)
        Settling(contacts).search(search, t, y, cause_of(contacts, event))
        if done:
            self.served += 1
            self._compare(contacts, (t, event), (quick, table, code), (y, search))

    def _compare(self, contacts: ContactModel, when: Any, quick: Any, searched: Any) -> None:
        """States, modes and notes; forces of rows have a choice, motions none."""
        (state, table, code), (known, search) = quick, searched
        forces, columns = contacts.in_state["forces"].start, [at.MODE, at.SLACK, at.STARTS]
        sizes = np.maximum(1.0, np.abs(known[:forces]))
        off = (np.abs(state - known)[:forces] / sizes).max()
        slips = table[:, at.MODE] == at.SLIP
        turned = np.abs(table - contacts.table)[slips, at.DIRECTION :].max(initial=0.0)
        modes = np.abs(table - contacts.table)[:, columns].max(initial=0.0)
        if max(off, turned, modes) > EQUAL or not note_the_same(code, search):
            self.different.append((when, off, turned, modes, noted(code), noted(search)))


def settled_twice(monkeypatch: Any) -> Twice:
    """From here on the events of runs are settled twice, and go on as the search has it."""
    found = Twice()

    def settle(self: Settling, path: Path, t: float, y: Array, event: int = at.AFTER_ACT) -> None:
        progress, tells = self.contacts["progress"].copy(), self.contacts["tells"].copy()
        found.settle(self.contacts, t, y, event)
        self.contacts["progress"][:], self.contacts["tells"][:] = progress, tells

    without = tuple(name for name in lanes._OF_PROBLEMS if name != "settle")
    monkeypatch.setattr(lanes, "_OF_PROBLEMS", without)
    monkeypatch.setattr(Settling, "settle", settle)
    return found
