"""A condition that is linear in one of its symbols, solved for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import substitute


def solved_for(x: Expr, zero: Expr, known: Mapping[Expr, Any]) -> dict[Expr, Any]:
    """Values that are known, and that of x, in which a condition is linear, put into them."""
    value = expression(-substitute(zero, {x: ZERO}) / derivative(zero, x))
    return {y: substitute(z, {x: value}) for y, z in known.items()} | {x: value}
