"""Curves of a run as a figure of Matplotlib, with names and units."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torseur.errors import ModelError
from torseur.figures import figure, written
from torseur.named_words import report_words
from torseur.output import writable
from torseur.report.pages.content import unit as printed
from torseur.report.scene.panels import by_unit, curve_name, curve_unit
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.quantities import Curve, quantity
from torseur.simulation.run.run import Run
from torseur.words.sentence import say, worded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
_WIDTH, _HEIGHT, _MARGINS = 8.0, 2.2, 1.0  # of a figure and of each of its rows [inches]
_COLOURS, _STYLES = 10, ("-", "--", ":", "-.")  # of Matplotlib; where colours begin again
_WORDS = {"rad": "angle", "°": "angle", "m": "length", "1": "", "J": "energy", "N": "force",
          "N·m": "couple", "m/s": "speed", "rad/s": "angular speed", "°/s": "angular speed",
          "m/s²": "acceleration"}  # fmt: skip


def plot(
    run: Run | SavedRun,
    *names: str,
    path: str | Path | None = None,
    degrees: bool = False,
    zoom: tuple[float, float] | None = None,
) -> Figure:
    """Curves against time, one row for each unit; written to `path` (.png, .svg, .pdf) if given.

    Names are coordinates ("alpha"), speeds ("alpha."), points ("P3", "P3.x", "P3.velocity"),
    reactions ("A.force", "A.couple.z"), "energy", "energy_error" and "closure". Without names, all
    the coordinates. Angles are in radians, or in degrees. `zoom` is an interval of time that is
    shown enlarged beside each row, each on its own scale.
    """
    place = None if path is None else checked(path)
    chosen = names or tuple(_coordinates(run))
    rows = by_unit(curve for name in chosen for curve in quantity(run, name))
    height = _HEIGHT * len(rows) + _MARGINS
    t = np.asarray(run.t)
    windows = [slice(None)] if zoom is None else [slice(None), _window(t, zoom)]
    drawn = figure(_WIDTH * (1 + 0.6 * (len(windows) - 1)), height)
    panels = drawn.subplots(len(rows), len(windows), sharex="col", squeeze=False)
    for row, (unit, curves) in zip(panels, rows.items(), strict=True):
        for panel, window in zip(row, windows, strict=True):
            parts = [Curve(x.name, x.unit, x.values[window]) for x in curves]
            _draw(panel, t[window], unit, parts, degrees, legend=panel is row[-1])
        if zoom is not None:
            row[0].axvspan(*zoom, alpha=0.15)
    for panel in panels[-1]:
        panel.set_xlabel("t [s]")
    drawn.align_ylabels()
    drawn.suptitle(run.model.mechanism.name if isinstance(run, Run) else run.name)
    return written(drawn, place)


def _window(t: np.ndarray, zoom: tuple[float, float]) -> slice:
    """The samples of an interval, with one more on each side."""
    low, high = zoom
    first, last = np.searchsorted(t, [low, high])
    if not low < high or last - first < 2:
        problem = say(
            "{last} samples from {low:g} to {high:g} s are too few.",
            max(last - first, 0),
            low,
            high,
        )
        raise ModelError("zoom", problem, say("The run goes from {t:g} to {t2:g} s.", t[0], t[-1]))
    return slice(max(first - 1, 0), last + 1)


def _coordinates(run: Run | SavedRun) -> list[str]:
    units = run.names if isinstance(run, Run) else run.units
    return [name for name, unit in units.items() if not unit.endswith("/s")]


def _draw(
    panel: Any, t: np.ndarray, unit: str, curves: list[Curve], degrees: bool, *, legend: bool
) -> None:
    turned = degrees and unit.startswith("rad")
    label = unit.replace("rad", "°") if turned else printed(unit)
    words = report_words(None)
    for k, curve in enumerate(curves):
        values = np.degrees(curve.values) if turned else curve.values
        style = _STYLES[k // _COLOURS % len(_STYLES)]
        panel.plot(t, values, style, label=curve_name(curve, words), linewidth=1.4)
    alone = len(curves) == 1
    name = curve_name(curves[0], words) if alone else worded(_WORDS.get(label, ""))
    panel.set_ylabel(f"{name} [{curve_unit(label, words)}]".strip())
    panel.margins(x=0)
    panel.grid(alpha=0.3)
    if not alone and legend:
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def checked(path: str | Path) -> Path:
    """The path of a figure, if its ending is one that can be written."""
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise ModelError(
            "plot",
            say('cannot write "{path}".', path),
            say("Endings: {endings}.", ", ".join(ENDINGS)),
        )
    return writable(place)
