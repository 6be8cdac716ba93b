"""Frequent mistakes in YAML texts that are not of the form, and advice on them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.words.entries import shown_key
from torseur.words.sentence import say

BRACKETS = "Write lists in brackets, with commas: [1, 2, 3]."
DECIMAL_COMMA = "Is a comma meant as a decimal point?"
_WHOLE = re.compile(r"[-+−]?\d+")
_DIGITS = re.compile(r"\d+\b.*")
_QUANTITY = re.compile(r"[-+−]?[\d.]+\s*[^\W\d]*°?")
_SHORT_KEYS = {  # letters that entries are called by in formulas
    "k": "stiffness", "c": "damping", "b": "damping", "l0": "length", "m": "mass", "i": "inertia",
    "com": "centre", "cog": "centre", "center": "centre", "g": "centre", "mu": "friction",
    "f": "friction", "e": "restitution", "q": "coordinate", "points": "between", "name": "bodies",
    "from": "bodies", "parent": "bodies", "child": "bodies", "origin": "point", "kind": "type",
    "axis": "normal", "normal": "axis", "value": "law", "law": "value",
}  # fmt: skip
_GROUND = (
    *("world", "earth", "base", "frame", "fixed"),
    *("sol", "terre", "monde", "repere", "fixe", "0"),
)


# --- lists --------------------------------------------------------------------------------------


def text_for_list(item: Item, sizes: Sequence[int]) -> tuple[str, ...]:
    """Advice on a text that stands for a list."""
    if not isinstance(item.value, str):
        return ()
    text = item.value.strip()
    if english(item.place.within, ("gravity",)) == "gravity":
        return _gravity(text)
    if text.startswith("("):
        return (BRACKETS,)
    if _QUANTITY.fullmatch(text) and tuple(sizes) == (2,):
        size = text.lstrip("+-− ")
        return (say("Give two values: [-{size}, {size}], for instance.", size),)
    pieces = [x for x in re.split(r"[\s;,]+", text.strip("()")) if x]
    if len(pieces) not in sizes and 2 in sizes:
        pieces = re.split(r"\s*[-/→]\s*", text)
    if len(pieces) > 1 and len(pieces) in sizes:
        return (say("Write a list in brackets, with commas: [{pieces}].", ", ".join(pieces)),)
    if tuple(sizes) == (3,):
        return (say("Write the components along x, y and z: [0, 0, {item}], for instance.", text),)
    return (BRACKETS,)


def _gravity(text: str) -> tuple[str, ...]:
    """A gravity that points down, for a size or an axis."""
    axis = re.fullmatch(r"-?([xyz])", text)
    size = "9.81" if axis or text.startswith("[") else text.lstrip("-−+( ").rstrip(" )")
    up = [axis[1]] if axis else ["y", "z"]
    vectors = {"x": f"[-{size}, 0, 0]", "y": f"[0, -{size}, 0]", "z": f"[0, 0, -{size}]"}
    first, *others = (say("{vector} if {axis} points up", vectors[x], x) for x in up)
    listed = say("{first}, {others}", first, others[0]) if others else first
    return (say("Gravity is a vector that points down: {vectors}.", listed),)


def wrong_count(item: Item, sizes: Sequence[int]) -> tuple[str, ...]:
    """Advice on a list that has too few or too many values."""
    values = item.value if isinstance(item.value, tuple) else ()
    texts = [x.value for x in values if isinstance(x.value, str)]
    if len(values) > max(sizes):
        comma = any(_WHOLE.fullmatch(a) and _DIGITS.fullmatch(b) for a, b in pairwise(texts))
        return (DECIMAL_COMMA,) if comma else ()
    for text in texts:
        pieces = [x for x in re.split(r"\s*;\s*|\s+(?![-+*/]\s)(?<![-+*/]\s)", text) if x]
        if len(values) - 1 + len(pieces) in sizes and len(pieces) > 1:
            first, second = pieces[:2]
            return (say('Is a comma missing between "{a}" and "{b}"?', first, second),)
    if tuple(sizes) == (3,) and len(values) == 2:
        return ("Mechanisms are described in space: add the third component.",)
    return ()


# --- entries ------------------------------------------------------------------------------------


def unknown_entry(item: Item, key: str, known: Collection[str]) -> tuple[str, ...]:
    """Advice on an unknown entry; empty where it may mean anything."""
    entries = item.value if isinstance(item.value, Mapping) else {}
    empty = key in entries and entries[key].value is None
    if empty and re.match(r"[^\W\d]\w*:\S", key):
        name, _, value = key.partition(":")
        return (say('A space is missing after the colon: "{name}: {value}".', name, value),)
    if empty and "=" in key:
        name, _, value = (x.strip() for x in key.partition("="))
        return (say('Write a colon: "{name}: {value}".', name, value),)
    if empty and any(str(x.value or "").startswith("(") for x in entries.values()):
        return (BRACKETS,)
    if empty and _DIGITS.fullmatch(key):
        return (DECIMAL_COMMA,)
    if empty and len(entries) > 1:
        return (*_list_advice(entries, key),)
    full_key = _SHORT_KEYS.get(key.lower(), "")
    if full_key in known and not any(english(x, (full_key,)) == full_key for x in entries):
        return (say('Did you mean "{name}"?', shown_key(full_key)),)
    return (*_indent_advice(entries, key, known),)


def _list_advice(entries: Mapping[str, Item], key: str) -> Iterator[str]:
    """Advice on a word without a value that continues the list before it."""
    before = [*entries][: [*entries].index(key)]
    if before and isinstance(entries[before[-1]].value, str):
        value = entries[before[-1]].value
        yield say(
            'Does it belong to "{key}"? Write lists in brackets: [{value}, {other}].',
            before[-1],
            value,
            key,
        )


def _indent_advice(entries: Mapping[str, Item], key: str, known: Collection[str]) -> Iterator[str]:
    """Advice on a part that stands beside its empty section."""
    if key not in entries or not isinstance(entries[key].value, Mapping):
        return
    before = [*entries][: [*entries].index(key)]
    empty = [x for x in before if english(x, known) in known and entries[x].value is None]
    if empty:
        yield say('Indent it by two spaces, if it belongs to "{section}".', empty[-1])


def ground_meant(name: str, ground: str) -> tuple[str, ...]:
    """Advice on the name of the fixed body."""
    if name.lower() not in _GROUND:
        return ()
    return (say('The body that does not move is called "{ground}".', ground),)


def name_meant(name: str, item: Item) -> tuple[str, ...]:
    """Advice on a name without a value: a decimal comma, or an equals sign for a colon."""
    if item.value is not None:
        return ()
    if "=" in name:
        key, _, value = (x.strip() for x in name.partition("="))
        return (say('Write a colon: "{name}: {value}".', key, value),)
    if re.match(r"[^\W\d]\w*:\S", name):
        key, _, value = name.partition(":")
        return (say('A space is missing after the colon: "{name}: {value}".', key, value),)
    return (DECIMAL_COMMA,) if re.fullmatch(r"\d+(\s*[^\W\d].*)?", name) else ()
