"""The YAML form as plain values that know where they stand, from a file or from Python data.

Scalars are kept as they are written, so that 0.1 is one tenth; nothing is converted here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple, final

import numpy as np

from torseur.brief import cut
from torseur.errors import ModelError, all_faults
from torseur.language.text.files import read_file
from torseur.language.text.place import Place, WrittenText
from torseur.language.text.text_mistakes import syntax_hint
from torseur.language.yaml.plain_yaml import Entries, Unusual, plain_yaml
from torseur.language.yaml.translated_keys import english, language_of
from torseur.model.checks.limits import LARGEST_FILE
from torseur.words.entries import written_key
from torseur.words.sentence import Sentence, say, worded

MOST_DATA = 10_000_000  # values of Python data
DEEPEST = 12  # lists and mappings within each other; the form needs six
MOST_BRACKETS = 100  # open at once; a cheap test before the parser, whose stack they would fill

# How a part of a section is called in a message.
PARTS = {"bodies": "body", "initial": "initial"} | {
    f"{part}s": part
    for part in (
        *("parameter", "table", "definition", "joint", "motor", "force", "frame", "point"),
        *("constraint", "motion", "contact", "event", "state", "actuator", "sensor"),
    )
}
_NO_KEYS: Mapping[str, Place] = {}


@final
class Item(NamedTuple):
    """A value of the YAML form: a text, a list, a mapping or nothing, and its place."""

    place: Place
    value: str | tuple[Item, ...] | Mapping[str, Item] | None
    keys: Mapping[str, Place] = _NO_KEYS  # where the keys of a mapping stand

    def __str__(self) -> str:
        """A short form for messages."""
        if self.value is None:
            return say("nothing")
        if isinstance(self.value, str):
            return say('"{value}"', cut(self.value, 40))
        if isinstance(self.value, tuple):
            return say("a list of {number}", len(self.value))
        return say("a mapping with {value}", ", ".join(self.value) or say("no entry"))

    @property
    def plain(self) -> Any:
        """Texts, lists and dicts, as they are written."""
        if isinstance(self.value, tuple):
            return [x.plain for x in self.value]
        if isinstance(self.value, Mapping):
            return {key: x.plain for key, x in self.value.items()}
        return self.value

    def fault(self, problem: str, *advice: str) -> ModelError:
        """An error at this value."""
        return ModelError(str(self.place), problem, *advice)


def read_yaml(path: str | os.PathLike[str], *advice: str) -> Item:
    """The values of a YAML file; `advice` is for who has none there."""
    try:
        return read_text(read_file(Path(path), LARGEST_FILE, str(path)), str(path))
    except FileNotFoundError:
        problem = say('the file "{path}" does not exist.', Path(path).name)
        raise ModelError(str(path), problem, *advice) from None


def read_text(text: str, source: str) -> Item:
    """The values of a YAML text; `source` is the name of its file."""
    if _open_brackets(text) > MOST_BRACKETS:
        raise _too_deep(Place(source))
    try:
        return _ItemBuilder(source, len(text) + 100, lambda node: node).finished(plain_yaml(text))
    except Unusual:
        return _fully_read(text, source)


def _fully_read(text: str, source: str) -> Item:
    """The values of a YAML text, whatever it uses; the errors of one that is wrong."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        node = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        raise _yaml_fault(error, text, source) from None
    except YAMLError as error:
        first = str(error).split("\n")[0].rstrip(".")
        raise ModelError(source, say("the YAML cannot be read: {problem}.", first)) from None
    except RecursionError:
        raise _too_deep(Place(source)) from None
    if node is None:
        raise ModelError(source, "the file is empty.", _MINIMUM)
    return _ItemBuilder(source, len(text) + 100, _node_parts).finished(node)


Lines = Mapping[tuple[str, str], int]  # (section, name) → the line of a file that says it
_NO_LINES: Lines = {}


def read_data(data: Mapping[str, Any], source: str = "model", lines: Lines = _NO_LINES) -> Item:
    """The values of a model given as Python dictionaries, lists, texts and numbers.

    Of data that were made from a file, `lines` says where its parts were.
    """
    reader = _DataReader(source, lines)
    item = reader.item(data, (), Place(source))
    if reader.faults:
        raise all_faults(reader.faults)
    return item


_HELD = (str, int, float, bool, type(None))  # by YAML
_MINIMUM = "A model has at least the sections bodies and joints."


# --- building -----------------------------------------------------------------------------------


