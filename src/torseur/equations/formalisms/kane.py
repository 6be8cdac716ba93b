"""Kane: partial velocities, with the speeds that the user chooses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.kinematics import Velocity, ground_poses, velocities
from torseur.equations.actions.applied import actions_of
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import Parametrisation, unchanged
from torseur.equations.motion.parametrisation import quasi_velocities as in_speeds
from torseur.equations.symbols.system import System
from torseur.spatial.vectors import cross

Array = np.ndarray
Partial = tuple[Array, ...]  # ∂ω/∂u and ∂v/∂u of a body (3 × n), in its axes


def derive(system: System, quasi_velocities: Mapping[str, str | Expr] | None = None) -> Equations:
    """F_r + F*_r = 0: active and inertia forces along the partial velocities (Llibre 2009, §2.3).

    The reference point of each body is the origin O of its computing frame, which may move anyhow.
    Accelerations are the derivatives of the velocities on the graph; nothing is differentiated with
    respect to a coordinate. The rates of the coordinates, `tables["rates"]`, are the kinematic
    differential equations that go with the equations in u̇.
    """
    chosen = in_speeds(system, quasi_velocities) if quasi_velocities else unchanged(system)
    tree = system.tree
    moving = velocities(tree, system.q, chosen.speeds)
    partials = [tuple(jacobian(expressions(y), chosen.u) for y in (x.w, x.v)) for x in moving]
    rates = [_rate(x, chosen) for x in moving]
    n = len(chosen.u)
    M, h, g = (expressions(np.zeros(shape)) for shape in ((n, n), n, n))
    placed = ground_poses(tree, system.q)
    for i, link in tree:
        body = link.inertia
        dw, dv = partials[i]
        # what a unit of each u̇ needs, then what the motion needs without any
        linear, angular = body.momentum(dw, dv)
        M = M + dv.T @ linear + dw.T @ angular
        force, couple = _inertia(body, moving[i], *rates[i])
        h = h + force @ dv + couple @ dw
        weight = placed[i].R.into(system.gravity)
        g = g - body.m * (weight @ dv) - cross(body.h, weight) @ dw
    spun_M, spun_h = _rotors(chosen, moving, partials, rates)
    M, Q = M + spun_M, _active(system, chosen, partials)
    whole = M @ chosen.reduced.a + h + spun_h + g
    tables = {
        "rates": chosen.rates,
        "speeds": chosen.speeds,
        "partial_velocities": {
            link.name: {"angular": partials[i][0], "linear": partials[i][1]} for i, link in tree
        },
    }
    given = chosen.constraints
    return Equations(
        chosen.reduced, "kane", M, h + spun_h, g, Q, whole, tables=tables, given_constraints=given
    )


def _rate(body: Velocity, chosen: Parametrisation) -> tuple[Array, Array]:
    """ω̇ and the acceleration of O at u̇ = 0, in the axes of the body."""
    w, v = expressions(body.w), expressions(body.v)
    return chosen.rate(w), chosen.rate(v) + cross(w, v)


def _inertia(body: Any, moving: Velocity, dw: Array, acc: Array) -> tuple[Array, Array]:
    """m γ_O + ω̇ × h + ω × (ω × h), and I ω̇ + ω × I ω + h × γ_O."""
    w, h, I = moving.w, body.h, body.tensor
    force = body.m * acc + cross(dw, h) + cross(w, cross(w, h))
    return force, I @ dw + cross(w, I @ w) + cross(h, acc)


def _rotors(
    chosen: Parametrisation,
    moving: list[Velocity],
    partials: list[Partial],
    rates: list[tuple[Array, Array]],
) -> tuple[Array, Array]:
    """The share of spinning rotors in M and h: a momentum α j q̇ ε of the carrier, and its rate."""
    n = len(chosen.u)
    M, h = expressions(np.zeros((n, n))), expressions(np.zeros(n))
    for _, link in chosen.system.tree:
        rotor = link.rotor
        if rotor is None:
            continue
        row = link.v.start
        spin, spun = chosen.speeds[row], rotor.ratio * chosen.B[row]
        turning = chosen.turning[row]
        M = M + rotor.j * np.outer(spun, spun)
        h = h + rotor.j * rotor.ratio * turning * spun
        if rotor.axis is not None and link.parent >= 0:
            e, p = rotor.axis, link.parent
            along = e @ partials[p][0]
            M = M + rotor.j * (np.outer(spun, along) + np.outer(along, spun))
            h = h + rotor.j * (e @ rates[p][0]) * spun
            couple = rotor.j * rotor.ratio * (turning * e + spin * cross(moving[p].w, e))
            h = h + couple @ partials[p][0]
    return M, h


def _active(system: System, chosen: Parametrisation, partials: list[Partial]) -> Array:
    """F_r: every force along the partial velocity of its point, every couple along ∂ω/∂u."""
    applied = actions_of(system)
    Q = expressions(np.zeros(len(chosen.u)))
    for wrenches, rows in applied.parts.values():
        for i, (force, couple) in wrenches.items():
            Q = Q + force @ partials[i][1] + couple @ partials[i][0]
        for row, value in rows.items():
            Q = Q + value * chosen.B[row]
    return np.asarray(chosen.written(applied.opened(expressions(Q))))
