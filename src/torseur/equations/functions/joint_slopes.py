"""Slopes of the forces along single speeds: servos, dampers and springs of joints, motors."""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.equations.actions.applied import actions_of
from torseur.equations.functions.kernel import smoothed
from torseur.equations.symbols.system import System

Array = np.ndarray


def joint_slopes(system: System) -> Array:
    """(2, speeds): −∂Q/∂v and −∂Q/∂q of the forces that act along one speed alone.

    Forces that act through bodies are left out, and turning joints have no slope by place.
    """
    slopes = np.full((2, len(system.v)), ZERO, dtype=object)
    places = _coordinate_of_speeds(system)
    for wrenches, rows in actions_of(system).parts.values():
        if wrenches or len(rows) != 1:
            continue
        ((row, value),) = rows.items()
        force = _smooth(value)
        slopes[0, row] = slopes[0, row] - _slope(force, system.v[row])
        if row in places:
            slopes[1, row] = slopes[1, row] - _slope(force, system.q[places[row]])
    return expressions(slopes)


def _smooth(value: Any) -> Expr:
    return expression(smoothed(expression(value)))


def _slope(force: Expr, by: Any) -> Expr:
    return expression(jacobian(expressions([force]), [by])[0, 0])


def _coordinate_of_speeds(system: System) -> dict[int, int]:
    """The coordinate whose rate each speed is, where it is one."""
    places: dict[int, int] = {}
    for _, link in system.tree:
        if link.q.stop - link.q.start == link.v.stop - link.v.start:
            count = link.v.stop - link.v.start
            places |= {link.v.start + k: link.q.start + k for k in range(count)}
    return places
