"""The load at the tool: its ten inertial parameters from one log without it and one with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import brief
from torseur.equations.functions.regressor import INERTIAL, inertia_of
from torseur.equations.symbols.named_places import named_place
from torseur.errors import ModelError
from torseur.figures import Figure
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.model.mass.properties import MassProperties, from_pseudo_inertia
from torseur.plain import plain
from torseur.robotics.identification.base_parameters import (
    base_parameters,
    moved_parameters,
    numbers_of,
)
from torseur.robotics.identification.filtering import Filtering
from torseur.robotics.identification.identification import Residuals, given_values
from torseur.robotics.identification.identify import Rows, rows_of, solved
from torseur.robotics.identification.least_squares import Fit
from torseur.robotics.identification.logs import Log
from torseur.robotics.identification.shown import table, told_list
from torseur.words.sentence import said, say

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Payload:
    """The ten parameters of a load, in the frame of the place where it is fixed."""

    place: str
    fit: Fit  # of the base parameters of the arm, then of the ten of the load
    residuals: Residuals  # of the log with the load
    told: tuple[str, ...]

    __repr__ = brief

    @property
    def names(self) -> tuple[str, ...]:
        """Mass, first moments and inertia about the place."""
        return INERTIAL

    @property
    def values(self) -> Array:
        """Their estimates (10)."""
        return np.asarray(self.fit.x[-len(INERTIAL) :])

    @property
    def deviations(self) -> Array:
        """Their standard deviations (10)."""
        return np.asarray(self.fit.deviations[-len(INERTIAL) :])

    @property
    def intervals(self) -> Array:
        """Their 95 % confidence intervals (10, 2)."""
        return np.asarray(self.fit.intervals()[-len(INERTIAL) :])

    @property
    def properties(self) -> MassProperties:
        """Mass, centre of mass and inertia there, in the frame of the place."""
        return from_pseudo_inertia(self._pseudo_inertia())

    @property
    def consistent(self) -> bool:
        """Whether a body can have these parameters."""
        return bool(np.linalg.eigvalsh(self._pseudo_inertia())[0] >= 0)

    def _pseudo_inertia(self) -> Array:
        return np.array(inertia_of(self.values.tolist()).pseudo, dtype=float)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        body = self.properties
        rows = zip(self.names, self.values, self.deviations, self.intervals, strict=True)
        keys = ("name", "value", "deviation", "interval")
        return {
            "place": self.place,
            "parameters": [dict(zip(keys, map(plain, row), strict=True)) for row in rows],
            "mass": plain(body.mass),
            "centre": plain(body.centre),
            "inertia": plain(body.inertia),
            "consistent": self.consistent,
            "residuals": self.residuals.document,
            "filtering": list(self.told),
        }

    def __str__(self) -> str:
        return self.said()

    def said(self, lang: str = "en") -> str:
        """The report in a language."""
        body = self.properties
        good, bad = say("a body can have them"), say("no body can have all of them")
        first = say(
            'load at "{place}": mass {mass:.5g} kg, centre ({centre}) m; {verdict}',
            self.place,
            body.mass,
            ", ".join(f"{x:.4g}" for x in body.centre),
            good if self.consistent else bad,
        )
        rows = [[said(x, lang) for x in ("parameter", "value", "deviation", "95 % interval")]]
        columns = (self.names, self.values, self.deviations, self.intervals)
        for name, x, s, (low, high) in zip(*columns, strict=True):
            rows.append([name, f"{x:.5g}", f"{s:.2g}", f"{low:.5g} … {high:.5g}"])
        parts = [said(first, lang), table(rows), self.residuals.said(lang)]
        parts += told_list("what was done with the samples:", self.told, lang)
        return "\n\n".join(parts)

    def figure(self, path: str | Path | None = None, lang: str = "en") -> Figure:
        """Forces measured with the load and what is left of them, a panel for each joint."""
        return self.residuals.figure(path, lang)


def identify_payload(
    mechanism: Mechanism | CompiledModel,
    unloaded: Log,
    loaded: Log,
    at: str,
    *,
    filtering: Filtering = Filtering(),
) -> Payload:
    """The ten inertial parameters of a load that is fixed at a named place.

    One fit of both logs: the base parameters of the arm act in both, the load in the second only.
    The two motions need not be the same (Khalil, Gautier and Lemoine, 2007).
    """
    model = compiled_at(mechanism)
    base = base_parameters(model)
    given = given_values(model, base)
    load = _columns_of_load(model, at)
    without = rows_of(model, unloaded, filtering, base.columns, given)
    with_it = rows_of(model, loaded, filtering, np.hstack([base.columns, load]), given)
    empty = np.zeros((*without.y.shape, len(INERTIAL)))
    both = Rows(
        np.concatenate([without.t, with_it.t]),
        np.concatenate([np.concatenate([without.W, empty], axis=2), with_it.W]),
        np.concatenate([without.y, with_it.y]),
        with_it.told,
    )
    fit = solved(both, (*base.names, *(f"{name} of the load" for name in INERTIAL)), True)
    left = fit.residual.reshape(both.y.shape)[len(without.y) :]
    return Payload(at, fit, Residuals(model.speeds, with_it.t, with_it.y, left), with_it.told)


def _columns_of_load(model: CompiledModel, at: str) -> Array:
    """The ten parameters of a load in the frame of a place, as those of the body that carries it."""
    place = named_place(model.mechanism, at)
    names = [link.name for _, link in model.system.tree]
    if place.body not in names:
        problem = say('"{place}" does not move.', at)
        raise ModelError("at", problem, say("Name a place of: {names}.", ", ".join(names)))
    columns = np.zeros((len(model.regressor_names), len(INERTIAL)))
    i = names.index(place.body)
    own = moved_parameters(place.pose.numeric(numbers_of(model)))
    columns[len(INERTIAL) * i : len(INERTIAL) * (i + 1)] = own
    return columns
