"""The Lagrangian of a motion, and the two functions made of it: Hamilton's and Routh's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative, gradient, jacobian, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.analytical.euler_lagrange import (
    euler_lagrange,
    with_and_without_speeds,
    without_constants,
)
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.constraints.constraint_rows import Held
from torseur.equations.expressions.linear import solve
from torseur.equations.expressions.sampling import independent_rows, is_regular, vanishes
from torseur.equations.expressions.tidy import book_text, tidied
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.signs_at_start import SignsAtStart, where_positive
from torseur.equations.symbols.system import System
from torseur.errors import ModelError, require_known
from torseur.model.description import Parameter
from torseur.model.values.named_numbers import name_ranks
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Lagrangian:
    """L, and what has no place in it: forces, Rayleigh's function, constraints.

    The speeds are the rates of the coordinates.
    """

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    system: System  # the symbols, their names, the parameters
    L: Expr
    Q: Array  # generalised forces
    R: Expr  # Rayleigh: the forces are −∂R/∂v
    constraints: Held

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q."""
        return self.system.coordinates

    @cached_property
    def p(self) -> Array:
        """∂L/∂v, the momenta."""
        return gradient(self.L, self.system.v)

    @property
    def momenta(self) -> dict[str, Expr]:
        """The momentum of each coordinate."""
        return dict(zip(self.coordinates, self.p, strict=True))

    @property
    def energy(self) -> Expr:
        """v · ∂L/∂v − L: T2 − T0 + V, kept if L does not depend on t (Painlevé, Jacobi)."""
        return expression(self.system.v @ self.p) - self.L

    @cached_property
    def _parts(self) -> tuple[Expr, Expr]:
        return with_and_without_speeds(self.L)

    @property
    def kinetic(self) -> Expr:
        """The terms of L that have speeds: T, or T2 + T1 where motions are imposed."""
        return self._parts[0]

    @property
    def potential(self) -> Expr:
        """The others, with a minus sign and without constants: V, or V − T0 of imposed motions."""
        return without_constants(-self._parts[1])

    @cached_property
    def cyclic(self) -> tuple[str, ...]:
        """The coordinates that L does not depend on."""
        slopes = zip(self.coordinates, gradient(self.L, self.system.q), strict=True)
        return tuple(name for name, slope in slopes if self._vanishes(slope))

    @property
    def conserved(self) -> dict[str, Expr]:
        """The momenta that are constant: of cyclic coordinates on which nothing else works."""
        works = self.Q - gradient(self.R, self.system.v)
        return {
            name: self.p[k]
            for k, name in enumerate(self.coordinates)
            if name in self.cyclic
            and self._vanishes(works[k])
            and all(self._vanishes(x) for x in self.constraints.J[:, k])
        }

    def _vanishes(self, x: Expr) -> bool:
        return vanishes(x, self.system.mechanism)

    @cached_property
    def equations(self) -> Equations:
        """M a + h + g = Q + Jᵀ λ; g is the slope of the terms of L that have no speed."""
        system, (moving, static) = self.system, self._parts
        inertial = euler_lagrange(moving, system.q, system.v)
        g = -gradient(static, system.q)
        return Equations(
            system,
            "lagrangian",
            M=expressions(inertial.mass),
            h=expressions(inertial.bias),
            g=expressions(g),
            Q=expressions(self.Q - gradient(self.R, system.v)),
            inverse_dynamics=expressions(inertial.mass @ system.a + inertial.bias + g),
            tables={"L": self.L, "p": self.p, "H": self.energy, "R": self.R},
            given_constraints=self.constraints
            if isinstance(self.constraints, GivenConstraints)
            else None,
        )

    @property
    def lines(self) -> dict[str, Expr]:
        """L, and what is not zero of R and of the forces, by name."""
        forces = zip((f"Q_{name}" for name in self.coordinates), tidied(self.Q), strict=True)
        return {"L": self.L} | {x: y for x, y in (("R", self.R), *forces) if y is not ZERO}

    def __str__(self) -> str:
        return self.listing(self.lines)

    def listing(self, lines: Mapping[str, Expr]) -> str:
        """Formulas after their names, in the order of books, and where they hold."""
        ranks = name_ranks(self.system.mechanism)
        read, positive = self.at_start(lines)
        texts = [f"{name} = {book_text(x, ranks)}" for name, x in read.items()]
        return "\n".join([*texts, *where_positive(positive, ranks)])

    def at_start(self, lines: Mapping[str, Expr]) -> tuple[dict[str, Expr], tuple[Expr, ...]]:
        """Formulas in which a distance |u| is u or −u as at the start; what is positive there."""
        start = SignsAtStart(self.system)
        read = {name: start.without_sizes(x) for name, x in lines.items()}
        return read, start.positive

    def __repr__(self) -> str:
        return f'<Lagrangian "{self.system.mechanism.name}": {", ".join(self.coordinates)}>'

    @property
    def hamiltonian(self) -> Hamiltonian:
        """The Legendre transform."""
        return hamiltonian(self)

    def routhian(self, coordinates: Sequence[str] = ()) -> Routhian:
        """The reduction by cyclic coordinates: all that are, or those named."""
        return routhian(self, coordinates)


