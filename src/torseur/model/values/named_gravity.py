"""Gravity by its letter: a field given as a number becomes g, so that formulas read as in books."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression, number, symbol
from torseur.model.description import Mechanism, Parameter

LETTER = "g"


def named_gravity(mechanism: Mechanism) -> Mechanism:
    """The same mechanism with the parameter g for the number in its gravity.

    It is left as it is if g means something else in it, or if the field is not one number along an
    axis.
    """
    size = gravity_number(mechanism)
    if size is None:
        return mechanism
    letter = symbol(LETTER)
    signs = [np.sign(float(expression(x).value[1])) for x in mechanism.gravity]
    field = np.array([int(s) * letter if s else ZERO for s in signs], dtype=object)
    added = Parameter(LETTER, size, "m/s^2", "gravity")
    return replace(
        mechanism, gravity=field, parameter_table={**mechanism.parameter_table, LETTER: added}
    )


def gravity_number(mechanism: Mechanism) -> Expr | None:
    """The number that g may stand for; None if there is none."""
    taken = {*mechanism.parameter_table, *mechanism.every_coordinate}
    parts = [expression(x) for x in mechanism.gravity]
    used = [x for x in parts if x is not ZERO]
    if LETTER in taken or len(used) != 1 or used[0].op != "number":
        return None
    return number(abs(used[0].value[1]))
