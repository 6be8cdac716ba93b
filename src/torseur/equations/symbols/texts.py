"""Values given as text in the names of a mechanism: its parameters, coordinates, speeds and t."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.calculus.taylor import taylor as expanded
from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.errors import ModelError, require_known
from torseur.language.text.expression import Names, parse_expression
from torseur.model.description import Mechanism

Array = np.ndarray


def names_of(mechanism: Mechanism) -> Names:
    """Names that a text may use."""
    known: dict[str, Expr] = {name: symbol(name) for name in mechanism.parameter_table}
    known |= {name: symbol(name, "coordinate") for name in mechanism.every_coordinate}
    known |= {name: symbol(name, "speed") for name in mechanism.every_speed}
    for one in mechanism.chosen.values():
        known |= {one.name: one.value, f"{one.name}.": one.rate}
    return Names(known | {TIME.name: TIME})


def read(mechanism: Mechanism, value: Any, place: str) -> Expr:
    """A number, an expression, or a text."""
    return read_text(value, names_of(mechanism), place)


def read_text(value: Any, names: Names, place: str) -> Expr:
    """Read a text with the given names; an error is reported at `place`."""
    if not isinstance(value, str):
        return expression(value)
    try:
        return parse_expression(value, names)
    except ModelError as error:
        raise ModelError(f"{place}: {error.place}" if error.place else place, error.problem,
                         *error.advice) from None  # fmt: skip


def read_all(mechanism: Mechanism, values: Iterable[Any], place: str) -> Array:
    """An array of them."""
    return np.array([read(mechanism, x, place) for x in values], dtype=object)


def taylor(
    formula: str | Expr | float | Array | Sequence[Any],
    about: Mapping[str, str | Expr | float],
    order: int,
    *,
    positive: Iterable[str] = (),
) -> Any:
    """Taylor expansion of a text, an expression or an array, up to a degree about a point.

    `ts.formalisms.taylor("sqrt(1 + x)", {"x": 0}, 2)` is 1 + x/2 − x²/8. What `about` does not
    name is kept. `positive` names what is: √r² is then r, and |r| otherwise.
    """
    names = Names(open=True)
    point = {name: read_text(value, names, f'value of "{name}"') for name, value in about.items()}
    given = read_text(formula, names, "taylor") if isinstance(formula, str) else formula
    series = expanded(given, point, order)
    named = set(positive)
    known = {x.name: x for x in free_symbols(series)}
    require_known("taylor", "symbol", named, known)
    return (
        substitute(series, {abs(known[name]): known[name] for name in named}) if named else series
    )
