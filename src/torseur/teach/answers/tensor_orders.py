"""Orders of the terms of a formula: a vector is not added to a scalar, nor taken for one."""

from __future__ import annotations

from torseur.teach.answers.verdicts import SCALAR, TENSORS, VECTOR, Fault
from torseur.teach.formula.nodes import Node

ORDERS = (SCALAR, VECTOR)


def tensor_order(x: Node) -> tuple[int, list[Fault]]:
    """0 for a scalar, 1 for a vector, and every place where orders do not agree."""
    faults: list[Fault] = []
    return _order(x, faults), faults


def _order(x: Node, faults: list[Fault]) -> int:
    orders = [_order(part, faults) for part in x.args]
    if x.kind in ("vector", "tuple"):
        for part, order in zip(x.args, orders, strict=True):
            if order:
                faults.append(Fault(TENSORS, "vector component", (str(part),), part.place))
        return 1
    if x.kind in ("add", "equal"):
        return _same(x, orders, faults)
    if x.kind in ("neg", "rate"):
        return orders[0]
    if x.kind == "mul":
        return sum(orders) % 2 if sum(orders) <= 2 else 1  # two vectors: their scalar product
    if x.kind == "cross":
        if sum(orders) == 1:
            faults.append(Fault(TENSORS, "cross with a scalar", (str(x),), x.place))
        return min(sum(orders), 1)
    if x.kind == "div":
        if orders[1]:
            faults.append(Fault(TENSORS, "divided by a vector", (str(x),), x.place))
        return orders[0]
    if x.kind == "pow":
        if orders[1]:
            faults.append(Fault(TENSORS, "vector as exponent", (str(x),), x.place))
        return 0  # the square of a vector is a scalar
    if x.kind == "call" and any(orders):
        faults.append(Fault(TENSORS, "function of a vector", (str(x),), x.place))
    return 0


def _same(x: Node, orders: list[int], faults: list[Fault]) -> int:
    """The order that all terms share; a bare 0 has any."""
    pairs = [(part, order) for part, order in zip(x.args, orders, strict=True) if not part.is_zero]
    if not pairs:
        return 0
    first, order = pairs[0]
    for part, other in pairs[1:]:
        if other != order:
            key = "set equal" if x.kind == "equal" else "added"
            parts = (str(first), ORDERS[order], str(part), ORDERS[other])
            faults.append(Fault(TENSORS, key, parts, part.place))
            break
    return max(order for _, order in pairs)
