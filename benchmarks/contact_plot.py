"""The figure of engines of contact: creep and cost on a slope, error of time stepping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import BLUE, plain, pyplot, saved
from benchmarks.outcome import Cell
from benchmarks.work_precision_plot import COLOURS

_NOTHING = 1e-10  # [m/s]: where a creep that is zero is drawn
_SHAPES = "osD^v"


def plot(
    rows: Sequence[tuple[Cell, ...]],
    steps: Sequence[float],
    errors: Mapping[str, Sequence[float]],
    processor: str,
) -> list[Path]:
    """The files written. A row is an engine, its creep, depth, cost, and error when it slides."""
    figure, (left, middle, right) = pyplot().subplots(
        1, 3, figsize=(15.0, 5.4), layout="constrained"
    )
    seen: dict[str, int] = {}
    for name, creep, depth, cost, error, _ in rows:
        engine = str(name).split(",")[0]
        shape = _SHAPES[seen.get(engine, 0) % len(_SHAPES)]
        seen[engine] = seen.get(engine, 0) + 1
        style = {"color": COLOURS[engine], "marker": shape, "linestyle": "", "markersize": 8}
        left.plot([cost], [max(abs(float(creep or 0)), _NOTHING)], label=name, **style)
        middle.plot([max(float(depth or 0), 1e-9)], [max(float(error or 0), 1e-14)], **style)
    _dress(left, middle, right)
    millis = [1e3 * step for step in steps]
    left.axhspan(_NOTHING / 3, _NOTHING * 3, color=BLUE, alpha=0.08)
    left.annotate("exactly none", (0.98, _NOTHING), ha="right", va="center", fontsize=8,
                  xycoords=("axes fraction", "data"))  # fmt: skip
    shown = left.get_legend_handles_labels()
    figure.legend(*shown, frameon=False, fontsize=8, loc="outside lower center", ncols=4)
    for (name, found), shape in zip(errors.items(), _SHAPES, strict=False):
        right.plot(millis, found, marker=shape, linewidth=1.4, label=name)
    guide = [0.6 * step for step in steps]
    right.plot(millis, guide, color="#999999", linestyle="--", linewidth=1, label="order 1")
    right.legend(frameon=False, fontsize=8, loc="upper left")
    right.set_xticks(millis, [f"{x:g}" for x in millis])
    return saved(figure, "contact", f"Contact by several engines ({processor})")


def _dress(left: Any, middle: Any, right: Any) -> None:
    left.set(title="A box that should stick (10°, μ = 0.5)", ylabel="creep [m/s]")
    left.set(xlabel="processor time for a second of motion [ms]")
    middle.set(title="The same box sliding (30°, μ = 0.3)", ylabel="error of its acceleration")
    middle.set(xlabel="depth in the plane at rest [m]; 10⁻⁹ and less at the left")
    right.set(title="Time stepping beside events: a ball", xlabel="step [ms]")
    right.set(ylabel="largest error of position [m]")
    for axes in (left, middle, right):
        axes.set(xscale="log", yscale="log")
        plain(axes)
    right.minorticks_off()
