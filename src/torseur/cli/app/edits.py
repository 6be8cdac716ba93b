"""Edits of a page: text of a description, values beside it, a motion; and replies to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, final

from torseur.algebra.core.expr import number
from torseur.cli.frame.crash import crash_message
from torseur.cli.frame.settings import parameters_and_start_of
from torseur.errors import ModelError, TorseurError, require_known
from torseur.language.load import is_phrase, load_text
from torseur.language.text.files import files_read
from torseur.language.text.given import given_number
from torseur.language.yaml.form import position
from torseur.model.checks.given_values import valued
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.description import Mechanism
from torseur.report.pages.json_documents import json_text
from torseur.words.language import speaking
from torseur.words.sentence import say

NEW = "model.yaml"  # what a description is called that has no file yet
DURATION, RTOL = 5.0, 1e-9
_ENTRIES = (
    "page",
    "edit",
    "text",
    "file",
    "masses",
    "values",
    "duration",
    "rate",
    "rtol",
    "formalism",
    "kind",
)
_SAVING = ("what", "as", "replace", "known")


@final
@dataclass(frozen=True)
class Desk:
    """Where descriptions stand, and the language that is spoken there."""

    folder: Path = Path()
    lang: str = "en"
    tables: str | None = None  # the folder of tables, if it is another one


@final
@dataclass(frozen=True)
class Edit:
    """A description and the settings of its results."""

    text: str
    file: str = NEW  # the name under which it stands, or will
    masses: str = ""  # of a phrase
    values: tuple[tuple[str, Any], ...] = ()  # of parameters, coordinates and speeds
    duration: float = DURATION  # [s]
    rate: float | None = None  # [Hz]
    rtol: float = RTOL
    formalism: str = ""  # by which equations are told
    kind: str = ""  # of motion: computed by the app, or by the page itself


def known_entries(
    document: Mapping[str, Any], *, saving: bool = False, opening: bool = False
) -> None:
    """Refuse a document with an entry that nothing reads."""
    more = (*(_SAVING if saving else ()), *(("name",) if opening else ()))
    require_known("app", "entry", document, (*_ENTRIES, *more))


def edit_of(document: Mapping[str, Any]) -> Edit:
    """The edit that a document describes; a text that is too long is refused unread."""
    text, file = text_of(document, "text"), file_name_of(document)
    size = len(text.encode("utf-8", errors="replace"))
    if size > LARGEST_FILE:
        problem = say(
            '"{path}" has {st_size} bytes, more than {largest}.', file, size, LARGEST_FILE
        )
        raise ModelError("text", problem, "Split it, or leave out parts that are not needed.")
    values = document.get("values", {})
    if not isinstance(values, Mapping):
        raise ModelError("values", say("{values} is not a table of values by name.", repr(values)))
    rate = document.get("rate")
    return Edit(
        text,
        file,
        text_of(document, "masses"),
        tuple((str(name), x) for name, x in values.items()),
        given_number(document.get("duration", DURATION), "--duration"),
        None if rate in (None, "") else given_number(rate, "--rate"),
        given_number(document.get("rtol", RTOL), "--rtol"),
        text_of(document, "formalism"),
        text_of(document, "kind"),
    )


def text_of(document: Mapping[str, Any], key: str) -> str:
    """An entry of a document that is a text; none is an empty one."""
    value = document.get(key, "")
    if not isinstance(value, str):
        raise ModelError(key, say("{value} is not a text.", repr(value)))
    return value


def file_name_of(document: Mapping[str, Any]) -> str:
    """The name of a file of the desk's folder."""
    name = text_of(document, "file") or NEW
    if name in (".", "..") or not name.isprintable() or Path(name).name != name:
        advice = "Files are written beside the model: give a name without a folder."
        raise ModelError("file", say('"{name}" is not the name of a file.', name), advice)
    return name


def path_in(desk: Desk, name: str) -> Path:
    """The path of a file of the desk's folder; a link that leads elsewhere is refused."""
    path = desk.folder / file_name_of({"file": name})
    if path.is_symlink() and not path.exists():
        problem = say('"{name}" is a link to a file that does not exist.', name)
        raise ModelError("file", problem, "Remove the link, or give another name.")
    if not path.resolve().is_relative_to(desk.folder.resolve()):
        problem = say('"{name}" is a link to a file outside the folder of the model.', name)
        raise ModelError("file", problem, "Put the file itself there, or give another name.")
    return path


def described(desk: Desk, edit: Edit) -> Mechanism:
    """The mechanism of the text alone."""
    return _read(edit.text, desk.folder / edit.file, edit.masses or None, desk.tables)


def mechanism_of(desk: Desk, edit: Edit) -> Mechanism:
    """The mechanism with the values that are given beside its text."""
    mechanism = described(desk, edit)
    if not edit.values:
        return mechanism
    numbers, start = parameters_and_start_of(mechanism, dict(edit.values), "value")
    initial = {**mechanism.initial, **{name: number(x) for name, x in start.items()}}
    return replace(valued(mechanism, numbers), initial=initial)


def description_of(desk: Desk, edit: Edit) -> str:
    """The text as it stands, faults and all; with values beside it, or as a phrase, made anew."""
    if not edit.values and not is_phrase(edit.text):
        return edit.text
    return mechanism_of(desk, edit).yaml()


_MOST_KNOWN = 8
_KNOWN: dict[tuple[str, Path, str | None, str | None], Mechanism] = {}  # that no other file changes


def _read(text: str, path: Path, masses: str | None, tables: str | None) -> Mechanism:
    """The mechanism of a text; one that names other files is read each time."""
    key = text, path, masses, tables
    if key not in _KNOWN:
        before = files_read()
        mechanism = load_text(text, path, masses, tables)
        if files_read() > before:
            return mechanism
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)))
        _KNOWN[key] = mechanism
    return _KNOWN[key]


# --- replies to a page: what was asked for, or a document with the messages of an error -----------

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
