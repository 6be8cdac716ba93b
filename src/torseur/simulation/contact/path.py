"""Path of a motion from event to event: states at the times asked for, events, notices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.errors import (
    broken_law,
    overlapping_start,
    unsettled,
)
from torseur.simulation.run.contact_samples import STATES
from torseur.simulation.run.samples import Happened
from torseur.words.sentence import say

Array = np.ndarray
TOUCH, LIFT, LIMIT, END = "touch", "lift-off", "limit of friction", "end of sliding"
SHOCK, CHANGE = "shock", "change"
CAUSES = {
    at.TOUCH: TOUCH,
    at.LIFT: LIFT,
    at.LIMIT: LIMIT,
    at.END: END,
    at.SHOCK: SHOCK,
    at.CHANGE: CHANGE,
}


@final
@dataclass
class ContactPath:
    """States, events and notices of a motion so far."""

    contacts: ContactModel
    times: Array  # asked for
    events: list[Happened] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    _t: list[Array] = field(default_factory=list)
    _states: list[Array] = field(default_factory=list)
    _count: int = 0  # states
    has_choice: bool = False  # whether forces that rigid bodies do not decide were reported

    def __post_init__(self) -> None:
        """Let machine code count and note events from now on."""
        self.contacts["progress"][:], self.contacts["noted"][0] = (-np.inf, 0.0), 0.0
        accepted = self.contacts.model.mechanism.reactions == "least_norm"
        self.contacts["tells"][0] = not (accepted or self.has_choice)

    # --- states -------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether every time has its state."""
        return self._count >= len(self.times)

    def ahead(self, t: float) -> Array:
        """A time, and the times asked for that come after it."""
        if self._count and t == self.times[self._count - 1]:
            return self.times[self._count - 1 :]
        later = max(self._count, int(np.searchsorted(self.times, t, side="right")))
        return np.concatenate([[t], self.times[later:]])

    def add(self, t: Array, states: Array) -> None:
        """States at times asked for."""
        self._t.append(t)
        self._states.append(states)
        self._count += len(t)

    def amend(self, y: Array) -> None:
        """Replace the last state, after control acted on it."""
        self._states[-1][-1] = y

    def states(self, t: float, y: Array) -> tuple[Array, Array]:
        """Times and states so far; the end too, where it is none of the times."""
        times, rows = np.concatenate(self._t), np.concatenate(self._states)
        if t > times[-1] and not self.is_over:
            return np.append(times, t), np.vstack([rows, y])
        return times, rows

    # --- events -------------------------------------------------------------------------------

    def take_notes(self) -> None:
        """Take the events that machine code noted out of its table."""
        contacts, count = self.contacts, int(self.contacts["noted"][0])
        lines = contacts["notes"][:count]
        for line in lines:
            if line[at.CAUSE] == at.SHARE:
                self._note_share(float(line[at.WHEN]), float(line[at.NUMBER]))
            elif line[at.CAUSE] != at.CHOICE:
                self.events.append(self._event(line))
        if len(choices := lines[lines[:, at.CAUSE] == at.CHOICE]):
            names = [contacts.parts[int(k)].name for k in choices[:, at.WHICH]]
            self._note_choice(float(choices[0, at.WHEN]), names)
        contacts["noted"][0] = 0.0

    def _event(self, line: Array) -> Happened:
        """The event of a line of notes."""
        name, cause = self.contacts.parts[int(line[at.WHICH])].name, CAUSES[int(line[at.CAUSE])]
        effect = "" if cause == SHOCK else STATES[int(line[at.EFFECT])]
        number, state = float(line[at.NUMBER]), line[at.NOTED :].copy()
        return Happened(name, float(line[at.WHEN]), state, cause, effect, number)

    def _note_share(self, t: float, share: float) -> None:
        """Add the notice of a shock in which a share of the restitution acted."""
        self.notices.append(
            say(
                "At t = {t:.6g} s the law of restitution would create energy or contradict "
                "friction, as it may with friction or with several contacts at once: "
                "{share:.3g} of the restitution acts.",
                t,
                share,
            )
        )

    def _note_choice(self, t: float, names: list[str]) -> None:
        """Add the notice of contacts whose forces have a choice that the motion depends on."""
        self.has_choice = True
        self.notices.append(
            say(
                "At t = {t:.6g} s rigid bodies do not determine how {names} share their load, and "
                "sliding depends on it: Torseur takes the smallest forces. "
                "`reactions: least_norm` accepts this.",
                t,
                ", ".join(names),
            )
        )


# --- settling -------------------------------------------------------------------------------------


def settle(path: ContactPath, t: float, y: Array, event: int) -> None:
    """y ← as it goes on: its speeds after shocks, exactly on what holds, with its modes.

    The event is that of the integrator which ended a stretch, AFTER_ACT or AT_START.
    """
    verdict = path.contacts.settle(y, t, event)
    path.take_notes()
    if verdict != at.SETTLED:
        raise unsettled(path.contacts, t, verdict)


def require_laws(contacts: ContactModel, t: float, y: Array) -> None:
    """Refuse a stretch at whose end a contact overlaps, pulls or holds by too much friction."""
    element = contacts.law_breaker(y, t)
    if element >= 0:
        raise broken_law(contacts, t, element)


def balanced(contacts: ContactModel, before: Array, y: Array, t: float) -> Array:
    """The start y, after the shocks of its instant, with the work that kinetic energies give.

    The balance of energy then starts before these shocks, whose own work y had.
    """
    speeds, result = contacts.in_state["speeds"], y.copy()
    v, first = y[speeds], before[speeds]
    if (v == first).all():
        return result
    contacts.call(at.LOOK, y, t)
    gained = 0.5 * (v - first) @ contacts["M"] @ (v + first)
    result[speeds.stop] = before[speeds.stop] + gained
    return result


def touching_state(contacts: ContactModel, y: Array, t: float) -> Array:
    """The state with modes that gaps and speeds alone tell: elements that touch stick, or slide.

    Elements that are about to be struck are open. Bodies inside each other are refused.
    """
    if contacts.parts and (inside := contacts.see(y, t)) >= 0:
        raise overlapping_start(contacts, inside)
    result = y.copy()
    closed = np.where(contacts.slides | contacts.has_no_friction, at.SLIP, at.STICK)
    touches = contacts.touches & ~contacts.approaches
    result[contacts.in_state["modes"]] = np.where(touches, closed, at.OPEN)
    return result
