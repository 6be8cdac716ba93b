"""Replies to a page: what was asked for, or a document with the messages of an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from torseur.cli.frame.encoding import crash_message
from torseur.errors import ModelError, TorseurError
from torseur.language.yaml.form import position
from torseur.report.pages.json_documents import json_text
from torseur.words.language import speaking

Answer = tuple[HTTPStatus, str]  # its status of HTTP and its text


def reply(lang: str, make: Callable[[], Answer]) -> Answer:
    """An answer made in a language; an error is a document with its messages."""
    with speaking(lang):
        try:
            return make()
        except TorseurError as error:
            return HTTPStatus.OK, reply_text({"faults": faults([error], lang)})
        except Exception as error:
            message = {"message": crash_message(error), "line": 0, "column": 0}
            return HTTPStatus.INTERNAL_SERVER_ERROR, reply_text({"faults": [message]})


def reply_text(document: dict[str, Any]) -> str:
    """A document as a page reads it; it has faults, if none then an empty list."""
    return json_text({"faults": [], **document})


def faults(errors: Iterable[TorseurError], lang: str) -> list[dict[str, Any]]:
    """Every fault as `torseur check` tells it, and its line and column where it has some."""
    single = [y for x in errors for y in (x.faults if isinstance(x, ModelError) else (x,))]
    return [
        {"message": one.said(lang), "line": line, "column": column}
        for one in single
        for line, column in (position(one),)
    ]
