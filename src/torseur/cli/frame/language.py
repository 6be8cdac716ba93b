"""The language of a command: what --lang says, else TORSEUR_LANG, else the locale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rich_click as click

from torseur.errors import unknown
from torseur.words.catalogue import languages
from torseur.words.language import OPTION, VARIABLE, spoken


def _known(*_: object) -> str:
    """Language of the command line; the environment may name an unknown one."""
    if spoken() not in languages():
        raise unknown(VARIABLE, "language", spoken(), languages())
    return spoken()


def _language(**more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        OPTION,
        type=click.Choice(languages()),
        callback=_known,
        is_eager=True,
        help=f"Language; default: {VARIABLE}, or that of the locale.",
        **more,
    )


LANG = _language()
LANGUAGE = _language(expose_value=False)  # before the name of a command
