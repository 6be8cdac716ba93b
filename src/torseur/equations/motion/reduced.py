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
from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, Expr, symbol
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.algebra.printing.layout import Ranks
from torseur.equations.constraints.rows import Held
from torseur.equations.expressions.tidy import book_text
from torseur.equations.motion.dependent import explicit_coordinates, speeds_in, split_speeds
from torseur.equations.symbols.system import System
from torseur.model.values.named_numbers import name_ranks

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
    free, dependent, rows = split_speeds(system, constraints, independent)
    u = system.v[free]
    N, c = speeds_in(constraints.J[rows], constraints.rate[rows], free, dependent)
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


def _without_explicit(equations: ReducedEquations, constraints: Held) -> ReducedEquations:
    """Reduced equations without the coordinates that relations give explicitly."""
    known = explicit_coordinates(constraints, {name.removesuffix(".") for name in equations.speeds})
    parts = {
        name: substitute(getattr(equations, name), known)
        for name in ("M", "h", "g", "Q", "speeds_of", "carried")
    }
    names = {x.name: value for x, value in known.items()}
    coordinates = tuple(name for name in equations.coordinates if name not in names)
    return replace(equations, coordinates=coordinates, eliminated=names, **parts)
