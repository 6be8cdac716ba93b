"""Checks of a mechanism before any mathematics: all errors, with places and values.

Values that depend on parameters are checked only where these are known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.errors import ModelError, all_faults, unknown
from torseur.model.checks.limits import sensible
from torseur.model.checks.plausibility import overhangs, remarks, restraint_faults
from torseur.model.description import GROUND, Body, Joint, Mechanism
from torseur.model.forces.joint import freedom_index
from torseur.model.forces.protocol import Kind, bodies_of, joints_of
from torseur.model.parameters import values
from torseur.model.values.numbers import Entry, Values, entries, place_of
from torseur.model.values.scales import coordinate_units
from torseur.words.entries import shown_key
from torseur.words.sentence import say


def require_valid(mechanism: Mechanism) -> Mechanism:
    """The mechanism with its doubtful values among its notices; every error raises at once."""
    listed = tuple(entries(mechanism))
    faults = check(mechanism, listed)
    if faults:
        raise all_faults(faults)
    notices = remarks(mechanism, listed)
    return replace(mechanism, notices=(*mechanism.notices, *notices)) if notices else mechanism


def check(mechanism: Mechanism, listed: Sequence[Entry] | None = None) -> tuple[ModelError, ...]:
    """The errors of a mechanism, in the order names, references, connections, values.

    `listed` are its `entries`, where they are known already.
    """
    named = [*_names(mechanism), *_references(mechanism)]
    if not named:
        named = list(_connections(mechanism))
    if not named:
        named = list(_chosen_errors(mechanism))
    return (*named, *check_values(mechanism, listed=listed))


# --- names and references -----------------------------------------------------------------------


def _names(mechanism: Mechanism) -> Iterator[ModelError]:
    if GROUND in mechanism.bodies:
        place = place_of(mechanism.bodies[GROUND], "body")
        yield ModelError(
            place, say('the name "{ground}" is that of the fixed body.', GROUND), "Rename it."
        )
    owners: dict[str, Joint] = {}
    for joint in mechanism.joints.values():
        for name in dict.fromkeys((*joint.coordinates, *joint.speeds)):
            place = place_of(joint, "joint")
            kind = "coordinate" if name in joint.coordinates else "speed"
            if name in owners and kind == "coordinate":
                yield _name_taken(place, say('joint "{owners}"', owners[name].name), name)
            elif name in mechanism.parameter_table:
                yield _name_taken(place, say("a parameter"), name)
            owners.setdefault(name, joint)
        repeated = [name for name, n in Counter(joint.coordinates).items() if n > 1]
        for name in repeated:
            yield _name_taken(place_of(joint, "joint"), say("the same joint"), name)

    for state in mechanism.states.values():
        if state.name in owners or state.name in mechanism.parameter_table:
            problem = say('the name "{name}" of a state is already used.', state.name)
            advice = say('Give another name, for instance "{name}_2".', state.name)
            yield ModelError(place_of(state, "state"), problem, advice)


def _name_taken(place: str, owner: str, name: str) -> ModelError:
    problem = say('the coordinate name "{name}" is already used by {owner}.', name, owner)
    return ModelError(place, problem, say('Give another name, for instance "{name}_2".', name))


def _references(mechanism: Mechanism) -> Iterator[ModelError]:
    bodies = {GROUND, *mechanism.bodies}
    for joint in mechanism.joints.values():
        place = place_of(joint, "joint")
        for name in dict.fromkeys((joint.first, joint.second)):
            yield from _missing_name(place, "body", name, bodies)
        if joint.first == joint.second:
            problem = say('it joins the body "{first}" to itself.', joint.first)
            yield ModelError(place, problem, "Name two different bodies.")
    for motor in mechanism.motors.values():
        yield from _one_freedom(mechanism, place_of(motor, "motor"), motor.joint)
    for load in mechanism.loads.values():
        place = place_of(load, "force")
        for name in bodies_of(load):
            yield from _missing_name(place, "body", name, bodies)
        yield from _wrong_coordinate(mechanism, place, load)
    for point in mechanism.points.values():
        yield from _missing_name(place_of(point, "point"), "body", point.body, bodies)
    yield from restraint_faults(mechanism)
    states = {*mechanism.every_coordinate, *mechanism.every_speed}
    for name in mechanism.initial:
        yield from _missing_name("initial", "coordinate", name, states)


def _missing_name(place: str, kind: str, name: str, known: Iterable[str]) -> Iterator[ModelError]:
    if name not in known:
        yield unknown(place, kind, name, known)


def _chosen_errors(mechanism: Mechanism) -> Iterator[ModelError]:
    """Coordinates of the user that are none, or of joints whose speeds are no rates."""
    if not mechanism.chosen:
        return
    try:
        known = mechanism.change
    except ModelError as error:
        yield error
        return
    turning = {n for j in mechanism.joints.values() if j.kind.turning for n in j.coordinates}
    for name in turning.intersection(known.taken):
        yield ModelError(
            mechanism.chosen[known.taken[name]].place,
            say('"{name}" is part of a quaternion.', name),
            "Choose angles and distances.",
        )


def _one_freedom(mechanism: Mechanism, place: str, name: str) -> Iterator[ModelError]:
    joint = mechanism.joints.get(name)
    if joint is None:
        yield unknown(place, "joint", name, mechanism.joints)
    elif joint.kind.nv != 1:
        singles = [j.name for j in mechanism.joints.values() if j.kind.nv == 1]
        problem = say('joint "{name}" has {nv} degrees of freedom, not one.', name, joint.kind.nv)
        yield ModelError(
            place, problem, say("Joints with one: {singles}.", ", ".join(singles) or say("none"))
        )


def _wrong_coordinate(mechanism: Mechanism, place: str, load: Any) -> Iterator[ModelError]:
    """Errors of a force whose joint lacks the coordinate that it acts on."""
    for name in joints_of(load):
        joint = mechanism.joints.get(name)
        if joint is None:
            yield unknown(place, "joint", name, mechanism.joints)
            continue
        try:
            freedom_index(place, joint, load.coordinate, load.unit)
        except ModelError as error:
            yield from error.faults


def require_connected(mechanism: Mechanism) -> None:
    """Refuse bodies that no chain of joints links to the ground."""
    if faults := list(_connections(mechanism)):
        raise all_faults(faults)


def _connections(mechanism: Mechanism) -> Iterator[ModelError]:
    """One error for each group of bodies that no chain of joints links to the ground."""
    neighbours: dict[str, list[str]] = {name: [] for name in (GROUND, *mechanism.bodies)}
    for joint in mechanism.joints.values():
        neighbours[joint.first].append(joint.second)
        neighbours[joint.second].append(joint.first)
    reached = _linked_to(GROUND, neighbours)
    for body in mechanism.bodies.values():
        if body.name in reached:
            continue
        group = _linked_to(body.name, neighbours)
        reached |= group
        others = sorted(group - {body.name})
        how = say("only to {others}", ", ".join(others)) if others else say("to nothing")
        yield ModelError(
            place_of(body, "body"),
            say("it is connected {how}: no joint leads to the ground.", how),
            say('Add a joint; "free" lets it move freely from {ground}.', shown_key(GROUND)),
        )


def _linked_to(start: str, neighbours: dict[str, list[str]]) -> set[str]:
    """The bodies that joints lead to from one, itself included."""
    reached, pending = {start}, [start]
    while pending:
        for name in neighbours[pending.pop()]:
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return reached


# --- values -------------------------------------------------------------------------------------


def check_values(
    mechanism: Mechanism,
    given: Mapping[str, float] | None = None,
    listed: Sequence[Entry] | None = None,
) -> list[ModelError]:
    """The errors among the numbers of a mechanism, whatever its connections.

    `given` holds values of parameters that come before those of the description. A parameter that
    is then not defined any more is an error of what uses it.
    """
    try:
        parameters = values(mechanism.parameter_table, given)
    except ModelError as error:
        return list(error.faults)
    faults = [
        _infinite(place_of(mechanism.parameter_table[name], "parameter"), "value", value)
        for name, value in parameters.items()
        if value is not None and not math.isfinite(value) and (not given or name in given)
    ]
    if faults:
        return faults
    value_of = Values(parameters)
    wrong: dict[tuple[str, str], ModelError] = {}
    for place, what, x in entries(mechanism) if listed is None else listed:
        value = value_of(x)
        if value is not None and not math.isfinite(value):
            wrong.setdefault((place, what), _infinite(place, what, value))
    if wrong:
        return list(wrong.values())
    return [
        *_bodies(mechanism, value_of),
        *(fault for joint in mechanism.joints.values() for fault in _limits(joint, value_of)),
        *_motors(mechanism, value_of),
        *_ends(mechanism, value_of),
        *_starts(mechanism, value_of),
    ]


def _infinite(place: str, what: str, value: float) -> ModelError:
    advice = "Does an expression divide by zero, or take the root of a negative number?"
    return ModelError(
        place, say("the {what} is {value}, not a finite number.", what, value), advice
    )


_PUBLISHED = ("negative moment", "triangle")  # errors that measured inertias have


def _bodies(mechanism: Mechanism, value_of: Values) -> Iterator[ModelError]:
    """The errors of mass data."""
    numbers = {
        name: [value_of(x) for x in (body.mass, *body.centre, *body.inertia.flat)]
        for name, body in mechanism.bodies.items()
    }
    yield from mass_faults(mechanism, numbers, value_of)


def mass_faults(
    mechanism: Mechanism, numbers: Mapping[str, Sequence[float | None]], value_of: Values
) -> Iterator[ModelError]:
    """The errors of masses, centres and inertias; most bodies are checked all at once."""
    from torseur.model.mass.validity import surely_sound

    known = [name for name, thirteen in numbers.items() if None not in thirteen]
    data = np.array([numbers[name] for name in known], dtype=float).reshape(-1, 13)
    sound = {name for name, good in zip(known, surely_sound(data), strict=True) if good}
    for name, thirteen in numbers.items():
        if name not in sound:
            body = mechanism.bodies[name]
            yield from _body(body, (*overhangs(body, value_of),), *thirteen)


def _body(
    body: Body, outside: tuple[str, ...], mass: float | None, *others: float | None
) -> tuple[ModelError, ...]:
    """Errors of mass data that no rigid body has: mass, centre, inertia row by row."""
    place = place_of(body, "body")
    if mass is None:
        return ()
    if None in others and mass < 0:
        problem = say("the mass is {mass:.6g} kg; it cannot be negative.", mass)
        return (ModelError(place, problem, "Is more subtracted than there is?"),)
    if None in others or not any((mass, *others)):
        return ()
    from torseur.model.mass.properties import MassProperties
    from torseur.model.mass.validity import diagnose

    numeric = np.array(others, dtype=float)
    properties = MassProperties(mass, numeric[:3], numeric[3:].reshape(3, 3))
    faults = [x for x in diagnose(properties) if x.kind not in body.accept]
    if faults and outside:  # which is why
        return tuple(ModelError(place, x, "Move it, or make it smaller.") for x in outside)
    return tuple(ModelError(place, x.sentence, *x.advice, *_accepting(x.kind)) for x in faults)


def _accepting(kind: str) -> tuple[str, ...]:
    """The advice that lets an error of measured inertias pass."""
    if kind not in _PUBLISHED:
        return ()
    kind = shown_key(kind)
    return (say("To let a published inertia pass, add to the body: accept: [{kind}].", kind),)


def _limits(joint: Joint, value_of: Values) -> Iterator[ModelError]:
    for name, *ends, unit in joint.limited:
        low, high = map(value_of, ends)
        if low is not None and high is not None and low > high:
            yield ModelError(
                place_of(joint, "joint"),
                say(
                    'the limits of "{name}" are reversed: {low:.6g} {unit} to {high:.6g} {unit}.',
                    name,
                    low,
                    unit,
                    high,
                ),
                "Write the smaller one first.",
            )


def _ends(mechanism: Mechanism, value_of: Values) -> Iterator[ModelError]:
    """A force along a line acts between two bodies: on one body it does nothing."""
    for load in mechanism.loads.values():
        for key in load.keys:
            if key.kind is not Kind.ENDS:
                continue
            first, second = getattr(load, key.attribute)
            if not first.body or first.body != second.body:
                continue
            apart = [value_of(b - a) for a, b in zip(first.point, second.point, strict=True)]
            what = say("the same point of") if apart == [0, 0, 0] else say("both on")
            problem = say(
                'its two ends are {what} the body "{body}": it does nothing.', what, first.body
            )
            yield ModelError(place_of(load, "force"), problem, "Attach one end to another body.")


def _starts(mechanism: Mechanism, value_of: Values) -> Iterator[ModelError]:
    """Initial values outside the limits of numbers and angles."""
    units = coordinate_units(mechanism)
    for name, given in mechanism.initial.items():
        value = value_of(given)
        try:
            if value is not None:
                sensible(f'initial "{name}"', say("the value"), value, units.get(name, ""))
        except ModelError as error:
            yield error


def _motors(mechanism: Mechanism, value_of: Values) -> Iterator[ModelError]:
    for motor in mechanism.motors.values():
        place = place_of(motor, "motor")
        if value_of(motor.ratio) == 0:
            advice = "It is the speed of the rotor divided by that of the joint."
            yield ModelError(place, say('the ratio "{ratio}" is zero.', motor.ratio), advice)
        if motor.axis is not None and all(value_of(x) == 0 for x in motor.axis):
            components = ", ".join(map(str, motor.axis))
            yield ModelError(
                place, say("the axis [{shown}] is zero.", components), "Give a direction."
            )
        magnitudes = {
            "rotor inertia": (motor.rotor_inertia,),
            "viscous friction": (motor.viscous_motor, motor.viscous_output),
            "dry friction": (*motor.dry_motor, *motor.dry_output),
        }
        for what, parts in magnitudes.items():
            for value in filter(None, map(value_of, parts)):
                if value < 0:
                    problem = say("the {what} {value:.6g} is negative.", what, value)
                    yield ModelError(place, problem, "Give its magnitude, without a sign.")


def require_coordinates(mechanism: Mechanism, what: str) -> None:
    """Refuse a mechanism of fixed joints alone, for which `what` has no result."""
    if not mechanism.speeds:
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say(
                "its {number} joint(s) have no coordinate: {what} does not apply.",
                len(mechanism.joints),
                what,
            ),
        )
