"""How notebooks and pages show values: their classes ask here, and `report/notebook` answers.

A class says `_repr_html_ = notebook.html`, as it says `__repr__ = brief`. What shows a value knows
all of the library, and is imported when a notebook first asks. A result of words and numbers says
`_repr_html_ = notebook.told`: it is shown as it is printed. A file that was written is shown as
what is in it.
"""

from __future__ import annotations

import base64
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

_HOME = "torseur.report.notebook.displays"
_FRAME = 'style="width:100%;height:620px;border:0"'
_IMAGES = {".svg": "svg+xml", ".png": "png", ".gif": "gif"}


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


def file(place: Path) -> str | None:
    """A page in a frame, a drawing, an image or a film, out of its file; None of other files."""
    ending = place.suffix.lower()
    if ending not in (".html", ".htm", ".mp4", *_IMAGES) or not place.is_file():
        return None
    data = place.read_bytes()
    if ending in (".html", ".htm"):
        return f'<iframe srcdoc="{escape(data.decode())}" {_FRAME}></iframe>'
    letters, fitted = base64.b64encode(data).decode(), 'style="max-width:100%"'
    if ending == ".mp4":
        playing = 'controls="" autoplay="" muted="" loop=""'
        return f'<video {playing} src="data:video/mp4;base64,{letters}" {fitted}></video>'
    return f'<img alt="" src="data:image/{_IMAGES[ending]};base64,{letters}" {fitted}/>'


def document(form: str, value: Any) -> str:
    """A value as a document of its own: a `page`, or in LaTeX as a `piece` or `whole`."""
    found = _shown(form, value)
    assert found is not None, f"no {form} of {type(value).__name__}"
    return found


def _shown(form: str, value: Any) -> str | None:
    found: str | None = getattr(import_module(_HOME), form)(value)
    return found
