"""Sentences: a template in English and its values, which another language may say again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from string import Formatter
from typing import Any, final

from torseur.words.catalogue import ENGLISH, translated
from torseur.words.language import chosen, speaking, spoken

_PART = re.compile(r'(^|: )([A-Za-zÀ-ÿ][\w\- ]*) "([^"]*)"(?=$|: )')  # a kind and a name
_FORMULA = re.compile(r"\$([^$]*)\$")
_MARK = ContextVar("mark", default="")  # around formulas, for those who typeset them

# contexts of translations
MEANING = "meaning"  # of a parameter
PLACE = "place"  # a kind of part of a mechanism, or where an error is
NAME = "name"  # by which descriptions give a type of joint, force or constraint
TYPE = "type"  # by which sentences call it
TYPOGRAPHY = "typography"  # signs around words
_QUOTED = '{kind} "{name}"'


@final
class Sentence(str):
    """A text for the user in the language spoken, and it remembers what it was made of.

    The template is what identifies a sentence: the table of a language gives its own template for
    it, with the same places for the same values. Values may be sentences, said in their turn. A
    sentence without values is its own template, and may be plain text. In a template formulas and
    names of quantities may stand between dollar signs: pages typeset them, texts show no sign.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, object]) -> Sentence:
        fixed = {name: _fixed(x) for name, x in values.items()}
        sentence = super().__new__(cls, _rendered(template, fixed, spoken()))
        sentence.template, sentence.values = template, fixed
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.template, self.values)

    def said(self, lang: str | None = None) -> str:
        """The sentence in a language, or in that spoken; in English where the language has none."""
        return _rendered(self.template, self.values, chosen(lang))


@final
class Address(str):
    """The place of a part as a value of a sentence: file and line stay, the kind is translated."""

    __slots__ = ()

    def said(self, lang: str) -> str:
        """The place in a language: `model.yaml:3:4: joint "A"`, « liaison « A » »."""
        quoted = translated(_QUOTED, lang, TYPOGRAPHY)

        def part(match: re.Match[str]) -> str:
            before, kind, name = match.groups()
            return before + quoted.format(kind=translated(kind, lang, PLACE), name=name)

        return _PART.sub(part, str(self))


def say(template: str, *values: object) -> str:
    """The sentence of a template: `say('joint "{name}" has {n} freedoms.', joint.name, joint.nv)`.

    Values are in the order in which the template first names them.
    """
    return Sentence(template, dict(zip(places(template), values, strict=True)))


@lru_cache(maxsize=2048)
def places(template: str) -> tuple[str, ...]:
    """The names of the values of a template, in order, each once."""
    named = (name for _, name, _, _ in Formatter().parse(template) if name is not None)
    return tuple(dict.fromkeys(named))


def said(text: str, lang: str | None) -> str:
    """A sentence in a language, or as it is spoken; what is none, such as a user's text, stays."""
    return text.said(lang) if isinstance(text, Sentence) else translated(text, chosen(lang))


def enumerated(sentences: Sequence[str]) -> str:
    """Sentences after each other, with commas between them."""
    first, *others = sentences
    return say("{first}, {others}", first, enumerated(others)) if others else first


def marked(write: Callable[..., str], *given: object) -> str:
    """Text of a writing function, with formulas between dollar signs instead of quotes."""
    token = _MARK.set("$")
    try:
        text = write(*given)
    finally:
        _MARK.reset(token)
    return re.sub(r'"(\$[^$]*\$)"|« (\$[^$]*\$) »', r"\1\2", text)


def meaning_text(meaning: str, lang: str | None = None) -> str:
    """Meaning of a parameter, in a language or the current one; a user's words stay."""
    text = translated(meaning, chosen(lang), MEANING)
    return said(meaning, lang) if text == meaning else text


def type_words(words: str | Mapping[str, str], lang: str | None) -> str:
    """Name of a type in sentences; types outside of Torseur give their words by language."""
    if isinstance(words, str):
        return translated(words, chosen(lang), TYPE) if words else ""
    return words.get(chosen(lang), words[ENGLISH])


def worded(text: str) -> str:
    """A fixed text, or a sentence, in the language that is spoken."""
    return said(text, None)


def in_language(result: object, lang: str | None = None) -> str:
    """Text of a result in a language or the current one: the `said` of results."""
    with speaking(chosen(lang)):
        return str(result)


def _rendered(template: str, values: Mapping[str, Any], lang: str) -> str:
    spoken = (Sentence, Address)
    texts = {name: x.said(lang) if isinstance(x, spoken) else x for name, x in values.items()}
    text = translated(template, lang)
    if "$" in text:
        mark = _MARK.get()
        text = _FORMULA.sub(rf"{mark}\1{mark}", text)
    return text.format_map(texts)


def _fixed(value: object) -> object:
    """A value that formats itself, such as a number; of any other its text, which cannot change."""
    return str(value) if type(value).__format__ is object.__format__ else value
