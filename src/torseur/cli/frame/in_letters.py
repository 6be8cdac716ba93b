"""Options of commands that answer in letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rich_click as click

from torseur.cli.frame.options import several
from torseur.errors import ModelError
from torseur.words.sentence import say

LETTERS = click.option(
    "--letters",
    "--symbolic",
    "letters",
    is_flag=True,
    help="Formulas instead of numbers, as far as there is a closed form.",
)
TURNING = several("--turning", "turning", "Coordinate that turns at a constant speed.")
KEPT = several(
    "--keep",
    "letters_given",
    "A coordinate that stays a letter, or the value of a parameter as text, with --letters.",
    "NAME[=VALUE]",
)


def given_letters(letters_given: Sequence[str], settings: Mapping[str, float]) -> dict[str, Any]:
    """Coordinates that stay letters, and values of parameters."""
    named = [text.partition("=") for text in letters_given]
    return {**settings, **{name.strip(): value.strip() or None for name, _, value in named}}


def refuse_without_letters(letters: bool, **options: object) -> None:
    """Refuse options that only formulas have."""
    for name, x in options.items():
        if x and not letters:
            raise ModelError(f"--{name}", say("it is for formulas."), say("Add --letters."))
