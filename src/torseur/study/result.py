"""The result of a study: a table of samples by name, and what is read from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.errors import ModelError, unknown
from torseur.figures import Figure
from torseur.plain import plain
from torseur.study import plots
from torseur.study.block import Block
from torseur.study.description import Study
from torseur.study.indices import Index, sobol_indices
from torseur.study.saving import save_result
from torseur.study.stack import Stack, stacks
from torseur.study.statistics import Correlation, Statistics, correlations, statistics
from torseur.words.sentence import say, worded

Array = np.ndarray
_FEW = 5  # reasons that are listed


@final
@dataclass(frozen=True)
class StudyResult:
    """The samples of a study: `found["top"]` is one number a sample, `found["l"]` what varied."""

    _repr_html_ = notebook.told

    study: Study
    rows: Array  # (samples, factors), SI
    outputs: Block

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        lost = f", {len(self.reasons)} without a value" if self.reasons else ""
        listed = ", ".join(x.name for x in self.study.outputs)
        return f'<StudyResult "{self.study.name}": {len(self)} samples{lost}: {listed}>'

    def __getitem__(self, name: str) -> Array:
        """What varied, or an output (samples); a curve (samples, times)."""
        study = self.study
        for k, factor in enumerate(study.factors):
            if factor.name == name:
                return self.rows[:, k]
        for k, output in enumerate(study.scalars):
            if output.name == name:
                return self.outputs.scalars[:, k]
        for k, output in enumerate(study.curves):
            if output.name == name:
                return self.outputs.curves[:, k]
        raise unknown("study", "quantity", name, self.units)

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
        """What varies and what comes out, with units."""
        return {x.name: x.unit for x in self.study.factors} | dict(self.outputs.units)

    @cached_property
    def statistics(self) -> dict[str, Statistics]:
        """Of every output that is a number."""
        return {x.name: statistics(self[x.name]) for x in self.study.scalars}

    @cached_property
    def correlations(self) -> dict[str, dict[str, Correlation]]:
        """Of every output with all that varies."""
        rows = self.rows
        return {
            x.name: dict(zip(self.study.names, correlations(rows, self[x.name]), strict=True))
            for x in self.study.scalars
        }

    @cached_property
    def indices(self) -> dict[str, dict[str, Index]]:
        """Sobol's indices of every output, of a study by the method `saltelli`."""
        if self.study.design.method != "saltelli":
            raise ModelError(
                "study",
                say('samples by "{method}" give no indices.', self.study.design.method),
                "Choose method: saltelli; correlations are known of all samples.",
            )
        names = self.study.names
        return {
            x.name: dict(zip(names, sobol_indices(self[x.name], len(names)), strict=True))
            for x in self.study.scalars
        }

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
        """How often an output has which value; the first order of tolerances beside it."""
        return plots.histogram(self, name, path)

    def scatter(self, x: str, y: str, path: str | Path | None = None) -> Figure:
        """One quantity against another, a dot a sample."""
        return plots.scatter(self, x, y, path)

    def bands(self, name: str, path: str | Path | None = None) -> Figure:
        """A curve: its median and bands of 50 and 90 % of the samples."""
        return plots.bands(self, name, path)

    def tornado(self, name: str, path: str | Path | None = None) -> Figure:
        """How far each thing that varies moves an output, the largest first."""
        return plots.tornado(self, name, path)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Every output: histograms and bands."""
        return plots.overview(self, path)

    def save(self, path: str | Path) -> None:
        """The table as .nc or .parquet, with the study inside, or as .csv."""
        save_result(self, path)

    @property
    def document(self) -> dict[str, Any]:
        """What is known of the outputs, as plain data."""
        found: dict[str, Any] = {
            "study": self.study.name,
            "samples": len(self),
            "method": self.study.design.method,
            "units": self.units,
            "statistics": self.statistics,
            "reasons": {str(k): x for k, x in self.reasons.items()},
        }
        if self.study.design.method == "saltelli":
            found["indices"] = self.indices
        else:
            found["correlations"] = self.correlations
        return dict(plain(found))

    def __str__(self) -> str:
        lines = [say("{count} samples ({method})", len(self), self.study.design.method)]
        if self.study.scalars:
            heads = worded("mean"), worded("deviation"), "5 %", worded("median"), "95 %"
            lines.append(_line("", (*heads, worded("most"))))
        for name, x in self.statistics.items():
            numbers = (x.mean, x.deviation, x.low, x.median, x.high, x.most)
            unit = self.units.get(name, "")
            lines.append(_line(f"{name} [{unit}]" if unit else name, [f"{v:.6g}" for v in numbers]))
        lines += [*self._indices_told()]
        if self.reasons:
            lines.append(say("{count} samples lack numbers:", len(self.reasons)))
            shown = list(self.reasons.items())[:_FEW]
            lines += [
                say("  sample {k}: {reason}", k, str(said).splitlines()[0]) for k, said in shown
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


def _line(head: str, cells: Any) -> str:
    return f"{head:<16}" + "".join(f"{x:>13}" for x in cells)
