"""Sources of a Lagrangian: a text with its bodies and forces, or a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.actions.energies import energies
from torseur.equations.analytical.euler_lagrange import kinetic_energy_of
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.analytical.posed_bodies import lagrangian_of_bodies
from torseur.equations.constraints.conditions import relations
from torseur.equations.constraints.rows import Constraints
from torseur.equations.expressions.tidy import tidied
from torseur.equations.motion.parametrisation import (
    Parametrisation,
    chosen_coordinates,
    eliminated,
)
from torseur.equations.symbols.system import System, require_rates, system
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, require_known
from torseur.language.text.expression import Names
from torseur.language.yaml.parameters import check_name
from torseur.model.chosen import every_start
from torseur.model.description import Mechanism, Parameter
from torseur.model.values.named_numbers import named_numbers
from torseur.topology.tree import Tree
from torseur.words.sentence import say

Array = np.ndarray
Read = Callable[[Any, str], Expr]  # what is given, and what it is called in messages
Chosen = Iterable[str] | Mapping[str, str]
_SIGNS = str.maketrans({"½": "(1/2)", "²": "^2", "³": "^3"})


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
    give, as for the formalism "lagrange"; g, m_rod and Izz_rod stand for numbers, which they have.
    """
    if isinstance(source, Mechanism):
        numbered = system(named_numbers(source))
        return (
            of_system(numbered, eliminate)
            if eliminate
            else of_variables(chosen_coordinates(numbered))
        )
    given = {name: _parameter(name, value) for name, value in (parameters or {}).items()}
    for coordinate in coordinates:
        check_name(coordinate, "coordinates")
    if not coordinates:
        raise ModelError(
            name,
            say("the Lagrangian {source} has no coordinates.", source),
            'Name them: coordinates=["x"]; of a mechanism, give ts.load("…").',
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
    Q = _forces(forces or {}, coordinates, read)
    conditions = relations({n: read(x, f'constraint "{n}"') for n, x in _named(constraints)}, q, v)
    spoken = free_symbols([L, R, *Q, *conditions.gap, *conditions.J.ravel(), *conditions.rate])
    spoken_parameters = {x.name: Parameter(x.name) for x in spoken if x.kind == "parameter"}
    start = {n: read(x, f'initial "{n}"') for n, x in (initial or {}).items()}
    described = Mechanism(name, spoken_parameters | given, {}, {}, np.zeros(3), initial=start)
    return Lagrangian(System(described, Tree((), 0, 0), q, v, a), L, Q, R, conditions)


def _forces(given: Mapping[str, Any], coordinates: Sequence[str], read: Read) -> Array:
    """The generalised forces, coordinate by coordinate."""
    require_known("forces", "coordinate", given, coordinates)
    return expressions([read(given.get(x, ZERO), f'force on "{x}"') for x in coordinates])


def _named(constraints: Mapping[str, Any] | Sequence[Any]) -> Iterable[tuple[str, Any]]:
    """Constraints with their names, or with numbers."""
    if isinstance(constraints, Mapping):
        return constraints.items()
    return ((f"constraint {k}", x) for k, x in enumerate(constraints, 1))


def _parameter(name: str, value: Any) -> Parameter:
    check_name(name, "parameters")
    return Parameter(name, None if value is None else expression(float(value)))


def of_system(known: System, eliminate: Chosen = ()) -> Lagrangian:
    """T − V − U of a mechanism whose speeds are the rates of its coordinates."""
    return of_variables(eliminated(known, eliminate))


def of_variables(chosen: Parametrisation) -> Lagrangian:
    """Lagrangian of a system in given variables."""
    known = chosen.system
    require_rates(
        known,
        say("a Lagrangian in its coordinates"),
        'By "lagrange", in quasi-velocities, and by "kane", "virtual-power", "gibbs-appell" and '
        '"newton-euler" it is told and derived as it is.',
    )
    stored = energies(known)
    T = kinetic_energy_of(chosen, chosen.rates)
    V, U, R = (expression(chosen.written(x)) for x in (stored.V, stored.U, stored.R))
    Q = expressions(chosen.B.T @ chosen.written(stored.Q))
    conditions = chosen.constraints if chosen.constraints is not None else Constraints(known)
    mechanism = known.mechanism
    starts = every_start(mechanism.chosen, mechanism.initial)
    started = replace(chosen.reduced, mechanism=replace(mechanism, initial=starts))
    return Lagrangian(started, tidied(T - V - U), Q, R, conditions)
