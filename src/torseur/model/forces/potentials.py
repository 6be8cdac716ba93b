"""The potential of a law of one variable: found for polynomials and pieces of them, or given.

A law f(x, ẋ) has the potential of its part at rest, f(x, 0); what it has besides is counted by its
power.
"""

from typing import Any

import numpy as np

from torseur.algebra.calculus.antiderivative import continuous_antiderivative
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import evaluate, free_symbols, reachable, substitute
from torseur.errors import ModelError
from torseur.words.sentence import say

CLOSE = 1e-9  # relative difference of expressions that are meant to be equal
TRIALS = 5
_PLACES = 200  # at which a potential is compared


def potential_of(law: Expr, variable: Expr, rate: Expr) -> Expr:
    """∫ f(x, 0) dx, continuous; zero when it is not found, or f depends on another motion.

    It is found for polynomials and for pieces of them (`algebra/calculus/antiderivative.py`).
    """
    rest = _at_rest(law, rate)
    potential = None if _moving(rest, variable) else continuous_antiderivative(rest, variable)
    return ZERO if potential is None else potential


def check_potential(place: str, potential: Expr, law: Expr, variable: Expr, rate: Expr) -> None:
    """f(x, 0) is the derivative of the potential, for any values of their symbols."""
    others = _moving(potential, variable)
    if others:
        raise ModelError(
            place,
            say('the potential depends on "{others}".', others[0].name),
            say("It is a function of {variable}, of the parameters and of t only.", variable.name),
        )
    slope, force = derivative(potential, variable), _at_rest(law, rate)
    rng = np.random.default_rng(0)
    for _ in range(TRIALS):
        values = {x.name: rng.uniform(0.5, 1.5) for x in free_symbols([slope, force])}
        with np.errstate(all="ignore"):
            first, second = (float(x) for x in evaluate([force, slope], values))
        if abs(first - second) > CLOSE * max(abs(first), abs(second)):
            text = ", ".join(f"{name} = {value:.3g}" for name, value in values.items())
            raise ModelError(
                place,
                say(
                    "the potential is not that of the force: with {shown} its derivative is "
                    "{second:.6g} instead of {first:.6g}.",
                    text,
                    second,
                    first,
                ),
                say("Its derivative is {slope}; it should be {wanted}.", slope, force),
            )
    _check_continuous(place, potential, potential_of(law, variable, rate), variable)


def _check_continuous(place: str, given: Expr, integral: Expr, variable: Expr) -> None:
    """A given potential differs by a constant from the one that is found, which has no jumps.

    Judged where both have the same slope: a formula may hold on one side of zero only.
    """
    pair = [given, integral]
    if integral is ZERO or all(x.op not in ("if", "sign") for x in reachable(pair)):
        return
    rng = np.random.default_rng(0)
    values: dict[str, Any] = {x.name: rng.uniform(0.5, 1.5) for x in free_symbols(pair)}
    x = values[variable.name] = rng.uniform(-3, 3, _PLACES)
    slopes = [derivative(y, variable) for y in pair]
    with np.errstate(all="ignore"):
        V, W, dV, dW = (np.broadcast_to(y, x.shape) for y in evaluate([*pair, *slopes], values))
    same = np.abs(dV - dW) <= CLOSE * np.maximum(np.abs(dV), np.abs(dW))
    apart, size = np.where(same, V - W, np.nan), np.abs([V, W])[:, same].max(initial=0.0)
    if not same.any() or np.nanmax(apart) - np.nanmin(apart) <= CLOSE * size:
        return
    first, last = sorted((np.nanargmin(apart), np.nanargmax(apart)), key=lambda k: x[k])
    raise ModelError(
        place,
        say(
            "the potential jumps: from {variable} = {start:.3g} to {end:.3g} it changes by "
            "{change:.6g} instead of {wanted:.6g}.",
            variable.name,
            x[first],
            x[last],
            V[last] - V[first],
            W[last] - W[first],
        ),
        "Leave out the entry potential: it is computed from the law.",
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
