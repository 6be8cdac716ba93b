"""Notices of results as lines of text."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.words.sentence import say, worded


def noticed(notices: Iterable[str]) -> list[str]:
    """Notices, a line each."""
    return [say("notice: {text}", worded(text)) for text in notices]
