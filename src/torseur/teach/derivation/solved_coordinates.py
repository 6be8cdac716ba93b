"""Coordinates that the constraints give in the independent ones, put into the last equations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.analyse.letters.steady_lines import eliminated
from torseur.equations.motion.closure_lines import closure_lines
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.signs_at_start import SignsAtStart
from torseur.teach.derivation.step_formulas import Equation, Formula
from torseur.teach.derivation.telling import Telling

_NEAR = 1e-9


def solved_coordinates(telling: Telling, independent: Sequence[str]) -> dict[Expr, Expr]:
    """All coordinates but the independent ones, given by the loops; nothing if one is not."""
    system = telling.system
    if telling.variables.changed or len(system.q) != len(system.v):
        return {}
    loops = [
        _vanishing_factor(zero, telling.signs)
        for _, zero in closure_lines(system, telling.efforts.held)
        if not any(x.kind == "speed" for x in free_symbols([zero]))
    ]
    known = eliminated(system, loops, (), telling.signs)
    dependent = {x for x in system.q if f"{x.name}." not in independent}
    return known if dependent == set(known) else {}


def _vanishing_factor(zero: Expr, start: SignsAtStart) -> Expr:
    """The factor of a condition that vanishes where the motion starts, if the others do not."""
    parts = [x for power, x in factors(expression(readable(zero)), {}) if power == 1]
    near = []
    for x in parts:
        value = start.value(x)
        if value is None:
            return zero
        near += [x] if abs(value) < _NEAR else []
    return near[0] if len(parts) > 1 and len(near) == 1 else zero


def put_in(
    telling: Telling, equations: Equations, known: dict[Expr, Expr], dependent: Sequence[str]
) -> list[Formula]:
    """The coordinates that are known, the other speeds, and virtual work in what is left.

    With q = Q(s, t), F_s = (∂Q/∂s)ᵀ F: nothing is divided by slopes of the constraints.
    """
    system = telling.system
    rates = {x: v for x, v in zip(system.q, system.v, strict=True) if x not in known}
    second = {v: symbol(f"{v.name}.", "acceleration") for v in rates.values()}
    q = expressions([known.get(x, x) for x in system.q])
    v = expressions(time_derivative(q, rates, TIME))
    a = expressions(time_derivative(v, {**rates, **second}, TIME))
    put = {x: y for x, y in zip((*system.v, *system.q), (*v, *q), strict=True) if x is not y}
    slopes = jacobian(q, np.array([*rates], dtype=object)).T
    left, right = (
        expressions(telling.read(slopes @ expressions(substitute(expressions(side), put))))
        for side in (equations.M @ a + equations.h, equations.Q - equations.g)
    )
    speeds = {name: x for name, x in zip(system.speeds, v, strict=True) if name in dependent}
    return [
        *(telling.scalar(x.name, latex_name(x.name), value) for x, value in known.items()),
        *(telling.scalar(name, latex_name(name), x) for name, x in speeds.items()),
        *(Equation(x.name, *both) for x, *both in zip(rates, left, right, strict=True)),
    ]
