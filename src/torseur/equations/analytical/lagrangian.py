"""A Lagrangian L(q, v, t): typed in, or that of a mechanism; its equations, momenta and energy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient
from torseur.algebra.core.angles import terms
from torseur.algebra.core.coefficients import scale
from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.analytical.posed_bodies import lagrangian_of_bodies
from torseur.equations.energies import energies
from torseur.equations.equations import Equations
from torseur.equations.expressions.sampling import vanishes
from torseur.equations.expressions.tidy import tidied
from torseur.equations.formalisms.lagrange import euler_lagrange, kinetic_energy_of
from torseur.equations.given_rows import GivenConstraints, relations
from torseur.equations.parametrisation import eliminated
from torseur.equations.rows import Constraints
from torseur.equations.system import System, system
from torseur.equations.texts import read_text
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.parameters import check_name
from torseur.model.description import Mechanism, Parameter
from torseur.topology.structure import TIME
from torseur.topology.tree import Tree

if TYPE_CHECKING:
    from torseur.equations.analytical.hamilton import Hamiltonian
    from torseur.equations.analytical.routh import Routhian

Array = np.ndarray
Chosen = Iterable[str] | Mapping[str, str]
_SIGNS = str.maketrans({"½": "(1/2)", "²": "^2", "³": "^3"})


@final
@dataclass(frozen=True)
class Lagrangian:
    """L, and what has no place in it: forces, Rayleigh's function, constraints.

    The speeds are the rates of the coordinates.
    """

    system: System  # the symbols, their names, the parameters
    L: Expr
    Q: Array  # generalised forces
    R: Expr  # Rayleigh: the forces are −∂R/∂v
    held: Constraints | GivenConstraints

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
            and all(self._vanishes(x) for x in self.held.J[:, k])
        }

    def _vanishes(self, x: Expr) -> bool:
        return vanishes(x, self.system.mechanism)

    @cached_property
    def equations(self) -> Equations:
        """M a + h + g = Q + Jᵀ λ; g is the slope of the terms of L that have no speed."""
        made = self.system
        static, moving = _split(self.L)
        found, q = euler_lagrange(moving, made.q, made.v), made.q
        g = -gradient(static, q)
        return Equations(
            made,
            "lagrangian",
            M=expressions(found.mass),
            h=expressions(found.bias),
            g=expressions(g),
            Q=expressions(self.Q - gradient(self.R, made.v)),
            inverse_dynamics=expressions(found.mass @ made.a + found.bias + g),
            tables={"L": self.L, "p": self.p, "H": self.energy, "R": self.R},
            held=self.held if isinstance(self.held, GivenConstraints) else None,
        )

    def __str__(self) -> str:
        lines = [f"L = {tidied(self.L)}"]
        lines += [f"R = {tidied(self.R)}"] if self.R is not ZERO else []
        forces = zip(self.coordinates, tidied(self.Q), strict=True)
        return "\n".join([*lines, *(f"Q_{name} = {x}" for name, x in forces if x is not ZERO)])

    def __repr__(self) -> str:
        return f'<Lagrangian "{self.system.mechanism.name}": {", ".join(self.coordinates)}>'

    @property
    def hamiltonian(self) -> Hamiltonian:
        """The Legendre transform."""
        from torseur.equations.analytical.hamilton import hamiltonian

        return hamiltonian(self)

    def routhian(self, coordinates: Sequence[str] = ()) -> Routhian:
        """The reduction by cyclic coordinates: all that are, or those named."""
        from torseur.equations.analytical.routh import routhian

        return routhian(self, coordinates)


def _split(L: Expr) -> tuple[Expr, Expr]:
    """The terms of a sum without any speed, and the others."""
    static, moving = ZERO, ZERO
    for coefficient, core in terms(L):
        if any(x.kind == "speed" for x in free_symbols(core)):
            moving = moving + scale(coefficient, core)
        else:
            static = static + scale(coefficient, core)
    return static, moving


def lagrangian(
    source: str | Expr | Mechanism,
    coordinates: Sequence[str] = (),
    *,
    parameters: Mapping[str, Any] | None = None,
    forces: Mapping[str, Any] | None = None,
    rayleigh: Any = ZERO,
    constraints: Mapping[str, Any] | Sequence[Any] = (),
    initial: Mapping[str, Any] | None = None,
    bodies: Mapping[str, Mapping[str, Any]] | None = None,
    gravity: Sequence[Any] = (0, 0, 0),
    eliminate: Chosen = (),
    name: str = "lagrangian",
) -> Lagrangian:
    """The Lagrangian that a text stands for, or that of a mechanism.

    In a text `x.` is the speed of the coordinate x and `t` is the time; `½` and `²` may be used.
    Other names are parameters: those given, or any if none is. `forces` holds generalised forces
    by coordinate, `rayleigh` Rayleigh's function; `constraints` are expressions that stay zero, of
    coordinates or linear in speeds, by name or in a list.

    `bodies` are added to what the text says, each with a `mass` and the `position` of its centre
    of mass as expressions of the coordinates, and, unless it is a particle, an `inertia` there and
    a `rotation`, a list of turns such as [{"z": "theta"}] or a matrix: ½ m V² + ½ Ω·I Ω + m g·OG.

    Of a mechanism, `eliminate` names the constraints whose coordinates are replaced by what they
    give, as for the formalism "lagrange".
    """
    if isinstance(source, Mechanism):
        return of_system(system(source), eliminate)
    given = {name: _parameter(name, value) for name, value in (parameters or {}).items()}
    for coordinate in coordinates:
        check_name(coordinate, "coordinates")
    if not coordinates:
        raise ModelError(
            name, f"the Lagrangian {source} has no coordinates.", 'Name them: coordinates=["x"].'
        )
    q, v, a = (
        np.array([symbol(f"{x}{dots}", kind) for x in coordinates], dtype=object)
        for dots, kind in (("", "coordinate"), (".", "speed"), ("..", "acceleration"))
    )
    known: dict[str, Expr] = {x.name: x for x in (*q, *v, TIME)} | {n: symbol(n) for n in given}
    names = Names(known, open=parameters is None)

    def read(value: Any, what: str) -> Expr:
        text = value.translate(_SIGNS) if isinstance(value, str) else value
        return read_text(text, names, what)

    along = {**dict(zip(q, v, strict=True)), TIME: ONE}
    L, R = read(source, name), read(rayleigh, "rayleigh")
    L = L + lagrangian_of_bodies(bodies or {}, gravity, read, along)
    Q = expressions(np.zeros(len(q)))
    for coordinate, force in (forces or {}).items():
        if coordinate not in coordinates:
            raise unknown("forces", "coordinate", coordinate, coordinates)
        Q[list(coordinates).index(coordinate)] = read(force, f'force on "{coordinate}"')
    listed = (
        constraints
        if isinstance(constraints, Mapping)
        else {f"constraint {k + 1}": x for k, x in enumerate(constraints)}
    )
    zeros = {n: read(x, f'constraint "{n}"') for n, x in listed.items()}
    held = relations(zeros, q, v)
    spoken = free_symbols([L, R, *Q, *held.gap, *held.J.ravel(), *held.rate])
    found = {x.name: Parameter(x.name) for x in spoken if x.kind == "parameter"}
    start = {n: read(x, f'initial "{n}"') for n, x in (initial or {}).items()}
    described = Mechanism(name, found | given, {}, {}, np.zeros(3), initial=start)
    return Lagrangian(System(described, Tree((), 0, 0), q, v, a), L, Q, R, held)


def _parameter(name: str, value: Any) -> Parameter:
    check_name(name, "parameters")
    return Parameter(name, None if value is None else expression(float(value)))


def of_system(made: System, eliminate: Chosen = ()) -> Lagrangian:
    """T − V − U of a mechanism whose speeds are the rates of its coordinates."""
    require_rates(made, "a Lagrangian in its coordinates")
    chosen, found = eliminated(made, eliminate), energies(made)
    T = kinetic_energy_of(chosen, chosen.rates)
    V, U, R = (expression(chosen.written(x)) for x in (found.V, found.U, found.R))
    Q = expressions(chosen.B.T @ chosen.written(found.Q))
    held = chosen.held if chosen.held is not None else Constraints(made)
    return Lagrangian(chosen.own, tidied(T - V - U), Q, R, held)


def require_rates(made: System, what: str) -> None:
    """Refuse joints with speeds that are no rates, such as those with quaternions."""
    for _, link in made.tree:
        if link.joint.nq != link.joint.nv or link.joint.turning:
            raise ModelError(
                f'joint "{link.joint_name}"',
                f"its {link.joint.nv} speeds are not the rates of its {link.joint.nq} coordinates, "
                f"which {what} would need.",
                "Describe the attitude by angles, for instance by Euler's: type: defined, "
                "coordinates: [psi, theta, phi], rotation: [{z: psi}, {x: theta}, {z: phi}].",
            )
