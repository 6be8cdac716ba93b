"""Estimation: the base parameters of a mechanism from logs of its motion and of its forces.

Atkeson, An and Hollerbach (1986) for the linear form; Gautier (1997) for filters and weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.robotics.identification.base_parameters import (
    BaseParameters,
    base_parameters,
    parameter_text,
)
from torseur.robotics.identification.filtering import USUAL, Filtering, PreparedLog, prepare_log
from torseur.robotics.identification.identification import (
    WORST,
    Fit,
    Identification,
    Residuals,
    given_values,
    ordinary_fit,
    weighted_fit,
)
from torseur.robotics.identification.logs import Log
from torseur.robotics.states import regressor
from torseur.words.sentence import say

Array = np.ndarray
POOR = 1e3  # condition beyond which a notice is given
_UNSURE = 0.5  # of its value: a deviation that gets a notice
_SHOWN = 8  # parameters that a message names


@final
@dataclass(frozen=True, eq=False)
class LogRows:
    """The equations W x = y of a log, row after row; the rows of each sample are its joints."""

    t: Array  # (samples)
    W: Array  # (samples, nv, columns)
    y: Array  # (samples, nv)
    told: tuple[str, ...]


def rows_of(
    model: CompiledModel, log: Log, filtering: Filtering, columns: Array, given: Array
) -> LogRows:
    """Equations of combinations of columns of the regressor; known terms are subtracted."""
    ready: PreparedLog = prepare_log(model, log, filtering)
    Y = regressor(model, ready.states, ready.t)
    return LogRows(
        ready.t[ready.kept],
        ready.filtered(Y @ columns),
        ready.filtered(ready.Q - Y @ given),
        ready.told,
    )


def identify(
    mechanism: Mechanism | CompiledModel,
    log: Log,
    *,
    known: Sequence[str] = (),
    weighted: bool = True,
    filtering: Filtering = USUAL,
) -> Identification:
    """The base parameters of a tree of bodies from a log of its motion and of its forces.

    By least squares, weighted by what each joint is left with, or ordinary. Friction and rotors are
    found where the description has them. `known` names columns of the regressor that keep the
    values of the description.
    """
    model = compiled_at(mechanism)
    base = base_parameters(model, known=known)
    given = given_values(model, base)
    if np.isnan(given).any():
        missing = [x for x, value in zip(base.standard, given, strict=True) if np.isnan(value)]
        raise ModelError("known", say("{missing} has no value.", missing[0]), "Give it one.")
    rows = rows_of(model, log, filtering, base.columns, given)
    fit = least_squares_fit(rows, base.names, weighted)
    left = Residuals(model.speeds, rows.t, rows.y, fit.residual.reshape(rows.y.shape))
    notices = tuple(_notices(base, fit))
    return Identification(model, base, fit, weighted, left, rows.told, notices)


def least_squares_fit(rows: LogRows, names: Sequence[str], is_weighted: bool) -> Fit:
    """Least squares, or a SolveError where the log does not tell parameters apart."""
    if rows.y.size <= len(names):
        problem = say("{rows} equations for {number} parameters.", rows.y.size, len(names))
        raise SolveError("identification", problem, "Record more samples.")
    joints = np.tile(np.arange(rows.y.shape[1]), len(rows.y))  # of each row
    solve = weighted_fit if is_weighted else ordinary_fit
    fit = solve(rows.W.reshape(-1, rows.W.shape[2]), rows.y.ravel(), joints)
    if not fit.condition < WORST:
        heavy = np.argsort(-np.abs(fit.weakest))[:_SHOWN]
        problem = say(
            "the motion does not distinguish {names} (condition {condition:.1e}).",
            ", ".join(
                parameter_text(names[k]) for k in sorted(heavy) if abs(fit.weakest[k]) > 1e-3
            ),
            fit.condition,
        )
        raise SolveError(
            "identification",
            problem,
            "Record a motion made to show them (ts.robots.excite, torseur excite), or keep some "
            "known.",
        )
    return fit


def _notices(base: BaseParameters, fit: Fit) -> Iterator[str]:
    """Notices: a poor condition, and parameters that the log hardly shows."""
    if fit.condition > POOR:
        yield say(
            "the condition of the equations is {condition:.2g}: another motion would show more.",
            fit.condition,
        )
    is_unsure = fit.deviations > _UNSURE * np.abs(fit.x)
    unsure = [name for name, x in zip(base.names, is_unsure, strict=True) if x]
    if unsure:
        yield say(
            "{number} parameters are not known better than to half their value: {names}.",
            len(unsure),
            ", ".join(map(parameter_text, unsure)),
        )


def validate(result: Identification, log: Log, *, filtering: Filtering = USUAL) -> Residuals:
    """Residual forces of another log with the identified parameters."""
    given = given_values(result.model, result.base)
    rows = rows_of(result.model, log, filtering, result.base.columns, given)
    return Residuals(result.model.speeds, rows.t, rows.y, rows.y - rows.W @ result.values)
