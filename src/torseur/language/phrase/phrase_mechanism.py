"""From a phrase to a mechanism: bodies, joints, parameters, gravity and the points at the tips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.dimensions import dimension
from torseur.errors import ModelError
from torseur.language.phrase.chain import BASE, Chain, PhraseFrame, chain, mass_data, remarks
from torseur.language.phrase.phrase_text import PHRASE, FrameChange, Phrase, parse_phrase
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.measures import Measures
from torseur.language.text.place import Place
from torseur.model.checks.exact_turns import exact_angle, notice
from torseur.model.description import GROUND, Body, Frame, Joint, Mechanism, Parameter, Point
from torseur.model.joints.catalogue import joint_of
from torseur.model.joints.freedoms import Slide, Turn
from torseur.spatial.pose import Pose
from torseur.words.sentence import Sentence, say

Array = np.ndarray
Components = Sequence[str | float]


def phrase_mechanism(
    text: str,
    *,
    masses: str | None = None,
    gravity: Components | None = None,
    name: str = "phrase",
    place: Place = PHRASE,
) -> Mechanism:
    """The mechanism of a description phrase.

    Bodies and joints are numbered "1", "2", … in the order of the joints; the frame of a body is
    the one just after its joint. Every symbol is a parameter without value. `masses` is "lever"
    (the report's assumption), "full" (ten symbols a body) or None (no mass). Gravity is G along Y,
    or the three components `gravity`, numbers or expressions.
    """
    phrase, rounded = _exact_turns(parse_phrase(text, place))
    frames = chain(phrase)
    levers = frames.levers()
    del levers[BASE]
    bodies: dict[str, Body] = {}
    parameters = _geometry(frames)
    joints: dict[str, Joint] = {}
    for change, frame in frames.joints:
        body, more = mass_data(masses, change.number, levers[change.number])
        joints[body.name] = _joint(frames, change, frame)
        bodies[body.name] = replace(
            body,
            accept=("triangle",),  # a phrase has no place to say so, and a lever breaks it
            place=str(frames.phrase.place(change).inside(f'body "{body.name}"')),
        )
        parameters += more
    vector, of_gravity, notes = _gravity(gravity)
    return Mechanism(
        name=name,
        parameter_table=_with_dimensions(
            _table([*parameters, *of_gravity], str(place)), frames.phrase.measures
        ),
        bodies=bodies,
        joints=joints,
        gravity=vector,
        points=(tips := _tools(frames)),
        frames={x.name: Frame(x.name, x.body, Pose(x.position)) for x in tips.values()},
        source=text,
        phrase=text,
        notices=(*remarks(masses, levers), *notes, *rounded),
    )


def _exact_turns(phrase: Phrase) -> tuple[Phrase, list[str]]:
    """The phrase with its constant turns exact, and the notice about rounded ones."""
    angles = {
        k: exact_angle(change.value)
        for k, change in enumerate(phrase.changes)
        if change.kind == "R" and change.value is not None
    }
    rounded = {k: x for k, x in angles.items() if x is not phrase.changes[k].value}
    if not rounded:
        return phrase, []
    changes = (
        replace(change, value=rounded.get(k, change.value))
        for k, change in enumerate(phrase.changes)
    )
    operators = [f"R{'XYZ'[phrase.changes[k].axis]}K({phrase.changes[k].value})" for k in rounded]
    return replace(phrase, changes=tuple(changes)), [notice(operators)]


def _joint(frames: Chain, change: FrameChange, frame: PhraseFrame) -> Joint:
    kind = joint_of((Turn if change.kind == "R" else Slide)(change.axis))
    return Joint(
        str(change.number),
        kind,
        _body_name(frame.body),
        str(change.number),
        frame.X,
        Pose(),
        (change.name,),
        (f"{change.name}.",),
        (change.limits,),
        str(frames.phrase.place(change)),
    )


def _tools(frames: Chain) -> dict[str, Point]:
    tips = [tip for tip in frames.tips if tip.body != BASE]
    names = ["tool", *(f"tool{k}" for k in range(2, len(tips) + 1))]
    return {
        name: Point(name, _body_name(tip.body), tip.X.p)
        for name, tip in zip(names, tips, strict=False)
    }


def _body_name(number: int) -> str:
    return GROUND if number == BASE else str(number)


def _geometry(frames: Chain) -> list[Parameter]:
    """The symbols of the phrase itself: levers, constant angles and limits."""
    parameters: list[Parameter] = []
    for change, frame in zip(frames.phrase.changes, frames.before, strict=True):
        where = str(frames.phrase.place(change))
        unit = "rad" if change.kind == "R" else "m"
        if change.value is not None:
            parameters += _symbols(change.value, unit, _constant(change.kind, frame.body), where)
        elif change.limits is not None:
            low, high = change.limits
            lower = Sentence("lower limit of {coordinate}", {"coordinate": change.name})
            upper = Sentence("upper limit of {coordinate}", {"coordinate": change.name})
            parameters += [*_symbols(low, unit, lower, where), *_symbols(high, unit, upper, where)]
    return parameters


def _constant(kind: str, body: int) -> Sentence:
    """Meaning of a constant change of frame, with its body."""
    if body:
        template = "lever of body {body}" if kind == "T" else "constant angle of body {body}"
    else:
        template = "lever of the ground" if kind == "T" else "constant angle of the ground"
    return Sentence(template, {"body": body})


def _symbols(value: Expr, unit: str, meaning: Sentence, where: str) -> list[Parameter]:
    """The parameters of an expression; only a multiple of one symbol has a known unit."""
    if value.op == "number":
        return []
    names = [value.name] if value.op == "symbol" else [x.name for x in free_symbols(value)]
    if len(names) > 1:
        part = Sentence("in the " + meaning.template, meaning.values)
        return [Parameter(name, None, "", part, where) for name in names]
    return [Parameter(name, None, unit, meaning, where) for name in names]


def _gravity(given: Components | None) -> tuple[Array, list[Parameter], tuple[str, ...]]:
    if given is None:
        meaning = "component of gravity along Y, −9.81 if Y points up"
        parameter = Parameter("G", None, "m/s^2", meaning)
        note = "Gravity is G along Y of the ground; G = −9.81 if Y points up."
        return np.array([ZERO, symbol("G"), ZERO], dtype=object), [parameter], (note,)
    vector = gravity_vector(given)
    meaning = "component of gravity"
    names = [x.name for x in free_symbols(vector)]
    return vector, [Parameter(name, None, "m/s^2", meaning) for name in names], ()


def gravity_vector(given: Components, names: Names | None = None) -> Array:
    """Three components, numbers or expressions, as expressions [m/s²]."""
    values = list(given) if isinstance(given, Sequence | np.ndarray) else [given]
    if len(values) != 3 or isinstance(given, str):
        advice = 'Give three, for instance gravity=(0, 0, -9.81) or ("0", "-g", "0").'
        raise ModelError(
            "gravity", say("{given} is not a vector of three components.", repr(given)), advice
        )
    known = names or Names(open=True)
    return np.array([_component(value, known) for value in values], dtype=object)


def _component(value: Any, names: Names) -> Expr:
    if isinstance(value, Expr):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ModelError("gravity", say("the component {value} is not a finite number.", value))
        value = repr(float(value))
    return parse_expression(str(value), names, Place(within="gravity"), "m/s^2")


def _with_dimensions(table: dict[str, Parameter], measures: Measures) -> dict[str, Parameter]:
    """The parameters with their dimensions: of their units, or of their uses in the phrase."""
    return {
        name: replace(p, dimension=dimension(p.unit) if p.unit else measures.known(name))
        for name, p in table.items()
    }


def _table(parameters: list[Parameter], where: str) -> dict[str, Parameter]:
    """The parameters by name; a symbol may be used twice in the phrase, not for two things."""
    table: dict[str, Parameter] = {}
    for parameter in parameters:
        first = table.setdefault(parameter.name, parameter)
        if not parameter.place and first is not parameter:
            raise ModelError(
                first.place or where,
                say(
                    '"{parameter}" is both the {meaning} and the {meaning2}.',
                    parameter.name,
                    first.meaning,
                    parameter.meaning,
                ),
                "Rename it in the phrase.",
            )
    return table
