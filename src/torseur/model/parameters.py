"""Parameters: named numbers, which may be defined from one another, and their values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.core.expr import Expr, number
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.dimensions import Dimension
from torseur.errors import ModelError, unknown
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class Parameter:
    """A named number: its value (None while the user has not given one), unit and meaning."""

    name: str
    value: Expr | None = None  # over other parameters, in SI
    unit: str = ""
    meaning: str = ""
    place: str = ""
    dimension: Dimension | None = None  # from its unit and from where it is used


def order(table: Mapping[str, Parameter]) -> list[str]:
    """The parameters, each after those it is defined from; a cycle is named."""
    needs = {name: needed for name, p in table.items() if (needed := _names_in(p.value))}
    done: dict[str, None] = {}
    for start in table:
        if start not in needs:
            done[start] = None
            continue
        path = [start]
        while path:
            name = path[-1]
            waiting = [n for n in needs.get(name, ()) if n not in done]
            if not waiting:
                done[name] = None
                path.pop()
                continue
            following = waiting[0]
            if following not in table:
                raise unknown(table[name].place, "parameter", following, table)
            if following in path:
                raise _cycle(table, [*path[path.index(following) :], following])
            path.append(following)
    return list(done)


def _names_in(definition: Expr | None) -> list[str]:
    """The parameters that a definition is made of."""
    if definition is None or definition.op == "number":
        return []
    return [x.name for x in free_symbols(definition)]


def _cycle(table: Mapping[str, Parameter], names: list[str]) -> ModelError:
    chain = " → ".join(names)
    return ModelError(
        table[names[0]].place,
        say("parameters are defined from each other in a circle: {chain}.", chain),
        say('Give a number to one of them, for instance "{names}".', names[0]),
    )


def values(
    table: Mapping[str, Parameter], given: Mapping[str, float] | None = None
) -> dict[str, float | None]:
    """The number behind each parameter; `given` values come first, and definitions follow them."""
    given = given or {}
    for name in given:
        if name not in table:
            raise unknown("parameters", "parameter", name, table)
    numbers: dict[str, float | None] = {
        name: float(x.value[1])
        for name, p in table.items()
        if (x := p.value) is not None and x.op == "number"
    }
    numbers.update((name, float(value)) for name, value in given.items())
    for name in order(table) if len(numbers) < len(table) else ():
        definition = table[name].value
        if name not in numbers:
            numbers[name] = None if definition is None else _value(definition, numbers)
    return {name: numbers[name] for name in table}


def with_values(table: Mapping[str, Parameter], given: Mapping[str, float]) -> dict[str, Parameter]:
    """The parameters with other values of some."""
    return {
        name: replace(p, value=number(given[name])) if name in given else p
        for name, p in table.items()
    }


def _value(definition: Expr, known: Mapping[str, float | None]) -> float | None:
    needed = [x.name for x in free_symbols(definition)]
    if any(known[name] is None for name in needed):
        return None
    with np.errstate(all="ignore"):  # a value that is not finite is an error of its own
        return float(evaluate(definition, {name: known[name] for name in needed}))
