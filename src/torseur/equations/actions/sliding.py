"""The friction of what goes on sliding, as forces that depend on multipliers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.normal_form import vanishes
from torseur.algebra.forms.readable import readable
from torseur.equations.constraints.constraint_rows import Constraints, constraints_of
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError, SolveError
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.element import (
    Constant,
    Element,
    ExpressionLoad,
    JointWrenchLoad,
    NormalOf,
)
from torseur.model.description import Mechanism
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class SlidingFriction:
    """Friction of sliding elements, with the multipliers they would have if they stuck."""

    system: System  # in which it sticks
    constraints: Constraints
    forces: Mapping[Expr, Expr]  # in terms of the reactions that press
    generalised: Array  # the same by coordinates of joints

    def written(self, read: Callable[[Any], Any]) -> SlidingFriction:
        """The components in other coordinates."""
        return replace(self, forces={x: expression(read(z)) for x, z in self.forces.items()})


@final
@dataclass(frozen=True)
class Slides:
    """The elements of a mechanism that slide and go on sliding.

    Rows of friction have u = J v + b; friction is z = −(μ N + c |u|) u/|u|, with the coefficient μ
    that falls from the static to the kinetic one as exp(−(|u|/s)²), s the speed of Stribeck.
    Formulas that are read have sign(u) for u/|u| along one direction, which is finite at rest too;
    the sign of a product is that of its factors.
    """

    mechanism: Mechanism  # with its contacts
    parts: tuple[Element, ...]
    signs: bool = False
    beside: tuple[Element, ...] = ()  # others whose rows hold

    @cached_property
    def _system(self) -> System:
        return system(closed(self.mechanism, (*self.parts, *self.beside)))

    def check(self, forces: Array) -> None:
        """Refuse an element that is to slide without a speed: friction needs its direction."""
        if not np.isfinite(forces).all():
            listed = ", ".join(one.name for one in self.parts)
            problem = say("not all of what is to slide has a speed: {listed}.", listed)
            advice = "Give speeds with which it slides, or let it stick."
            raise SolveError(f'mechanism "{self.mechanism.name}"', problem, advice)

    def forces(self, owners: Sequence[str], multipliers: Array) -> Array:
        """(n): the generalised forces of friction, by the multipliers of the rows of `owners`."""
        return self._along(self._by_row(owners, multipliers))

    def friction(self, owners: Sequence[str], multipliers: Array) -> SlidingFriction:
        """Friction by the components of contacts."""
        by_row = self._by_row(owners, multipliers)
        named = {
            constraints_of(self._system).unknowns[k]: z for k, z in by_row.items() if z is not ZERO
        }
        return SlidingFriction(
            self._system, constraints_of(self._system), named, self._along(by_row)
        )

    @cached_property
    def by_unknowns(self) -> SlidingFriction:
        """Friction of each row, in terms of the unknowns that the rows have where all stick."""
        known = constraints_of(self._system)
        by_row = self._by_row(known.owners, known.unknowns)
        named = {known.unknowns[k]: expression(readable(z)) for k, z in by_row.items()}
        return SlidingFriction(self._system, known, named, self._along(by_row))

    def _along(self, by_row: Mapping[int, Expr]) -> Array:
        total = expressions(np.zeros(len(self._system.v)))
        for row, z in by_row.items():
            total = total + constraints_of(self._system).J[row] * z
        return expressions(total)

    def _by_row(self, owners: Sequence[str], multipliers: Array) -> dict[int, Expr]:
        """Friction along each row of what slides."""
        constraints, v = constraints_of(self._system), self._system.v
        pushing = dict(zip(reversed(owners), reversed(multipliers), strict=True))  # by first rows
        by_row: dict[int, Expr] = {}
        for one in self.parts:
            names = {row.name for row in one.rows}
            rows = [k for k, owner in enumerate(constraints.owners) if owner in names][one.pushes :]
            z = self._friction(one, constraints.J[rows] @ v + constraints.rate[rows], pushing)
            by_row |= zip(rows, map(expression, z), strict=True)
        return by_row

    def _friction(self, one: Element, u: Array, pushing: Mapping[str, Any]) -> Array:
        """z, for the speeds u of sliding and the multipliers of normal forces."""
        law = one.friction
        assert law is not None, "what slides has a law of friction"
        if law.wrap is not ZERO:
            raise _unknown(say('"{name}" is a rope about a drum.', one.name))
        if one.patch is not None:
            raise _unknown(say('"{name}" slides and pivots by a patch.', one.name))
        speed = sum(x * x for x in u).sqrt()
        mu = law.kinetic
        if law.stribeck is not ZERO:
            mu = mu + (law.static - law.kinetic) * (-((speed / law.stribeck) ** 2)).exp()
        straight = self.signs and sum(not vanishes(x) for x in u) == 1
        ways = [_sign(x) if straight else x / speed for x in u]
        size = mu * self._load(one, ways[0], pushing)
        along = zip(u, ways, strict=True)
        return np.array([-size * way - law.viscous * x for x, way in along], dtype=object)

    def _load(self, one: Element, way: Expr, pushing: Mapping[str, Any]) -> Any:
        """N, if it slides that way."""
        row = one.rows[0].name
        match one.load:
            case Constant(forward, backward):
                return ((1 + way) * forward + (1 - way) * backward) / 2
            case JointWrenchLoad(joint):
                raise _unknown(
                    say('"{name}" rubs by the load of the joint "{joint}".', one.name, joint)
                )
            case ExpressionLoad():
                raise _unknown(say('"{name}" rubs by a load that is given.', one.name))
            case NormalOf(name):
                row = name
        if row not in pushing:
            problem = say('"{name}" slides by the force of "{row}", which is open.', one.name, row)
            raise ModelError("modes", problem, "Give both a mode.")
        return expression(pushing[row])


def _sign(u: Expr) -> Expr:
    """The sign of a speed, as the product of those of its factors."""
    total = ONE
    for power, x in factors(expression(readable(u)), {}):
        total = total * (expression(x).sign() if power % 2 else ONE)
    return total


def _unknown(problem: str) -> ModelError:
    """Friction whose size depends on more than a multiplier."""
    advice = "Small motions are known of contacts that slide, and of constant friction."
    return ModelError("modes", problem, advice)
