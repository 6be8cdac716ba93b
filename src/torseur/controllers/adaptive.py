"""Adaptive control: a law that learns masses and inertias while it follows a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import directional
from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.controllers.controller import Controller, KnownModel, known_model
from torseur.controllers.joint_laws import CLOCK, ELAPSED, TICK
from torseur.controllers.reference import Gain, gains, reference_of
from torseur.equations.functions.kernel import smoothed
from torseur.equations.functions.regressor import INERTIAL, Column, columns
from torseur.errors import unknown
from torseur.model.description import Mechanism
from torseur.model.parameters import values

Array = np.ndarray


def adaptive(
    mechanism: Mechanism,
    reference: Any,
    slope: Gain,
    kd: Gain,
    rate: Gain,
    *,
    learned: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Controller:
    """Forces Y π̂ − kd s with s = (q̇ − q̇_r) + slope (q − q_r), and estimates that follow −rate Yᵀ s.

    `learned` names bodies, or columns of the regressor such as "m of fore"; all that matter without
    it. Estimates start at the values of the model (`parameters` are what it believes at first) and
    are remembered under the names of the columns. V = ½ sᵀ M s + ½ π̃ᵀ π̃/rate never grows, because
    Ṁ − 2C is skew-symmetric. Slotine and Li (1987), On the adaptive control of robot manipulators.
    """
    model = known_model(mechanism, parameters)
    names, system = model.free_coordinates, model.system
    r, S = reference_of(reference).motion(names), gains("slope", slope, names)
    D = gains("kd", kd, names)
    speed = r.v - S.symbols * (system.q - r.q)
    acceleration = r.a - S.symbols * (system.v - r.v)
    s = system.v - speed
    result = columns(system)
    Y = {x.name: column_of(model, x, speed, acceleration) for x in result}
    own_value = {x.name: x.value for x in result}
    chosen = _chosen(model, Y, learned)
    G = gains("rate", rate, chosen)
    forces = -D.symbols * s
    for name, force in Y.items():
        forces = forces + force * (symbol(name, "input") if name in chosen else own_value[name])
    known = values(model.mechanism.parameter_table)
    gradient = [ELAPSED * g * (Y[name] @ s) for name, g in zip(chosen, G.symbols, strict=True)]
    after = {
        name: symbol(name, "input") - step for name, step in zip(chosen, gradient, strict=True)
    }
    return model.law(
        "adaptive",
        names,
        expressions(forces),
        {**S.values, **D.values, **G.values},
        memory={**{name: float(evaluate(own_value[name], known)) for name in chosen}, **CLOCK},
        remembered={**after, **TICK},
    )


def column_of(model: KnownModel, column: Column, speed: Array, acceleration: Array) -> Array:
    """A column of Y(q, v, w, a), with Y π = M a + C(q, v) w + g and Ṁ − 2C skew-symmetric.

    Velocity terms h(v) = C(v) v are quadratic, so C(v) w is half the derivative of h along w. What
    motors and forces do is taken at the speed v itself.
    """
    system = model.system
    force = np.asarray(smoothed(expressions(column.force)))
    kind = column.name.partition(" of ")[0]
    if kind not in INERTIAL and kind != "rotor inertia":
        return force
    none = dict.fromkeys(system.a, ZERO)
    slope = directional(substitute(force, none), dict(zip(system.v, speed, strict=True)))
    still = {**dict.fromkeys(system.v, ZERO), **dict(zip(system.a, acceleration, strict=True))}
    return expressions(substitute(force, still) + slope / 2)


def _chosen(
    model: KnownModel, Y: Mapping[str, Array], learned: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns that are learned: those asked for which move anything."""
    moving = [name for name, force in Y.items() if any(x is not ZERO for x in force)]
    if learned is None:
        return tuple(moving)
    bodies = model.mechanism.bodies
    listed = (learned,) if isinstance(learned, str) else learned
    for name in listed:
        if name not in Y and name not in bodies:
            raise unknown("control", "column", name, (*bodies, *moving))
    return tuple(x for x in moving if x in listed or x.partition(" of ")[2] in listed)
