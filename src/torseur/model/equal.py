"""Whether two values of a description say the same, wherever they were written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_WHENCE = {"place", "source", "form", "notices", "phrase"}  # where a thing was read, not what it is


def same(a: Any, b: Any) -> bool:
    """Whether all that two values hold is equal, in order; arrays and what holds them too."""
    if a is b:
        return True
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(x, b[key]) for key, x in a.items())
    if isinstance(a, np.ndarray | tuple | list) and isinstance(b, np.ndarray | tuple | list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b):
        counted = (x.name for x in fields(a) if x.name not in _WHENCE)
        return all(same(getattr(a, name), getattr(b, name)) for name in counted)
    return bool(a == b)
