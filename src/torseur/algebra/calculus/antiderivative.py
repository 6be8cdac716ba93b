"""Antiderivatives of short expressions: powers, sines, cosines and exponentials, term by term."""

from __future__ import annotations

from fractions import Fraction

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, expression, number
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.core.rules import power
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
