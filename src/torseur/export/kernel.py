"""One function of a system, given by its expressions, as source files of another language.

It may be a law of control: a function of t, q, v and what it remembers, with parameters of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from torseur.equations.functions.kernel import Kernel
from torseur.equations.symbols.system import System
from torseur.export.languages import language_named
from torseur.export.model import MEMORY, Model, model
from torseur.export.routine import Entry
from torseur.output import write_texts


@final
@dataclass(frozen=True)
class Own:
    """What a law has that its mechanism has not: parameters, and what it remembers at first."""

    parameters: Mapping[str, float]
    memory: Mapping[str, float]

    def entries(self, described: Model) -> dict[str, tuple[Entry, ...]]:
        """The arrays of both, in the code of a model."""
        take, own = described.identifiers.take, self.parameters.items()
        return {
            "p": tuple(Entry(x, take(x), "", value) for x, value in own),
            MEMORY: tuple(Entry(x, take(x), "") for x in self.memory),
        }


def export_kernel(
    system: System,
    kernel: Kernel,
    result: str,
    to: str,
    directory: str | os.PathLike[str],
    *,
    name: str,
    own: Own | None = None,
    **options: Any,
) -> list[Path]:
    """The files written in `directory`; `result` says in words what comes out."""
    language = language_named(to)
    described = model(system, (), language, name=name)
    if own is not None:
        described = replace(described, arrays={**described.arrays, **own.entries(described)})
    if own is not None and own.memory:
        first = ", ".join(f"{value!r}" for value in own.memory.values())
        result = f"{result}, then {MEMORY}, which starts at ({first})"
    routine = described.routine(kernel, result, {})
    return write_texts(
        directory, language.files(replace(described, routines=(routine,)), **options)
    )
