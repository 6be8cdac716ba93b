"""The process that answers: questions on standard input, answers on standard output, until its end.

It says that it is ready. A line is a question: a path and a document as JSON. An answer is a line
with its status of HTTP and its length, then the text. The process ends with its server, whatever
it computes then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from torseur.cli.app.answers import ANSWERS, picture, simulated
from torseur.cli.app.desk_answers import DESK_ANSWERS
from torseur.cli.app.edits import (
    Answer,
    Desk,
    Edit,
    description_of,
    edit_of,
    file_name_of,
    path_in,
    reply,
    reply_text,
    text_of,
)
from torseur.cli.app.exercise_answers import EXERCISE_ANSWERS
from torseur.cli.frame.command import written
from torseur.errors import unknown
from torseur.language.load import YAML
from torseur.language.text.files import read_file
from torseur.model.checks.limits import LARGEST_FILE
from torseur.output import known_ending, writable, write_text
from torseur.report.dossier.report import report
from torseur.report.viewer.view import view


def main() -> None:
    """Answer until the server is gone or ends this process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # files that are half written are removed
    answers = os.fdopen(os.dup(1), "ab")
    os.dup2(2, 1)  # what libraries print is no answer
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    answers.write(b"ready\n")
    answers.flush()
    try:
        folder, lang, tables = json.loads(questions.get())
        desk = Desk(Path(folder), lang, tables)
        while True:
            status, text = answered(desk, *json.loads(questions.get()))
            content = text.encode("utf-8", errors="replace")
            answers.write(b"%d %d\n" % (status, len(content)) + content)
            answers.flush()
    finally:
        os._exit(1)  # without waiting for the thread that listens


def answered(desk: Desk, path: str, document: dict[str, Any]) -> Answer:
    """The answer to one question; what goes wrong is one message."""
    return reply(desk.lang, lambda: (HTTPStatus.OK, reply_text(_document(desk, path, document))))


def _document(desk: Desk, path: str, document: dict[str, Any]) -> dict[str, Any]:
    if path == "picture":
        return {"picture": picture(document["name"])}
    for answers in (DESK_ANSWERS, EXERCISE_ANSWERS):
        if path in answers:
            return answers[path](desk, document)
    edit = edit_of(document)
    return saved(desk, edit, document) if path == "save" else ANSWERS[path](desk, edit)


def _listen(questions: SimpleQueue[bytes]) -> None:
    """Take questions as they come, also while one is answered: the end of them ends the process."""
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)


def saved(desk: Desk, edit: Edit, document: Mapping[str, Any]) -> dict[str, Any]:
    """Write a file beside the model; an existing one is replaced only on request.

    The model itself is replaced while it still has the text that the page knows.
    """
    what = text_of(document, "what")
    if what not in _FILES:
        raise unknown("save", "kind of file", what, _FILES)
    endings, write = _FILES[what]
    name = document.get("as")
    known_ending(file_name_of({"file": name}), endings, "save")
    path = path_in(desk, str(name or ""))
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


if __name__ == "__main__":
    main()
