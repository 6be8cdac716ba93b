"""The viewer as a widget of a notebook, whose time Python reads and sets (extra `notebook`)."""

from __future__ import annotations

from functools import cache
from typing import Any

from torseur.model.description import Mechanism
from torseur.named_words import report_words
from torseur.packages import package
from torseur.report.assets import asset
from torseur.report.scene.movement_sources import movement
from torseur.report.viewer.stage import alone
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.words.language import chosen

_HEIGHT = 620  # pixels: the stage, its player and a curve


def widget(
    subject: Run | SavedRun | Mechanism,
    *,
    height: int = _HEIGHT,
    model: Mechanism | None = None,
    reactions: bool | None = None,
    lang: str | None = None,
) -> Any:
    """The page of `view` as a widget (anywidget) of Jupyter, VS Code, marimo and Colab.

    `.time` is the instant that is shown, in both directions: what one drags Python reads, what
    Python sets is shown. `height` is in pixels; the others are those of `view`.
    """
    lang = chosen(lang)
    instance = _class()
    moving = movement(subject, reactions, model)
    start = float(moving.axis.values[0])
    return instance(page=alone(moving, report_words(lang), lang), time=start, height=height)


@cache
def _class() -> Any:
    """The class of widgets; its base is there with the extra only."""
    anywidget = package("anywidget", "notebook", "widget")
    traitlets = package("traitlets", "notebook", "widget")
    synchronised = {
        "page": traitlets.Unicode("").tag(sync=True),
        "time": traitlets.Float(0.0).tag(sync=True),
        "height": traitlets.Int(_HEIGHT).tag(sync=True),
    }
    script = {"_esm": asset("viewer/assets/widget.js"), "__doc__": widget.__doc__}
    return type("Viewer", (anywidget.AnyWidget,), script | synchronised)
