"""What a small change of the start does to a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import brief
from torseur.errors import ModelError, unknown
from torseur.figures import Figure, figure, labelled, written
from torseur.language.text.given import amount
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.description import Mechanism
from torseur.plain import entries
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.words.sentence import say

Array = np.ndarray
_LARGE = 0.1  # separation from which it no longer grows freely [rad or m]


@final
@dataclass(frozen=True)
class StartSensitivity:
    """Two motions whose starts differ by `by` in one coordinate or speed."""

    __repr__ = brief

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
        kept = np.flatnonzero(sizes[:end] > 0)
        if len(kept) < 3 or sizes[kept].max() < 10 * sizes[kept[0]]:
            return None
        return float(np.polyfit(t[kept], np.log(sizes[kept]), 1)[0])

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
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
        lines = [f"start changed by {self.by:.6g} in {self.name}"]
        lines.append(
            f"coordinates stay within {_LARGE:g} rad or m of each other for {self.t[-1]:.6g} s"
            if at is None
            else f"coordinates are {_LARGE:g} rad or m apart at t = {at:.4g} s"
        )
        if growth is not None:
            lines.append(f"until then the difference grows like exp({growth:.3g} t/s)")
        return "\n".join(lines)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Each coordinate of both motions, and their separation below on a logarithmic scale."""
        names = [n for n in self.first.model.coordinates if self.first.names[n] != "1"]
        drawn = figure(height=2.0 * (len(names) + 1) + 0.6)
        panels = drawn.subplots(len(names) + 1, 1, sharex=True)
        for panel, name in zip(panels, names, strict=False):
            panel.plot(self.first.t, self.first[name], label="as given", linewidth=1.4)
            panel.plot(self.second.t, self.second[name], "--", label="changed", linewidth=1.4)
            labelled(panel, "", f"{name} [{self.first.names[name]}]")
        panels[0].legend(frameon=False)
        panels[-1].semilogy(self.t, np.maximum(self.separation, 1e-300), color="black")
        labelled(panels[-1], "t [s]", "separation [rad or m]")
        if self.separation.any():
            panels[-1].set_ylim(bottom=self.separation[self.separation > 0].min() / 2)
        name = self.first.model.mechanism.name
        return written(drawn, path, f"{name}: {self.name} changed by {self.by:.4g}")


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
    if name not in (*model.coordinates, *model.speeds):
        raise unknown("sensitivity_to_start", "coordinate", name,
                      (*model.coordinates, *model.speeds))  # fmt: skip
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
