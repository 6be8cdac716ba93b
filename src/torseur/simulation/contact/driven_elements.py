"""Contacts and stops that an imposed motion drives against, which leave it no way to move."""

from __future__ import annotations

import numpy as np

from torseur.errors import SolveError
from torseur.model.constraints.protocol import Holding
from torseur.simulation.contact.situation import Situation
from torseur.words.sentence import say

Array = np.ndarray
_FREE = 1e-9  # of what a force does to a gap: what held rows must leave of it
_SHARE = 1e-6  # of the largest, by which a held row is one of those that drive


def driven_against(seen: Situation) -> SolveError | None:
    """That imposed motions drive what touches further in; None where they do not."""
    contacts = seen.contacts
    own = {row for k in range(len(contacts.parts)) for row in contacts.rubbing_rows[k]}
    own |= set(contacts.normal_rows[contacts.normal_rows >= 0].tolist())
    held = [row for row in range(len(seen.A)) if row not in own]
    if not held or not (np.isfinite(seen.A).all() and np.isfinite(seen.c).all()):
        return None
    by_held = np.linalg.pinv(seen.A[np.ix_(held, held)], rcond=_FREE, hermitian=True)
    for k in np.flatnonzero(seen.touches & contacts.has_gap):
        n = int(contacts.normal_rows[k])
        shares = by_held @ seen.A[held, n]
        left = seen.A[n, n] - seen.A[n, held] @ shares
        if left > _FREE * seen.A[n, n]:
            continue
        taking = np.abs(shares) > _SHARE * np.abs(shares).max(initial=0.0)
        names = {contacts.state.constraints.owners[held[i]] for i in np.flatnonzero(taking)}
        drives = [x for x in _imposed(seen) if x in names]
        if drives:
            return _error(seen.t, contacts.parts[k].name, drives)
    return None


def _imposed(seen: Situation) -> list[str]:
    motions = seen.contacts.model.mechanism.motions.values()
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
