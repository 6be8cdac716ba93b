"""Mechanisms without changes of contact mode, made from others by fixing modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import final

from torseur.algebra.core.expr import ZERO, expression
from torseur.errors import ModelError, unknown
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import ExpressionRow, JointRows, Rows
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.element import Constant, Element, NormalOf, OwnNormal, PushOf
from torseur.model.contact.elements import Sliding, elements
from torseur.model.contact.meshes import mesh_rows, require_no_meshes
from torseur.model.contact.of_forces import by_reactions
from torseur.model.description import JointLoad, Mechanism
from torseur.model.forces.protocol import place_of
from torseur.words.sentence import say

MODES = ("open", "stick", "slip")


@final
@dataclass(frozen=True)
class KeptModes:
    """A mechanism with fixed modes of contacts, stops and friction, and what then slides."""

    mechanism: Mechanism  # the rows that hold, without friction
    slides: tuple[Element, ...]
    beside: tuple[Element, ...] = ()  # the others that act, with their rows


def in_mode(mechanism: Mechanism, modes: Mapping[str, str] | None = None) -> Mechanism:
    """The smooth mechanism in which every contact, stop and friction keeps one mode.

    "open": it does not act; "stick": nothing slides; "slip": the gap stays closed, and friction of
    a constant size goes on against the speed. Friction that depends on a normal force is refused,
    as its force is known with the reactions only. Contacts and stops that are not named are open,
    friction that is not named does not act. The result can be derived, linearised and exported; it
    does not show when the modes end.
    """
    given = dict(modes or {})
    fixed = kept_modes(mechanism, given, "in_mode")
    forces = {}
    for one in fixed.slides:
        force = _constant_friction(mechanism, one)
        if force is None:
            raise _unknown_size(one, given)
        forces[one.name] = force
    if not forces:
        return fixed.mechanism
    return replace(fixed.mechanism, loads={**fixed.mechanism.loads, **forces})


def _unknown_size(one: Element, modes: Mapping[str, str]) -> ModelError:
    """Friction whose size is known with the reactions only, and the calls that find both."""
    solved = isinstance(one.load, OwnNormal | NormalOf) and one.patch is None
    if solved and one.friction is not None and one.friction.wrap is ZERO:
        problem = say('"{name}" slides with friction, which depends on its normal force.', one.name)
        advice = say(
            "These solve for both: ts.formalisms.formulas(mechanism, modes={modes}), "
            "ts.linearise(mechanism, modes=…), ts.equilibria(mechanism, letters=True, "
            "modes=…); ts.simulate follows every mode.",
            dict(modes),
        )
        return ModelError("in_mode", problem, advice)
    return ModelError(
        "in_mode",
        say('"{name}" slides with friction, which depends on reactions.', one.name),
        "ts.simulate follows it, ts.equilibria and ts.stability.holding_forces say where it rests; "
        "friction of a constant size slides on: friction: {constant: 0.1}.",
    )


def _constant_friction(mechanism: Mechanism, one: Element) -> JointLoad | None:
    """Friction of a constant size in a joint or a motor, as a force against the speed."""
    law, load, (row, *more) = one.friction, one.load, one.rows
    owners = {f"{q}.": (x.name, q) for x in mechanism.joints.values() for q in x.coordinates}
    if law is None or not isinstance(load, Constant) or more or not isinstance(row, ExpressionRow):
        return None
    speed = row.zero
    if speed.kind != "speed" or speed.name not in owners:
        return None
    way, size = speed.sign(), (load.forward + load.backward) / 2
    size = size + (load.forward - load.backward) / 2 * way
    mu = law.kinetic
    if law.stribeck is not ZERO:
        mu = mu + (law.static - law.kinetic) * (-((speed / law.stribeck) ** 2)).exp()
    value = expression(-mu * size * way - law.viscous * speed)
    joint, coordinate = owners[speed.name]
    return JointLoad(one.name, joint, value, one.place, coordinate)


def kept_modes(mechanism: Mechanism, given: Mapping[str, str], place: str) -> KeptModes:
    """The rows that modes hold, and the elements that slide with friction."""
    parts = {one.name: one for one in elements(mechanism)}
    for name, mode in given.items():
        if name not in parts:
            raise unknown(place, "contact", name, parts)
        if mode not in MODES:
            raise unknown(place, "mode", mode, MODES)
        if mode != "open" and any(name == rows.name for rows in mesh_rows(mechanism)):
            require_no_meshes(mechanism, say("a fixed mode"))
    acting = [
        replace(parts[name], rows=_rows_of_mode(parts[name], mode)) for name, mode in given.items()
    ]
    for force in filter(by_reactions, mechanism.loads.values()):
        raise ModelError(
            place_of(force),
            say('"{name}" depends on reactions, which a fixed mode does not give.', force.name),
            "ts.simulate solves them together; leave the force out, or give it a value.",
        )
    sliding = [parts[name] for name, mode in given.items() if mode == "slip"]
    slides = tuple(x for x in sliding if x.friction is not None and x.friction.acts)
    rubbing = {one.name for one in slides}
    smooth = closed(mechanism, acting)
    outdated = notice_of_left_out(mechanism)  # about contacts that are gone
    return KeptModes(
        replace(smooth, notices=tuple(x for x in smooth.notices if x not in outdated)),
        slides,
        tuple(one for one in acting if one.name not in rubbing),
    )


def _rows_of_mode(one: Element, mode: str) -> tuple[Rows, ...]:
    """The rows that a mode holds."""
    if mode == "open":
        return ()
    if one.spring is not None or isinstance(one.load, PushOf):
        raise ModelError(
            one.place or f'contact "{one.name}"',
            say(
                '"{name}" is pressed by a spring: a fixed mode does not determine its force.',
                one.name,
            ),
            "ts.simulate follows it; leave it open, or leave its stiffness out.",
        )
    if mode == "stick":
        return one.rows
    return (gap_row(one),) if one.has_gap else ()


def gap_row(one: Element) -> Rows:
    """The row of a gap alone."""
    first = one.rows[0]
    if isinstance(first, JointRows):
        return replace(first, kind=Sliding(first.kind))
    assert isinstance(first, ExpressionRow), "a gap is one row"
    return first


def changing(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of elements that change their mode, without dry friction of motors."""
    parts = (one.name for one in elements(replace(mechanism, motors={})))
    return (*parts, *_piles(mechanism))


