"""Answers of the app in the process of a page: questions and answers are texts of JSON.

The page asks one question after the other. What is saved is handed to the page, which offers it
for download.
"""

from __future__ import annotations

import json
from base64 import b64encode
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torseur.cli.playground import late_packages
from torseur.errors import ModelError
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.cli.app.edits import Answer, Desk

_FOLDER = Path("/tmp")  # of the page's own memory


def expect(names: str) -> None:
    """Stand in for packages that come later, then import what answers need."""
    late_packages.expect(json.loads(names))
    import torseur.cli.app.answering  # noqa: F401


def arrived(name: str) -> None:
    """Use a package that a question needed."""
    late_packages.arrived(name)


def answer(lang: str, path: str, question: str) -> str:
    """The answer to a question, or the package that it needs first."""
    from torseur.cli.app.edits import Desk, reply, reply_text

    desk = Desk(_FOLDER, lang)
    try:
        _, text = reply(lang, lambda: _answered(desk, path, json.loads(question)))
    except late_packages.PackageWanted as wanted:
        return reply_text({"needs": wanted.name})
    return text


def _answered(desk: Desk, path: str, document: Any) -> Answer:
    from torseur.cli.app.answering import answered
    from torseur.cli.app.answers import ANSWERS
    from torseur.cli.app.edits import known_entries, reply_text

    if path not in (*ANSWERS, "save") or not isinstance(document, dict):
        raise ModelError(
            "playground", say("{document} is not a valid request.", str(document)[:40])
        )
    known_entries(document, saving=path == "save")
    status, text = answered(
        desk, path, {**document, "replace": True} if path == "save" else document
    )
    saved = json.loads(text).get("saved") if path == "save" else None
    if saved is None:
        return status, text
    content = (desk.folder / saved).read_bytes()
    whole = json.loads(text) | {"content": b64encode(content).decode()}
    return HTTPStatus.OK, reply_text(whole)
