"""Dependent coordinates, speeds and accelerations in independent ones, and reduced equations.

J v + b = 0 and J a + γ = 0 give the dependent speeds and accelerations in the independent ones.
Coordinates that a relation gives explicitly, and those that are zero at the start and never move,
are put in first: what is left of J is small.

With the speeds split into independent u and dependent d, v = N u + c, where N is the identity on u
and −J_d⁻¹ J_u on d. Multiplied by Nᵀ, which no reaction survives, the equations of motion become
M_r u̇ + h_r + g_r = Q_r, without multipliers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative, solved_for, time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.expressions.linear import by_adjugate
from torseur.equations.expressions.sampling import first_independent, is_regular, sample, vanishes
from torseur.equations.expressions.tidy import book_text
from torseur.equations.motion.signs_at_start import SignsAtStart
from torseur.equations.symbols.system import System, unit_quaternions
from torseur.errors import ModelError, unknown
from torseur.model.values.named_numbers import name_ranks
from torseur.words.sentence import say

Array = np.ndarray


def in_independent(
    system: System, constraints: Held, independent: Sequence[str]
) -> dict[Expr, Expr]:
    """Replacements of everything that depends on the independent speeds and coordinates.

    `independent` names speeds, or their coordinates. Without names, the first coordinates of the
    mechanism that determine the others are taken.
    """
    free, dependent, rows = split_speeds(system, constraints, independent)
    free_names = {system.speeds[k].removesuffix(".") for k in free}
    known = explicit_coordinates(constraints, free_names)
    known |= _still(system, constraints, (free, dependent, rows), known)
    squares = {w: expression(substitute(x, known)) for w, x in unit_quaternions(system).items()}

    def put_in(outputs: Any) -> Array:
        return expressions(readable(substitute(expressions(outputs), known), squares))

    J = put_in(constraints.J[rows])
    N, c = speeds_in(J, put_in(constraints.rate[rows]), free, dependent)
    speeds = put_in(N @ system.v[free] + c)
    known |= {system.v[k]: speeds[k] for k in dependent}
    _, more = speeds_in(J, put_in(constraints.bias[rows]), free, dependent)
    accelerations = put_in(N @ system.a[free] + more)
    return known | {system.a[k]: accelerations[k] for k in dependent}


def split_speeds(
    system: System, constraints: Held, independent: Sequence[str]
) -> tuple[list[int], list[int], list[int]]:
    """The independent columns of J, the dependent ones, and as many independent rows."""
    n, names = len(system.speeds), _speed_names(system.speeds, independent)
    values = sample(constraints.J, system.mechanism)
    J = np.asarray(evaluate(constraints.J, values), dtype=float).reshape(-1, n)
    indices = [system.speeds.index(name) for name in names]
    order = [k for k in range(n - 1, -1, -1) if k not in indices] + indices[::-1]
    dependent = [order[k] for k in first_independent(J[:, order].T)]
    refused = [name for name, k in zip(names, indices, strict=True) if k in dependent]
    if refused:
        left = n - len(dependent)
        problem = say(
            '"{taken}" is not independent of the other speeds named: the mechanism has {n} '
            "independent speeds.",
            refused[0],
            left,
        )
        advice = say("Name at most {n}, none of which determines another.", left)
        raise ModelError(f'mechanism "{system.mechanism.name}"', problem, advice)
    free = [k for k in range(n) if k not in dependent]
    return free, sorted(dependent), first_independent(J)


def speeds_in(J: Array, b: Array, free: list[int], dependent: list[int]) -> tuple[Array, Array]:
    """N and c: all speeds are N u + c, if J v + b = 0."""
    n = len(free) + len(dependent)
    N, c = expressions(np.zeros((n, len(free)))), expressions(np.zeros(n))
    N[free, range(len(free))] = ONE
    if len(J):
        inverse = by_adjugate(J[:, dependent], np.eye(len(J), dtype=int))
        solved = expressions(inverse @ np.column_stack([J[:, free], b]))
        N[dependent], c[dependent] = -solved[:, :-1], -solved[:, -1]
    return N, c


def explicit_coordinates(constraints: Held, free_names: Collection[str]) -> dict[Expr, Any]:
    """Coordinates that a relation is linear in, with a constant factor, by the others."""
    known: dict[Expr, Any] = {}
    for zero in constraints.gap[constraints.joint_gaps :]:
        zero = substitute(zero, known)
        for x in free_symbols(zero):
            if x.kind != "coordinate" or x.name in free_names:
                continue
            factor = derivative(zero, x)
            if any(y.kind == "coordinate" for y in free_symbols(factor)) or factor is ZERO:
                continue
            known = solved_for(x, zero, known)
            break
    return known


def _still(
    system: System, constraints: Held, split: tuple[list[int], ...], known: dict[Expr, Any]
) -> dict[Expr, Expr]:
    """Coordinates that are zero at the start and stay so, as no motion that is left moves them."""
    free, dependent, rows = split
    free_names, away = {system.v[k].name for k in free}, SignsAtStart(system).away_from_zero
    away |= {w.name for w in unit_quaternions(system)}  # one where nothing else is said
    zero = {
        x: ZERO
        for x in system.q
        if x not in known and f"{x.name}." not in free_names and x.name not in away
    }
    while zero:
        put = known | zero
        J, b = substitute(constraints.J[rows], put), substitute(constraints.rate[rows], put)
        if not is_regular(J[:, dependent], system.mechanism):
            return {}
        N, c = speeds_in(J, b, free, dependent)
        along = dict(zip(system.v, expressions(N @ system.v[free] + c), strict=True))
        rates = substitute(substitute(constraints.coordinate_rates, put), along)
        moving = {x for x, rate in zip(system.q, rates, strict=True) if not vanishes(rate)}
        if not moving & set(zero):
            return zero
        zero = {x: value for x, value in zero.items() if x not in moving}
    return zero


def _speed_names(speeds: tuple[str, ...], names: Sequence[str]) -> list[str]:
    speed_names = []
    for name in names:
        speed = name if name in speeds else f"{name}."
        if speed not in speeds:
            raise unknown("independent", "coordinate", name, [x.removesuffix(".") for x in speeds])
        speed_names.append(speed)
    return speed_names


@final
@dataclass(frozen=True)
class ReducedEquations:
    """M a + h + g = Q in the accelerations of the independent speeds.

    The matrices depend on every coordinate that no relation gives explicitly: those of the
    independent speeds and those that only the loops know. `speeds_of` is N, `carried` is c: all
    the speeds of the tree are N u + c.
    """

    _repr_html_ = notebook.preformatted

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
