"""The numbers of a mechanism: values of its expressions, where parameters are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any, cast, final

import numpy as np

from torseur.algebra.core.expr import CONSTANT, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import expressions_of
from torseur.model.parameters import values
from torseur.spatial.rotation import MatrixRotation
from torseur.words.sentence import Address, say

Entry = tuple[str, str, Expr]  # place, what it is, its expression


@final
class Values:
    """Value of an expression: a number, or None while a parameter it needs has no value."""

    def __init__(self, parameters: Mapping[str, float | None]) -> None:
        self._parameters = parameters
        self._found: dict[Expr, float | None] = {}

    def __call__(self, value: Any) -> float | None:
        x = value if type(value) is Expr else expression(value)
        if x.op == "number":
            return float(x.value[1])
        if x.op == "symbol":
            return self._parameters.get(x.name) if x.kind == "parameter" else None
        if x not in self._found:
            self._found[x] = self._evaluate(x)
        return self._found[x]

    def _evaluate(self, x: Expr) -> float | None:
        needed = free_symbols(x) if x.stage != CONSTANT else []
        known = {symbol.name: self(symbol) for symbol in needed}
        if any(value is None for value in known.values()):
            return None
        with np.errstate(all="ignore"):
            return float(evaluate(x, known))


def values_of(mechanism: Mechanism) -> Values:
    """The values of the expressions of a mechanism at the values of its parameters."""
    return Values(values(mechanism.parameter_table))


def place_of(item: Any, kind: str) -> str:
    """The place of a part of a mechanism in its file, or its kind and name."""
    return Address(item.place or f'{kind} "{item.name}"')


def entries(mechanism: Mechanism) -> Iterator[Entry]:
    """Nonzero expressions of a mechanism, with their places and names there."""
    for body in mechanism.bodies.values():
        place = place_of(body, "body")
        yield place, "mass", expression(body.mass)
        yield from _nonzero(place, "centre", body.centre)
        yield from _nonzero(place, "inertia", body.inertia.flat)
    yield from _joint_entries(mechanism)
    yield from _action_entries(mechanism)
    yield from _nonzero("gravity", "gravity", mechanism.gravity)
    for point in mechanism.points.values():
        yield from _nonzero(place_of(point, "point"), "position", point.position)
    yield from _restraint_entries(mechanism)
    for name, value in mechanism.initial.items():
        yield f'initial "{name}"', "value", expression(value)


def _restraint_entries(mechanism: Mechanism) -> Iterator[Entry]:
    """The expressions of frames, constraints, motions and events."""
    for kind, parts in (
        ("frame", mechanism.frames),
        ("constraint", mechanism.constraints),
        ("motion", mechanism.motions),
        ("contact", mechanism.contacts),
        ("event", mechanism.events),
        ("state", mechanism.states),
        ("sensor", mechanism.sensors),
    ):
        for part in parts.values():
            for field in fields(cast(Any, part)):
                values = expressions_in(getattr(part, field.name))
                yield from _nonzero(place_of(part, kind), field.name, values)


def expressions_in(value: Any) -> Iterator[Any]:
    """The expressions in a value: an expression, an array, a pose, a joint, a tuple of such."""
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, np.ndarray):
        yield from (x for x in value.flat if isinstance(x, Expr))
    elif isinstance(value, tuple):
        for x in value:
            yield from expressions_in(x)
    elif is_dataclass(value):
        for field in fields(value):
            yield from expressions_in(getattr(value, field.name))


def _joint_entries(mechanism: Mechanism) -> Iterator[Entry]:
    for joint in mechanism.joints.values():
        place = place_of(joint, "joint")
        for pose in (joint.X_AF, joint.X_BM):
            yield from _nonzero(place, "point", pose.p)
            turned = (f.matrix.flat for f in pose.R.factors if isinstance(f, MatrixRotation))
            yield from _nonzero(place, "axis", chain.from_iterable(turned))
        for limits in joint.limits:
            yield from _nonzero(place, "limit", limits or ())
        yield from _nonzero(place, "friction", expressions_in(joint.friction))
        yield from _nonzero(place, "stop", expressions_in(joint.stop))
        yield from _nonzero(place, "pitch", [getattr(joint.kind, "lead", 0)])
        yield from _nonzero(place, "length", [getattr(joint.kind, "length", 0)])


def _action_entries(mechanism: Mechanism) -> Iterator[Entry]:
    for motor in mechanism.motors.values():
        place = place_of(motor, "motor")
        for what in ("ratio", "rotor_inertia", "viscous_motor", "viscous_output", "torque"):
            yield place, what, expression(getattr(motor, what))
        yield from _nonzero(place, say("dry friction"), [*motor.dry_motor, *motor.dry_output])
        yield from _nonzero(place, "axis", () if motor.axis is None else motor.axis)
    for load in mechanism.loads.values():
        place = place_of(load, "force")
        for what, value in expressions_of(load):
            yield from _nonzero(place, what, [value])
    if mechanism.frame is not None:
        place = mechanism.frame.place or "frame"
        yield from _nonzero(place, "rotation", mechanism.frame.rotation)
        yield from _nonzero(place, "acceleration", mechanism.frame.acceleration)


def _nonzero(place: str, what: str, values: Iterable[Any]) -> Iterator[Entry]:
    """The entries that are not simply zero."""
    for value in values:
        if value is not ZERO and not (isinstance(value, float) and value == 0):
            yield place, what, expression(value)
