"""Equations of a robot without terms that one chooses, each by its equation and its name.

Row i is Σ A_ij q̈_j + Σ B_ijk q̇_j q̇_k + g_i − applied_i = Q_i, with the B of Christoffel's symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import number
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.count import count
from torseur.equations.formalisms.mass_matrix import Christoffel
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import System
from torseur.errors import require_known
from torseur.robotics.term_sizes import APPLIED, GRAVITY, TermSize, motions

Array = np.ndarray
Chosen = tuple[int, str]  # the place of an equation, the name of a term of it


def chosen_terms(
    system: System, terms: Sequence[TermSize | tuple[str, str]], place: str
) -> tuple[Chosen, ...]:
    """The terms that are meant, each once, two speeds in either order; `place` is who asks."""
    names = system.coordinates
    known = {frozenset(x.split()): x for x in (*motions(names), GRAVITY, APPLIED)}
    chosen: dict[Chosen, None] = {}
    for given in terms:
        equation, term = (given.equation, given.term) if isinstance(given, TermSize) else given
        term = known.get(frozenset(term.split()), term)
        require_known(place, "equation", equation, names)
        require_known(place, "term", term, known.values())
        chosen[names.index(equation), term] = None
    return tuple(chosen)


@final
@dataclass(frozen=True, eq=False)
class EquationTerms:
    """The terms of the equations of an open chain as expressions."""

    system: System

    @cached_property
    def _M(self) -> Array:
        return expressions(FUNCTIONS["mass_matrix"].build(self.system))

    @cached_property
    def _B(self) -> Array:
        return Christoffel(self.system, self._M).symbols

    @cached_property
    def _motions(self) -> dict[str, tuple[int, ...]]:
        return motions(self.system.coordinates)

    def term(self, equation: int, name: str) -> Any:
        """One term of one equation."""
        system = self.system
        if name == GRAVITY:
            return expressions(FUNCTIONS["gravity"].build(system))[equation]
        if name == APPLIED:
            return -expressions(FUNCTIONS["applied"].build(system))[equation]
        places = self._motions[name]
        j, k = places[0], places[-1]
        if len(places) == 1:
            return self._M[equation, j] * system.a[j]
        return (1 if j == k else 2) * self._B[equation, j, k] * system.v[j] * system.v[k]

    def without(self, outputs: Array, chosen: Sequence[Chosen], *, speeds: bool) -> Array:
        """The equations less some terms: taken off, or the others added up if that costs less.

        `speeds` says whether products of speeds are still part of the equations.
        """
        there = [x for x, places in self._motions.items() if speeds or len(places) == 1]
        there += [GRAVITY, APPLIED]
        less, summed = outputs.copy(), outputs.copy()
        for i in {equation for equation, _ in chosen}:
            gone = [name for name in there if (i, name) in chosen]
            rest = [name for name in there if (i, name) not in chosen]
            less[i] = outputs[i] - sum(self.term(i, name) for name in gone)
            summed[i] = sum((self.term(i, name) for name in rest), start=number(0))
        return min(expressions(less), expressions(summed), key=lambda x: count(x).total)