@final
class _ItemBuilder:
    """Values built so far: their number is bounded, and repeated keys are collected."""

    def __init__(
        self, source: str, most: int, parts: Callable[[Any], tuple[Any, int, int]]
    ) -> None:
        self.source = source
        self.most = most  # a text without aliases holds fewer values than characters
        self.parts = parts  # content, line and column of a raw value
        self.count = 0
        self.faults: list[ModelError] = []

    def finished(self, raw: Any) -> Item:
        item = self.built(raw, (), "")
        if self.faults:
            raise all_faults(self.faults)
        return item

    def built(self, raw: Any, path: tuple[str, ...], within: str) -> Item:
        """An item and all that it holds."""
        content, line, column = self.parts(raw)
        place = Place(self.source, line, column, within)
        self.count += 1
        if len(path) > DEEPEST:
            raise _too_deep(place)
        if self.count > self.most:
            raise _too_many(place, self.most)
        if isinstance(content, list):
            listed = [
                self.built(x, (*path, str(k)), _within(within, path, str(k)))
                for k, x in enumerate(content)
            ]
            return Item(place, tuple(listed))
        if not isinstance(content, Entries):
            return Item(place, content)
        entries: dict[str, Item] = {}
        keys: dict[str, Place] = {}
        for key, raw_value, key_line, key_column in content.pairs:
            part = _within(within, path, key)
            key_place = Place(self.source, key_line, key_column, part)
            if key in entries:
                self.faults.append(_repeated_key(key, key_place))
            item = self.built(raw_value, (*path, key), part)
            if not isinstance(item.value, str):  # it is found by its name
                item = Item(key_place, item.value, item.keys)
            entries[key], keys[key] = item, key_place
        return Item(place, entries, keys)


@final
class _DataReader:
    """Python data as values: each stands where its key does, and where a line is known, there."""

    def __init__(self, source: str, lines: Lines) -> None:
        self.source, self.lines = source, lines
        self.count = 0
        self.faults: list[ModelError] = []

    def item(self, data: Any, path: tuple[str, ...], place: Place) -> Item:
        """An item and all that it holds."""
        if type(data) is str:  # most values are texts and numbers: they are asked for first
            return Item(place, data)
        if type(data) is float:
            return Item(place, repr(data))
        if isinstance(data, np.ndarray):
            data = data.tolist()
        if isinstance(data, list | tuple):
            inner = [self.entry(str(k), x, path, place) for k, x in enumerate(data)]
            return Item(place, tuple(inner))
        if not isinstance(data, Mapping):
            return Item(
                place, data if data is None or isinstance(data, str) else _number_text(data)
            )
        entries: dict[str, Item] = {}
        for key, x in data.items():
            name = str(key)
            entry = self.entry(name, x, path, place)
            if name in entries:
                self.faults.append(_repeated_key(name, entry.place))
            entries[name] = entry
        return Item(place, entries, {key: x.place for key, x in entries.items()})

    def entry(self, key: str, data: Any, path: tuple[str, ...], place: Place) -> Item:
        """A value of a list or of a mapping."""
        self.count += 1
        inner = (*path, key)
        place = _place_in_data(self.source, self.lines, inner, _within(place.within, path, key))
        if place.line:
            return _located(data, place)
        if len(inner) > DEEPEST:
            raise _too_deep(place)
        if self.count > MOST_DATA:
            raise _too_many(place, MOST_DATA)
        return self.item(data, inner, place)


def _place_in_data(source: str, lines: Lines, path: tuple[str, ...], within: str) -> Place:
    """The line that a part was made from, or the way to a value."""
    line = lines.get((path[0], path[1]), 0) if lines and len(path) > 1 else 0
    return Place(source if line else ".".join((source, *path)), line, 0, within)


def place_of_part(section: str, name: str, source: str, lines: Lines = _NO_LINES) -> Place:
    """The place of a part of data that were made from a file."""
    return _place_in_data(source, lines, (section, name), _within(section, (section,), name))


def _located(data: Any, place: Place) -> Item:
    """A value that was made from a line of a file: all of it stands there."""
    kind = type(data)
    if kind is str:
        return Item(place, data)
    if kind is list or kind is tuple:
        return Item(place, tuple([_located(x, place) for x in data]))
    if kind is dict:
        entries = {key: _located(x, place) for key, x in data.items()}
        return Item(place, entries, dict.fromkeys(entries, place))
    return Item(place, _number_text(data))


def _within(within: str, path: tuple[str, ...], key: str) -> str:
    """The section, then the part of it, that an entry belongs to."""
    if not path:
        return key
    part = _part(path[0]) if len(path) == 1 else ""
    return f'{part} "{key}"' if part else within


