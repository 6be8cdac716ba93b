"""The page on which a description is edited; the server that it asks is not known here."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from torseur.language.vocabulary.vocabulary import vocabulary
from torseur.named_words import report_words, teach_words
from torseur.report.assets import enclosed, rendered, style
from torseur.report.editor.exercise_page import exercise_script
from torseur.report.pages.json_documents import json_text
from torseur.report.viewer.stage import stage_scripts

PANELS = ("motion", "equations", "check", "scheme", "graph")
_SHEETS = ("pages/page.css", "documents/document.css", "editor/editor.css")
_NO_ICON = '<link rel="icon" href="data:,"/>'
TRANSPORT = "transport.js"  # the script by which the page asks the app
_SCRIPTS = (
    *("text.js", "values.js", "desk.js", "history.js", "undo.js", "context.js", "choices.js"),
    *("completion.js", "saving.js", "share.js", "descriptions.js"),
)
_SAID = (
    *("computing", "gone", "replace", "saved", "unsaved", "copied", "parameters", "start"),
    *("choices", "discard", "close", "broken", "long", "cut", "size"),
)


def editor(
    start: Mapping[str, Any],
    examples: Mapping[str, str],
    lang: str,
    motions: Sequence[str] = ("recorded",),
    transport: str = TRANSPORT,
) -> str:
    """The text of the page: what it opens with, and examples by name with what they are.

    `motions` are the kinds of motion to choose from: recorded, live. `transport` is the script by
    which the page asks; a page of static files has one of its own.
    """
    words = report_words(lang)
    return rendered(
        "editor/editor.html.jinja",
        lang=lang,
        title="Torseur",
        words=words,
        panels=PANELS,
        static=transport != TRANSPORT,
        motions=motions,
        examples=examples,
        formalisms={  # by which equations are told, and what they are called
            key.removeprefix("by "): text
            for key, text in teach_words(lang).items()
            if key.startswith("by ")
        },
        sheets=Markup("".join((_NO_ICON, *map(style, _SHEETS)))),
        start=_embedded(start),
        said=_embedded({key: words[f"app {key}"] for key in _SAID}),
        vocabulary=_embedded(vocabulary()),
        script=editor_script(transport),
    )


def editor_script(transport: str = TRANSPORT) -> Markup:
    """The script of the page."""
    return enclosed("editor", (transport, *_SCRIPTS))


def scripts() -> tuple[str, ...]:
    """The scripts of the pages of the app: no other text may run there."""
    return editor_script(), exercise_script(), *stage_scripts()


def _embedded(document: Any) -> Markup:
    """JSON within a page: no text of it ends its element."""
    return Markup(json_text(document).replace("<", "\\u003c"))
