"""A model whose mechanism is a description phrase: the YAML form gives it a name and values."""

from __future__ import annotations

from dataclasses import replace

from torseur.errors import unknown
from torseur.language.phrase.mechanism import phrase_mechanism
from torseur.language.text.measures import Measures
from torseur.language.yaml.fields import Faults, Fields, listed, text
from torseur.language.yaml.parameters import read_parameters
from torseur.language.yaml.source import Item
from torseur.model.checks.mechanism import require_valid
from torseur.model.description import Mechanism

KEYS = ("torseur", "name", "description", "phrase", "masses", "gravity", "parameters")


def phrase_form(root: Item, phrase: Item, name: str) -> Mechanism:
    """The mechanism of the entries `phrase`, `masses` and `gravity`, with values of parameters."""
    faults = Faults()
    fields = Fields(root, "a model given by a phrase", KEYS, faults)
    measures = Measures()
    valued = read_parameters(fields.item("parameters"), faults, {}, measures)
    gravity = fields.item("gravity")
    field = None if gravity is None else [text(x) for x in listed(gravity, "gravity", 3)]
    masses = fields.text("masses") or None
    faults.raised()
    read = phrase_mechanism(
        text(phrase), masses=masses, gravity=field, name=fields.text("name", name)
    )
    table = dict(read.parameter_table)
    for key, parameter in valued.items():
        if key not in table:
            raise unknown(parameter.place, "parameter", key, table)
        table[key] = replace(table[key], value=parameter.value, meaning=parameter.meaning)
    described = replace(read, parameter_table=table, description=fields.text("description"))
    return require_valid(described)
