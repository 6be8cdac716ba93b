"""Paths of the app: its page, pictures of examples, and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import Any, final

from torseur.cli.app.answers import MOTIONS
from torseur.cli.app.desk_answers import DESK_ANSWERS
from torseur.cli.app.edits import Answer, Desk, edit_of, known_entries, reply, reply_text
from torseur.cli.app.jobs import Jobs, PanelRequest, Superseded
from torseur.cli.app.server import Gone, HttpResponse
from torseur.cli.files.examples import example_lines
from torseur.errors import ModelError
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.report.editor.editor_page import PANELS, editor
from torseur.words.sentence import say

Document = dict[str, Any]
_JSON, _SVG, _HTML = "application/json", "image/svg+xml", "text/html"
_OF_EXERCISES = ("reply", "hint", "solution")
_AT_ONCE = ("reading", "written")  # short: they wait for no panel


@final
@dataclass(frozen=True)
class AppSite:
    """A desk, what it opens with, and the jobs of its pages."""

    desk: Desk
    opened: Callable[[], Document]  # the file, its text and what is asked of it first
    jobs: Jobs
    pages: count[int] = field(default_factory=lambda: count(1))
    pictures: dict[str, str] = field(default_factory=dict)

    def page(self, path: str, gone: Gone) -> HttpResponse | None:
        """The page itself, the picture of an example, exercises."""
        if not path:
            return _response(reply(self.desk.lang, self._opened), _HTML)
        folder, _, name = path.partition("/")
        if path == "exercises" or (folder == "exercise" and name):
            number = next(self.pages)
            document = {"exercise": name, "page": number} if name else {}
            question = PanelRequest(number, 0, folder, document, gone, waits=False)
            return _response(reply(self.desk.lang, lambda: self._html(question)), _HTML)
        if name not in packaged_files(EXAMPLES):
            return None
        if folder == "picture":
            return _response(reply(self.desk.lang, lambda: self._picture(name, gone)), _SVG)
        return None

    def answer(self, path: str, document: Any, gone: Gone) -> HttpResponse | None:
        """The answer to a question about an edit."""
        if path in _OF_EXERCISES and isinstance(document, dict):
            return _response(
                reply(self.desk.lang, lambda: self._marked(path, document, gone)), _JSON
            )
        if path in DESK_ANSWERS:
            return _response(reply(self.desk.lang, lambda: self._text(path, document)), _JSON)
        if path not in {*_AT_ONCE, *PANELS, "save"}:
            return None
        answer = reply(self.desk.lang, lambda: self._answer(_question(path, document, gone)))
        return _response(answer, _JSON)

    def _opened(self) -> Answer:
        start = {"page": next(self.pages), **self.opened()}
        return HTTPStatus.OK, editor(start, example_lines(), self.desk.lang, motions=tuple(MOTIONS))

    def _picture(self, name: str, gone: Gone) -> Answer:
        """The picture of an example, drawn once."""
        if name not in self.pictures:
            status, text = self._answer(PanelRequest(0, 0, "picture", {"name": name}, gone))
            if status != HTTPStatus.OK:
                return status, text
            self.pictures[name] = json.loads(text)["picture"]
        return HTTPStatus.OK, self.pictures[name]

    def _html(self, question: PanelRequest) -> Answer:
        """A page about exercises; an error is shown in its place."""
        status, text = self._answer(question)
        document = json.loads(text)
        return status, document.get("html") or text

    def _text(self, path: str, document: Any) -> Answer:
        """A text that is opened: no process is waited for."""
        answer = DESK_ANSWERS[path](self.desk, _checked(path, document))
        return HTTPStatus.OK, reply_text(answer)

    def _marked(self, path: str, document: Document, gone: Gone) -> Answer:
        """The answer to a question of the page of an exercise."""
        page = _whole(document, "page")
        return self._answer(PanelRequest(page, 0, path, document, gone, waits=False))

    def _answer(self, question: PanelRequest) -> Answer:
        try:
            return self.jobs.answer(question)
        except Superseded:
            return HTTPStatus.CONFLICT, reply_text({"superseded": True})


def _checked(path: str, document: Any) -> Document:
    """A document of which every entry is read."""
    if not isinstance(document, dict):
        raise ModelError("app", say("{document} is not a valid request.", repr(document)[:40]))
    known_entries(document, saving=path == "save", opening=path in DESK_ANSWERS)
    return document


def _question(path: str, document: Any, gone: Gone) -> PanelRequest:
    """The request in a document, once it is checked."""
    edit_of(_checked(path, document))
    page, edit = (_whole(document, key) for key in ("page", "edit"))
    return PanelRequest(page, edit, path, document, gone, waits=path not in _AT_ONCE)


def _whole(document: Document, key: str) -> int:
    value = document.get(key, 0)
    if not isinstance(value, int):
        raise ModelError(key, say("{value} is not a whole number.", repr(value)))
    return value


def _response(answer: Answer, kind: str) -> HttpResponse:
    """An answer; a document of errors has its own type."""
    status, text = answer
    return HttpResponse(_JSON if text.startswith("{") else kind, text, status)
