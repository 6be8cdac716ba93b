"""Every node as coefficient × core, the coefficient being a number.

Negation is free then, and x − y and y − x share a node. Sums and products are walked down by the
shares of their parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import final

from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, exact, expression, node, number


def split(x: Expr) -> tuple[Scalar, Expr]:
    """Coefficient and core: x = coefficient × core."""
    if x.op == "number":
        return x.value[1], ONE
    if x.op == "mul" and x.args[0].op == "number":
        return x.args[0].value[1], x.args[1]
    return 1, x


def scale(coefficient: Scalar, core: Expr) -> Expr:
    """coefficient × core, the core having no coefficient of its own."""
    if coefficient == 1:
        return core
    if core is ONE:
        return number(coefficient)
    if coefficient == 0:
        return ZERO
    return node("mul", (number(coefficient), core), None, core.stage)


def negative(x: Expr) -> Expr:
    """−x; −(−x) is x."""
    coefficient, core = split(x)
    return scale(-coefficient, core)


def scaled(coefficient: Scalar, x: Expr) -> Expr:
    """coefficient × x, whatever coefficient x has."""
    factor, core = split(x)
    return scale(coefficient * factor, core)


def over(c: Scalar, size: Scalar) -> Scalar:
    """c / size, exact where both are."""
    if size == 1:
        return c
    if type(c) is int and type(size) is int and c % size == 0:  # fractions are slow
        return c // size
    if isinstance(c, float) or isinstance(size, float):
        return exact(c / size)
    return exact(Fraction(c) / Fraction(size))


def shared_size(numbers: Iterable[Scalar]) -> Scalar:
    """The least of the sizes of numbers if all are integer multiples of it, otherwise 1."""
    sizes: set[Scalar] = {c if c > 0 else -c for c in numbers}
    least = min(sizes)
    whole = len(sizes) == 1 or all(_is_multiple(c, least) for c in sizes)
    return least if whole else 1


def _is_multiple(c: Scalar, size: Scalar) -> bool:
    if isinstance(c, float) or isinstance(size, float):
        return isinstance(over(c, size), int)
    return not (c.numerator * size.denominator) % (c.denominator * size.numerator)


@final
class Collected:
    """Nodes still to be visited, the latest created first, each with the sum of its shares."""

    def __init__(self, x: Expr) -> None:
        self._shares: dict[int, tuple[Expr, Scalar]] = {x.key: (x, 1)}
        self._keys = [-x.key]

    def give(self, x: Expr, share: Scalar) -> None:
        """Add a share to a node."""
        if x.key in self._shares:
            share = self._shares[x.key][1] + share
        else:
            heappush(self._keys, -x.key)
        self._shares[x.key] = (x, share)

    def take(self) -> tuple[Expr, Scalar]:
        """The next node, with all its shares."""
        return self._shares.pop(-heappop(self._keys))

    def __bool__(self) -> bool:
        return bool(self._keys)


def either_root(x: Expr) -> Expr:
    """A square root of x, of either sign, without a root where x is a product of even powers."""
    coefficient, core = split(x)
    factors = core.args if core.op == "mul" else (core,)
    if not all(y.op == "pow" and isinstance(y.value, int) and y.value % 2 == 0 for y in factors):
        return x.sqrt()
    root = expression(coefficient).sqrt()
    for y in factors:
        root = root * y.args[0] ** (y.value // 2)
    return expression(root)


# --- terms of nested sums and factors of nested products ------------------------------------------
# Both walks visit a shared node once, after everything that uses it, and collect what meets there:
# (x + y) + x has the terms 2 x and y. They are linear in the size of the graph.


def terms(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Σ coefficient × core; a sum with a coefficient of its own, 2 (a + b), stays whole."""
    result: list[tuple[Scalar, Expr]] = []
    pending = Collected(x)
    constant: Scalar = 0
    while pending:
        part, share = pending.take()
        coefficient, core = (1, part) if part.key in names else split(part)
        spread = core.op == "add" and core.key not in names
        if core is ONE:
            constant = constant + share * coefficient
        elif core is not part and not (spread and abs(coefficient) != 1):
            pending.give(core, share * coefficient)
        elif spread and core is part:
            for term in core.args:
                pending.give(term, share)
        elif share != 0:
            result.append((share * coefficient, core))
    return [*result, (constant, ONE)] if constant != 0 else result


def factors(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Π base ^ exponent, exponents first in each pair; the numbers come as one base."""
    result: list[tuple[Scalar, Expr]] = []
    pending = Collected(x)
    while pending:
        part, share = pending.take()
        exponent = exact(share)
        if exponent == 0:
            continue
        whole = part.key in names
        if not whole and part.op == "mul" and isinstance(exponent, int):
            for factor in part.args:
                pending.give(factor, exponent)
        elif not whole and part.op == "pow" and isinstance(exponent, int):
            pending.give(part.args[0], part.value * exponent)
        else:
            result.append((exponent, part))
    return result
