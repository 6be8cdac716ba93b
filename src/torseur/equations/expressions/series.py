"""Taylor expansions of formulas that are typed in, or taken from equations."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torseur.algebra.calculus.taylor import taylor as expanded
from torseur.algebra.core.expr import Expr
from torseur.equations.symbols.texts import read_text
from torseur.language.text.expression import Names

Array = np.ndarray


def taylor(
    formula: str | Expr | float | Array | Sequence[Any],
    about: Mapping[str, str | Expr | float],
    order: int,
) -> Any:
    """A text, an expression or an array of them, up to a total degree about a point.

    `ts.formalisms.taylor("sqrt(1 + x)", {"x": 0}, 2)` is 1 + x/2 − x²/8. What `about` does not
    name is kept.
    """
    names = Names(open=True)
    point = {name: read_text(value, names, f'value of "{name}"') for name, value in about.items()}
    given = read_text(formula, names, "taylor") if isinstance(formula, str) else formula
    return expanded(given, point, order)
