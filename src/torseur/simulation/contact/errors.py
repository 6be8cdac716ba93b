"""Errors of motions that contacts leave no way to go on, by the verdict of machine code."""

from __future__ import annotations

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.tables import MOST_SHOCKS
from torseur.model.constraints.protocol import Holding
from torseur.words.sentence import say

Array = np.ndarray
_NO_SOLUTION = "A force that depends on reactions may have no consistent value: lower its factor."
_NONE = 1e-4  # of what a normal force does to its gap alone: what is left of it where sliding jams
_FREE = 1e-9  # of what a force does to a gap: what held rows must leave of it
_SHARE = 1e-6  # of the largest, by which a held row is one of those that drive


def unsettled(contacts: ContactModel, t: float, verdict: int) -> ModelError | SolveError:
    """The error of an event that was not settled, by the tables that it left."""
    blamed = int(contacts["blamed"][0])
    if verdict == at.INSIDE:
        return overlapping_start(contacts, blamed)
    if verdict == at.BROKEN_LAW:
        return broken_law(contacts, t, blamed)
    if verdict == at.MANY_SHOCKS:
        return _many_shocks(contacts, t)
    if verdict == at.MANY_EVENTS:
        return _many_events(contacts, t, blamed)
    touches, slides = (contacts["judged"][:, k] == 1.0 for k in (at.TOUCHES, at.SLIDES))
    if verdict == at.SEVERAL_MODES:
        problem = say("several modes of contact agree with the laws of friction")
        return paradox(contacts, t, touches, slides, problem, say("can move in several ways"))
    if contacts.state.named and not slides.any():
        return halted(contacts, t, say("accelerations are not finite"), touches)
    problem = say("no mode of contact agrees with the laws of motion and friction")
    return paradox(contacts, t, touches, slides, problem, say("have no such motion"))


def halted(contacts: ContactModel, t: float, why: str, acts: Array) -> SolveError:
    """The error of a motion that cannot go on while some elements act."""
    acting = ", ".join(contacts.parts[k].name for k in np.flatnonzero(acts))
    return SolveError(
        f"t = {t:.6g} s",
        say("{why}; acting then: {acting}.", why, acting or say("nothing")),
        "Where a normal force grows without end, sliding jams (Painlevé): lower the friction.",
        *([_NO_SOLUTION] if contacts.state.named else []),
    )


def overlapping_start(contacts: ContactModel, element: int) -> ModelError:
    """The error of a start with bodies inside each other, at the state seen last."""
    part = contacts.parts[element]
    return ModelError(
        part.place or f'contact "{part.name}"',
        say(
            '"{name}" starts with its bodies inside each other, by {gap:.3g} (m or rad).',
            part.name,
            -contacts["seen"][element, at.GAP],
        ),
        "Give other initial values.",
    )


def broken_law(contacts: ContactModel, t: float, element: int) -> SolveError:
    """The error of an element that overlaps, pulls or holds by too much friction."""
    return SolveError(
        f"t = {t:.6g} s",
        say('"{name}" breaks its law: this is no motion.', contacts.parts[element].name),
        "A smaller rtol or max_step may help.",
    )


def _many_shocks(contacts: ContactModel, t: float) -> SolveError:
    """The error of shocks without end."""
    names = ", ".join(contacts.parts[k].name for k in np.flatnonzero(contacts.approaches))
    return SolveError(
        f"t = {t:.6g} s",
        say("more than {most} shocks in one instant, at last of {names}.", MOST_SHOCKS, names),
        "Bodies of very different masses may be caught between others; start them apart, or "
        "take steps: method=moreau.",
    )


def _many_events(contacts: ContactModel, t: float, element: int) -> SolveError:
    """The error of changes of modes without end."""
    return SolveError(
        f"t = {t:.6g} s",
        say(
            'more than {most} events in {lasting:.2g} s, at last of "{name}": modes of '
            "contact change without end.",
            at.MOST_EVENTS,
            t - contacts["progress"][0],
            contacts.parts[element].name,
        ),
        "Two laws of friction or of stops may contradict each other there; let a contact "
        "be a spring, or take steps: method=moreau.",
    )


# --- friction without a motion --------------------------------------------------------------------


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
