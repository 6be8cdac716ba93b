"""Shocks: speeds that jump, by impulses that follow the laws of restitution and of friction.

Where contacts close at a speed, u⁺ = u⁻ + A P. Newton: a normal impulse P ≥ 0 leaves at least
−e u⁻, and exactly that where it is positive. Friction acts on the speeds after the shock. All that
touches takes part at once; or one contact after the other, until none closes any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.simulation.contact.modes import Choice
from torseur.simulation.contact.situation import Situation, situation

Array = np.ndarray
_GAIN = 1e-12  # of the kinetic energy: what rounding may add
_HALVINGS = 40  # of the restitution, where Newton's law would give energy
_MOST = 10_000  # shocks one after the other


@final
@dataclass(frozen=True)
class Shock:
    """Speeds after a shock, impulses of the rows, and the energy that each element took."""

    v: Array
    impulses: Array  # (rows,)
    work: Array  # (elements,): of each, not positive
    share: float  # of the restitution, that could be given back


def shock(seen: Situation, y: Array, restitution: Array) -> Shock:
    """All at once, with restitutions (elements,); lowered where Newton's law would give energy.

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
        impulses = _impulses(seen, part * restitution)
        after = v + impulses @ X
        gain = 0.5 * float(after @ M @ after) - before
        gains = gain > _GAIN * before
        if not gains and (part == 1.0 or high - low < 1e-6):
            break
        low, high = (low, part) if gains else (part, high)
        part = (low + high) / 2
    else:
        impulses = _impulses(seen, low * restitution)
        after, part = v + impulses @ X, low
    return Shock(after, impulses, _work(seen, impulses), part)


def _impulses(seen: Situation, restitution: Array) -> Array:
    """The impulses of the rows; loads that forces cause have none."""
    contacts, c = seen.contacts, seen.u.copy()
    closing = contacts.has_gap & (seen.normal_speed < 0)
    rows = contacts.normal_rows[closing]
    c[rows] += restitution[closing] * seen.u[rows]
    constant = np.isin(contacts.table[:, at.LOAD], (at.CONSTANT_LOAD, at.GIVEN_LOAD))
    touches = seen.touches & ~constant
    contacts["load_0"][:] = 0.0
    contacts.laws_act = False
    still = replace(seen, c=c, u=np.zeros_like(c), touches=touches)
    return Choice(still, np.zeros_like(touches)).found().z


def one_by_one(seen: Situation, y: Array, restitution: Array) -> Shock:
    """One contact after the other, the fastest first, as if they were a little apart."""
    contacts = seen.contacts
    speeds = contacts.in_state["speeds"]
    state, impulses = y.copy(), np.zeros(len(contacts.state.held.owners))
    work = np.zeros(len(contacts.parts))
    for _ in range(_MOST):
        if not seen.approaches.any():
            break
        k = int(np.where(seen.approaches, seen.normal_speed, 0.0).argmin())
        own = _impulses(replace(seen, touches=np.arange(len(work)) == k), restitution)
        work += _work(seen, own)
        impulses += own
        state[speeds] += own @ contacts["X"]
        seen = situation(contacts, state, seen.t)
    return Shock(state[speeds], impulses, work, 1.0)


def _work(seen: Situation, impulses: Array) -> Array:
    """Of the impulses of each element: P · (u⁻ + u⁺)/2."""
    power = impulses * (seen.u + 0.5 * seen.A @ impulses)
    return seen.contacts.roles.sums(power)
