"""The parts of a Lagrangian: the terms that have speeds, and those that have none."""

from __future__ import annotations

from collections.abc import Callable

from torseur.algebra.core.angles import terms
from torseur.algebra.core.coefficients import scale
from torseur.algebra.core.expr import PARAMETER, ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.forms.normal_form import NormalForm, normal_form, product
from torseur.algebra.forms.readable import readable
from torseur.equations.expressions.tidy import tidied

_MOST = 60  # terms of a product of sums that is worth expanding


def with_and_without_speeds(L: Expr) -> tuple[Expr, Expr]:
    """The two parts of a sum; m (½ ẋ² − g x) has terms of both."""
    moving, static = ZERO, ZERO
    for coefficient, core in terms(L):
        term = scale(coefficient, core)
        if not _has_speeds(term):
            static = static + term
            continue
        form = normal_form(term, most=_MOST)
        still = ZERO if form is None else _of(form, lambda x: not _has_speeds(x))
        if form is None or still is ZERO:
            moving = moving + term
        else:
            moving, static = moving + _of(form, _has_speeds), static + still
    return moving, static


def without_constants(x: Expr) -> Expr:
    """A sum without the terms that are the same at every place and time, as it is best read."""
    form = normal_form(x)
    rest = x if form is None else _of(form, lambda y: y.stage > PARAMETER)
    return expression(readable(rest))


def _of(form: NormalForm, kind: Callable[[Expr], bool]) -> Expr:
    """The sum of the terms of a kind."""
    selected = {monomial: c for monomial, c in form.terms.items() if kind(product(monomial))}
    return expression(tidied(NormalForm(selected).expr()))


def _has_speeds(x: Expr) -> bool:
    return any(y.kind == "speed" for y in free_symbols(x))
