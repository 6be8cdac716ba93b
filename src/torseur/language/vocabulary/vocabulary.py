"""One document for editors: what may stand where in the YAML form and in the phrase.

It follows from the declarations by which descriptions are read, and from the catalogues of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from torseur.language.phrase.phrase_text import OPERATORS
from torseur.language.text.arithmetic import ARGUMENTS
from torseur.language.text.measures import CONSTANTS as NUMBERS
from torseur.language.text.measures import TIME
from torseur.language.vocabulary.entry import (
    JOINT_KINDS,
    KINDS,
    FormEntry,
    declared_entry,
    joint_entry,
)
from torseur.language.vocabulary.form_entries import (
    ALONE,
    SCOPES,
    solid_entries,
    solid_scope,
    type_entry,
)
from torseur.language.yaml.joint_entries import known_keys
from torseur.model.actuator_types import ACTUATORS
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.constraints.contact import CONTACTS
from torseur.model.forces.catalogue import FORCES
from torseur.model.joints.catalogue import JOINTS
from torseur.model.mass.solids import SOLIDS
from torseur.model.sensors import SENSORS
from torseur.words.catalogue import ENGLISH, languages, translated, within
from torseur.words.entries import ENTRY, entry_words, written_key
from torseur.words.sentence import NAME, worded

Document = dict[str, Any]
_BY_TYPE: Mapping[str, Sequence[type[Any]]] = {
    "force": FORCES,
    "constraint": CONSTRAINTS,
    "actuator": ACTUATORS,
    "sensor": SENSORS,
}
_BY_FIRST_KEY: Mapping[str, Sequence[type[Any]]] = {"motion": MOTIONS, "contact": CONTACTS}
_SOLIDS = {solid_scope(x): solid_entries(x) for x in SOLIDS}
_TURN = "rotation about an axis of the frame before: a joint, with its coordinate and its limits"
_SLIDE = (
    "translation along an axis of the frame before: a joint, with its coordinate and its limits"
)
_FIXED_TURN = "rotation about an axis of the frame before: a constant angle"
_FIXED_SLIDE = "translation along an axis of the frame before: a constant length"
_OPERATORS: Mapping[str, tuple[str, str, str]] = {  # by the first and the last letter
    "R": (_TURN, "rad", "{}(q1, -90 deg, 90 deg)"),
    "T": (_SLIDE, "m", "{}(q1, 0, 0.5)"),
    "RK": (_FIXED_TURN, "rad", "{}(30 deg)"),
    "TK": (_FIXED_SLIDE, "m", "{}(L1)"),
}


def vocabulary() -> Document:
    """Scopes with their entries, words of all languages, functions and operators of phrases.

    Explanations are in the language spoken; words that are written are in every language.
    """
    scopes: dict[str, Document] = {name: _scope(name, entries) for name, entries in SCOPES.items()}
    scopes |= {name: {"entries": _listed(entries)} for name, entries in _SOLIDS.items()}
    scopes["joint"]["types"] = [_joint_type(kind) for kind in JOINTS]
    for name, kinds in {**_BY_TYPE, **_BY_FIRST_KEY}.items():
        scopes[name] = _scope(name, tuple(filter(None, [type_entry(name)])))
        scopes[name]["types"] = [
            {**_names(kind.names), "entries": _listed(_declared(kind))} for kind in kinds
        ]
    for name in _BY_FIRST_KEY:
        scopes[name]["byFirst"] = True
    return {
        "scopes": scopes,
        "words": _words(),
        "functions": dict(ARGUMENTS),
        "constants": [*NUMBERS, TIME],
        "operators": [_operator(x) for x in OPERATORS],
    }


def known_entries(scope: str) -> dict[str, FormEntry]:
    """The entries of a scope by name, those of all its types; mappings come before values."""
    known = {x.name: x for x in SCOPES.get(scope) or _SOLIDS.get(scope, ())}
    classes = (*_BY_TYPE.get(scope, ()), *_BY_FIRST_KEY.get(scope, ()))
    declared = [x for kind in classes for x in _declared(kind)]
    declared += [joint_entry(x) for kind in JOINTS for x in kind.keys] if scope == "joint" else []
    chosen = type_entry(scope)
    for entry in (*declared, *([chosen] if chosen else [])):
        if entry.name not in known or entry.scope:
            known[entry.name] = entry
    return known


def type_names(scope: str) -> list[Sequence[str]]:
    """The names of each type that may stand in a scope."""
    kinds = JOINTS if scope == "joint" else _BY_TYPE.get(scope, ())
    return [kind.names for kind in kinds]


def explanations() -> set[str]:
    """Every text by which a value or an entry is explained, in English."""
    entries = [*ALONE.values(), *(x for group in SCOPES.values() for x in group)]
    entries += [x for x in map(type_entry, _BY_TYPE) if x is not None]
    entries += [x for group in _SOLIDS.values() for x in group]
    texts = {x.value for x in entries}
    texts |= {x.value for x in (*KINDS.values(), *JOINT_KINDS.values())}
    return texts | {text for text, _, _ in _OPERATORS.values()}


def _scope(name: str, entries: Iterable[FormEntry]) -> Document:
    alone = {"alone": _entry_document(ALONE[name])} if name in ALONE else {}
    return {"entries": _listed(entries), **alone}


def _listed(entries: Iterable[FormEntry]) -> list[Document]:
    return [_entry_document(x) for x in entries]


def _entry_document(entry: FormEntry) -> Document:
    """An entry, its empty parts left out."""
    whole = {
        "name": entry.name,
        "value": worded(entry.value),
        "unit": entry.unit,
        "example": entry.example,
        "names": entry.names,
        "options": [_option(x) for x in entry.options],
        "scope": entry.scope,
        "parts": entry.parts,
        "required": entry.required,
    }
    return {key: x for key, x in whole.items() if x}


def _declared(kind: type[Any]) -> list[FormEntry]:
    """The entries of a class, each once: some have several units."""
    by_name: dict[str, FormEntry] = {}
    for key in kind.keys:
        by_name.setdefault(key.name, declared_entry(key))
    return list(by_name.values())


def _joint_type(kind: type[Any]) -> Document:
    """A type of joint: entries of its own, and those common to all that it has."""
    return {
        **_names(kind.names),
        "entries": _listed(map(joint_entry, kind.keys)),
        "common": [x for x in known_keys(kind) if x in _COMMON],
    }


_COMMON = {x.name for x in SCOPES["joint"]}


def _names(names: Sequence[str]) -> Document:
    """The name of a type in each language, and all names by which it is read."""
    by_lang = {lang: name_in(names, lang) for lang in languages()}
    return {"name": names[0], "shown": by_lang, "names": sorted({*names, *by_lang.values()})}


def name_in(names: Sequence[str], lang: str) -> str:
    """The translation of a type that is one of its names, else the first of them."""
    known = translated(names[0], lang, NAME).split(", ")
    return next((x for x in known if x in names), known[0])


def _option(word: str) -> Document:
    """A word that is a value, in each language."""
    return {"name": word, "shown": {lang: word_in(word, lang) for lang in languages()}}


def word_in(word: str, lang: str) -> str:
    """A word that is a value, as a language writes it."""
    if lang == ENGLISH:
        return word
    named = within(NAME, lang).get(word)
    return written_key(word, lang) if named is None or word in within(ENTRY, lang) else named


def _words() -> dict[str, dict[str, list[str]]]:
    """The words of each language for entries that it writes otherwise; the first is shown."""
    words: dict[str, dict[str, list[str]]] = {}
    for lang in languages()[1:]:
        for key, known in entry_words(lang).items():
            words.setdefault(key, {})[lang] = [written_key(key, lang), *known[1:]]
    return words


def _operator(name: str) -> Document:
    """An operator of phrases."""
    text, unit, example = _OPERATORS[name[0] + name[2:]]
    return {
        "name": name,
        "value": worded(text),
        "unit": unit,
        "example": example.format(name),
    }
