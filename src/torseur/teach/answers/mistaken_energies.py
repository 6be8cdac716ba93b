"""Energies that typical mistakes lead to: a half forgotten, Huygens twice, relative speeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.spatial.vectors import cross
from torseur.teach.answers.right_model import RightModel

Array = np.ndarray
HALF, TWICE, FORGOTTEN = "half", "Huygens twice", "Huygens forgotten"
RELATIVE_TURN, RELATIVE_SPEED = "relative rotation", "relative velocity"


@final
@dataclass(frozen=True)
class EnergyMistake:
    """Energy that a mistake adds, the lesson that it calls for, and the bodies."""

    lesson: str
    added: Expr
    bodies: tuple[str, ...] = ()


def energy_mistakes(model: RightModel) -> Iterator[EnergyMistake]:
    """Typical mistakes about T, body by body, then those made of every body alike."""
    T = model.table("T")
    if model.lagrangian is not None or T is None:
        return
    yield EnergyMistake(HALF, T)
    sums: dict[str, list[EnergyMistake]] = {}
    for body in model.mechanism.bodies:
        for one in _of_body(model, body):
            if one.added is not ZERO:
                sums.setdefault(one.lesson, []).append(one)
                yield one
    for lesson, several in sums.items():
        if len(several) > 1 and lesson != HALF:
            names = tuple(x for one in several for x in one.bodies[:1])
            yield EnergyMistake(lesson, expression(sum(x.added for x in several)), names)


def _of_body(model: RightModel, name: str) -> Iterator[EnergyMistake]:
    """Koenig's two energies of a body, and the same with one of its terms mistaken."""
    places, body = model.places, model.mechanism.bodies[name]
    i, (_, link) = places.index[name], list(model.change.system.tree)[places.index[name]]
    moving, arm = places.velocities[i], link.X_MB.point(body.centre)
    w, turning = moving.w, cross(moving.w, arm)
    speed = moving.v + turning

    def written(value: Any) -> Expr:
        return expression(model.written([expression(value)])[0])

    def rotation(rate: Array) -> Any:
        along = link.X_MB.R.into(rate)
        return along @ np.asarray(body.inertia) @ along / 2

    translation, turned = body.mass * (speed @ speed) / 2, written(rotation(w))
    about_joint = written(body.mass * (turning @ turning) / 2)
    if turned is not ZERO:
        yield EnergyMistake(TWICE, about_joint, (name,))
        yield EnergyMistake(FORGOTTEN, expression(-about_joint), (name,))
    yield EnergyMistake(HALF, written(translation), (name,))
    yield EnergyMistake(HALF, turned, (name,))
    yield EnergyMistake(HALF, written(translation + rotation(w)), (name,))
    if link.parent < 0:
        return
    carrier = places.velocities[link.parent]
    R = places.poses[i].R.matrix.T @ places.poses[link.parent].R.matrix
    parent = list(model.change.system.tree)[link.parent][1].name
    relative = w - R @ carrier.w
    yield EnergyMistake(RELATIVE_TURN, written(rotation(relative) - rotation(w)), (name, parent))
    origins = places.poses[i].p - places.poses[link.parent].p
    reach = places.poses[link.parent].R.matrix.T @ origins + R.T @ arm
    carried = speed - R @ (carrier.v + cross(carrier.w, reach))
    less = body.mass * (carried @ carried) / 2 - translation
    yield EnergyMistake(RELATIVE_SPEED, written(less), (name, parent))


def inertia_of(model: RightModel, energy: Expr) -> Array:
    """d/dt ∂T/∂q̇ − ∂T/∂q of a kinetic energy, by coordinate."""
    v, q = model.system.v, model.system.q
    momenta = gradient(energy, v)
    rates = (time_derivative(p, model.rates) for p in momenta)
    return expressions([a - b for a, b in zip(rates, gradient(energy, q), strict=True)])
