"""Figures of Matplotlib in one style: made without a window, written where a path is given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure(width: float = 8.0, height: float = 4.0) -> Figure:
    """An empty figure; sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def labelled(panel: Any, x: str, y: str) -> None:
    """Names and units along both axes."""
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    panel.grid(alpha=0.3)


def written(drawn: Figure, path: str | Path | None) -> Figure:
    """The figure, written if a path is given (.png, .svg, .pdf)."""
    if path is not None:
        drawn.savefig(path, dpi=160)
    return drawn
