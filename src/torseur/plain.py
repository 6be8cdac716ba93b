"""Results as plain data: numbers, texts, lists and dicts, as JSON has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, complex numbers as [real, imaginary]."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, Mapping):
        return {key: plain(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [plain(x) for x in value]
    return value


def entries(result: Any, *names: str) -> dict[str, Any]:
    """Some attributes of a result by name, as plain data."""
    return {name: plain(getattr(result, name)) for name in names}
