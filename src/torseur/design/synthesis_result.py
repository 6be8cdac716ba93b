"""Result of a synthesis: the new mechanism, values before and after, residuals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any, final

import numpy as np

from torseur.design.targets import Path
from torseur.figures import Figure, figure, labelled, written
from torseur.model.description import Mechanism
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.words.sentence import say, worded

Array = np.ndarray
_KEPT = 1e-8  # a margin below zero that is rounding


@final
class TargetPart(Result):
    """A target before and after: what was read at its angles, and what is left."""

    target: Any
    outputs: tuple[str, ...]
    angles: Array  # (stations) of the driver, after
    before: Array  # (stations, outputs); not numbers where it could not be done
    after: Array  # (stations, outputs)
    residuals: Array  # after
    curve: Array  # (samples, outputs): along the way of the driver, after
    old_curve: Array

    @property
    def cost(self) -> float:
        """The sum of squares."""
        return float(self.residuals @ self.residuals)


@final
class Synthesis(Result):
    """A mechanism made to measure."""

    mechanism: Mechanism  # the new one
    old: Mechanism
    driver: str
    before: dict[str, float]  # the design variables
    after: dict[str, float]
    bounds: dict[str, tuple[float, float]]
    cost_before: float  # the sum of squared residuals
    cost: float
    parts: tuple[TargetPart, ...]
    margins: dict[str, float]  # of conditions and limits, after; not below zero
    turns: bool  # whether the driver makes a whole turn
    starts: int  # that were tried
    notices: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether all conditions and limits hold."""
        return all(left >= -_KEPT for left in self.margins.values())

    def save(self, path: str | FilePath) -> FilePath:
        """The new mechanism as a file of the YAML form."""
        return self.mechanism.save(path)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "driver": self.driver,
            "cost_before": plain(self.cost_before, finite=True),
            "cost": self.cost,
            "kept": self.kept,
            "whole_turn": self.turns,
            "variables": {
                name: {"before": plain(self.before[name]), "after": plain(value),
                       "bounds": plain(list(self.bounds[name]), finite=True)}
                for name, value in self.after.items()
            },
            "targets": [
                entries(part, "outputs", "angles", "after", "residuals") for part in self.parts
            ],
            **entries(self, "margins", "notices"),
        }  # fmt: skip

    def __str__(self) -> str:
        costs = say("sum of squared errors {before:.6g} → {after:.3g}", self.cost_before, self.cost)
        lines = [costs, *self._variables(), *self._errors()]
        if self.margins:
            lines.append(say("margins of the conditions:"))
            lines += [
                say("  {name}: {left:.3g}", worded(name), left)
                for name, left in self.margins.items()
            ]
        if not self.kept:
            lines.append(say("not all conditions hold: try more starts or wider bounds."))
        return "\n".join((*lines, *map(worded, self.notices)))

    def _variables(self) -> list[str]:
        table, lines, width = self.old.parameter_table, [], max(map(len, self.after))
        for name, value in self.after.items():
            low, high = self.bounds[name]
            near = 1e-9 * (high - low)
            edge = say(" (at its bound)") if min(value - low, high - value) <= near else ""
            unit = f" {table[name].unit}" if table[name].unit not in ("", "1") else ""
            lines.append(f"  {name:<{width}} {self.before[name]:.6g} → {value:.6g}{unit}{edge}")
        return lines

    def _errors(self) -> list[str]:
        """A line for each station of a path or a law; one for what counts along a turn."""
        lines = []
        for part in self.parts:
            names = ", ".join(part.outputs)
            lines.append(say("{names}: sum of squares {cost:.3g}", names, part.cost))
            if part.residuals.size != part.after.size or len(part.angles) > 20:
                continue
            off = part.residuals.reshape(part.after.shape)
            for angle, row, error in zip(part.angles, part.after, off, strict=True):
                values = ", ".join(f"{x:.6g}" for x in row)
                lines.append(
                    self.say(
                        "  {driver} = {angle:.5g}: ({values}), {error:.2g}",
                        angle=angle,
                        values=values,
                        error=np.linalg.norm(error),
                    )
                )
        return lines

    def figure(self, path: str | FilePath | None = None) -> Figure:
        """Each target: what is wanted, what was, what is now."""
        count = max(len(self.parts), 1)
        drawn = figure(5.5 * count, 4.8)
        panels = np.atleast_1d(drawn.subplots(1, count))
        for panel, part in zip(panels, self.parts, strict=False):
            if isinstance(part.target, Path):
                _draw_path(panel, part)
            else:
                _draw_law(panel, part, self.driver)
            panel.legend(frameon=False)
        return written(drawn, path, self.mechanism.name)


def _draw_path(panel: Any, part: TargetPart) -> None:
    """The curve of a point and the points that it shall pass through."""
    first, second = part.outputs[:2]
    targets = part.target.points
    panel.plot(*part.old_curve.T[:2], color="0.7", linewidth=1.0, label=worded("before"))
    panel.plot(*part.curve.T[:2], linewidth=1.6, label=worded("after"))
    panel.plot(*targets.T[:2], "o", markersize=5, label=worded("wanted"))
    panel.set_aspect("equal", adjustable="datalim")
    labelled(panel, f"{first} [m]", f"{second} [m]")


def _draw_law(panel: Any, part: TargetPart, driver: str) -> None:
    """Outputs over the driver."""
    for k, name in enumerate(part.outputs):
        panel.plot(
            part.angles, part.before[:, k], color="0.7", linewidth=1.0, label=worded("before")
        )
        panel.plot(part.angles, part.after[:, k], linewidth=1.6, label=name)
    targets: Sequence[float] | None = getattr(part.target, "wanted", None)
    if targets is not None:
        panel.plot(part.angles, targets, "o", markersize=4, label=worded("wanted"))
    labelled(panel, f"{driver} [rad]", "SI")
