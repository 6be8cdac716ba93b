"""The potential of a law of one variable: found for polynomials, else given and then checked.

A law f(x, ẋ) has the potential of its part at rest, f(x, 0); what it has besides is counted by its
power.
"""

from math import factorial

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols, substitute
from torseur.errors import ModelError
from torseur.words.sentence import say

HIGHEST = 12  # degree of a polynomial that is integrated
CLOSE = 1e-9  # relative difference of expressions that are meant to be equal
TRIALS = 5


def potential_of(law: Expr, variable: Expr, rate: Expr) -> Expr:
    """∫₀ˣ f(x, 0) dx, or zero when f is no polynomial in x or depends on another motion.

    By parts: Σ (−1)ᵏ f⁽ᵏ⁾ xᵏ⁺¹ / (k + 1)!, which ends for a polynomial.
    """
    total, term = ZERO, _at_rest(law, rate)
    if _moving(term, variable):
        return ZERO
    for k in range(HIGHEST + 1):
        total = total + (-1) ** k * term * variable ** (k + 1) / factorial(k + 1)
        term = derivative(term, variable)
        if term is ZERO:
            return expression(total)
    return ZERO


def check_potential(place: str, potential: Expr, law: Expr, variable: Expr, rate: Expr) -> None:
    """f(x, 0) is the derivative of the potential, for any value of what they contain."""
    others = _moving(potential, variable)
    if others:
        raise ModelError(
            place,
            say('the potential depends on "{others}".', others[0].name),
            say("It is a function of {variable}, of the parameters and of t only.", variable.name),
        )
    slope, wanted = derivative(potential, variable), _at_rest(law, rate)
    rng = np.random.default_rng(0)
    for _ in range(TRIALS):
        values = {x.name: rng.uniform(0.5, 1.5) for x in free_symbols([slope, wanted])}
        with np.errstate(all="ignore"):
            first, second = (float(x) for x in evaluate([wanted, slope], values))
        if abs(first - second) > CLOSE * max(abs(first), abs(second)):
            shown = ", ".join(f"{name} = {value:.3g}" for name, value in values.items())
            raise ModelError(
                place,
                say(
                    "the potential is not that of the force: with {shown} its derivative is "
                    "{second:.6g} instead of {first:.6g}.",
                    shown,
                    second,
                    first,
                ),
                say("Its derivative is {slope}; it should be {wanted}.", slope, wanted),
            )


def _at_rest(law: Expr, rate: Expr) -> Expr:
    """f(x, 0), zero where it is not defined."""
    try:
        rest = substitute(law, {rate: ZERO})
    except ArithmeticError:
        return ZERO
    values = dict.fromkeys((x.name for x in free_symbols(rest)), 0.9)
    with np.errstate(all="ignore"):
        return rest if np.isfinite(evaluate(rest, values)) else ZERO


def _moving(x: Expr, variable: Expr) -> list[Expr]:
    """The symbols of an expression, besides the variable, that change with the motion."""
    return [s for s in free_symbols(x) if s is not variable and s.kind not in ("parameter", "time")]
