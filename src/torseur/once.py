"""Results of an immutable value that are computed once and then read from the value."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

V = TypeVar("V")
R = TypeVar("R")


def once(function: Callable[[V], R]) -> Callable[[V], R]:
    """A function or a class of one immutable value that keeps its result with the value."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def result(value: V) -> R:
        known: dict[str, Any] = vars(value)
        if key not in known:
            known[key] = function(value)
        answer: R = known[key]
        return answer

    return result
