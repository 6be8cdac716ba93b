"""How notebooks and pages show values: their classes ask here, and `report/notebook` answers.

A class says `_repr_html_ = notebook.html`, as it says `__repr__ = brief`. What shows a value knows
all of the library, and is imported when a notebook first asks. A result of words and numbers says
`_repr_html_ = notebook.told`: it is shown as it is printed.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import Any

_HOME = "torseur.report.notebook.displays"


def html(value: Any) -> str | None:
    """A value as a piece of a page; None where it cannot be shown: its text is shown then."""
    return _shown("html", value)


def latex(value: Any) -> str | None:
    """A value as a piece of a LaTeX document."""
    return _shown("latex", value)


def svg(value: Any) -> str | None:
    """A value as a drawing."""
    return _shown("svg", value)


def told(value: Any) -> str:
    """A result as it tells of itself, in lines of equal letters."""
    return f"<pre>{escape(str(value))}</pre>"


def document(form: str, value: Any) -> str:
    """A value as a document of its own: a `page`, or in LaTeX as a `piece` or `whole`."""
    found = _shown(form, value)
    assert found is not None, f"no {form} of {type(value).__name__}"
    return found


def _shown(form: str, value: Any) -> str | None:
    found: str | None = getattr(import_module(_HOME), form)(value)
    return found
