"""Jobs of the app: each question is answered by a process of its own, on behalf of one page.

A job ends when its page goes away, is edited, or has waited too long: the process is ended,
whatever it computes. Pages do not wait for each other; a page has two processes at most.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, final

from torseur.cli.app.edits import Answer, Desk
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


LIMIT = 120.0  # s that a job may take
_POLL = 0.1  # s between two looks at the page that waits
_GRACE = 0.5  # s in which a job that nobody waits for may end by itself: its process is used again
_LONG = 1.0  # s of a job after which a process gets ready for what follows it
_SPARE = 2  # processes that may wait for questions


class Superseded(Exception):
    """The page was edited since it asked, or went away."""


@final
@dataclass(frozen=True, eq=False)
class PanelRequest:
    """A question about an edit of a page."""

    page: int
    edit: int
    path: str
    document: Mapping[str, Any]
    gone: Callable[[], bool] = lambda: False  # whether the page has closed its connection
    waits: bool = True  # for panels of its page; a short question only for other short ones


@final
class Jobs:
    """The processes of a server, and the newest edit of each page."""

    def __init__(self, desk: Desk, limit: float = LIMIT) -> None:
        self.desk, self.limit = desk, limit
        self._idle: list[Worker] = []
        self._running: set[Worker] = set()
        self._newest: dict[int, int] = {}
        self._turns: dict[tuple[int, bool], Lock] = defaultdict(Lock)  # of panels, and of the rest
        self._lock = Lock()
        self._closed = False

    def start(self) -> None:
        """Have a process that waits: it imports what answers need while the page is opened."""
        with self._lock:
            if not self._idle and not self._closed:
                self._idle.append(Worker(self.desk))

    def answer(self, question: PanelRequest) -> Answer:
        """Answer a question; jobs of older edits of its page are not waited for any more."""
        with self._lock:
            newest = self._newest.get(question.page, question.edit)
            self._newest[question.page] = max(question.edit, newest)
            turn = self._turns[question.page, question.waits]
        worker = self._worker_for(question, turn)
        try:
            reply = self._awaited(worker, question)
        except Superseded:
            Thread(target=self._let_end, args=(worker, turn)).start()
            raise
        except BaseException:
            self._release(worker, turn, keep=False)
            raise
        self._release(worker, turn, keep=True)
        return reply

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._running]
        endings = [Thread(target=worker.end) for worker in workers]
        for ending in endings:
            ending.start()
        for ending in endings:
            ending.join()

    def _check(self, question: PanelRequest) -> None:
        """Raise `Superseded` if the page no longer waits for the answer."""
        newest = self._newest[question.page]
        if self._closed or newest > question.edit or question.gone():
            raise Superseded

    def _worker_for(self, question: PanelRequest, turn: Lock) -> Worker:
        """A process for a question, once no other of its kind is answered to its page."""
        self._check(question)
        while not turn.acquire(timeout=_POLL):
            self._check(question)
        with self._lock:
            if self._closed:
                turn.release()
                raise Superseded
            alive = [worker for worker in self._idle if worker.alive]
            worker = alive.pop(0) if alive else Worker(self.desk)
            self._idle = alive
            self._running.add(worker)
        return worker

    def _awaited(self, worker: Worker, question: PanelRequest) -> Answer:
        """The answer of a process, if the page waits for it and it comes in time."""
        worker.ask(question.path, question.document)
        begun = time.monotonic()
        while (answer := worker.answer(_POLL)) is None:
            self._check(question)
            waited = time.monotonic() - begun
            if waited > self.limit:
                raise _too_long(self.limit)
            if waited > _LONG:
                self.start()
        return answer

    def _let_end(self, worker: Worker, turn: Lock) -> None:
        """Keep a process whose job ends soon by itself; end it otherwise."""
        worker.ready.wait()
        try:
            done = worker.answer(_GRACE) is not None
        except SolveError:
            done = False
        self._release(worker, turn, keep=done)

    def _release(self, worker: Worker, turn: Lock, *, keep: bool) -> None:
        """Let a process wait for the next question, or end it; its page may ask the next one."""
        with self._lock:
            keep = keep and not self._closed and len(self._idle) < _SPARE
            if keep:
                self._idle.insert(0, worker)  # it has read most
                self._running.remove(worker)
        turn.release()
        if not keep:
            worker.end()
            with self._lock:
                self._running.remove(worker)


def _too_long(limit: float) -> SolveError:
    problem = say("the computation was stopped after {limit:g} s.", limit)
    advice = "Shorten the duration, or run the command in a terminal: it has no limit."
    return SolveError("app", problem, advice)
