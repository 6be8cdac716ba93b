"""Sentences in French, by their English templates; one file for each package that says them."""

from torseur.words.fr.sentences import equations, errors, language

SENTENCES: dict[str, str] = {
    **equations.SENTENCES,
    **errors.SENTENCES,
    **language.SENTENCES,
}
