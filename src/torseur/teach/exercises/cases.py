"""The model that a question is about: loaded, derived, compiled and moved once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, final

import numpy as np

from torseur.analyse.equilibria.equilibria import Equilibria, equilibria
from torseur.analyse.mobility.mobility import Mobility, mobility
from torseur.language.load import load
from torseur.language.text.given import given_state
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import Mechanism
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.simulation.start.assemble import assemble
from torseur.teach.answers.right_model import RightModel
from torseur.teach.exercises.exercise_documents import key_of, model_document

_EXACT = 1e-10  # relative tolerance of runs: far below what people write


@final
class Case:
    """A mechanism and what has been computed of it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.mechanism: Mechanism = load(document)
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
    return _case(key_of(model))


@cache
def _case(key: str) -> Case:
    return Case(model_document(json.loads(key)))
