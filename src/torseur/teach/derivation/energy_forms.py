"""Kinetic energies as books write them: a sum over products of speeds, as ½ m a² φ̇² + ….

A rotation of a body relative to the ground is often a sum of speeds, such as φ̇ + ψ̇. Energies are
written with it where that is shorter, and never as one long product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import final

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.coefficients import factors, split
from torseur.algebra.core.coefficients import terms as terms_of
from torseur.algebra.core.expr import ONE, PARAMETER, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.factoring import as_node
from torseur.algebra.forms.length import length
from torseur.algebra.forms.normal_form import Monomial, Polynomial, added, normal_form, product
from torseur.algebra.forms.readable import readable

_MOST = 40  # terms of an energy that is collected


@final
@dataclass(frozen=True)
class EnergyForm:
    """Coefficients of products of speeds; sums of speeds stand under letters of their own."""

    terms: Mapping[Monomial, Polynomial] = field(default_factory=dict)
    sums: Mapping[Expr, Expr] = field(default_factory=dict)

    def __add__(self, other: EnergyForm) -> EnergyForm:
        terms = dict(self.terms)
        for lead, coefficient in other.terms.items():
            terms[lead] = added(terms.get(lead, {}), coefficient)
        return EnergyForm(terms, {**self.sums, **other.sums})

    @property
    def expr(self) -> Expr:
        """The energy, each coefficient as it is shortest, and once: ½ m (ẋ² + ẏ²)."""
        alike: dict[Expr, Expr] = {}
        for lead, coefficient in self.terms.items():
            short = expression(readable(as_node(dict(coefficient))))
            alike[short] = expression(alike.get(short, ZERO) + product(lead))
        total = sum((short * leads for short, leads in alike.items()), ZERO)
        return expression(substitute(expression(total), self.sums))


def energy_form(energy: Expr, rotations: Iterable[Expr]) -> EnergyForm | None:
    """An energy by products of speeds, with one of the sums of speeds where that is shorter."""
    ways = list(_ways(energy, rotations))
    return min(ways, key=lambda way: (len(way.terms), length(way.expr))) if ways else None


def as_a_sum(energy: Expr, form: EnergyForm | None) -> Expr:
    """The energy in the form that is shorter, but not as one product of sums."""
    if form is None:
        return energy
    collected = form.expr
    return collected if _is_product(energy) or length(collected) <= length(energy) else energy


def _ways(energy: Expr, rotations: Iterable[Expr]) -> Iterator[EnergyForm]:
    plain = _collected(energy)
    if plain is not None:
        yield EnergyForm(plain)
    for rotation in dict.fromkeys(rotations):
        speeds = [x for x in free_symbols([rotation]) if x.kind == "speed"]
        whole = symbol(f"turn {rotation.key}", "speed")
        for last in speeds if len(speeds) > 1 else ():
            if derivative(rotation, last) is not ONE:
                continue
            others = expression(whole - (rotation - last))
            terms = _collected(expression(readable(expression(substitute(energy, {last: others})))))
            if terms is not None:
                yield EnergyForm(terms, {whole: rotation})


def _collected(energy: Expr) -> dict[Monomial, Polynomial] | None:
    """The coefficient of each product of speeds."""
    form = normal_form(energy, most=_MOST)
    if form is None:
        return None
    groups: dict[Monomial, Polynomial] = {}
    for monomial, c in form.terms.items():
        lead = tuple((x, e) for x, e in monomial if x.op == "symbol" and x.kind == "speed")
        rest = tuple(pair for pair in monomial if pair not in lead)
        groups.setdefault(lead, {})[rest] = c
    return groups


def _is_product(energy: Expr) -> bool:
    """Whether sums of speeds are multiplied by each other, or stand in a sum that is multiplied."""
    sums = _sums(energy)
    if len(sums) > 1:
        return True
    return any(_sums(part) for x in sums for _, part in terms_of(x, {}))


def _sums(product_of: Expr) -> list[Expr]:
    """The sums with speeds among the factors of a product, but squares."""
    parts = factors(product_of, {})
    return [x for power, x in parts if power == 1 and x.op == "add" and _speeds(x)]


def _speeds(x: Expr) -> list[Expr]:
    return [y for y in free_symbols([x]) if y.kind == "speed"]


# --- springs --------------------------------------------------------------------------------------


def with_rest_lengths(potential: Expr) -> Expr:
    """½ k (x − l₀)² for ½ k x² − k l₀ x: a potential is known but for a constant."""
    squares: Expr = ZERO
    for x in (y for y in free_symbols([potential]) if y.kind == "coordinate"):
        slope = derivative(potential, x)
        stiffness = expression(readable(derivative(slope, x)))
        pull = expression(readable(expression(slope - stiffness * x)))
        if stiffness is ZERO or stiffness.stage > PARAMETER or pull.stage > PARAMETER:
            continue
        rest = sum((y for y in _lengths(pull, stiffness)), ZERO)
        if rest is not ZERO:
            square = stiffness / 2 * (x - rest) ** 2
            left = expression(potential - stiffness / 2 * x**2 + stiffness * rest * x)
            potential, squares = expression(readable(left)), squares + square
    return expression(potential + squares)


def _lengths(pull: Expr, stiffness: Expr) -> Iterator[Expr]:
    """Lengths at rest: −c/k of the parts c of a constant force, where this is a single letter."""
    form = normal_form(pull)
    for monomial, c in form.terms.items() if form is not None else ():
        length_at_rest = expression(readable(expression(-c * product(monomial) / stiffness)))
        if split(length_at_rest)[1].op == "symbol":
            yield length_at_rest
