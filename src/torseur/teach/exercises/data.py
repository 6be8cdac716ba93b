"""Data of a question with numbers: the values of its model, and its initial state."""

from __future__ import annotations

import math

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_gravity
from torseur.model.values.scales import coordinate_units
from torseur.named_words import exercise_words
from torseur.teach.exercises.cases import case
from torseur.teach.exercises.exercise_entries import NumberTask, Question

_OF_VALUES = ("state", "run", "pulsation", "pose", "formula")  # quantities that are no counts


def data(question: Question, lang: str | None = None) -> list[str]:
    """The lines of a question of numbers that say what is given; none of any other question."""
    task = question.task
    if not isinstance(task, NumberTask) or task.computed["of"] not in _OF_VALUES:
        return []
    words, mechanism, spec = exercise_words(lang), case(question.model).mechanism, task.computed
    starts = spec["of"] == "run" or (spec["of"] == "state" and "at" not in spec)
    lines = [("data", _values(mechanism)), ("start", _start(mechanism) if starts else [])]
    return [words[key].format(", ".join(parts)) for key, parts in lines if parts]


def _values(mechanism: Mechanism) -> list[str]:
    """Every parameter that is given by a number, and gravity."""
    named = named_gravity(mechanism)
    numbers = named.parameters
    return [
        f"{name} = {numbers[name]:g} {x.unit or ''}".strip()
        for name, x in named.parameter_table.items()
        if x.value is not None and not free_symbols(x.value)
    ]


def _start(mechanism: Mechanism) -> list[str]:
    """Coordinates and speeds that are not zero; angles in degrees."""
    known = {name: x for name, x in mechanism.parameters.items() if x is not None}
    units = coordinate_units(mechanism)
    lines = []
    for name, x in mechanism.initial.items():
        value, bare = float(evaluate(x, known)), name.rstrip(".")
        unit = units.get(bare, "")
        if name == bare and unit == "rad":
            value, unit = value * math.degrees(1), "°"
        rate = f" {unit}/s" if name != bare and unit else f" {unit}".rstrip().replace(" °", "°")
        lines += [f"{name} = {value:g}{rate}"] if value else []
    return lines
