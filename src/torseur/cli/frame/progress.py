"""A bar that shows how far a long computation is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer


@contextmanager
def progress_bar(
    first: str, then: str, start: float, end: float, quiet: bool
) -> Iterator[Callable[[float], None] | None]:
    """A bar on standard error that appears after two seconds; nothing with --json.

    It says what is done `first`, and `then` from the first number between start and end on.
    """
    if quiet:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(first, total=None)
    patience = Timer(2.0, bar.start)
    patience.daemon = True
    patience.start()

    def report(reached: float) -> None:
        bar.update(task, description=then, total=end - start, completed=reached - start)

    try:
        yield report
    finally:
        patience.cancel()
        patience.join()
        bar.stop()
