"""The stage of an animation: its elements, data and scripts; pages of one or of several."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from torseur.errors import ModelError
from torseur.language.packaged import described
from torseur.machine.page.program import script
from torseur.model.description import Mechanism
from torseur.named_words import Words, report_words
from torseur.output import writable, write_text
from torseur.report.assets import asset, enclosed, joined, rendered, style
from torseur.report.pages.content import sentence
from torseur.report.pages.json_documents import json_text
from torseur.report.scene.movement import STATES, Movement
from torseur.report.scene.movement_sources import movement
from torseur.report.viewer.embedded import carried, embedded
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.words.language import chosen
from torseur.words.sentence import say

_FOLDER = "viewer/assets"
SHEET = f"{_FOLDER}/viewer.css"
_SCRIPTS = (
    "data.js",
    "space.js",
    "parts.js",
    "tree.js",
    "motion.js",
    "plots.js",
    "picture.js",
    "contacts.js",
    "controls.js",
)
_LABELS = ("coordinates", "speeds", "energies", "reactions", "pressing", "drives")
_CHOICES = (
    "joints",
    "bodies",
    "traces",
    "frames",
    "centres",
    "weights",
    "reactions",
    "contacts",
    "follow",
)
_CAUSES = ("touch", "lift-off", "limit of friction", "end of sliding", "shock", "change")
_FEW = 14  # joints whose names are shown from the start
_CROWD = 60  # touches of one instant that are not shown from the start


def alone(moving: Movement, words: Words, lang: str, live: Mapping[str, Any] | None = None) -> str:
    """The text of a page with nothing but an animation, or one that simulates."""
    mechanism = moving.geometry.mechanism
    return rendered(
        f"{_FOLDER}/view.html.jinja",
        lang=lang,
        words=words,
        title=mechanism.name,
        description=described(mechanism.name, mechanism.description, lang),
        notices=[sentence(notice, lang) for notice in moving.notices],
        sheets=Markup(style(SHEET)),
        viewer=viewer(moving, words, within=False, live=live),
    )


def viewer(
    moving: Movement, words: Words, *, within: bool, live: Mapping[str, Any] | None = None
) -> Markup:
    """The elements of the animation, its data and its script.

    With `live`, the document of a motion, the page simulates; `moving` is a run of it.
    """
    mechanism = moving.geometry.mechanism
    few, touches = len(mechanism.joints) <= _FEW, moving.touches
    crowd = 0 if touches is None else int(np.diff(touches.starts).max(initial=0))
    from_start = {"joints": few, "traces": True, "contacts": crowd <= _CROWD}
    choices = [(key, from_start.get(key, False)) for key in _CHOICES]
    labels = {key: words[key] for key in _LABELS}
    labels |= {key: words[f"view {key}"] for key in ("play", "pause", "close", "chosen")}
    labels |= {f"event {key}": words[key] for key in _CAUSES}
    labels |= {f"contact {key}": words[f"contact {key}"] for key in ("open", *STATES)}
    if live is not None:
        labels |= {key: words[key] for key in words if key.startswith("live ")}
        labels["closure"] = words["curve closure"]
    return Markup(
        rendered(
            f"{_FOLDER}/viewer.html.jinja",
            words=words,
            title=mechanism.name,
            within=within,
            choices=choices,
            states=_states_shown(moving, live),
            arrows=live is not None or (touches is not None and touches.usual > 0),
            live=live is not None,
            movement=Markup(embedded(moving, words) if live is None else carried(live)),
            labels=Markup(json_text(labels)),
            script=enclosed(_FOLDER, _SCRIPTS) if live is None else _live_script(),
        )
    )


def _states_shown(moving: Movement, live: Mapping[str, Any] | None) -> list[str]:
    """The states of contacts that the legend explains."""
    if live is not None:
        return list(STATES[:2]) if (live["live"]["touching"] or {}).get("placed") else []
    touches = moving.touches
    return [] if touches is None else [STATES[k] for k in np.unique(touches.states)]


def _live_script() -> Markup:
    """The scripts of a page that simulates: those of the viewer around those of its motion."""
    computing = "\n".join(
        re.sub(r"^(import .*|export )", "", script(name), flags=re.MULTILINE)
        for name in ("motion.js", "course.js")
    )
    engine = f"const {{ Motion, Course, CODE }} = (() => {{\n{computing}\n"
    engine += "return { Motion, Course, CODE };\n})();"
    at = _SCRIPTS.index("motion.js"), _SCRIPTS.index("controls.js")
    before, between, after = _SCRIPTS[: at[0]], _SCRIPTS[at[0] : at[1]], _SCRIPTS[at[1] :]
    setting = ("live/film.js", "live/save.js", "live/hand.js", "live/panel.js")
    parts = [
        joined(_FOLDER, before),
        engine,
        joined(_FOLDER, ("live/run.js", *between, *setting, *after)),
    ]
    return Markup("(async () => {\n" + "\n".join(parts) + "})();")


# --- several animations side by side on one page, moved by one clock ------------------------------


def film(
    runs: Mapping[str, Run | SavedRun],
    path: str | Path,
    *,
    title: str = "",
    model: Mechanism | None = None,
    lang: str | None = None,
) -> Path:
    """Write runs that play together, under their names, as one HTML page that opens offline.

    `model` is the mechanism of saved runs whose files do not hold it.
    """
    lang = chosen(lang)
    if not runs:
        raise ModelError(
            "film", say("no run to show: {runs}.", dict(runs)), "Give one or more by name."
        )
    words, path = report_words(lang), writable(path)
    moving = {name: movement(run, None, model) for name, run in runs.items()}
    span = common_span(list(moving.values()))
    pages = {name: alone(one, words, lang) for name, one in moving.items()}
    first = next(iter(moving.values())).geometry.mechanism
    return side_by_side(title or first.name, pages, span, path, lang=lang)


def common_span(moving: Sequence[Movement]) -> tuple[float, float]:
    """From when to when all of them move."""
    ends = [(float(one.axis.values[0]), float(one.axis.values[-1])) for one in moving]
    start, end = max(low for low, _ in ends), min(high for _, high in ends)
    if not end > start and len(moving) > 1:
        spans = ", ".join(say("from {low:g} to {high:g} s", low, high) for low, high in ends)
        raise ModelError("film", say("the runs have no time in common: {spans}.", spans))
    return start, end


def side_by_side(
    title: str,
    pages: Mapping[str, str],
    span: tuple[float, float],
    path: str | Path,
    *,
    lang: str | None = None,
) -> Path:
    """Pages of animations on one, with one clock; it opens at a given time with #t=1.5."""
    lang = chosen(lang)
    place = Path(path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise ModelError("film", say('cannot write "{path}".', path), "Use the ending .html.")
    text = rendered(
        "viewer/assets/film.html.jinja",
        lang=lang,
        words=report_words(lang),
        title=title,
        pages=pages,
        start=span[0],
        end=span[1],
        sheets=Markup(style("viewer/assets/viewer.css")),
        script=Markup(asset("viewer/assets/film.js")),
    )
    return write_text(place, text)


def stage_scripts() -> tuple[str, ...]:
    """The scripts of pages of animations: a server lets them run, and no others."""
    return enclosed(_FOLDER, _SCRIPTS), _live_script()
