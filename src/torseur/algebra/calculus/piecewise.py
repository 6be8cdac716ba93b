"""Antiderivatives of polynomials in pieces (if, min, max, clip, abs, sign), continuous at knots."""

from __future__ import annotations

from math import factorial

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.algebra.core.rules import choice

_HIGHEST = 12  # degree of a polynomial that is integrated
_MOST = 6  # conditions within one term: each doubles the number of pieces
_PIECES = ("if", "abs", "sign")
_POLYNOMIAL = ("add", "mul", "pow", "symbol", "number")


def continuous_antiderivative(f: Expr, x: Expr) -> Expr | None:
    """A continuous function of the symbol x whose derivative is f; None if none is found.

    A polynomial is integrated from x = 0. In pieces, each piece is a polynomial and each condition
    is linear in x: both antiderivatives start at the knot. Knots may move with time; what jumps
    at an instant has no antiderivative that is continuous in time.
    """
    if any(_jumps_in_time(node, x) for node in reachable([f])):
        return None
    return _integral(f, x, None)


def _integral(f: Expr, x: Expr, start: Expr | None) -> Expr | None:
    """∫ f dx from `start`; without one, from wherever it is short."""
    conditions = _conditions(f, x)
    if not conditions:
        return _of_polynomial(f, x, ZERO if start is None else start)
    if f.op == "add":
        first, second = (_integral(term, x, start) for term in f.args)
        return None if first is None or second is None else first + second
    if f.op == "mul" and any(not _depends(factor, x) for factor in f.args):
        fixed, moving = f.args if _depends(f.args[1], x) else f.args[::-1]
        integral = _integral(moving, x, start)
        return None if integral is None else fixed * integral
    return _of_pieces(f, x, conditions, start) if len(conditions) <= _MOST else None


def _of_polynomial(f: Expr, x: Expr, start: Expr) -> Expr | None:
    """∫ f dx by parts, Σ (−1)ᵏ f⁽ᵏ⁾ (x − start)ᵏ⁺¹ / (k + 1)!, which ends for a polynomial."""
    if any(node.op not in _POLYNOMIAL and _depends(node, x) for node in reachable([f])):
        return None
    total, term = ZERO, f
    for k in range(_HIGHEST + 1):
        total = total + (-1) ** k * term * (x - start) ** (k + 1) / factorial(k + 1)
        term = expression(derivative(term, x))
        if term is ZERO:
            return expression(total)
    return None


def _of_pieces(f: Expr, x: Expr, conditions: list[Expr], start: Expr | None) -> Expr | None:
    """∫ f dx on both sides of the knot of a condition that has no pieces itself."""
    condition = next(c for c in reversed(conditions) if not _conditions(c, x))
    knot = _knot(condition, x)
    if knot is None:
        return None
    above, below = (_integral(_on_side(f, condition, side), x, knot) for side in (1, -1))
    if above is None or below is None:
        return None
    integral = choice(condition, above, below)
    return integral if start is None else integral - expression(substitute(integral, {x: start}))


def _knot(condition: Expr, x: Expr) -> Expr | None:
    """Where a condition that is linear in x changes its sign; 0 where it does not depend on x."""
    slope = expression(derivative(condition, x))
    if any(s is x or s.kind == "time" for s in free_symbols(slope)):
        return None
    if slope is ZERO:
        return ZERO
    knot = -expression(substitute(condition, {x: ZERO})) / slope
    shared = set(free_symbols(slope)) & set(free_symbols(knot))
    return choice(slope**2, knot, ZERO) if shared else knot


def _on_side(f: Expr, condition: Expr, side: int) -> Expr:
    """The function where a condition is positive (side 1) or negative (side −1)."""
    replaced = {}
    for node in reachable([f]):
        coefficient, core = split(node.args[0]) if node.op in _PIECES else (0, None)
        if core is not condition:
            continue
        sign = side if coefficient > 0 else -side
        if node.op == "if":
            replaced[node] = node.args[1] if sign > 0 else node.args[2]
        else:
            replaced[node] = sign * (ONE if node.op == "sign" else node.args[0])
    return expression(substitute(f, replaced))


def _conditions(f: Expr, x: Expr) -> list[Expr]:
    """Cores of what the pieces of f depend on, inner ones first, where that depends on x."""
    pieces = [node.args[0] for node in reachable([f]) if node.op in _PIECES]
    return list(dict.fromkeys(split(c)[1] for c in pieces if _depends(c, x)))


def _jumps_in_time(node: Expr, x: Expr) -> bool:
    """Whether a function jumps, or may jump, at instants that do not depend on x."""
    last = node.op == "table" and node.value.order == 3
    if node.op not in ("if", "sign") and not last:
        return False
    spoken = free_symbols(node.args[0])
    return x not in spoken and any(s.kind == "time" for s in spoken)


def _depends(f: Expr, x: Expr) -> bool:
    return x in free_symbols(f)
