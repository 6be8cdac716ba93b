"""How the figures of the benchmarks look, and where they go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDER = Path("build/bench")
BLUE, GREY = "#1f5fa8", "#7a7a7a"


def pyplot() -> Any:
    """Matplotlib, drawing to files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    return plt


def plain(axes: Any) -> None:
    """A light grid and two spines."""
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def saved(figure: Any, name: str, title: str) -> list[Path]:
    """The files written."""
    figure.suptitle(title, fontsize=9)
    FOLDER.mkdir(parents=True, exist_ok=True)
    paths = [FOLDER / f"{name}.{ending}" for ending in ("png", "svg")]
    for path in paths:
        figure.savefig(path, dpi=160)
    pyplot().close(figure)
    return paths
