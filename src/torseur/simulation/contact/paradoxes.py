"""Painlevé's paradoxes: rigid bodies that slide with much friction and cannot go on.

They may have no forces that agree, several, or forces that grow without end.
"""

from __future__ import annotations

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.driven_elements import driven_against
from torseur.words.sentence import say

Array = np.ndarray
_NONE = 1e-4  # of what a normal force does to its gap alone: what is left of it where sliding jams


def jam(contacts: ContactModel, t: float) -> SolveError | None:
    """The error of normal forces that grow without end, at the state seen last; None: they do not.

    Normal forces of what slides, with the friction they cause, then hardly open gaps.
    """
    slides, touches = contacts.slides, contacts.touches
    closed = np.flatnonzero(contacts.has_gap & touches)
    if not slides[closed].any() or np.linalg.svd(_pressed(contacts, closed))[1][-1] >= _NONE:
        return None
    problem = say("the normal forces of what slides grow without end")
    return paradox(contacts, t, touches, slides, problem, say("have no such motion"))


def _pressed(contacts: ContactModel, closed: Array) -> Array:
    """Opening of gaps by normal forces with the friction they cause; diagonal about 1."""
    A, B = contacts["A"], np.zeros((len(closed), len(closed)))
    for j, k in enumerate(closed):
        n, rows = contacts.normal_rows[k], contacts.rubbing_rows[k]
        column = A[:, n]
        if contacts.slides[k]:
            along = contacts["seen"][k, at.ALONG : at.ALONG + len(rows)]
            column = column - contacts.table[k, at.KINETIC] * (A[:, rows] @ along)
        B[:, j] = column[contacts.normal_rows[closed]] / A[n, n]
    return B


def paradox(
    contacts: ContactModel, t: float, touches: Array, slides: Array, problem: str, motion: str
) -> SolveError:
    """The error of a state without a motion, or with several."""
    driven = driven_against(contacts, t, touches)
    if driven is not None:
        return driven
    if not slides.any():
        rubs = any(part.friction is not None for part in contacts.parts)
        return SolveError(
            f"t = {t:.6g} s",
            "the modes of contact that agree were not found, though there are some.",
            "Change the initial values or the friction a little."
            if rubs
            else "Change the initial values a little.",
        )
    names = ", ".join(contacts.parts[k].name for k in np.flatnonzero(touches))
    return SolveError(
        f"t = {t:.6g} s",
        say("{problem} (Painlevé's paradox), where these touch: {touching}.", problem, names),
        say(
            "Rigid bodies with this friction {motion}: lower the coefficient, or let a contact "
            "be a spring.",
            motion,
        ),
    )
