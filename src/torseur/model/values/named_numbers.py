"""Masses by their letters: a mass or a moment of inertia given as a number becomes m_rod, Izz_rod.

Formulas then read as in books, where 17/60 would say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.model.description import Body, Mechanism, Parameter
from torseur.model.values.named_gravity import named_gravity

_AXES = "xyz"
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
        wanted = list(_numbers(body))
        if not _WORD.fullmatch(name) or taken & {letter for letter, _, _ in wanted}:
            continue
        for letter, unit, value in wanted:
            added[letter] = Parameter(letter, value, unit)
        if wanted:
            bodies[name] = _named(body, {letter for letter, _, _ in wanted})
    return replace(named, bodies=bodies, parameter_table={**named.parameter_table, **added})


def _numbers(body: Body) -> Iterator[tuple[str, str, Expr]]:
    """The parameters that stand for numbers of a body: name, unit, value."""
    if _is_number(body.mass):
        yield f"m_{body.name}", "kg", expression(body.mass)
    for i, axis in enumerate(_AXES):
        if _is_number(body.inertia[i, i]):
            yield f"I{axis}{axis}_{body.name}", "kg.m^2", expression(body.inertia[i, i])


def _is_number(x: object) -> bool:
    value = expression(x)
    return value.op == "number" and value is not ZERO


def _named(body: Body, letters: set[str]) -> Body:
    inertia = body.inertia.copy()
    for i, axis in enumerate(_AXES):
        letter = f"I{axis}{axis}_{body.name}"
        if letter in letters:
            inertia[i, i] = symbol(letter)
    mass = f"m_{body.name}"
    return replace(body, mass=symbol(mass) if mass in letters else body.mass, inertia=inertia)
