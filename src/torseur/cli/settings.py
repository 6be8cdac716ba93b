"""NAME=VALUE and NAME=LOW:HIGH on the command line, with units and expressions."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.errors import ModelError
from torseur.mechanism.description import Mechanism


def named_numbers(option: str, texts: Iterable[str]) -> dict[str, float]:
    """`--set F=30 --set theta="40 deg"`: the values by name."""
    return {name: _number(option, text, value) for text, name, value in _split(option, texts)}


def parameters_and_start(
    mechanism: Mechanism, texts: Iterable[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """`--set m=2 --set theta="40 deg"`: parameters, and coordinates or speeds to start from."""
    given = named_numbers("--set", texts)
    parameters = {n: x for n, x in given.items() if n in mechanism.parameter_table}
    return parameters, {n: x for n, x in given.items() if n not in parameters}


def named_ranges(option: str, texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """`--box theta=-1:1`: the limits by name."""
    found = {}
    for text, name, value in _split(option, texts):
        low, colon, high = value.partition(":")
        if not colon:
            advice = f"For instance: {option} theta=-1:1."
            raise ModelError(option, f'expected NAME=LOW:HIGH, got "{text}".', advice)
        found[name] = _number(option, text, low), _number(option, text, high)
    return found


def pair(option: str, text: str) -> tuple[str, str]:
    """`--response x:theta`: two names."""
    first, colon, second = text.partition(":")
    if not colon or not first.strip() or not second.strip():
        advice = f"For instance: {option} x:theta."
        raise ModelError(option, f'expected INPUT:OUTPUT, got "{text}".', advice)
    return first.strip(), second.strip()


def span(option: str, text: str) -> tuple[float, float]:
    """`--frequencies 1:50`: two numbers."""
    low, colon, high = text.partition(":")
    if not colon:
        advice = f"For instance: {option} 1:50."
        raise ModelError(option, f'expected LOW:HIGH, got "{text}".', advice)
    return _number(option, text, low), _number(option, text, high)


def numbers(option: str, text: str) -> list[float]:
    """`--at 0,0.5,2`: numbers in a row."""
    return [_number(option, text, one) for one in text.split(",") if one.strip()]


def _split(option: str, texts: Iterable[str]) -> Iterable[tuple[str, str, str]]:
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            advice = f"For instance: {option} m1=2.0."
            raise ModelError(option, f'expected NAME=VALUE, got "{text}".', advice)
        yield text, name.strip(), value.strip()


def _number(option: str, text: str, value: str) -> float:
    from torseur.algebra.graph import evaluate
    from torseur.language.expression import parse_expression

    try:
        return float(evaluate(parse_expression(value.strip(), {}), {}))
    except ModelError as error:
        raise ModelError(option, f'"{text}": {error.problem}', *error.advice) from None
