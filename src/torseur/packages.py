"""Optional packages: extras of Torseur, or packages by their own name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torseur.errors import ModelError, TorseurError
from torseur.words.sentence import say


def package(
    name: str,
    extra: str | None,
    place: str,
    need: str = "",
    *advice: str,
    fault: type[TorseurError] = ModelError,
) -> Any:
    """A package, or what needs it and how it is installed: by an extra, or by its own name."""
    try:
        return import_module(name)
    except ImportError:
        problem = need or say('the package "{package}" is not installed.', name)
        requirement = name if extra is None else f'"torseur[{extra}]"'
        remedy = say("Install it: pip install {wanted}.", requirement)
        raise fault(place, problem, remedy, *advice) from None
