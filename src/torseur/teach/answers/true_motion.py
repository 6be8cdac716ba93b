"""Random states of the true motion, and what a formula says there.

The equations of a model are rows(q, v, a, λ) = 0 with J a + γ = 0, both linear in a and λ. A
formula that vanishes along the true motion is Σ αᵢ rowᵢ + Σ βⱼ (J a + γ)ⱼ, where
∂f/∂a = Aᵀ α + Jᵀ β and ∂f/∂λ = Bᵀ α: α says which equations it is made of.

Without multipliers, the equation of a coordinate is that of the virtual motion in which it moves at
the speed 1, the other independent ones stand still and the dependent ones follow:
δᵀ (M a + h + g − Q) = 0 with J δ = 0. Reactions do not work in it.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, reachable, substitute
from torseur.algebra.forms.readable import readable
from torseur.analyse.at_a_state.pose import ranks
from torseur.analyse.at_a_state.random_motion import MovingState, random_motions
from torseur.errors import ModelError, SolveError
from torseur.teach.answers.right_model import RightModel
from torseur.teach.answers.sampling import CLOSE, STATES, SampledFactor, random_states, sized
from torseur.teach.derivation.reaction_elimination import shortened
from torseur.words.sentence import say

Array = np.ndarray
_PRESENT = 1e-6  # the least part of an equation in a sum that contains it
_RANK = 1e-9
_LONGEST = 120  # nodes of a formula whose terms are compared
_MOST_FACTOR = 4  # of an equation in a sum that is told as such


@final
class TrueMotion:
    """A model at random states of its motion: values of all symbols, accelerations included."""

    def __init__(self, model: RightModel, outputs: list[Any]) -> None:
        self.model = model
        self._a, self._lam = list(model.system.a), model.multipliers
        self._constrained = bool(model.equations.constraints.owners)
        rows = [*model.rows, *outputs]
        given = allowed_columns(model) if self._constrained else random_states(model, rows)
        self._states = given

    # --- the linear system at every state -----------------------------------------------------

    @cached_property
    def _system(self) -> tuple[Array, Array, Array, Array, Array]:
        """A, B, rows without a and λ, J and γ, each with one block a state."""
        model, n, m = self.model, len(self._a), len(self._lam)
        rows, unknowns = model.rows, [*self._a, *self._lam]
        slopes = jacobian(rows, unknowns) if unknowns else np.zeros((len(rows), 0))
        still = substitute(rows, dict.fromkeys(unknowns, ZERO))
        constraints = model.equations.constraints
        J, gamma = (
            (constraints.J, constraints.bias)
            if self._constrained
            else (np.zeros((0, n)), np.zeros(0))
        )
        parts = (slopes[:, :n], slopes[:, n:], still, J, gamma)
        shapes = ((n, n), (n, m), (n,), (len(J), n), (len(J),))
        return tuple(self._at(x, s) for x, s in zip(parts, shapes, strict=True))  # type: ignore[return-value]

    def _at(self, outputs: Any, shape: tuple[int, ...]) -> Array:
        """Expressions of the state at every state: (states, *shape)."""
        count = len(next(iter(self._states.values())))
        table = np.zeros((int(np.prod(shape)), count))
        with np.errstate(all="ignore"):
            for k, x in enumerate(np.asarray(outputs, dtype=object).ravel()):
                table[k] = evaluate(x, self._states) if isinstance(x, Expr) else x
        return table.T.reshape(count, *shape)

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
        """These states with random accelerations that the constraints allow."""
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

    def without_reactions(self, row: int, given: Expr) -> SampledFactor:
        """The equation of one coordinate without multipliers, beside the given one."""
        model, values, J = self.model, self.virtual_values, self._system[3]
        speeds = model.equations.speeds
        virtual = np.array([_virtual(ranks(J[k]).kernel, row, speeds) for k in range(len(J))])
        rows = [sized(x, values) for x in model.inertia_forces - model.given_forces]
        balance, sizes = (np.array([pair[k] for pair in rows]).T for k in range(2))
        expected, size = (virtual * balance).sum(axis=1), (np.abs(virtual) * sizes).sum(axis=1)
        parameters = {n: values[n] for n in model.mechanism.parameter_table if n in values}
        return SampledFactor(expected, sized(given, values)[0], size, parameters, CLOSE)

    # --- formulas -----------------------------------------------------------------------------

    def vanishes(self, given: Expr) -> bool:
        """Whether a formula is zero along the motion."""
        value, size = sized(given, self.values)
        good = np.isfinite(value)
        small = np.abs(value)[good] <= CLOSE * size[good]
        return bool(good.sum() >= STATES // 2 and small.all())

    def parts(self, given: Expr) -> Array:
        """α: how much of each equation is in a formula that vanishes, one row a state."""
        A, B, _, J, _ = self._system
        slopes = gradient(given, [*self._a, *self._lam])
        values = self.values
        with np.errstate(all="ignore"):
            numbers = [np.broadcast_to(evaluate(x, values), len(A)) for x in slopes]
        c = np.array(numbers, dtype=float).T
        n = len(self._a)
        return np.array([_solved(_block(A[k], B[k], J[k]).T, c[k])[:n] for k in range(len(A))])

    def contained(self, given: Expr) -> dict[str, float]:
        """The equations of which a formula is a combination; their factors where constant."""
        parts = self.parts(given)
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
        decided = (steady & short & (np.abs(factors) <= _MOST_FACTOR)) | ~present
        return {
            name: float(np.round(factors[k])) if decided.all() else np.nan
            for k, name in enumerate(self.model.coordinates)
            if present[k]
        }

    def is_condition(self, given: Expr, rows: tuple[int, ...]) -> bool:
        """Whether a formula is a condition of some rows, in any form that positions allow.

        It is zero where the constraints hold, and its gradient is a sum of these rows.
        """
        speeds, places = list(self.model.system.v), list(self.model.system.q)
        used = free_symbols(given)
        if {*self._a, *self._lam} & {*used} or not self.vanishes(given):
            return False
        by_speeds = bool({*speeds} & {*used})
        if not by_speeds and [f"{x.name}." for x in places] != [x.name for x in speeds]:
            return False
        slopes = self._at(gradient(given, speeds if by_speeds else places), (len(speeds),))
        return all(_spans(self._system[3][k][[*rows]], slope) for k, slope in enumerate(slopes))

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
            if np.abs(ranks(B[k]).kernel.T @ slope).max(initial=0.0) > 1e-7 * np.abs(slope).max(
                initial=1.0
            ):
                return False
        return True


# --- states that the constraints allow ------------------------------------------------------------


def allowed_columns(model: RightModel, *, vary: bool = True) -> dict[str, Array]:
    """States that the constraints allow, a column for each symbol; parameters differ or do not."""
    states = allowed_motions(model, vary=vary)
    return {name: np.array([s.values[name] for s in states]) for name in states[0].values}


@lru_cache(maxsize=16)  # of the models that are asked about
def allowed_motions(model: RightModel, *, vary: bool = True) -> list[MovingState]:
    """States at which the constraints hold; parameters differ where loops then still close."""
    count = STATES if vary else STATES // 2
    states = random_motions(model.equations, count, vary=vary)
    if vary and len(states) < STATES // 2:
        states = allowed_motions(model, vary=False)
    if len(states) < 3:
        raise SolveError(
            "check_answer",
            say("only {number} states were found at which the constraints hold.", len(states)),
            "Give initial values near an assembled configuration.",
        )
    return states


def reduced_equation(model: RightModel, row: int) -> Expr | None:
    """The right equation as a formula of one coordinate, where nothing else is left in it."""
    equations = shortened(model.equations, readable)
    name = equations.speeds[row]
    try:
        less = equations.reduced([name])
    except ModelError:
        return None
    k = less.speeds.index(name)
    a = [symbol(f"{x}.", "acceleration") for x in less.speeds]
    equation = readable(expression(less.M[k] @ a) + less.h[k] + less.g[k] - less.Q[k])
    left = [x.name for x in free_symbols(equation) if x.kind == "coordinate"]
    independent = {x.removesuffix(".") for x in less.speeds}
    return equation if set(left) <= independent and len(reachable([equation])) <= _LONGEST else None


# --- linear algebra -------------------------------------------------------------------------------


def _virtual(N: Array, row: int, speeds: tuple[str, ...]) -> Array:
    """The motion in the kernel with a unit of one speed, the other independent ones at rest."""
    chosen = [row]
    for k in range(len(N)):
        if len(chosen) == N.shape[1]:
            break
        if k not in chosen and np.linalg.matrix_rank(N[[*chosen, k]], tol=1e-6) > len(chosen):
            chosen.append(k)
    rows = N[chosen]
    if not N.shape[1] or np.linalg.matrix_rank(rows, tol=1e-9) < N.shape[1]:
        raise SolveError(
            "check_answer",
            say('"{speeds}" cannot change on its own: the constraints fix it.', speeds[row]),
            "Ask for another coordinate, or write the equation with its multipliers.",
        )
    unit = np.zeros(N.shape[1])
    unit[0] = 1.0
    return N @ np.linalg.solve(rows, unit)


def _spans(rows: Array, slope: Array) -> bool:
    """Whether a gradient that is not zero is a sum of rows."""
    size = float(np.linalg.norm(slope))
    parts, *_ = np.linalg.lstsq(rows.T, slope, rcond=_RANK)
    return bool(0 < size < np.inf and np.linalg.norm(slope - rows.T @ parts) <= CLOSE * size)


def _block(A: Array, B: Array, J: Array) -> Array:
    """[[A, B], [J, 0]]."""
    return np.block([[A, B], [J, np.zeros((len(J), B.shape[1]))]])


def _solved(matrix: Array, right: Array) -> Array:
    if not np.isfinite(matrix).all() or not np.isfinite(right).all():
        return np.full(matrix.shape[1], np.nan)
    scale = np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-300)
    scaled = matrix / scale[:, None], right / scale
    return np.asarray(np.linalg.lstsq(*scaled, rcond=_RANK**1.5)[0])


def not_unique(name: str) -> SolveError:
    """A reaction that the equations of motion do not determine."""
    return SolveError(
        "check_answer",
        say("{name} is statically indeterminate: the mechanism is over-constrained there.", name),
        "Ask for another component, or remove the redundant constraints from the joints.",
    )
