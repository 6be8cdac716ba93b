"""Antiderivatives of short expressions: powers, sines, cosines and exponentials, term by term."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import split
from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, expression, number
from torseur.algebra.core.graph import free_symbols, reachable, substitute
from torseur.algebra.core.rules import choice, power
from torseur.algebra.forms.normal_form import Monomial, normal_form, product

_LARGEST_POWER = 8  # of what stands before a sine, integrated by parts


def antiderivative(x: Expr, variable: Expr) -> Expr | None:
    """An expression whose derivative by a symbol is x; None if the terms of x are of other kinds.

    A term is c zⁿ, c zⁿ f(a z + b) with f a sine, cosine or exponential, c cos²(a z + b), or
    c sin(a z + b) cos(a z + b).
    """
    form = normal_form(x)
    if form is None:
        return None
    total = ZERO
    for monomial, coefficient in form.terms.items():
        term = _term(monomial, variable)
        if term is None:
            return None
        total = total + number(coefficient) * term
    return total


def _term(monomial: Monomial, z: Expr) -> Expr | None:
    """The antiderivative of one product of atoms."""
    constant = product(tuple((a, e) for a, e in monomial if z not in free_symbols(a)))
    moving = [(a, e) for a, e in monomial if z in free_symbols(a)]
    powers = [e for a, e in moving if a is z]
    others = [(a, e) for a, e in moving if a is not z]
    n: Scalar = powers[0] if powers else 0
    if not others:
        return None if n == -1 else constant * power(z, n + 1) * number(Fraction(1) / (n + 1))
    if len(others) > 1:
        both = _sine_times_cosine(others, z) if n == 0 else None
        return None if both is None else constant * both
    (function, exponent) = others[0]
    integral = _squared(function, z) if exponent == 2 and n == 0 else None
    if exponent == 1 and n in range(_LARGEST_POWER):
        integral = _by_parts(int(n), function, z)
    return None if integral is None else constant * integral


def _rate(function: Expr, z: Expr) -> Expr | None:
    """a of sin(a z + b), cos(a z + b) or exp(a z + b)."""
    if function.op not in ("sin", "cos", "exp"):
        return None
    rate = expression(derivative(function.args[0], z))
    return None if z in free_symbols(rate) or rate is ZERO else rate


def _by_parts(n: int, function: Expr, z: Expr) -> Expr | None:
    """∫ zⁿ f = zⁿ F − n ∫ zⁿ⁻¹ F, with F the antiderivative of f."""
    rate = _rate(function, z)
    if rate is None:
        return None
    u = function.args[0]
    antiderivatives = {"sin": (-ONE, u.cos), "cos": (ONE, u.sin), "exp": (ONE, u.exp)}
    sign, make = antiderivatives[function.op]
    F = make()
    first = sign * power(z, n) * F / rate
    if n == 0:
        return first
    rest = _by_parts(n - 1, F, z)
    return None if rest is None else first - sign * number(n) * rest / rate


def _squared(function: Expr, z: Expr) -> Expr | None:
    """∫ cos² u = (z + sin u cos u / a)/2."""
    rate = _rate(function, z)
    if rate is None or function.op != "cos":
        return None
    u = function.args[0]
    return (z + u.sin() * u.cos() / rate) / 2


def _sine_times_cosine(factors: list[tuple[Expr, Scalar]], z: Expr) -> Expr | None:
    """∫ sin u cos u = −cos² u / 2a."""
    functions = {f.op: f for f, exponent in factors if exponent == 1}
    if len(factors) != 2 or set(functions) != {"sin", "cos"}:
        return None
    u, rate = functions["sin"].args[0], _rate(functions["sin"], z)
    if rate is None or functions["cos"].args[0] is not u:
        return None
    return -power(u.cos(), 2) / (2 * rate)


def potential(slopes: dict[Expr, Expr]) -> Expr | None:
    """F with the given derivatives ∂F/∂z by the symbols z; None if there is none of this form."""
    total = ZERO
    for z, slope in slopes.items():
        left = slope - expression(derivative(total, z))
        added = antiderivative(left, z)
        if added is None:
            return None
        total = total + added
    for z, slope in slopes.items():
        form = normal_form(slope - expression(derivative(total, z)), split_angles=True)
        if form is None or not form.is_zero:
            return None
    return total


# --- polynomials in pieces: if, min, max, clip, abs, sign -----------------------------------------


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
