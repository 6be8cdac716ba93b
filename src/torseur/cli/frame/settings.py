"""NAME=VALUE and NAME=LOW:HIGH on the command line, with units and expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, final

import rich_click as click

from torseur.errors import ModelError
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.description import Mechanism


@final
class _Finite(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number: not inf, not nan."""

    name = "float"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            number = float(value)
        except ValueError:
            self.fail(_no_number(value), param, ctx)
        if not math.isfinite(number):
            self.fail(say('"{value}" is not a finite number.', value), param, ctx)
        return number


@final
class Whole(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number, up to a largest one if that is given."""

    name = "integer"

    def __init__(self, largest: int | None = None) -> None:
        self.largest = largest

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        try:
            number = int(value)
        except ValueError:
            self.fail(say('"{value}" is not a whole number.', value), param, ctx)
        if self.largest is not None and not 0 <= number <= self.largest:
            problem = say("{value} is not between 0 and {largest}.", value, self.largest)
            self.fail(problem, param, ctx)
        return number


FINITE, WHOLE = _Finite(), Whole()


def _no_number(value: str) -> str:
    """That a text is no number; a comma for the point is shown as it would be right."""
    point = value.replace(",", ".")
    try:
        float(point)
    except ValueError:
        return say('"{value}" is not a number.', value)
    return say('"{value}" is not a number: write {point}.', value, point)


def named_numbers(option: str, texts: Iterable[str]) -> dict[str, float]:
    """`--known F=30 --known theta="40 deg"`: the values by name."""
    return {name: _number(option, text, value) for text, name, value in _split(option, texts)}


_EXAMPLES = {
    "--answer": "2=X Y Z L M 0",
    "--what-if": "rail=cylindrical",
    "--mode": "floor=stick",
    "--control": "q1=-20*q1 - 3*q1.",
}


def named_texts(option: str, texts: Iterable[str]) -> dict[str, str]:
    """`--with turn=psi-phi`: the texts by name."""
    pairs = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            example = _EXAMPLES.get(option, "turn=psi-phi")
            advice = say('For instance: {option} "{example}".', option, example)
            raise ModelError(option, say('"{entry}" has no "=".', text), advice)
        pairs[name.strip()] = value.strip()
    return pairs


def parameters(mechanism: Mechanism, texts: Iterable[str]) -> dict[str, float]:
    """`--set m=2 --set l="40 mm"`: values of parameters, checked like those of the description."""
    from torseur.language.text.given import given_parameters

    return given_parameters(mechanism, _texts("--set", texts), "--set")


def state(mechanism: Mechanism, option: str, texts: Iterable[str]) -> dict[str, float]:
    """`--at theta="40 deg"`: values of coordinates and speeds."""
    from torseur.language.text.given import given_state

    return given_state(mechanism, _texts(option, texts), option)


def parameters_and_start(
    mechanism: Mechanism, texts: Iterable[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """`--set m=2 --set theta="40 deg"`: parameters, and coordinates or speeds to start from."""
    return parameters_and_start_of(mechanism, _texts("--set", texts), "--set")


def parameters_and_start_of(
    mechanism: Mechanism, given: Mapping[str, Any], place: str
) -> tuple[dict[str, float], dict[str, float]]:
    """Parameters and initial values among values by name."""
    from torseur.language.text.given import given_parameters, given_state, unknown_state
    from torseur.model.values.scales import state_units

    known = {*mechanism.parameter_table, *state_units(mechanism)}
    for name in given:
        if name not in known:
            raise unknown_state(place, "parameter or coordinate", name, known)
    start = {n: x for n, x in given.items() if n not in mechanism.parameter_table}
    values = {n: x for n, x in given.items() if n not in start}
    return given_parameters(mechanism, values, place), given_state(mechanism, start, place)


def named_ranges(option: str, texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """`--box theta=-1:1`: the limits by name."""
    ranges = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        low, colon, high = value.partition(":")
        if not (name and equals and colon):
            advice = say("For instance: {option} theta=-1:1.", option)
            raise ModelError(option, say('expected NAME=LOW:HIGH, got "{text}".', text), advice)
        ranges[name] = _number(option, text, low), _number(option, text, high)
    return ranges


def pair(option: str, text: str) -> tuple[str, str]:
    """`--response x:theta`: two names."""
    first, colon, second = text.partition(":")
    if not colon or not first.strip() or not second.strip():
        advice = say("For instance: {option} x:theta.", option)
        raise ModelError(option, say('expected INPUT:OUTPUT, got "{text}".', text), advice)
    return first.strip(), second.strip()


def span(option: str, text: str) -> tuple[float, float]:
    """`--frequencies 1:50`: two numbers."""
    low, colon, high = text.partition(":")
    if not colon:
        advice = say("For instance: {option} 1:50.", option)
        raise ModelError(option, say('expected LOW:HIGH, got "{text}".', text), advice)
    return _number(option, text, low), _number(option, text, high)


def numbers(option: str, text: str) -> list[float]:
    """`--at 0,0.5,2`: numbers in a row."""
    return [_number(option, text, one) for one in text.split(",") if one.strip()]


def quantity(unit: str) -> Callable[[str, str], float]:
    """A reader of `--speed "1500 tr/min"`: a number in SI, or with a unit that fits."""

    def read(option: str, text: str) -> float:
        from torseur.algebra.forms.dimensions import dimension
        from torseur.language.text.given import given_number

        return given_number(text.strip(), option, dimension(unit), unit)

    return read


def three(unit: str) -> Callable[[str, str], list[float]]:
    """A reader of three such numbers, separated by commas."""

    def read(option: str, text: str) -> list[float]:
        parts = text.split(",")
        if len(parts) != 3:
            advice = say("For instance: {option} 25,25,35.", option)
            raise ModelError(option, say('expected three numbers, got "{text}".', text), advice)
        return [quantity(unit)(option, part) for part in parts]

    return read


def names(option: str, text: str) -> list[str]:
    """`--of alpha,energy`: names in a row."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _texts(option: str, texts: Iterable[str]) -> dict[str, str]:
    return {name: value for _, name, value in _split(option, texts)}


def _split(option: str, texts: Iterable[str]) -> Iterable[tuple[str, str, str]]:
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            advice = say("For instance: {option} m1=2.0.", option)
            raise ModelError(option, say('expected NAME=VALUE, got "{text}".', text), advice)
        yield text, name.strip(), value.strip()


def _number(option: str, text: str, value: str) -> float:
    from torseur.language.text.given import given_number

    return given_number(value.strip(), f"{option} {text}")
