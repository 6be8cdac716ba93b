"""What happens at an event: shocks, bounces that are over, and the modes from there on."""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import INSIDE, LEANS, LOW, TOUCHING, ZENO
from torseur.machine.contact.tables import BARE
from torseur.simulation.contact.broken_laws import require_laws
from torseur.simulation.contact.causes import END, LIMIT, TOUCH, Cause, cause_of
from torseur.simulation.contact.modes import chosen, leaves
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.redundancy import undetermined
from torseur.simulation.contact.shocks import Rebound, Shock, end_of_bounces, one_by_one, shock
from torseur.simulation.contact.situation import Found, Modes, Situation, of_normals, situation
from torseur.words.sentence import say

Array = np.ndarray
_LONG = 1e-2  # of the time of the mechanism: bounces that rounding alone makes so long
_MOST_LEFT = 10  # times the speed of a bounce: what its normal impulses may stop at once
_MOST = 10_000  # shocks in one instant
_UNCHANGED = 100  # times that: a speed that no instant which is not exact leaves at its end


@final
class Settling:
    """The modes of contacts and the jumps of speeds; a state y is changed in place."""

    def __init__(self, contacts: ContactModel) -> None:
        self.contacts = contacts
        sequential = contacts.model.mechanism.impacts == "sequential"
        self._shock = one_by_one if sequential else shock
        self._restitution = np.array([contacts.number(x.restitution) for x in contacts.parts])
        by_impulse = np.array([x.by_impulse for x in contacts.parts], dtype=bool)
        self._rebound = Rebound(self._restitution, by_impulse)

    def _speeds(self, y: Array) -> Array:
        return y[self.contacts.in_state["speeds"]]

    @property
    def _total_work(self) -> int:
        """Where the work of all that has no potential stands in a state: after the speeds."""
        return int(self.contacts.in_state["speeds"].stop)

    def settle(self, path: Path, t: float, y: Array, event: int) -> None:
        """y ← as it goes on: its speeds after shocks, exactly on what holds, with its modes.

        The event is that of the integrator which ended a stretch, AFTER_ACT or AT_START. Machine
        code settles most of them; what it leaves is searched for.
        """
        settled = self.contacts.settled(y, t, event)
        path.take_notes()
        if settled:
            return
        if event == at.AT_START:
            self.require_apart(t, y)
        self.search(path, t, y, cause_of(self.contacts, event))

    def search(self, path: Path, t: float, y: Array, cause: Cause | None) -> None:
        """The same by a search, which tells why there are no modes, or several."""
        if cause is not None:
            require_laws(self.contacts, t, y, cause)
        if self._goes_on(t, y, cause):
            cause = None
        seen, found = situation(self.contacts, y, t), None
        if cause is not None and self._come_to_rest(y, seen, cause):
            seen = situation(self.contacts, y, t)
        if seen.is_struck:
            self._strike(path, seen, y)
            seen, found = self._after_bounces(path, t, y)
        if found is None or leaves(cause):
            found = chosen(seen, cause)
        self._keep_shares(y, found)
        idle = seen.touches & (of_normals(self.contacts, found.w) <= LEANS * np.abs(found.w).max())
        room = np.where(idle, TOUCHING, LOW) * self.contacts.gap_sizes
        self.contacts.table[:, at.SLACK] = seen.touches * np.maximum(room, -2 * seen.gap)
        before = y[self.contacts.in_state["modes"]].copy()
        self._adopt(y, found.modes, seen)
        path.note(t, y, before, cause)
        self._tell_choice(path, t, seen.A, found.modes, found.z)

    def _keep_shares(self, y: Array, found: Found) -> None:
        """y ← with the forces that shares are nearest to, and what slides against its direction."""
        kept = y[self.contacts.in_state["forces"]]
        kept[:] = found.reference
        kept[self.contacts.given] = 0.0  # which have no choice
        for k, rows in enumerate(self.contacts.rubbing_rows):
            if found.modes.kinds[k] == at.SLIP:
                kept[rows] = -found.modes.directions[k, : len(rows)]

    def _tell_choice(self, path: Path, t: float, A: Array, modes: Modes, z: Array) -> None:
        """Once, unless the description accepts it: forces whose choice decides the motion."""
        if self.contacts["tells"][0]:
            kinds = np.array(modes.kinds)
            path.note_choice(t, undetermined(self.contacts, A, kinds, modes.directions, z))

    def balanced(self, before: Array, y: Array, t: float) -> Array:
        """The start y, after the shocks of its instant, with the work that kinetic energies give.

        The balance of energy then starts before these shocks, whose own work y had.
        """
        v, first, found = self._speeds(y), self._speeds(before), y.copy()
        if (v == first).all():
            return found
        self.contacts.call(at.LOOK, y, t)
        gained = 0.5 * (v - first) @ self.contacts["M"] @ (v + first)
        found[self._total_work] = before[self._total_work] + gained
        return found

    def require_apart(self, t: float, y: Array) -> None:
        """Refuse to start with bodies inside each other."""
        if not self.contacts.parts:
            return
        gap = situation(self.contacts, y, t).gap
        worst = int((gap / self.contacts.gap_sizes).argmin())
        if gap[worst] < -INSIDE * self.contacts.gap_sizes[worst]:
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

    def touched(self, y: Array, t: float) -> Array:
        """The state with modes that gaps and speeds alone tell: what touches sticks, or slides.

        What is about to be struck is open.
        """
        seen, found = situation(self.contacts, y, t), y.copy()
        slides = seen.slides | self.contacts.has_no_friction
        closed = np.where(slides, at.SLIP, at.STICK)
        touches = seen.touches & ~seen.approaches
        found[self.contacts.in_state["modes"]] = np.where(touches, closed, at.OPEN)
        return found

    # --- shocks -------------------------------------------------------------------------------

    def _strike(self, path: Path, seen: Situation, y: Array) -> None:
        """Shocks until nothing closes any more: one may close a contact that was opening."""
        for _ in range(_MOST):
            found = self._shock(seen, self._rebound)
            self._jump(y, found)
            path.note_shock(seen.t, y, found)
            seen = situation(self.contacts, y, seen.t)
            if not seen.is_struck:
                return
        names = ", ".join(self.contacts.parts[k].name for k in np.flatnonzero(seen.approaches))
        raise SolveError(
            f"t = {seen.t:.6g} s",
            say("more than {most} shocks in one instant, at last of {names}.", _MOST, names),
            "Bodies of very different masses may be caught between others; start them apart, or "
            "take steps: method=moreau.",
        )

    def _jump(self, y: Array, found: Shock) -> None:
        """y ← with its speeds after a shock, and the work of elements and of what time moves."""
        self._speeds(y)[:] += self.contacts.pushed(found.impulses)
        y[self.contacts.in_state["work"]] += found.work
        y[self._total_work] += found.work.sum() - found.impulses @ self.contacts["b"]

    def _stop_still(self, y: Array) -> None:
        """Speeds of what cannot move ← exactly zero."""
        y[:] = self.contacts.call(at.STAND, y)

    def _calm(self, y: Array, seen: Situation) -> None:
        """Speeds of a situation on what the modes hold, from which only errors lead away.

        It must be of the state looked at last. No work is counted for it: if it changes the energy,
        the balance of energy shows that.
        """
        self.contacts["u"][:] = seen.u
        self._speeds(y)[:] = self._speeds(self.contacts.call(at.HOLD, y))

    def _after_bounces(self, path: Path, t: float, y: Array) -> tuple[Situation, Found | None]:
        """The situation after a shock, and its modes; bounces that are over at once are over now.

        A contact that leaves at u and is pulled back by a bounces for 2u/(a (1 − e)) in all, and up
        to u²/2a, which may be less than rounding. The end of the bounces is noted when it would be.
        One that touches does not leave: what rounding leaves of its u and a tells no such time.
        """
        seen = situation(self.contacts, y, t)
        sizes = self.contacts.gap_sizes
        leaving = (seen.gap <= TOUCHING * sizes) & (seen.normal_speed > 0) & ~seen.touches
        if not leaving.any():
            return seen, None
        found = chosen(seen)
        pulled = -of_normals(self.contacts, found.w)
        with np.errstate(divide="ignore", invalid="ignore"):
            lasting = 2 * seen.normal_speed / (pulled * (1 - self._restitution))
            height = seen.normal_speed**2 / (2 * pulled)
        short = (lasting < ZENO / self.contacts.pace) | (height < LOW * sizes)
        over = leaving & (pulled > 0) & short
        if not over.any():
            return seen, found
        bouncing = over & (self._restitution > 0) & (lasting < _LONG / self.contacts.pace)
        path.rests = {int(k): t + float(lasting[k]) for k in np.flatnonzero(bouncing)}
        self._end_bounces(y, seen, over)
        return situation(self.contacts, y, t), None

    def _end_bounces(self, y: Array, seen: Situation, over: Array) -> None:
        """What touches comes to rest there; what slides faster than friction then stops goes on.

        All normal impulses that are left stop 2u/(1 − e) of a speed, and friction its part of that.
        """
        left = 2 / np.maximum(1 - self._restitution, 2 / _MOST_LEFT)
        slowly = self.contacts.table[:, at.KINETIC] * left * float(seen.normal_speed[over].max())
        sticks = ~seen.slides | (seen.seen[:, at.SLIDING] < slowly)
        closed = np.where(sticks, at.STICK, at.SLIP)
        self._jump(y, end_of_bounces(seen, np.where(seen.touches | over, closed, at.OPEN)))

    # --- modes --------------------------------------------------------------------------------

    def _goes_on(self, t: float, y: Array, cause: Cause | None) -> bool:
        """Whether what seems to end its sliding slides on: the axes of its friction have turned.

        The directions of sliding, which change their sign, are told in these axes.
        """
        if cause is None or cause.what != END or len(self.contacts.rubbing_rows[cause.element]) < 2:
            return False
        speed = situation(self.contacts, y, t).seen[cause.element, at.SLIDING]
        return bool(speed > _UNCHANGED * self.contacts.stopped_speeds[cause.element])

    def _come_to_rest(self, y: Array, seen: Situation, cause: Cause) -> bool:
        """Whether something that slid stops at an event: y ← with its speeds exactly zero.

        It is what the event is the end of, and whatever slows down and slides no faster than speeds
        are known: feet of one body come to rest together, and the one whose speed changes its sign
        first is a matter of chance, as are the directions of the others then. Where another lets
        go, they start together; what starts while another lifts goes on.
        """
        kinds, found = y[self.contacts.in_state["modes"]], self.contacts
        stops = (kinds == at.SLIP) & (seen.seen[:, at.SLIDING] <= self.contacts.stopped_speeds)
        if cause.what == TOUCH:
            stops &= not seen.is_struck
        elif cause.what != LIMIT:
            w = seen.A @ found["z"] + seen.c
            stops &= [seen.u[rows] @ w[rows] < 0 for rows in found.rubbing_rows]
        stops[cause.element] |= cause.what == END
        stops &= ~found.has_no_friction
        if not stops.any():
            return False
        found.set_modes(np.where(stops, at.STICK, kinds), seen.along)
        self._calm(y, seen)
        return True

    def _adopt(self, y: Array, modes: Modes, seen: Situation) -> None:
        """y ← on what the modes hold, with the modes in it; what cannot move is exactly at rest."""
        kinds = np.array(modes.kinds)
        self.contacts.set_modes(kinds, modes.directions)
        self._calm(y, seen)
        starts = (kinds == at.SLIP) & ~seen.slides & (self.contacts.table[:, at.COUNT] > 1)
        self.contacts.table[:, at.STARTS] = starts
        self._stop_still(y)
        y[self.contacts.in_state["modes"]] = kinds
        rates = np.arange(2.0, 3 * len(kinds), 3)
        self.contacts["turning"][0 : 3 * len(kinds) : 3] = np.where(kinds == at.OPEN, rates, BARE)
