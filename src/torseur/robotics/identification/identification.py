"""Results of an identification: base parameters, their errors, residual forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel
from torseur.notices import text_table
from torseur.plain import plain
from torseur.result import Result
from torseur.robotics.identification.base_parameters import (
    BaseParameters,
    described_values,
    parameter_text,
)
from torseur.robotics.states import States, regressor
from torseur.words.sentence import said, say, worded

Array = np.ndarray
WORST = 1e8  # condition beyond which columns are not told apart
_PASSES = 3  # of weights found from what the fit before left
_FLOOR = 1e-13  # of the largest force: a group of rows is not trusted beyond rounding


@final
class Residuals(Result):
    """Residuals of measured forces, joint by joint."""

    names: tuple[str, ...]  # the speeds that forces act along
    t: Array  # (samples)
    measured: Array  # (samples, nv)
    left: Array  # (samples, nv): measured − model

    @property
    def rms(self) -> Array:
        """Root mean square of the residuals (nv) [N or N m]."""
        return np.asarray(np.sqrt((self.left**2).mean(axis=0)))

    @property
    def relative(self) -> Array:
        """Residuals relative to the measured forces (nv)."""
        size = np.sqrt((self.measured**2).mean(axis=0))
        return np.asarray(self.rms / np.where(size > 0, size, 1.0))

    @property
    def document(self) -> dict[str, Any]:
        """Plain data, without the samples."""
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
        """Plain data."""
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
        parts += titled_list("what was done with the samples:", self.told)
        parts += titled_list("to look at:", self.notices)
        return "\n\n".join(parts)

    def figure(self, path: str | Path | None = None, lang: str | None = None) -> Figure:
        """Measured forces and residuals, a panel for each joint."""
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
        rows.append([parameter_text(name), f"{x:.5g}", f"{s:.2g}", f"{low:.5g} … {high:.5g}"])
    return rows


def titled_list(head: str, sentences: Sequence[str]) -> list[str]:
    """Sentences under a head, if there are any, as one text."""
    if not sentences:
        return []
    return ["\n  ".join([worded(head), *map(worded, sentences)])]


# --- least squares -------------------------------------------------------------------------------
#
# Linear, with covariances; ordinary, or weighted by the residuals of groups of rows.


@final
class Fit(Result):
    """x with W x + residual = y, the errors of groups of rows being of different sizes."""

    x: Array  # (n)
    covariance: Array  # (n, n)
    sigma: Array  # (groups) the standard deviation of each group of rows
    residual: Array  # (rows)
    freedom: int  # rows − n
    condition: float  # of W with weighted rows and columns of length 1
    weakest: Array  # (n): how much each column is in the combinations that are shown least

    @property
    def deviations(self) -> Array:
        """The standard deviation of each x."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def intervals(self, confidence: float = 0.95) -> Array:
        """Between which each x lies with a probability (n, 2), by Student's distribution."""
        half = scipy.stats.t.ppf((1 + confidence) / 2, self.freedom) * self.deviations
        return np.column_stack([self.x - half, self.x + half])


def ordinary_fit(W: Array, y: Array, group: Array) -> Fit:
    """All rows weigh the same; one standard deviation for all of them."""
    fit, _ = _solved(W, y)
    spread = float(np.sqrt(fit.residual @ fit.residual / max(fit.freedom, 1)))
    sigma = np.full(int(group.max(initial=-1)) + 1, spread)
    return replace(fit, covariance=spread**2 * fit.covariance, sigma=sigma)


def weighted_fit(W: Array, y: Array, group: Array) -> Fit:
    """Rows weigh by the inverse of the standard deviation that their group was left with.

    Each group loses the freedom that its rows take in the fit, the trace of their part of the hat
    matrix, which leaves its variance without bias where the weights are right.
    """
    groups = int(group.max(initial=-1)) + 1
    sigma = np.ones(groups)
    least = _FLOOR * float(np.abs(y).max(initial=0.0))
    for _ in range(_PASSES):
        fit, leverage = _solved(W / sigma[group, np.newaxis], y / sigma[group])
        if not np.isfinite(fit.condition):
            return replace(fit, sigma=sigma)
        left = y - W @ fit.x
        squares, rows, used = (
            np.bincount(group, x, groups) for x in (left**2, np.ones(len(y)), leverage)
        )
        sigma = np.sqrt(squares / np.maximum(rows - used, 1.0))
        sigma = np.maximum(sigma, max(least, 1e-300))
    fit, _ = _solved(W / sigma[group, np.newaxis], y / sigma[group])
    return replace(fit, sigma=sigma, residual=y - W @ fit.x)


def _solved(W: Array, y: Array) -> tuple[Fit, Array]:
    """The solution for rows of unit variance, and how much of the freedom each row takes."""
    lengths = np.linalg.norm(W, axis=0)
    size = np.where(lengths > 0, lengths, 1.0)
    basis, R = np.linalg.qr(W / size)
    _, s, right = np.linalg.svd(R)
    regular = s.size > 0 and s[-1] > np.finfo(float).eps * s[0]
    condition = float(s[0] / s[-1]) if regular else float("inf")
    n = W.shape[1]
    inverse = np.full((n, n), np.nan)
    if np.isfinite(condition):
        inverse = scipy.linalg.solve_triangular(R, np.eye(n)) / size[:, np.newaxis]
    x = inverse @ (basis.T @ y)
    covariance = inverse @ inverse.T
    weak = min(int((s * WORST > s[0]).sum()), n - 1) if n else 0
    weakest = np.linalg.norm(right[weak:], axis=0)
    fit = Fit(x, covariance, np.ones(1), y - W @ x, len(y) - n, condition, weakest)
    return fit, np.asarray((basis**2).sum(axis=1))
