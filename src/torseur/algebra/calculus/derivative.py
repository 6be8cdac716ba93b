"""Derivatives taken on the graph: forward along a direction, or backward from one output.

What is linear in a symbol is solved for it by them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, number
from torseur.algebra.core.graph import flat, reachable, shaped, substitute
from torseur.algebra.core.tabulated import definition


def directional(outputs: Any, direction: Mapping[Expr, Any]) -> Any:
    """The rate of the outputs when each symbol x changes at the rate direction[x]; forward mode."""
    leaves = flat(outputs)
    rates = _rates(reachable(leaves), direction)
    return shaped([rates.get(x.key, ZERO) for x in leaves], np.shape(outputs))


def _rates(nodes: list[Expr], direction: Mapping[Expr, Any]) -> dict[int, Expr]:
    """The rates of those nodes, each given after its arguments, that change at all."""
    rates = {x.key: expression(rate) for x, rate in direction.items()}
    seeds = set(rates)
    for x in nodes:
        args = x.args
        if len(args) == 2:  # as most are
            if args[0].key not in rates and args[1].key not in rates:
                continue
        elif not any(a.key in rates for a in args):
            continue
        if x.key in seeds:
            continue
        total = ZERO
        for partial, argument in zip(partials(x), x.args, strict=True):
            if argument.key in rates:
                total = rules.add(total, rules.multiply(partial, rates[argument.key]))
        if total is not ZERO:
            rates[x.key] = total
    return rates


def derivative(outputs: Any, variable: Expr) -> Any:
    """∂outputs/∂variable, in the shape of the outputs."""
    return directional(outputs, {variable: ONE})


def jacobian(outputs: Any, variables: Iterable[Expr]) -> Any:
    """∂outputs/∂variables: the variables run along a new last axis."""
    leaves = flat(outputs)
    nodes = reachable(leaves)
    present = {x.key for x in nodes}
    columns = [_rates(nodes, {x: ONE}) if x.key in present else {} for x in variables]
    entries = [rates.get(x.key, ZERO) for x in leaves for rates in columns]
    return shaped(entries, (*np.shape(outputs), len(columns)))


def gradient(output: Expr, variables: Iterable[Expr]) -> np.ndarray:
    """∂output/∂variables in one backward sweep over the graph."""
    output = expression(output)
    adjoint: dict[int, Expr] = {output.key: ONE}
    for x in reversed(reachable([output])):
        bar = adjoint.get(x.key)
        if bar is None:
            continue
        for argument, partial in zip(x.args, partials(x), strict=True):
            share = rules.multiply(bar, partial)
            adjoint[argument.key] = rules.add(adjoint.get(argument.key, ZERO), share)
    return np.array([adjoint.get(x.key, ZERO) for x in variables], dtype=object)


def time_derivative(outputs: Any, rates: Mapping[Expr, Any], time: Expr | None = None) -> Any:
    """d(outputs)/dt, from the rate of every variable; `time` itself passes at the rate 1."""
    direction = dict(rates)
    if time is not None:
        direction[time] = ONE
    return directional(outputs, direction)


def partials(x: Expr) -> tuple[Expr, ...]:
    """∂x/∂argument for each argument of a node."""
    if x.op == "add":
        return ONE, ONE
    if x.op == "mul":
        return x.args[1], x.args[0]
    if x.op == "pow":
        return (number(x.value) * rules.power(x.args[0], x.value - 1),)
    if not x.args:
        return ()
    return tuple(expression(d) for d in definition(x).derivatives(*x.args))


def solved_for(x: Expr, zero: Expr, known: Mapping[Expr, Any]) -> dict[Expr, Any]:
    """Values that are known, and that of x, in which a condition is linear, put into them."""
    value = expression(-substitute(zero, {x: ZERO}) / derivative(zero, x))
    return {y: substitute(z, {x: value}) for y, z in known.items()} | {x: value}
