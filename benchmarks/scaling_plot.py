"""The figure of the cost of long chains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.figures import BLUE, GREY, plain, pyplot, saved


def plot(found: list[dict[str, Any]], processor: str) -> list[Path]:
    """The files written: cost of a call and cost per body, against the number of bodies."""
    theirs = [one for one in found if one.get("pinocchio")]
    series = [("Torseur", BLUE, "o", found, "call"), ("Pinocchio", GREY, "s", theirs, "pinocchio")]
    figure, (left, right) = pyplot().subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
    for name, colour, marker, points, key in series:
        if not points:
            continue
        n = [one["bodies"] for one in points]
        calls = [1e6 * one[key] for one in points]
        style = {"color": colour, "marker": marker, "markersize": 5, "linewidth": 1.6}
        left.plot(n, calls, label=name, **style)
        right.plot(n, [1e3 * t / k for t, k in zip(calls, n, strict=True)], label=name, **style)
    left.set(yscale="log", ylabel="one call [µs]", title="Forward dynamics, one state")
    left.yaxis.set_major_formatter(lambda y, _: f"{y:,g}".replace(",", " "))
    right.set(ylim=(0, None), ylabel="time per body [ns]", title="Cost per body")
    for axes in (left, right):
        axes.set(xscale="log", xlabel="bodies in the chain")
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}".replace(",", " "))
        plain(axes)
        axes.legend(frameon=False)
    title = f"Chains of revolute joints, called from Python ({processor})"
    return saved(figure, "chains", title)
