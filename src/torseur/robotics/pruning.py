"""Terms of sums left out of expressions where, at some samples, the result hardly feels them.

Every sum of the graph is looked at, those inside recursions too: what a term adds to each result
is, to first order, the adjoint of its sum times the term. Terms are left out from the smallest on,
and the error that this causes is measured by evaluating the shorter expressions at every sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import partials
from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import evaluate, expressions, mapped, reachable, remade

Array = np.ndarray
Term = tuple[int, int]  # the key of a sum, the place of the argument that is left out
_ROUNDS = 12


@final
@dataclass(frozen=True)
class LeftOut:
    """A term, and what its sum adds to the results."""

    term: Expr
    equation: int  # the result that feels it most
    size: float  # at most, beside the largest value of that result


@final
class Pruned:
    """Expressions, their values at samples, and what they may differ by."""

    def __init__(self, outputs: Sequence[Expr], values: Mapping[str, Array], samples: int) -> None:
        self.outputs = expressions(list(outputs))
        self._values, self._samples = values, samples
        self._full = self._evaluated(self.outputs)
        largest = np.abs(self._full).max(axis=1, keepdims=True)
        self._sizes = np.where(largest > 0, largest, 1.0)
        self.left_out: list[LeftOut] = []

    def _evaluated(self, outputs: Any) -> Array:
        result = evaluate(outputs, self._values)
        return np.array([np.broadcast_to(np.asarray(x, float), self._samples) for x in result])

    def _by_key(self, nodes: Sequence[Expr]) -> dict[int, Any]:
        """The values of nodes at the samples."""
        result = evaluate(expressions(list(nodes)), self._values)
        return dict(zip((x.key for x in nodes), result, strict=True))

    def errors(self, outputs: Any) -> Array:
        """The largest error of each result beside its largest value."""
        result = self._evaluated(outputs)
        return np.asarray((np.abs(result - self._full) / self._sizes).max(axis=1))

    def share(self, term: Expr, equation: int) -> float:
        """The largest value of a term beside the largest value of a result."""
        return float(np.abs(self._evaluated([term])).max() / self._sizes[equation, 0])

    def prune(self, tolerance: float) -> None:
        """Leave out what can be, round after round, while errors stay within the tolerance."""
        for _ in range(_ROUNDS):
            result = self._terms(tolerance)
            if not self._shortened(result, tolerance):
                return

    def _shortened(self, result: list[tuple[Term, LeftOut]], tolerance: float) -> bool:
        """Whether any of the terms could be left out; groups that cannot are halved."""
        chosen: dict[int, int] = {}
        dropped: list[LeftOut] = []
        waiting = [result]
        while waiting:
            group = [x for x in waiting.pop() if x[0][0] not in chosen]
            trial = chosen | {key: place for (key, place), _ in group}
            if not group:
                continue
            if self.errors(_without(self.outputs, trial)).max() <= tolerance:
                chosen = trial
                dropped += [text for _, text in group]
            elif len(group) > 1:
                half = len(group) // 2
                waiting += [group[half:], group[:half]]  # smallest first
        self.outputs = _without(self.outputs, chosen)
        self.left_out += dropped
        return bool(chosen)

    def _terms(self, tolerance: float) -> list[tuple[Term, LeftOut]]:
        """The terms that may be left out, the smallest first; one of each sum at most."""
        nodes = reachable(list(self.outputs))
        values = self._by_key(nodes)
        slopes = self._by_key([slope for x in nodes for slope in partials(x)])
        adjoint = _adjoints(self.outputs, nodes, slopes, self._samples)
        result = []
        for x in nodes:
            if x.op != "add":
                continue
            felt = [np.abs(adjoint[x.key] * values[y.key]) / self._sizes for y in x.args]
            place = int(felt[0].max() > felt[1].max())
            most = felt[place].max(axis=1)
            if most.max() <= tolerance:
                text = LeftOut(x.args[place], int(most.argmax()), float(most.max()))
                result.append(((x.key, place), text))
        return sorted(result, key=lambda x: x[1].size)


def _without(outputs: Any, terms: Mapping[int, int]) -> Any:
    """The expressions with one argument of some sums left out."""

    def rebuild(x: Expr, args: list[Expr]) -> Expr:
        if x.key in terms:
            return args[1 - terms[x.key]]
        return x if all(a is b for a, b in zip(args, x.args, strict=True)) else remade(x, args)

    return mapped(outputs, rebuild)


def _adjoints(
    outputs: Any, nodes: Sequence[Expr], slopes: Mapping[int, Any], samples: int
) -> dict[int, Array]:
    """∂(every output)/∂(every node) at the samples: (outputs, samples) by the key of the node.

    `slopes` are the values of the derivatives of nodes by their arguments.
    """
    count = len(outputs)
    result = {x.key: np.zeros((count, samples)) for x in nodes}
    for k, x in enumerate(outputs):
        result[x.key][k] += 1.0
    for x in reversed(nodes):
        if not x.args or not result[x.key].any():
            continue
        for argument, slope in zip(x.args, partials(x), strict=True):
            if argument.op != "number":
                result[argument.key] += result[x.key] * slopes[slope.key]
    return result
