"""Masses by their letters: a mass or a moment of inertia given as a number becomes m_rod, Izz_rod.

Formulas then read as in books, where 17/60 would say nothing. Equal moments of a body share a
letter, so that what cancels for a body of revolution still does.
"""

from __future__ import annotations

import re
from dataclasses import replace

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.model.description import Body, Mechanism, Parameter
from torseur.model.values.named_gravity import named_gravity

_AXES = "xyz"
_LEADING = (2, 0, 1)  # z, the axis of most plane motions, then x and y
_WORD = re.compile(r"[^\W\d]\w*")


def named_numbers(mechanism: Mechanism) -> Mechanism:
    """The same mechanism with a parameter for gravity, each mass and each moment of inertia.

    What is not given as a number is left as it is, and so is a body whose parameter would have the
    name of something else.
    """
    named = named_gravity(mechanism)
    taken = {*named.parameter_table, *named.every_coordinate}
    bodies, added = dict(named.bodies), dict[str, Parameter]()
    for name, body in named.bodies.items():
        moments = _moments(body)
        wanted = {letter: ("kg.m^2", body.inertia[i, i]) for i, letter in moments.items()}
        if _is_number(body.mass):
            wanted[f"m_{name}"] = ("kg", body.mass)
        if not wanted or not _WORD.fullmatch(name) or taken & set(wanted):
            continue
        for letter, (unit, value) in wanted.items():
            added[letter] = Parameter(letter, expression(value), unit)
        bodies[name] = _named(body, moments)
    return replace(named, bodies=bodies, parameter_table={**named.parameter_table, **added})


def _moments(body: Body) -> dict[int, str]:
    """The letter of each moment that is given as a number, by its axis; equal ones have one."""
    letters: dict[Expr, str] = {}
    found: dict[int, str] = {}
    for i in _LEADING:
        moment = expression(body.inertia[i, i])
        if _is_number(moment):
            found[i] = letters.setdefault(moment, f"I{_AXES[i] * 2}_{body.name}")
    return dict(sorted(found.items()))


def _is_number(x: object) -> bool:
    value = expression(x)
    return value.op == "number" and value is not ZERO


def _named(body: Body, moments: dict[int, str]) -> Body:
    inertia = body.inertia.copy()
    for i, letter in moments.items():
        inertia[i, i] = symbol(letter)
    mass = symbol(f"m_{body.name}") if _is_number(body.mass) else body.mass
    return replace(body, mass=mass, inertia=inertia)
