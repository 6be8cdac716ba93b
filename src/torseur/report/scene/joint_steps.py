"""How the coordinates of a joint move M from F, as elementary motions that a page can repeat."""

from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.spatial.rotation import Turn

# Translation "t" or rotation "r": axis, coordinate, factor. "q": the quaternion that starts there.
Step = tuple[str, int, int, float]


def steps(kind: Any) -> list[Step] | None:
    """The elementary motions from F to M in order; None where they are not proportional.

    They are read from the pose that the joint gives on symbols: a vector, then rotations.
    """
    q = [symbol(f"q{k}", "coordinate") for k in range(kind.nq)]
    X = kind.transform(np.array(q, dtype=object))
    motions: list[Step] = []
    for axis, x in enumerate(X.p):
        factors = _factors(expression(x), q)
        if factors is None:
            return None
        motions += [("t", axis, k, factor) for k, factor in factors.items()]
    for rotation in X.R.factors:
        if not isinstance(rotation, Turn):
            if not kind.turning:
                return None
            motions.append(("q", 0, kind.nq - 4, 1.0))
            continue
        factors = _factors(expression(rotation.angle), q)
        if factors is None:
            return None
        motions += [("r", rotation.axis, k, factor) for k, factor in factors.items()]
    return motions


def _factors(x: Expr, q: list[Expr]) -> dict[int, float] | None:
    """The constant factors of a sum of coordinates; None if it is anything else."""
    slopes: list[Expr] = list(expressions(jacobian([x], q)).ravel()) if q else []
    if free_symbols(slopes):
        return None
    values = [float(evaluate(slope, {})) for slope in slopes]
    at_rest = substitute(x, dict.fromkeys(q, ZERO))
    if free_symbols([at_rest]) or float(evaluate(at_rest, {})) != 0.0:
        return None
    return {k: value for k, value in enumerate(values) if value}
