"""The figure of the cost of long chains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDER = Path("build/bench")
BLUE, GREY = "#1f5fa8", "#7a7a7a"


def plot(found: list[dict[str, Any]], processor: str) -> list[Path]:
    """The files written: cost of a call and cost per body, against the number of bodies."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    theirs = [one for one in found if one.get("pinocchio")]
    series = [("Torseur", BLUE, "o", found, "call"), ("Pinocchio", GREY, "s", theirs, "pinocchio")]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.0), layout="constrained")
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
        axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    figure.suptitle(f"Chains of revolute joints, called from Python ({processor})", fontsize=9)
    FOLDER.mkdir(parents=True, exist_ok=True)
    paths = [FOLDER / f"chains.{ending}" for ending in ("png", "svg")]
    for path in paths:
        figure.savefig(path, dpi=160)
    plt.close(figure)
    return paths
