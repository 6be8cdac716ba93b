"""Causes of events of contacts, in words."""

from __future__ import annotations

from torseur.machine.contact import layout as at

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
