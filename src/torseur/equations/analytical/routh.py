"""Routh: the reduction of a Lagrangian by its cyclic coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.expressions.linear import solve
from torseur.equations.expressions.tidy import tidied
from torseur.equations.given_rows import GivenConstraints
from torseur.errors import ModelError, unknown
from torseur.model.description import Parameter

Array = np.ndarray


@final
@dataclass(frozen=True)
class Routhian:
    """L − Σ p v over the cyclic coordinates, a Lagrangian for the others.

    The momenta p_x of the cyclic coordinates are parameters; the coordinates themselves follow by
    quadrature from `rates`.
    """

    lagrangian: Lagrangian
    momenta: Mapping[str, Expr]  # p_x in terms of all coordinates and speeds
    rates: Mapping[str, Expr]  # of the cyclic coordinates, in terms of the others and of p

    def __str__(self) -> str:
        rates = (f"{name}. = {x}" for name, x in self.rates.items())
        return "\n".join([f"R = {self.lagrangian.L}", *rates])

    def __repr__(self) -> str:
        kept = ", ".join(self.lagrangian.coordinates)
        return f"<Routhian: {kept}; by quadrature: {', '.join(self.rates)}>"


def routhian(given: Lagrangian, coordinates: Sequence[str] = ()) -> Routhian:
    """The reduction by the cyclic coordinates whose momentum is constant, or by those named."""
    made, conserved = given.system, given.conserved
    for name in coordinates:
        if name not in made.coordinates:
            raise unknown("routhian", "coordinate", name, made.coordinates)
        if name not in conserved:
            raise _not_conserved(given, name)
    chosen = tuple(coordinates) or tuple(conserved)
    if not chosen:
        raise ModelError(
            f'Lagrangian "{made.mechanism.name}"',
            f"none of {', '.join(made.coordinates)} is cyclic with a constant momentum.",
            "There is nothing to reduce.",
        )
    away = [k for k, name in enumerate(made.coordinates) if name in chosen]
    left = [k for k, name in enumerate(made.coordinates) if name not in chosen]
    v = made.v[away]
    beta = np.array([symbol(f"p_{made.coordinates[k]}") for k in away], dtype=object)
    p = given.p[away]
    still = dict.fromkeys(v, ZERO)
    M = substitute(jacobian(p, v).reshape(len(v), len(v)), still)
    rates = tidied(solve(tidied(M), beta - substitute(p, still)))
    known = dict(zip(v, rates, strict=True))
    R = substitute(given.L, known) - expression(beta @ rates)
    table = dict(made.mechanism.parameter_table)
    table |= {x.name: Parameter(x.name, meaning="constant momentum") for x in beta}
    start = {n: x for n, x in made.mechanism.initial.items() if n.removesuffix(".") not in chosen}
    mechanism = replace(made.mechanism, parameter_table=table, initial=start)
    own = replace(made, mechanism=mechanism, q=made.q[left], v=made.v[left], a=made.a[left])
    reduced = Lagrangian(
        own,
        tidied(R),
        substitute(given.Q[left], known),
        substitute(given.R, known),
        _without(given, left, known),
    )
    names = [made.coordinates[k] for k in away]
    return Routhian(reduced, dict(zip(names, p, strict=True)), dict(zip(names, rates, strict=True)))


def _without(given: Lagrangian, left: list[int], known: Mapping[Expr, Expr]) -> GivenConstraints:
    """The constraints, which do not speak of the speeds that go."""
    held = given.held
    return GivenConstraints(
        tuple(held.owners),
        tuple(held.positions),
        held.gap,
        expressions(held.J[:, left]),
        held.rate,
        substitute(held.bias, known),
        given.system.v[left],
        held.joint_gaps,
    )


def _not_conserved(given: Lagrangian, name: str) -> ModelError:
    cyclic = name in given.cyclic
    reason = "a force or a constraint works on it" if cyclic else "L depends on it"
    return ModelError(
        "routhian",
        f'the momentum of "{name}" is not constant: {reason}.',
        f"Constant are those of: {', '.join(given.conserved) or 'none'}.",
    )
