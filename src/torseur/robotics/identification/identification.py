"""What an identification found: base parameters, how sure they are, what is left of forces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel
from torseur.plain import plain
from torseur.result import Result
from torseur.robotics.identification.base_parameters import (
    BaseParameters,
    described_values,
    parameter_told,
)
from torseur.robotics.identification.least_squares import Fit
from torseur.robotics.states import States, regressor
from torseur.text_table import text_table
from torseur.words.sentence import said, say, worded

Array = np.ndarray


@final
class Residuals(Result):
    """What a model leaves of measured forces, joint by joint."""

    names: tuple[str, ...]  # the speeds that forces act along
    t: Array  # (samples)
    measured: Array  # (samples, nv)
    left: Array  # (samples, nv): measured − model

    @property
    def rms(self) -> Array:
        """The root mean square of what is left (nv) [N or N m]."""
        return np.asarray(np.sqrt((self.left**2).mean(axis=0)))

    @property
    def relative(self) -> Array:
        """The same beside the measured forces (nv)."""
        size = np.sqrt((self.measured**2).mean(axis=0))
        return np.asarray(self.rms / np.where(size > 0, size, 1.0))

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data, without the samples."""
        rows = zip(self.names, self.rms, self.relative, strict=True)
        return {name: {"rms": float(x), "relative": float(r)} for name, x, r in rows}

    def __str__(self) -> str:
        head = [worded(x) for x in ("force along", "left (rms)", "of the measured")]
        rows = zip(self.names, self.rms, self.relative, strict=True)
        lines = [[name.removesuffix("."), f"{x:.4g}", f"{100 * r:.3g} %"] for name, x, r in rows]
        return table([head, *lines])

    def figure(self, path: str | Path | None = None, lang: str | None = None) -> Figure:
        """Measured forces and those of the model, beside what it leaves of them, joint by joint."""
        count, model = len(self.names), self.measured - self.left
        drawn = figure(10.0, 1.2 + 1.4 * count)
        panels = drawn.subplots(count, 2, sharex=True, squeeze=False)
        for k, ((whole, rest), name) in enumerate(zip(panels, self.names, strict=True)):
            whole.plot(self.t, self.measured[:, k], color="0.7", label=said("measured", lang))
            whole.plot(self.t, model[:, k], color="C0", linewidth=0.8, label=said("model", lang))
            left = said("what is left", lang)
            rest.plot(self.t, self.left[:, k], color="C3", linewidth=0.8, label=left)
            below = "t [s]" if k == count - 1 else ""
            labelled(whole, below, f"Q {name.removesuffix('.')}")
            labelled(rest, below, "")
        for panel in panels[0]:
            panel.legend(loc="upper right")
        return written(drawn, path, said("residuals by joint", lang))


@final
class Identification(Result):
    """Base parameters from a log, with their standard deviations and 95 % intervals."""

    model: CompiledModel
    base: BaseParameters
    fit: Fit
    weighted: bool
    residuals: Residuals
    told: tuple[str, ...]  # what was done with the samples
    notices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The base parameters."""
        return self.base.names

    @property
    def values(self) -> Array:
        """Their estimates (base)."""
        return self.fit.x

    @property
    def deviations(self) -> Array:
        """Their standard deviations (base)."""
        return self.fit.deviations

    @property
    def intervals(self) -> Array:
        """Their 95 % confidence intervals (base, 2)."""
        return self.fit.intervals()

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.names.index(name)])

    def forces(self, q: Array, v: Array, a: Array) -> Array:
        """The forces that a motion needs by what was found (samples, nv)."""
        q, v, a = (np.atleast_2d(np.asarray(x, dtype=float)) for x in (q, v, a))
        Y = regressor(self.model, States(q, v, a))
        return np.asarray(
            Y @ (self.base.columns @ self.values) + Y @ given_values(self.model, self.base)
        )

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        columns = (self.names, self.base.formulas, self.values, self.deviations)
        rows = zip(*columns, self.intervals, self.base.values, strict=True)
        keys = ("name", "formula", "value", "deviation", "interval", "described")
        return {
            "parameters": [dict(zip(keys, map(plain, row), strict=True)) for row in rows],
            "weighted": self.weighted,
            "condition": self.fit.condition,
            "samples": len(self.residuals.t),
            "deviation_of_forces": plain(self.fit.sigma),
            "residuals": self.residuals.document,
            "filtering": list(self.told),
            "notices": list(self.notices),
        }

    def __str__(self) -> str:
        way = say("weighted least squares") if self.weighted else say("ordinary least squares")
        first = say(
            "{number} base parameters from {samples} samples by {way}, condition {condition:.3g}",
            len(self.names),
            len(self.residuals.t),
            way,
            self.fit.condition,
        )
        rows = estimates(self.names, self.values, self.deviations, self.intervals)
        known = ("" if np.isnan(x) else f"{x:.5g}" for x in self.base.values)
        described = [worded("described"), *known]
        listed = table([[*row, x] for row, x in zip(rows, described, strict=True)])
        parts = [first, listed, str(self.residuals)]
        parts += told_list("what was done with the samples:", self.told)
        parts += told_list("to look at:", self.notices)
        return "\n\n".join(parts)

    def figure(self, path: str | Path | None = None, lang: str | None = None) -> Figure:
        """Measured forces and what is left of them, a panel for each joint."""
        return self.residuals.figure(path, lang)


def given_values(model: CompiledModel, base: BaseParameters) -> Array:
    """The values of the columns that are known; zero for the others."""
    is_known = np.isin(base.standard, base.known)
    return np.where(is_known, described_values(model), 0.0)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under a head, of numbers but for the first column."""
    return "\n".join(text_table(rows, numbers=True))


def estimates(
    names: Sequence[str], values: Array, deviations: Array, intervals: Array
) -> list[list[str]]:
    """Rows of a table of estimates under its head."""
    rows = [[worded(x) for x in ("parameter", "value", "deviation", "95 % interval")]]
    for name, x, s, (low, high) in zip(names, values, deviations, intervals, strict=True):
        rows.append([parameter_told(name), f"{x:.5g}", f"{s:.2g}", f"{low:.5g} … {high:.5g}"])
    return rows


def told_list(head: str, sentences: Sequence[str]) -> list[str]:
    """Sentences under a head, if there are any, as one text."""
    if not sentences:
        return []
    return ["\n  ".join([worded(head), *map(worded, sentences)])]
