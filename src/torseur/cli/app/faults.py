"""Faults as documents: the message of `torseur check`, with its line and column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torseur.errors import ModelError, TorseurError
from torseur.language.yaml.form import position


def faults(errors: Iterable[TorseurError], lang: str) -> list[dict[str, Any]]:
    """Every fault as `torseur check` tells it, and its line and column where it has some."""
    single = [y for x in errors for y in (x.faults if isinstance(x, ModelError) else (x,))]
    return [
        {"message": one.said(lang), "line": line, "column": column}
        for one in single
        for line, column in (position(one),)
    ]
