"""Trusted duration of a run, by finer and finer tolerances; effect of a changed start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, require_known
from torseur.figures import Figure, figure, labelled, one_panel, written
from torseur.language.text.given import amount
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.words.sentence import say

Array = np.ndarray
_LARGE = 0.1  # separation from which it no longer grows freely [rad or m]
FINEST = 1e-13  # below this tolerance the rounding of numbers decides


@final
class ToleranceLevel(Result):
    """The run at one tolerance, and its difference from the run ten times finer.

    The finest run is compared with one four times finer, in which only rounding is left.
    """

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
        """Plain data."""
        ends = {"complete": self.to_the_end, "difference": float(self.difference[-1])}
        return entries(self, "rtol", "until") | ends | entries(self.run, "energy_drift")


@final
class Trust(Result, document=("accuracy", "until", "complete", "limit", "gain", "levels")):
    """Number of seconds for which a run is right to a given accuracy, at each tolerance."""

    levels: tuple[ToleranceLevel, ...]  # from the tolerance asked about to the finest
    accuracy: float  # of coordinates [rad or m]

    @property
    def until(self) -> float:
        """The run asked about agrees with a finer one up to this instant [s]."""
        return self.levels[0].until

    @property
    def limit(self) -> float:
        """Trusted duration at the finest tolerance: double precision allows no more [s]."""
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

    def __str__(self) -> str:
        first = self.levels[0]
        lines = [
            self.say(
                "at rtol {rtol:.0e}, coordinates are right to {accuracy:g} rad or m {lasting}",
                rtol=first.rtol,
                lasting=say("to the end, {until:.4g} s", self.until)
                if self.complete
                else say("for {until:.4g} s", self.until),
            ),
            say("   rtol   agrees until   difference at the end   energy drift"),
        ]
        for x in self.levels:
            mark = say(" (end)") if x.to_the_end else "      "
            lines.append(
                f"  {x.rtol:.0e}   {x.until:8.4g} s{mark}   {x.difference[-1]:12.1e}"
                f"           {x.run.energy_drift:.1e}"
            )
        if self.gain is not None:
            lines.append(say("each further digit of the tolerance gains {gain:.2g} s", self.gain))
        if not self.levels[-1].to_the_end:
            lines.append(
                say("no tolerance helps beyond about {limit:.3g} s in double precision", self.limit)
            )
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """The differences against time, one curve for each tolerance."""
        drawn, panel = one_panel()
        for level in self.levels:
            positive = level.difference > 0
            panel.semilogy(
                level.t[positive], level.difference[positive], label=f"rtol {level.rtol:.0e}"
            )
        panel.axhline(self.accuracy, color="black", linestyle=":", label=say("accuracy asked for"))
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
    """Number of seconds for which the run at tolerance `rtol` is right to `accuracy` [rad or m].

    The motion is computed at rtol, rtol/10, … down to 1e-13, and each run is compared with the
    next. A small energy drift says nothing of this: a run may keep its energy on a wrong path.
    """
    if not FINEST * 0.99 <= rtol < 1 or not accuracy > 0:
        problem = say(
            "rtol must be from {finest:.0e} to 1 and accuracy positive, got {rtol:g} and {acc:g}.",
            FINEST,
            rtol,
            accuracy,
        )
        raise ModelError("trust", problem)
    model = compiled_at(mechanism, parameters)
    tolerances = [rtol]
    while tolerances[-1] > 1.01 * FINEST:
        tolerances.append(max(tolerances[-1] / 10, FINEST))
    runs = [simulate(model, duration, initial=initial, rate=rate, rtol=x) for x in tolerances]
    judge = simulate(model, duration, initial=initial, rate=rate, rtol=FINEST / 4)
    pairs = zip(tolerances, runs, [*runs[1:], judge], strict=True)
    levels = [
        ToleranceLevel(x, run, common_times(run, finer), separation(run, finer), accuracy)
        for x, run, finer in pairs
    ]
    return Trust(tuple(levels), accuracy)


@final
class StartSensitivity(Result):
    """Two motions whose starts differ by `by` in one coordinate or speed."""

    first: Run
    second: Run
    name: str
    by: float  # in the unit of `name`

    @property
    def t(self) -> Array:
        """The instants of both (samples) [s]."""
        return common_times(self.first, self.second)

    @property
    def separation(self) -> Array:
        """The largest difference of any coordinate (samples) [rad or m]."""
        return separation(self.first, self.second)

    def apart(self, distance: float) -> float | None:
        """When the motions are first `distance` apart [s]; None if never."""
        beyond = np.flatnonzero(self.separation > distance)
        return float(self.t[beyond[0]]) if len(beyond) else None

    @property
    def growth(self) -> float | None:
        """The rate of a least-squares exponential while the separation is small [1/s].

        None if the separation has not grown tenfold by then.
        """
        sizes, t = self.separation, self.t
        late = np.flatnonzero(sizes > _LARGE)
        end = late[0] if len(late) else len(t)
        early = np.flatnonzero(sizes[:end] > 0)
        if len(early) < 3 or sizes[early].max() < 10 * sizes[early[0]]:
            return None
        return float(np.polyfit(t[early], np.log(sizes[early]), 1)[0])

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        names, last = self.first.model.coordinates, len(self.t) - 1
        return {
            **entries(self, "name", "by", "growth"),
            "duration": float(self.t[-1]),
            "separation": float(self.separation[-1]),
            "apart": self.apart(_LARGE),
            "first": {name: float(self.first[name][last]) for name in names},
            "second": {name: float(self.second[name][last]) for name in names},
        }

    def __str__(self) -> str:
        at, growth = self.apart(_LARGE), self.growth
        lines = [say("start changed by {by:.6g} in {name}", self.by, self.name)]
        lines.append(
            say(
                "coordinates stay within {large:g} rad or m of each other for {t:.6g} s",
                _LARGE,
                self.t[-1],
            )
            if at is None
            else say("coordinates are {large:g} rad or m apart at t = {at:.4g} s", _LARGE, at)
        )
        if growth is not None:
            lines.append(say("until then the difference grows like exp({growth:.3g} t/s)", growth))
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Each coordinate of both motions, and their separation below on a logarithmic scale."""
        names = [n for n in self.first.model.coordinates if self.first.names[n] != "1"]
        drawn = figure(height=2.0 * (len(names) + 1) + 0.6)
        panels = drawn.subplots(len(names) + 1, 1, sharex=True)
        for panel, name in zip(panels, names, strict=False):
            panel.plot(self.first.t, self.first[name], label=say("as given"), linewidth=1.4)
            panel.plot(self.second.t, self.second[name], "--", label=say("changed"), linewidth=1.4)
            labelled(panel, "", f"{name} [{self.first.names[name]}]")
        panels[0].legend(frameon=False)
        panels[-1].semilogy(self.t, np.maximum(self.separation, 1e-300), color="black")
        labelled(panels[-1], "t [s]", "separation [rad or m]")
        if self.separation.any():
            panels[-1].set_ylim(bottom=self.separation[self.separation > 0].min() / 2)
        name = self.first.model.mechanism.name
        return written(drawn, path, self.say("{model}: {name} changed by {by:.4g}", model=name))


