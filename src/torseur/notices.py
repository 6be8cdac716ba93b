"""Notices and tables as lines of text; notices of unread contents and of names that changed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from torseur.words.sentence import say, worded

_NOT_READ = "Not read: {shown}."
Named = TypeVar("Named", bound=type)


def noticed(notices: Iterable[str]) -> list[str]:
    """Notices, a line each."""
    return [say("notice: {text}", worded(text)) for text in notices]


def text_table(
    rows: Iterable[Sequence[str]], *, numbers: bool = False, gap: str = "  "
) -> list[str]:
    """A line for each row; where all but the first column are `numbers`, these end together."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]

    def cell(k: int, text: str) -> str:
        return text.rjust(widths[k]) if numbers and k else text.ljust(widths[k])

    return [gap.join(cell(k, text) for k, text in enumerate(row)).rstrip() for row in listed]


def not_read(counts: Mapping[str, int]) -> list[str]:
    """The sentence that lists contents with their numbers, if there are any."""
    contents = ", ".join(f"{what} ({n})" for what, n in counts.items() if n)
    return [say("Not read: {shown}.", contents)] if contents else []


def left_out(notices: Iterable[str]) -> tuple[str, ...]:
    """The notices of a mechanism that list unread contents."""
    return tuple(x for x in notices if getattr(x, "template", "") == _NOT_READ)


def warn_of_old_name(old: str, new: str) -> None:
    """Tell callers, two calls up, the present name of a method."""
    warnings.warn(f"{old} is now called {new}.", DeprecationWarning, stacklevel=3)


def with_old_names(**names: str) -> Callable[[Named], Named]:
    """Keep old names of methods for a version, each with a hint: old="new"."""

    def renamed(kind: Named) -> Named:
        for old, new in names.items():
            setattr(kind, old, _hinting(old, new))
        return kind

    return renamed


def _hinting(old: str, new: str) -> Callable[..., Any]:
    def call(self: Any, *given: Any, **options: Any) -> Any:
        warn_of_old_name(old, new)
        return getattr(self, new)(*given, **options)

    return call
