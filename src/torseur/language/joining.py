"""Models joined: the files of the section `include`, each under a prefix and at its place.

The ground of a model that is included is the body, frame or point it stands on: a body without
mass, fixed there, carries it. What it is read from stays known: errors name its file and line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, final

from torseur.errors import unknown
from torseur.language.imported import robot_form
from torseur.language.meeting import Meeting
from torseur.language.robot.collision_request import CHOICES
from torseur.language.robot.collision_request import KEYS as COLLISION_KEYS
from torseur.language.robot.document import no_gravity
from torseur.language.robot.robot_parts import Reading
from torseur.language.saved import described
from torseur.language.text.files import read_file
from torseur.language.yaml.fields import Fields, entries, entry, listed, text, yes_or_no
from torseur.language.yaml.form import INCLUDE, SECTIONS, included, includes, mechanism_of
from torseur.language.yaml.point_tables import TableFolder, tables_below
from torseur.language.yaml.prefixes import NAMED, PrefixedNames
from torseur.language.yaml.source import Item, read_data, read_text
from torseur.language.yaml.translated_keys import english
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.checks.robot_files import is_robot_file
from torseur.model.description import GROUND, Mechanism
from torseur.words.sentence import say

KEYS = ("file", "prefix", "at", "rotation", "free_base", "limits", "effort", "collisions")
_MERGED = ("bodies", "joints", *(x for x in NAMED if x not in ("bodies", "joints")),
           "initial", "inputs")  # fmt: skip
_DEEPEST = 8  # files that include each other


def joined_mechanism(
    root: Item, name: str, path: Path, tables: str | os.PathLike[str] | None
) -> Mechanism:
    """The mechanism of a model with all that it includes; `path` is where it stands."""
    scene = JoinedSections(_sections(root), tables_below(path.parent, tables))
    scene.include_all(included(root), 0)
    return scene.mechanism(root, name, str(path))


@final
@dataclass(frozen=True)
class ModelForm:
    """Sections of a model, with notices about it."""

    root: Item
    name: str = ""
    source: str = ""
    notices: Sequence[str] = ()

    @property
    def sections(self) -> Mapping[str, Item]:
        """Sections by their English names."""
        return _sections(self.root)


def _sections(root: Item) -> dict[str, Item]:
    """Sections by their English names, without those that include others."""
    known = (*SECTIONS, "phrase")
    named = {english(key, known): item for key, item in entries(root).items()}
    if "phrase" in named:
        advice = "Describe it by bodies and joints in the YAML form."
        raise named["phrase"].fault("a phrase cannot be joined with other models.", advice)
    return {key: item for key, item in named.items() if key != INCLUDE}


def _collisions(item: Item) -> bool | str | dict[str, Any]:
    """The choice of collision shapes of an included model: a word, or entries."""
    if not isinstance(item.value, Mapping):
        word, known = text(item), (*CHOICES, "true", "false")
        if word not in (*known, "yes", "no"):
            raise unknown(str(item.place), "choice of collision shapes", word, known)
        return word if word in CHOICES else yes_or_no(item)
    fields = Fields(item, "a choice of collision shapes", COLLISION_KEYS)
    given: dict[str, Any] = {
        key: fields.read(key, False, yes_or_no)
        for key in ("self", "parts", "balls")
        if fields.item(key) is not None
    }
    for key in ("ground", "friction", "restitution", "srdf"):
        if fields.item(key) is not None:
            given[key] = fields.text(key)
    if given.get("ground") in ("true", "false", "yes", "no"):
        given["ground"] = fields.read("ground", False, yes_or_no)
    if fields.item("named") is not None:
        given["named"] = fields.read("named", False, _links)
    fields.faults.raised()
    return {**given, "parts": given.get("parts", False)}


def _links(item: Item) -> bool | list[str]:
    """Names of links, or whether all are meant."""
    if isinstance(item.value, tuple):
        return [text(x) for x in item.value]
    return yes_or_no(item)


@final
@dataclass
class JoinedSections:
    """Sections to which models are added one by one."""

    sections: dict[str, Item]
    folder: TableFolder
    meeting: Meeting | None = None  # of models whose solids touch each other
    notices: list[str] = field(default_factory=list)

    def mechanism(self, root: Item, name: str, source: str) -> Mechanism:
        """The mechanism of all sections."""
        self.let_meet()
        whole = Item(root.place, self.sections, {x: i.place for x, i in self.sections.items()})
        mechanism = mechanism_of(whole, name, source, self.folder)
        notices = tuple(dict.fromkeys((*self.notices, *mechanism.notices)))
        return described(replace(mechanism, notices=notices), whole.plain)

    def include_all(self, item: Item, depth: int) -> None:
        """Add the models of a section `include`."""
        if depth > _DEEPEST:
            raise item.fault("files include each other in a circle.", "Remove one of the entries.")
        for one in listed(item, INCLUDE):
            fields = Fields(one, "an included model", KEYS)
            file = fields.required("file", "panda.urdf")
            touching: bool | str | dict[str, Any] = fields.read("collisions", False, _collisions)
            if touching and self.meeting is None:
                self.meeting = Meeting()
                self.meeting.add(self.sections)
            stands_elsewhere = fields.item("at") is not None or fields.item("rotation") is not None
            reading = Reading(
                fields.read("free_base", False, yes_or_no),
                limits=fields.text("limits") or None,
                effort=fields.text("effort") or None,
                collisions=touching,
                joined="moved" if stands_elsewhere else "unmoved",
            )
            prefix = fields.text("prefix")
            fields.faults.raised()
            assert file is not None, "its absence was raised"
            model = self.folder.read(file, partial(self._read, reading, depth))
            self.add(model, prefix, one)

    def _read(self, reading: Reading, depth: int, path: Path) -> ModelForm:
        """The sections of a file of a robot or of the YAML form, and of what that includes."""
        if is_robot_file(path.name):
            document, source = robot_form(path, reading)
            root = read_data(document.data, source, document.lines)
            return ModelForm(root, source=source, notices=document.notices)
        root = read_text(read_file(path, LARGEST_FILE, str(path)), str(path))
        inner = JoinedSections(_sections(root), TableFolder(path.parent, self.folder.inside))
        if includes(root):
            inner.include_all(included(root), depth + 1)
            inner.let_meet()
        return ModelForm(Item(root.place, inner.sections), source=str(path), notices=inner.notices)

    def add(self, model: ModelForm, prefix: str, placed: Item) -> None:
        """Add a model, on the body, frame or point that an entry says."""
        mount = self._mount(prefix, placed)
        given = model.sections
        names = PrefixedNames(given, prefix, mount)
        if self.meeting is not None:
            self.meeting.add({x: names.renamed(x) for x in ("bodies", "contacts") if x in given})
        for section in _MERGED:
            if section in given:
                self._merge(section, names.renamed(section), prefix)
        is_its_gravity = "gravity" not in self.sections and "gravity" in given
        if is_its_gravity:
            self.sections["gravity"] = given["gravity"]
        if "frame" in given:
            raise given["frame"].fault("a ground that moves cannot be joined with other models.")
        label = prefix or Path(model.source).name or model.name
        kept_notices = (x for x in model.notices if x != no_gravity() or is_its_gravity)
        self.notices += [say("{words}: {names}", label, notice) for notice in kept_notices]

    def let_meet(self) -> None:
        """Add the contact between the models, where their solids touch each other."""
        between = None if self.meeting is None else self.meeting.contact(self.sections)
        if between is not None:
            self._merge("contacts", between, "")

    def _merge(self, section: str, added: Item, prefix: str) -> None:
        """Put parts of a section beside those that are there."""
        known = self.sections.get(section)
        if known is None or known.value is None:
            self.sections[section] = added
            return
        if isinstance(known.value, tuple) and isinstance(added.value, tuple):
            self.sections[section] = known._replace(value=(*known.value, *added.value))
            return
        first, second = entries(known), entries(added)
        for name, part in second.items():
            if name in first:
                raise part.fault(
                    say('"{name}" is described already, at {place}.', name, str(first[name].place)),
                    say("Give the model a prefix, such as {example}.", f'"{prefix or "left"}_"'),
                )
        keys = {**known.keys, **added.keys}
        self.sections[section] = Item(known.place, {**first, **second}, keys)

    # --- where it stands ----------------------------------------------------------------------

    def _mount(self, prefix: str, placed: Item) -> str:
        """The body that is the ground of a model which an entry places."""
        among = entries(placed)
        at, rotation = entry(among, "at"), entry(among, "rotation")
        if at is None and rotation is None:
            return GROUND
        carrier, offset = at, None
        if at is not None and isinstance(at.value, tuple):
            carrier, offset = listed(at, "at", 2)
        name = GROUND if carrier is None else text(carrier)
        body, steps = self._place(name, carrier or placed)
        has_offset = offset is not None and not (
            isinstance(offset.value, tuple) and all(x.value in ("0", "0.0") for x in offset.value)
        )
        if has_offset or rotation is not None:
            steps = [*steps, (offset if has_offset else None, rotation)]
        for k, (point, turn) in enumerate(steps):
            body = self._fixed(
                body, f"{prefix}mount" + (f"_{k + 1}" if k else ""), point, turn, placed
            )
        return body

    def _place(self, name: str, item: Item) -> tuple[str, list[tuple[Item | None, Item | None]]]:
        """The body of a place and the displacements from its frame."""
        known = {section: self._declared(section) for section in ("bodies", "frames", "points")}
        if name in known["frames"]:
            frame = entries(known["frames"][name])
            body = entry(frame, "body")
            carrier = GROUND if body is None else english(text(body), (GROUND,))
            return carrier, [(entry(frame, "position"), entry(frame, "rotation"))]
        if name in known["points"]:
            carried, position = listed(known["points"][name], "its body and its position", 2)
            body_name, steps = self._place(text(carried), carried)
            return body_name, [*steps, (position, None)]
        if name in known["bodies"]:
            return name, []
        if english(name, (GROUND,)) == GROUND:
            return GROUND, []
        places = (GROUND, *known["bodies"], *known["frames"], *known["points"])
        raise unknown(str(item.place), "place", name, places)

    def _declared(self, section: str) -> Mapping[str, Item]:
        item = self.sections.get(section)
        return item.value if item is not None and isinstance(item.value, Mapping) else {}

    def _fixed(
        self, body: str, name: str, point: Item | None, turn: Item | None, placed: Item
    ) -> str:
        """A body without mass, fixed to another one at a point and with a rotation."""
        bodies, joints = self._declared("bodies"), self._declared("joints")
        number = 2
        free = name
        while free in bodies or free in joints:
            free, number = f"{name}_{number}", number + 1
        place = placed.place

        def item_of(value: Any) -> Item:
            return value if isinstance(value, Item) else Item(place, value)

        joint: dict[str, Item] = {
            "type": item_of("fixed"),
            "bodies": item_of((item_of(body), item_of(free))),
        }
        if point is not None:
            origin = item_of(tuple(item_of("0") for _ in range(3)))
            joint["point"] = item_of((point, origin))
        if turn is not None:
            joint["rotation"] = turn
        self._merge("bodies", Item(place, {free: Item(place, {})}, {free: place}), "")
        self._merge("joints", Item(place, {free: Item(place, joint)}, {free: place}), "")
        return free
