"""Words by a key: the headings, labels and sentences of pages and derivations, in each language."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import cache

from torseur.errors import unknown
from torseur.words import language
from torseur.words.catalogue import languages, translated
from torseur.words.en import answers, dossier, exercises, report, teach

Words = Mapping[str, str]

# by the context of their translations
ENGLISH: Mapping[str, Words] = {
    "report": report.WORDS,
    "dossier": dossier.WORDS,
    "teach": {**answers.WORDS, **teach.WORDS},
    "exercises": exercises.WORDS,
}


def dossier_words(lang: str | None) -> Words:
    """The words of reports in a language."""
    return _words("dossier", lang)


def report_words(lang: str | None) -> Words:
    """The words of pages, drawings and animations in a language."""
    return _words("report", lang)


def teach_words(lang: str | None) -> Words:
    """The words of derivations and of answers in a language."""
    return _words("teach", lang)


def exercise_words(lang: str | None) -> Words:
    """The words of exercises in a language."""
    return _words("exercises", lang)


def _words(table: str, given: str | None) -> Words:
    lang = language.chosen(given)
    if lang not in languages():
        raise unknown("lang", "language", lang, languages())
    return _table(table, lang)


@cache
def _table(table: str, lang: str) -> Words:
    english = ENGLISH[table].items()
    return {key: translated(text, lang, context(table, key)) for key, text in english}


def context(table: str, key: str) -> str:
    """The context of a translation: two keys may have one English text and two of another."""
    return table if ENGLISH[table][key] == key else f"{table}: {key}"


def speaking(lang: str) -> AbstractContextManager[None]:
    """Context in which errors, notices, results and figures are in the given language.

    `with ts.speaking("fr"): print(ts.mobility(mechanism))`
    """
    _words("report", lang)
    return language.speaking(lang)


def counted(sentences: str, number: int, *values: object) -> str:
    """The sentence for one thing, or that for several, which stand on both sides of a bar."""
    one, several = sentences.split("|")
    return (one if number == 1 else several).format(number, *values)


def listed(items: list[str], words: Words) -> str:
    """Things in a row: a, b and c."""
    *first, last = items
    return f"{', '.join(first)} {words['and']} {last}" if first else last
