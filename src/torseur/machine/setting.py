"""The parameters of a compiled function: the rows of a sweep, and why a call has no result.

What accelerations need may be missing at some values only: a length that is zero, a spring whose
ends meet. A name is then worth more than a NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.actions.applied import powers
from torseur.equations.functions.placed import ROWS
from torseur.equations.motion.diagnosis import (
    OTHER_COORDINATES,
    lost_along,
    lost_freedom,
    singular_notices,
)
from torseur.errors import ModelError, SolveError, unknown
from torseur.model.description import Mechanism
from torseur.model.parameters import order
from torseur.words.sentence import say

Array = np.ndarray
_SHOWN = 8  # coordinates of a state in a message
_SMALL = 1e-6  # of the entries of a combination
_SINGULAR = 1e-11  # of the largest singular value


@final
@dataclass(frozen=True)
class Setting:
    """A mechanism, the values of its parameters, and how to compile it at other values."""

    mechanism: Mechanism
    parameters: Mapping[str, float | None]
    model: Callable[[Mapping[str, float]], Any]
    require_changeable: Callable[[Iterable[str]], None] = lambda names: None

    def swept(self, given: Mapping[str, Any]) -> dict[str, Array]:
        """Values of all parameters, row by row where given so; dependent ones are computed."""
        self.require_changeable(given)
        table = self.mechanism.parameter_table
        columns: dict[str, Any] = {}
        for name, values in given.items():
            if name not in table:
                raise unknown("parameters", "parameter", name, table)
            columns[name] = np.asarray(values, dtype=float)
            bad = np.flatnonzero(~np.isfinite(np.atleast_1d(columns[name])))
            if bad.size:
                value = np.atleast_1d(columns[name])[bad[0]]
                problem = say(
                    "its value in row {bad} is {value}, not a finite number.", bad[0], value
                )
                raise ModelError(f'parameter "{name}"', problem)
        changed = set(columns)
        for name in order(table):
            definition = table[name].value
            needs = [] if definition is None else [x.name for x in free_symbols(definition)]
            if name in changed:
                continue
            if definition is not None and changed.intersection(needs):
                changed.add(name)
                columns[name] = np.asarray(evaluate(definition, {n: columns[n] for n in needs}))
            else:
                columns[name] = self.parameters[name]
        return columns

    def cause(
        self, function: str, state: Mapping[str, Array], values: Mapping[str, float]
    ) -> SolveError:
        """Why a function of the accelerations has no finite result at a state."""
        model = self.model(values)
        place = at_state(function, model.coordinates, state["q"])
        lost = lost_freedom(model.mass_matrix, state["q"], model.sizes.coordinates)
        if lost is not None:
            problem = say("{problem}.", lost_along(lost, model.speeds))
            return SolveError(place, problem, OTHER_COORDINATES)
        notices = singular_notices(np.array(model.mass_matrix(state["q"])), model.system)
        if notices:
            return SolveError(place, *notices)
        if function.startswith("operational_inertia"):
            return SolveError(
                place, *_singular_place(model.function(f"inverse_{function}")(state["q"]))
            )
        t = state.get("t", np.zeros(1))[0]
        sizes = model.timed("powers")(state["q"], state["v"], t)
        named = zip(powers(model.system), np.isfinite(sizes), strict=True)
        guilty = [name for name, is_finite in named if not is_finite]
        what = say('force "{guilty}" is', guilty[0]) if guilty else say("the accelerations are")
        advice = "Look for a division by zero, or for a length or a mass that is zero."
        return SolveError(place, say("{what} infinite or undefined there.", what), advice)


def at_state(function: str, names: Sequence[str], q: Array) -> str:
    """A function and the state that it was called at, for a message."""
    values = [f"{name} = {x:.4g}" for name, x in zip(names, q, strict=True)]
    return f"{function} at {', '.join(values[:_SHOWN])}{', …' if len(values) > _SHOWN else ''}"


def _singular_place(W: Array) -> tuple[str, str]:
    """Problem and advice where J M⁻¹ Jᵀ of a place is singular: parts of ω and v stay zero."""
    sizes_of_rows = np.sqrt(np.diag(W))
    scale = 1 / np.where(sizes_of_rows > 0, sizes_of_rows, 1.0)
    _, sizes, rows = np.linalg.svd(scale[:, np.newaxis] * W * scale)
    count = max(1, int(np.sum(sizes <= _SINGULAR * sizes[0])))
    nothing = ", ".join(_combination(row) for row in _reduce_rows(rows[-count:] * scale))
    return (
        say("it has no {nothing} there, whatever acts on it.", nothing),
        "Leave this configuration, or invert the rows and columns that move of "
        "inverse_operational_inertia.",
    )


def _reduce_rows(rows: Array) -> Array:
    """Rows that span the same, each the only one with its largest entry, which is 1."""
    rows = np.array(rows)
    for k in range(len(rows)):
        pivot = int(np.argmax(np.abs(rows[k])))
        rows[k] /= rows[k, pivot]
        for j in range(len(rows)):
            rows[j] -= rows[j, pivot] * rows[k] if j != k else 0.0
    return rows


def _combination(row: Array) -> str:
    parts = [
        name if abs(x - 1) < _SMALL else f"{x:.3g} {name}"
        for x, name in zip(row, ROWS[-len(row) :], strict=True)
        if abs(x) > _SMALL
    ]
    return " + ".join(parts).replace("+ -", "- ")
