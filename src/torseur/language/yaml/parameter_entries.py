"""The sections `parameters` and `definitions`: numbers, and names for expressions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.algebra.core.tabulated import Table
from torseur.algebra.forms.dimensions import dimension
from torseur.errors import ModelError
from torseur.language.text.expression import RESERVED, Names, plain_number
from torseur.language.text.literals import plain_unit, si_factor, si_unit, unknown_unit
from torseur.language.text.measures import Measures
from torseur.language.yaml.fields import Faults, Fields, entries, entry, number, read_parts, text
from torseur.language.yaml.form_mistakes import name_meant
from torseur.language.yaml.source import Item
from torseur.model.description import Parameter
from torseur.words.sentence import say

NO_TABLES: Mapping[str, Table] = {}
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_QUANTITY = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*([^\W\d°].*|°.*)?")


def read_parameters(
    item: Item | None, faults: Faults, tables: Mapping[str, Table], measures: Measures
) -> tuple[dict[str, Parameter], Names]:
    """The parameters of a model, each with its value in SI units; names for expressions of them."""
    declared = item.value if item is not None and isinstance(item.value, Mapping) else {}
    names = names_of(declared, tables, measures)
    for name, part in declared.items():
        _declare(name, part, measures)
    parameters = read_parts(item, faults, _parameter, names)
    return {name: parameters.get(name) or Parameter(name) for name in declared}, names


def names_of(
    table: Collection[str],
    tables: Mapping[str, Table] = NO_TABLES,
    measures: Measures | None = None,
) -> Names:
    """The names of parameters and of tables, for expressions over them."""
    return Names({name: symbol(name) for name in table}, functions=tables, measures=measures)


def _declare(name: str, item: Item, measures: Measures) -> None:
    """The dimension of a parameter from its entry `unit`: all units come before all uses."""
    if isinstance(item.value, str):
        return
    given = entry(item.value, "unit") if isinstance(item.value, Mapping) else None
    unit = plain_unit(given.value) if given is not None and isinstance(given.value, str) else ""
    if unit and dimension(unit) is not None:
        measures.declare(name, unit, str(item.place))


def check_name(name: str, place: str, *hints: str) -> None:
    """Refuse a name that no expression could use; `hints` are advice on it."""
    if name in RESERVED:
        advice = say('Choose another one, for instance "{name}1".', name)
        raise ModelError(place, say('the name "{name}" is reserved.', name), advice)
    if not _IDENTIFIER.fullmatch(name):
        advice = "A name has letters, digits and underscores, and starts with a letter."
        raise ModelError(
            place,
            say('the name "{name}" cannot stand in an expression.', name),
            *(hints or (advice,)),
        )


def _parameter(name: str, item: Item, names: Names) -> Parameter:
    place = str(item.place)
    check_name(name, place, *name_meant(name, item))
    plain = plain_number(item.value) if isinstance(item.value, str) else None
    if plain is not None:
        return Parameter(name, plain, "", "", place)
    dimension_of_name = names.measures.symbols.of_symbol(name) if names.measures else None
    if isinstance(item.value, str):
        return Parameter(
            name, number(item, names, dimension_of_name), _unit_of(item.value), "", place
        )
    fields = Fields(item, "a parameter", ("value", "unit", "meaning"))
    unit_item = fields.item("unit")
    factor = fields.read("unit", None, _factor)
    given = fields.item("value")
    value = None
    if given is not None:
        known = replace(names, units=unit_item is None)
        value = fields.faults.attempt(None, number, given, known, dimension_of_name)
    if value is not None and factor is not None and unit_item is not None:
        value = fields.faults.attempt(None, _to_si, value, factor, unit_item)
    fields.faults.raised()
    unit = si_unit(plain_unit(fields.text("unit")))
    if unit_item is None and given is not None and isinstance(given.value, str):
        unit = _unit_of(given.value)
    return Parameter(name, value, unit, fields.text("meaning"), place)


def _factor(item: Item) -> Expr:
    factor = si_factor(plain_unit(text(item)))
    if factor is None:
        raise item.fault(*unknown_unit(text(item), after_number=False))
    return factor


def _to_si(value: Expr, factor: Expr, unit: Item) -> Expr:
    """A number in its unit becomes SI; an expression over parameters is in SI already."""
    if factor != 1 and free_symbols(value):
        raise unit.fault(
            say(
                "the unit {unit} cannot apply to an expression over parameters, which are in SI.",
                unit,
            ),
            say('Give the unit "{si_unit}", or none.', si_unit(str(unit.value))),
        )
    return value * factor


def _unit_of(written: str) -> str:
    """The SI unit of a number written with a unit, otherwise nothing."""
    quantity = _QUANTITY.fullmatch(written.strip())
    unit = plain_unit(quantity.group(1) or "") if quantity else ""
    return si_unit(unit) if unit and si_factor(unit) is not None else ""


def read_definitions(item: Item | None, names: Names, faults: Faults) -> dict[str, Expr]:
    """The definitions by name; each may use those before it."""
    definitions: dict[str, Expr] = {}
    if item is None:
        return definitions
    nothing: Mapping[str, Item] = {}
    for name, part in faults.attempt(nothing, entries, item).items():
        value = faults.attempt(None, _definition, name, part, names.also(definitions))
        if value is not None:
            definitions[name] = value
    return definitions


def _definition(name: str, item: Item, names: Names) -> Expr:
    place = str(item.place)
    check_name(name, place)
    if name in names.known or name in names.functions:
        problem = say('the name "{name}" is already used in this model.', name)
        raise ModelError(place, problem, say('Choose another one, for instance "{name}1".', name))
    dimension_of_name = names.measures.symbols.of_symbol(name) if names.measures else None
    return number(item, names, dimension_of_name)


def of_time(definitions: Mapping[str, Expr]) -> dict[str, Expr]:
    """Definitions that depend on the time and the parameters only."""
    return {
        name: x
        for name, x in definitions.items()
        if all(s.kind in ("parameter", "time") for s in free_symbols(x))
    }
