"""Closure conditions of loops, along the axes in which they read best.

A closing joint states its gap in its own frame. One that keeps two points together may state it
along the axes of the ground as well: x − l cos β − r cos θ = 0 instead of a mixture of both. A rod
states r² = l².
"""

from __future__ import annotations

from math import pi

import numpy as np

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import PI, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, reachable, substitute
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.dynamics.tree.closure import Closure
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.expressions.sampling import vanishes
from torseur.equations.motion.signs_at_start import SignsAtStart, squared_gap
from torseur.equations.symbols.system import System
from torseur.model.joints.library import Distance

Array = np.ndarray
_MOST_NODES = 150  # of a gap that is written in two ways


def closure_lines(system: System, constraints: Held) -> list[tuple[str, Expr]]:
    """Conditions with their owners: of positions where these are held, of speeds otherwise.

    What holds whatever the coordinates are, such as all that keeps a plane motion in its plane, is
    left out.
    """
    gaps = dict(zip(constraints.positions, _gaps(constraints), strict=True))
    lines = []
    for row, owner in enumerate(constraints.owners):
        zero = gaps.get(row)
        if zero is None:
            zero = expression(constraints.J[row] @ system.v) + constraints.rate[row]
        if not vanishes(expression(zero)):
            lines.append((owner, _with_angles(system, expression(zero))))
    return lines


def _with_angles(system: System, zero: Expr) -> Expr:
    """u for the angle of k cos u and k sin u, as many turns from zero as it is at the start."""
    turns = [x for x in reachable([zero]) if x.op == "atan2"]
    angles = {x: _angle(system, x) for x in turns}
    return expression(substitute(zero, angles)) if angles else zero


def _angle(system: System, turn: Expr) -> Expr:
    (k, sine), (c, cosine) = (split(expression(readable(x))) for x in turn.args)
    if (sine.op, cosine.op) != ("sin", "cos") or sine.args != cosine.args or k != c or k < 0:
        return turn
    start = SignsAtStart(system).value(sine.args[0])
    return turn if start is None else sine.args[0] - 2 * round(start / (2 * pi)) * PI


def _gaps(constraints: Held) -> list[Expr]:
    """The gaps of positions, those of closing joints along the axes that make them short."""
    if isinstance(constraints, GivenConstraints):
        return list(constraints.gap)
    joints = [x for closure in constraints.closures for x in _gap(closure)]
    return [*joints, *constraints.gap[constraints.joint_gaps :]]


def _gap(closure: Closure) -> list[Expr]:
    if isinstance(closure.cut.joint, Distance):
        return [squared_gap(closure, closure.cut.joint)]
    entries = [expression(x) for x in closure.gap]
    places = [_translation(closure.T, axis) for axis in range(3)]
    if any(place is None or place >= len(entries) for place in places):
        return entries
    if len(reachable(entries)) > _MOST_NODES:
        return entries
    turned = expressions(closure.X_WM.R.out(expressions(closure.R.T @ closure.p)))
    ground = [expression(readable(expression(x))) for x in turned]
    near = [expression(readable(entries[place])) for place in places if place is not None]
    chosen = near if sum(map(length, ground)) > sum(map(length, near)) else ground
    for place, x in zip(places, chosen, strict=True):
        if place is not None:
            entries[place] = x
    return entries


def _translation(T: Array, axis: int) -> int | None:
    """The row that holds the translation along an axis alone, None if there is none."""
    for k, column in enumerate(expressions(T).T):
        if [i for i, x in enumerate(column) if x is not ZERO] == [3 + axis]:
            return k
    return None
