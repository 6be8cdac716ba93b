"""The languages by name: adding one is adding a file and an entry here."""

from collections.abc import Mapping

from torseur.backends.source.c import C
from torseur.backends.source.language import Language

LANGUAGES: Mapping[str, Language] = {language.name: language for language in (C,)}
