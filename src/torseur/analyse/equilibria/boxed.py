"""The equations of equilibrium on boxes of coordinates: gap(q) = 0 and r(q) − Jᵀ λ = 0.

And what matrices within bounds have in common: independent columns, multipliers, left inverses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.calculus.intervals import Interval, bounds
from torseur.algebra.core.expr import TIME, ZERO, Expr, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.analyse.at_a_state.statics import AtState, Unknowns
from torseur.equations.functions.catalogue import multiplier_names
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.independent import independent_rows

Array = np.ndarray
_SQUARINGS = 4


@final
@dataclass(frozen=True)
class Boxes:
    """Boxes of the free coordinates: their lower and upper ends (boxes, free)."""

    low: Array
    high: Array

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, selection: Array | slice) -> Boxes:
        return Boxes(self.low[selection], self.high[selection])

    @property
    def middle(self) -> Array:
        """(boxes, free)."""
        return np.asarray((self.low + self.high) / 2)

    @property
    def radius(self) -> Array:
        """(boxes, free)."""
        return np.asarray((self.high - self.low) / 2)

    @property
    def at_middle(self) -> Boxes:
        """The middles as boxes without extent."""
        return Boxes(self.middle, self.middle)

    def halves(self, size: Array) -> Boxes:
        """Each cut across its longest side, in units of `size`."""
        widest = (self.radius / size).argmax(axis=1)
        rows = np.arange(len(self))
        high, low = self.high.copy(), self.low.copy()
        high[rows, widest] = low[rows, widest] = self.middle[rows, widest]
        return Boxes(self.low, high).followed_by(Boxes(low, self.high))

    def followed_by(self, others: Boxes) -> Boxes:
        """Boxes, followed by others."""
        low, high = ((self.low, others.low), (self.high, others.high))
        return Boxes(np.concatenate(low), np.concatenate(high))

    def inside(self, other: Boxes) -> Array:
        """(boxes): which lie in one of the other boxes."""
        inside = np.zeros(len(self), dtype=bool)
        for low, high in zip(other.low, other.high, strict=True):
            inside |= (self.low >= low).all(axis=1) & (self.high <= high).all(axis=1)
        return inside


@final
@dataclass(frozen=True)
class Span:
    """Matrices that are known within bounds: (boxes, rows, columns) each."""

    low: Array
    high: Array

    @cached_property
    def bounded(self) -> Array:
        """(boxes): which have finite bounds everywhere."""
        return np.asarray((np.isfinite(self.low) & np.isfinite(self.high)).all(axis=(1, 2)))

    @cached_property
    def finite(self) -> Span:
        """The bounds; zero where there are none."""
        bounded = self.bounded[:, np.newaxis, np.newaxis]
        return Span(np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 0.0))

    @cached_property
    def middle(self) -> Array:
        """The middle of the bounds; zero where there are none."""
        return np.asarray((self.finite.low + self.finite.high) / 2)

    @cached_property
    def radius(self) -> Array:
        """Half the distance of the bounds; zero where there are none."""
        return np.asarray((self.finite.high - self.finite.low) / 2)

    @property
    def misses_zero(self) -> Array:
        """(boxes): where some entry cannot be zero."""
        return np.asarray(((self.low > 0) | (self.high < 0)).any(axis=(1, 2)))

    @property
    def largest(self) -> Array:
        """The largest size of every entry."""
        return np.asarray(np.maximum(np.abs(self.low), np.abs(self.high)))


@final
class Statement:
    """The equations as expressions of the free coordinates q and of the multipliers λ.

    Rows that hold one coordinate alone, such as imposed motions, are left out with it: it stays
    where it is. What fixed combinations of other rows say is left out too.
    """

    def __init__(self, like: AtState, sought: Unknowns) -> None:
        self._like, self._tangent = like, like.tangent
        rows, constraints = _held_coordinates(like)
        gone = sought.frozen | set(constraints)
        # without ball joints, which are refused before, coordinates and speeds go together
        self.free = [k for k in range(self._tangent.size) if k not in gone]
        self._equations = [k for k in range(self._tangent.size) if k not in constraints]
        restraints = independent_rows(NumericConstraints(self._tangent.model), like.q, like.t)
        self.repeating = restraints.repeating
        self._rows = [k for k in restraints.selected if k not in rows]

    @property
    def multipliers(self) -> list[Expr]:
        """λ."""
        names = multiplier_names(self._tangent.rows)
        return [symbol(names[k], "input") for k in self._rows]

    @cached_property
    def _balance(self) -> Array:
        """r − Jᵀ λ."""
        return np.asarray(substitute(self._tangent.expressions[self._equations], self._still))

    @cached_property
    def gap(self) -> Array:
        """Gaps of the loops."""
        tangent = self._tangent
        first = tangent.size + 2 * tangent.rows
        places = [first + tangent.positions.index(row) for row in self._rows]
        return np.asarray(substitute(tangent.expressions[places], self._still))

    @property
    def _still(self) -> dict[Expr, Expr]:
        """Symbols that are zero at rest, and multipliers of rows that are left out."""
        tangent, system = self._tangent, self._tangent.model.system
        names = multiplier_names(tangent.rows)
        dropped = (k for k in range(tangent.rows) if k not in self._rows)
        values = {x: ZERO for x in system.a}
        values |= {x: ZERO for x, speed in zip(system.v, self._like.v, strict=True) if not speed}
        return values | {symbol(names[k], "input"): ZERO for k in dropped}

    @cached_property
    def forces(self) -> Array:
        """(equations, 1 + rows): r, then −Jᵀ."""
        both = np.column_stack([self._balance, jacobian(self._balance, self.multipliers)])
        return np.asarray(substitute(expressions(both), dict.fromkeys(self.multipliers, ZERO)))

    @cached_property
    def gap_slopes(self) -> Array:
        """∂gap/∂q."""
        return self._slopes(self.gap)

    @cached_property
    def slopes(self) -> Array:
        """∂(r − Jᵀ λ)/∂q."""
        return self._slopes(self._balance)

    @cached_property
    def force_slopes(self) -> Array:
        """∂r/∂q."""
        return np.asarray(substitute(self.slopes, dict.fromkeys(self.multipliers, ZERO)))

    def _slopes(self, of: Array) -> Array:
        system = self._tangent.model.system
        return expressions(jacobian(of, [system.q[k] for k in self.free]))

    def on(self, what: Array, boxes: Boxes, lam: Span | None = None) -> Span:
        """The bounds of a matrix or of a column on each box; those of λ as a column."""
        tangent, like = self._tangent, self._like
        known: dict[str, Interval] = {}
        for name, x in (
            *tangent.model.parameters.items(),
            (TIME.name, like.t),
            *zip(tangent.speeds, like.v, strict=True),
            *zip(tangent.coordinates, like.q, strict=True),
        ):
            known[name] = (np.array(x, dtype=float),) * 2
        for k, place in enumerate(self.free):
            known[tangent.coordinates[place]] = boxes.low[:, k], boxes.high[:, k]
        if lam is not None:
            for k, x in enumerate(self.multipliers):
                known[x.name] = lam.low[:, k, 0], lam.high[:, k, 0]
        table = what.reshape(len(what), -1) if len(what) else what.reshape(0, 1)
        low, high = bounds(table, known, len(boxes))
        return Span(np.moveaxis(low, -1, 0), np.moveaxis(high, -1, 0))


def _held_coordinates(like: AtState) -> tuple[list[int], list[int]]:
    """Rows that hold one coordinate alone wherever the mechanism is, and those coordinates."""
    rng = np.random.default_rng(5)
    places = [like.q, *(like.q + 0.3 * rng.normal(size=(3, len(like.q))))]
    jacobians = np.array([like.tangent.at(q, like.t, like.v, like.a, like.lam).J for q in places])
    touched = np.abs(jacobians).max(axis=0) > 1e-12
    constant = np.ptp(jacobians, axis=0).max(axis=1, initial=0.0) < 1e-12
    rows = np.flatnonzero((touched.sum(axis=1) == 1) & constant)
    return rows.tolist(), touched[rows].argmax(axis=1).tolist()


# --- matrices within bounds -----------------------------------------------------------------------


def about_middle(statement: Statement, what: Array, slopes: Array, boxes: Boxes) -> Span:
    """Bounds of a column from its value in the middle and its slopes: closer on small boxes."""
    centre = statement.on(what, boxes.at_middle)
    slope = statement.on(slopes, boxes)
    # the ends are doubles: outwards by what the radius may have lost to rounding
    spread = slope.largest @ (boxes.radius * (1 + 1e-12) + 1e-15)[:, :, np.newaxis]
    spread = np.where(np.isnan(spread), np.inf, spread) * (1 + 1e-12)
    return Span(centre.low - spread, centre.high + spread)


def independent(matrices: Span) -> Array:
    """(boxes): whether the columns are independent for all matrices within the bounds.

    So it is if |1 − Y A| has a spectral radius below 1, Y being an inverse of the middle one.
    """
    Y, exact = inverses(matrices)
    return np.asarray(matrices.bounded & exact & _contracts(rest(Y, matrices)))


def rest(Y: Array, matrices: Span) -> Array:
    """|1 − Y A| at most, for all matrices within the bounds."""
    eye = np.eye(matrices.low.shape[2])
    rounding = 1e-13 * (np.abs(Y) @ np.abs(matrices.middle) + eye)
    return np.asarray(np.abs(eye - Y @ matrices.middle) + np.abs(Y) @ matrices.radius + rounding)


def inverses(matrices: Span) -> tuple[Array, Array]:
    """Left inverses of the middles, and whether they are any good.

    Rows and columns are brought to one size first, by what they are at most: a row that may vanish
    is not blown up.
    """
    largest = np.where(matrices.bounded[:, None, None], matrices.largest, 0.0)
    rows = 1 / np.maximum(largest.max(axis=2, keepdims=True), 1e-290)
    columns = 1 / np.maximum((largest * rows).max(axis=1, keepdims=True), 1e-290)
    scaled = matrices.middle * rows * columns
    inverse = np.linalg.pinv(scaled, rcond=1e-9)
    full = (np.abs(inverse @ scaled - np.eye(scaled.shape[2])) < 1e-3).all(axis=(1, 2))
    return np.swapaxes(columns, 1, 2) * inverse * np.swapaxes(rows, 1, 2), full


def _contracts(matrices: Array) -> Array:
    """(boxes) True where a matrix of non-negative entries has a spectral radius below 1."""
    power = np.minimum(matrices, 1e30)
    contracts = np.zeros(len(power), dtype=bool)
    for _ in range(_SQUARINGS):
        contracts |= power.sum(axis=2).max(axis=1) < 0.999
        power = np.minimum(power @ power, 1e30)
    return contracts


def multiplier_bounds(forces: Span) -> Span:
    """Bounds of every λ with r = Jᵀ λ, as columns; infinite where J may lose rank."""
    J = Span(-forces.high[:, :, 1:], -forces.low[:, :, 1:])
    r = Span(forces.low[:, :, :1], forces.high[:, :, :1])
    Y, exact = inverses(J)
    off = rest(Y, J)
    sure = J.bounded & r.bounded & exact & _contracts(off)
    off = np.where(sure[:, None, None], off, 0.0)
    centre = Y @ r.middle
    spread = np.abs(Y) @ (r.radius + 1e-12 * np.abs(r.middle))
    # |λ − Y r| = |(1 − Y Jᵀ) λ|, which also bounds |λ|
    most = np.linalg.solve(np.eye(off.shape[1]) - off, np.abs(centre) + spread)
    far = (spread + off @ most) * (1 + 1e-9)
    far = np.where(sure[:, None, None], far, np.inf)
    return Span(centre - far, centre + far)
