"""Packages that are installed if they are asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from torseur.errors import SolveError
from torseur.words.sentence import say


def package(name: str, extra: str, place: str) -> ModuleType:
    """A package of an extra of Torseur, or how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise SolveError(
            place,
            say("the package {name} is not installed.", name),
            say('Install it: pip install "torseur[{extra}]".', extra),
        ) from None
