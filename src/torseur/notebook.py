"""Display of values in notebooks and pages; `report/notebook` does the work.

A class sets `_repr_html_ = notebook.html`, as it sets `__repr__ = brief`. The code that displays a
value depends on the whole library, so it is imported on first use. A result of words and numbers
sets `_repr_html_ = notebook.preformatted` and is displayed as it is printed. A file that was
written is displayed by its contents.
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
    return _rendered("html", value)


def latex(value: Any) -> str | None:
    """A value as a piece of a LaTeX document."""
    return _rendered("latex", value)


def svg(value: Any) -> str | None:
    """A value as a drawing."""
    return _rendered("svg", value)


def preformatted(value: Any) -> str:
    """A result as it is printed, in a font of equal widths."""
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
    text = _rendered(form, value)
    assert text is not None, f"no {form} of {type(value).__name__}"
    return text


def _rendered(form: str, value: Any) -> str | None:
    text: str | None = getattr(import_module(_HOME), form)(value)
    return text
