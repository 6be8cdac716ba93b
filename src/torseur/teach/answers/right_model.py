"""The equations of a model in the coordinates of a student.

A model may use other coordinates than its reader: `{"turn": "psi - phi"}` says that the model's
turn is ψ − φ. Then q = f(q'), v = B v', and the equations are Bᵀ times those of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import ONE, TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.printing.reading_order import Ranks
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import (
    Parametrisation,
    chosen_coordinates,
    in_coordinates,
    in_variables,
)
from torseur.equations.symbols.system import system
from torseur.equations.symbols.system_places import SystemPlaces, places_of
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names
from torseur.model.chosen import Change
from torseur.model.constraints.protocol import MULTIPLIER
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.model.values.named_numbers import name_ranks, named_numbers
from torseur.words.sentence import say

Array = np.ndarray


@final
class RightModel:
    """Right results of a model: equations, energies, momenta, points."""

    def __init__(
        self,
        source: Mechanism | Lagrangian,
        coordinates: Mapping[str, str] | None = None,
        *,
        letters: bool = True,  # for numbers: g, masses, moments of inertia
    ) -> None:
        self.lagrangian = source if isinstance(source, Lagrangian) else None
        if isinstance(source, Lagrangian):
            motion = source.equations
        else:
            motion = derived(system(named_numbers(source) if letters else source), "lagrange")
        self.mechanism = motion.system.mechanism
        self.change = _change(motion, coordinates or {})
        self.equations = in_variables(motion, self.change) if self.change.changed else motion
        self.system = self.equations.system

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of the equations: coordinates, or speeds that are no rates."""
        return tuple(x.name.removesuffix(".") for x in self.system.v)

    @cached_property
    def ranks(self) -> Ranks:
        """The order in which books write its parameters."""
        return name_ranks(self.mechanism)

    # --- equations ------------------------------------------------------------------------------

    @cached_property
    def inertia_forces(self) -> Array:
        """S: d/dt ∂T/∂q̇ − ∂T/∂q, by coordinate."""
        return expressions(self.equations.M @ self.system.a + self.equations.h)

    @cached_property
    def given_forces(self) -> Array:
        """Q: weight, springs, motors and loads, by coordinate."""
        return expressions(self.equations.Q - self.equations.g)

    @cached_property
    def reactions(self) -> Array:
        """Jᵀ λ, by coordinate."""
        J = self.equations.J
        if not len(J):
            return expressions(np.zeros(len(self.system.v)))
        return expressions(J.T @ np.array(self.multipliers, dtype=object))

    @property
    def rows(self) -> Array:
        """Residual of the equations of motion: S − Q − Jᵀ λ."""
        return expressions(self.inertia_forces - self.given_forces - self.reactions)

    @cached_property
    def multipliers(self) -> list[Expr]:
        """The unknown of each row of J."""
        return list(self.equations.constraints.unknowns)

    @cached_property
    def multiplier_names(self) -> dict[str, str]:
        """The multipliers by what else they may be called: their constraint, or λ with its name."""
        owners = [name.replace(" ", "_") for name in self.equations.constraints.owners]
        called: dict[str, str] = {}
        for owner, x in zip(owners, self.multipliers, strict=True):
            if owners.count(owner) == 1:
                called |= dict.fromkeys((owner, f"{MULTIPLIER}_{owner}"), x.name)
        return called

    def written(self, values: Any) -> Array:
        """Expressions of the model in the coordinates of the formula."""
        return expressions(self.change.written(expressions(values)))

    # --- energies -------------------------------------------------------------------------------

    def table(self, name: str) -> Expr | None:
        """T, V, L, H or R; None if the model has none."""
        value = self.equations.tables.get(name)
        return None if value is None else expression(value)

    @cached_property
    def momenta(self) -> Array:
        """∂L/∂q̇, by coordinate."""
        L = self.table("L")
        assert L is not None, "Lagrange's equations come with their Lagrangian"
        return gradient(L, self.system.v)

    # --- points ---------------------------------------------------------------------------------

    @cached_property
    def places(self) -> SystemPlaces:
        """Positions and velocities in the coordinates of the model itself."""
        return places_of(self.change.system)

    @cached_property
    def points(self) -> dict[str, Attachment]:
        """The named points, and O for the origin if no other is called so."""
        origin = {"O": Attachment(GROUND, np.zeros(3))}
        named = self.mechanism.points.values()
        return origin | {p.name: Attachment(p.body, p.position) for p in named}

    def position(self, name: str) -> Array:
        """OM in ground axes."""
        return self.written(self.places.position(self.points[name]))

    def velocity(self, name: str) -> Array:
        """Vector of a point, in ground axes."""
        return self.written(self.places.velocity(self.points[name]))

    def acceleration(self, name: str) -> Array:
        """Vector of a point, in ground axes."""
        return expressions(time_derivative(self.velocity(name), self.rates))

    @property
    def rates(self) -> dict[Expr, Any]:
        """Time derivatives of coordinates, speeds and time."""
        system, constraints = self.system, self.equations.constraints
        along = {**dict(zip(system.q, constraints.coordinate_rates, strict=True)), TIME: ONE}
        return along | dict(zip(system.v, system.a, strict=True))

    def rotation(self, body: str) -> Array:
        """Ω of a body, in ground axes."""
        places = self.places
        i = places.index[body]
        return self.written(places.poses[i].R.out(places.velocities[i].w))

    def in_axes(self, vector: Array, axes: str) -> Array:
        """Components in ground axes along the axes of a body."""
        if axes == GROUND:
            return vector
        if axes not in self.places.index:
            raise unknown("axes", "body", axes, self.places.index)
        return expressions(self.axes_of(axes).T @ vector)

    def axes_of(self, body: str) -> Array:
        """The axes of a body as columns, in ground axes."""
        return self.written(self.places.rotation(body).matrix)

    # --- joints ---------------------------------------------------------------------------------

    @property
    def wrenches(self) -> tuple[str, ...]:
        """The joints and contacts that carry a wrench."""
        return wrench_names(self.change.system) if self.lagrangian is None else ()

    @cached_property
    def _wrenches(self) -> Array:
        """A row for each: force, couple, and the axes of its frame M, in ground axes."""
        rows = joint_wrenches(self.change.system, np.array(self.multipliers, dtype=object))
        return self.written(rows)

    def wrench(self, joint: str) -> Array:
        """Force and couple of the first body on the second at the joint's frame, in ground axes."""
        return self._wrenches[self.wrenches.index(joint), :6].reshape(2, 3)

    def wrench_place(self, joint: str) -> Array:
        """Point at which the wrench of a joint is given, in ground axes."""
        return self._wrenches[self.wrenches.index(joint), 6:9]

    def reaction(self, joint: str, component: int) -> Expr:
        """X, Y, Z, L, M or N in a joint: of its first body on its second, along its frame M."""
        return expression(
            self.wrench_axes(joint)[:, component % 3] @ self.wrench(joint)[component // 3]
        )

    def wrench_axes(self, joint: str) -> Array:
        """The axes of the frame of a joint as columns, in ground axes."""
        return self._wrenches[self.wrenches.index(joint), 9:].reshape(3, 3)


def _change(derived: Equations, given: Mapping[str, str]) -> Parametrisation:
    """To the coordinates given, or to those that the description chooses."""
    system = derived.system
    if not given:
        return chosen_coordinates(system)
    n = len(system.v)
    if len(system.q) != n or derived.given_constraints is not None:
        raise ModelError(
            "coordinates",
            say(
                "{number} given in terms of others, in a model with quaternions or constraints.",
                len(given),
            ),
            "Other coordinates can be used where the model has as many coordinates as equations.",
        )
    formulas = _formulas(system.mechanism, system.coordinates, given)
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
    places = system.coordinates
    return in_coordinates(
        system,
        Change(dict(zip(places, names, strict=True)), dict(zip(places, formulas, strict=True))),
    )


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
        letters = [x for x in free_symbols(read) if x.name not in parameters]
        formulas.append(substitute(read, {x: symbol(x.name, "coordinate") for x in letters}))
    return formulas
