"""Steps that can be integrated: the sign of a speed, where it is slow."""

from fractions import Fraction
from typing import Any

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import flat, free_symbols, reachable, substitute

SLOW = Fraction(1, 10_000)  # below this speed dry friction is smoothed [rad/s or m/s]


def smoothed(outputs: Any) -> Any:
    """Expressions in which the sign of a speed is x/√(x² + ε²): a step that can be integrated."""
    signs = [x for x in reachable(flat(outputs)) if x.op == "sign" and _of_speeds(x)]
    soft = {x: x.args[0] / (x.args[0] ** 2 + SLOW**2).sqrt() for x in signs}
    return substitute(outputs, soft) if soft else outputs


def _of_speeds(x: Expr) -> bool:
    return any(y.kind == "speed" for y in free_symbols(x))
