"""The numbers of a mechanism: what each of its expressions is worth, where parameters say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from torseur.algebra.expr import Expr, expression
from torseur.algebra.graph import evaluate, free_symbols, mapped
from torseur.mechanism.description import BodyLoad, Mechanism
from torseur.mechanism.parameters import values
from torseur.spatial.rotation import Fixed, Rotation

Entry = tuple[str, str, Expr]  # place, what it is, its expression


def numbers(expressions: Iterable[Any], parameters: Mapping[str, float | None]) -> dict[Expr, float]:
    """The value of each expression whose parameters are all known; the others are left out."""
    outputs = [expression(x) for x in expressions]
    names = [x.name for x in free_symbols(outputs)]

    def is_known(x: Expr, args: list[bool]) -> bool:
        if x.op == "symbol":
            return x.kind == "parameter" and parameters.get(x.name) is not None
        return all(args)

    known = mapped(outputs, is_known)
    found = {name: parameters.get(name) for name in names}
    with np.errstate(all="ignore"):
        results = evaluate(outputs, {n: np.nan if v is None else v for n, v in found.items()})
    return {x: float(v) for x, v, k in zip(outputs, results, known, strict=True) if k}


def mechanism_numbers(mechanism: Mechanism) -> dict[Expr, float]:
    """The value of every expression of a mechanism whose parameters are known."""
    table = values(mechanism.parameter_table)
    return numbers((x for _, _, x in entries(mechanism)), table)


def place_of(item: Any, kind: str) -> str:
    """The place of a part of a mechanism: where it was written, or what it is."""
    return item.place or f'{kind} "{item.name}"'


def entries(mechanism: Mechanism) -> Iterator[Entry]:
    """Every expression of a mechanism, with its place and its name there."""
    for body in mechanism.bodies.values():
        place = place_of(body, "body")
        yield place, "mass", expression(body.mass)
        yield from _components(place, "centre", body.centre)
        yield from _components(place, "inertia", body.inertia)
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
        else:
            yield place, "value", expression(load.value)


def _matrices(R: Rotation) -> list[Any]:
    return [x for f in R.factors if isinstance(f, Fixed) for x in np.ravel(f.matrix)]


def _components(place: str, what: str, values: Any) -> Iterator[Entry]:
    for value in np.ravel(np.asarray(values, dtype=object)):
        yield place, what, expression(value)
