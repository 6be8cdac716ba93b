"""Texts that a page opens: examples in its language, and descriptions of the desk's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torseur.cli.app.edits import Desk, path_in, text_of
from torseur.errors import ModelError, unknown
from torseur.language.load import YAML, read_model
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.vocabulary.form_in_language import example_text
from torseur.words.sentence import say

Document = dict[str, Any]
_MOST = 200  # files that are listed


def example(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The text of an example, in the language of the page."""
    name = text_of(document, "name")
    if name not in packaged_files(EXAMPLES):
        raise unknown("example", "example", name, packaged_files(EXAMPLES))
    return {"file": f"{name}.yaml", "text": example_text(name, desk.lang)}


def opened(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The text of a description in the folder."""
    name = text_of(document, "name")
    if not name.lower().endswith(YAML):
        problem = say('"{name}" is not the name of a description.', name)
        raise ModelError("file", problem, say("Descriptions end with {endings}.", ", ".join(YAML)))
    text = read_model(path_in(desk, name))
    return {"file": name, "text": text, "known": text}


def listed(desk: Desk, document: Mapping[str, Any]) -> Document:
    """The names of the descriptions in the folder."""
    names = (x.name for x in desk.folder.iterdir() if x.is_file())
    descriptions = (x for x in names if x.lower().endswith(YAML) and not x.startswith("."))
    return {"files": sorted(descriptions)[:_MOST]}


DESK_ANSWERS: Mapping[str, Callable[[Desk, Mapping[str, Any]], Document]] = {
    "example": example,
    "file": opened,
    "files": listed,
}
