"""A bar on standard error for anything that lasts longer than two seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any, final

_PATIENCE = 2.0  # seconds before anything is shown
_HAS_THREADS = sys.platform != "emscripten"  # without them nothing is shown
_waits: list[_Wait] = []  # the wait at hand: one bar at a time can move on a terminal


@contextmanager
def waiting(text: str) -> Iterator[Callable[..., None]]:
    """Show a text with a bar from two seconds on, until the block ends.

    Yields a function that changes the bar (`description`, `total`, `completed`). Inside another
    wait the bar at hand shows the text meanwhile.
    """
    if _waits:
        wait = _waits[-1]
        before = wait.fields["description"]
        wait.change(description=text)
        try:
            yield wait.change
        finally:
            wait.change(description=before)
        return
    wait = _Wait(text)
    _waits.append(wait)
    try:
        yield wait.change
    finally:
        _waits.remove(wait)
        wait.end()


def is_interactive() -> bool:
    """Whether a person waits at a prompt or in a notebook for what Python computes."""
    return hasattr(sys, "ps1") or "ipykernel" in sys.modules


@final
class _Wait:
    """A bar that appears when patience ends; rich is imported only then."""

    def __init__(self, text: str) -> None:
        self.fields: dict[str, Any] = {"description": text, "total": None}
        self._bar: Any = None
        self._lock = Lock()
        self._patience = Timer(_PATIENCE, self._show)
        self._patience.daemon = True
        if _HAS_THREADS:
            self._patience.start()

    def change(self, **changes: Any) -> None:
        """Write other fields of the bar."""
        with self._lock:
            self.fields |= changes
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], **changes)

    def end(self) -> None:
        """Take the bar away."""
        self._patience.cancel()
        if _HAS_THREADS:
            self._patience.join()
        if self._bar is not None:
            self._bar.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        console = Console(stderr=True)
        if not (console.is_terminal or console.is_jupyter):  # a file or a program needs no bar
            return
        with self._lock:
            bar = Progress(console=console, transient=True)
            bar.add_task(**self.fields)
            bar.start()
            self._bar = bar
