"""Size of every term of the equations along a task: inertia, velocities, weight, loads.

Row i is Σ A_ij q̈_j + Σ B_ijk q̇_j q̇_k + g_i − applied_i = Q_i. The velocity terms are quadratic, so
that B_ijk = h_i(e_j + e_k) − h_i(e_j) − h_i(e_k) and B_ijj = h_i(e_j) are found from numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import number
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.count import count
from torseur.equations.formalisms.mass_matrix import Christoffel
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.symbols.system import System
from torseur.errors import require_known
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.robotics.states import States, states_of
from torseur.robotics.trajectory import Trajectory
from torseur.words.sentence import say

Array = np.ndarray
GRAVITY, APPLIED = "gravity", "applied"
_SHOWN = 12
_ROUNDING = 1e-12  # of the largest force: a term that only rounding makes
Chosen = tuple[int, str]  # the place of an equation, the name of a term of it


@final
class TermSize(Result):
    """A term of an equation."""

    equation: str  # the coordinate whose force it is part of
    term: str  # "q2..", "q1. q2.", "q1.^2", "gravity", "applied"
    peak: float  # its largest size [N m, N]
    share: float  # the same beside the largest force of the equation


@final
class TermSizes(Result, document=("peaks", "terms")):
    """The terms of all equations, the largest of each equation first."""

    terms: tuple[TermSize, ...]
    peaks: Mapping[str, float]  # the largest force of each equation

    def __iter__(self) -> Iterator[TermSize]:
        return iter(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def of(self, equation: str) -> tuple[TermSize, ...]:
        """The terms of one equation."""
        return tuple(x for x in self.terms if x.equation == equation)

    def below(self, share: float) -> tuple[TermSize, ...]:
        """The terms smaller than a share of the force of their equation."""
        return tuple(x for x in self.terms if x.share < share)

    def __str__(self) -> str:
        lines = []
        for equation, peak in self.peaks.items():
            terms = self.of(equation)
            lines.append(
                say("{equation}: {peak:.4g} at most, {number} terms", equation, peak, len(terms))
            )
            lines += [f"  {x.term}: {x.peak:.4g} ({100 * x.share:.3g} %)" for x in terms[:_SHOWN]]
        return "\n".join(lines)


def term_sizes(
    mechanism: Mechanism | CompiledModel,
    task: Trajectory | States,
    *,
    parameters: Mapping[str, float] | None = None,
) -> TermSizes:
    """The size of every term of the equations of an open chain along a task or over a workspace.

    A term is an inertia times an acceleration, a coefficient times two speeds, the weight, or what
    the description applies (friction, springs).
    """
    model = compiled_at(mechanism, parameters)
    states = states_of(model, task, "term_sizes")
    total = np.abs(np.asarray(model.function("inverse_dynamics")(states.q, states.v, states.a)))
    peaks = dict(zip(model.coordinates, map(float, total.max(axis=0)), strict=True))
    least = _ROUNDING * max(peaks.values())
    result = []
    for term, values in _terms(model, states):
        for name, size in zip(model.coordinates, np.abs(values).max(axis=0), strict=True):
            if size > least:
                share = float(size) / peaks[name] if peaks[name] else np.inf
                result.append(TermSize(name, term, float(size), share))
    order = {name: k for k, name in enumerate(model.coordinates)}
    result.sort(key=lambda x: (order[x.equation], -x.peak))
    return TermSizes(tuple(result), peaks)


def motion_terms(names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """The terms of motion by their names: the place of an acceleration, or those of two speeds."""
    result: dict[str, tuple[int, ...]] = {f"{name}..": (j,) for j, name in enumerate(names)}
    for j, k in combinations_with_replacement(range(len(names)), 2):
        result[f"{names[j]}.^2" if j == k else f"{names[j]}. {names[k]}."] = (j, k)
    return result


def _terms(model: CompiledModel, states: States) -> Iterator[tuple[str, Array]]:
    """Every term by its name, in all equations at once (states, equations)."""
    q, v, a = states.q, states.v, states.a
    M = np.asarray(model.function("mass_matrix")(q))

    def h(speeds: Array) -> Array:
        return np.asarray(model.function("bias")(q, np.tile(speeds, (len(q), 1))))

    unit = np.eye(len(model.coordinates))
    alone = [h(e) for e in unit]
    for name, places in motion_terms(model.coordinates).items():
        j, k = places[0], places[-1]
        if len(places) == 1:
            yield name, M[:, :, j] * a[:, j, np.newaxis]
        else:
            B = alone[j] if j == k else h(unit[j] + unit[k]) - alone[j] - alone[k]
            yield name, B * (v[:, j] * v[:, k])[:, np.newaxis]
    yield GRAVITY, np.asarray(model.function("gravity")(q))
    yield APPLIED, -np.asarray(model.function("applied")(q, v))


# --- equations without chosen terms --------------------------------------------------------------
#
# Row i is Σ A_ij q̈_j + Σ B_ijk q̇_j q̇_k + g_i − applied_i = Q_i, with the B of Christoffel's
# symbols.


def chosen_terms(
    system: System, terms: Sequence[TermSize | tuple[str, str]], place: str
) -> tuple[Chosen, ...]:
    """The terms that are meant, each once, two speeds in either order; `place` is who asks."""
    names = system.coordinates
    known = {frozenset(x.split()): x for x in (*motion_terms(names), GRAVITY, APPLIED)}
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
        return motion_terms(self.system.coordinates)

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
