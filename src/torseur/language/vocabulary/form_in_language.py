"""A text of the YAML form with the words of another language; names, numbers and comments stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, final

from torseur.language.packaged import EXAMPLES, example_description, packaged_files
from torseur.language.text.place import Place
from torseur.language.vocabulary.entry import FormEntry
from torseur.language.vocabulary.vocabulary import known_entries, name_in, type_names, word_in
from torseur.language.yaml.source import Item, read_text
from torseur.language.yaml.translated_keys import english
from torseur.model.description import GROUND
from torseur.model.joints.catalogue import plain
from torseur.words.catalogue import ENGLISH, translated
from torseur.words.entries import written_key
from torseur.words.sentence import MEANING

_SIGNS = re.compile(r"""[:#,\[\]{}"'&*!|>%@`]|^[-?\s]|\s$""")  # not in a plain text of YAML


@final
class Replacement(NamedTuple):
    """A word of a text and what stands there instead."""

    place: Place
    old: str
    new: str


def example_text(name: str, lang: str) -> str:
    """The text of an example in a language."""
    text = packaged_files(EXAMPLES)[name].read_text(encoding="utf-8")
    if lang == ENGLISH:
        return text
    described = {example_description(name, ENGLISH): example_description(name, lang)}
    return form_in_language(text, lang, described)


def form_in_language(text: str, lang: str, sentences: Mapping[str, str]) -> str:
    """A text with its entries, types and words in a language; `sentences` replace others."""
    lines = text.split("\n")
    changes = _replacements(read_text(text, "text"), "model", lang, sentences)
    for place, old, new in sorted(changes, key=lambda x: (x.place.line, x.place.column))[::-1]:
        line, start = lines[place.line - 1], place.column - 1
        if line.startswith(old, start) and new != old:
            quote = line[start - 1] if start and line[start - 1] in "\"'" else ""
            lines[place.line - 1] = line[:start] + _quoted(new, quote) + line[start + len(old) :]
    return "\n".join(lines)


def _quoted(text: str, quote: str) -> str:
    """A text in the quotation marks around it, or in some where it needs them."""
    if quote == "'":
        return text.replace("'", "''")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    if quote:
        return escaped
    return f'"{escaped}"' if _SIGNS.search(text) else text


def _replacements(
    item: Item, scope: str, lang: str, sentences: Mapping[str, str]
) -> Iterator[Replacement]:
    """Replacements in a mapping of a scope."""
    if not isinstance(item.value, Mapping):
        return
    known = known_entries(scope)
    for key, value in item.value.items():
        entry = known.get(english(key, known))
        if entry is None:
            continue
        yield Replacement(item.keys[key], key, written_key(entry.name, lang))
        if entry.parts and isinstance(value.value, Mapping):
            for part in value.value.values():
                yield from _within(part, entry.parts, lang, sentences)
        else:
            yield from _value(value, entry, scope, lang, sentences)


def _value(
    item: Item, entry: FormEntry, scope: str, lang: str, sentences: Mapping[str, str]
) -> Iterator[Replacement]:
    """Replacements in the value of an entry."""
    if entry.scope and not isinstance(item.value, str):
        yield from _within(item, entry.scope, lang, sentences)
    elif not isinstance(item.value, str):
        yield from _grounds(item, lang)
    elif entry.name == "type":
        names = next((x for x in type_names(scope) if plain(item.value) in map(plain, x)), None)
        yield from [Replacement(item.place, item.value, name_in(names, lang))] if names else []
    elif entry.name in ("description", "meaning"):
        new = sentences.get(item.value) or translated(item.value, lang, MEANING)
        yield Replacement(item.place, item.value, new)
    elif words := {english(x, entry.options) for x in (item.value, plain(item.value))} & {
        *entry.options
    }:
        yield Replacement(item.place, item.value, word_in(words.pop(), lang))
    else:
        yield from _grounds(item, lang)


def _within(
    item: Item, scope: str, lang: str, sentences: Mapping[str, str]
) -> Iterator[Replacement]:
    """Replacements in a part of a scope, in each one of a list, or in a value that stands alone."""
    if isinstance(item.value, tuple) and item.value and isinstance(item.value[0].value, Mapping):
        for one in item.value:
            yield from _replacements(one, scope, lang, sentences)
    elif isinstance(item.value, Mapping):
        yield from _replacements(item, scope, lang, sentences)
    else:
        yield from _grounds(item, lang)


def _grounds(item: Item, lang: str) -> Iterator[Replacement]:
    """The ground, wherever a body is named."""
    if item.value == GROUND:
        yield Replacement(item.place, GROUND, written_key(GROUND, lang))
    elif isinstance(item.value, tuple):
        for one in item.value:
            yield from _grounds(one, lang)
