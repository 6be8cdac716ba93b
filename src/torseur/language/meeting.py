"""Contacts between joined models: solids of one touch those of the others, with their friction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, final

from torseur.errors import ModelError, unknown
from torseur.language.robot.collision_contacts import USUAL_FRICTION
from torseur.language.yaml.fields import entries, entry
from torseur.language.yaml.source import Item, read_data
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND
from torseur.words.sentence import say

Sections = Mapping[str, Item]
_LAW = ("friction", "restitution", "combine")
_FIXED = ("fixed",)


@final
@dataclass(frozen=True)
class TouchingBodies:
    """The bodies of a model that have solids, and those that its own contacts are among."""

    names: tuple[str, ...]
    among: tuple[frozenset[str], ...] = ()

    @property
    def strangers(self) -> Iterator[tuple[str, str]]:
        """Pairs of the model that no contact of its own is among."""
        for pair in combinations(self.names, 2):
            if not any(members.issuperset(pair) for members in self.among):
                yield pair


@final
@dataclass
class Meeting:
    """Models of a scene that touch each other."""

    law: Mapping[str, Any] = field(default_factory=dict)
    models: list[TouchingBodies] = field(default_factory=list)

    def add(self, sections: Sections) -> None:
        """Add a model by its sections, whose names are those of the scene."""
        names = tuple(name for name, body in _parts(sections, "bodies") if _has_solids(body))
        among = []
        for _, contact in _parts(sections, "contacts"):
            given = entries(contact)
            listed, normal = entry(given, "among"), entry(given, "normal")
            if listed is not None and normal is None:
                is_list = isinstance(listed.value, tuple)
                members = [str(x.value) for x in listed.value] if is_list else names  # type: ignore[union-attr]
                among.append(frozenset(members))
        if names:
            self.models.append(TouchingBodies(names, tuple(among)))

    def contact(self, sections: Sections) -> Item | None:
        """The contact between the models of a scene; None where fewer than two have solids."""
        if len(self.models) < 2:
            return None
        names = [name for model in self.models for name in model.names]
        without = [*self._joined(sections), *(x for m in self.models for x in m.strangers)]
        law = {"friction": USUAL_FRICTION, "combine": "largest", **self.law}
        pile: dict[str, Any] = {"among": names, **law}
        if without:
            pile["without"] = [list(x) for x in dict.fromkeys(without)]
        return read_data({"meeting": pile}, "collisions")

    def _joined(self, sections: Sections) -> Iterator[tuple[str, str]]:
        """Pairs of two models that are fixed together, or joined by one joint that moves."""
        groups = _Groups(sections)
        for one, other in combinations(self.models, 2):
            for pair in product(one.names, other.names):
                if groups.are_joined(*pair):
                    yield pair


@final
class _Groups:
    """Bodies that are fixed together, and which groups a joint joins; those of the ground too."""

    def __init__(self, sections: Sections) -> None:
        self._first: dict[str, str] = {}
        self._joints: set[frozenset[str]] = set()
        moving = []
        for _, joint in _parts(sections, "joints"):
            given = entries(joint)
            bodies, kind = entry(given, "bodies"), entry(given, "type")
            if bodies is None or not isinstance(bodies.value, tuple) or len(bodies.value) != 2:
                continue
            pair = [english(str(x.value), (GROUND,)) for x in bodies.value]
            if kind is not None and english(str(kind.value), _FIXED) in _FIXED:
                self._first[self.of(pair[0])] = self.of(pair[1])
            elif kind is None or english(str(kind.value), ("free",)) != "free":
                moving.append(pair)
        self._joints = {frozenset(map(self.of, pair)) for pair in moving}

    def of(self, name: str) -> str:
        """The body that stands for all those fixed to one."""
        while name in self._first and self._first[name] != name:
            name = self._first[name]
        return name

    def are_joined(self, one: str, other: str) -> bool:
        """Whether two bodies never move past each other freely."""
        first, second = self.of(one), self.of(other)
        if first == second:
            return True
        pair = frozenset((first, second))
        return pair in self._joints and self.of(GROUND) not in pair


def _parts(sections: Sections, name: str) -> Sequence[tuple[str, Item]]:
    item = sections.get(name)
    if item is None or not isinstance(item.value, Mapping):
        return ()
    return [(key, x) for key, x in item.value.items() if isinstance(x.value, Mapping)]


def _has_solids(body: Item) -> bool:
    given = entries(body)
    solids = entry(given, "collision")
    return (solids is not None and bool(solids.value)) or entry(given, "shape") is not None


def meeting_law(given: bool | Mapping[str, Any]) -> Mapping[str, Any]:
    """The law of an argument `collisions` of joined models."""
    if isinstance(given, bool):
        return {}
    if not isinstance(given, Mapping):
        problem = say("True or a dict is expected, not {given}.", given)
        raise ModelError("collisions", problem, 'For instance: collisions={"friction": 0.5}.')
    for key in given:
        if key not in _LAW:
            raise unknown("collisions", "entry", key, _LAW)
    return given
