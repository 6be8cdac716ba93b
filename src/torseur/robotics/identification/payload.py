"""The load at the tool: its ten inertial parameters from one log without it and one with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.equations.functions.placed import named_place
from torseur.equations.functions.regressor import INERTIAL
from torseur.errors import ModelError
from torseur.figures import Figure
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.mass.properties import MassProperties, from_pseudo_inertia
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.robotics.identification.base_parameters import (
    GIVEN_FIRST,
    LENGTHS,
    SMALLEST,
    base_parameters,
    moved_parameters,
    numbers_of,
    pseudo_inertia,
    relations,
    sampled_columns,
)
from torseur.robotics.identification.filtering import USUAL, Filtering
from torseur.robotics.identification.identification import (
    Residuals,
    estimates,
    given_values,
    table,
    titled_list,
)
from torseur.robotics.identification.identify import LogRows, least_squares_fit, rows_of
from torseur.robotics.identification.logs import Log
from torseur.words.sentence import say

Array = np.ndarray


@final
class Payload(Result):
    """Ten inertial parameters of a load, in the frame of its place."""

    place: str
    values: Array  # (10) of `names`; nan for what the arm does not show
    deviations: Array  # (10) their standard deviations
    intervals: Array  # (10, 2) their 95 % confidence intervals
    residuals: Residuals  # of the log with the load
    told: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Mass, first moments and inertia about the place."""
        return INERTIAL

    @property
    def hidden(self) -> tuple[str, ...]:
        """Parameters that no motion of the arm shows."""
        return tuple(np.array(INERTIAL)[np.isnan(self.values)].tolist())

    @property
    def properties(self) -> MassProperties | None:
        """Mass, centre of mass and inertia there, in the frame of the place, if all are shown."""
        return None if self.hidden else from_pseudo_inertia(pseudo_inertia(self.values))

    @property
    def consistent(self) -> bool | None:
        """Whether a body can have these parameters, if all are shown."""
        if self.hidden:
            return None
        return bool(np.linalg.eigvalsh(pseudo_inertia(self.values))[0] >= 0)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        body = self.properties
        rows = zip(self.names, self.values, self.deviations, self.intervals, strict=True)
        keys = ("name", "value", "deviation", "interval")
        return {
            "place": self.place,
            "parameters": [dict(zip(keys, map(plain, row), strict=True)) for row in rows],
            **{x: plain(getattr(body, x, None)) for x in ("mass", "centre", "inertia")},
            **entries(self, "consistent", "hidden", "residuals"),
            "filtering": list(self.told),
        }

    def __str__(self) -> str:
        known = ~np.isnan(self.values)  # the head names the others
        names = [name for name, it in zip(self.names, known, strict=True) if it]
        result = (self.values[known], self.deviations[known], self.intervals[known])
        rows = estimates(names, *result)
        parts = [self._head(), table(rows), str(self.residuals)]
        parts += titled_list("what was done with the samples:", self.told)
        return "\n\n".join(parts)

    def _head(self) -> str:
        body = self.properties
        if body is None:
            names = ", ".join(self.hidden)
            return say('load at "{place}"; the arm does not show {names}', self.place, names)
        good, bad = say("a body can have them"), say("no body can have all of them")
        return self.say(
            'load at "{place}": mass {mass:.5g} kg, centre ({centre}) m; {verdict}',
            mass=body.mass,
            centre=", ".join(f"{x:.4g}" for x in body.centre),
            verdict=good if self.consistent else bad,
        )

    def figure(self, path: str | Path | None = None, lang: str | None = None) -> Figure:
        """Forces measured with the load and residuals, a panel for each joint."""
        return self.residuals.figure(path, lang)


def identify_payload(
    mechanism: Mechanism | CompiledModel,
    unloaded: Log,
    loaded: Log,
    at: str,
    *,
    filtering: Filtering = USUAL,
) -> Payload:
    """The ten inertial parameters of a load that is fixed at a named place.

    One fit of both logs: the base parameters of the arm act in both, the load in the second only.
    The two motions need not be the same (Khalil, Gautier and Lemoine, 2007).
    """
    model = compiled_at(mechanism)
    base = base_parameters(model)
    given = given_values(model, base)
    load = _columns_of_load(model, at)
    independent, sure = _independent(model, load)
    without = rows_of(model, unloaded, filtering, base.columns, given)
    with_it = rows_of(
        model, loaded, filtering, np.hstack([base.columns, load[:, independent]]), given
    )
    empty = np.zeros((*without.y.shape, len(independent)))
    both = LogRows(
        np.concatenate([without.t, with_it.t]),
        np.concatenate([np.concatenate([without.W, empty], axis=2), with_it.W]),
        np.concatenate([without.y, with_it.y]),
        with_it.told,
    )
    fit = least_squares_fit(
        both, (*base.names, *(f"{INERTIAL[k]} of the load" for k in independent)), True
    )
    left = fit.residual.reshape(both.y.shape)[len(without.y) :]
    result = np.full((len(INERTIAL), 4), np.nan)
    result[independent] = np.column_stack([fit.x, fit.deviations, fit.intervals()])[len(base) :]
    result[~sure] = np.nan
    residuals = Residuals(model.speeds, with_it.t, with_it.y, left)
    return Payload(at, result[:, 0], result[:, 1], result[:, 2:], residuals, with_it.told)


def _independent(model: CompiledModel, load: Array) -> tuple[list[int], Array]:
    """Parameters of a load that are independent, and which of the ten stand for themselves."""
    length = model.sizes.scales.length
    table = sampled_columns(model) @ load * length ** LENGTHS.astype(float)
    result = relations(table, GIVEN_FIRST)
    mixed = np.abs(np.array([*result.values(), np.zeros(len(INERTIAL))])).max(axis=0)
    return [k for k in range(len(INERTIAL)) if k not in result], mixed < SMALLEST**0.5


def _columns_of_load(model: CompiledModel, at: str) -> Array:
    """The ten parameters of a load in the frame of a place, as those of the body there."""
    place = named_place(model.mechanism, at)
    names = [link.name for _, link in model.system.tree]
    if place.body not in names:
        problem = say('"{place}" does not move.', at)
        raise ModelError("at", problem, say("Name a place of: {names}.", ", ".join(names)))
    columns = np.zeros((len(model.regressor_names), len(INERTIAL)))
    i = names.index(place.body)
    block = moved_parameters(place.pose.numeric(numbers_of(model)))
    columns[len(INERTIAL) * i : len(INERTIAL) * (i + 1)] = block
    return columns
