"""Options that name a file to write, tested before anything is computed; a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, final

import rich_click as click

from torseur.output import STANDARD_OUTPUT, known_ending, writable, writable_folder
from torseur.waiting import waiting


@final
class Output(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A file with one of the endings given, if any, in a folder that can be written to.

    With `direct`, standard output (`-`), a device or a pipe will do as well; it gets the first of
    the formats, and messages go to standard error.
    """

    name = "file"

    def __init__(self, *endings: str, direct: bool = False) -> None:
        self.endings = endings
        self.direct = direct

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, or a ModelError that says what is wrong with it."""
        place = Path(value)
        option = param.opts[-1] if param is not None else "file"
        unusual = str(place) == STANDARD_OUTPUT or (place.exists() and not place.is_file())
        if self.endings and not (self.direct and unusual):
            known_ending(place, self.endings, option)
        if str(place) == STANDARD_OUTPUT and ctx is not None:
            ctx.with_resource(redirect_stdout(sys.stderr))
        return writable(place)


@final
class Folder(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A folder that can be written in, or made, or a file with the ending given."""

    name = "folder"

    def __init__(self, file: str = "") -> None:
        self.file = file

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, or a ModelError that says why nothing can be written there."""
        if self.file and Path(value).suffix == self.file:
            return writable(value)
        return writable_folder(value)


PICTURE = Output(".png", ".svg", ".pdf")
PAGE = Output(".html", ".htm")


# --- a bar that shows how far a long computation is -----------------------------------------------


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
