"""The section `definitions`: names for expressions that forces, laws and relations may use."""

from __future__ import annotations

from collections.abc import Mapping

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import free_symbols
from torseur.errors import ModelError
from torseur.language.text.expression import Names
from torseur.language.yaml.fields import Faults, entries, number
from torseur.language.yaml.parameters import check_name
from torseur.language.yaml.source import Item
from torseur.words.sentence import say


def read_definitions(item: Item | None, names: Names, faults: Faults) -> dict[str, Expr]:
    """What each name stands for; a definition may use those before it."""
    found: dict[str, Expr] = {}
    if item is None:
        return found
    nothing: Mapping[str, Item] = {}
    for name, part in faults.attempt(nothing, entries, item).items():
        value = faults.attempt(None, _definition, name, part, names.also(found))
        if value is not None:
            found[name] = value
    return found


def _definition(name: str, item: Item, names: Names) -> Expr:
    place = str(item.place)
    check_name(name, place)
    if name in names.known or name in names.functions:
        problem = say('the name "{name}" is already used in this model.', name)
        raise ModelError(place, problem, say('Choose another one, for instance "{name}1".', name))
    own = names.measures.symbols.of_symbol(name) if names.measures else None
    return number(item, names, own)


def of_time(definitions: Mapping[str, Expr]) -> dict[str, Expr]:
    """Those that depend on the time and the parameters only."""
    return {
        name: x
        for name, x in definitions.items()
        if all(s.kind in ("parameter", "time") for s in free_symbols(x))
    }
