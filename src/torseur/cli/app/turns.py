"""Computations of the app, one at a time: what a newer edit asks takes the place of older ones."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar, final

T = TypeVar("T")
Check = Callable[[], None]  # raises Superseded where nobody waits any more


class Superseded(Exception):
    """A page was edited since it asked."""


@final
class Turns:
    """Who computes now, and the newest edit of each page."""

    def __init__(self) -> None:
        self._busy = Lock()
        self._newest: dict[int, int] = {}

    def note(self, page: int, edit: int) -> None:
        """An edit of a page: what older ones asked is not waited for any more."""
        self._newest[page] = max(edit, self._newest.get(page, edit))

    def take(self, page: int, edit: int, compute: Callable[[Check], T]) -> T:
        """What is computed when its turn comes, unless the page has been edited by then.

        A computation that calls what it is given ends there once it is superseded.
        """
        self.note(page, edit)

        def check() -> None:
            if self._newest[page] > edit:
                raise Superseded

        with self._busy:
            check()
            return compute(check)
