"""Descriptions in links: `#s=` and a JSON document, compressed, in letters that addresses keep."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode
from typing import Any

from torseur.cli.app.edits import NEW, edit_of
from torseur.errors import ModelError
from torseur.model.checks.limits import LARGEST_FILE
from torseur.words.sentence import say

_LINK = re.compile(r"\S*#s=([\w-]+)=*", re.ASCII)
_RAW = -zlib.MAX_WBITS  # without a header
_PARTS = ("file", "text", "values", "masses")


def is_link(text: str) -> bool:
    """Whether a text is a link that holds a description."""
    return _LINK.fullmatch(text.strip()) is not None


def opened(link: str) -> dict[str, Any]:
    """The start of a page by a link: a file without a place, its text and values."""
    match = _LINK.fullmatch(link.strip())
    try:
        if match is None:
            raise ValueError
        packed = urlsafe_b64decode(match[1] + "=" * (-len(match[1]) % 4))
        reader = zlib.decompressobj(_RAW)
        content = reader.decompress(packed, 2 * LARGEST_FILE)
        if not reader.eof:
            raise ValueError
        document = json.loads(content)
        if not isinstance(document, dict) or not isinstance(document.get("text"), str):
            raise ValueError
    except (ValueError, RecursionError, zlib.error):
        problem = say("the link holds no description.")
        raise ModelError("link", problem, "Copy the whole link again.") from None
    known = {key: document[key] for key in _PARTS if key in document}
    edit = edit_of({**known, "file": known.get("file") or NEW})
    beside = {"masses": edit.masses, "values": dict(edit.values)}
    return {"file": edit.file, "text": edit.text, "known": None, **beside}
