"""Mechanisms without changes of mode: what asks for them, and how they are made of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torseur.errors import ModelError, unknown
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import ExpressionRow, JointRows, Rows
from torseur.model.contact.closed import HeldRow, closed
from torseur.model.contact.contact_rows import Sliding
from torseur.model.contact.element import Element
from torseur.model.contact.elements import elements
from torseur.model.contact.of_forces import by_reactions
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import place_of
from torseur.words.sentence import say

MODES = ("open", "stick", "slip")


def in_mode(mechanism: Mechanism, modes: Mapping[str, str] | None = None) -> Mechanism:
    """The smooth mechanism in which every contact, stop and friction keeps one mode.

    "open": it does not act; "stick": nothing slides; "slip": the gap stays closed without friction.
    Contacts and stops that are not named are open, friction that is not named does not act. What
    comes out can be derived, linearised and exported; it tells nothing of when the modes end.
    """
    parts = {one.name: one for one in elements(mechanism)}
    given = dict(modes or {})
    for name, mode in given.items():
        if name not in parts:
            raise unknown("in_mode", "contact", name, parts)
        if mode not in MODES:
            raise unknown("in_mode", "mode", mode, MODES)
    rows = {
        row.name: HeldRow(row.name, row, one.place)
        for name, mode in given.items()
        for one in (parts[name],)
        for row in _held(one, mode)
    }
    for force in filter(by_reactions, mechanism.loads.values()):
        raise ModelError(
            place_of(force),
            say('"{name}" depends on reactions, which no mode gives.', force.name),
            "ts.simulate solves them together; leave the force out, or give it a value.",
        )
    bare = closed(mechanism, ())
    return replace(bare, constraints={**bare.constraints, **rows})


def _held(one: Element, mode: str) -> tuple[Rows, ...]:
    """The rows that a mode holds."""
    if mode == "open":
        return ()
    if mode == "stick":
        return one.rows
    if not one.has_gap:
        return ()
    if one.friction is not None and one.friction.kinetic != 0:
        raise ModelError(
            "in_mode",
            say('"{name}" slides with friction, which depends on its normal force.', one.name),
            'Smooth modes: "open", "stick"; "slip" of contacts without friction.',
        )
    first = one.rows[0]
    if isinstance(first, JointRows):
        return (replace(first, kind=Sliding(first.kind)),)
    assert isinstance(first, ExpressionRow), "a gap is one row"
    return (first,)


def changing(mechanism: Mechanism) -> tuple[str, ...]:
    """What may open, stick or slide, but for the dry friction of motors, which can be smoothed."""
    parts = (one.name for one in elements(replace(mechanism, motors={})))
    piles = (x.name for x in mechanism.contacts.values() if isinstance(x, Pile))
    return (*parts, *piles)


def require_smooth(mechanism: Mechanism, what: str) -> None:
    """Refuse what changes its mode, where a computation cannot follow that."""
    for force in filter(by_reactions, mechanism.loads.values()):
        raise ModelError(
            place_of(force),
            say('"{name}" depends on reactions: {what} cannot solve for them.', force.name, what),
            "ts.simulate solves them together with the motion, in the coordinates of joints.",
        )
    for name in changing(mechanism):
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say('"{name}" may open, stick or slide: {what} cannot follow that.', name, what),
            'Choose a mode: ts.in_mode(mechanism, {"floor": "stick"}); ts.simulate follows them '
            "all, in the coordinates of joints.",
        )