def sensitivity_to_start(
    mechanism: Mechanism | CompiledModel,
    name: str,
    by: float | str,
    duration: float = 10.0,
    *,
    initial: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    rate: float = 100.0,
    rtol: float = 1e-12,
) -> StartSensitivity:
    """The motion, and the one that starts with a coordinate or a speed changed by `by`.

    `by` is in SI units and radians, or a text with its unit ("0.01 deg").
    """
    model = compiled_at(mechanism, parameters)
    known = (*model.coordinates, *model.speeds)
    require_known("sensitivity_to_start", "coordinate", name, known)
    change = amount(by, "sensitivity_to_start")
    if change == 0:
        raise ModelError(
            "sensitivity_to_start", say('{name} is changed by "{by}", which is zero.', name, by)
        )
    first = simulate(model, duration, initial=initial, rate=rate, rtol=rtol)
    # the changed value comes first: in a loop it is the one that is kept
    start = {name: float(first[name][0]) + change}
    start |= {n: x for n, x in (initial or {}).items() if n != name}
    second = simulate(model, duration, initial=start, rate=rate, rtol=rtol)
    return StartSensitivity(first, second, name, change)


def common_times(first: Run, second: Run) -> Array:
    """The instants that both runs reached [s]."""
    return first.t[: min(len(first.t), len(second.t))]


def separation(first: Run, second: Run) -> Array:
    """The largest difference of any coordinate at each common instant [rad or m]."""
    count = len(common_times(first, second))
    return np.asarray(np.abs(first.q[:count] - second.q[:count]).max(axis=1, initial=0.0))
