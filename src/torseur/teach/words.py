"""The words of what is told, in English and in French."""

from collections.abc import Mapping

from torseur.errors import unknown

Words = Mapping[str, str]


def words(lang: str) -> Words:
    """The words of a language."""
    from torseur.teach.english import ENGLISH
    from torseur.teach.french import FRENCH

    languages: dict[str, Words] = {"en": ENGLISH, "fr": FRENCH}
    if lang not in languages:
        raise unknown("lang", "language", lang, languages)
    return languages[lang]


def counted(sentences: str, number: int, *values: object) -> str:
    """The sentence for one thing, or that for several, which stand on both sides of a bar."""
    one, several = sentences.split("|")
    return (one if number == 1 else several).format(number, *values)
