"""The result of a study: a table of samples by name, what is read from it, and its pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, final

import numpy as np

from torseur.brief import numbered, shortened
from torseur.errors import ModelError, unknown
from torseur.figures import Figure, figure, labelled, one_panel, written
from torseur.plain import plain
from torseur.result import Result
from torseur.study.block import SampleBlock
from torseur.study.result_files import columns, curves, read_result, save_result, units_of
from torseur.study.stack import Stack, stacks
from torseur.study.study_description import Study
from torseur.words.sentence import say, worded

Array = np.ndarray
T = TypeVar("T")
_FEW = 5  # reasons that are listed
_BANDS = ((0.05, 0.95), (0.25, 0.75))  # shares of the samples between which a curve is shown
_SHARES = (0.05, 0.5, 0.95)
_DRAWN = 300  # resamplings
_SEED = 20_101  # of the resamplings: the same data have the same errors


@final
class StudyResult(Result):
    """The samples of a study: `found["top"]` is one number a sample, `found["l"]` what varied."""

    study: Study
    rows: Array  # (samples, factors), SI
    outputs: SampleBlock

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        lost = f", {len(self.reasons)} without a value" if self.reasons else ""
        listed = ", ".join(x.name for x in self.study.outputs)
        samples = numbered(len(self), "sample")
        return f'<StudyResult "{self.study.name}": {samples}{lost}: {listed}>'

    def __getitem__(self, name: str) -> Array:
        """Varied quantity or output (samples), or a curve (samples, times)."""
        known = columns(self.study, self.rows, self.outputs) | curves(self.study, self.outputs)
        if name not in known:
            raise unknown("study", "quantity", name, self.units)
        return known[name]

    @property
    def t(self) -> Array:
        """The times of curves [s]."""
        return self.outputs.t

    @property
    def reasons(self) -> Mapping[int, str]:
        """Why samples lack numbers, by their places."""
        return self.outputs.reasons

    @property
    def units(self) -> dict[str, str]:
        """Units of varied quantities and outputs."""
        return units_of(self.study, self.outputs)

    @cached_property
    def statistics(self) -> dict[str, Statistics]:
        """Statistics of every output that is a number."""
        return {x.name: statistics(self[x.name]) for x in self.study.scalars}

    @cached_property
    def correlations(self) -> dict[str, dict[str, Correlation]]:
        """Correlations of every output with all varied quantities."""
        return self._by_factor(lambda values: correlations(self.rows, values))

    @cached_property
    def indices(self) -> dict[str, dict[str, Index]]:
        """Sobol's indices of every output, of a study by the method `saltelli`."""
        if self.study.design.method != "saltelli":
            raise ModelError(
                "study",
                say('samples by "{method}" give no indices.', self.study.design.method),
                "Choose method: saltelli; correlations are known of all samples.",
            )
        return self._by_factor(lambda values: sobol_indices(values, len(self.study.factors)))

    def _by_factor(self, read: Callable[[Array], list[T]]) -> dict[str, dict[str, T]]:
        """Value of `read` for every output that is a number, by varied quantity."""
        outputs = (x.name for x in self.study.scalars)
        return {x: dict(zip(self.study.names, read(self[x]), strict=True)) for x in outputs}

    @cached_property
    def stacks(self) -> dict[str, Stack]:
        """The tolerances of every output to first order, beside what the samples say."""
        return stacks(self.study, self.units)

    def worst(self, name: str, count: int = 5, *, smallest: bool = False) -> list[dict[str, float]]:
        """The samples at which an output is largest (or smallest), with what varied there."""
        values = self[name]
        order = np.argsort(values if smallest else -values, kind="stable")
        places = [int(k) for k in order if np.isfinite(values[k])][:count]
        names = self.study.names
        return [
            {"sample": k, name: float(values[k])}
            | dict(zip(names, map(float, self.rows[k]), strict=True))
            for k in places
        ]

    def histogram(self, name: str, path: str | Path | None = None) -> Figure:
        """Histogram of an output, with the normal curve of the first order."""
        drawn, panel = one_panel(7.0, 4.0)
        self._draw_histogram(panel, name)
        stack = self.stacks.get(name)
        if stack is not None and stack.deviation > 0:
            x = np.linspace(-4, 4, 200)
            density = np.exp(-(x**2) / 2) / (np.sqrt(2 * np.pi) * stack.deviation)
            normal = stack.nominal + x * stack.deviation
            panel.plot(normal, density, color="C1", label=worded("to first order"))
            panel.legend(frameon=False)
        return written(drawn, path, self._title)

    def scatter(self, x: str, y: str, path: str | Path | None = None) -> Figure:
        """One quantity against another, a dot a sample."""
        drawn, panel = one_panel(6.0, 4.5)
        panel.plot(self[x], self[y], ".", markersize=3, alpha=0.5)
        labelled(panel, self._named(x), self._named(y))
        return written(drawn, path, self._title)

    def bands(self, name: str, path: str | Path | None = None) -> Figure:
        """A curve: its median and bands of 50 and 90 % of the samples."""
        if self[name].ndim != 2:
            raise ModelError(
                "study",
                say('"{name}" is a number of a sample, not a curve.', name),
                say("Write it as an output: curve({name}).", name),
            )
        drawn, panel = one_panel()
        self._draw_bands(panel, name)
        return written(drawn, path, self._title)

    def tornado(self, name: str, path: str | Path | None = None) -> Figure:
        """Swing of an output by each factor between its ends, to first order; largest on top."""
        stack = self.stacks[name]
        order = np.argsort(np.ptp(stack.swings, axis=1))
        drawn, panel = one_panel(7.0, 1.2 + 0.5 * len(order))
        low, high = stack.swings[order].T
        places = np.arange(len(order))
        panel.barh(places, low, color="C0")
        panel.barh(places, high, color="C1")
        panel.axvline(0.0, color="k", linewidth=0.8)
        panel.set_yticks(places, [stack.names[k] for k in order])
        unit = f" [{stack.unit}]" if stack.unit else ""
        labelled(panel, f"{name} − {stack.nominal:.6g}{unit}", "")
        return written(drawn, path, self._title)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Every output: histograms and bands."""
        outputs = self.study.outputs
        drawn = figure(7.0, 0.6 + 2.6 * len(outputs))
        panels = np.atleast_1d(drawn.subplots(len(outputs), 1))
        for panel, output in zip(panels, outputs, strict=True):
            (self._draw_bands if output.is_curve else self._draw_histogram)(panel, output.name)
        return written(drawn, path, self._title)

    def _draw_histogram(self, panel: Any, name: str) -> None:
        values = self[name]
        values = values[np.isfinite(values)]
        panel.hist(values, bins="auto" if np.ptp(values) > 0 else 1, density=True, alpha=0.6)
        labelled(panel, self._named(name), "density of probability")

    def _draw_bands(self, panel: Any, name: str) -> None:
        curves = self[name][~np.isnan(self[name]).all(axis=1)]
        for low, high in _BANDS:
            ends = np.nanquantile(curves, (low, high), axis=0)
            label = f"{100 * (high - low):.0f} %"
            panel.fill_between(self.t, *ends, alpha=0.25, color="tab:blue", label=label)
        panel.plot(self.t, np.nanmedian(curves, axis=0), color="tab:blue", label="50 %")
        labelled(panel, "t [s]", self._named(name))
        panel.legend(frameon=False)

    def _named(self, name: str) -> str:
        """A quantity with its unit."""
        unit = self.units.get(name, "")
        return f"{name} [{unit}]" if unit else name

    @property
    def _title(self) -> str:
        return shortened(say("{name}: {count} samples", self.study.name, len(self)))

    def save(self, path: str | Path) -> None:
        """The table as .nc or .parquet, with the study inside, or as .csv."""
        save_result(self.study, self.rows, self.outputs, path)

    @property
    def document(self) -> dict[str, Any]:
        """Statistics of the outputs, as plain data."""
        result: dict[str, Any] = {
            "study": self.study.name,
            "samples": len(self),
            "method": self.study.design.method,
            "units": self.units,
            "statistics": self.statistics,
            "reasons": {str(k): x for k, x in self.reasons.items()},
        }
        if self.study.design.method == "saltelli":
            result["indices"] = self.indices
        else:
            result["correlations"] = self.correlations
        return dict(plain(result))

    def __str__(self) -> str:
        lines = [say("{count} samples ({method})", len(self), self.study.design.method)]
        if self.study.scalars:
            heads = worded("mean"), worded("deviation"), "5 %", worded("median"), "95 %"
            lines.append(_line("", (*heads, worded("most"))))
        for name, x in self.statistics.items():
            numbers = (x.mean, x.deviation, x.low, x.median, x.high, x.most)
            lines.append(_line(self._named(name), [f"{v:.6g}" for v in numbers]))
        lines += [*self._indices_told()]
        if self.reasons:
            lines.append(say("{count} samples lack numbers:", len(self.reasons)))
            first = list(self.reasons.items())[:_FEW]
            lines += [
                say("  sample {k}: {reason}", k, str(reason).splitlines()[0]) for k, reason in first
            ]
        return "\n".join(lines)

    def _indices_told(self) -> list[str]:
        if self.study.design.method == "saltelli":
            heads, table = (worded("first"), "±", worded("total"), "±"), self.indices
        else:
            heads = (worded("correlation"), worded("of ranks"))  # type: ignore[assignment]
            table = self.correlations  # type: ignore[assignment]
        lines = []
        for output, row in table.items():
            lines.append(_line(say("{output} by", output), heads))
            for name, x in row.items():
                lines.append(_line(f"  {name}", [f"{v:.3f}" for v in vars(x).values()]))
        return lines


def load_study(path: str | os.PathLike[str]) -> StudyResult:
    """The result of a study from its netCDF file.

    A file whose numbers are of another mechanism than the one that it holds or names is an error.
    """
    result = read_result(Path(path))
    if result is None:
        raise ModelError(
            str(path),
            say('"{path}" is not the result of a study.', Path(path).name),
            'It is written by ts.study(…, out="result.nc").',
        )
    if result.is_of_another_model:
        raise ModelError(
            str(path),
            say(
                'the numbers of "{path}" are those of another model: "{model}" has changed since.',
                Path(path).name,
                result.study.mechanism.name,
            ),
            "Compute the study again, or give the model as it was.",
        )
    return StudyResult(result.study, result.rows, result.outputs)


def _line(head: str, cells: Any) -> str:
    return f"{head:<16}" + "".join(f"{x:>13}" for x in cells)


# --- statistics of samples -----------------------------------------------------------------------


@final
class Statistics(Result):
    """Statistics of one output over the samples that have it."""

    count: int
    mean: float
    deviation: float  # the standard deviation, of the whole population
    least: float
    low: float  # 5 %
    median: float
    high: float  # 95 %
    most: float

    @property
    def error(self) -> float:
        """The standard error of the mean, of independent samples."""
        return float(self.deviation / np.sqrt(self.count))


def statistics(values: Array) -> Statistics:
    """Statistics of the values that are numbers."""
    good = values[np.isfinite(values)]
    if not len(good):
        return Statistics(0, *([np.nan] * 7))
    low, median, high = map(float, np.quantile(good, _SHARES))
    spread = float(good.std(ddof=1)) if len(good) > 1 else 0.0
    ends = float(good.min()), float(good.max())
    return Statistics(len(good), float(good.mean()), spread, ends[0], low, median, high, ends[1])


@final
class Correlation(Result):
    """Correlation of an output with a factor."""

    linear: float  # Pearson's
    ranks: float  # Spearman's: of what only grows or only falls it is 1 or −1


def correlations(rows: Array, values: Array) -> list[Correlation]:
    """Correlation of one output with every factor; zero where either does not vary."""
    from scipy.stats import rankdata

    good = np.isfinite(values)
    y = values[good]
    return [Correlation(_together(x, y), _together(rankdata(x), rankdata(y))) for x in rows[good].T]


def _together(x: Array, y: Array) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])


# --- Sobol's indices -----------------------------------------------------------------------------
#
# First indices S_i = V[E(y | x_i)] / V(y) by Saltelli et al. (2010), Computer Physics
# Communications 181, table 2 (b); total indices by Jansen (1999), there (f). Errors by bootstrap
# over the samples.


@final
class Index(Result):
    """Indices of one factor: shares of the variance, with standard errors."""

    first: float  # made by the factor alone
    first_error: float
    total: float  # made by it together with others too
    total_error: float


def sobol_indices(values: Array, factors: int) -> list[Index]:
    """The indices of an output at the samples of `saltelli`, in their order.

    Base samples of which any value is missing are left out.
    """
    parts = values.reshape(factors + 2, -1)  # A, B, then A with a column of B
    parts = parts[:, np.isfinite(parts).all(axis=0)]
    count = parts.shape[1]
    if count < 2 or np.ptp(parts[:2]) == 0:
        return [Index(np.nan, np.nan, np.nan, np.nan)] * factors
    first, total = _estimates(parts[:, np.newaxis])
    drawn = np.random.default_rng(_SEED).integers(count, size=(_DRAWN, count))
    again = [_estimates(parts[:, some]) for some in np.array_split(drawn, 30)]
    errors = [np.concatenate([x[k] for x in again], axis=1).std(axis=1, ddof=1) for k in (0, 1)]
    return [
        Index(float(first[k, 0]), float(errors[0][k]), float(total[k, 0]), float(errors[1][k]))
        for k in range(factors)
    ]


def _estimates(parts: Array) -> tuple[Array, Array]:
    """First and total indices (factors, resamplings) of parts (factors + 2, resamplings, n)."""
    A, B, mixed = parts[0], parts[1], parts[2:]
    both = np.concatenate([A, B], axis=1)
    middle, variance = both.mean(axis=1), both.var(axis=1)
    # centred: the estimate of S_i does not change, but for less noise
    first = ((B - middle[:, np.newaxis]) * (mixed - A)).mean(axis=2) / variance
    total = ((A - mixed) ** 2).mean(axis=2) / (2 * variance)
    return first, total
