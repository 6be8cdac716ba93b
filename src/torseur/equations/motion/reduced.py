"""Equations without multipliers: the dependent speeds eliminated through the constraints.

With the speeds split into independent u and dependent d, J v + b = 0 gives v = N u + c, where N is
the identity on u and −J_d⁻¹ J_u on d. Multiplied by Nᵀ, which no reaction survives, the equations
of motion become M_r u̇ + h_r + g_r = Q_r. A coordinate that a relation gives explicitly is
eliminated too, so that the result speaks of the others only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative, solved_for, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.algebra.printing.layout import Ranks
from torseur.equations.constraints.rows import Held
from torseur.equations.expressions.linear import by_adjugate
from torseur.equations.expressions.sampling import first_independent, sample
from torseur.equations.expressions.tidy import book_text
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, unknown
from torseur.model.values.named_numbers import name_ranks
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

    _repr_html_ = notebook.told

    speeds: tuple[str, ...]  # u, in order
    coordinates: tuple[str, ...]  # those the matrices speak of
    eliminated: dict[str, Expr]  # coordinates given explicitly by relations
    M: Array
    h: Array
    g: Array
    Q: Array
    speeds_of: Array  # N (n × m)
    carried: Array  # c (n)
    ranks: Ranks = field(default_factory=dict)  # the order of symbols in print

    def __str__(self) -> str:
        a = [symbol(f"{name}.", "acceleration") for name in self.speeds]
        rows = zip(self.speeds, self.M @ a + self.h, self.Q - self.g, strict=True)
        lines = [f"{name} = {book_text(x, self.ranks)}" for name, x in self.eliminated.items()]
        for name, *sides in rows:
            both = (book_text(x, self.ranks) for x in sides)
            lines.append(f"{name.removesuffix('.')}: {' = '.join(both)}")
        return "\n".join(lines)

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


def reduced(
    system: System,
    constraints: Held,
    matrices: tuple[Array, Array, Array, Array],
    independent: Sequence[str],
) -> ReducedEquations:
    """M a + h + g = Q + Jᵀ λ without the dependent speeds and the multipliers.

    `independent` names speeds, or their coordinates. Without names, the first coordinates of the
    mechanism that determine the others are taken.
    """
    M, h, g, Q = matrices
    free, dependent, rows = _split(system, constraints, M, independent)
    u = system.v[free]
    N, c = _speeds(constraints, free, dependent, rows)
    v = expressions(N @ u + c)
    along = dict(zip(system.v, v, strict=True))
    rates = substitute(constraints.coordinate_rates, along)
    turning = time_derivative(v, dict(zip(system.q, rates, strict=True)), TIME)  # v̇ at u̇ = 0
    equations = ReducedEquations(
        tuple(x.name for x in u),
        system.coordinates,
        {},
        M=expressions(N.T @ M @ N),
        h=expressions(N.T @ (substitute(h, along) + M @ turning)),
        g=expressions(N.T @ g),
        Q=expressions(N.T @ substitute(Q, along)),
        speeds_of=N,
        carried=c,
        ranks=name_ranks(system.mechanism),
    )
    return _without_explicit(equations, constraints)


def _split(
    system: System, held: Held, M: Array, independent: Sequence[str]
) -> tuple[list[int], list[int], list[int]]:
    """The independent columns of J, the dependent ones, and as many independent rows."""
    n, names = len(system.speeds), _speed_names(system.speeds, independent)
    values = sample([*held.J.ravel(), *M.ravel()], system.mechanism)
    J = np.asarray(evaluate(held.J, values), dtype=float).reshape(-1, n)
    wanted = [system.speeds.index(name) for name in names]
    order = [k for k in range(n - 1, -1, -1) if k not in wanted] + wanted[::-1]
    dependent = [order[k] for k in first_independent(J[:, order].T)]
    taken = [name for name, k in zip(names, wanted, strict=True) if k in dependent]
    if taken:
        left = n - len(dependent)
        raise ModelError(
            f'mechanism "{system.mechanism.name}"',
            say(
                '"{taken}" is not independent of the other speeds named: the mechanism has {n} '
                "independent speeds.",
                taken[0],
                left,
            ),
            say("Name at most {n}, none of which determines another.", left),
        )
    free = [k for k in range(n) if k not in dependent]
    return free, sorted(dependent), first_independent(J)


def _speeds(
    held: Held, free: list[int], dependent: list[int], rows: list[int]
) -> tuple[Array, Array]:
    """N and c."""
    n = len(free) + len(dependent)
    N, c = expressions(np.zeros((n, len(free)))), expressions(np.zeros(n))
    N[free, range(len(free))] = ONE
    if rows:
        J, b = held.J[rows], held.rate[rows]
        inverse = by_adjugate(J[:, dependent], np.eye(len(rows), dtype=int))
        solved = expressions(inverse @ np.column_stack([J[:, free], b]))
        N[dependent], c[dependent] = -solved[:, :-1], -solved[:, -1]
    return N, c


def _speed_names(speeds: tuple[str, ...], names: Sequence[str]) -> list[str]:
    speed_names = []
    for name in names:
        speed = name if name in speeds else f"{name}."
        if speed not in speeds:
            raise unknown("reduced", "coordinate", name, [x.removesuffix(".") for x in speeds])
        speed_names.append(speed)
    return speed_names


def _without_explicit(found: ReducedEquations, held: Held) -> ReducedEquations:
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
            known = solved_for(x, zero, known)
            break
    parts = {
        name: substitute(getattr(found, name), known)
        for name in ("M", "h", "g", "Q", "speeds_of", "carried")
    }
    names = {x.name: value for x, value in known.items()}
    coordinates = tuple(name for name in found.coordinates if name not in names)
    return replace(found, coordinates=coordinates, eliminated=names, **parts)
