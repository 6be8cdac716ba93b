"""Causes of events of contacts: which element, and what happened to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel

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
@dataclass(frozen=True)
class Cause:
    """The element of an event, and what happened to it."""

    element: int
    what: str


def cause_of(contacts: ContactModel, event: int) -> Cause | None:
    """The cause that an event function of the integrator tells; None where no contact did."""
    if not 0 <= event < 3 * len(contacts.parts):
        return None
    k, limit = divmod(event, 3)
    mode = contacts.table[k, at.MODE]
    if mode == at.OPEN:
        return Cause(k, TOUCH)
    if not limit:
        return Cause(k, LIFT)
    return Cause(k, LIMIT if mode == at.STICK else END)
