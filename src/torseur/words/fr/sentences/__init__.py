"""Sentences in French, by their English templates; one file for each package that says them."""

from torseur.words.fr.sentences import (
    algebra,
    analyse,
    cli,
    equations,
    errors,
    export,
    language,
    machine,
    model,
    report,
    simulation,
    spatial,
    teach,
)

_PACKAGES = (
    algebra,
    analyse,
    cli,
    equations,
    errors,
    export,
    language,
    machine,
    model,
    report,
    simulation,
    spatial,
    teach,
)

SENTENCES: dict[str, str] = {
    english: french for package in _PACKAGES for english, french in package.SENTENCES.items()
}
