"""The section `events`: instants looked for."""

from __future__ import annotations

from torseur.errors import unknown
from torseur.language.text.expression import Names
from torseur.language.yaml.fields import Faults, Fields, number
from torseur.language.yaml.fields import text as text_of
from torseur.language.yaml.source import Item
from torseur.model.description import Event
from torseur.words.sentence import say

DIRECTIONS = {"both": 0, "rising": 1, "falling": -1}


def read_event(name: str, item: Item, varying: Names) -> Event:
    """An event: an expression, or `zero` with a direction and whether to stop."""
    if isinstance(item.value, str):
        return Event(name, number(item, varying, None), place=str(item.place))
    faults = Faults()
    fields = Fields(item, "an event", ("zero", "direction", "stop"), faults)
    fields.required("zero", "theta - 90 deg")
    zero = fields.number("zero", varying, None)
    direction = fields.read("direction", 0, _direction)
    stop = fields.read("stop", False, _yes_or_no)
    faults.raised()
    return Event(name, zero, direction, stop, str(item.place))


def _direction(item: Item) -> int:
    if text_of(item) not in DIRECTIONS:
        raise unknown(str(item.place), "direction", text_of(item), DIRECTIONS)
    return DIRECTIONS[text_of(item)]


def _yes_or_no(item: Item) -> bool:
    word = text_of(item).lower()
    if word not in ("true", "false"):
        raise item.fault(say("true or false is expected, not {item}.", item))
    return word == "true"