# --- Hamilton -------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Hamiltonian:
    """H(q, p, t) = T2 − T0 + V and q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Jᵀ λ."""

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    lagrangian: Lagrangian
    p: Array  # the symbols of the momenta
    H: Expr
    speeds: Array  # v(q, p, t)
    mass: Array  # ∂²L/∂v²

    @property
    def system(self) -> System:
        """The symbols of the coordinates, the parameters."""
        return self.lagrangian.system

    @property
    def momenta(self) -> tuple[str, ...]:
        """The names of p: p_x is the momentum of the coordinate x."""
        return tuple(x.name for x in self.p)

    @cached_property
    def coordinate_rates(self) -> Array:
        """q̇ = ∂H/∂p."""
        return gradient(self.H, self.p)

    @cached_property
    def free_momentum_rates(self) -> Array:
        """−∂H/∂q + Q, what ṗ would be without constraints."""
        forces = self.lagrangian.Q - gradient(self.lagrangian.R, self.system.v)
        return expressions(self.written(forces) - gradient(self.H, self.system.q))

    @cached_property
    def rows(self) -> list[int]:
        """Independent rows of J."""
        return independent_rows(self.lagrangian.constraints.J, self.system.mechanism)

    @cached_property
    def multipliers(self) -> Array:
        """λ of those rows, such that J v̇ + γ = 0 with v = ∂H/∂p."""
        constraints, q = self.lagrangian.constraints, self.system.q
        if not self.rows:
            return expressions([])
        J = constraints.J[self.rows]
        along = dict(zip(q, self.coordinate_rates, strict=True))
        along |= dict(zip(self.p, self.free_momentum_rates, strict=True))
        free = time_derivative(self.coordinate_rates, along, TIME)
        gamma = self.written(constraints.bias[self.rows])
        return solve(J @ solve(self.mass, J.T), -gamma - J @ free)

    @cached_property
    def momentum_rates(self) -> Array:
        """ṗ."""
        if not self.rows:
            return self.free_momentum_rates
        J = self.lagrangian.constraints.J[self.rows]
        return expressions(self.free_momentum_rates + J.T @ self.multipliers)

    def written(self, outputs: Array) -> Array:
        """Expressions of q, v and t in terms of q, p and t."""
        return np.asarray(substitute(outputs, dict(zip(self.system.v, self.speeds, strict=True))))

    def __repr__(self) -> str:
        names = ", ".join((*self.system.coordinates, *self.momenta))
        return f'<Hamiltonian "{self.system.mechanism.name}": {names}>'

    @property
    def lines(self) -> dict[str, Expr]:
        """H and the rates of coordinates and momenta, by name."""
        formulas = {"H": self.H}
        names = zip(self.system.coordinates, self.momenta, strict=True)
        rates = zip(names, self.coordinate_rates, self.momentum_rates, strict=True)
        for (coordinate, momentum), dq, dp in rates:
            formulas |= {f"{coordinate}.": dq, f"{momentum}.": dp}
        return formulas

    def __str__(self) -> str:
        return self.lagrangian.listing(self.lines)


def hamiltonian(given: Lagrangian) -> Hamiltonian:
    """p = ∂L/∂v solved for v, and H = p · v − L: with p = M v + b, H = ½ (p − b)·v − L(v = 0).

    Sources: Plaut (2007), §5.1. L must be quadratic in the speeds, with a regular matrix.
    """
    system = given.system
    M = jacobian(given.p, system.v).reshape(len(system.v), len(system.v))
    _check_regular(given, M)
    still = dict.fromkeys(system.v, ZERO)
    M, b = tidied(substitute(M, still)), tidied(substitute(given.p, still))
    p = np.array([symbol(f"p_{name}", "input") for name in system.coordinates], dtype=object)
    v = solve(M, p - b)
    H = expression((p - b) @ v) / 2 - substitute(given.L, still)
    return Hamiltonian(given, p, tidied(H), v, M)


