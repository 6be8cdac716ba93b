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
        self, held: NumericConstraints, tree: NumericTree, branch: ClosingBranch, q: Array, t: float
    ) -> None:
        self._sizes = sizes = held.model.sizes
        self._tree, self._branch, self._q = tree, branch, q
        self._J = sizes.without_dimension(np.array(held.J(q, t)))
        self._b = held.rate(q, t) / sizes.rows
        self._places = {name: k for k, name in enumerate(held.model.speeds)}

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
        self, v: Array, asked: Sequence[str], fixed: Sequence[str], resting: Sequence[str]
    ) -> Array:
        """Consistent speeds: those asked for, of pinned and of given coordinates as in v.

        If they cannot all be kept, fewer are, and at last each that is asked for in its order, if
        it can be kept beside those before it; or all are changed by as little as possible, if the
        order costs far more.
        """
        for names in ([*asked, *fixed, *resting], [*asked, *fixed], asked):
            try:
                return self.consistent(v, names)
            except SolveError:
                continue
        kept: list[str] = []
        found = self.consistent(v, kept)
        for name in asked:
            try:
                found = self.consistent(v, [*kept, name])
            except SolveError:
                continue
            kept.append(name)
        least = self._least(v, asked)
        costs = [largest(self._off(v, x, asked)) for x in (found, least)]
        return least if costs[0] > DEARER * costs[1] else found

    def consistent(self, v: Array, names: Sequence[str]) -> Array:
        """The slowest speeds that the constraints allow, with the named ones as they are given."""
        kept = list(dict.fromkeys(names))
        fixed = [self._places[n] for n in kept if n in self._places]
        u = v / self._sizes.displacements
        given, size = self._branch.speeds, self._tree.size
        values = [
            u[self._places[n]] if n in self._places else given.get(n, 0.0) / size(n) for n in kept
        ]
        A = np.vstack([self._J, *(self._rows[n] for n in kept)])
        wanted = np.concatenate([-self._b, values])
        found = np.zeros(len(v))
        if largest(wanted):
            slowest = least_step(A, wanted, self._arcs)
            slowest[np.abs(slowest) < _ROUNDING * largest(slowest)] = 0.0
            # given ones exactly, the others once more without the rounding of the first solution
            slowest[fixed] = u[fixed]
            free = [k for k in range(len(v)) if k not in fixed and slowest[k]]
            slowest[free] += least_step(A[:, free], wanted - A @ slowest, None)
            found = slowest * self._sizes.displacements
        found[fixed] = v[fixed]
        left = largest(A @ (found / self._sizes.displacements) - wanted)
        usual = 1 / self._sizes.scales.time
        if left > _KEPT * (usual + largest(wanted)):
            raise SolveError(
                "assemble",
                say(
                    "the pinned speeds cannot be kept: loops would open at {left:.3g} sizes or "
                    "radians a second.",
                    left,
                ),
                "Pin fewer coordinates.",
            )
        return found

    def _least(self, v: Array, asked: Sequence[str]) -> Array:
        """Consistent speeds with the least change of those asked for."""
        u, arcs = v / self._sizes.displacements, [self._tree.arc(n) for n in asked]
        A = np.array([arc * self._rows[n] for arc, n in zip(arcs, asked, strict=True)])
        right, off = -(self._b + self._J @ u), self._off(v, v, asked)
        found = u + nearest_step(self._J, right, A, off, self._arcs)
        return np.asarray(found * self._sizes.displacements)

    def _off(self, v: Array, found: Array, asked: Sequence[str]) -> Array:
        """The rates of arcs by which the speeds asked for differ from the given ones."""
        given, size = self._branch.speeds, self._tree.size
        before, u = (x / self._sizes.displacements for x in (v, found))
        off = []
        for name in asked:
            row = self._rows[name]
            wanted = given[name] / size(name) if name in given else row @ before
            off.append(self._tree.arc(name) * (row @ u - wanted))
        return np.array(off)
