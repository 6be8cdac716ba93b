"""Events of contacts: machine code settles them, and errors say why a motion cannot go on."""

from __future__ import annotations

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.errors import (
    broken_law,
    overlapping_start,
    unsettled,
)
from torseur.simulation.contact.path import ContactPath

Array = np.ndarray


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
