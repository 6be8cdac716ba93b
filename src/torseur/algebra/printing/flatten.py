"""The terms of nested sums and the factors of nested products, named nodes being left whole.

Both walks visit a shared node once, after everything that uses it, and collect what meets there:
(x + y) + x has the terms 2 x and y. They are linear in the size of the graph.
"""

from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush

from torseur.algebra.expr import ONE, Expr, Scalar
from torseur.algebra.rules import split


class _Collected:
    """Nodes still to be visited, the latest created first, each with the sum of its shares."""

    def __init__(self) -> None:
        self._shares: dict[int, tuple[Expr, Scalar]] = {}
        self._keys: list[int] = []

    def give(self, x: Expr, share: Scalar) -> None:
        if x.key not in self._shares:
            heappush(self._keys, -x.key)
            self._shares[x.key] = (x, share)
        else:
            self._shares[x.key] = (x, self._shares[x.key][1] + share)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def take(self) -> tuple[Expr, Scalar]:
        return self._shares.pop(-heappop(self._keys))


def terms(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Σ coefficient × core; only signs are distributed over inner sums."""
    pending, found = _Collected(), []
    pending.give(x, 1)
    constant: Scalar = 0
    while pending:
        part, share = pending.take()
        if share == 0:
            continue
        coefficient, core = (1, part) if part.key in names else split(part)
        if core is ONE:
            constant = constant + share * coefficient
        elif core is not part:
            pending.give(core, share * coefficient)
        elif core.op == "add" and core.key not in names and abs(share) == 1:
            for term in core.args:
                pending.give(term, share)
        else:
            found.append((share, core))
    if constant != 0:
        found.append((constant, ONE))
    return found


def factors(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Π base ^ exponent, exponents first in each pair; the numbers come as one base."""
    pending, found = _Collected(), []
    pending.give(x, 1)
    while pending:
        part, share = pending.take()
        exponent = exact(share)
        if exponent == 0:
            continue
        whole = part.key in names
        if not whole and part.op == "mul" and abs(exponent) == 1:
            for factor in part.args:
                pending.give(factor, exponent)
        elif not whole and part.op == "pow" and isinstance(exponent, int):
            pending.give(part.args[0], part.value * exponent)
        else:
            found.append((exponent, part))
    return found


def exact(value: Scalar) -> Scalar:
    """The same number, as an integer when it is one."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value
