"""The forces that hold a mechanism at rest in a pose, as formulas of the pose.

At rest g − Q − Jᵀ λ = Bᵀ f: the forces f push along coordinates that they hold, in addition to what
acts already. The coordinates of the pose stay letters, except those that are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.analyse.letters.states import (
    FormulasAtState,
    StateLines,
    solution_in_letters,
    state_lines,
)
from torseur.equations.expressions.sampling import first_independent, sample
from torseur.errors import ModelError, SolveError, require_known
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.words.sentence import say

Array = np.ndarray


def holding_in_letters(
    mechanism: Mechanism,
    pose: Mapping[str, Any] | None = None,
    *,
    by: Sequence[str] = (),
    modes: Mapping[str, str] | None = None,
) -> FormulasAtState:
    """The forces and couples that hold a pose, and the reactions then, in letters.

    `by` names the coordinates along which something pushes, by default independent ones; `pose`
    gives coordinates as numbers or texts, the others stay letters.
    """
    moving = [x for x in pose or {} if x in mechanism.speeds]
    if moving:
        problem = say('"{moving}" is a speed: a pose that is held is at rest.', moving[0])
        raise ModelError("held", problem)
    given = dict(pose or {}) | dict.fromkeys(mechanism.speeds, 0)
    lines = state_lines(mechanism, given, modes)
    system = lines.equations.system
    along = {x.removesuffix("."): k for k, x in enumerate(system.speeds)}
    names = tuple(by) or _independent(lines)
    require_known("by", "coordinate", names, along)
    units = coordinate_units(lines.mechanism)
    sizes = [symbol(f"{'F' if units.get(x) == 'm' else 'C'}_{x}", "reaction") for x in names]
    still: dict[Expr, Expr] = dict.fromkeys(system.a, ZERO)
    size = len(system.v)
    forces = list(substitute(expressions(lines.zeros[:size]), still))
    for name, push in zip(names, sizes, strict=True):
        forces[along[name]] = expression(forces[along[name]] - push)
    posed = replace(
        lines,
        zeros=expressions(forces),
        unknowns=(*sizes, *lines.unknowns[len(system.a) :]),
    )
    result = solution_in_letters(posed)
    missing = [x.name for x in sizes if x.name not in result.values]
    if missing:
        problem = say("{names} cannot hold this pose.", ", ".join(names))
        raise SolveError(
            "holding forces", problem, "Name as many coordinates as there are freedoms."
        )
    return result


def _independent(lines: StateLines) -> tuple[str, ...]:
    """Coordinates whose speeds determine the others, the first ones that do."""
    system, constraints = lines.equations.system, lines.equations.constraints
    names = tuple(x.removesuffix(".") for x in system.speeds)
    if not len(constraints.owners):
        return names
    J = np.asarray(evaluate(constraints.J, sample(constraints.J, lines.mechanism)), dtype=float)
    rank = len(first_independent(J))
    dependent: list[int] = []
    for k in reversed(range(len(names))):
        chosen = [*dependent, k]
        if len(first_independent(J[:, chosen].T)) == len(chosen) and len(dependent) < rank:
            dependent = chosen
    return tuple(x for k, x in enumerate(names) if k not in dependent)
