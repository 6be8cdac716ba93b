"""Contacts and stops that an imposed motion drives against, which leave it no way to move."""

from __future__ import annotations

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact.model import ContactModel
from torseur.model.constraints.protocol import Holding
from torseur.words.sentence import say

Array = np.ndarray
_FREE = 1e-9  # of what a force does to a gap: what held rows must leave of it
_SHARE = 1e-6  # of the largest, by which a held row is one of those that drive


def driven_against(contacts: ContactModel, t: float, touches: Array) -> SolveError | None:
    """The error of imposed motions that drive what touches further in; None: they do not."""
    A, drives = contacts["A"], _imposed(contacts)
    rows = np.flatnonzero(contacts["own"] == 1.0)
    if not len(rows) or not (np.isfinite(A).all() and np.isfinite(contacts["c"]).all()):
        return None
    by_held = np.linalg.pinv(A[np.ix_(rows, rows)], rcond=_FREE, hermitian=True)
    for k in np.flatnonzero(touches & contacts.has_gap):
        n = int(contacts.normal_rows[k])
        shares = by_held @ A[rows, n]
        if A[n, n] - A[n, rows] @ shares > _FREE * A[n, n]:
            continue
        taking = np.abs(shares) > _SHARE * np.abs(shares).max(initial=0.0)
        names = {contacts.state.constraints.owners[i] for i in rows[taking]}
        if acting := [x for x in drives if x in names]:
            return _error(t, contacts.parts[k].name, acting)
    return None


def _imposed(contacts: ContactModel) -> list[str]:
    motions = contacts.model.mechanism.motions.values()
    return [motion.name for motion in motions if motion.holding is Holding.IMPOSED]


def _error(t: float, element: str, drives: list[str]) -> SolveError:
    return SolveError(
        f"t = {t:.6g} s",
        say(
            'the imposed motion "{drives}" drives against "{element}", and nothing can give way.',
            '", "'.join(drives),
            element,
        ),
        say(
            'Let the law end before "{element}", drive by a motor or a force instead of an imposed '
            "motion, or give the contact or stop a stiffness.",
            element,
        ),
    )
