"""Contents of an imported file that are not read: one sentence among the notices of a mechanism."""

from collections.abc import Iterable, Mapping

from torseur.words.sentence import say

_NOT_READ = "Not read: {shown}."


def not_read(counts: Mapping[str, int]) -> list[str]:
    """The sentence that lists contents with their numbers, if there are any."""
    contents = ", ".join(f"{what} ({n})" for what, n in counts.items() if n)
    return [say("Not read: {shown}.", contents)] if contents else []


def left_out(notices: Iterable[str]) -> tuple[str, ...]:
    """The notices of a mechanism that list unread contents."""
    return tuple(x for x in notices if getattr(x, "template", "") == _NOT_READ)
