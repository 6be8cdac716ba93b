"""The comment at the top of a generated file: what it computes, from what, in which units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from torseur.export.exported_model import MEMORY, Model
from torseur.export.notation import Notation
from torseur.export.routine import ArgumentEntry, Routine
from torseur.language.packaged import described
from torseur.notices import text_table
from torseur.version import __version__
from torseur.words.language import spoken
from torseur.words.sentence import meaning_text, say, worded

Element = Callable[[str, int], str]  # ("q", 0) → q[0], as the language writes it
_STAGES = {
    "parameters": "per parameter set",
    "configuration": "per configuration",
    "state": "per state",
}


def header(
    model: Model,
    routines: Sequence[Routine],
    notation: Notation,
    usage: Sequence[str],
    element: Element | None = None,
) -> list[str]:
    """The comment lines: model, functions, arguments, parameters, cost, how to call.

    `element` writes the entries of arrays, where they are called otherwise than in the notation.
    """
    element = element or notation.place
    written = ", ".join(routine.name for routine in routines) or worded("parameters")
    lines = [say("Model {name}: {written}.", _clean(model.name), written)]
    known = described(model.name, model.description, spoken())
    lines += [_clean(known)] if known else []
    lines += [say("Written by Torseur {version}. SI units, radians.", __version__), ""]
    lines += map(worded, usage)
    lines += ["", worded("Arguments:"), *_arguments(model, routines, element)] if routines else []
    lines += ["", worded("Parameters:" if model.parameters else "No parameters.")]
    lines += _table(
        (element("p", k), *_name_and_unit(p), _described(p)) for k, p in enumerate(model.parameters)
    )
    for routine in routines:
        units = model.result_units(routine.name)
        what = f"{routine.words}{f' [{units}]' if units else ''}."
        lines += ["", say("{words}: {names}", routine.name, what)]
        lines += _cost(routine)
    return notation.commented(lines)


def _clean(text: str) -> str:
    """Words of the user on one line, without what ends or prolongs a comment somewhere."""
    return " ".join(text.split()).replace("\\", "/").replace("??", "?").replace("*/", "* /")


def _arguments(model: Model, routines: Sequence[Routine], element: Element) -> list[str]:
    used = {letter for routine in routines for letter, _ in routine.arguments}
    return _table(
        (element(letter, k), *_name_and_unit(entry))
        for letter in (*"qvaQLt", MEMORY)
        if letter in used
        for k, entry in enumerate(model.arrays[letter])
    )


def _name_and_unit(x: ArgumentEntry) -> tuple[str, str]:
    """A name, with the identifier where it is another one, and a unit."""
    spelling = "" if x.name == x.identifier else say(" (here {identifier})", x.identifier)
    return _clean(x.name) + spelling, f"[{x.unit}]" if x.unit else ""


def _described(p: ArgumentEntry) -> str:
    value = worded("no value") if p.value is None else repr(p.value)
    parts = [
        f"{_clean(p.definition)} = {value}" if p.definition else value,
        _clean(meaning_text(p.meaning)),
    ]
    return ", ".join(part for part in parts if part)


def _table(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows in columns."""
    return [f"  {line}" for line in text_table(rows)]


def _cost(routine: Routine) -> list[str]:
    """The operation counts of the stages that cost something."""
    return [
        say("  {stage}: {operations}", worded(_STAGES[stage]), operations)
        for stage, operations in routine.operations.items()
        if operations.total
    ]
