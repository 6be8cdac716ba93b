"""The joints by name, in English and in French, with or without accents."""

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TypeVar

from torseur.errors import ModelError, suggestion, unknown
from torseur.model.joints.defined import Defined
from torseur.model.joints.freedoms import Freedom, Helix, Slide, Turn, in_order
from torseur.model.joints.library import (
    AnnularContact,
    Cylindrical,
    Distance,
    Fixed,
    Free,
    LineContact,
    ParallelAxes,
    Planar,
    PointContact,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)
from torseur.model.joints.protocol import JointType
from torseur.words.catalogue import languages, translated, within
from torseur.words.language import chosen
from torseur.words.sentence import NAME, Sentence, say

JOINTS: list[type[JointType]] = [
    Fixed,
    Revolute,
    Prismatic,
    Cylindrical,
    Screw,
    Universal,
    Spherical,
    Planar,
    LineContact,
    AnnularContact,
    PointContact,
    ParallelAxes,
    Free,
    Distance,
    Defined,
]

Kind = TypeVar("Kind")


@lru_cache(maxsize=4096)  # descriptions use the same words all over
def plain(name: str) -> str:
    """A name without accents, case, hyphens or underscores."""
    letters = unicodedata.normalize("NFKD", name.lower())
    base = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(base.replace("-", " ").replace("_", " ").split())


_BY_NAME = {plain(name): joint for joint in JOINTS for name in joint.names}


def add_joint(kind: type[JointType]) -> type[JointType]:
    """Put a joint into the catalogue; the decorator of its class, whose fields have defaults."""
    place, freedoms = f"joint {kind.__name__}", kind().freedoms
    duplicates = [name for name in kind.names if plain(name) in _BY_NAME]
    if duplicates:
        problem = say('a joint called "{name}" exists already.', duplicates[0])
        raise ModelError(place, problem, "Choose another name.")
    if freedoms is not None and not in_order(freedoms):
        listed = ", ".join(map(str, freedoms))
        advice = "Slides come first, each along its own axis; then a turn, two turns, or a ball."
        raise ModelError(place, say("its freedoms ({shown}) are not in order.", listed), advice)
    JOINTS.append(kind)
    _BY_NAME.update((plain(name), kind) for name in kind.names)
    return kind


def remove_joint(kind: type[JointType]) -> None:
    """Take a joint out of the catalogue."""
    JOINTS.remove(kind)
    for name in kind.names:
        del _BY_NAME[plain(name)]


def joint_of(freedom: Freedom) -> JointType:
    """The joint that has one elementary freedom only."""
    if isinstance(freedom, Slide):
        return Prismatic(freedom.axis)
    if isinstance(freedom, Turn):
        return Revolute(freedom.axis)
    return Screw(freedom.axis, freedom.lead) if isinstance(freedom, Helix) else Spherical()


def shown_name(names: tuple[str, ...], lang: str | None = None) -> str:
    """The name of a type in a language; of its translations the one among its own, or the first."""
    translations = translated(names[0], chosen(lang), NAME).split(", ")
    return next((x for x in translations if x in names), translations[0])


@cache
def _english_names() -> dict[str, list[str]]:
    """The English names of types by those that catalogues give them."""
    english_by_name: dict[str, list[str]] = {}
    for lang in languages():
        for english, names in within(NAME, lang).items():
            for name in names.split(", "):
                english_by_name.setdefault(plain(name), []).append(plain(english))
    return english_by_name


def type_called(name: str, known: Mapping[str, Kind]) -> Kind | None:
    """The type of a name, in any language; `known` are types by their names without accents."""
    word = plain(name)
    if word in known:
        return known[word]
    return next((known[x] for x in _english_names().get(word, ()) if x in known), None)


def called(kind: type[JointType] | JointType) -> str:
    """Name of a joint of this type in a sentence."""
    name = kind.names[0]
    return Sentence(f"{'an' if name[0] in 'aeio' else 'a'} {name} joint", {})


def joint_class(name: str, place: str) -> type[JointType]:
    """The joint type of this name."""
    kind = type_called(name, _BY_NAME)
    if kind is None:
        fault = unknown(place, "joint type", name, [shown_name(x.names) for x in JOINTS])
        close = suggestion(name, [n for joint in JOINTS for n in joint.names])
        raise ModelError(place, fault.problem, fault.advice[0], *close)
    return kind
