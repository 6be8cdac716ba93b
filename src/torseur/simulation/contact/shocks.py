"""Shocks: speeds that jump, by impulses that follow the laws of restitution and of friction.

Where contacts close at a speed, u⁺ = u⁻ + A P. Newton: a normal impulse P ≥ 0 leaves at least
−e u⁻, and exactly that where it is positive. Friction acts on the speeds after the shock. Poisson:
compression ends where nothing closes any more; expansion gives back e times the normal impulses of
compression, and more where something would close again; friction acts on the speeds after each of
both (Glocker and Pfeiffer 1995). All that touches takes part at once; or one contact after the
other, until none closes any more.

Contacts must not create energy. Their work is Σ P · (u⁻ + u⁺)/2, with u the relative speeds at the
contacts: it is the same whatever carries the bodies, and leaves out the work of drives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.negligible import GAIN
from torseur.simulation.contact.modes import Choice
from torseur.simulation.contact.situation import Modes, Situation

Array = np.ndarray
_HALVINGS = 40  # of the restitution, where Newton's law would create energy
_ROUNDING = 1e-14  # of what impulses would do one by one: what it may add to speeds
_CHANGES = 50  # of what gives back more than its part


@final
@dataclass(frozen=True)
class Shock:
    """Impulses of a shock, the work of each element, and how much of the restitution acted."""

    impulses: Array  # (rows,)
    work: Array  # (elements,): not positive
    share: float = 1.0  # of the restitution, less where it would create energy

    def __add__(self, other: Shock) -> Shock:
        both = self.impulses + other.impulses, self.work + other.work
        return Shock(*both, min(self.share, other.share))


@final
@dataclass(frozen=True)
class Rebound:
    """What each element gives back: a part of its speed, or of the impulse of compression."""

    part: Array  # (elements,)
    by_impulse: Array  # (elements,)

    def times(self, share: float) -> Rebound:
        """Less of it."""
        return self if share == 1.0 else replace(self, part=share * self.part)


def shock(seen: Situation, rebound: Rebound) -> Shock:
    """All contacts at once that touch and are joined to one that closes, island by island."""
    contacts = seen.contacts
    of_rows, idle = contacts.islands_of(seen.touches), contacts.state.idle
    first = [next((k for k in rows if k not in idle), rows[0]) for rows in contacts.state.rows]
    of_elements = of_rows[first]
    found = _nothing(contacts)
    for island in np.unique(of_elements[seen.approaches]):
        own = _struck(replace(seen, touches=seen.touches & (of_elements == island)), rebound)
        found += replace(own, impulses=np.where(of_rows == island, own.impulses, 0.0))
    return found


def one_by_one(seen: Situation, rebound: Rebound) -> Shock:
    """The contact alone that closes fastest, as if the others were a little apart."""
    fastest = int(np.where(seen.approaches, seen.normal_speed, 0.0).argmin())
    return _struck(replace(seen, touches=np.arange(len(seen.touches)) == fastest), rebound)


def _nothing(contacts: ContactModel) -> Shock:
    return Shock(np.zeros(len(contacts.state.constraints.owners)), np.zeros(len(contacts.parts)))


def _struck(seen: Situation, rebound: Rebound) -> Shock:
    """The shock of what touches, without restitution where no impulses agree with it.

    Friction may hold what Newton's law wants to leave, as in a wedge or beside a dead point.
    """
    try:
        return _within_energy(seen, rebound)
    except SolveError:
        return _with_share(seen, rebound, 0.0)


def _with_share(seen: Situation, rebound: Rebound, share: float) -> Shock:
    """The shock in which a share of the restitution acts."""
    impulses = _impulses(seen, rebound.times(share))
    return Shock(impulses, _work(seen, impulses, rebound.times(share)), share)


def _within_energy(seen: Situation, rebound: Rebound) -> Shock:
    """The shock, with less restitution where it would create energy."""
    low, high, share = 0.0, 1.0, 1.0
    for _ in range(_HALVINGS):
        found = _with_share(seen, rebound, share)
        gains = _creates_energy(seen, found.impulses)
        if not gains and (share == 1.0 or high - low < 1e-6):
            return found
        low, high = (low, share) if gains else (share, high)
        share = (low + high) / 2
    return _with_share(seen, rebound, low)


def _creates_energy(seen: Situation, impulses: Array) -> bool:
    """Whether the work of the contacts, Σ P (u⁻ + u⁺)/2, is positive, and not by rounding alone.

    Beside a dead point A P is small beside what each impulse alone would do.
    """
    rows = seen.contacts.owned
    after = seen.u + seen.A @ impulses
    parts = np.abs(seen.A) @ np.abs(impulses)
    exchanged = np.abs(impulses) * (np.abs(seen.u) + np.abs(after))
    work = impulses * (seen.u + after) / 2
    none = GAIN * exchanged[rows].sum() + _ROUNDING * np.abs(impulses) @ parts
    return bool(work[rows].sum() > none)


def _work(seen: Situation, impulses: Array, rebound: Rebound) -> Array:
    """(elements,): the work that the laws of each give its impulses, P · (u⁻ + u⁺)/2.

    Newton: u⁺ = −e u⁻ of a gap that closed. Coulomb: no more friction than μ P. Impulses that break
    these laws change the energy by something else, which the balance of energy shows.
    """
    contacts, after = seen.contacts, seen.u + seen.A @ impulses
    struck = contacts.has_gap & (seen.normal_speed < 0) & ~rebound.by_impulse
    rows = contacts.normal_rows[struck]
    after[rows] = np.where(impulses[rows] > 0, -rebound.part[struck] * seen.u[rows], after[rows])
    power = impulses * (seen.u + after) / 2
    limit = contacts.table[:, [at.STATIC, at.KINETIC]].max(axis=1)
    found = np.where(contacts.has_gap, power[contacts.normal_rows], 0.0)
    for k, own in enumerate(contacts.rubbing_rows):
        size, most = float(np.linalg.norm(impulses[own])), np.inf
        if contacts.table[k, at.LOAD] == at.NORMAL_LOAD:
            most = limit[k] * max(float(impulses[int(contacts.table[k, at.LOAD_FROM])]), 0.0)
        found[k] += power[own].sum() * (most / size if size > most else 1.0)
    return found


def end_of_bounces(seen: Situation, kinds: Array) -> Shock:
    """What all bounces that are left push, less what contacts at rest push in the same time.

    That takes the speeds of gaps away, m u, and from what slides the friction of as much: bounces
    that are left out then have the momentum, the work of drives and the losses of all of them.
    """
    contacts, table = seen.contacts, seen.contacts.table
    _without_forces(contacts)
    loose = (kinds == at.SLIP) & (table[:, at.LOAD] != at.NORMAL_LOAD) & ~contacts.has_gap
    still = replace(seen, c=seen.u, u=np.zeros_like(seen.u))
    choice = Choice(still, np.asarray(kinds == at.SLIP))
    modes = Modes(tuple(np.where(loose, at.OPEN, kinds).tolist()), seen.along)
    impulses = choice.solved(modes).z
    power = impulses * (2 * seen.u + seen.A @ impulses) / 2
    own = [power[list(rows)].sum() for rows in contacts.state.rows]
    return Shock(impulses, np.array(own))


def _without_forces(contacts: ContactModel) -> None:
    """Impulses are asked for next: loads and laws that forces cause have none."""
    contacts["load_0"][:] = 0.0
    contacts["laws_act"][0] = 0.0


def _impulses(seen: Situation, rebound: Rebound) -> Array:
    """The impulses of the rows; loads that forces cause have none."""
    contacts = seen.contacts
    constant = np.isin(contacts.table[:, at.LOAD], (at.CONSTANT_LOAD, at.GIVEN_LOAD))
    seen = replace(seen, touches=seen.touches & ~constant)
    _without_forces(contacts)
    asked = np.zeros_like(seen.u)  # what Newton's law adds to the speeds after the shock
    closing = contacts.has_gap & (seen.normal_speed < 0) & ~rebound.by_impulse
    rows = contacts.normal_rows[closing]
    asked[rows] = rebound.part[closing] * seen.u[rows]
    if not (seen.touches & rebound.by_impulse & contacts.has_gap).any():
        return _phase(seen, seen.u + asked)
    compression = _phase(seen, seen.u)
    return np.asarray(compression + _expansion(seen, compression, asked, rebound))


def _phase(seen: Situation, c: Array) -> Array:
    """The impulses of all that touches, on speeds c; rounding is that of the speeds before.

    What slides has kinetic friction, by Stribeck's law too: no speed within a shock is a slow one.
    """
    still = replace(seen, c=c, u=np.zeros_like(c))
    column = seen.contacts.table[:, at.STRIBECK]
    falling = column.copy()
    column[:] = 0.0
    try:
        return Choice(still, np.zeros_like(seen.touches), seen.u).found().z
    finally:
        column[:] = falling


def _expansion(seen: Situation, compression: Array, asked: Array, rebound: Rebound) -> Array:
    """The impulses that are given back: at least their parts, and more where a gap would close."""
    contacts, speeds = seen.contacts, seen.u + seen.A @ compression
    gives = seen.touches & rebound.by_impulse & contacts.has_gap
    rows = contacts.normal_rows[gives]
    least = np.maximum(rebound.part[gives] * compression[rows], 0.0)
    none = contacts.resting_speeds[gives]
    more, found = np.zeros(len(rows), dtype=bool), np.zeros_like(compression)
    try:
        for _ in range(_CHANGES):
            contacts["gives"][:] = 0.0
            contacts["gives"][np.flatnonzero(gives)[~more]] = 1.0
            contacts["returned"][rows] = least
            found = _phase(seen, speeds + asked)
            after = (speeds + seen.A @ found)[rows]
            wanted = np.where(more, found[rows] >= least, after < -none)
            if (wanted == more).all():
                break
            more = wanted
    finally:
        contacts["gives"][:] = 0.0
    return found
