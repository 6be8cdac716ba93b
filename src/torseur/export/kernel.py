"""One function of a system, given by its expressions, as source files of another language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torseur.equations.functions.kernel import Kernel
from torseur.equations.symbols.system import System
from torseur.errors import unknown
from torseur.export.languages import LANGUAGES
from torseur.export.model import model


def kernel_sources(
    system: System, kernel: Kernel, result: str, to: str, name: str, **options: Any
) -> dict[str, str]:
    """The files by name; `result` says in words what comes out."""
    if to not in LANGUAGES:
        raise unknown("export", "language", to, LANGUAGES)
    language = LANGUAGES[to]
    described = model(system, (), language, name=name)
    routine = described.routine(kernel, result, {})
    return dict(language.files(replace(described, routines=(routine,)), **options))
