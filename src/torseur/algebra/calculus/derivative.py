"""Derivatives taken on the graph: forward along a direction, or backward from one output."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, number
from torseur.algebra.core.graph import mapped, reachable
from torseur.algebra.core.tabulated import definition


def directional(outputs: Any, direction: Mapping[Expr, Any]) -> Any:
    """The rate of the outputs when each symbol x changes at the rate direction[x]; forward mode."""
    seeds = {x.key: expression(rate) for x, rate in direction.items()}

    def rate(x: Expr, rates: list[Expr]) -> Expr:
        if x.key in seeds:
            return seeds[x.key]
        if all(r is ZERO for r in rates):
            return ZERO
        total = ZERO
        for partial, r in zip(partials(x), rates, strict=True):
            total = rules.add(total, rules.multiply(partial, r))
        return total

    return mapped(outputs, rate)


def derivative(outputs: Any, variable: Expr) -> Any:
    """∂outputs/∂variable, in the shape of the outputs."""
    return directional(outputs, {variable: ONE})


def jacobian(outputs: Any, variables: Iterable[Expr]) -> Any:
    """∂outputs/∂variables: the variables run along a new last axis."""
    columns = [np.asarray(derivative(outputs, x), dtype=object) for x in variables]
    if not columns:
        return np.empty((*np.shape(outputs), 0), dtype=object)
    return np.stack(columns, axis=-1)


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
