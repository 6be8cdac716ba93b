"""The model that moves: what carries no inertia is decided by the balance of forces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.equations.motion.quasi_static import Balanced, is_balanced
from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.constraints.light_balance import LightBalance
from torseur.model.constraints.protocol import has_speeds
from torseur.model.description import Mechanism
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.words.sentence import say

Array = np.ndarray


def moving_model(
    mechanism: Mechanism | CompiledModel, parameters: Mapping[str, float] | None = None
) -> CompiledModel:
    """The model with the balances of its motions without inertia; itself without such motions."""
    model = compiled_at(mechanism, parameters)
    zeros = tuple(sorted(name for name, x in model.parameters.items() if x == 0))
    balanced = model.once(_ModelInBalance(zeros))
    return model if balanced is None else compiled_at(balanced, model.given)


def light_stiffness(constraints: NumericConstraints, q: Array, t: float) -> Array:
    """Slopes of the balances: stiffnesses along what has no inertia, where nothing damps it."""
    mechanism, speeds = constraints.model.mechanism, constraints.model.speeds
    balances = [x for x in mechanism.constraints.values() if isinstance(x, LightBalance)]
    if not balances or any(has_speeds(x.zero) for x in balances):
        return np.zeros((0, 0))
    rows = [constraints.owners.index(x.name) for x in balances]
    light = [speeds.index(f"{x.coordinate}.") for x in balances]
    others = [k for k in range(len(constraints.owners)) if k not in rows]
    heavy = [k for k in range(len(speeds)) if k not in light]
    J, M = constraints.J(q, t), np.array(constraints.model.mass_matrix(q))
    M = M + J[others].T @ J[others]
    N = np.zeros((len(speeds), len(light)))
    N[light] = np.eye(len(light))
    N[heavy] = -np.linalg.lstsq(M[np.ix_(heavy, heavy)], M[np.ix_(heavy, light)], rcond=1e-12)[0]
    return np.asarray(-J[rows] @ N)


def require_valley(constraints: NumericConstraints, q: Array, t: float) -> None:
    """Refuse to start where what has no inertia would leave at once: no potential valley."""
    stiffness = light_stiffness(constraints, q, t)
    if stiffness.size and np.linalg.eigvals(stiffness).real.min() <= 0:
        balances = constraints.model.mechanism.constraints.values()
        names = ", ".join(x.coordinate for x in balances if isinstance(x, LightBalance))
        problem = say(
            "what has no inertia ({names}) would leave at once: its balance is not stable.", names
        )
        advice = "Start nearer to a stable balance (initial: …), or give it a small mass."
        raise SolveError(f"t = {t:.6g} s", problem, advice)


def require_same_balances(mechanism: Mechanism, swept: Mapping[str, Any]) -> None:
    """Refuse a batch in which a parameter of value 0 changes where balances depend on zeros."""
    for name in swept if is_balanced(mechanism) else ():
        if mechanism.parameters.get(name) == 0:
            problem = say(
                '"{name}" is 0 in the description, and coordinates without inertia move by it.',
                name,
            )
            advice = "Give it a value in the description that is not 0, and no 0 in the rows."
            raise ModelError("simulate", problem, advice)


@final
@dataclass(frozen=True)
class _ModelInBalance:
    """Makes the model with balances; None where there are none. Equal ones make the same."""

    zeros: tuple[str, ...]  # parameters of value 0

    def __call__(self, mechanism: Mechanism) -> CompiledModel | None:
        balanced = Balanced(self.zeros)(mechanism)
        return None if balanced is mechanism else CompiledModel(balanced)
