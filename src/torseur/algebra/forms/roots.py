"""Square roots of products without absolute values: that of l² cos² α is l cos α."""

from __future__ import annotations

from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import Expr, expression


def either_root(x: Expr) -> Expr:
    """A square root of x, of either sign, without a root where x is a product of even powers."""
    coefficient, core = split(x)
    factors = core.args if core.op == "mul" else (core,)
    if not all(y.op == "pow" and isinstance(y.value, int) and y.value % 2 == 0 for y in factors):
        return x.sqrt()
    root = expression(coefficient).sqrt()
    for y in factors:
        root = root * y.args[0] ** (y.value // 2)
    return expression(root)
