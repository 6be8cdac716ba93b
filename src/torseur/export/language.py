"""Declaration of a language: reserved words, options, and the writer of a model's files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# The functions an expression may contain; "pi" stands for the number.
MATHEMATICS = words("sin cos tan asin acos atan atan2 exp log sinh cosh tanh sign abs sqrt pow pi")


@final
@dataclass(frozen=True)
class Language:
    """A language: what may not be an identifier, and the files of a model (name → text)."""

    name: str
    reserved: frozenset[str]  # besides MATHEMATICS
    files: Callable[..., Mapping[str, str]]  # (model, **options)
    case_sensitive: bool = True
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # name → possible values
    tables: bool = True  # whether tables can be looked up
