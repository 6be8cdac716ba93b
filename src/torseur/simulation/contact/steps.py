"""What happens from step to step: contacts that close, open, stick and slide, and shocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.modes import END, LIFT, LIMIT, TOUCH
from torseur.simulation.contact.path import SHOCK
from torseur.simulation.run.contact_samples import STATES
from torseur.simulation.run.samples import Happened
from torseur.words.sentence import say

Array = np.ndarray
_CAUSES = {
    (at.OPEN, at.STICK): TOUCH,
    (at.OPEN, at.SLIP): TOUCH,
    (at.STICK, at.OPEN): LIFT,
    (at.SLIP, at.OPEN): LIFT,
    (at.STICK, at.SLIP): LIMIT,
    (at.SLIP, at.STICK): END,
}


@final
@dataclass
class Happenings:
    """Events of steps, each at the end of its own but for shocks, and how well laws were held."""

    contacts: ContactModel
    events: list[Happened] = field(default_factory=list)
    residual: float = 0.0  # in sizes of rows a second
    penetration: float = 0.0  # in sizes of gaps
    calmed: int = 0  # steps whose shocks had no rebound

    def note(self, t: float, before: Array, after: Array, told: Array) -> None:
        """A step from one state to another, and what it told."""
        self.residual = max(self.residual, float(told[at.RESIDUAL]))
        self.penetration = max(self.penetration, float(told[at.PENETRATION]))
        self.calmed += int(told[at.CALMED])
        place = self.contacts.in_state["modes"]
        old, new = before[place], after[place]
        self._note_shocks(t, old, after)
        for k in np.flatnonzero(old != new):
            cause = _CAUSES.get((int(old[k]), int(new[k])), "change")
            name, effect = self.contacts.parts[k].name, STATES[int(new[k])]
            self.events.append(Happened(name, t, after.copy(), cause, effect))

    def _note_shocks(self, t: float, old: Array, after: Array) -> None:
        """Contacts that were open, and pushed in a step: at the instant at which a gap closed."""
        rows, forces = self.contacts.normal_rows, after[self.contacts.in_state["forces"]]
        pushed = self.contacts.has_gap & (old == at.OPEN) & (forces[rows] > 0)
        for k in np.flatnonzero(pushed):
            impulse = float(forces[rows[k]] * self.contacts["step"][0])
            name, left = self.contacts.parts[k].name, max(float(self.contacts["left"][k]), 0.0)
            self.events.append(Happened(name, t - left, after.copy(), SHOCK, "", impulse))

    @property
    def notices(self) -> list[str]:
        """How well the laws of contacts were held, at worst."""
        length = self.contacts.length
        told = [
            say(
                "Contacts: natural residual at most {residual:.1e} m/s in a step, penetration at "
                "most {depth:.1e} m.",
                self.residual * length,
                self.penetration * length,
            )
        ]
        if self.calmed:
            told.append(
                say(
                    "In {calmed} steps a rebound would have given energy (friction at the shock): "
                    "there was none.",
                    self.calmed,
                )
            )
        return told
