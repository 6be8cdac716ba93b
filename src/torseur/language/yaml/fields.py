"""Reading the entries of one part of a model, with every error collected on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, final

from torseur.algebra.core.expr import ZERO, Expr
from torseur.algebra.core.graph import in_array
from torseur.errors import ModelError, all_faults, suggestion, unknown
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.measures import Expected
from torseur.language.yaml.form_mistakes import text_for_list, unknown_entry, wrong_count
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english, meanings, written_as
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.catalogue import plain
from torseur.spatial.in_words import listed as in_a_row
from torseur.spatial.vectors import Array
from torseur.words.catalogue import languages
from torseur.words.entries import shown_key, written_key
from torseur.words.sentence import Sentence, say, worded

T = TypeVar("T")
U = TypeVar("U")
_NO_ENTRIES: Mapping[str, Item] = {}
_YES_OR_NO = ("yes", "no", "true", "false")


@final
class Faults:
    """The errors so far, in order."""

    def __init__(self) -> None:
        self.found: list[ModelError] = []

    def attempt(self, otherwise: U, reading: Callable[..., T], *arguments: Any) -> T | U:
        """The result of a reading; if it fails, its errors are kept and `otherwise` returned."""
        try:
            return reading(*arguments)
        except ModelError as error:
            self.found.extend(error.faults)
            return otherwise

    def add(self, error: ModelError) -> None:
        """One more error."""
        self.found.append(error)

    def raised(self) -> None:
        """Raise the errors, all at once."""
        if self.found:
            raise all_faults(self.found)


@final
class Fields:
    """The entries of a mapping; those that have no meaning are errors.

    A scalar stands for the entry `alone`, where there is one.
    """

    def __init__(
        self,
        item: Item,
        what: str,
        known: Collection[str],
        faults: Faults | None = None,
        alone: str = "",
    ) -> None:
        self.at, self.faults = item, Faults() if faults is None else faults
        if alone and isinstance(item.value, str):
            item = Item(item.place, {alone: item})
        self._entries = self.faults.attempt(_NO_ENTRIES, entries, item)
        self._words = _words(tuple(self._entries))  # how each entry is written
        read_keys: set[str] = set()
        for key in self._entries:
            meaning = english(key, known)
            if meaning not in known:
                self.faults.add(_unknown_key(item, key, what, known))
            elif meaning in read_keys:
                problem = say('the key "{key}" is repeated.', key)
                place = item.keys.get(key, item.place).inside(item.place.within)
                self.faults.add(ModelError(str(place), problem, "Keep one of them."))
            read_keys.add(meaning)

    def item(self, key: str) -> Item | None:
        """An entry, None when it is absent or empty."""
        word = self._words.get(key)
        entry_item = None if word is None else self._entries[word]
        return None if entry_item is None or entry_item.value is None else entry_item

    def refuse(self, key: str) -> None:
        """An entry that has no meaning beside the others is an error."""
        key = self._words.get(key, key)
        problem = say('the entry "{key}" cannot be combined with the others.', key)
        place = self.at.keys.get(key, self.at.place).inside(self.at.place.within)
        advice = say('Leave out "{key}", or the entries that exclude it.', key)
        self.faults.add(ModelError(str(place), problem, advice))

    def declared(self, section: str) -> Mapping[str, Item]:
        """The parts of a section by name, whether or not they can be read."""
        value = getattr(self.item(section), "value", None)
        return value if isinstance(value, Mapping) else _NO_ENTRIES

    def lacks(self, section: str) -> bool:
        """Whether a section is not there, or empty; a list in its place is something."""
        return not getattr(self.item(section), "value", None)

    def required(self, key: str, example: str) -> Item | None:
        """An entry that must exist; its absence is an error."""
        entry_item = self.item(key)
        if entry_item is None:
            key = shown_key(key)
            problem = say('the entry "{key}" is missing.', key)
            self.faults.add(
                self.at.fault(problem, say("Example: {key}: {example}", key, worded(example)))
            )
        return entry_item

    def read(self, key: str, otherwise: U, reading: Callable[..., T], *arguments: Any) -> T | U:
        """The result of reading an entry, `otherwise` when it is absent or wrong."""
        entry_item = self.item(key)
        if entry_item is None:
            return otherwise
        return self.faults.attempt(otherwise, reading, entry_item, *arguments)

    def text(self, key: str, otherwise: str = "") -> str:
        """A text."""
        return self.read(key, otherwise, text)

    def number(self, key: str, names: Names, expected: Expected, otherwise: Expr = ZERO) -> Expr:
        """An expression."""
        return self.read(key, otherwise, number, names, expected)

    def vector(self, key: str, names: Names, expected: Expected) -> Array:
        """Three expressions, zero when there are none."""
        return self.read(key, no_vector(), vector, names, expected)


@lru_cache(maxsize=1024)
def _words(keys: tuple[str, ...]) -> Mapping[str, str]:
    """Keys as written, by themselves and by the English words that they may stand for."""
    words = {key: key for key in keys}
    for key in keys:
        for meaning in meanings(key):
            words.setdefault(meaning, key)
    return words


def entry(among: Mapping[str, Item], key: str) -> Item | None:
    """The entry of an English key, in whichever language it is written."""
    word = key if key in among else written_as(key, among)
    return None if word is None else among[word]


def entries(item: Item, what: str = "") -> Mapping[str, Item]:
    """The entries of a mapping; nothing counts as an empty one."""
    if item.value is None:
        return {}
    if not isinstance(item.value, Mapping):
        problem = say(
            "{intro}a mapping of names to values is expected, not {item}.", _intro(what), item
        )
        dashes = "Give each a name and a colon in place of its dash."
        raise item.fault(problem, *((dashes,) if isinstance(item.value, tuple) else ()))
    return item.value


def _intro(what: str) -> str:
    return say("{what}: ", worded(what)) if what else ""


def read_parts(
    item: Item | None, faults: Faults, reading: Callable[..., T], *arguments: Any
) -> dict[str, T]:
    """The parts of a section by name; those with errors are left out."""
    if item is None:
        return {}
    parts: dict[str, T] = {}
    for name, part in faults.attempt(_NO_ENTRIES, entries, item).items():
        before = len(faults.found)
        result = faults.attempt(None, reading, name, part, *arguments)
        if result is not None and len(faults.found) == before:
            parts[name] = result
    return parts


def listed(item: Item, what: str, *sizes: int) -> tuple[Item, ...]:
    """The values of a list that has one of the given sizes (any, when none is given)."""
    counts = in_a_row([str(size) for size in sizes], "or")
    if not isinstance(item.value, tuple):
        size = say(" of {wanted} values", counts) if sizes else ""
        problem = say("{intro}a list{size} is expected, not {item}.", _intro(what), size, item)
        raise item.fault(problem, *text_for_list(item, sizes))
    count = len(item.value)
    if sizes and count not in sizes:
        problem = say(
            "{intro}{wanted} values are expected, not {count}.", _intro(what), counts, count
        )
        raise item.fault(problem, *wrong_count(item, sizes))
    return item.value


def text(item: Item) -> str:
    """A scalar as it is written."""
    if not isinstance(item.value, str):
        raise item.fault(say("a text is expected, not {item}.", item))
    return item.value


def option(item: Item, what: str, options: Mapping[str, T]) -> T:
    """Meaning of one of some words, with or without accents and capitals."""
    word = english(plain(text(item)), options)
    if word not in options:
        raise unknown(str(item.place), what, text(item), _accented(options))
    return options[word]


def _accented(words: Iterable[str]) -> Iterable[str]:
    """Words as messages name them, each once: with accents where there are some."""
    ordered = sorted(map(shown_key, words), key=str.isascii, reverse=True)
    return {plain(x): x for x in ordered}.values()


def yes_or_no(item: Item) -> bool:
    """A scalar that says yes (true) or no (false)."""
    word = english(text(item).lower(), _YES_OR_NO)
    if word not in _YES_OR_NO:
        raise item.fault(say("yes or no is expected, not {item}.", item))
    return word in ("yes", "true")


def number(item: Item, names: Names, expected: Expected) -> Expr:
    """A scalar as an expression over the known names, of an expected dimension."""
    if not isinstance(item.value, str):
        raise item.fault(say("a number or an expression is expected, not {item}.", item))
    if item.value[-1:] in "fnFN" and item.value.lower().lstrip("+-.") in ("inf", "nan"):
        raise item.fault(say("{item} is not a finite number.", item.value), "Leave the entry out.")
    return parse_expression(item.value, names, item.place, expected)


def numbers(items: Iterable[Item], names: Names, expected: Expected) -> Array:
    """Several expressions; their errors are raised together."""
    listed_items = tuple(items)
    try:
        values = [number(item, names, expected) for item in listed_items]
    except ModelError:
        faults = Faults()
        values = [faults.attempt(ZERO, number, item, names, expected) for item in listed_items]
        faults.raised()
    return in_array(values)


def vector(item: Item, names: Names, expected: Expected, what: str = "") -> Array:
    """A list of three expressions."""
    return numbers(listed(item, what, 3), names, expected)


def _unknown_key(item: Item, key: str, what: str, known: Iterable[str]) -> ModelError:
    place = item.keys.get(key, item.place).inside(item.place.within)
    advice = unknown_entry(item, key, tuple(known))
    names = [shown_key(x) for x in known]
    part = what if isinstance(what, Sentence) else Sentence(what, {})
    return ModelError(
        str(place),
        say('unknown entry "{key}" for {part}.', key, part),
        say("Known entries: {names}.", ", ".join(names)),
        *(
            advice
            or suggestion(
                key, [*known, *(written_key(x, lang) for lang in languages() for x in known)]
            )
        ),
    )
