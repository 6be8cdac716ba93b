"""The wrenches that a joint carries, from its free motions alone, as expressions.

A wrench that does not work in any free motion has Sᵀ T = 0. A component in which nothing moves is
carried as it is. Of the others, as many as there are freedoms are taken for dependent; each that
is left is carried together with what the dependent ones must be for no power to pass.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from torseur.algebra.core.expr import CONSTANT, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.algebra.forms.readable import readable
from torseur.equations.expressions.linear import determinant, solve_any
from torseur.errors import ModelError
from torseur.words.sentence import say

Array = np.ndarray
_SMALL = 1e-9  # of a determinant at values of about one, for which it is zero everywhere


def carried(S: Array, place: str) -> Array:
    """T (6, 6 − n): couples then forces, a column for each component that is not dependent."""
    S = expressions(S)
    moving = [k for k, row in enumerate(S) if any(x is not ZERO for x in row)]
    dependent = _dependent(S, moving, place)
    columns = []
    for k in range(6):
        if k in dependent:
            continue
        column = expressions(np.zeros(6))
        column[k] = expression(1)
        if k in moving and dependent:
            column[dependent] = solve_any(S[dependent].T, -S[k])
        columns.append(column)
    return expressions(np.array(columns, dtype=object).reshape(-1, 6).T)


def _dependent(S: Array, moving: list[int], place: str) -> list[int]:
    """The components that follow from the others: their determinant is a number where one is."""
    n = S.shape[1]
    choices = {rows: readable(determinant(S[list(rows)])) for rows in combinations(moving, n)}
    sizes = {rows: _size(x) for rows, x in choices.items()}
    regular = [rows for rows in choices if sizes[rows] > _SMALL]
    if not regular:
        raise ModelError(
            place,
            say("its {number} coordinates do not move it in as many ways.", n),
            "Leave out the coordinates that repeat others.",
        )
    # a number first, which vanishes nowhere; then the largest
    best = max(regular, key=lambda rows: (choices[rows].stage == CONSTANT, sizes[rows]))
    return list(best)


def _size(x: Any) -> float:
    """The least size of an expression at three states at random, its symbols of about one."""
    node: Expr = expression(x)
    rng, names = np.random.default_rng(0), [y.name for y in free_symbols(node)]
    states = (dict(zip(names, rng.uniform(0.5, 1.5, len(names)), strict=True)) for _ in range(3))
    return min(abs(float(evaluate(node, state))) for state in states)
