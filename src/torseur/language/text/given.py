"""Values given beside a description: numbers, or texts with units, checked like the description."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from torseur.algebra.core.expr import CONSTANT
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.dimensions import Dimension, DimensionForm, dimension
from torseur.errors import ModelError, unknown
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.measures import Measures
from torseur.language.text.text_mistakes import rate_meant
from torseur.model.checks.limits import sensible
from torseur.model.chosen import every_start, joint_values
from torseur.model.description import Mechanism
from torseur.model.values.scales import chosen_units, state_units
from torseur.words.sentence import say


def given_parameters(
    mechanism: Mechanism, values: Mapping[str, Any], place: str = "parameter"
) -> dict[str, float]:
    """The values of parameters; whether the mechanism makes sense with them is judged later."""
    values = values_by_name(values, place)
    table = mechanism.parameter_table
    for name in values:
        if name not in table:
            raise unknown(place, "parameter", name, table)
    return {
        name: given_number(x, f'{place} "{name}"', table[name].dimension, table[name].unit)
        for name, x in values.items()
    }


def given_state(
    mechanism: Mechanism, values: Mapping[str, Any], place: str = "initial"
) -> dict[str, float]:
    """The values of coordinates and speeds, by the names of joints."""
    values = values_by_name(values, place)
    units = state_units(mechanism) | chosen_units(mechanism)
    for name in values:
        if name not in units:
            raise unknown_state(place, "coordinate", name, units)
    numbers = {
        name: given_number(x, f'{place} "{name}"', dimension(units[name]), units[name])
        for name, x in values.items()
    }
    return _joint_state(mechanism, numbers, place) if mechanism.chosen else numbers


def unknown_state(place: str, kind: str, name: str, known: Collection[str]) -> ModelError:
    """A coordinate or a speed that does not exist; speeds may be written as elsewhere."""
    fault = unknown(place, kind, name, known)
    hints = rate_meant(name, known) or fault.advice[1:]
    return ModelError(place, fault.problem, fault.advice[0], *hints)


def _joint_state(mechanism: Mechanism, given: dict[str, float], place: str) -> dict[str, float]:
    """Values of chosen coordinates as values of joints; others stay as the description has them."""
    initial = mechanism.initial
    start = every_start(mechanism.chosen, initial)
    values = joint_values(given, mechanism.change, start)
    for name, x in values.items():
        if free_symbols(x):
            raise ModelError(
                f'{place} "{name}"',
                say("it depends on {parameters}.", ", ".join(y.name for y in free_symbols(x))),
                say("Give the coordinates of {change} too.", mechanism.change.name(name)),
            )
    return {name: float(evaluate(x, {})) for name, x in values.items()}


def given_number(
    value: Any, place: str, expected: Dimension | None = None, unit: str = ""
) -> float:
    """A number in SI, or a text with a unit of the expected dimension."""
    if isinstance(value, str):
        names = Names(measures=Measures())
        form = None if expected is None else DimensionForm(expected)
        try:
            read = parse_expression(value, names, expected=form)
        except ModelError as error:
            raise ModelError(
                place, say('"{value}": {problem}', value, error.problem), *error.advice
            ) from None
        assert read.stage == CONSTANT, "no name is known"
        value = evaluate(read, {})
    return sensible(place, say("the value"), value, unit)


def values_by_name(values: Any, place: str = "initial") -> dict[str, Any]:
    """A mapping as a dict of its own."""
    if not isinstance(values, Mapping):
        kind = type(values).__name__
        advice = say('Give a dict, for instance {place}={{"theta": 0.3}}.', place)
        raise ModelError(place, say("values by name are expected, not a {kind}.", kind), advice)
    return dict(values)


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
