"""The language of a command: what --lang says, else TORSEUR_LANG, else the locale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rich_click as click

from torseur.errors import unknown
from torseur.words.language import LANGUAGES, VARIABLE, asked_for, speaking


def _spoken(context: click.Context, _: object, given: str | None) -> str:
    """The language asked for, here or before the name of the command; all is said in it."""
    told = context.ensure_object(dict)
    chosen = given or told.get("asked") or _environment()
    told |= {"asked": given or told.get("asked"), "lang": chosen}
    context.with_resource(speaking(chosen))
    return str(chosen)


def _environment() -> str:
    chosen = asked_for()
    if chosen not in LANGUAGES:
        raise unknown(VARIABLE, "language", chosen, LANGUAGES)
    return chosen


def _language(**more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=_spoken,
        is_eager=True,
        help=f"Language; default: {VARIABLE}, or that of the locale.",
        **more,
    )


LANG = _language()
LANGUAGE = _language(expose_value=False)  # before the name of a command
