"""Expressions at many values of their symbols, and questions about them answered at random ones.

An analytic function that is zero at a random point is zero; a matrix has there the rank it has
almost everywhere. Rounding differs from terms by its size beside the summands.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import evaluate, flat, free_symbols, leaf_value, mapped
from torseur.algebra.core.tabulated import definition
from torseur.equations.symbols.system import System
from torseur.model.description import Mechanism

Array = np.ndarray
# Columns of this many samples stay in the processor's cache while the graph is walked.
_BLOCK = 1024
_SAMPLES = 3
_ROUNDING = 1e-12
_NOTHING = 1e-22  # of the largest column: an inertia of nanometres beside a mass, squared


def over_samples(outputs: Any, values: Mapping[str, Any], samples: int) -> Array:
    """Expressions at every sample (samples, *shape of outputs); values are numbers or columns.

    The graph is walked once for a block of samples, each operation on a whole column: nothing is
    compiled, which for the length of a run would cost more than it gains.
    """
    leaves = flat(outputs)
    table = np.empty((samples, len(leaves)))
    for start in range(0, samples, _BLOCK):
        rows = slice(start, min(start + _BLOCK, samples))
        chunk = {name: x[rows] if np.ndim(x) else x for name, x in values.items()}
        for k, column in enumerate(evaluate(leaves, chunk)):
            table[rows, k] = column
    return table.reshape(samples, *np.shape(outputs))


def sample(outputs: Any, mechanism: Mechanism | None = None, seed: int = 0) -> dict[str, float]:
    """A random value of every symbol, except parameters of the mechanism that have one."""
    rng = np.random.default_rng(seed)
    values = {x.name: float(rng.uniform(0.3, 1.2)) for x in free_symbols(outputs)}
    given = {} if mechanism is None else mechanism.parameters
    return values | {name: x for name, x in given.items() if x is not None}


def sampled_matrix(A: Array, mechanism: Mechanism | None = None) -> Array:
    """A matrix of expressions at a random point."""
    values = evaluate(A, sample(A, mechanism))
    return np.asarray(values, dtype=float).reshape(A.shape)


def independent_rows(J: Array, mechanism: Mechanism | None = None) -> list[int]:
    """Rows of a matrix that determine the others."""
    return first_independent(_plain(sampled_matrix(J, mechanism)))


def first_independent(numbers: Array) -> list[int]:
    """The rows of a matrix of numbers that are no combination of those before them."""
    rows: list[int] = []
    for k in range(len(numbers)):
        if np.linalg.matrix_rank(numbers[[*rows, k]], tol=1e-9) > len(rows):
            rows.append(k)
    return rows


def is_regular(M: Array, mechanism: Mechanism | None = None) -> bool:
    """Whether a square matrix has an inverse."""
    return int(np.linalg.matrix_rank(_plain(sampled_matrix(M, mechanism)), tol=1e-11)) == len(M)


def _plain(A: Array) -> Array:
    """A matrix with columns, then rows, whose largest entry is 1: units no longer matter.

    Columns and rows of nothing but rounding stay as they are.
    """
    if not A.size:
        return A
    for axis in (0, 1):
        sizes = np.abs(A).max(axis=axis, keepdims=True)
        A = A / np.where(sizes > _NOTHING * sizes.max(), sizes, sizes.max() or 1.0)
    return A


def vanishes(x: Expr, mechanism: Mechanism | None = None) -> bool:
    """Whether an expression is zero whatever its symbols are."""
    return x is ZERO or agree(x, ZERO, mechanism)


def agree(x: Expr, y: Expr, mechanism: Mechanism | None = None) -> bool:
    """Whether two expressions are equal whatever their symbols are.

    Their difference would not say it: what rounding leaves of terms that cancel looks like a term.
    """
    for seed in range(_SAMPLES):
        values = sample([x, y], mechanism, seed)
        (a, size_a), (b, size_b) = with_size(x, values), with_size(y, values)
        if not abs(a - b) <= _ROUNDING * (size_a + size_b):
            return False
    return True


def with_size(x: Expr, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """The value of an expression, and what it would be if all terms had the same sign.

    Values are numbers or columns.
    """

    def rebuild(node: Expr, args: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        if node.op == "add":
            (a, size_a), (b, size_b) = args
            return a + b, size_a + size_b
        if node.op == "mul":
            (a, size_a), (b, size_b) = args
            return a * b, size_a * size_b
        if node.op == "pow":
            (a, size), exponent = args[0], float(node.value)
            value = np.power(a, exponent)
            return value, np.power(size, exponent) if exponent > 0 else np.abs(value)
        if not node.args:
            value = leaf_value(node, values)
        else:
            value = definition(node).evaluate(*(a for a, _ in args))
        return value, np.abs(value)

    with np.errstate(all="ignore"):
        value, size = mapped(x, rebuild)
    return value, size


def unit_quaternions(system: System, rng: np.random.Generator, count: int) -> dict[str, Array]:
    """Random ones for the joints of a tree that have them, a column for each component."""
    columns: dict[str, Array] = {}
    for four in system.quaternions:
        parts = rng.normal(size=(4, count))
        unit = parts / np.linalg.norm(parts, axis=0)
        columns |= dict(zip(four, unit, strict=True))
    return columns
