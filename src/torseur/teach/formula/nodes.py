"""The tree of a formula as it was written, before anything is computed or simplified.

Every term can then be pointed at: `m*l + m*l^2` keeps both terms, although one makes no sense.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

KINDS = frozenset(
    {
        "number",  # value: Fraction or float
        "symbol",  # value: the name in the model, such as "theta.."
        "unknown",  # value: what was written
        "vector",  # value: what is under the arrow, such as "OM"
        "tuple",  # three components
        "add",
        "neg",
        "mul",
        "div",
        "pow",
        "cross",  # a × b
        "norm",  # |a|
        "rate",  # value: how many times d/dt
        "call",  # value: the function
        "equal",  # left = right
    }
)


@final
@dataclass(frozen=True)
class Node:
    """One operation of a formula, with the column (from 1) where it was written."""

    kind: str
    args: tuple[Node, ...] = ()
    value: Any = None
    place: int = 0

    def __post_init__(self) -> None:
        assert self.kind in KINDS, f"a formula has no node of the kind {self.kind}"

    def walk(self) -> Iterator[Node]:
        """The node and all it is made of."""
        yield self
        for part in self.args:
            yield from part.walk()

    @property
    def terms(self) -> tuple[Node, ...]:
        """The terms of a sum, or the node alone."""
        if self.kind == "add":
            return tuple(x for part in self.args for x in part.terms)
        return (self,)

    @property
    def is_zero(self) -> bool:
        """Whether it is zero as it stands, such as 0/a: it then has any dimension and order."""
        if self.kind == "number":
            return bool(self.value == 0)
        if self.kind == "mul":
            return any(part.is_zero for part in self.args)
        if self.kind in ("neg", "div"):
            return self.args[0].is_zero
        return self.kind == "add" and all(part.is_zero for part in self.args)

    def __str__(self) -> str:
        return _written(self)


def number(value: Any, place: int = 0) -> Node:
    """A number."""
    return Node("number", (), value, place)


def product_of(left: Node, right: Node) -> Node:
    """Factors in a row are one product, however many."""
    before = left.args if left.kind == "mul" else (left,)
    return Node("mul", (*before, right), None, left.place)


def pair(kind: str, left: Node, right: Node) -> Node:
    """An operation of two parts, which stands where the first does."""
    return Node(kind, (left, right), None, left.place)


_RANKS = {"equal": 0, "add": 1, "neg": 2, "mul": 2, "cross": 2, "div": 2, "pow": 4}


def _written(x: Node) -> str:
    parts = [_bracketed(x, part, k) for k, part in enumerate(x.args)]
    match x.kind:
        case "number":
            value = x.value
            exact = isinstance(value, Fraction) and value.denominator != 1
            return f"({value})" if exact else str(value)
        case "symbol" | "unknown":
            return str(x.value)
        case "vector":
            return f"vec({x.value})"
        case "tuple":
            return f"({', '.join(map(str, x.args))})"
        case "add":
            return "".join(_signed(part, k == 0) for k, part in enumerate(x.terms))
        case "neg":
            return f"-{parts[0]}"
        case "mul":
            return "*".join(parts)
        case "cross":
            return " x ".join(parts)
        case "div":
            return "/".join(parts)
        case "pow":
            return "^".join(parts)
        case "norm":
            return f"|{x.args[0]}|"
        case "rate":
            order = "" if x.value == 1 else f"^{x.value}"
            return f"d{order}/dt{order}({x.args[0]})"
        case "call" if not x.args:
            return str(x.value)
        case "call":
            return f"{x.value}({', '.join(map(str, x.args))})"
    return " = ".join(map(str, x.args))


def _signed(term: Node, first: bool) -> str:
    if term.kind == "neg":
        return ("-" if first else " - ") + _bracketed(term, term.args[0], 0)
    return ("" if first else " + ") + _bracketed(Node("add"), term, 0)


def _bracketed(outer: Node, inner: Node, position: int) -> str:
    mine, rank = _RANKS.get(outer.kind, 0), _RANKS.get(inner.kind, 9)
    tight = outer.kind in ("div", "pow") and position == 1
    signed = inner.kind == "neg" and outer.kind not in ("add", "equal")
    needed = signed or rank < mine or (tight and rank <= mine)
    return f"({inner})" if needed else str(inner)
