"""Parts of a model under other names: a prefix for each, another body as its ground."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from torseur.language.text.literals import plain_unit, si_factor
from torseur.language.yaml.actuator_entries import lags
from torseur.language.yaml.coordinate_entries import claimed_names
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND

NAMED = (  # sections whose keys are names of parts
    *("parameters", "tables", "definitions", "bodies", "joints", "coordinates", "motors"),
    *("forces", "frames", "points", "constraints", "motions", "contacts", "events"),
    *("actuators", "states", "sensors"),
)
_WORDS = (  # entries whose texts are no names
    *("type", "unit", "meaning", "description", "file", "ends", "beyond", "direction", "shape"),
    *("surface", "format", "combine"),
)
_DIRECTIONS = ("axis", "axes", "normal", "line")
_BODIES = ("body", "bodies", "between")
_BY_NAME = ("coefficients",)  # entries whose keys are names
_NAME = re.compile(r"[^\W\d]\w*")
_WITH_UNIT = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*(\S.*)")


@final
@dataclass(frozen=True)
class PrefixedNames:
    """Sections of a model whose names get a prefix, and the body that is its ground."""

    sections: Mapping[str, Item]  # by their English names
    prefix: str
    ground: str

    @cached_property
    def _names(self) -> dict[str, str]:
        """New names by the old ones."""
        names = [name for section in NAMED for name in self._declared(section)]
        for name, joint in self._declared("joints").items():
            names += claimed_names(name, joint)
        names += [f"{name}_{lag}" for name, lag, _ in lags(self._declared("actuators"))]
        return {name: f"{self.prefix}{name}" for name in names} | {GROUND: self.ground}

    @cached_property
    def _joints(self) -> tuple[str, ...]:
        """Beginnings of the default names of coordinates and speeds of joints."""
        names = (
            claimed_names(*pair)[:1] or (pair[0],) for pair in self._declared("joints").items()
        )
        return tuple(f"{name}_" for (name, *_) in names)

    def _declared(self, section: str) -> Mapping[str, Item]:
        item = self.sections.get(section)
        return item.value if item is not None and isinstance(item.value, Mapping) else {}

    def renamed(self, section: str) -> Item:
        """A section under its new names."""
        item = self.sections[section]
        if not isinstance(item.value, Mapping):
            return self._item(item, section)
        name = self._part if section in NAMED else self._text
        return Item(
            item.place,
            {name(key): self._item(part, "") for key, part in item.value.items()},
            {name(key): place for key, place in item.keys.items()},
        )

    def _part(self, name: str) -> str:
        """New name of a part; a contact may be called ground, which it is not."""
        return f"{self.prefix}{name}"

    def _item(self, item: Item, key: str) -> Item:
        """A value of an entry, with all that it holds."""
        if isinstance(item.value, tuple):
            parts = item.value
            if len(parts) == 2 and [type(x.value) for x in parts] == [str, tuple]:
                first, second = parts  # a body and a place on it
                return item._replace(value=(self._item(first, "body"), self._item(second, key)))
            return item._replace(value=tuple(self._item(x, key) for x in parts))
        if isinstance(item.value, Mapping):
            by_name = english(key, _BY_NAME) in _BY_NAME
            name = self._text if by_name else str
            return Item(
                item.place,
                {name(key): self._item(x, key) for key, x in item.value.items()},
                {name(key): place for key, place in item.keys.items()},
            )
        if not isinstance(item.value, str) or english(key, _WORDS) in _WORDS:
            return item
        if english(key, _DIRECTIONS) in _DIRECTIONS and re.fullmatch(r"-?[xyz]", item.value):
            return item
        if english(key, _BODIES) in _BODIES and english(item.value, (GROUND,)) == GROUND:
            return item._replace(value=self.ground)  # of which "0" is a name too
        return item._replace(value=self._text(item.value))

    def _text(self, text: str) -> str:
        """A name, or an expression with names in it; a number with a unit stays as it is."""
        if text in self._names:
            return self._names[text]
        unit = _WITH_UNIT.fullmatch(text)
        if unit is not None and si_factor(plain_unit(unit.group(1))) is not None:
            return text
        return _NAME.sub(lambda match: self._name(match.group()), text)

    def _name(self, name: str) -> str:
        if name in self._names and name != GROUND:
            return self._names[name]
        return f"{self.prefix}{name}" if name.startswith(self._joints) else name
