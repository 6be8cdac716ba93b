"""Sentences: a template in English and its values, which another language may say again."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any, final


@final
class Sentence(str):
    """A text for the user: in itself the English one, and it remembers what it was made of.

    The template is what identifies a sentence: the table of a language gives its own template for
    it, with the same places for the same values. Values may be sentences, said in their turn.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, object]) -> Sentence:
        kept = {name: x if isinstance(x, str | Number) else str(x) for name, x in values.items()}
        sentence = super().__new__(cls, template.format_map(kept))
        sentence.template, sentence.values = template, kept
        return sentence

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.template, self.values)

    def said(self, lang: str) -> str:
        """The sentence in a language; in English where the language has none."""
        template = self.template
        if lang == "fr":
            from torseur.words.fr.sentences import SENTENCES

            template = SENTENCES.get(template, template)
        return template.format_map({name: said(x, lang) for name, x in self.values.items()})


def say(template: str, /, **values: object) -> Sentence:
    """The sentence of a template, such as `say('body "{name}" does not exist.', name=name)`."""
    return Sentence(template, values)


def said(text: Any, lang: str) -> Any:
    """A sentence in a language; what is none, such as the user's own text, stays as it is."""
    return text.said(lang) if isinstance(text, Sentence) else text
