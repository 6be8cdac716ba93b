"""Sentences in French, by their English templates; one file for each package that says them."""

from importlib import import_module
from pkgutil import iter_modules

SENTENCES: dict[str, str] = {
    english: french
    for package in iter_modules(__path__)
    for english, french in import_module(f"{__name__}.{package.name}").SENTENCES.items()
}
