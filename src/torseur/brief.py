"""Values in a few words, for the line that Python shows of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from torseur.words.en.plural import plural

SHOWN = 60  # letters of one part
FEW = 4  # entries that are listed one by one


def shortened(listed: str) -> str:
    """A text that fits on a line."""
    return cut(" ".join(listed.split()), SHOWN)


def cut(text: str, most: int) -> str:
    """The first letters of a text."""
    return text if len(text) <= most else f"{text[:most]}…"


def numbered(count: int, kind: str) -> str:
    """So many of a kind: 1 body, 2 bodies."""
    return f"{count} {kind if count == 1 else plural(kind)}"


def without_rounding(values: Any, small: Any) -> Any:
    """A number or an array, zero where it is at most `small`: rounding is shown as zero."""
    return np.where(np.abs(values) <= small, 0.0, values)[()]


def values_text(values: Mapping[str, float], digits: int = 6) -> str:
    """Values by name on a line: `theta = 0.5, x = 0`."""
    return ", ".join(f"{name} = {x:.{digits}g}" for name, x in values.items())


def brief(value: Any) -> str:
    """A result by its fields, each in a few words: the `__repr__` of what holds many numbers."""
    listed = (x.name for x in fields(value) if x.repr and x.name[0] != "_")
    texts = (f"{name}={part(getattr(value, name))}" for name in listed)
    return f"{type(value).__name__}({', '.join(texts)})"


def part(value: Any) -> str:
    """A field: short as it is, long by what and how much it is."""
    if isinstance(value, np.ndarray):
        few = value.ndim == 1 and value.size <= FEW and value.dtype != object
        listed = np.array2string(value, precision=6, separator=", ")
        return listed if few else f"<array {'×'.join(map(str, value.shape)) or '()'}>"
    if isinstance(value, Mapping | tuple | list | set | frozenset) and len(value) > FEW:
        return f"<{len(value)} entries>"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {part(x)}" for key, x in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(part(x) for x in value) + ")"
    if isinstance(value, str):
        return shortened(repr(value))
    plain = repr(value)
    return plain if len(plain) <= SHOWN else f"<{type(value).__name__}>"
