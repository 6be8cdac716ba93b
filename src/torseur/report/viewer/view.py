"""One self-contained HTML page on which a run, or a mechanism, moves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from markupsafe import Markup

from torseur.model.description import Mechanism
from torseur.named_words import Words, report_words
from torseur.output import writable, write_text
from torseur.report.assets import asset, rendered, style
from torseur.report.pages.content import sentence
from torseur.report.pages.documents import json_text
from torseur.report.pages.page import page_with
from torseur.report.scene.movement import Movement
from torseur.report.scene.sources import movement
from torseur.report.scene.touches import STATES, Touches
from torseur.report.viewer.embedded import embedded
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.topology.structure import structure
from torseur.words.sentence import say

_FOLDER = "viewer/assets"
_SHEET = f"{_FOLDER}/viewer.css"
_SCRIPTS = (
    "space.js",
    "parts.js",
    "tree.js",
    "plots.js",
    "picture.js",
    "contacts.js",
    "controls.js",
)
_LABELS = ("coordinates", "speeds", "energies", "reactions", "pressing")
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
_LENGTHY = 1000  # of speeds, the cubes of their depths in the tree: no equations to be read
_CROWD = 60  # touches of one instant that are not shown from the start


def view(
    subject: Run | SavedRun | Mechanism,
    path: str | Path,
    *,
    model: Mechanism | None = None,
    reactions: bool | None = None,
    lang: str = "en",
) -> Path:
    """Write the page of a run or of a mechanism; it opens in any browser, without a network.

    A run plays, with its curves beside it. A mechanism without loops is moved by sliders, one with
    loops and a single motion goes through all its poses; its equations follow, unless they are too
    long to be read. `model` is the mechanism of a saved run whose file does not hold it. Arrows of
    reactions need the run itself; unless they are asked for or refused, they are computed where
    this is quick.
    """
    words, place = report_words(lang), writable(path)
    moving = movement(subject, reactions, model)
    if isinstance(subject, Mechanism) and _length(subject) > _LENGTHY:
        told = say(
            "The equations of its {count} speeds are left out, being long: ts.page writes them.",
            len(subject.speeds),
        )
        text = alone(replace(moving, notices=(*subject.notices, told)), words, lang)
    elif isinstance(subject, Mechanism):
        text = page_with(subject, viewer(moving, words, within=True), _SHEET, lang=lang)
    else:
        text = alone(moving, words, lang)
    return write_text(place, text)


def _length(mechanism: Mechanism) -> int:
    """How long its equations are: a speed d deep in the tree has about d² terms, each of d."""
    tree, depth, length = structure(mechanism).tree, {-1: 0}, 0
    for i, link in tree:
        first = depth[link.parent]
        depth[i] = first + link.v.stop - link.v.start
        length += sum(d**3 for d in range(first + 1, depth[i] + 1))
    return length


def alone(moving: Movement, words: Words, lang: str) -> str:
    """The text of a page with nothing but an animation."""
    mechanism = moving.geometry.mechanism
    return rendered(
        f"{_FOLDER}/view.html.jinja",
        lang=lang,
        words=words,
        title=mechanism.name,
        description=mechanism.description,
        notices=[sentence(notice, lang) for notice in moving.notices],
        sheets=Markup(style(_SHEET)),
        viewer=viewer(moving, words, within=False),
    )


def viewer(moving: Movement, words: Words, *, within: bool) -> Markup:
    """The elements of the animation, its data and its script."""
    mechanism = moving.geometry.mechanism
    few = len(mechanism.joints) <= _FEW
    from_start = {"joints": few, "traces": True, "contacts": _crowd(moving) <= _CROWD}
    choices = [(key, from_start.get(key, False)) for key in _CHOICES]
    labels = {key: words[key] for key in _LABELS}
    labels |= {key: words[f"view {key}"] for key in ("play", "pause")}
    labels |= {f"event {key}": words[f"event {key}"] for key in _CAUSES}
    labels |= {f"contact {key}": words[f"contact {key}"] for key in ("open", *STATES)}
    return Markup(
        rendered(
            f"{_FOLDER}/viewer.html.jinja",
            words=words,
            title=mechanism.name,
            within=within,
            choices=choices,
            states=_states(moving.touches),
            arrows=moving.touches is not None and moving.touches.usual > 0,
            movement=Markup(embedded(moving)),
            labels=Markup(json_text(labels)),
            script=Markup(_script()),
        )
    )


def _crowd(moving: Movement) -> int:
    """How many touches one instant has at most."""
    return 0 if moving.touches is None else int(np.diff(moving.touches.starts).max(initial=0))


def _states(touches: Touches | None) -> list[str]:
    """The states that a legend tells."""
    return [] if touches is None else [STATES[k] for k in np.unique(touches.states)]


def _script() -> str:
    """The scripts as one, in which nothing is visible to a page around it."""
    whole = "\n".join(asset(f"{_FOLDER}/{name}") for name in _SCRIPTS)
    return f"(() => {{\n{whole}}})();"
