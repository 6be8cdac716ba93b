"""Files that the app writes: the description, the page of its motion, its report, its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from torseur.cli.app.answers import simulated
from torseur.cli.app.edits import Desk, Edit, description_of, file_name_of, text_of
from torseur.cli.frame.command import written
from torseur.errors import ModelError, unknown
from torseur.language.load import YAML
from torseur.language.text.files import read_file
from torseur.model.checks.limits import LARGEST_FILE
from torseur.output import known_ending, writable, write_text
from torseur.report.dossier.report import report
from torseur.report.viewer.view import view
from torseur.words.sentence import say


def saved(desk: Desk, edit: Edit, document: Mapping[str, Any]) -> dict[str, Any]:
    """Write a file beside the model; an existing one is replaced only on request.

    The model itself is replaced while it still has the text that the page knows.
    """
    what = text_of(document, "what")
    if what not in _FILES:
        raise unknown("save", "kind of file", what, _FILES)
    endings, write = _FILES[what]
    name = document.get("as")
    path = desk.folder / file_name_of({"file": name})
    known_ending(path.name, endings, "save")
    if path.is_symlink() and not path.exists():
        problem = say('"{name}" is a link to a file that does not exist.', path.name)
        raise ModelError("save", problem, "Remove the link, or give another name.")
    writable(path)
    if path.exists() and document.get("replace") is not True and not _is_known(path, document):
        return {"exists": path.name}
    write(desk, edit, path)
    text = description_of(desk, edit) if what == "description" else ""
    return {"saved": path.name, "message": written(path), "text": text}


def _is_known(path: Path, document: Mapping[str, Any]) -> bool:
    known = document.get("known")
    return known is not None and read_file(path, LARGEST_FILE, str(path)) == known


def _description(desk: Desk, edit: Edit, path: Path) -> None:
    write_text(path, description_of(desk, edit))


def _page(desk: Desk, edit: Edit, path: Path) -> None:
    view(simulated(desk, edit), path, lang=desk.lang)


def _report(desk: Desk, edit: Edit, path: Path) -> None:
    report(simulated(desk, edit), path, formalism=edit.formalism or None, lang=desk.lang)


def _run(desk: Desk, edit: Edit, path: Path) -> None:
    run = simulated(desk, edit)
    (run.save if path.suffix.lower() == ".nc" else run.to_csv)(path)


_FILES: Mapping[str, tuple[Sequence[str], Callable[[Desk, Edit, Path], None]]] = {
    "description": (YAML, _description),
    "page": ((".html", ".htm", ".gif", ".mp4"), _page),
    "report": ((".html", ".htm", ".tex", ".pdf"), _report),
    "run": ((".nc", ".csv"), _run),
}
