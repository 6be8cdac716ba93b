"""The model of a question, loaded, derived, compiled and moved once; its data and its hints."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.equilibria.equilibria import Equilibria, equilibria
from torseur.analyse.mobility.mobility import Mobility, mobility
from torseur.language.load import load
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_gravity
from torseur.model.values.scales import coordinate_units
from torseur.named_words import exercise_words
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.simulation.start.assemble import assemble
from torseur.teach.answers.right_model import RightModel
from torseur.teach.exercises.exercise_entries import (
    ChoiceTask,
    FormulaTask,
    NumberTask,
    Question,
    TextByLanguage,
    in_all_languages,
    is_file,
    key_of,
    model_document,
)
from torseur.teach.exercises.written_numbers import spoken_number

_EXACT = 1e-10  # relative tolerance of runs: far below what people write


@final
class Case:
    """A mechanism and what has been computed of it."""

    def __init__(self, source: Path | Mapping[str, Any]) -> None:
        self.mechanism: Mechanism = load(source)
        self._right: dict[str, RightModel] = {}
        self._runs: dict[tuple[float, float], Run] = {}
        self._states: dict[str, Run] = {}

    def right(
        self, letters: bool = True, coordinates: Mapping[str, str] | None = None
    ) -> RightModel:
        """Right results of the model, with gravity as a letter or a number, in some coordinates."""
        key = key_of({"letters": letters, **(coordinates or {})})
        if key not in self._right:
            self._right[key] = RightModel(self.mechanism, coordinates, letters=letters)
        return self._right[key]

    @cached_property
    def compiled(self) -> CompiledModel:
        """Its machine code."""
        return compile(self.mechanism)

    @cached_property
    def mobility(self) -> Mobility:
        """Mobility of the mechanism."""
        return mobility(self.mechanism)

    @cached_property
    def equilibria(self) -> Equilibria:
        """Where it can rest."""
        return equilibria(self.mechanism)

    def at(self, state: Mapping[str, Any], t: float = 0.0) -> Run:
        """A state as the only sample of a motion, with its accelerations and reactions."""
        key = key_of({"t": t, **state})
        if key not in self._states:
            values = given_state(self.mechanism, state)
            assembled = assemble(self.compiled, values, t=t)
            row = np.concatenate([assembled.q, assembled.v, [0.0]])
            self._states[key] = Run.of_states(self.compiled, np.array([t]), np.array([row]))
        return self._states[key]

    def run(self, duration: float, rate: float) -> Run:
        """A run from the initial state, with so many samples a second."""
        key = duration, rate
        if key not in self._runs:
            self._runs[key] = simulate(self.compiled, duration, rate=rate, rtol=_EXACT)
        return self._runs[key]


def case(model: str | Mapping[str, Any]) -> Case:
    """The case of a model, the same for the same model."""
    saved = Path(model).stat().st_mtime_ns if isinstance(model, str) and is_file(model) else 0
    return _case(key_of(model), saved)


@cache
def _case(key: str, saved: int) -> Case:
    """The case of a model; that of a file, of the moment when it was saved."""
    model = json.loads(key)
    return Case(Path(model) if saved else model_document(model))


# --- data of a question with numbers: the values of its model, and its initial state --------------

_OF_VALUES = (
    "state",
    "run",
    "pulsation",
    "pose",
    "formula",
    "closed form",
)  # quantities that are no counts


def data(question: Question, lang: str | None = None) -> list[str]:
    """Given data of a question with a number, as lines; empty for other questions."""
    task = question.task
    if not isinstance(task, NumberTask) or task.computed["of"] not in _OF_VALUES:
        return []
    words, mechanism, spec = exercise_words(lang), case(question.model).mechanism, task.computed
    starts = spec["of"] == "run" or (spec["of"] == "state" and "at" not in spec)
    start = _start(mechanism, lang) if starts else []
    lines = [("data", _values(mechanism, lang)), ("start", start)]
    between = words["between data"]
    return [words[key].format(between.join(parts)) for key, parts in lines if parts]


def _values(mechanism: Mechanism, lang: str | None) -> list[str]:
    """Every parameter that is given by a number, and gravity."""
    named = named_gravity(mechanism)
    numbers = ((x, named.parameters[name]) for name, x in named.parameter_table.items())
    return [
        f"{x.name} = {_spoken(number, str(x.unit or ''), lang)}"
        for x, number in numbers
        if number is not None and x.value is not None and not free_symbols(x.value)
    ]


def _spoken(value: float, unit: str, lang: str | None) -> str:
    """A number with its unit; an angle in degrees where these have fewer digits."""
    written = spoken_number(value, unit, lang)
    if unit != "rad":
        return written
    degrees = spoken_number(value * math.degrees(1), "°", lang).replace(" °", "°")
    return min(written, degrees, key=len)


def _start(mechanism: Mechanism, lang: str | None) -> list[str]:
    """Coordinates and speeds that are not zero; angles in degrees."""
    known = {name: x for name, x in mechanism.parameters.items() if x is not None}
    units = coordinate_units(mechanism)
    lines = []
    for name, x in mechanism.initial.items():
        value, bare = float(evaluate(x, known)), name.rstrip(".")
        unit = units.get(bare, "")
        if name == bare and unit == "rad":
            value, unit = value * math.degrees(1), "°"
        rate = f"{unit}/s" if name != bare and unit else unit
        written = spoken_number(value, rate, lang).replace(" °", "°")
        lines += [f"{name} = {written}"] if value else []
    return lines


# --- hints for a question: its own, or general ones for its kind of quantity ----------------------

_LETTERS = ("p", "S", "Q")  # of a momentum, of generalised forces: p_theta
_VECTORS = ("V", "gamma", "Omega", "R", "M")  # V(A)


def hints(question: Question) -> tuple[TextByLanguage, ...]:
    """Hints of a question; if it has none, the general hint for its kind."""
    if question.hints:
        return question.hints
    key = f"hint of {_subject(question)}"
    return (in_all_languages(lambda words: words[key]),)


def _subject(question: Question) -> str:
    task = question.task
    if isinstance(task, NumberTask | ChoiceTask):
        return str(task.computed["of"])
    if not isinstance(task, FormulaTask):
        return "torseur"
    if not isinstance(task.of, str):
        return str(task.of["of"])
    return _formula(question, task.of)


def _formula(question: Question, of: str) -> str:
    """Kind of a formula: an energy, a force, a vector, a condition or an equation."""
    if of in ("T", "V", "R", "H", "L"):
        return of
    letter, _, rest = of.partition("_")
    vector = of.partition("(")[0]
    if rest and letter in _LETTERS:
        return f"{letter}_q"
    if vector != of and vector in _VECTORS:
        return f"{vector}(A)"
    right = case(question.model).right(True, getattr(question.task, "coordinates", {}))
    if of in right.coordinates:
        return "equation"
    return "condition" if of in right.equations.constraints.owners else "reaction"
