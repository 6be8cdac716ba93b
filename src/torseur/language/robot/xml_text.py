"""XML written: elements with attributes, indented; numbers so that they are read back equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import quoteattr


def tag(name: str, /, *inner: str, **attributes: Any) -> str:
    """An element; attributes that are None are left out."""
    given = "".join(
        f" {key}={quoteattr(_text(x))}" for key, x in attributes.items() if x is not None
    )
    if not inner:
        return f"<{name}{given}/>"
    lines = "\n".join(inner).replace("\n", "\n  ")
    return f"<{name}{given}>\n  {lines}\n</{name}>"


def comment(lines: Iterable[str]) -> str:
    """A comment, a line each."""
    return "\n".join(f"<!-- {line.replace('--', '- -')} -->" for line in lines)


def numbers(values: Iterable[float]) -> str:
    """Numbers separated by blanks."""
    return " ".join(_text(float(x) + 0.0) for x in values)


def _text(x: Any) -> str:
    if isinstance(x, float):
        return str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(float(x))
    return str(x)
