"""What happens at an event: shocks, bounces that are over, and the modes from there on."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.modes import Cause, Modes, chosen
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.shocks import one_by_one, shock
from torseur.simulation.contact.situation import (
    TOUCHING,
    Situation,
    of_normals,
    situation,
)
from torseur.words.sentence import say

Array = np.ndarray
ZENO = 1e-10  # of the time of the mechanism: a rest of bounces that is over at once
LOW = 4e-15  # of its length: a bounce that rounding hides
_INSIDE = 1e-9  # of its length: how far bodies may overlap at the start
_FAST = 10  # times the speed of a bounce: what slides slower than that ends with it


@final
class Settling:
    """The modes of contacts and the jumps of speeds; a state y is changed in place."""

    def __init__(self, contacts: ContactModel) -> None:
        self.contacts = contacts
        model = contacts.model
        self._nq, self._nv = len(model.coordinates), len(model.speeds)
        self._shock = one_by_one if model.mechanism.impacts == "sequential" else shock
        self._restitution = np.array(
            [float(evaluate(x.restitution, model.parameters)) for x in contacts.parts]
        )

    def _speeds(self, y: Array) -> Array:
        return y[self._nq : self._nq + self._nv]

    def settle(self, path: Path, t: float, y: Array, cause: Cause | None) -> Modes:
        """The modes from here on; y ← with its speeds after shocks, exactly on what holds."""
        seen = situation(self.contacts, y, t)
        if seen.approaches.any():
            self._strike(path, t, y)
            seen = self._after_bounces(path, t, y)
        modes = chosen(seen, cause).modes
        self._adopt(t, y, modes)
        path.note(t, y, modes, cause)
        return modes

    def require_apart(self, t: float, y: Array) -> None:
        """Refuse to start with bodies inside each other."""
        gap = situation(self.contacts, y, t).gap
        worst = int(gap.argmin())
        if gap[worst] < -_INSIDE * self.contacts.length:
            one = self.contacts.parts[worst]
            raise ModelError(
                one.place or f'contact "{one.name}"',
                say(
                    '"{name}" starts with its bodies inside each other, by {gap:.3g} (m or rad).',
                    one.name,
                    -gap[worst],
                ),
                "Give other initial values.",
            )

    # --- shocks -------------------------------------------------------------------------------

    def _strike(self, path: Path, t: float, y: Array) -> None:
        """The kinetic energy that a shock takes is work."""
        found = self._shock(self.contacts, y, t, self._restitution)
        self._jump(y, found.v)
        first = self._nq + self._nv + 1
        y[first : first + len(found.work)] += found.work
        path.note_shock(t, y, found)

    def _jump(self, y: Array, v: Array) -> None:
        """Other speeds; what they lack of kinetic energy is work."""
        M, before = self.contacts["M"], self._speeds(y).copy()
        y[self._nq + self._nv] += 0.5 * (v @ M @ v - before @ M @ before)
        self._speeds(y)[:] = v

    def _after_bounces(self, path: Path, t: float, y: Array) -> Situation:
        """The situation after a shock; bounces that would be over at once are over now.

        A contact that leaves at u and is pulled back by a bounces for 2u/(a (1 − e)) in all, and up
        to u²/2a, which may be less than rounding. The end of the bounces is noted when it would be.
        """
        seen = situation(self.contacts, y, t)
        leaving = (seen.gap <= TOUCHING * self.contacts.length) & (seen.normal_speed > 0)
        if not leaving.any():
            return seen
        pulled = -of_normals(self.contacts, chosen(seen).w)
        with np.errstate(divide="ignore", invalid="ignore"):
            lasting = 2 * seen.normal_speed / (pulled * (1 - self._restitution))
            height = seen.normal_speed**2 / (2 * pulled)
        pace = self.contacts.length / self.contacts.usual_speed
        short = (lasting < ZENO * pace) | (height < LOW * self.contacts.length)
        over = leaving & (pulled > 0) & short
        if not over.any():
            return seen
        path.rests = {
            int(k): t + float(lasting[k]) for k in np.flatnonzero(over & np.isfinite(lasting))
        }
        self._end_bounces(t, y, seen, over)
        return situation(self.contacts, y, t)

    def _end_bounces(self, t: float, y: Array, seen: Situation, over: Array) -> None:
        """What touches comes to rest there, by the smallest impulses; what slides fast goes on."""
        slowly = _FAST * float(seen.normal_speed[over].max())
        kinds = [at.OPEN] * len(over)
        for k, rows in enumerate(self.contacts.rubbing_rows):
            if seen.touches[k] or over[k]:
                sticks = np.linalg.norm(seen.u[rows]) < slowly
                kinds[k] = at.STICK if sticks else at.SLIP
        self.contacts.set_modes(kinds, self.contacts.directions(seen.u), np.zeros(self._nv))
        calmed = self.contacts.call(at.CALM, y, t)
        self._jump(y, self._speeds(calmed))

    # --- modes --------------------------------------------------------------------------------

    def _adopt(self, t: float, y: Array, modes: Modes) -> None:
        """y ← on what the modes hold, with the modes in it; what cannot move is exactly at rest."""
        kinds, directions = modes.kinds, modes.directions
        self.contacts.set_modes(kinds, directions, np.zeros(self._nv))
        y[:] = self.contacts.call(at.CALM, y, t)
        still = self.contacts.still_speeds(self._speeds(y))
        self.contacts.set_modes(kinds, directions, still)
        self._speeds(y)[still == 1.0] = 0.0
        y[-len(kinds) :] = kinds
