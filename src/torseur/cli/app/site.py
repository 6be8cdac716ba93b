"""What stands at which path of the app: its page, pictures of examples, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from itertools import count
from typing import Any, final

from torseur.cli.app.edits import Desk, edit_of
from torseur.cli.app.faults import faults
from torseur.cli.app.server import Response
from torseur.cli.app.turns import Check, Superseded, Turns
from torseur.cli.description.examples import example_lines
from torseur.cli.frame.crash import told
from torseur.errors import ModelError, TorseurError
from torseur.language.load import load
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.report.editor.page import editor
from torseur.report.pages.documents import json_text
from torseur.words.language import speaking
from torseur.words.sentence import say

_PICTURE = (320, 240)  # [px]
Document = dict[str, Any]
_JSON, _SVG, _HTML = "application/json", "image/svg+xml", "text/html"


@final
@dataclass(frozen=True)
class Site:
    """A desk and what it opens with, computed in turns."""

    desk: Desk
    opened: Callable[[], Document]  # the file, its text and what is asked of it first
    turns: Turns = field(default_factory=Turns)
    pages: count[int] = field(default_factory=lambda: count(1))

    def page(self, path: str) -> Response | None:
        """The page itself, the text of an example, its picture."""
        return self._said(lambda: self._page(path))

    def asked(self, path: str, document: Any) -> Response | None:
        """The answer to a question about an edit."""
        return self._said(lambda: self._answer(path, document))

    def _said(self, made: Callable[[], Response | None]) -> Response | None:
        """In the language of the desk; what goes wrong is one message."""
        lang = self.desk.lang
        with speaking(lang):
            try:
                return made()
            except Superseded:
                return _json({"superseded": True}, HTTPStatus.CONFLICT)
            except TorseurError as error:
                return _json({"faults": faults([error], lang)})
            except Exception as error:
                message = {"message": told(error), "line": 0, "column": 0}
                return _json({"faults": [message]}, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _page(self, path: str) -> Response | None:
        if not path:
            start = {"page": next(self.pages), **self.opened()}
            return Response(_HTML, editor(start, example_lines(), self.desk.lang))
        folder, _, name = path.partition("/")
        if name not in packaged_files(EXAMPLES):
            return None
        if folder == "example":
            text = packaged_files(EXAMPLES)[name].read_text(encoding="utf-8")
            return _json({"file": f"{name}.yaml", "text": text})
        if folder == "picture":
            return Response(_SVG, self.turns.take(0, 0, lambda _: _picture(name)))
        return None

    def _answer(self, path: str, document: Any) -> Response | None:
        if not isinstance(document, Mapping):
            raise ModelError("app", say("{document} is no question.", repr(document)[:40]))
        from torseur.cli.app.answers import ANSWERS, AT_ONCE  # much is read to compute
        from torseur.cli.app.saving import saved

        if path not in {*AT_ONCE, *ANSWERS, "save"}:
            return None
        edit = edit_of(document)
        page, number = (_whole(document, key) for key in ("page", "edit"))
        self.turns.note(page, number)
        if path in AT_ONCE:
            return _json(AT_ONCE[path](self.desk, edit))

        def compute(check: Check) -> Document:
            if path == "save":
                return saved(self.desk, edit, document, check)
            return ANSWERS[path](self.desk, edit, check)

        return _json(self.turns.take(page, number, compute))


@cache
def _picture(name: str) -> str:
    from torseur.report.drawing.picture import picture_svg

    return picture_svg(load(str(packaged_files(EXAMPLES)[name])), _PICTURE)


def _whole(document: Mapping[str, Any], key: str) -> int:
    value = document.get(key, 0)
    if not isinstance(value, int):
        raise ModelError(key, say("{value} is no whole number.", repr(value)))
    return value


def _json(document: Document, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(_JSON, json_text({"faults": [], **document}), status)
