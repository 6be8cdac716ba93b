"""Formulas as they are printed: named products are used, and terms that cancel are left out.

L2 D3 M3 is written L2 VX3 where VX3 = D3 M3 has a name, and k − (k − p) is written p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, final

import numpy as np

from torseur.algebra.core import rules
from torseur.algebra.core.angles import terms
from torseur.algebra.core.coefficients import factors, scale, scaled, split
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, Scalar
from torseur.algebra.core.graph import flat, mapped, reachable, remade
from torseur.algebra.forms.count import count_by_stage
from torseur.algebra.forms.identities import without_zeros
from torseur.algebra.forms.normal_form import monomial_of, product
from torseur.algebra.forms.program import program

Factors = dict[Expr, Scalar]
_LONGEST = 4000  # nodes of equations that are worth writing otherwise


def printed_outputs(
    outputs: Mapping[str, Any], hints: Mapping[int, str]
) -> tuple[Mapping[str, Any], Mapping[int, str]]:
    """Named outputs as they are printed, without what is identically zero, and their hints.

    Each form is taken only if it costs fewer operations than the one before: terms that cancel may
    be parts of sums that others share. The names of intermediates go over to what they are
    written as.
    """
    regular = {name: without_zeros(output) for name, output in outputs.items()}
    nodes = reachable(x for output in regular.values() for x in flat(output))
    best = regular, hints
    if len(nodes) > _LONGEST:
        return best
    constants = [step.value for step in program(regular, hints).stage(PARAMETER)]
    hinted = [x for x in nodes if x.key in hints]
    for cancelling in (False, True):
        shortened = {name: condensed(x, constants, cancelling) for name, x in regular.items()}
        if _cost(shortened) < _cost(best[0]):
            renamed: dict[int, str] = {}
            for x, y in zip(hinted, flat(condensed(hinted, constants, cancelling)), strict=True):
                renamed.setdefault(y.key, hints[x.key])
            best = shortened, renamed
    return best


def _cost(outputs: Mapping[str, Any]) -> int:
    nodes = [x for output in outputs.values() for x in flat(output)]
    return sum(part.total for part in count_by_stage(nodes).values())


def condensed(outputs: Any, named: Iterable[Expr] = (), cancelling: bool = True) -> Any:
    """The outputs with the factors of each named product gathered into it, and terms cancelled.

    Of several products that fit, the one of most factors is taken.
    """
    gathering = _Gathering(named, cancelled if cancelling else lambda x: x)
    condensed_outputs = mapped(outputs, gathering.rebuilt, gathering.known)
    if not cancelling:
        return condensed_outputs
    return np.vectorize(cancelled, otypes=[object])(condensed_outputs)[()]


def cancelled(x: Expr) -> Expr:
    """A sum without the terms that meet their opposites in it, wherever they stand."""
    coefficient, core = split(x)
    if core.op != "add":
        return x
    left = terms(core)
    if len(left) >= _leaves(core):
        return x
    total = ZERO
    for share, term in sorted(left, key=lambda pair: pair[1].key):
        total = rules.add(total, scale(share, term))
    return scaled(coefficient, total)


def _leaves(x: Expr) -> int:
    """The different terms that a sum is written with, whether they meet their opposites or not."""
    leaves: dict[int, Expr] = {}
    pending = [x]
    while pending:
        core = split(pending.pop())[1]
        if core.key not in leaves:
            leaves[core.key] = core
            pending.extend(core.args if core.op == "add" else ())
    return sum(core.op != "add" for core in leaves.values())


@final
class _Gathering:
    """Named products, those of most factors first."""

    def __init__(self, named: Iterable[Expr], written: Callable[[Expr], Expr]) -> None:
        self._written = written  # an argument that is not a term of a sum
        chosen = [x for x in named if x.op == "mul" and split(x)[0] == 1]
        self.known = {x.key: "" for x in chosen}
        products = [(x, _factors(x, {})) for x in chosen]
        self._products = sorted(products, key=lambda pair: (-_size(pair[1]), pair[0].key))

    def rebuilt(self, x: Expr, args: list[Expr]) -> Expr:
        """A node on rebuilt arguments; a product that contains a named one is written with it."""
        if not args:
            return x
        if x.op != "add":
            args = [self._written(a) for a in args]
        same = all(a is b for a, b in zip(args, x.args, strict=True))
        rebuilt = x if same else remade(x, args)
        coefficient, core = split(rebuilt)
        return scaled(coefficient, self._gather(core)) if core.op == "mul" else rebuilt

    def _gather(self, x: Expr) -> Expr:
        factors = _factors(x, self.known)
        for whole, parts in self._products:
            if all(_contains(factors.get(base, 0), exponent) for base, exponent in parts.items()):
                rest = {base: e - parts.get(base, 0) for base, e in factors.items()}
                return rules.multiply(self._gather(product(monomial_of(rest))), whole)
        return x


def _factors(x: Expr, known: dict[int, str]) -> Factors:
    return {base: exponent for exponent, base in factors(x, known) if base is not ONE}


def _size(factors: Factors) -> float:
    return sum(abs(float(exponent)) for exponent in factors.values())


def _contains(available: Scalar, exponent: Scalar) -> bool:
    """Whether a power is among the factors that are available, above or below."""
    return bool(exponent <= available if exponent > 0 else available <= exponent)
