"""Shocks: speeds that jump, by impulses that follow the laws of restitution and of friction.

Where contacts close at a speed, u⁺ = u⁻ + A P. Newton: a normal impulse P ≥ 0 leaves at least
−e u⁻, and exactly that where it is positive. Friction acts on the speeds after the shock. Poisson:
compression ends where nothing closes any more; expansion gives back e times the normal impulses of
compression, and more where something would close again; friction acts on the speeds after each of
both (Glocker and Pfeiffer 1995). All that touches takes part at once; or one contact after the
other, until none closes any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.negligible import GAIN
from torseur.simulation.contact.modes import Choice
from torseur.simulation.contact.situation import Situation, situation

Array = np.ndarray
_HALVINGS = 40  # of the restitution, where Newton's law would give energy
_MOST = 10_000  # shocks one after the other
_CHANGES = 50  # of what gives back more than its part


@final
@dataclass(frozen=True)
class Shock:
    """Speeds after a shock, impulses of the rows, and the energy that each element took."""

    v: Array
    impulses: Array  # (rows,)
    work: Array  # (elements,): of each, not positive
    share: float  # of the restitution, that could be given back


@final
@dataclass(frozen=True)
class Rebound:
    """What each element gives back: a part of its speed, or of the impulse of compression."""

    part: Array  # (elements,)
    by_impulse: Array  # (elements,)

    def times(self, share: float) -> Rebound:
        """Less of it."""
        return self if share == 1.0 else replace(self, part=share * self.part)


def shock(seen: Situation, y: Array, rebound: Rebound) -> Shock:
    """All at once; less is given back where the law would give energy.

    What is not joined to a contact that closes has no part in it.
    """
    contacts = seen.contacts
    seen = replace(
        seen, touches=seen.touches & contacts.roles.joined(seen.touches, seen.approaches)
    )
    v, M, X = y[contacts.in_state["speeds"]], contacts["M"], contacts["X"]
    before = 0.5 * float(v @ M @ v)
    low, high, part = 0.0, 1.0, 1.0
    for _ in range(_HALVINGS):
        impulses = _impulses(seen, rebound.times(part))
        after = v + impulses @ X
        gain = 0.5 * float(after @ M @ after) - before
        gains = gain > GAIN * before
        if not gains and (part == 1.0 or high - low < 1e-6):
            break
        low, high = (low, part) if gains else (part, high)
        part = (low + high) / 2
    else:
        impulses = _impulses(seen, rebound.times(low))
        after, part = v + impulses @ X, low
    return Shock(after, impulses, _work(seen, impulses), part)


def _impulses(seen: Situation, rebound: Rebound) -> Array:
    """The impulses of the rows; loads that forces cause have none."""
    contacts = seen.contacts
    constant = np.isin(contacts.table[:, at.LOAD], (at.CONSTANT_LOAD, at.GIVEN_LOAD))
    seen = replace(seen, touches=seen.touches & ~constant)
    contacts["load_0"][:] = 0.0
    contacts.laws_act = False
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
            contacts.returned = rows[~more].tolist()
            contacts["returned"][rows] = least
            found = _phase(seen, speeds + asked)
            after = (speeds + seen.A @ found)[rows]
            wanted = np.where(more, found[rows] >= least, after < -none)
            if (wanted == more).all():
                break
            more = wanted
    finally:
        contacts.returned = []
    return found


def one_by_one(seen: Situation, y: Array, rebound: Rebound) -> Shock:
    """One contact after the other, the fastest first, as if they were a little apart."""
    contacts = seen.contacts
    speeds = contacts.in_state["speeds"]
    state, impulses = y.copy(), np.zeros(len(contacts.state.held.owners))
    work = np.zeros(len(contacts.parts))
    for _ in range(_MOST):
        if not seen.is_struck:
            break
        k = int(np.where(seen.approaches, seen.normal_speed, 0.0).argmin())
        own = _impulses(replace(seen, touches=np.arange(len(work)) == k), rebound)
        work += _work(seen, own)
        impulses += own
        state[speeds] += own @ contacts["X"]
        seen = situation(contacts, state, seen.t)
    return Shock(state[speeds], impulses, work, 1.0)


def _work(seen: Situation, impulses: Array) -> Array:
    """Of the impulses of each element: P · (u⁻ + u⁺)/2."""
    power = impulses * (seen.u + 0.5 * seen.A @ impulses)
    return seen.contacts.roles.sums(power)
