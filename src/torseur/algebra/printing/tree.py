"""The printing tree: what a formula looks like, before it is written in any notation.

A tree holds no sign but in its sums: the opposite of a tree is a sum of one negative term. A writer
is a function that turns one tree into strings and smaller trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import final

from torseur.algebra.core.expr import Scalar


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
class FunctionCall:
    """A function of trees; the square root is one, and a derivative of a table, with its primes."""

    name: str
    args: tuple[Tree, ...]


Tree = Number | Name | Sum | Product | Power | FunctionCall
Pieces = list[str | Tree]
ALONE = ("sin", "cos", "tan")  # functions that take one name without brackets
Writer = Callable[[Tree], Pieces]
Brackets = tuple[str, str]


def parts_of(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Formulas and everything they are made of."""
    pending = list(trees)
    while pending:
        part = pending.pop()
        yield part
        match part:
            case Sum(terms):
                pending.extend(term for _, term in terms)
            case Product(_, above, below):
                pending.extend((*above, *below))
            case Power(base, _):
                pending.append(base)
            case FunctionCall(_, args):
                pending.extend(args)


def names_of(trees: Iterable[Tree]) -> Iterator[str]:
    """The names that formulas are written with."""
    return (part.text for part in parts_of(trees) if isinstance(part, Name))


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
    terms = tuple((-sign, term) for sign, term in tree.terms)
    first = next((i for i, (sign, _) in enumerate(terms) if sign > 0), 0)
    return Sum((terms[first], *terms[:first], *terms[first + 1 :]))


# --- what the writers share ---------------------------------------------------------------------


@final
@dataclass(frozen=True)
class TreeWriter:
    """A writer: how it writes numbers and names, the signs of a sum, and what a shape becomes."""

    number: Callable[[Scalar], str]
    name: Callable[[Name], str]
    signs: tuple[str, str, str]  # plus, minus, and a minus that leads
    product: Callable[[Product], Pieces]
    power: Callable[[Tree, Scalar], Pieces]
    call: Callable[[FunctionCall], Pieces]

    def __call__(self, tree: Tree) -> Pieces:
        """One tree as strings and smaller trees."""
        match tree:
            case Number(value):
                return [self.number(value)]
            case Name():
                return [self.name(tree)]
            case Sum():
                return with_signs(tree, *self.signs)
            case Product():
                return self.product(tree)
            case Power(base, exponent):
                return self.power(base, exponent)
            case FunctionCall():
                return self.call(tree)


def with_signs(tree: Sum, plus: str, minus: str, leading_minus: str) -> Pieces:
    """The terms of a sum between their signs; a leading plus is not written."""
    pieces: Pieces = []
    for sign, term in tree.terms:
        if (
            sign < 0
            and isinstance(term, Product)
            and (turned := _opposite_difference(term)) is not None
        ):
            sign, term = 1, turned
        if pieces:
            pieces.append(plus if sign > 0 else minus)
        elif sign < 0:
            pieces.append(leading_minus)
        pieces.append(term)
    return pieces


def _opposite_difference(tree: Product) -> Product | None:
    """The opposite of a product with cos² x − 2, with 2 − cos² x instead; none if it has none."""
    for i, factor in enumerate(tree.above):
        if not isinstance(factor, Sum):
            continue
        *others, (sign, last) = factor.terms
        if (
            isinstance(last, Number)
            and sign < 0
            and all(coefficient > 0 for coefficient, _ in others)
        ):
            above = (*tree.above[:i], opposite(factor), *tree.above[i + 1 :])
            return replace(tree, above=above)
    return None


def multiplied(trees: Iterable[Tree], times: str) -> Pieces:
    """Factors with a sign between each two; sums in brackets."""
    pieces: Pieces = []
    for tree in trees:
        if pieces:
            pieces.append(times)
        pieces += ["(", tree, ")"] if isinstance(tree, Sum) else [tree]
    return pieces


def numerator(tree: Product) -> tuple[Tree, ...]:
    """The lead, unless it is 1, and the factors above."""
    return tree.above if tree.lead == 1 and tree.above else (Number(tree.lead), *tree.above)


def lone(call: FunctionCall) -> bool:
    """Whether a function is written without brackets: sin θ."""
    return call.name in ALONE and len(call.args) == 1 and isinstance(call.args[0], Name)


def guarded(trees: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Factors, in which sin θ has brackets where what follows could be read as its argument."""
    return tuple(
        _bracketed(tree) if after is not None and _function(after) is None else tree
        for tree, after in zip_longest(trees, trees[1:])
    )


def _function(tree: Tree) -> FunctionCall | None:
    call = tree.base if isinstance(tree, Power) else tree
    return call if isinstance(call, FunctionCall) and call.name in ALONE else None


def _bracketed(tree: Tree) -> Tree:
    """sin(θ) for sin θ: a sum of one term is no lone name."""
    call = _function(tree)
    if call is None or not lone(call):
        return tree
    bracketed = FunctionCall(call.name, (Sum(((1, call.args[0]),)),))
    return Power(bracketed, tree.exponent) if isinstance(tree, Power) else bracketed


def side_by_side(trees: tuple[Tree, ...], times: str, dot: str, brackets: Brackets) -> Pieces:
    """Factors in a row; one that begins with a digit takes a dot before it."""
    return list(trees) if len(trees) == 1 else _row(trees, times, dot, brackets)


def _row(trees: tuple[Tree, ...], times: str, dot: str, brackets: Brackets) -> Pieces:
    pieces: Pieces = []
    for tree in trees:
        if pieces:
            pieces.append(dot if _begins_with_digit(tree) else times)
        pieces += [brackets[0], tree, brackets[1]] if isinstance(tree, Sum) else [tree]
    return pieces


def stacked(
    tree: Product, times: str, dot: str, brackets: Brackets, fraction: tuple[str, str, str]
) -> Pieces:
    """A product as its factors in a row, above a line where some are below it."""
    sides = (numerator(tree), tree.below)
    above, below = (side_by_side(guarded(trees), times, dot, brackets) for trees in sides)
    start, line, end = fraction
    return [start, *above, line, *below, end] if below else above


def in_line(tree: Product, times: str) -> Pieces:
    """A product in one line, what is below after a slash; in brackets where that is several."""
    sides = (numerator(tree), tree.below)
    above, below = (_row(trees, times, times, ("(", ")")) for trees in sides)
    if not below:
        return above
    return [*above, "/", *below] if len(tree.below) == 1 else [*above, "/(", *below, ")"]


def _begins_with_digit(tree: Tree) -> bool:
    return isinstance(tree, Number) or (isinstance(tree, Power) and isinstance(tree.base, Number))


def as_base(tree: Tree, brackets: Brackets) -> Pieces:
    """Base of a power: in brackets unless it is a name or a whole number."""
    whole = isinstance(tree, Number) and isinstance(tree.value, int)
    plain = whole or isinstance(tree, Name)
    return [tree] if plain else [brackets[0], tree, brackets[1]]
