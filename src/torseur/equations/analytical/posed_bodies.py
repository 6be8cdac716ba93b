"""Particles and bodies whose poses are expressions of coordinates: their part of a Lagrangian.

The position is that of the centre of mass, the rotation that of the body's axes; T follows by
Koenig, with Ω found by differentiating the rotation. No joints are needed: the coordinates may
be any, and several bodies may depend on the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.equations.expressions.tidy import tidied
from torseur.errors import ModelError, require_known
from torseur.spatial.inertia import tensor_of
from torseur.spatial.rotation import AXES, Turn
from torseur.spatial.vectors import axial
from torseur.words.sentence import say

Array = np.ndarray
Read = Callable[[Any, str], Expr]
_ENTRIES = ("mass", "position", "inertia", "rotation")


def lagrangian_of_bodies(
    bodies: Mapping[str, Mapping[str, Any]],
    gravity: Sequence[Any],
    read: Read,
    along: Mapping[Expr, Expr],
) -> Expr:
    """Σ ½ m V(G)² + ½ Ω·I Ω + m g·OG; `along` gives the rates of the coordinates and of t."""
    g = _vector(gravity, "gravity", read)
    total: Expr = ZERO
    for name, body in bodies.items():
        place = f'body "{name}"'
        require_known(place, "entry", body, _ENTRIES)
        if "mass" not in body or "position" not in body:
            raise ModelError(
                place,
                say(
                    "{body} is given, but a mass and a position are needed.",
                    ", ".join(body) or say("nothing"),
                ),
                'Such as {"mass": "m", "position": ["x", "x^2", 0]}.',
            )
        m, r = read(body["mass"], place), _vector(body["position"], place, read)
        v = time_derivative(r, along)
        total = total + m * tidied(expression(v @ v)) / 2 + m * expression(g @ r)
        total = total + _spin(body, place, read, along)
    return expression(total)


def _vector(given: Any, place: str, read: Read) -> Array:
    if isinstance(given, str) or len(given) != 3:
        raise ModelError(
            place, say("{given} is not a vector.", given), "A vector has three components."
        )
    return expressions([read(x, place) for x in given])


def _spin(body: Mapping[str, Any], place: str, read: Read, along: Mapping[Expr, Expr]) -> Expr:
    """½ Ω·I Ω, in the axes of the body; nothing for a particle."""
    if "inertia" not in body:
        return ZERO
    if "rotation" not in body:
        raise ModelError(
            place,
            say("it has the inertia {body}, but no rotation.", body["inertia"]),
            'Give one, such as "rotation": [{"z": "theta"}], or leave the inertia out.',
        )
    I = _tensor([read(x, place) for x in body["inertia"]], place)
    w = _angular_velocity(body["rotation"], place, read, along)
    return expression(tidied(expression(w @ (I @ w))) / 2)


def _tensor(given: list[Expr], place: str) -> Array:
    """xx, yy, zz, and the products xy, xz, yz as components of the tensor."""
    if len(given) not in (3, 6):
        raise ModelError(
            place,
            say("an inertia has 3 or 6 components, not {number}.", len(given)),
            "xx, yy, zz, or these and xy, xz, yz, at the centre of mass and in body axes.",
        )
    return expressions(tensor_of([*given, ZERO, ZERO, ZERO][:6]))


def _angular_velocity(
    given: Sequence[Any], place: str, read: Read, along: Mapping[Expr, Expr]
) -> Array:
    """Ω in body axes: each turn carries what the turns before it gave; of a matrix, RᵀṘ."""
    if len(given) == 3 and not any(isinstance(row, Mapping) for row in given):
        R = expressions([[read(x, place) for x in row] for row in given])
        rate = time_derivative(R, along)
        return expressions(axial(R.T @ rate)) / 2
    w = expressions(np.zeros(3))
    for step in given:
        ((axis, angle),) = step.items()
        require_known(place, "axis", axis, AXES)
        turned = read(angle, place)
        w = expressions(Turn(AXES[axis], turned).undone(w))
        w[AXES[axis]] = w[AXES[axis]] + time_derivative(turned, along)
    return w
