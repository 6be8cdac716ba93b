"""Words by a key: the headings, labels and sentences of pages and derivations, in each language."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

from torseur.errors import unknown
from torseur.words import language
from torseur.words.en import dossier as english_dossier
from torseur.words.en import exercises as english_exercises
from torseur.words.en import report as english_report
from torseur.words.en import teach as english_teach
from torseur.words.fr import dossier as french_dossier
from torseur.words.fr import exercises as french_exercises
from torseur.words.fr import report as french_report
from torseur.words.fr import teach as french_teach

Words = Mapping[str, str]


def _by_english(english: Words, french: Words) -> dict[str, Words]:
    """The tables of both languages; a key that has no row in English is its own English."""
    return {"en": {key: english.get(key, key) for key in french}, "fr": french}


REPORT = _by_english(english_report.WORDS, french_report.WORDS)
DOSSIER = _by_english(english_dossier.WORDS, french_dossier.WORDS)
TEACH: dict[str, Words] = {"en": english_teach.WORDS, "fr": french_teach.WORDS}
EXERCISES = _by_english(english_exercises.WORDS, french_exercises.WORDS)


def dossier_words(lang: str | None) -> Words:
    """The words of reports in a language."""
    return _words(DOSSIER, lang)


def report_words(lang: str | None) -> Words:
    """The words of pages, drawings and animations in a language."""
    return _words(REPORT, lang)


def teach_words(lang: str | None) -> Words:
    """The words of derivations and of answers in a language."""
    return _words(TEACH, lang)


def exercise_words(lang: str | None) -> Words:
    """The words of exercises in a language."""
    return _words(EXERCISES, lang)


def _words(languages: Mapping[str, Words], asked: str | None) -> Words:
    lang = language.chosen(asked)
    if lang not in languages:
        raise unknown("lang", "language", lang, languages)
    return languages[lang]


def speaking(lang: str) -> AbstractContextManager[None]:
    """Within it, errors, notices, results and figures speak a language.

    `with ts.speaking("fr"): print(ts.mobility(mechanism))`
    """
    _words(REPORT, lang)
    return language.speaking(lang)


def counted(sentences: str, number: int, *values: object) -> str:
    """The sentence for one thing, or that for several, which stand on both sides of a bar."""
    one, several = sentences.split("|")
    return (one if number == 1 else several).format(number, *values)


def listed(items: list[str], words: Words) -> str:
    """Things in a row: a, b and c."""
    *first, last = items
    return f"{', '.join(first)} {words['and']} {last}" if first else last
