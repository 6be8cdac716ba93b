"""Control in the loop of many rows: a compiled law acts on each as on a single motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.control.sampler import Sampler, law_of_rows
from torseur.machine.lanes.problem import LaneAct
from torseur.simulation.batch.lane_motion import lane_function
from torseur.simulation.control.control import Control, law_code
from torseur.simulation.control.instants import Instants
from torseur.simulation.control.loop import Loop, SymbolicLaw
from torseur.words.sentence import say

Array = np.ndarray


@final
@dataclass(frozen=True)
class BatchControl:
    """A loop that acts on every row at the same instants."""

    loop: Loop
    instants: Instants

    def why_not(self, model: CompiledModel) -> str:
        """Why lanes cannot ask the law; empty if they can."""
        if not isinstance(self.loop.law, SymbolicLaw):
            return say("its law is a function of Python")
        return say("its law measures reactions") if law_code(model, self.loop.law)[1] else ""

    def act(
        self, model: CompiledModel, swept: Mapping[str, Any], rows: int, times: Array
    ) -> LaneAct:
        """What lanes call at the instants, at the parameters of every row."""
        assert isinstance(self.loop.law, SymbolicLaw), "others are asked one by one"
        code, _ = law_code(model, self.loop.law)
        values = lane_function(model, code, swept).values
        wiring = Control(model, self.loop, self.instants).wiring
        made = Sampler(law_of_rows(code, values), wiring, rows)
        return LaneAct(made.act.address, made.places, np.isin(times, self.instants.acting), made)
