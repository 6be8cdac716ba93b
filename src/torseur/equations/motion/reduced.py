"""Equations without multipliers: the dependent speeds eliminated through the constraints.

With the speeds split into independent u and dependent d, J v + b = 0 gives v = N u + c, where N is
the identity on u and −J_d⁻¹ J_u on d. Multiplied by Nᵀ, which no reaction survives, the equations
of motion become M_r u̇ + h_r + g_r = Q_r. A coordinate that a relation gives explicitly is
eliminated too, so that the result speaks of the others only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.rows import Constraints
from torseur.equations.expressions.tidy import tidied
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class ReducedEquations:
    """M a + h + g = Q in the accelerations of the independent speeds.

    The matrices depend on every coordinate that no relation gives explicitly: those of the
    independent speeds and those that only the loops know. `speeds_of` is N, `carried` is c: all
    the speeds of the tree are N u + c.
    """

    speeds: tuple[str, ...]  # u, in order
    coordinates: tuple[str, ...]  # those the matrices speak of
    eliminated: dict[str, Expr]  # coordinates given explicitly by relations
    M: Array
    h: Array
    g: Array
    Q: Array
    speeds_of: Array  # N (n × m)
    carried: Array  # c (n)

    def __str__(self) -> str:
        a = [symbol(f"{name}.", "acceleration") for name in self.speeds]
        left, right = tidied(self.M @ a + self.h), tidied(self.Q - self.g)
        rows = zip(self.speeds, left, right, strict=True)
        given = [f"{name} = {x}" for name, x in self.eliminated.items()]
        return "\n".join([*given, *(f"{n.removesuffix('.')}: {x} = {y}" for n, x, y in rows)])

    def __repr__(self) -> str:
        return f"<ReducedEquations: {', '.join(self.speeds)}>"

    def evaluate(
        self, q: dict[str, float], u: Sequence[float], parameters: dict[str, float], t: float = 0.0
    ) -> dict[str, Array]:
        """M, h, g and Q at coordinates by name and independent speeds in order."""
        known: dict[str, Any] = {**parameters, **q, TIME.name: t}
        known |= dict(zip(self.speeds, u, strict=True))
        parts = {"M": self.M, "h": self.h, "g": self.g, "Q": self.Q}
        return {name: np.asarray(evaluate(x, known), dtype=float) for name, x in parts.items()}


@final
@dataclass(frozen=True)
class SpeedElimination:
    """M a + h + g = Q + Jᵀ λ, from which the dependent speeds and the multipliers go.

    `independent` names speeds, or their coordinates. Without names, the first coordinates of the
    mechanism that determine the others are taken.
    """

    system: System
    constraints: Constraints | GivenConstraints
    M: Array
    h: Array
    g: Array
    Q: Array
    independent: tuple[str, ...]

    @cached_property
    def _names(self) -> list[str]:
        return _speed_names(self.system.speeds, self.independent)

    @cached_property
    def _sample(self) -> dict[str, float]:
        """Numbers for every symbol, at which ranks are judged."""
        rng = np.random.default_rng(0)
        outputs = [*self.constraints.J.ravel(), *self.M.ravel()]
        given = self.system.mechanism.parameters
        values = {x.name: float(rng.uniform(0.3, 1.2)) for x in free_symbols(outputs)}
        return values | {name: x for name, x in given.items() if x is not None}

    @cached_property
    def _split(self) -> tuple[list[int], list[int], list[int]]:
        """The independent columns, the dependent ones, and as many independent rows."""
        J = np.asarray(evaluate(self.constraints.J, self._sample), dtype=float)
        n = len(self.system.speeds)
        J = J.reshape(-1, n)
        wanted = [self.system.speeds.index(name) for name in self._names]
        rank = int(np.linalg.matrix_rank(J, tol=1e-9)) if J.size else 0
        order = [k for k in range(n - 1, -1, -1) if k not in wanted] + wanted[::-1]
        dependent: list[int] = []
        for k in order:
            if len(dependent) < rank and np.linalg.matrix_rank(J[:, [*dependent, k]], tol=1e-9) > (
                len(dependent)
            ):
                dependent.append(k)
        taken = [name for name in self._names if self.system.speeds.index(name) in dependent]
        if taken:
            raise ModelError(
                f'mechanism "{self.system.mechanism.name}"',
                say(
                    '"{taken}" is not independent of the other speeds named: the mechanism has {n} '
                    "independent speeds.",
                    taken[0],
                    n - rank,
                ),
                say("Name at most {n}, none of which determines another.", n - rank),
            )
        rows: list[int] = []
        for k in range(len(J)):
            if np.linalg.matrix_rank(J[[*rows, k]], tol=1e-9) > len(rows):
                rows.append(k)
        return [k for k in range(n) if k not in dependent], sorted(dependent), rows

    @cached_property
    def _speeds(self) -> tuple[Array, Array]:
        """N and c."""
        free, dependent, rows = self._split
        n = len(self.system.speeds)
        J, b = self.constraints.J[rows], self.constraints.rate[rows]
        right = np.column_stack([J[:, free], b]) if rows else np.zeros((0, len(free) + 1))
        solved = _solved(J[:, dependent], right)
        N = expressions(np.zeros((n, len(free))))
        c = expressions(np.zeros(n))
        for column, k in enumerate(free):
            N[k, column] = ONE
        for row, k in enumerate(dependent):
            N[k] = -solved[row, :-1]
            c[k] = -solved[row, -1]
        return N, c

    def result(self) -> ReducedEquations:
        """The equations in a minimal set of speeds."""
        system = self.system
        N, c = self._speeds
        free = self._split[0]
        u = system.v[free]
        v = N @ u + c
        along = dict(zip(system.v, expressions(v), strict=True))
        rates = substitute(self.constraints.coordinate_rates, along)
        turning = time_derivative(
            expressions(v), dict(zip(system.q, rates, strict=True)), TIME
        )  # v̇ at u̇ = 0
        h = substitute(self.h, along)
        equations = ReducedEquations(
            tuple(x.name for x in u),
            system.coordinates,
            {},
            M=expressions(N.T @ self.M @ N),
            h=expressions(N.T @ (h + self.M @ turning)),
            g=expressions(N.T @ self.g),
            Q=expressions(N.T @ substitute(self.Q, along)),
            speeds_of=expressions(N),
            carried=expressions(c),
        )
        return _without_explicit(equations, self.constraints)


def _speed_names(speeds: tuple[str, ...], names: tuple[str, ...]) -> list[str]:
    speed_names = []
    for name in names:
        speed = name if name in speeds else f"{name}."
        if speed not in speeds:
            raise unknown("reduced", "coordinate", name, [x.removesuffix(".") for x in speeds])
        speed_names.append(speed)
    return speed_names


def _solved(A: Array, right: Array) -> Array:
    """A⁻¹ right by Cramer's rule: nothing is divided by but the determinant.

    An elimination would divide by pivots that vanish in configurations where A is regular.
    """
    n = len(A)
    minors: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}

    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Any:
        """The determinant of a part of A, along its first row."""
        if not rows:
            return ONE
        if (rows, columns) not in minors:
            total = ZERO
            for k, column in enumerate(columns):
                entry = expression(A[rows[0], column])
                if entry is not ZERO:
                    below = minor(rows[1:], (*columns[:k], *columns[k + 1 :]))
                    total = total + (-1) ** k * entry * below
            minors[rows, columns] = total
        return minors[rows, columns]

    everything = tuple(range(n))
    determinant = minor(everything, everything)
    inverse = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            rows, columns = (tuple(k for k in everything if k != skipped) for skipped in (i, j))
            inverse[j, i] = (-1) ** (i + j) * minor(rows, columns) / determinant
    return expressions(inverse @ expressions(right)).reshape(n, right.shape[1])


def _without_explicit(
    found: ReducedEquations, held: Constraints | GivenConstraints
) -> ReducedEquations:
    """Coordinates that a relation is linear in, with a constant factor, replaced by the others."""
    kept = {name.removesuffix(".") for name in found.speeds}
    known: dict[Expr, Any] = {}
    for zero in held.gap[held.joint_gaps :]:
        zero = substitute(zero, known)
        for x in free_symbols(zero):
            if x.kind != "coordinate" or x.name in kept:
                continue
            factor = derivative(zero, x)
            if any(y.kind == "coordinate" for y in free_symbols(factor)) or factor is ZERO:
                continue
            value = expression(-substitute(zero, {x: ZERO}) / factor)
            known = {y: substitute(z, {x: value}) for y, z in known.items()} | {x: value}
            break
    parts = {
        name: substitute(getattr(found, name), known)
        for name in ("M", "h", "g", "Q", "speeds_of", "carried")
    }
    names = {x.name: value for x, value in known.items()}
    coordinates = tuple(name for name in found.coordinates if name not in names)
    return replace(found, coordinates=coordinates, eliminated=names, **parts)
