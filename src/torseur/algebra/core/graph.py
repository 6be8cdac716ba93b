"""Walks over the graph of expressions: order, substitution, evaluation."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.tabulated import Table, definition

Array = np.ndarray


def flat(outputs: Any) -> list[Expr]:
    """The nodes of an expression, an array of expressions or a nested sequence of them."""
    if type(outputs) is Expr:
        return [outputs]
    listed = np.asarray(outputs, dtype=object).ravel().tolist()
    return [x if type(x) is Expr else expression(x) for x in listed]


def expressions(values: Any) -> Array:
    """Array with every number replaced by a node."""
    array = np.asarray(values, dtype=object)
    return in_array(flat(array)).reshape(array.shape)


def in_array(nodes: Collection[Any]) -> Array:
    """Nodes as an array, without the search for shapes in each that NumPy else makes."""
    return np.fromiter(nodes, dtype=object, count=len(nodes))


def shaped(results: list[Any], shape: tuple[int, ...]) -> Any:
    """Results as an array of a shape; the only one where that is the shape of a number."""
    if not shape:
        return results[0]
    array = np.empty(len(results), dtype=object)
    array[:] = results
    return array.reshape(shape)


def reachable(
    outputs: Iterable[Expr], known: Collection[int] = (), *, lowest_first: bool = False
) -> list[Expr]:
    """Every node the outputs are made of, each after its arguments; nothing below `known` nodes.

    The order is that in which a reader who starts with the first output comes to need them. Of the
    arguments of a node the one that is built highest comes first, so that few values wait for their
    use, or the lowest.
    """
    visited: set[int] = set()
    nodes: list[Expr] = []
    pending: list[Any] = list(outputs)[::-1]
    while pending:
        x = pending.pop()
        if x is None:  # everything the node below it is made of is there
            nodes.append(pending.pop())
            continue
        key = x.key
        if key in visited:
            continue
        visited.add(key)
        args = x.args
        if not args or key in known:
            nodes.append(x)
        else:
            pending += (x, None)
            pending += args[::-1] if lowest_first else args
    return nodes


def free_symbols(outputs: Any) -> list[Expr]:
    """The symbols the outputs depend on, in order of name."""
    symbols = (x for x in reachable(flat(outputs)) if x.op == "symbol")
    return sorted(symbols, key=lambda x: (x.kind, x.name))


def tables(outputs: Any) -> list[Table]:
    """The tables that the outputs look up, in order of name."""
    distinct = {x.value.table for x in reachable(flat(outputs)) if x.op == "table"}
    return sorted(distinct, key=lambda table: (table.name, table.digest))


def mapped(
    outputs: Any, rebuild: Callable[[Expr, list[Any]], Any], known: Collection[int] = ()
) -> Any:
    """The outputs rebuilt node by node, in the shape they came in; nothing below `known` nodes."""
    shape = np.shape(outputs)
    leaves = flat(outputs)
    values: dict[int, Any] = {}
    for x in reachable(leaves, known):
        key = x.key
        below = () if key in known else x.args
        values[key] = rebuild(x, [values[a.key] for a in below])
    return shaped([values[x.key] for x in leaves], shape)


def substitute(outputs: Any, replacements: Mapping[Expr, Any]) -> Any:
    """The outputs with nodes replaced by other expressions, all at once."""
    new = {x.key: expression(value) for x, value in replacements.items()}

    def rebuild(x: Expr, args: list[Expr]) -> Expr:
        replacement = new.get(x.key)
        if replacement is not None:
            return replacement
        for a, b in zip(args, x.args, strict=True):
            if a is not b:
                return remade(x, args)
        return x

    return mapped(outputs, rebuild)


def remade(x: Expr, args: list[Expr]) -> Expr:
    """Rebuild an operation with other arguments."""
    if x.op == "add":
        return rules.add(*args)
    if x.op == "mul":
        return rules.multiply(*args)
    if x.op == "pow":
        return rules.power(args[0], x.value)
    if x.op in ("table", "call"):
        return expression(x.value(*args))
    return rules.function(x.op, *args)


def leaf_value(x: Expr, values: Mapping[str, Any]) -> Any:
    """The value of a node without arguments."""
    if x.op == "symbol":
        return values[x.name]
    return float(x.value[1]) if x.op == "number" else np.pi


def evaluate(
    outputs: Any, values: Mapping[str, Any], known: Mapping[int, Any] | None = None
) -> Any:
    """The outputs at given values of their symbols; values may be arrays that broadcast.

    Every symbol needs a value: a missing one raises KeyError with its name. `known` holds values
    of nodes by key, whose own arguments are then not needed.
    """
    known = known or {}

    def rebuild(x: Expr, args: list[Any]) -> Any:
        if x.key in known:
            return known[x.key]
        op = x.op
        if op == "mul":
            return args[0] * args[1]
        if op == "add":
            return args[0] + args[1]
        if not args:
            return leaf_value(x, values)
        if op == "pow":
            return np.power(args[0], float(x.value)) if x.value != 2 else args[0] * args[0]
        return definition(x).evaluate(*args)

    results = mapped(outputs, rebuild, known)
    if not isinstance(results, np.ndarray):
        return results
    entries = list(results.ravel())
    shapes = {np.shape(x) for x in entries} or {()}
    if len(shapes) > 1:
        return results
    return np.array(entries, dtype=float).reshape(*results.shape, *shapes.pop())