def _repeated_key(key: str, place: Place) -> ModelError:
    return ModelError(str(place), say('the key "{key}" is repeated.', key), "Keep one of them.")


def _too_many(place: Place, most: int) -> ModelError:
    problem = say("the model holds more than {most} values.", most)
    return ModelError(str(place), problem, _ALIASES)


def _part(section: str) -> str:
    """Name of a part of a section, in the language of the section."""
    if section in PARTS:
        return PARTS[section]
    known = english(section, PARTS)
    if known not in PARTS:
        return ""
    return written_key(known, language_of(section, known)).removesuffix("s")


_ALIASES = "Do aliases repeat each other?"


def _open_brackets(text: str) -> int:
    """Largest number of brackets and braces that are open at once."""
    most = depth = 0
    for character in re.findall(r"[\[\]{}]", text):
        depth = depth + 1 if character in "[{" else max(0, depth - 1)
        most = max(most, depth)
    return most


def _too_deep(place: Place) -> ModelError:
    advice = "Does an alias contain itself, or is a bracket not closed?"
    return ModelError(
        str(place), say("more than {deepest} lists and mappings are nested.", DEEPEST), advice
    )


# --- raw values ---------------------------------------------------------------------------------


def _node_parts(node: Any) -> tuple[Any, int, int]:
    """The content of a YAML node, with the line and column where its text starts."""
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    if isinstance(node.value, str):
        plain = node.style is None
        empty = plain and node.value in ("", "~", "null", "Null", "NULL")
        return None if empty else node.value, line, column if plain else column + 1
    if node.value and isinstance(node.value[0], tuple):
        return Entries(list(_node_pairs(node.value))), line, column
    is_mapping = type(node).__name__ == "MappingNode"
    return Entries([]) if is_mapping else list(node.value), line, column


def _node_pairs(pairs: list[tuple[Any, Any]]) -> Iterator[tuple[str, Any, int, int]]:
    for key, value in pairs:
        text = key.value if isinstance(key.value, str) else "?"
        yield text, value, key.start_mark.line + 1, key.start_mark.column + 1


def writable(data: Any) -> Any:
    """A copy of Python data as YAML can hold them: other numbers and formulas as texts."""
    if isinstance(data, np.ndarray | np.generic):
        data = data.tolist()
    if isinstance(data, Mapping):
        return {key: writable(x) for key, x in data.items()}
    if isinstance(data, list | tuple):
        return [writable(x) for x in data]
    return data if type(data) in _HELD else _number_text(data)


def _number_text(data: Any) -> str:
    """A number as it would be written; a fraction as a quotient."""
    if type(data) is float or type(data) is int:
        return repr(data)
    if isinstance(data, Real) and not isinstance(data, bool):
        exact = Fraction(data) if isinstance(data, int | Fraction) else None
        return str(exact) if exact is not None else repr(float(data))
    return str(data)


def _yaml_fault(error: Any, text: str, source: str) -> ModelError:
    mark = error.problem_mark or error.context_mark
    message = _parser_says(error.problem or error.context)
    problem = say("the YAML cannot be read: {problem}.", message)
    if mark is None:
        return ModelError(source, problem)
    written = WrittenText(text, Place(source, 1, 1))
    lines = text.split("\n")
    line = min(mark.line, len(lines) - 1)
    point = Place("", line + 1, min(mark.column, len(lines[line])) + 1)
    start = error.context_mark
    where = say(", which starts at line {line}", start.line + 1) if start is not None else ""
    begun = None if start is None else start.line
    advice = tuple(syntax_hint(lines, line, error.problem or "", begun))
    if error.context and not advice:
        advice = (say("This happened {context}{where}.", _foreign_text(error.context), where),)
    return written.fault(point, problem, *advice)


def _parser_says(text: str) -> str:
    """The message of the YAML parser in the language spoken; quoted text stays."""
    expectation, _, quoted = text.partition(", but got ")
    if quoted:
        ends = quoted == "'<stream end>'"
        quoted = worded("the end of the text") if ends else quoted
        return say("{wanted}, but got {found}", _foreign_text(expectation), quoted)
    expectation, _, quoted = text.partition(", but found ")
    if quoted:
        return say("{wanted}, but found {found}", _foreign_text(expectation), quoted)
    sign = text.removeprefix("found character ").removesuffix(" that cannot start any token")
    if len(sign) < len(text):
        return say("found character {sign} that cannot start any token", sign)
    return _foreign_text(text)


def _foreign_text(text: str) -> Sentence:
    """A text of others as a sentence without values."""
    return Sentence(text.replace("{", "{{").replace("}", "}}"), {})
