"""Errors of motions that contacts leave no way to go on, by the verdict of machine code."""

from __future__ import annotations

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.contact.tables import MOST_SHOCKS
from torseur.simulation.contact.paradoxes import paradox
from torseur.words.sentence import say

Array = np.ndarray
_NO_SOLUTION = (
    "A force that depends on reactions may have no value that agrees with what it causes: "
    "lower its factor."
)


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
