"""Painlevé's paradoxes: where modes of sliding may be several, and how that is told.

Rigid bodies that slide with much friction may have no forces that agree, or several.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.simulation.contact.driven_elements import driven_against
from torseur.simulation.contact.situation import Situation
from torseur.words.sentence import say

Array = np.ndarray
_NONE = 1e-4  # of what a normal force does to its gap alone: what is left of it where sliding jams


def may_be_several(seen: Situation, slides: Array) -> bool:
    """Whether some minor of what normal forces do to gaps, sliding on, is not positive."""
    closed = np.flatnonzero((seen.contacts.normal_rows >= 0) & seen.touches)
    if not slides[closed].any() or len(closed) > 8:
        return False
    B = _pressed(seen, slides, closed)
    if np.linalg.eigvalsh(B + B.T)[0] > 0:
        return False
    sets = (list(x) for n in range(1, len(closed) + 1) for x in combinations(range(len(B)), n))
    return any(np.linalg.det(B[np.ix_(x, x)]) < -1e-12 for x in sets)


def jams(seen: Situation) -> bool:
    """Whether normal forces of what slides, with the friction they cause, hardly open gaps.

    They grow without end where a motion comes to that.
    """
    closed = np.flatnonzero((seen.contacts.normal_rows >= 0) & seen.touches)
    if not seen.slides[closed].any():
        return False
    return bool(np.linalg.svd(_pressed(seen, seen.slides, closed))[1][-1] < _NONE)


def _pressed(seen: Situation, slides: Array, closed: Array) -> Array:
    """How normal forces, with the friction they cause, press gaps open; diagonal about 1."""
    contacts, A, B = seen.contacts, seen.A, np.zeros((len(closed), len(closed)))
    for j, k in enumerate(closed):
        n, rows = contacts.normal_rows[k], contacts.rubbing_rows[k]
        column = A[:, n]
        if slides[k]:
            kinetic = contacts.table[k, at.KINETIC]
            column = column - kinetic * (A[:, rows] @ seen.along[k, : len(rows)])
        B[:, j] = column[contacts.normal_rows[closed]] / A[n, n]
    return B


def paradox(seen: Situation, slides: Array, problem: str, motion: str) -> SolveError:
    """That there is no motion, or no one motion."""
    driven = driven_against(seen)
    if driven is not None:
        return driven
    if not slides.any():
        rubs = any(part.friction is not None for part in seen.contacts.parts)
        return SolveError(
            f"t = {seen.t:.6g} s",
            "the modes of contact that agree were not found, though there are some.",
            "Change the initial values or the friction a little."
            if rubs
            else "Change the initial values a little.",
        )
    touching = [x.name for x, is_so in zip(seen.contacts.parts, seen.touches, strict=True) if is_so]
    return SolveError(
        f"t = {seen.t:.6g} s",
        say(
            "{problem} (Painlevé's paradox), where these touch: {touching}.",
            problem,
            ", ".join(touching),
        ),
        say(
            "Rigid bodies with this friction {motion}: lower the coefficient, or let a contact "
            "be a spring.",
            motion,
        ),
    )
