"""Help of commands in the language that is spoken: each paragraph by its English."""

from __future__ import annotations

from inspect import cleandoc

from torseur.words.catalogue import translated
from torseur.words.language import spoken

HELP = "help"  # the context of its translations
EXAMPLE = "Example: "


def helped(english: str) -> str:
    """A sentence of the help, or of what reads the command line, in the language spoken."""
    return translated(english, spoken(), HELP)


def help_text(english: str) -> str:
    """The text of a command; the command lines of its examples stay as they are."""
    return "\n\n".join(_paragraph(x) for x in paragraphs(english))


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, a line each."""
    return [" ".join(x.split()) for x in cleandoc(text).split("\n\n")]


def _paragraph(english: str) -> str:
    example = english.removeprefix(EXAMPLE)
    return helped(english) if example == english else helped(EXAMPLE) + helped(example)
