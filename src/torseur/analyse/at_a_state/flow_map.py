"""The map that carries a state of a mechanism from one instant to a later one."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import Dop853
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.numeric import NumericFormulation
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.selection import integrated_in_joints
from torseur.simulation.run.run import Run
from torseur.simulation.start.independent import independent_rows

Array = np.ndarray


@final
class FlowMap:
    """States y = (q, v, work) carried on, with their constraints held, from where a run ended."""

    def __init__(self, run: Run, rtol: float) -> None:
        self.model: CompiledModel = run.model
        self.start = np.concatenate([run.q[-1], run.v[-1], [0.0]])
        self.t = float(run.t[-1])  # of the start [s]
        self._rtol = rtol

    @cached_property
    def _moving(self) -> JointFormulation | NumericFormulation:
        held = NumericConstraints(self.model)
        rows = independent_rows(held, self.start[: len(self.model.coordinates)], self.t)
        return integrated_in_joints(JointStart(held, rows, self.start, self.t), Dop853(self._rtol))

    def carried(self, y: Array, t: float, after: float) -> Array:
        """The state at t + after."""
        outcome = self._moving.moved(y, Request(np.array([t, t + after]), watches=False))
        if not outcome.is_whole:
            raise KeyboardInterrupt
        return outcome.states[-1]

    def kept(self, y: Array, t: float) -> Array:
        """The state put back on its constraints."""
        return self._moving.kept(t, y)
