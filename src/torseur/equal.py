"""Whether two values are equal that hold arrays: descriptions, torseurs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def same(a: Any, b: Any, apart: Collection[str] = ()) -> bool:
    """Whether all that two values hold is equal, in order; arrays and what holds them too.

    Fields of the names `apart` are not counted.
    """
    if a is b:
        return True
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(x, b[key], apart) for key, x in a.items())
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and object not in (a.dtype, b.dtype):
        return np.array_equal(a, b)
    if isinstance(a, np.ndarray | tuple | list) and isinstance(b, np.ndarray | tuple | list):
        return len(a) == len(b) and all(same(x, y, apart) for x, y in zip(a, b, strict=True))
    if is_dataclass(a) and type(a) is type(b):
        counted = (x.name for x in fields(a) if x.name not in apart)
        return all(same(getattr(a, name), getattr(b, name), apart) for name in counted)
    return bool(a == b)
