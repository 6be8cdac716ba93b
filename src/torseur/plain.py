"""Results as plain data: numbers, texts, lists and dicts, as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
