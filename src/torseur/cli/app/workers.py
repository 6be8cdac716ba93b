"""Processes that answer questions of the app: started, asked and ended by the server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, final

from torseur.cli.app.edits import Desk
from torseur.cli.app.replies import Answer
from torseur.errors import SolveError
from torseur.words.sentence import say

_PATIENCE = 1.0  # s for a process to remove what it was writing


@final
class Worker:
    """A process that answers one question after the other, as `answering.py` does."""

    def __init__(self, desk: Desk) -> None:
        apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for the server
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "torseur.cli.app.answering"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **apart,
        )
        self.ready = Event()  # everything is imported, or the process has ended
        self._answers: SimpleQueue[Answer | None] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()
        self._send([str(desk.folder), desk.lang, desk.tables])

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(self, path: str, document: Mapping[str, Any]) -> None:
        """Send a question."""
        self._send([path, document])

    def answer(self, seconds: float | None) -> Answer | None:
        """The answer, None if it does not come in time; an error where the process has ended."""
        try:
            reply = self._answers.get(timeout=seconds)
        except Empty:
            return None
        if reply is None:
            code = self._process.wait()
            advice = (
                "Try again. If it happens again, run the command in a terminal: it reports the "
                "cause."
            )
            problem = say("the computation ended unexpectedly (exit code {code}).", code)
            raise SolveError("app", problem, advice)
        return reply

    def end(self) -> None:
        """End the process; it has a moment to remove what it was writing."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, document: Any) -> None:
        stream = self._process.stdin
        assert stream is not None, "it is a pipe"
        with suppress(OSError):  # a process that has ended is reported by `answer`
            stream.write(json.dumps(document).encode() + b"\n")
            stream.flush()

    def _listen(self) -> None:
        """Put away answers as they come: a line with status and length, then the text.

        The first line says that the process is ready.
        """
        stream = self._process.stdout
        assert stream is not None, "it is a pipe"
        with suppress(OSError, ValueError):
            stream.readline()
            self.ready.set()
            while head := stream.readline():
                status, length = map(int, head.split())
                self._answers.put((HTTPStatus(status), stream.read(length).decode()))
        self.ready.set()
        self._answers.put(None)
