"""Figures of Matplotlib in one style: made without a window, written where a path is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.output import replacing
from torseur.words.sentence import worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure
else:
    Figure = Any  # Matplotlib is imported when something is drawn


def figure(width: float = 8.0, height: float = 4.0) -> Figure:
    """An empty figure; sizes in inches."""
    from torseur.drawn import Figure

    return Figure(figsize=(width, height), layout="constrained")


def one_panel(width: float = 8.0, height: float = 4.0) -> tuple[Figure, Any]:
    """A figure with one panel."""
    drawn = figure(width, height)
    return drawn, drawn.subplots()


def labelled(panel: Any, x: str, y: str) -> None:
    """Names and units along both axes, said in the language that is spoken."""
    panel.set_xlabel(worded(x))
    panel.set_ylabel(worded(y))
    panel.grid(alpha=0.3)


def written(drawn: Figure, path: str | Path | None, title: str = "") -> Figure:
    """The figure under its title, written if a path is given (.png, .svg, .pdf)."""
    if title:
        drawn.suptitle(title)
    if path is not None:
        with replacing(path) as place:
            drawn.savefig(place, dpi=160)
    return drawn
