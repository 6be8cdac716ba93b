"""Independent displacements and speeds at a state, and the equations of motion in them.

The constraints leave d = P s and δv = N w + L s free: P and N are the identity on the chosen
displacements and speeds, the other entries follow. Reactions vanish from Nᵀ r = 0, which becomes
M ẇ + D w + K s = 0, with ṡ = E w + H s. Where every constraint holds positions, w = ṡ. Where
friction follows from reactions, Uᵀ r = 0 takes the place of Nᵀ r = 0: no reaction changes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from torseur.analyse.at_a_state.pose import ranks
from torseur.analyse.at_a_state.tangent import Slopes, StateTerms, Tangent, Units
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import Look, returned
from torseur.simulation.constraints.numeric_constraints import CLOSED

Array = np.ndarray
# A coordinate serves as independent unless another moves this much more at the same time.
_WEAK = 1e-3
_RANK = 1e-10
_ROUNDING = 1e-14  # of the largest entry of a matrix


@final
@dataclass(frozen=True)
class Chart:
    """The chosen displacements and speeds, and how everything follows them."""

    shifts: tuple[int, ...]  # the independent displacements, as indices of speeds
    speeds: tuple[int, ...]  # the independent speeds
    P: Array  # (n, shifts)
    N: Array  # (n, speeds)


def chart(
    terms: StateTerms, preferred: tuple[int, ...] = (), previous: Chart | None = None
) -> Chart:
    """The chart at a state: that of `previous`, or the first coordinates that tell the others.

    `preferred` come before the others. Non-holonomic rows leave more displacements than speeds; the
    speeds are chosen among the displacements.
    """
    G, J, of_G, of_J = terms.along.gap, terms.J, terms.units_gap, terms.units
    holonomic = len(G) == len(J)  # then both say the same
    if previous is not None:
        shifts, speeds = previous.shifts, previous.speeds
    else:
        shifts = _chosen(_plain(G, of_G), preferred, range(J.shape[1]))
        speeds = shifts if holonomic else _chosen(_plain(J, of_J), preferred, shifts)
    P = _followed(G, shifts, of_G)
    N = P if holonomic else _followed(J, speeds, of_J)
    return Chart(shifts, speeds, P, N)


def _plain(J: Array, units: Units) -> Array:
    """A matrix without dimension."""
    rows, lengths = units
    return J / rows[:, np.newaxis] * lengths


def _chosen(J: Array, preferred: tuple[int, ...], among: Any) -> tuple[int, ...]:
    """Indices that tell the others: those preferred, then in order; weak ones are passed over."""
    if not len(J):
        return tuple(range(J.shape[1]))
    kernel = ranks(J).kernel
    left = kernel.copy()
    order = [*preferred, *(k for k in among if k not in preferred)]
    columns: list[int] = []
    while len(columns) < kernel.shape[1]:
        sizes = np.linalg.norm(left, axis=1)
        sizes[columns] = 0.0
        strong = [k for k in order if sizes[k] > _WEAK * sizes[order].max() and k not in columns]
        k = strong[0]
        columns.append(k)
        direction = left[k] / sizes[k]
        left = left - np.outer(left @ direction, direction)
    return tuple(sorted(columns))


def _followed(J: Array, chosen: tuple[int, ...], units: Units) -> Array:
    """(n, chosen): the motions in which one of the chosen is 1 and the others of them 0."""
    n = J.shape[1]
    if not len(J):
        return np.eye(n)
    motions = np.zeros((n, len(chosen)))
    motions[list(chosen), range(len(chosen))] = 1.0
    return np.asarray(motions + completed(J, chosen, -J @ motions, units))


def completed(J: Array, chosen: tuple[int, ...], right: Array, units: Units) -> Array:
    """x with J x = right and nothing on the chosen entries; the smallest, without dimension."""
    result = np.zeros((J.shape[1], *right.shape[1:]))
    rest = _others(J.shape[1], chosen)
    if rest and right.any():
        rows, lengths = units
        scales = lengths[rest]
        plain = J[:, rest] / rows[:, np.newaxis] * scales
        solution = np.linalg.lstsq(plain, (right.T / rows).T, rcond=_RANK)[0]
        result[rest] = (solution.T * scales).T
    return result


@lru_cache(maxsize=64)
def _others(n: int, chosen: tuple[int, ...]) -> list[int]:
    return [k for k in range(n) if k not in chosen]


def multipliers(J: Array, load: Array, units: Units) -> Array:
    """The smallest λ, in units of force, with Jᵀ λ as near to a load as can be."""
    rows, lengths = units
    if not len(J):
        return np.zeros(0)
    return np.asarray(np.linalg.lstsq(_plain(J, units).T, load * lengths, rcond=_RANK)[0] / rows)


def solved(matrix: Array, right: Array) -> Array:
    """The smallest x with matrix x = right, rows and columns brought to the same size first.

    Rows and columns of rounding only are left out: they would say anything.
    """
    if not matrix.size:
        return np.zeros(matrix.shape[1])
    nothing = _ROUNDING * np.abs(matrix).max()
    rows = _scales(np.abs(matrix).max(axis=1), nothing)
    scaled = matrix * rows[:, np.newaxis]
    columns = _scales(np.abs(scaled).max(axis=0), _ROUNDING)
    return np.asarray(columns * np.linalg.lstsq(scaled * columns, rows * right, rcond=1e-10)[0])


def _scales(sizes: Array, nothing: float) -> Array:
    """Factors that bring sizes to 1; zero for sizes that are rounding."""
    return np.where(sizes > nothing, 1 / np.maximum(sizes, 1e-300), 0.0)


@final
@dataclass(frozen=True)
class Reduced:
    """M ẇ + D w + K s = 0 and ṡ = E w + H s in the coordinates of a chart."""

    M: Array
    D: Array
    K: Array
    E: Array
    H: Array
    L: Array  # δv = N w + L s

    @property
    def A(self) -> Array:
        """(s, w)˙ = A (s, w); M must be regular."""
        lower = -np.linalg.solve(self.M, np.concatenate([self.K, self.D], axis=1))
        return np.block([[self.H, self.E], [lower]])


def balance(terms: StateTerms, chart: Chart) -> Array:
    """U (n, speeds): the identity on the independent speeds, and Uᵀ Tᵀ = 0; N if T is J."""
    return chart.N if terms.pushed is None else _followed(terms.T, chart.speeds, terms.units)


def reduced(terms: StateTerms, chart: Chart) -> Reduced:
    """The small motions about a state at which r = 0, u = 0 and w = 0."""
    P, N, d, v = chart.P, chart.N, terms.along, terms.speeds
    U = balance(terms, chart)
    L = completed(terms.J, chart.speeds, -d.u @ P, terms.units)
    C_s = completed(terms.J, chart.speeds, -(d.w @ P + v.w @ L), terms.units)
    C_w = completed(terms.J, chart.speeds, -v.w @ N, terms.units)
    shifts = list(chart.shifts)
    return Reduced(
        M=U.T @ terms.M @ N,
        D=U.T @ (terms.M @ C_w + v.r @ N),
        K=U.T @ (terms.M @ C_s + d.r @ P + v.r @ L),
        E=N[shifts],
        H=(terms.W @ P + L)[shifts],
        L=L,
    )


@final
@dataclass(frozen=True)
class ParameterEffect:
    """Effect of parameters while the independent coordinates and speeds keep their values."""

    shifts: Array  # (n, k): displacements of the others
    speeds: Array  # (n, k)
    force: Array  # (speeds, k): ∂(Uᵀ r)/∂p


def parameter_effect(terms: StateTerms, chart: Chart, slopes: Slopes) -> ParameterEffect:
    """The effect of parameters whose slopes are given."""
    d, v = terms.along, terms.speeds
    Z = completed(terms.along.gap, chart.shifts, -slopes.gap, terms.units_gap)
    Y = completed(terms.J, chart.speeds, -(slopes.u + d.u @ Z), terms.units)
    C = completed(terms.J, chart.speeds, -(slopes.w + d.w @ Z + v.w @ Y), terms.units)
    U = balance(terms, chart)
    return ParameterEffect(Z, Y, U.T @ (terms.M @ C + d.r @ Z + v.r @ Y + slopes.r))


# --- unknowns of a search for equilibria ---------------------------------------------------------


@final
@dataclass(frozen=True)
class UnknownPlaces:
    """Where the unknowns and the equations of a search stand in a chart."""

    shifts: list[int]  # in s, the unknown displacements
    rates: list[int]  # in w, the unknown speeds
    equations: list[int]  # the rows of F that count
    # the speeds that have a value to keep, by their indices: of displacements that must stand
    # still, and given ones, where they are not independent
    still: list[int]
    kept: Array  # their values
    moved: list[int]  # the unknown displacements, by indices of speeds
    turned: list[int]  # the unknown speeds
    balanced: list[int]  # the speeds of the rows of F

    def columns(self, of_s: Array, of_w: Array) -> Array:
        """The columns of the unknowns: of a matrix on s, then of one on w."""
        columns = of_s[:, self.shifts]
        return np.concatenate([columns, of_w[:, self.rates]], axis=1) if self.rates else columns


@lru_cache(maxsize=64)
def places(
    shifts: tuple[int, ...],
    speeds: tuple[int, ...],
    frozen: frozenset[int],
    unknown_speeds: frozenset[int],
    idle: frozenset[int],
    passing: frozenset[int],
    given_speeds: tuple[tuple[int, float], ...],
) -> UnknownPlaces:
    """The places in all charts of these displacements and speeds.

    What is `passing` need not stand still.
    """
    unknown = [k for k, i in enumerate(shifts) if i not in frozen]
    rates = [k for k, i in enumerate(speeds) if i in unknown_speeds]
    equations = [k for k, i in enumerate(speeds) if i not in idle]
    others = (i for i in shifts if i not in speeds and i not in passing)
    given = (i for i, _ in given_speeds if i not in speeds or i in unknown_speeds)
    still, text = list(dict.fromkeys([*others, *given])), dict(given_speeds)
    return UnknownPlaces(
        unknown,
        rates,
        equations,
        still,
        kept=np.array([text.get(i, 0.0) for i in still]),
        moved=[shifts[k] for k in unknown],
        turned=[speeds[k] for k in rates],
        balanced=[speeds[k] for k in equations],
    )


def close_loops(
    tangent: Tangent, q: Array, t: float, fixed: tuple[int, ...] = (), within: float = CLOSED
) -> Array | None:
    """The nearest coordinates that close every loop, the fixed displacements none; or None."""
    if not tangent.positions:
        return q
    model, (rows, lengths) = tangent.model, tangent.units_gap

    def look(place: Array) -> Look[Array]:
        terms = tangent.at(place, t)
        return Look(
            terms.gap / rows,
            lambda: completed(terms.along.gap, fixed, -terms.gap, (rows, lengths)) / lengths,
            lambda step: advanced(model, place, step * lengths),
        )

    def closed_within(place: Array, factor: float) -> float:
        return max(within, factor * CLOSED) + 8 * float(model.sizes.rounding(place))

    result = returned(look, q, closed_within, steps=30, growth=10.0)
    return result.q if result.is_closed else None
