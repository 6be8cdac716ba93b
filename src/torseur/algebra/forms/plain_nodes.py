"""Expressions as plain data, node after node, and the same expressions from it.

What is shared is written once: the data is as long as the program of the expressions. Reading it
gives the very nodes that were written, without any rule being applied again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from torseur.algebra.core.called import refused
from torseur.algebra.core.expr import CONSTANT, KINDS, Expr, node, number
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.graph import reachable
from torseur.algebra.core.tabulated import Table, Tabulated

LEAVES = ("number", "symbol", "constant")
OPERATIONS = ("add", "mul", "pow", "table", *FUNCTIONS)
Plain = list[Any]


def plain_nodes(outputs: Iterable[Expr]) -> tuple[list[Plain], dict[int, int]]:
    """Each node after those it is made of, and the place of each by its key."""
    ordered = sorted(reachable(list(outputs)), key=lambda x: x.key)
    places = {x.key: k for k, x in enumerate(ordered)}
    return [[x.op, [places[a.key] for a in x.args], _plain(x)] for x in ordered], places


def _plain(x: Expr) -> Any:
    """The value of a node as JSON has it."""
    if x.op == "number":
        return _scalar(x.value[1])
    if x.op == "pow":
        return _scalar(x.value)
    if x.op == "symbol":
        return list(x.value)
    if x.op == "call":
        raise refused(x)
    if x.op == "table":
        tabulated = x.value.table
        arrays = (tabulated.thresholds, tabulated.origins, tabulated.pieces)
        return [
            tabulated.name,
            tabulated.digest,
            *(a.tolist() for a in arrays),
            tabulated.period,
            x.value.order,
        ]
    return x.value


def _scalar(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def nodes_of(plain: Sequence[Plain]) -> list[Expr]:
    """The nodes that `plain_nodes` wrote; a ValueError where the data is none of its own."""
    known: list[Expr] = []
    for op, places, value in plain:
        if op not in (*LEAVES, *OPERATIONS) or any(not 0 <= k < len(known) for k in places):
            raise ValueError(f"node {len(known)} is not one")
        args = tuple(known[k] for k in places)
        known.append(_node(op, args, value))
    return known


def _node(op: str, args: tuple[Expr, ...], value: Any) -> Expr:
    if op == "number":
        return number(_number(value))
    stage = max((a.stage for a in args), default=CONSTANT)
    if op == "symbol":
        name, kind = value
        return node(op, (), (name, kind), KINDS[kind])
    if op == "pow":
        return node(op, args, _number(value), stage)
    if op == "table":
        return node(op, args, _tabulated(value), stage)
    return node(op, args, value, stage)


def _number(value: Any) -> Any:
    return Fraction(value) if isinstance(value, str) else value


def _tabulated(value: Sequence[Any]) -> Tabulated:
    name, digest, thresholds, origins, pieces, period, order = value
    at, begins, cubics = (np.array(x, dtype=float) for x in (thresholds, origins, pieces))
    return Tabulated(Table(name, digest, at, begins, cubics, period), order)


def plain_values(value: Any, places: Mapping[int, int]) -> Any:
    """Arrays, tables and mappings of expressions as plain data that names nodes by place."""
    if isinstance(value, Expr):
        return {"node": places[value.key]}
    if isinstance(value, np.ndarray):
        return {"array": list(value.shape), "of": [plain_values(x, places) for x in value.ravel()]}
    if isinstance(value, Mapping):
        pairs = value.items()
        return {"pairs": [[plain_values(x, places) for x in pair] for pair in pairs]}
    if isinstance(value, tuple | list):
        return {"list": [plain_values(x, places) for x in value], "tuple": isinstance(value, tuple)}
    return value.item() if isinstance(value, np.generic) else value


def values_of(plain: Any, nodes: Sequence[Expr]) -> Any:
    """Read expressions that `plain_values` wrote."""
    if not isinstance(plain, dict):
        return plain
    if "node" in plain:
        return nodes[plain["node"]]
    if "array" in plain:
        values = [values_of(x, nodes) for x in plain["of"]]
        flat = np.empty(len(values), dtype=object)
        flat[:] = values
        return flat.reshape(plain["array"])
    if "pairs" in plain:
        return {values_of(k, nodes): values_of(x, nodes) for k, x in plain["pairs"]}
    values = [values_of(x, nodes) for x in plain["list"]]
    return tuple(values) if plain["tuple"] else values


def nodes_in(value: Any) -> Iterable[Expr]:
    """Every expression in arrays, sequences and mappings."""
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, np.ndarray):
        yield from (x for x in value.ravel() if isinstance(x, Expr))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from nodes_in(pair)
    elif isinstance(value, tuple | list):
        for x in value:
            yield from nodes_in(x)


def is_plain(value: Any) -> bool:
    """Whether there is nothing in a value but expressions, numbers, texts and what holds them."""
    if isinstance(value, np.ndarray):
        return all(is_plain(x) for x in value.ravel())
    if isinstance(value, Mapping):
        return all(is_plain(x) for pair in value.items() for x in pair)
    if isinstance(value, tuple | list):
        return all(is_plain(x) for x in value)
    return value is None or isinstance(value, Expr | str | bool | int | float | np.generic)
