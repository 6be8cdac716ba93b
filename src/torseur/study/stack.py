"""Stacks of tolerances to first order: what each tolerance adds to the spread of an output."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from torseur.plain import entries
from torseur.result import Result
from torseur.study.derivatives import derivatives
from torseur.study.description import Study
from torseur.study.design import nominal
from torseur.words.sentence import say, worded

Array = np.ndarray


@final
class Stack(Result):
    """Of one output: y = y₀ + Σ (∂y/∂x_i) δx_i, with independent δx_i."""

    output: str
    unit: str
    nominal: float
    names: tuple[str, ...]  # of what varies
    slopes: Array  # ∂y/∂x_i, SI
    deviations: Array  # of the factors
    below: Array  # how far each may go below its nominal value, and above it
    above: Array
    exact: bool  # derivatives of the motion; otherwise differences

    @property
    def parts(self) -> Array:
        """|∂y/∂x_i| σ_i: the deviation that each alone makes."""
        return np.asarray(np.abs(self.slopes) * self.deviations)

    @property
    def deviation(self) -> float:
        """Of the output, by the sum of squares."""
        return float(np.sqrt((self.parts**2).sum()))

    @property
    def shares(self) -> Array:
        """Of the variance."""
        total = self.deviation**2
        return self.parts**2 / total if total else np.zeros(len(self.names))

    @property
    def swings(self) -> Array:
        """(factors, 2): how far each alone moves the output, down and up."""
        ends = np.stack([-self.slopes * self.below, self.slopes * self.above], axis=1)
        return np.sort(ends, axis=1)

    @property
    def worst(self) -> tuple[float, float]:
        """The output when all that varies is at its worst, down and up."""
        down, up = self.swings.sum(axis=0)
        return self.nominal + float(down), self.nominal + float(up)

    def __str__(self) -> str:
        low, high = self.worst
        unit = f" {self.unit}" if self.unit else ""
        how = say("derivatives") if self.exact else say("differences")
        lines = [
            self.say(
                "{output} to first order (by {how}): {nominal:.6g} ± {deviation:.3g}{unit} (one "
                "deviation), worst {low:.6g} to {high:.6g}{unit}",
                how=how,
                unit=unit,
                low=low,
                high=high,
            )
        ]
        for k in np.argsort(-self.shares, kind="stable"):
            slope, share = self.slopes[k], self.shares[k]
            lines.append(f"  {self.names[k]:<14}{share:>7.1%}  {worded('slope')} {slope:.6g}")
        return "\n".join(lines)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        by_name = {
            "slopes": dict(zip(self.names, map(float, self.slopes), strict=True)),
            "shares": dict(zip(self.names, map(float, self.shares), strict=True)),
        }
        return entries(self, "nominal", "deviation", "worst", "exact") | by_name


def stacks(study: Study, units: dict[str, str]) -> dict[str, Stack]:
    """The stack of every output that is a number, by its name."""
    place = nominal(study)
    found = derivatives(study, place)
    deviations = np.array([x.distribution.deviation for x in study.factors])
    ends = np.array([x.distribution.ends for x in study.factors])
    return {
        name: Stack(
            name,
            units.get(name, ""),
            found.values[name],
            study.names,
            found.slopes[name],
            deviations,
            place - ends[:, 0],
            ends[:, 1] - place,
            name in found.exact,
        )
        for name in found.values
    }
