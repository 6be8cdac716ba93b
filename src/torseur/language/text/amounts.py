"""Numbers as they are typed, with their units: 0.01, "0.01 deg", "1500 tr/min"."""

from __future__ import annotations

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.expression import parse_expression
from torseur.words.sentence import say


def amount(value: float | str, what: str) -> float:
    """The value in SI units and radians; `what` is named if it cannot be read."""
    if not isinstance(value, str):
        return float(value)
    try:
        return float(evaluate(parse_expression(value, {}), {}))
    except ModelError as error:
        raise ModelError(
            what, say('cannot read "{value}": {problem}', value, error.problem), *error.advice
        ) from None
