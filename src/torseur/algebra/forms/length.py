"""The length of a formula as it is read: how many signs its reader meets.

A name with its subscripts and dots is one sign, and so are a number, the name of a function, an
exponent, each of + − = / and each pair of brackets. A product is written without a sign, and the
brackets around the lone name a function is taken of are not counted: sin θ has two signs.
`SignCosts` counts those of terms and atoms without laying them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import final

from torseur.algebra.core.coefficients import shared_size, split
from torseur.algebra.core.expr import ONE, Expr, Scalar
from torseur.algebra.printing.decimals import decimal, is_decimal
from torseur.algebra.printing.reading_order import Ranks, layout
from torseur.algebra.printing.tree import (
    FunctionCall,
    Name,
    Number,
    Power,
    Product,
    Sum,
    Tree,
    numerator,
)

_NO_NAMES: Mapping[int, str] = {}
_NO_RANKS: Ranks = {}


@lru_cache(maxsize=1024)
def length(x: Expr) -> int:
    """The signs of an expression as it is printed."""
    return signs(layout(x, _NO_NAMES, ranks=_NO_RANKS))


def signs(tree: Tree) -> int:
    """The signs of a printing tree; parts that stand in it often are counted once.

    The stack is explicit, formulas may be deep.
    """
    known: dict[int, int] = {}  # by identity: printing trees share their parts
    pending = [tree]
    while pending:
        part = pending[-1]
        sign_count, parts = _signs_besides(part)
        waiting = [x for x in parts if id(x) not in known]
        if waiting:
            pending.extend(waiting)
            continue
        known[id(part)] = sign_count + sum(known[id(x)] for x in parts)
        pending.pop()
    return known[id(tree)]


def _signs_besides(tree: Tree) -> tuple[int, Sequence[Tree]]:
    """The signs of a tree besides those of its parts, and these."""
    match tree:
        case Number(value):
            return of_number(value), ()
        case Name():
            return 1, ()
        case Sum(terms):
            return len(terms) - (terms[0][0] > 0), [term for _, term in terms]
        case Product():
            return _product(tree), (*tree.above, *tree.below)
        case Power(base, exponent):
            return of_number(exponent) + isinstance(base, Sum | Product), (base,)
        case FunctionCall(_, args):
            lone = len(args) == 1 and isinstance(args[0], Name)
            return 1 + (not lone) + len(args) - 1, args


def _product(tree: Product) -> int:
    """The signs of a product besides those of its factors."""
    lead, above = tree.lead, numerator(tree)
    brackets = sum(isinstance(x, Sum) for x in (*above, *tree.below) if len(above) > 1)
    if type(lead) is Fraction and tree.above:  # 2 x / 3
        return brackets + (lead.numerator != 1) + 2
    total = brackets + (of_number(lead) if lead != 1 or not tree.above else 0)
    return total + (1 + (len(tree.below) > 1) if tree.below else 0)


def of_number(value: Scalar) -> int:
    """A number is one sign, a fraction three."""
    return 3 if type(value) is Fraction else 1


def book_size(numbers: Iterable[Scalar]) -> Scalar:
    """Common factor of numbers; 1 for 1 and 0.02: a + 0.02 b stays as it is."""
    listed = list(numbers)
    size = shared_size(listed)
    return 1 if is_decimal(size) and any(abs(c) != size for c in listed) else size


@final
class SignCosts:
    """The signs of atoms, each counted once."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def of_term(self, factors: Sequence[tuple[Expr, Scalar]], c: Scalar) -> int:
        """The signs of coefficient × product, its own sign excepted."""
        size = decimal(c if c > 0 else -c)
        above = any(e > 0 for _, e in factors)
        below = sum(e < 0 for _, e in factors)
        total = sum(self.of_factor(x, e) for x, e in factors)
        if type(size) is Fraction:
            total += 1 + (size.numerator != 1 or not above)
            below += 1
        else:
            total += size != 1 or not above
        return total + (1 + (below > 1) if below else 0)

    def of_factor(self, x: Expr, e: Scalar) -> int:
        """The signs of an atom to a power."""
        return self.of_atom(x) + (e not in (1, -1))

    def of_atom(self, x: Expr) -> int:
        """The signs of an atom; a sum has brackets around it."""
        if x.key not in self._known:
            self._known[x.key] = self._count(x)
        return self._known[x.key]

    def _count(self, x: Expr) -> int:
        if not x.args:
            return 1
        if x.op == "add":
            return 1 + self._sum(x)
        if x.op == "mul":
            c, core = split(x)
            parts = x.args if core is x else (core,)
            return sum(self.of_atom(a) for a in parts) + (abs(c) != 1)
        if x.op == "pow":
            return self.of_atom(x.args[0]) + 1
        lone = len(x.args) == 1 and not x.args[0].args
        inner = sum(self._sum(a) if a.op == "add" else self.of_atom(a) for a in x.args)
        return 1 + inner + (not lone)

    def _sum(self, x: Expr) -> int:
        """The signs of a sum without brackets."""
        total, count, pending = 0, 0, [x]
        while pending:
            part = pending.pop()
            c, core = split(part)
            if core.op == "add" and core is part:
                pending.extend(core.args)
                continue
            count += 1
            size = decimal(c if c > 0 else -c)
            if core is ONE:
                total += of_number(size)
            else:
                total += self.of_atom(core) + (2 if type(size) is Fraction else size != 1)
        return total + count - 1
