"""A law of control as source: one function of t, q, v and what it remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from torseur.equations.functions.kernel import Kernel
from torseur.equations.symbols.system import System
from torseur.errors import unknown
from torseur.export.languages import LANGUAGES
from torseur.export.model import MEMORY, model
from torseur.export.routine import Entry

FORCES = "forces along the actuators"


def law_sources(
    system: System,
    kernel: Kernel,
    parameters: Mapping[str, float],
    memory: Mapping[str, float],
    to: str,
    name: str,
) -> dict[str, str]:
    """The files of a law in a language, by name; p are its own parameters."""
    if to not in LANGUAGES:
        raise unknown("export", "language", to, LANGUAGES)
    language = LANGUAGES[to]
    described = model(system, (), language, name=name)
    take = described.identifiers.take
    arrays = dict(described.arrays)
    arrays["p"] = tuple(Entry(x, take(x), "", value) for x, value in parameters.items())
    arrays[MEMORY] = tuple(Entry(x, take(x), "") for x in memory)
    whole = replace(described, arrays=arrays)
    first = ", ".join(f"{value!r}" for value in memory.values())
    words = f"{FORCES}, then {MEMORY}, which starts at ({first})" if memory else FORCES
    return dict(language.files(replace(whole, routines=(whole.routine(kernel, words, {}),))))
