"""Sources of a Lagrangian: a text with its bodies and forces, or a mechanism.

The pose of a body in a text is an expression of coordinates: the position of its centre of mass,
and the rotation of its axes. T follows by Koenig, with Ω found by differentiating the rotation. No
joints are needed: the coordinates may be any, and several bodies may depend on the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import ONE, TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols
from torseur.equations.analytical.euler_lagrange import energies, kinetic_energy_of
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.constraints.conditions import relations
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.tidy import tidied
from torseur.equations.motion.parametrisation import Parametrisation, chosen_coordinates, eliminated
from torseur.equations.symbols.system import System, require_rates, system
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, require_known
from torseur.language.text.expression import Names
from torseur.language.yaml.parameter_entries import check_name
from torseur.model.chosen import every_start
from torseur.model.description import Mechanism, Parameter
from torseur.model.values.named_numbers import named_numbers
from torseur.spatial.inertia import tensor_of
from torseur.spatial.rotation import AXES, AxisTurn
from torseur.spatial.vectors import axial
from torseur.topology.tree import Tree
from torseur.words.sentence import say

Array = np.ndarray
Read = Callable[[Any, str], Expr]  # what is given, and what it is called in messages
Chosen = Iterable[str] | Mapping[str, str]
_SIGNS = str.maketrans({"½": "(1/2)", "²": "^2", "³": "^3"})
_ENTRIES = ("mass", "position", "inertia", "rotation")


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
    """Lagrangian of a mechanism, or from a text.

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
        if eliminate:
            return of_system(numbered, eliminate)
        return of_variables(chosen_coordinates(numbered))
    given = {name: _parameter(name, value) for name, value in (parameters or {}).items()}
    for coordinate in coordinates:
        check_name(coordinate, "coordinates")
    if not coordinates:
        advice = 'Name them: coordinates=["x"]; of a mechanism, give ts.load("…").'
        raise ModelError(name, say("the Lagrangian {source} has no coordinates.", source), advice)
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
    conditions = relations(
        {n: read(x, f'constraint "{n}"') for n, x in _by_name(constraints)}, q, v
    )
    spoken = free_symbols([L, R, *Q, *conditions.gap, *conditions.J.ravel(), *conditions.rate])
    spoken_parameters = {x.name: Parameter(x.name) for x in spoken if x.kind == "parameter"}
    start = {n: read(x, f'initial "{n}"') for n, x in (initial or {}).items()}
    described = Mechanism(name, spoken_parameters | given, {}, {}, np.zeros(3), initial=start)
    return Lagrangian(System(described, Tree((), 0, 0), q, v, a), L, Q, R, conditions)


def _forces(given: Mapping[str, Any], coordinates: Sequence[str], read: Read) -> Array:
    """The generalised forces, coordinate by coordinate."""
    require_known("forces", "coordinate", given, coordinates)
    return expressions([read(given.get(x, ZERO), f'force on "{x}"') for x in coordinates])


def _by_name(constraints: Mapping[str, Any] | Sequence[Any]) -> Iterable[tuple[str, Any]]:
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
        '"newton-euler" it is explained and derived unchanged.',
    )
    stored = energies(known)
    T = kinetic_energy_of(chosen, chosen.rates)
    V, U, R = (expression(chosen.written(x)) for x in (stored.V, stored.U, stored.R))
    Q = expressions(chosen.B.T @ chosen.written(stored.Q))
    conditions = chosen.constraints if chosen.constraints is not None else constraints_of(known)
    mechanism = known.mechanism
    starts = every_start(mechanism.chosen, mechanism.initial)
    started = replace(chosen.reduced, mechanism=replace(mechanism, initial=starts))
    return Lagrangian(started, tidied(T - V - U), Q, R, conditions)


def lagrangian_of_bodies(
    bodies: Mapping[str, Mapping[str, Any]],
    gravity: Sequence[Any],
    read: Read,
    along: Mapping[Expr, Expr],
) -> Expr:
    """Σ ½ m V(G)² + ½ Ω·I Ω + m g·OG; `along` gives the rates of the coordinates and of t."""
    g = _vector(gravity, "gravity", read)
    total: Expr = ZERO
    for name, body in bodies.items():
        place = f'body "{name}"'
        require_known(place, "entry", body, _ENTRIES)
        if "mass" not in body or "position" not in body:
            problem = say(
                "{body} is given, but a mass and a position are needed.",
                ", ".join(body) or say("nothing"),
            )
            raise ModelError(place, problem, 'Such as {"mass": "m", "position": ["x", "x^2", 0]}.')
        m, r = read(body["mass"], place), _vector(body["position"], place, read)
        v = time_derivative(r, along)
        total = total + m * tidied(expression(v @ v)) / 2 + m * expression(g @ r)
        total = total + _spin(body, place, read, along)
    return expression(total)


def _vector(given: Any, place: str, read: Read) -> Array:
    if isinstance(given, str) or len(given) != 3:
        raise ModelError(
            place, say("{given} is not a vector.", given), "A vector has three components."
        )
    return expressions([read(x, place) for x in given])


def _spin(body: Mapping[str, Any], place: str, read: Read, along: Mapping[Expr, Expr]) -> Expr:
    """½ Ω·I Ω, in the axes of the body; nothing for a particle."""
    if "inertia" not in body:
        return ZERO
    if "rotation" not in body:
        problem = say("it has the inertia {body}, but no rotation.", body["inertia"])
        advice = 'Give one, such as "rotation": [{"z": "theta"}], or leave the inertia out.'
        raise ModelError(place, problem, advice)
    I = _tensor([read(x, place) for x in body["inertia"]], place)
    w = _angular_velocity(body["rotation"], place, read, along)
    return expression(tidied(expression(w @ (I @ w))) / 2)


def _tensor(given: list[Expr], place: str) -> Array:
    """xx, yy, zz, and the products xy, xz, yz as components of the tensor."""
    if len(given) not in (3, 6):
        problem = say("an inertia has 3 or 6 components, not {number}.", len(given))
        advice = "xx, yy, zz, or these and xy, xz, yz, at the centre of mass and in body axes."
        raise ModelError(place, problem, advice)
    return expressions(tensor_of([*given, ZERO, ZERO, ZERO][:6]))


def _angular_velocity(
    given: Sequence[Any], place: str, read: Read, along: Mapping[Expr, Expr]
) -> Array:
    """Ω in body axes: each turn carries what the turns before it gave; of a matrix, RᵀṘ."""
    if len(given) == 3 and not any(isinstance(row, Mapping) for row in given):
        R = expressions([[read(x, place) for x in row] for row in given])
        rate = time_derivative(R, along)
        return expressions(axial(R.T @ rate)) / 2
    w = expressions(np.zeros(3))
    for step in given:
        ((axis, angle),) = step.items()
        require_known(place, "axis", axis, AXES)
        turned = read(angle, place)
        w = expressions(AxisTurn(AXES[axis], turned).undone(w))
        w[AXES[axis]] = w[AXES[axis]] + time_derivative(turned, along)
    return w
