"""A bar that shows how far a long computation is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torseur.waiting import waiting


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
    with waiting(first) as change:

        def report(reached: float) -> None:
            change(description=then, total=end - start, completed=reached - start)

        yield report
