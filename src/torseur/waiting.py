"""Long waits are announced: a line with a moving bar on standard error, in shells and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

_PATIENCE = 2.0  # seconds before anything is shown
_shown: list[Any] = []  # the bar at hand: one at a time can move on a terminal


@contextmanager
def waiting(text: str) -> Iterator[Callable[..., None]]:
    """Show a text with a bar from two seconds on, until the block ends.

    Yields a function that changes the bar (`description`, `total`, `completed`). Inside another
    wait the bar at hand shows the text meanwhile.
    """
    if _shown:
        bar, task = _shown[-1]
        before = bar.tasks[task].description
        bar.update(task, description=text)
        try:
            yield lambda **changes: bar.update(task, **changes)
        finally:
            bar.update(task, description=before)
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=None)
    patience = Timer(_PATIENCE, bar.start)
    patience.daemon = True
    patience.start()
    _shown.append((bar, task))
    try:
        yield lambda **changes: bar.update(task, **changes)
    finally:
        _shown.pop()
        patience.cancel()
        patience.join()
        bar.stop()
