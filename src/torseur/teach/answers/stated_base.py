r"""The base in which components are written: `(a, b, 0)_1`, `(a, b, 0)_{R_arm}`, `… in arm`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from torseur.model.description import GROUND
from torseur.teach.answers.vocabulary import numbered

_BELOW = re.compile(
    r"(?:(?<=[)\]])|(?<=matrix\}))\s*_\s*\{*\s*\\?(?:mathcal|mathrm)?\{?\s*(?:(?:R|B)(?=[\s_{}\d])\}?_?\{?)?"
    r"([^\W_]\w*)\s*\}*\s*$"
)
_BESIDE = re.compile(
    r"(?:,|\\|\s)*(?:in|along|dans|en|suivant|on|sur)\s+(?:the\s+)?(?:axes|base|frame|repère)?\s*"
    r"(?:of|de|du)?\s*(?:R_?)?([^\W_]\w*)\s*$"
)


def without_base(text: str, bodies: Iterable[str]) -> tuple[str, str]:
    """The components, and the body along whose axes they are stated to be; "" if none is."""
    names = tuple(bodies)
    if not names:
        return text, ""
    known = {"0": GROUND, GROUND: GROUND, **numbered(names), **{x: x for x in names}}
    for pattern in (_BELOW, _BESIDE):
        match = pattern.search(text)
        if match is not None and match[1] in known and text[: match.start()].strip():
            return text[: match.start()], known[match[1]]
    return text, ""
