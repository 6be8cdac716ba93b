"""An equation without multipliers, of a mechanism with constraints, at states where these hold.

The right equation is that of the virtual motion in which the chosen coordinate moves at the speed
1, the other independent ones stand still and the dependent ones follow: δᵀ (M a + h + g − Q) = 0
with J δ = 0. Reactions do not work in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, free_symbols, reachable
from torseur.algebra.forms.readable import readable
from torseur.analyse.at_a_state.random_motion import MovingState, random_motions
from torseur.errors import ModelError, SolveError
from torseur.teach.answers.factors import Sampled
from torseur.teach.answers.model import RightModel
from torseur.teach.answers.sampling import CLOSE, STATES
from torseur.teach.derivation.elimination import shortened
from torseur.words.sentence import say

Array = np.ndarray
_LONGEST = 120  # nodes of a formula whose terms are compared


def constrained_samples(model: RightModel, row: int, given: Expr) -> Sampled:
    """The right equation and the given one at states that the constraints allow."""
    states = allowed_motions(model)
    rng = np.random.default_rng(1)
    rows = [_at(model, row, given, state, rng) for state in states]
    expected, found, size = (np.array([x[k] for x in rows]) for k in range(3))
    names = model.mechanism.parameter_table
    values = {n: np.array([s.values[n] for s in states]) for n in names if n in states[0].values}
    return Sampled(expected, found, size, values, CLOSE)


def allowed_motions(model: RightModel, *, vary: bool = True) -> list[MovingState]:
    """States at which the constraints hold; parameters differ where loops then still close."""
    if vary not in model.states:
        model.states[vary] = _allowed_motions(model, vary)
    return model.states[vary]


def _allowed_motions(model: RightModel, vary: bool) -> list[MovingState]:
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
    found = shortened(model.equations, readable)
    name = found.speeds[row]
    try:
        less = found.reduced([name])
    except ModelError:
        return None
    k = less.speeds.index(name)
    a = [symbol(f"{x}.", "acceleration") for x in less.speeds]
    made = readable(expression(less.M[k] @ a) + less.h[k] + less.g[k] - less.Q[k])
    left = [x.name for x in free_symbols(made) if x.kind == "coordinate"]
    own = {x.removesuffix(".") for x in less.speeds}
    return made if set(left) <= own and len(reachable([made])) <= _LONGEST else None


def _at(
    model: RightModel, row: int, given: Expr, state: MovingState, rng: np.random.Generator
) -> tuple[float, float, float]:
    found, n = model.equations, len(model.equations.speeds)

    def numbers(outputs: Any) -> Array:
        return np.asarray(evaluate(outputs, state.values), dtype=float)

    J, gamma = numbers(found.J).reshape(-1, n), numbers(found.gamma)
    N = _kernel(J)
    virtual = _virtual(N, row, found.speeds)
    a = -np.linalg.pinv(J, rcond=1e-9) @ gamma + N @ rng.normal(size=N.shape[1])
    parts = [numbers(found.M) * a, numbers(found.h), numbers(found.g), -numbers(found.Q)]
    total = parts[0].sum(axis=1) + parts[1] + parts[2] + parts[3]
    size = np.abs(parts[0]).sum(axis=1) + sum(np.abs(x) for x in parts[1:])
    values = dict(state.values) | {x.name: float(y) for x, y in zip(found.system.a, a, strict=True)}
    return virtual @ total, float(evaluate(given, values)), float(np.abs(virtual) @ size)


def _kernel(J: Array) -> Array:
    _, s, Vt = np.linalg.svd(J)
    rank = int((s > 1e-9 * max(s.max(initial=0.0), 1.0)).sum())
    return Vt[rank:].T


def _virtual(N: Array, row: int, speeds: tuple[str, ...]) -> Array:
    """The motion in the kernel with a unit of one speed, the other independent ones at rest."""
    chosen = [row]
    for k in range(len(N)):
        if len(chosen) == N.shape[1]:
            break
        if k not in chosen and np.linalg.matrix_rank(N[[*chosen, k]], tol=1e-6) > len(chosen):
            chosen.append(k)
    own = N[chosen]
    if not N.shape[1] or np.linalg.matrix_rank(own, tol=1e-9) < N.shape[1]:
        raise SolveError(
            "check_answer",
            say('"{speeds}" cannot move on its own: the constraints hold it.', speeds[row]),
            "Ask for another coordinate, or write the equation with its multipliers.",
        )
    unit = np.zeros(N.shape[1])
    unit[0] = 1.0
    return N @ np.linalg.solve(own, unit)
