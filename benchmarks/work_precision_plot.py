"""The figure of work and precision."""

from __future__ import annotations

from pathlib import Path

from benchmarks.figures import BLUE, GREY, plain, pyplot, saved
from benchmarks.moving import OURS
from benchmarks.moving.clock import Measured

COLOURS = {
    OURS: BLUE,
    "Exudyn": "#c1452e",
    "MuJoCo": "#3f8f4f",
    "Drake": "#8a5aa8",
    "Pinocchio": GREY,
}
_STYLES = (("o", "-"), ("s", "--"))  # the first way of an engine and the second one


def plot(cases: dict[str, list[Measured]], processor: str) -> list[Path]:
    """The files written: time for a second of motion against error, a diagram for each case."""
    figure, diagrams = pyplot().subplots(
        1, len(cases), figsize=(6.2 * len(cases), 6.0), layout="constrained", squeeze=False
    )
    for axes, (title, found) in zip(diagrams[0], cases.items(), strict=True):
        seen: dict[str, int] = {}
        for name in dict.fromkeys(one.way.name for one in found):
            points = [x for x in found if x.way.name == name and x.quality is not None]
            if not points:
                continue
            engine = points[0].way.engine
            marker, line = _STYLES[seen.get(engine, 0) % len(_STYLES)]
            seen[engine] = seen.get(engine, 0) + 1
            axes.plot(
                [x.quality.error for x in points if x.quality is not None],
                [1e3 * x.seconds for x in points],
                label=name,
                color=COLOURS[engine],
                marker=marker,
                linestyle=line,
                markersize=4.5,
                linewidth=2.2 if engine == OURS else 1.3,
            )
        axes.set(xscale="log", yscale="log", title=title[0].upper() + title[1:])
        axes.set(xlabel="largest error of position [m]")
        axes.set(ylabel="processor time for a second of motion [ms]")
        axes.invert_xaxis()  # more exact to the right
        plain(axes)
        axes.legend(
            frameon=False, fontsize=8, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.13)
        )
    return saved(figure, "work_precision", f"Work and precision, one thread ({processor})")
