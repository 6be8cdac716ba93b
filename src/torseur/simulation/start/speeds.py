"""Speeds that the constraints allow, nearest to what is given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.simulation.constraints.newton import largest
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.closing_branch import ClosingBranch
from torseur.simulation.start.least_steps import DEARER, least_step, nearest_step
from torseur.simulation.start.numeric_tree import NumericTree
from torseur.words.sentence import say

Array = np.ndarray
_ROUNDING = 1e-15  # of the largest speed, below which one is zero
_KEPT = 1e-9  # of the speeds, by which constraints may open


@final
class StartSpeeds:
    """The speeds of a configuration q that is closed at a time.

    Speeds are named, those of joints that close loops like those of the tree.
    """

    def __init__(
        self,
        constraints: NumericConstraints,
        tree: NumericTree,
        branch: ClosingBranch,
        q: Array,
        t: float,
    ) -> None:
        self._sizes = sizes = constraints.model.sizes
        self._tree, self._branch, self._q = tree, branch, q
        self._J = sizes.without_dimension(np.array(constraints.J(q, t)))
        self._b = constraints.rate(q, t) / sizes.rows
        self._places = {name: k for k, name in enumerate(constraints.model.speeds)}

    @cached_property
    def _rows(self) -> dict[str, Array]:
        """Each speed, in parts of its size, as a row of the speeds of the tree."""
        return self._tree.rows(self._q)

    @cached_property
    def _arcs(self) -> Array:
        return self._tree.arcs(self._q)

    def closing(self, v: Array) -> dict[str, float]:
        """The given speeds of closing joints as they are when the tree moves at v."""
        u = v / self._sizes.displacements
        return {n: float(self._rows[n] @ u * self._tree.size(n)) for n in self._branch.speeds}

    def keeping(
        self, v: Array, requested: Sequence[str], fixed: Sequence[str], resting: Sequence[str]
    ) -> Array:
        """Consistent speeds: the requested ones, those of pinned and given coordinates as in v.

        If they cannot all be kept, fewer are; at last each requested one in its order, if it can
        be kept beside those before it; or all are changed by as little as possible, if the order
        costs far more.
        """
        for names in ([*requested, *fixed, *resting], [*requested, *fixed], requested):
            try:
                return self.consistent(v, names)
            except SolveError:
                continue
        satisfied: list[str] = []
        result = self.consistent(v, satisfied)
        for name in requested:
            try:
                result = self.consistent(v, [*satisfied, name])
            except SolveError:
                continue
            satisfied.append(name)
        least = self._least(v, requested)
        costs = [largest(self._off(v, x, requested)) for x in (result, least)]
        return least if costs[0] > DEARER * costs[1] else result

    def consistent(self, v: Array, names: Sequence[str]) -> Array:
        """The slowest speeds that the constraints allow, with the named ones as they are given."""
        distinct = list(dict.fromkeys(names))
        fixed = [self._places[n] for n in distinct if n in self._places]
        u = v / self._sizes.displacements
        given, size = self._branch.speeds, self._tree.size
        values = [
            u[self._places[n]] if n in self._places else given.get(n, 0.0) / size(n)
            for n in distinct
        ]
        A = np.vstack([self._J, *(self._rows[n] for n in distinct)])
        right = np.concatenate([-self._b, values])
        result = np.zeros(len(v))
        if largest(right):
            slowest = least_step(A, right, self._arcs)
            slowest[np.abs(slowest) < _ROUNDING * largest(slowest)] = 0.0
            # given ones exactly, the others once more without the rounding of the first solution
            slowest[fixed] = u[fixed]
            free = [k for k in range(len(v)) if k not in fixed and slowest[k]]
            slowest[free] += least_step(A[:, free], right - A @ slowest, None)
            result = slowest * self._sizes.displacements
        result[fixed] = v[fixed]
        left = largest(A @ (result / self._sizes.displacements) - right)
        usual = 1 / self._sizes.scales.time
        if left > _KEPT * (usual + largest(right)):
            raise SolveError(
                "assemble",
                say(
                    "the pinned speeds cannot be kept: loops would open at {left:.3g} sizes or "
                    "radians a second.",
                    left,
                ),
                "Pin fewer coordinates.",
            )
        return result

    def _least(self, v: Array, requested: Sequence[str]) -> Array:
        """Consistent speeds with the least change of those asked for."""
        u, arcs = v / self._sizes.displacements, [self._tree.arc(n) for n in requested]
        A = np.array([arc * self._rows[n] for arc, n in zip(arcs, requested, strict=True)])
        right, off = -(self._b + self._J @ u), self._off(v, v, requested)
        result = u + nearest_step(self._J, right, A, off, self._arcs)
        return np.asarray(result * self._sizes.displacements)

    def _off(self, v: Array, result: Array, requested: Sequence[str]) -> Array:
        """The rates of arcs by which the speeds asked for differ from the given ones."""
        given, size = self._branch.speeds, self._tree.size
        before, u = (x / self._sizes.displacements for x in (v, result))
        off = []
        for name in requested:
            row = self._rows[name]
            target = given[name] / size(name) if name in given else row @ before
            off.append(self._tree.arc(name) * (row @ u - target))
        return np.array(off)
