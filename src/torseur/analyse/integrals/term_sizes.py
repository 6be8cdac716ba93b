"""Values of expressions beside the sizes of what adds up to them, which does not cancel."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, mapped

Array = np.ndarray


def value_and_size(x: Expr, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """An expression, and the same with every sum the sum of the sizes of its terms."""

    def rebuild(node: Expr, args: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        if node.op == "add":
            (a, size_a), (b, size_b) = args
            return a + b, size_a + size_b
        if node.op == "mul":
            (a, size_a), (b, size_b) = args
            return a * b, size_a * size_b
        known = {argument.key: value for argument, (value, _) in zip(node.args, args, strict=True)}
        value = evaluate(node, values, known)
        if node.op == "pow" and node.value > 0:
            return value, args[0][1] ** float(node.value)
        return value, np.abs(value)

    found: tuple[Any, Any] = mapped(x, rebuild)
    return found
