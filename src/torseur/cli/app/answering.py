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
from http import HTTPStatus
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from torseur.cli.app.answers import ANSWERS, picture
from torseur.cli.app.edits import Desk, edit_of
from torseur.cli.app.replies import Answer, reply, reply_text
from torseur.cli.app.saving import saved


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
    edit = edit_of(document)
    return saved(desk, edit, document) if path == "save" else ANSWERS[path](desk, edit)


def _listen(questions: SimpleQueue[bytes]) -> None:
    """Take questions as they come, also while one is answered: the end of them ends the process."""
    for line in sys.stdin.buffer:
        questions.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
