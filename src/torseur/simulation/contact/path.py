"""The way of a motion from event to event: states at the times asked for, events, remarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.causes import CAUSES, CHANGE, END, SHOCK, TOUCH, Cause
from torseur.simulation.contact.shocks import Shock
from torseur.simulation.contact.situation import of_normals
from torseur.simulation.run.contact_samples import STATES, UNKNOWN
from torseur.simulation.run.samples import Happened
from torseur.words.sentence import say

Array = np.ndarray
MOST_EVENTS = 1000  # without progress: more would go on for ever
_PROGRESS = 1e-6  # of the time of the mechanism; bounces that are over are shorter


@final
@dataclass
class Path:
    """What a motion leaves behind."""

    contacts: ContactModel
    times: Array  # asked for
    events: list[Happened] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    rests: dict[int, float] = field(default_factory=dict)  # when bounces end that are over now
    _t: list[Array] = field(default_factory=list)
    _states: list[Array] = field(default_factory=list)
    _kept: int = 0  # states
    _struck: frozenset[int] = frozenset()  # elements, by the last shocks
    has_choice: bool = False  # whether it was told of forces that rigid bodies do not decide

    def __post_init__(self) -> None:
        """Machine code counts and notes events from here on."""
        self.contacts["progress"][:], self.contacts["noted"][0] = (-np.inf, 0.0), 0.0
        accepted = self.contacts.model.mechanism.reactions == "least_norm"
        self.contacts["tells"][0] = not (accepted or self.has_choice)

    # --- states -------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether every time has its state."""
        return self._kept >= len(self.times)

    def ahead(self, t: float) -> Array:
        """A time, and the times asked for that come after it."""
        if self._kept and t == self.times[self._kept - 1]:
            return self.times[self._kept - 1 :]
        later = max(self._kept, int(np.searchsorted(self.times, t, side="right")))
        return np.concatenate([[t], self.times[later:]])

    def add(self, t: Array, states: Array) -> None:
        """States at times asked for."""
        self._t.append(t)
        self._states.append(states)
        self._kept += len(t)

    def amend(self, y: Array) -> None:
        """The last state is another one: somebody acted on it."""
        self._states[-1][-1] = y

    def states(self, t: float, y: Array) -> tuple[Array, Array]:
        """All of them; the end too, where it is none of the times."""
        times, found = np.concatenate(self._t), np.concatenate(self._states)
        if t > times[-1] and not self.is_over:
            return np.append(times, t), np.vstack([found, y])
        return times, found

    # --- events -------------------------------------------------------------------------------

    def take_notes(self) -> None:
        """Events that machine code noted are taken out of its table."""
        contacts, count = self.contacts, int(self.contacts["noted"][0])
        for line in contacts["notes"][:count]:
            if line[at.CAUSE] == at.SHARE:
                self._note_share(float(line[at.WHEN]), float(line[at.NUMBER]))
                continue
            cause, effect = CAUSES[int(line[at.CAUSE])], STATES[int(line[at.EFFECT])]
            self.events.append(
                Happened(
                    contacts.parts[int(line[at.WHICH])].name,
                    float(line[at.WHEN]),
                    line[at.NOTED :].copy(),
                    cause,
                    "" if cause == SHOCK else effect,
                    float(line[at.NUMBER]),
                )
            )
        contacts["noted"][0] = 0.0

    def note(self, t: float, y: Array, before: Array, cause: Cause | None) -> None:
        """The elements whose modes changed at a time, and its event.

        What was about to happen and did not is no event: friction at its limit that is shared anew,
        a gap that closes without a shock and stays open. The first modes are none either.
        """
        struck, self._struck = self._struck, frozenset()
        if (before == UNKNOWN).any():
            return
        self._require_progress(t, cause)
        modes = y[self.contacts.in_state["modes"]]
        for k, part in enumerate(self.contacts.parts):
            why = cause.what if cause is not None and cause.element == k else ""
            happens = why == END or (why == TOUCH and k in struck)
            if before[k] != modes[k] or happens:
                effect, when = STATES[int(modes[k])], self.rests.get(k, t)
                self.events.append(Happened(part.name, when, y.copy(), why or CHANGE, effect))
        self.rests = {}

    def note_shock(self, t: float, y: Array, shock: Shock) -> None:
        """A shock, and whether it had less than its restitution."""
        pushes = of_normals(self.contacts, shock.impulses)
        self._struck |= set(np.flatnonzero(pushes > 0).tolist())
        for part, push in zip(self.contacts.parts, pushes, strict=True):
            if push > 0:
                self.events.append(Happened(part.name, t, y.copy(), SHOCK, "", float(push)))
        if shock.share < 1:
            self._note_share(t, shock.share)

    def _note_share(self, t: float, share: float) -> None:
        """A share of the restitution acted."""
        self.notices.append(
            say(
                "At t = {t:.6g} s the law of restitution would create energy or contradict "
                "friction, as it may with friction or with several contacts at once: "
                "{share:.3g} of the restitution acts.",
                t,
                share,
            )
        )

    def note_choice(self, t: float, names: list[str]) -> None:
        """Once: contacts whose forces have a choice that the motion depends on."""
        if names and not self.has_choice:
            self.has_choice, self.contacts["tells"][0] = True, 0.0
            self.notices.append(
                say(
                    "At t = {t:.6g} s rigid bodies do not decide how {names} share their load, and "
                    "what slides moves by it: the smallest forces are taken. "
                    "`reactions: least_norm` accepts this.",
                    t,
                    ", ".join(names),
                )
            )

    def _require_progress(self, t: float, cause: Cause | None) -> None:
        """Refuse changes without end."""
        since, count = self.contacts["progress"]
        moves_on = t - since > _PROGRESS / self.contacts.pace
        self.contacts["progress"][:] = (t, 0) if moves_on else (since, count + 1)
        if not moves_on and count + 1 > MOST_EVENTS:
            part = self.contacts.parts[0 if cause is None else cause.element]
            raise SolveError(
                f"t = {t:.6g} s",
                say(
                    'more than {most} events in {lasting:.2g} s, at last of "{name}": modes of '
                    "contact change without end.",
                    MOST_EVENTS,
                    t - since,
                    part.name,
                ),
                "Two laws of friction or of stops may contradict each other there; let a contact "
                "be a spring, or take steps: method=moreau.",
            )
