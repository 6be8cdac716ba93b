"""The equations of a model in the coordinates in which somebody writes them.

A model may use other coordinates than its reader: `{"turn": "psi - phi"}` says that the model's
turn is ψ − φ. Then q = f(q'), v = B v', and the equations are Bᵀ times those of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, jacobian, time_derivative
from torseur.algebra.core.expr import ONE, TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.forms.dimensions import Dimensions
from torseur.equations.actions.efforts import Efforts, unknown_of
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.places import SystemPlaces
from torseur.equations.symbols.system import system
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.model.values.named_gravity import named_gravity
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class CoordinateChange:
    """Coordinates q' with q = f(q'), and what the symbols of the model are in terms of them."""

    q: Array
    v: Array
    a: Array
    known: Mapping[Expr, Expr]  # the model's symbols in the new ones
    B: Array  # ∂q/∂q'

    def written(self, outputs: Any) -> Any:
        """Expressions of the model in the new coordinates."""
        return substitute(outputs, self.known) if self.known else outputs


@final
class RightModel:
    """What a model says of its motion: equations, energies, momenta, points."""

    def __init__(
        self,
        source: Mechanism | Lagrangian,
        coordinates: Mapping[str, str] | None = None,
        *,
        letters: bool = True,  # g for the number of gravity
    ) -> None:
        self.lagrangian = source if isinstance(source, Lagrangian) else None
        if isinstance(source, Lagrangian):
            self.mechanism = source.system.mechanism
            self.equations: Equations = source.equations
        else:
            self.mechanism = named_gravity(source) if letters else source
            self.equations = derived(system(self.mechanism), "lagrange")
        self.system = self.equations.system
        self.change = _change(self.mechanism, self.equations, coordinates or {})
        self.states: dict[bool, list[Any]] = {}  # that constraints allow, once they are needed
        self.dimensions: Dimensions | None = None  # of its symbols, once they are needed

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the equations: coordinates, or speeds that are no rates."""
        return tuple(x.name.removesuffix(".") for x in self.change.v)

    # --- equations ------------------------------------------------------------------------------

    @cached_property
    def inertia_forces(self) -> Array:
        """S: d/dt ∂T/∂q̇ − ∂T/∂q, by coordinate."""
        equations = self.equations
        return self._projected(equations.M @ equations.system.a + equations.h)

    @cached_property
    def given_forces(self) -> Array:
        """Q: weight, springs, motors and loads, by coordinate."""
        return self._projected(self.equations.Q - self.equations.g)

    @cached_property
    def reactions(self) -> Array:
        """Jᵀ λ, by coordinate."""
        J = self.equations.J
        if not len(J):
            return expressions(np.zeros(len(self.change.v)))
        return self._projected(J.T @ np.array(self.multipliers, dtype=object))

    @property
    def rows(self) -> Array:
        """What is zero: S − Q − Jᵀ λ."""
        return expressions(self.inertia_forces - self.given_forces - self.reactions)

    @cached_property
    def multipliers(self) -> list[Expr]:
        """The unknown of each row of J."""
        if self.lagrangian is None:
            return Efforts(self.system).multipliers
        return [unknown_of(name) for name in self.equations.constraints.owners]

    def _projected(self, values: Array) -> Array:
        return expressions(self.change.B.T @ self.written(values))

    def written(self, values: Any) -> Array:
        """Expressions of the model in the coordinates of the formula."""
        return expressions(self.change.written(expressions(values)))

    # --- energies -------------------------------------------------------------------------------

    def table(self, name: str) -> Expr | None:
        """T, V, L, H or R; None if the model has none."""
        value = self.equations.tables.get(name)
        return None if value is None else expression(self.change.written(expression(value)))

    @cached_property
    def momenta(self) -> Array:
        """∂L/∂q̇, by coordinate."""
        L = self.table("L")
        assert L is not None, "Lagrange's equations come with their Lagrangian"
        return gradient(L, self.change.v)

    # --- points ---------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> SystemPlaces:
        return SystemPlaces(self.system)

    @cached_property
    def points(self) -> dict[str, Attachment]:
        """The named points, and O for the origin if no other is called so."""
        origin = {"O": Attachment(GROUND, np.zeros(3))}
        named = self.mechanism.points.values()
        return origin | {p.name: Attachment(p.body, p.position) for p in named}

    def position(self, name: str) -> Array:
        """OM in ground axes."""
        return self.written(self._places.position(self.points[name]))

    def velocity(self, name: str) -> Array:
        """Of a point, in ground axes."""
        return self.written(self._places.velocity(self.points[name]))

    def acceleration(self, name: str) -> Array:
        """Of a point, in ground axes."""
        return expressions(time_derivative(self.velocity(name), self.rates))

    @property
    def rates(self) -> dict[Expr, Any]:
        """Of coordinates, speeds and time."""
        change = self.change
        rates = change.v if change.known else self.equations.constraints.coordinate_rates
        along = {**dict(zip(change.q, rates, strict=True)), TIME: ONE}
        return along | dict(zip(change.v, change.a, strict=True))

    def rotation(self, body: str) -> Array:
        """Ω of a body, in ground axes."""
        places = self._places
        i = places.index[body]
        return self.written(places.poses[i].R.out(places.velocities[i].w))

    def in_axes(self, vector: Array, axes: str) -> Array:
        """Components in ground axes along the axes of a body."""
        if axes == GROUND:
            return vector
        if axes not in self._places.index:
            raise unknown("axes", "body", axes, self._places.index)
        return expressions(self.axes_of(axes).T @ vector)

    def axes_of(self, body: str) -> Array:
        """The axes of a body as columns, in ground axes."""
        return self.written(self._places.rotation(body).matrix)

    # --- joints ---------------------------------------------------------------------------------

    @property
    def wrenches(self) -> tuple[str, ...]:
        """The joints and contacts that carry a wrench."""
        return wrench_names(self.system) if self.lagrangian is None else ()

    @cached_property
    def _wrenches(self) -> Array:
        """A row for each: force, couple, and the axes of its frame M, in ground axes."""
        rows = joint_wrenches(self.system, np.array(self.multipliers, dtype=object))
        return self.written(rows)

    def wrench(self, joint: str) -> Array:
        """Force and couple of the first body on the second at the joint's frame, in ground axes."""
        return self._wrenches[self.wrenches.index(joint), :6].reshape(2, 3)

    def reaction(self, joint: str, component: int) -> Expr:
        """X, Y, Z, L, M or N in a joint: of its first body on its second, along its frame M."""
        R = self._wrenches[self.wrenches.index(joint), 9:].reshape(3, 3)
        return expression(R[:, component % 3] @ self.wrench(joint)[component // 3])


def _change(
    mechanism: Mechanism, equations: Equations, given: Mapping[str, str]
) -> CoordinateChange:
    system = equations.system
    n = len(system.v)
    if not given:
        return CoordinateChange(system.q, system.v, system.a, {}, np.eye(n, dtype=int))
    if len(system.q) != n or equations.constraints.owners:
        raise ModelError(
            "coordinates",
            say(
                "{number} given in terms of others, in a model with quaternions or constraints.",
                len(given),
            ),
            "Other coordinates can be used where the model has as many coordinates as equations.",
        )
    formulas = _formulas(mechanism, system.coordinates, given)
    names = list(
        dict.fromkeys(x.name for f in formulas for x in free_symbols(f) if x.kind == "coordinate")
    )
    if len(names) != n:
        raise ModelError(
            "coordinates",
            say(
                "the {n} coordinates of the model are given by {number}: {names}.",
                n,
                len(names),
                ", ".join(names),
            ),
            "Name as many as the model has; those not given are the same in both.",
        )
    # the new symbols, and the old ones in terms of them
    q, v, a = (
        np.array([symbol(f"{x}{dots}", kind) for x in names], dtype=object)
        for dots, kind in (("", "coordinate"), (".", "speed"), ("..", "acceleration"))
    )
    along = dict(zip((*q, *v), (*v, *a), strict=True))
    old = expressions(formulas)
    rates = time_derivative(old, along)
    values = (*old, *rates, *time_derivative(rates, along))
    known = zip((*system.q, *system.v, *system.a), values, strict=True)
    return CoordinateChange(q, v, a, {x: y for x, y in known if x is not y}, jacobian(old, q))


def _formulas(
    mechanism: Mechanism, coordinates: tuple[str, ...], given: Mapping[str, str]
) -> list[Expr]:
    for name in given:
        if name not in coordinates:
            raise unknown("coordinates", "coordinate", name, coordinates)
    parameters = {name: symbol(name) for name in mechanism.parameter_table}
    formulas = []
    for name in coordinates:
        if name not in given:
            formulas.append(symbol(name, "coordinate"))
            continue
        read = read_text(given[name], Names(parameters, open=True), f'coordinate "{name}"')
        own = [x for x in free_symbols(read) if x.name not in parameters]
        formulas.append(substitute(read, {x: symbol(x.name, "coordinate") for x in own}))
    return formulas
