"""Random states of the true motion, and what a formula says there.

The equations of a model are rows(q, v, a, λ) = 0 with J a + γ = 0, both linear in a and λ. A
formula that vanishes along the true motion is Σ αᵢ rowᵢ + Σ βⱼ (J a + γ)ⱼ, where
∂f/∂a = Aᵀ α + Jᵀ β and ∂f/∂λ = Bᵀ α: α says which equations it is made of.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian
from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import evaluate, substitute
from torseur.errors import SolveError
from torseur.teach.answers.constrained import allowed_motions
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.sampling import CLOSE, STATES, random_states, sized
from torseur.words.sentence import say

Array = np.ndarray
_PRESENT = 1e-6  # the least part of an equation in a sum that contains it
_RANK = 1e-9
_MOST_FACTOR = 4  # of an equation in a sum that is told as such


@final
class TrueMotion:
    """A model at random states of its motion: values of all symbols, accelerations included."""

    def __init__(self, model: RightModel, outputs: list[Any]) -> None:
        self.model = model
        self._a, self._lam = list(model.change.a), model.multipliers
        self._constrained = bool(model.equations.constraints.owners)
        rows = [*model.rows, *outputs]
        given = allowed_columns(model) if self._constrained else random_states(model, rows)
        self._states = given
        self.tolerance = CLOSE

    # --- the linear system at every state -----------------------------------------------------

    @cached_property
    def _system(self) -> tuple[Array, Array, Array, Array, Array]:
        """A, B, rows without a and λ, J and γ, each with one block a state."""
        model, n, m = self.model, len(self._a), len(self._lam)
        rows, unknowns = model.rows, [*self._a, *self._lam]
        slopes = jacobian(rows, unknowns) if unknowns else np.zeros((len(rows), 0))
        still = substitute(rows, dict.fromkeys(unknowns, ZERO))
        held = model.equations.constraints
        J, gamma = (held.J, held.bias) if self._constrained else (np.zeros((0, n)), np.zeros(0))
        parts = (slopes[:, :n], slopes[:, n:], still, J, gamma)
        shapes = ((n, n), (n, m), (n,), (len(J), n), (len(J),))
        return tuple(self._at(x, s) for x, s in zip(parts, shapes, strict=True))  # type: ignore[return-value]

    def _at(self, outputs: Any, shape: tuple[int, ...]) -> Array:
        """Expressions of the state at every state: (states, *shape)."""
        count = len(next(iter(self._states.values())))
        made = np.zeros((int(np.prod(shape)), count))
        with np.errstate(all="ignore"):
            for k, x in enumerate(np.asarray(outputs, dtype=object).ravel()):
                made[k] = evaluate(x, self._states) if isinstance(x, Expr) else x
        return made.T.reshape(count, *shape)

    @cached_property
    def values(self) -> dict[str, Array]:
        """Every symbol at every state, with the accelerations and multipliers of the motion."""
        A, B, still, J, gamma = self._system
        n = len(self._a)
        solved = []
        for k in range(len(still)):
            right = -np.concatenate([still[k], gamma[k]])
            solved.append(_solved(_block(A[k], B[k], J[k]), right))
        columns = np.array(solved).T
        names = [x.name for x in (*self._a, *self._lam)]
        return dict(self._states) | dict(zip(names, columns, strict=True)) if n else self._states

    @cached_property
    def virtual_values(self) -> dict[str, Array]:
        """The same states with random accelerations that the constraints allow."""
        _, _, _, J, gamma = self._system
        rng = np.random.default_rng(2)
        rows = []
        for k in range(len(J)):
            free = rng.normal(size=len(self._a))
            if len(J[k]):
                free = free - np.linalg.pinv(J[k], rcond=_RANK) @ (J[k] @ free + gamma[k])
            rows.append(free)
        names = [x.name for x in self._a]
        return dict(self.values) | dict(zip(names, np.array(rows).T, strict=True))

    # --- formulas -----------------------------------------------------------------------------

    def vanishes(self, found: Expr) -> bool:
        """Whether a formula is zero along the motion."""
        value, size = sized(found, self.values)
        good = np.isfinite(value)
        return bool(
            good.sum() >= STATES // 2 and (np.abs(value)[good] <= self.tolerance * size[good]).all()
        )

    def parts(self, found: Expr) -> Array:
        """α: how much of each equation is in a formula that vanishes, one row a state."""
        A, B, _, J, _ = self._system
        slopes = gradient(found, [*self._a, *self._lam])
        values = self.values
        with np.errstate(all="ignore"):
            numbers = [np.broadcast_to(evaluate(x, values), len(A)) for x in slopes]
        c = np.array(numbers, dtype=float).T
        n = len(self._a)
        return np.array([_solved(_block(A[k], B[k], J[k]).T, c[k])[:n] for k in range(len(A))])

    def contained(self, found: Expr) -> dict[str, float]:
        """The equations of which a formula is a combination; their factors where constant."""
        parts = self.parts(found)
        sizes = np.column_stack([sized(row, self.values)[1] for row in self.model.rows])
        weights = np.abs(parts) * sizes
        good = np.isfinite(weights).all(axis=1)
        whole = np.maximum(weights[good].max(axis=1, keepdims=True, initial=0.0), 1e-300)
        present = np.median(weights[good] / whole, axis=0) > _PRESENT
        if not good.any() or not weights[good].any():
            return {}
        factors = np.median(parts[good], axis=0)
        steady = np.ptp(parts[good], axis=0) <= 1e-6 * np.maximum(np.abs(factors), 1e-300)
        short = np.abs(factors - np.round(factors)) < 1e-7
        told = (steady & short & (np.abs(factors) <= _MOST_FACTOR)) | ~present
        return {
            name: float(np.round(factors[k])) if told.all() else np.nan
            for k, name in enumerate(self.model.coordinates)
            if present[k]
        }

    def determined(self, quantity: Expr) -> bool:
        """Whether the motion alone gives a quantity: no reaction in it can be chosen freely."""
        if not self._lam:
            return True
        slopes = gradient(quantity, self._lam)
        values = self.values
        _, B, *_ = self._system
        for k in range(len(B)):
            at = {name: float(column[k]) for name, column in values.items()}
            slope = np.array([float(evaluate(x, at)) for x in slopes])
            _, s, Vt = np.linalg.svd(B[k])
            rank = int((s > _RANK * s.max(initial=0.0)).sum())
            if np.abs(Vt[rank:] @ slope).max(initial=0.0) > 1e-7 * np.abs(slope).max(initial=1.0):
                return False
        return True


def allowed_columns(model: RightModel, *, vary: bool = True) -> dict[str, Array]:
    """States that the constraints allow, a column for each symbol; parameters differ or do not."""
    states = allowed_motions(model, vary=vary)
    return {name: np.array([s.values[name] for s in states]) for name in states[0].values}


def _block(A: Array, B: Array, J: Array) -> Array:
    """[[A, B], [J, 0]]."""
    return np.block([[A, B], [J, np.zeros((len(J), B.shape[1]))]])


def _solved(matrix: Array, right: Array) -> Array:
    if not np.isfinite(matrix).all() or not np.isfinite(right).all():
        return np.full(matrix.shape[1], np.nan)
    scale = np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-300)
    return np.linalg.lstsq(matrix / scale[:, None], right / scale, rcond=_RANK**1.5)[0]


def not_unique(name: str) -> SolveError:
    """A reaction that the equations of motion do not determine."""
    return SolveError(
        "check_answer",
        say("{name} is not unique: the mechanism is over-constrained there.", name),
        "Ask for another component, or free the joints of what they hold twice.",
    )
