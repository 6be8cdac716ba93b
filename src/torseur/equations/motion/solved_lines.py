"""Equations of motion solved for their accelerations: one in each line, as a book combines them.

Accelerations that meet in some equation are a block of M, solved by Cramer's rule. What numerator
and determinant share is divided out, also if it is no parameter: the line of φ of a top, over
sin θ, holds where its axis is not vertical.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, Scalar, expression
from torseur.algebra.core.graph import expressions, reachable, substitute
from torseur.algebra.forms.normal_form import Squares, vanishes
from torseur.algebra.forms.readable import readable
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.expressions.linear import blocks, determinant
from torseur.equations.expressions.sampling import is_regular
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray
LARGEST_BLOCK = 3  # accelerations that depend on each other: Cramer's rule grows fast
LARGEST_BORDERED = 6  # with reactions, which most entries are zero for
_MOST_NODES = 400  # of what is expanded


@final
@dataclass(frozen=True)
class Solved:
    """denominator × acceleration = numerator, without what both shared."""

    denominator: Expr
    numerator: Expr
    shared: tuple[Expr, ...] = ()  # what moves and was divided out


def bordered(
    mechanism: Mechanism, constraints: Held, M: Array, Q: Array, forces: Array
) -> tuple[Array, Array, Array]:
    """K, f and λ of K (a, λ) = f: M a = forces + Jᵀ λ, J a = −γ; Q and the forces may have λ too.

    Rows in which nothing moves, as those across the plane of a loop, have no λ. Rows that repeat
    others leave the reactions undetermined, and are refused.
    """
    rows = [k for k, row in enumerate(constraints.J) if not all(map(vanishes, row))]
    J, unknowns = constraints.J[rows], constraints.unknowns[rows]
    given = np.asarray(jacobian(Q, unknowns)).reshape(len(Q), -1)
    still = np.zeros((len(rows), len(rows)))
    K = expressions(np.block([[M, -(J.T + given)], [J, still]]))
    if not is_regular(K, mechanism):
        names = ", ".join(dict.fromkeys(constraints.owners[k] for k in rows))
        problem = say(
            "its constraints repeat each other ({names}): reactions are not determined.", names
        )
        advice = "ts.linkages.redundant_reactions tells which, and how to free them."
        raise ModelError(f'mechanism "{mechanism.name}"', problem, advice)
    alone = substitute(expressions(forces), dict.fromkeys(unknowns, ZERO))
    return K, expressions([*alone, *(-constraints.bias[rows])]), unknowns


def solved_lines(
    M: Array, forces: Array, squares: Squares, largest: int = LARGEST_BLOCK
) -> list[Solved | None]:
    """The acceleration of each row of M a = forces; None where too many depend on each other."""
    solutions: list[Solved | None] = [None] * len(forces)
    for block in blocks(M, vanishes):
        if len(block) > largest:
            continue
        submatrix = M[np.ix_(block, block)]
        below = _readable_if_short(determinant(submatrix.T), squares)
        for k, i in enumerate(block):
            changed = submatrix.copy()
            changed[:, k] = forces[block]
            solutions[i] = _cancelled(below, _readable_if_short(determinant(changed.T), squares))
    return solutions


def _readable_if_short(x: Expr, squares: Squares) -> Expr:
    return expression(readable(x, squares)) if len(reachable([x])) <= _MOST_NODES else x


def _cancelled(below: Expr, above: Expr) -> Solved:
    """The fraction without the factors that both have as they are written."""
    powers = {x: n for n, x in factors(below, {}) if x.op != "number"}
    above = _halved(above, powers)
    divisor, moving = ONE, []
    for n, x in factors(above, {}):
        common = max(min(n, powers.get(x, 0)), 0)
        divisor = divisor * x**common
        if common and x.stage > PARAMETER:
            moving.append(x)
    return Solved(below / divisor, above / divisor, tuple(moving))


def _halved(above: Expr, powers: Mapping[Expr, Scalar]) -> Expr:
    """sin 2x as 2 sin x cos x, where one of them can be divided out."""
    for n, x in factors(above, {}):
        if x.op == "sin" and n == 1:
            half = x.args[0] / 2
            if half.sin() in powers or half.cos() in powers:
                return above / x * (2 * half.sin() * half.cos())
    return above
