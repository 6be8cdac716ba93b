"""Contacts that are counted: in the modes that are given, or sliding where they touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import final

from torseur.analyse.at_a_state.pose import Posed, assembled, posed
from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compile
from torseur.machine.contact.negligible import TOUCHING
from torseur.model.constraints.contact import ContactSet
from torseur.model.constraints.protocol import Constraint, ExpressionRow, JointRows
from torseur.model.constraints.selection import one_sided
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.element import Element
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import gap_row, kept_modes
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import with_short_loops
from torseur.result import Result
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled, assemble


@final
class CountedContacts(Result):
    """A mechanism with the contacts that count, and those of them that slide with friction."""

    mechanism: Mechanism
    names: tuple[str, ...] = ()
    slides: tuple[Element, ...] = ()


def counted(mechanism: Mechanism, modes: Mapping[str, str] | None) -> CountedContacts:
    """The contacts of given modes; without them, those that touch at the start slide."""
    if modes is not None:
        fixed = kept_modes(mechanism, modes, "modes")
        names = tuple(name for name, mode in modes.items() if mode != "open")
        return CountedContacts(fixed.mechanism, names, fixed.slides)
    contacts = set(_contact_names(mechanism))
    parts = [one for one in elements(mechanism) if one.name in contacts and has_rigid_gap(one)]
    if not parts:
        return CountedContacts(mechanism)
    try:
        names = touching(posed(mechanism), parts)
    except (ModelError, SolveError):  # it is reported where the mechanism is assembled
        return CountedContacts(mechanism)
    parts = [one for one in parts if one.name in names]
    if not parts:
        return CountedContacts(mechanism)
    fixed_gaps = closed(mechanism, [replace(one, rows=(gap_row(one),)) for one in parts])
    rubbing = tuple(one for one in parts if one.friction is not None and one.friction.acts)
    return CountedContacts(fixed_gaps, names, rubbing)


def counted_at(state: Assembled, contacts: CountedContacts) -> Assembled:
    """The mechanism with the contacts that count, where it was assembled."""
    if not contacts.names:
        return state
    known = {name: x for name, x in state.model.parameters.items() if x is not None}
    return replace(state, model=compile(contacts.mechanism).with_parameters(**known))


def assembled_to_read(mechanism: Mechanism) -> Assembled:
    """The assembled mechanism, its loops cut where equations and pages cut them."""
    state, read = assembled(mechanism), with_short_loops(mechanism)
    if read is mechanism:
        return state
    known = {name: x for name, x in state.model.parameters.items() if x is not None}
    try:
        return assemble(compile(read).with_parameters(**known), posed(state).coordinates)
    except (ModelError, SolveError):  # a start that this cut cannot take
        return state


def touching(pose: Posed, parts: list[Element]) -> tuple[str, ...]:
    """Names of the elements whose gap is closed."""
    rows = NumericConstraints(gaps_only(pose, parts))
    owners = {gap_row(one).name: one.name for one in parts}
    openings = zip(rows.positions, abs(rows.opening(pose.q, 0.0)), strict=True)
    near = {rows.owners[k] for k, gap in openings if gap <= TOUCHING}
    return tuple(name for row, name in owners.items() if row in near)


def gaps_only(pose: Posed, parts: list[Element]) -> CompiledModel:
    """The compiled mechanism in which the gaps of elements are closed, without forces."""
    only = replace(pose.mechanism, loads={}, motions={})
    known = {name: x for name, x in pose.held.model.parameters.items() if x is not None}
    gaps = [replace(one, rows=(gap_row(one),)) for one in parts]
    return compile(closed(only, gaps)).with_parameters(**known)


def has_rigid_gap(one: Element) -> bool:
    """Whether it only pushes, without a spring, where a formula gives the gap."""
    rigid = one.has_gap and one.spring is None
    return rigid and isinstance(one.rows[0], JointRows | ExpressionRow)


def _contact_names(mechanism: Mechanism) -> Iterator[str]:
    def names(contact: Constraint) -> Iterator[str]:
        if isinstance(contact, ContactSet):
            for part in contact.parts:
                yield from names(part)
        else:
            yield contact.name

    for contact in one_sided(mechanism):
        yield from names(contact)
