"""Results as plain data, as JSON has them, and equality of values that hold arrays."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain(value: Any, *, finite: bool = False) -> Any:
    """Arrays and tuples as lists, complex numbers as [real, imaginary], results as they say.

    A result without a `document` of its own is its fields by name. With `finite`, infinities and
    what is no number are None.
    """
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), finite=finite)
    if isinstance(value, complex):
        return plain([value.real, value.imag], finite=finite)
    if isinstance(value, Mapping):
        return {key: plain(x, finite=finite) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [plain(x, finite=finite) for x in value]
    if is_dataclass(value):
        entries = {x.name: getattr(value, x.name) for x in fields(value)}
        return plain(getattr(value, "document", entries), finite=finite)
    return None if finite and isinstance(value, float) and not math.isfinite(value) else value


def entries(result: Any, *names: str) -> dict[str, Any]:
    """Some attributes of a result by name, as plain data."""
    return {name: plain(getattr(result, name)) for name in names}


def document_of(*names: str) -> property:
    """The `document` of a result: some of its attributes by name, as plain data."""
    return property(lambda result: entries(result, *names), doc="The result as plain data.")


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
