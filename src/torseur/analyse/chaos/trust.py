"""How long a run can be trusted: the same motion at finer and finer tolerances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.analyse.chaos.chaos import common_times, separation
from torseur.brief import brief
from torseur.errors import ModelError
from torseur.figures import Figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.words.sentence import say

Array = np.ndarray
FINEST = 1e-13  # below this tolerance the rounding of numbers decides


@final
@dataclass(frozen=True)
class Level:
    """The run at one tolerance, and its difference from the run ten times finer.

    The finest run is compared with one four times finer, in which only rounding is left.
    """

    __repr__ = brief

    rtol: float
    run: Run
    t: Array  # [s]
    difference: Array  # (samples): the largest of any coordinate [rad or m]
    accuracy: float

    @property
    def until(self) -> float:
        """The last instant up to which both agree [s]."""
        beyond = np.flatnonzero(self.difference > self.accuracy)
        return float(self.t[max(beyond[0] - 1, 0)] if len(beyond) else self.t[-1])

    @property
    def to_the_end(self) -> bool:
        """Whether they agree for the whole run."""
        return bool((self.difference <= self.accuracy).all())

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        ends = {"complete": self.to_the_end, "difference": float(self.difference[-1])}
        return entries(self, "rtol", "until") | ends | entries(self.run, "energy_drift")


@final
@dataclass(frozen=True)
class Trust:
    """How many seconds of a run are right to a given accuracy, at each tolerance."""

    __repr__ = brief

    levels: tuple[Level, ...]  # from the tolerance asked about to the finest
    accuracy: float  # of coordinates [rad or m]

    @property
    def until(self) -> float:
        """The run asked about agrees with a finer one up to this instant [s]."""
        return self.levels[0].until

    @property
    def limit(self) -> float:
        """The same at the finest tolerance: beyond it double precision is not enough [s]."""
        return self.levels[-1].until

    @property
    def complete(self) -> bool:
        """Whether the whole of the run asked about can be trusted."""
        return self.levels[0].to_the_end

    @property
    def gain(self) -> float | None:
        """The seconds gained by a tolerance ten times finer; None if two levels do not tell."""
        ends = [(np.log10(x.rtol), x.until) for x in self.levels if not x.to_the_end]
        if len(ends) < 2:
            return None
        digits, until = np.array(ends).T
        return float(-np.polyfit(digits, until, 1)[0])

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        known = entries(self, "accuracy", "until", "complete", "limit", "gain")
        return known | {"levels": [x.document for x in self.levels]}

    def __str__(self) -> str:
        asked = self.levels[0]
        lines = [
            f"at rtol {asked.rtol:.0e}, coordinates are right to {self.accuracy:g} rad or m "
            + (f"to the end, {self.until:.4g} s" if self.complete else f"for {self.until:.4g} s"),
            "   rtol   agrees until   difference at the end   energy drift",
        ]
        for x in self.levels:
            mark = " (end)" if x.to_the_end else "      "
            lines.append(
                f"  {x.rtol:.0e}   {x.until:8.4g} s{mark}   {x.difference[-1]:12.1e}"
                f"           {x.run.energy_drift:.1e}"
            )
        if self.gain is not None:
            lines.append(f"each further digit of the tolerance gains {self.gain:.2g} s")
        if not self.levels[-1].to_the_end:
            lines.append(f"no tolerance helps beyond about {self.limit:.3g} s in double precision")
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """The differences against time, one curve for each tolerance."""
        drawn, panel = one_panel()
        for level in self.levels:
            seen = level.difference > 0
            panel.semilogy(level.t[seen], level.difference[seen], label=f"rtol {level.rtol:.0e}")
        panel.axhline(self.accuracy, color="black", linestyle=":", label="accuracy asked for")
        labelled(panel, "t [s]", "difference from a finer run [rad or m]")
        panel.legend(frameon=False)
        return written(drawn, path, self.levels[0].run.model.mechanism.name)


def trust(
    mechanism: Mechanism | CompiledModel,
    duration: float,
    *,
    rtol: float = 1e-9,
    accuracy: float = 1e-3,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rate: float = 100.0,
) -> Trust:
    """How many seconds of the run at tolerance `rtol` are right to `accuracy` [rad or m].

    The motion is computed at rtol, rtol/10, … down to 1e-13, and each run is compared with the
    next. A small energy drift says nothing of this: a run may keep its energy on a wrong path.
    """
    if not FINEST * 0.99 <= rtol < 1 or not accuracy > 0:
        problem = say(
            "rtol must be from {finest:.0e} to 1 and accuracy positive, got {rtol:g} and ",
            FINEST,
            rtol,
        )
        raise ModelError("trust", say("{problem}{accuracy:g}.", problem, accuracy))
    model = compiled_at(mechanism, parameters)
    tolerances = [rtol]
    while tolerances[-1] > 1.01 * FINEST:
        tolerances.append(max(tolerances[-1] / 10, FINEST))
    runs = [simulate(model, duration, initial=initial, rate=rate, rtol=x) for x in tolerances]
    judge = simulate(model, duration, initial=initial, rate=rate, rtol=FINEST / 4)
    pairs = zip(tolerances, runs, [*runs[1:], judge], strict=True)
    levels = [
        Level(x, run, common_times(run, finer), separation(run, finer), accuracy)
        for x, run, finer in pairs
    ]
    return Trust(tuple(levels), accuracy)
