"""Rigidity of a velocity field written as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.errors import ModelError
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.place import Place
from torseur.spatial.velocity_field import VelocityField
from torseur.words.sentence import say


def rigidity(
    field: Sequence[str | Expr | float],
    *,
    coordinates: tuple[str, str, str] = ("x1", "x2", "x3"),
    **values: Any,
) -> VelocityField:
    """The velocity field of three expressions, which says whether and when it is rigid.

    Names other than the coordinates and the time `t` are parameters; `values` gives them numbers.
    The result has `.rigid`, `.conditions`, `.rotation`, `.strain_rate` and `.torseur(point)`.
    """
    if len(field) != 3:
        raise ModelError(
            "rigidity", say("three components are expected, but {number} are given.", len(field))
        )
    known = {name: symbol(name) for name in (*coordinates, TIME.name)}
    names = Names(known, open=True)
    components = [
        parse_expression(x, names, Place(f"component {k + 1} of the field"))
        if isinstance(x, str)
        else expression(x)
        for k, x in enumerate(field)
    ]
    given = {symbol(name): value for name, value in values.items()}
    v = substitute(np.array(components, dtype=object), given)
    x1, x2, x3 = (known[name] for name in coordinates)
    return VelocityField(v, (x1, x2, x3))
