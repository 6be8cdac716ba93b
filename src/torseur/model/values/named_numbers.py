"""Formulas in the letters of books: gravity, masses and moments given as numbers, and their order.

Gravity becomes g, a mass m_rod, a moment of inertia Izz_rod, where 17/60 would say nothing. Equal
moments of a body share a letter, so that what cancels for a body of revolution still does. In a
product books write masses first, then others, gravity, lengths. Loops are cut where the formulas
that close them are short.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, number, symbol
from torseur.algebra.forms.dimensions import Power
from torseur.model.description import Body, Mechanism, Parameter
from torseur.model.joint_graph import spanning
from torseur.once import once

LETTER = "g"
_SECOND = "g0"  # of gravity, where g means something else
_AXES = "xyz"
_LEADING = (2, 0, 1)  # z, the axis of most plane motions, then x and y
_WORD = re.compile(r"[^\W\d]\w*")
_MASS, _OTHER, _GRAVITY, _LENGTH, _NUMBER = range(5)
_RANKS: dict[tuple[Power, ...], int] = {
    (1, 0, 0, 0, 0): _MASS,
    (0, 1, -2, 0, 0): _GRAVITY,
    (0, 1, 0, 0, 0): _LENGTH,
    (0, 2, 0, 0, 0): _LENGTH,
    (0, 3, 0, 0, 0): _LENGTH,
    (0, 0, 0, 0, 0): _NUMBER,
}
_BY_UNIT = {"kg": _MASS, "m": _LENGTH, "m/s^2": _GRAVITY}
_BY_LETTER = {"m": _MASS, "M": _MASS, "g": _GRAVITY, "l": _LENGTH, "L": _LENGTH}


@once
def named_numbers(mechanism: Mechanism) -> Mechanism:
    """The mechanism with a parameter for gravity, each mass and each moment of inertia.

    What is not given as a number is left as it is, and so is a body whose parameter would have the
    name of something else.
    """
    named = named_gravity(named_gravity(mechanism), _SECOND)
    used_names = {*named.parameter_table, *named.every_coordinate}
    bodies, added = dict(named.bodies), dict[str, Parameter]()
    for name, body in named.bodies.items():
        lettered, parameters = _with_letters(body)
        if _WORD.fullmatch(name) and not used_names & parameters.keys():
            bodies[name] = lettered
            added |= parameters
    return replace(named, bodies=bodies, parameter_table={**named.parameter_table, **added})


def _with_letters(body: Body) -> tuple[Body, dict[str, Parameter]]:
    """A body with letters for the numbers among its mass and its moments, and the parameters.

    Equal moments have one letter.
    """
    parameters: dict[str, Parameter] = {}
    letters: dict[Expr, str] = {}

    def letter(name: str, value: Expr, unit: str) -> Expr:
        if value.op != "number" or value is ZERO:
            return value
        parameters.setdefault(name, Parameter(name, value, unit))
        return symbol(name)

    mass = letter(f"m_{body.name}", expression(body.mass), "kg")
    inertia = body.inertia.astype(object)
    for i in _LEADING:
        moment = expression(inertia[i, i])
        name = letters.setdefault(moment, f"I{_AXES[i] * 2}_{body.name}")
        inertia[i, i] = letter(name, moment, "kg.m^2")
    return replace(body, mass=mass, inertia=inertia), parameters


def named_gravity(mechanism: Mechanism, name: str = LETTER) -> Mechanism:
    """The mechanism with the parameter g for the number in its gravity.

    It is left as it is if g means something else in it, or if the field is not one number along an
    axis.
    """
    size = gravity_number(mechanism, name)
    if size is None:
        return mechanism
    letter = symbol(name)
    signs = [np.sign(float(expression(x).value[1])) for x in mechanism.gravity]
    field = np.array([int(s) * letter if s else ZERO for s in signs], dtype=object)
    added = Parameter(name, size, "m/s^2", "gravity")
    return replace(
        mechanism, gravity=field, parameter_table={**mechanism.parameter_table, name: added}
    )


def gravity_number(mechanism: Mechanism, name: str = LETTER) -> Expr | None:
    """The number that g may stand for; None if there is none."""
    used_names = {*mechanism.parameter_table, *mechanism.every_coordinate}
    parts = [expression(x) for x in mechanism.gravity]
    used = [x for x in parts if x is not ZERO]
    if name in used_names or len(used) != 1 or used[0].op != "number":
        return None
    return number(abs(used[0].value[1]))


def name_ranks(mechanism: Mechanism) -> dict[str, int]:
    """The rank of each parameter, by its dimension, its unit, or else its first letter."""
    return {name: _rank(parameter) for name, parameter in mechanism.parameter_table.items()}


def _rank(parameter: Parameter) -> int:
    if parameter.dimension is not None:
        return _RANKS.get(tuple(parameter.dimension.powers), _OTHER)
    if parameter.unit:
        return _BY_UNIT.get(parameter.unit, _OTHER)
    return _BY_LETTER.get(parameter.name[0], _OTHER)


def with_short_loops(mechanism: Mechanism) -> Mechanism:
    """The mechanism for readers: its loops are cut independently of the order of joints.

    Its coordinates may be others than those of the mechanism: joints that carry bodies there may
    close loops here, and follow from the others.
    """
    if mechanism.carried_by:
        return mechanism
    carrying = tuple(joint.name for joint, _ in spanning(mechanism, short=True).carrying)
    if set(carrying) == {joint.name for joint, _ in spanning(mechanism).carrying}:
        return mechanism
    return replace(mechanism, carried_by=carrying)
