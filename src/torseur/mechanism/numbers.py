"""The numbers of a mechanism: what each of its expressions is worth, where parameters say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, final

import numpy as np

from torseur.algebra.expr import ZERO, Expr, expression
from torseur.algebra.graph import evaluate, free_symbols
from torseur.mechanism.description import BodyLoad, JointLoad, Mechanism
from torseur.mechanism.parameters import values
from torseur.spatial.rotation import Fixed, Rotation

Entry = tuple[str, str, Expr]  # place, what it is, its expression


@final
class Values:
    """What an expression is worth: a number, or None while a parameter it needs has no value."""

    def __init__(self, parameters: Mapping[str, float | None]) -> None:
        self._parameters = parameters
        self._found: dict[Expr, float | None] = {}

    def __call__(self, value: Any) -> float | None:
        x = expression(value)
        if x.op == "number":
            return float(x.value[1])
        if x.op == "symbol":
            return self._parameters.get(x.name) if x.kind == "parameter" else None
        if x not in self._found:
            self._found[x] = self._computed(x)
        return self._found[x]

    def _computed(self, x: Expr) -> float | None:
        needed = free_symbols(x)
        known = {symbol.name: self(symbol) for symbol in needed}
        if any(value is None for value in known.values()):
            return None
        with np.errstate(all="ignore"):
            return float(evaluate(x, known))


def values_of(mechanism: Mechanism) -> Values:
    """The values of the expressions of a mechanism at the values of its parameters."""
    return Values(values(mechanism.parameter_table))


def place_of(item: Any, kind: str) -> str:
    """The place of a part of a mechanism: where it was written, or what it is."""
    return item.place or f'{kind} "{item.name}"'


def entries(mechanism: Mechanism) -> Iterator[Entry]:
    """Every expression of a mechanism that is not zero, with its place and its name there."""
    for body in mechanism.bodies.values():
        place = place_of(body, "body")
        yield place, "mass", expression(body.mass)
        yield from _components(place, "centre", body.centre)
        yield from _components(place, "inertia", body.inertia.flat)
    yield from _of_joints(mechanism)
    yield from _of_actions(mechanism)
    yield from _components("gravity", "gravity", mechanism.gravity)
    for point in mechanism.points.values():
        yield from _components(place_of(point, "point"), "position", point.position)
    for name, value in mechanism.initial.items():
        yield f'initial "{name}"', "value", expression(value)


def _of_joints(mechanism: Mechanism) -> Iterator[Entry]:
    for joint in mechanism.joints.values():
        place = place_of(joint, "joint")
        for pose in (joint.X_AF, joint.X_BM):
            yield from _components(place, "point", pose.p)
            yield from _components(place, "axis", _matrices(pose.R))
        for limits in joint.limits:
            yield from _components(place, "limit", limits or ())
        yield from _components(place, "pitch", [getattr(joint.kind, "lead", 0)])


def _of_actions(mechanism: Mechanism) -> Iterator[Entry]:
    for motor in mechanism.motors.values():
        place = place_of(motor, "motor")
        for what in ("ratio", "rotor_inertia", "viscous_motor", "viscous_output", "torque"):
            yield place, what, expression(getattr(motor, what))
        yield from _components(place, "dry friction", [*motor.dry_motor, *motor.dry_output])
        yield from _components(place, "axis", () if motor.axis is None else motor.axis)
    for load in mechanism.loads.values():
        place = place_of(load, "force")
        if isinstance(load, BodyLoad):
            for what in ("point", "force", "couple"):
                yield from _components(place, what, getattr(load, what))
        elif isinstance(load, JointLoad):
            yield place, "value", expression(load.value)
        else:
            for end in (load.first, load.second):
                yield from _components(place, "point", end.point)
            for what in load.values:
                yield place, what, expression(getattr(load, what))


def _matrices(R: Rotation) -> list[Any]:
    return [x for f in R.factors if isinstance(f, Fixed) for x in f.matrix.flat]


def _components(place: str, what: str, values: Iterable[Any]) -> Iterator[Entry]:
    """The entries that are not simply zero."""
    for value in values:
        if value is not ZERO and not (isinstance(value, float) and value == 0):
            yield place, what, expression(value)
