"""What a user writes to a file: every writer takes a path and returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from torseur.model.description import Mechanism
from torseur.output import writable, write_text
from torseur.report.drawing import drawing as drawings
from torseur.report.drawing import picture as pictures
from torseur.report.drawing.joint_graph import graph_svg, graph_tikz
from torseur.report.pages import page as pages
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run


def page(
    mechanism: Mechanism, path: str | Path, *, formalism: str | None = None, lang: str = "en"
) -> Path:
    """Write the description, a drawing and the equations of a mechanism as one HTML file."""
    return write_text(writable(path), pages.page(mechanism, formalism=formalism, lang=lang))


def drawing(
    mechanism: Mechanism,
    path: str | Path,
    q: Mapping[str, float] | Sequence[float] | np.ndarray | None = None,
    parameters: Mapping[str, float] | None = None,
    *,
    width: int = 680,
    lang: str = "en",
) -> Path:
    """Write the scheme of a mechanism at some coordinates as SVG; loops are assembled."""
    place = writable(path)
    return write_text(place, drawings.drawing(mechanism, q, parameters, width=width, lang=lang))


def picture(
    run: Run | SavedRun,
    path: str | Path,
    t: float = 0.0,
    *,
    size: tuple[int, int] = (480, 360),
    reader: Sequence[float] | np.ndarray | None = None,
    ghosts: int = 0,
    moving: bool = False,
) -> Path:
    """Write an instant of a run as SVG, or the run itself where it is `moving`.

    `reader` is the direction it is looked at from; `ghosts` later poses are shown too.
    """
    place = writable(path)
    svg = pictures.picture(run, t, size=size, reader=reader, ghosts=ghosts, moving=moving)
    return write_text(place, svg)


def graph(mechanism: Mechanism, path: str | Path) -> Path:
    """Write the joint graph as SVG, or as TikZ to a file that ends in .tex."""
    place = writable(path)
    return write_text(place, (graph_tikz if place.suffix == ".tex" else graph_svg)(mechanism))
