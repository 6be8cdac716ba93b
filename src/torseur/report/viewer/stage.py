"""The stage of an animation: its elements on a page, its data, its scripts; a page of it alone."""

import numpy as np
from markupsafe import Markup

from torseur.language.packaged import described
from torseur.named_words import Words
from torseur.report.assets import enclosed, rendered, style
from torseur.report.pages.content import sentence
from torseur.report.pages.json_documents import json_text
from torseur.report.scene.movement import Movement
from torseur.report.scene.touches import STATES
from torseur.report.viewer.embedded import embedded

_FOLDER = "viewer/assets"
SHEET = f"{_FOLDER}/viewer.css"
_SCRIPTS = (
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


def alone(moving: Movement, words: Words, lang: str) -> str:
    """The text of a page with nothing but an animation."""
    mechanism = moving.geometry.mechanism
    return rendered(
        f"{_FOLDER}/view.html.jinja",
        lang=lang,
        words=words,
        title=mechanism.name,
        description=described(mechanism.name, mechanism.description, lang),
        notices=[sentence(notice, lang) for notice in moving.notices],
        sheets=Markup(style(SHEET)),
        viewer=viewer(moving, words, within=False),
    )


def viewer(moving: Movement, words: Words, *, within: bool) -> Markup:
    """The elements of the animation, its data and its script."""
    mechanism = moving.geometry.mechanism
    few, touches = len(mechanism.joints) <= _FEW, moving.touches
    crowd = 0 if touches is None else int(np.diff(touches.starts).max(initial=0))
    from_start = {"joints": few, "traces": True, "contacts": crowd <= _CROWD}
    choices = [(key, from_start.get(key, False)) for key in _CHOICES]
    labels = {key: words[key] for key in _LABELS}
    labels |= {key: words[f"view {key}"] for key in ("play", "pause", "close", "chosen")}
    labels |= {f"event {key}": words[key] for key in _CAUSES}
    labels |= {f"contact {key}": words[f"contact {key}"] for key in ("open", *STATES)}
    return Markup(
        rendered(
            f"{_FOLDER}/viewer.html.jinja",
            words=words,
            title=mechanism.name,
            within=within,
            choices=choices,
            states=[] if touches is None else [STATES[k] for k in np.unique(touches.states)],
            arrows=touches is not None and touches.usual > 0,
            movement=Markup(embedded(moving, words)),
            labels=Markup(json_text(labels)),
            script=enclosed(_FOLDER, _SCRIPTS),
        )
    )