def _check_regular(given: Lagrangian, M: Array) -> None:
    """The speeds must follow from the momenta."""
    mechanism = given.system.mechanism
    if any(not vanishes(x, mechanism) for y in given.system.v for x in derivative(M, y).ravel()):
        problem = say(
            "L = {l} is not quadratic in the speeds: its momenta cannot be solved for them.",
            str(given.L)[:200],
        )
        advice = "Use its equations as they are: .equations."
        raise ModelError(f'Lagrangian "{mechanism.name}"', problem, advice)
    if not is_regular(M, mechanism):
        rows = zip(given.coordinates, M, strict=True)
        idle = [name for name, row in rows if all(vanishes(x, mechanism) for x in row)]
        raise ModelError(
            f'Lagrangian "{mechanism.name}"',
            say(
                "no kinetic energy goes with {idle}: speeds do not follow from momenta.",
                ", ".join(idle) or say("some combination of speeds"),
            ),
            "Give it an inertia, or eliminate the coordinate.",
            'By "lagrange" it is explained and derived unchanged.',
        )


# --- Routh ----------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Routhian:
    """L − Σ p v over the cyclic coordinates, a Lagrangian for the others.

    The momenta p_x of the cyclic coordinates are parameters; the coordinates themselves follow by
    quadrature from `rates`.
    """

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    lagrangian: Lagrangian
    momenta: Mapping[str, Expr]  # p_x in terms of all coordinates and speeds
    rates: Mapping[str, Expr]  # of the cyclic coordinates, in terms of the others and of p

    @property
    def lines(self) -> dict[str, Expr]:
        """R and the rates of the coordinates that were left out, by name."""
        return {"R": self.lagrangian.L} | {f"{name}.": x for name, x in self.rates.items()}

    def __str__(self) -> str:
        return self.lagrangian.listing(self.lines)

    def __repr__(self) -> str:
        names = ", ".join(self.lagrangian.coordinates)
        return f"<Routhian: {names}; by quadrature: {', '.join(self.rates)}>"


def routhian(given: Lagrangian, coordinates: Sequence[str] = ()) -> Routhian:
    """The reduction by the cyclic coordinates whose momentum is constant, or by those named."""
    system, conserved = given.system, given.conserved
    require_known("routhian", "coordinate", coordinates, system.coordinates)
    for name in coordinates:
        if name not in conserved:
            raise _not_conserved(given, name)
    chosen = tuple(coordinates) or tuple(conserved)
    if not chosen:
        problem = say(
            "none of {coordinates} is cyclic with a constant momentum.",
            ", ".join(system.coordinates),
        )
        advice = "There is nothing to reduce."
        raise ModelError(f'Lagrangian "{system.mechanism.name}"', problem, advice)
    # the rates of the cyclic coordinates from their constant momenta
    away = [k for k, name in enumerate(system.coordinates) if name in chosen]
    left = [k for k, name in enumerate(system.coordinates) if name not in chosen]
    v = system.v[away]
    beta = np.array([symbol(f"p_{system.coordinates[k]}") for k in away], dtype=object)
    p = given.p[away]
    still = dict.fromkeys(v, ZERO)
    M = substitute(jacobian(p, v).reshape(len(v), len(v)), still)
    rates = tidied(solve(tidied(M), beta - substitute(p, still)))
    known = dict(zip(v, rates, strict=True))
    R = substitute(given.L, known) - expression(beta @ rates)
    # a Lagrangian of the others, with the momenta as parameters
    table = dict(system.mechanism.parameter_table)
    table |= {x.name: Parameter(x.name, meaning="constant momentum") for x in beta}
    gone = {f"{name}." for name in chosen}  # the coordinates themselves start where they did
    start = {n: x for n, x in system.mechanism.initial.items() if n not in gone}
    mechanism = replace(system.mechanism, parameter_table=table, initial=start)
    remaining = replace(
        system, mechanism=mechanism, q=system.q[left], v=system.v[left], a=system.a[left]
    )
    reduced = Lagrangian(
        remaining,
        tidied(R),
        substitute(given.Q[left], known),
        substitute(given.R, known),
        _without(given, left, known),
    )
    names = [system.coordinates[k] for k in away]
    return Routhian(reduced, dict(zip(names, p, strict=True)), dict(zip(names, rates, strict=True)))


def _without(given: Lagrangian, left: list[int], known: Mapping[Expr, Expr]) -> GivenConstraints:
    """The constraints, which do not speak of the speeds that go."""
    constraints = given.constraints
    return GivenConstraints(
        tuple(constraints.owners),
        constraints.unknowns,
        tuple(constraints.positions),
        constraints.gap,
        expressions(constraints.J[:, left]),
        constraints.rate,
        substitute(constraints.bias, known),
        given.system.v[left],
        constraints.joint_gaps,
    )


def _not_conserved(given: Lagrangian, name: str) -> ModelError:
    cyclic = name in given.cyclic
    reason = say("a force or a constraint works on it") if cyclic else say("L depends on it")
    problem = say('the momentum of "{name}" is not constant: {reason}.', name, reason)
    advice = say("Constant are those of: {conserved}.", ", ".join(given.conserved) or say("none"))
    return ModelError("routhian", problem, advice)