def left_out(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of elements that equations leave out: all but forces by reactions."""
    parts = elements(replace(mechanism, motors={}))
    return (*(one.name for one in parts if one.law is None), *_piles(mechanism))


def notice_of_left_out(mechanism: Mechanism) -> tuple[str, ...]:
    """The sentence that tells it; none where nothing changes."""
    names = ", ".join(left_out(mechanism))
    notice = say(
        "Contacts, stops and friction ({names}) act only in simulations; the equations leave them "
        "out. ts.in_mode gives the equations of one mode.",
        names,
    )
    return (notice,) if names else ()


def _piles(mechanism: Mechanism) -> tuple[str, ...]:
    return tuple(x.name for x in mechanism.contacts.values() if isinstance(x, Pile))


# Public functions and commands that know first-order states; others would leave them out.
WITH_STATES = frozenset(
    (
        *("app", "assemble", "attach", "check", "compile", "custom", "derive", "draw"),
        *("equilibria",),
        *("export", "graph", "holding_forces", "linear_system", "linearise", "mobility"),
        *("report", "rollout", "root_locus", "sensitivity", "simulate", "steady_motions", "tell"),
        "view",
    )
)


def require_states_known(place: str, mechanism: Mechanism) -> None:
    """Refuse first-order states where a function or command, named last, would leave them out."""
    name = place.rpartition(".")[2].split()[-1].replace("-", "_")
    if name not in WITH_STATES:
        require_no_states(place, mechanism)


def require_no_states(place: str, mechanism: Mechanism) -> None:
    """Refuse first-order states where only the motion itself would be seen."""
    for name in mechanism.states:
        raise ModelError(
            place,
            say('the state "{name}" has a rate of its own.', name),
            "ts.simulate moves it, ts.equilibria finds its rests and ts.linearise gives its small "
            "motions. For anything else write a parameter in its place.",
        )


def in_one_mode(name: str) -> str:
    """The advice to keep an element in one mode."""
    return say(
        'Choose a mode: ts.in_mode(mechanism, {{"{name}": "stick"}}); ts.simulate follows '
        "them all.",
        name,
    )


def require_smooth(
    mechanism: Mechanism, what: str, advice: Callable[[str], str] = in_one_mode
) -> None:
    """Refuse states, and elements that change their mode, where a computation follows neither.

    `advice` gives the fix for an element.
    """
    require_no_states(what, mechanism)
    for force in filter(by_reactions, mechanism.loads.values()):
        raise ModelError(
            place_of(force),
            say('"{name}" depends on reactions: {what} cannot solve for them.', force.name, what),
            "ts.simulate solves them together with the motion.",
        )
    for name in changing(mechanism):
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say('"{name}" may open, stick or slide: {what} cannot follow that.', name, what),
            advice(name),
        )
