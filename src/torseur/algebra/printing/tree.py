"""The printing tree: what a formula looks like, before it is written in any notation.

A tree holds no sign but in its sums: the opposite of a tree is a sum of one negative term. A writer
is a function that turns one tree into strings and smaller trees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from torseur.algebra.expr import Scalar


@final
@dataclass(frozen=True, eq=False, slots=True)
class Number:
    """A constant, not negative."""

    value: Scalar


@final
@dataclass(frozen=True, eq=False, slots=True)
class Name:
    """A symbol, a constant or a named intermediate; abbreviated sines and cosines are upright."""

    text: str
    upright: bool = False


@final
@dataclass(frozen=True, eq=False, slots=True)
class Sum:
    """Terms with their signs, 1 or −1."""

    terms: tuple[tuple[int, Tree], ...]


@final
@dataclass(frozen=True, eq=False, slots=True)
class Product:
    """lead × above / below; the lead, a positive number, has no denominator if there is a below."""

    lead: Scalar
    above: tuple[Tree, ...]
    below: tuple[Tree, ...]


@final
@dataclass(frozen=True, eq=False, slots=True)
class Power:
    """base to a positive exponent other than 1 and 1/2."""

    base: Tree
    exponent: Scalar


@final
@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """A function of trees; the square root is one."""

    name: str
    args: tuple[Tree, ...]


Tree = Number | Name | Sum | Product | Power | Call
Pieces = list[str | Tree]
Writer = Callable[[Tree], Pieces]


def written(tree: Tree, write: Writer, limit: int | None = None) -> str:
    """The whole text of a tree; beyond `limit` characters it ends in "…".

    The stack is explicit: formulas may be nested deeper than the interpreter may recurse.
    """
    done: list[str] = []
    length = 0
    pending: Pieces = [tree]
    while pending:
        piece = pending.pop()
        if not isinstance(piece, str):
            pending.extend(reversed(write(piece)))
            continue
        done.append(piece)
        length += len(piece)
        if limit is not None and length > limit:
            return "".join(done)[:limit] + "…"
    return "".join(done)


def between(items: Pieces, separator: str) -> Pieces:
    """The items with a separator between each two."""
    joined: Pieces = []
    for item in items:
        joined += [separator, item] if joined else [item]
    return joined


def opposite(tree: Sum) -> Sum:
    """−(a − b) is b − a: a positive term comes first when there is one."""
    return led_by_positive(tuple((-sign, term) for sign, term in tree.terms))


def led_by_positive(terms: tuple[tuple[int, Tree], ...]) -> Sum:
    """The sum of the terms, the first positive one moved to the front."""
    first = next((i for i, (sign, _) in enumerate(terms) if sign > 0), 0)
    return Sum((terms[first], *terms[:first], *terms[first + 1 :]))
