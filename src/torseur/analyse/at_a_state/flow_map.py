"""The map that carries a state of a mechanism from one instant to a later one."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np
from scipy.integrate import solve_ivp

from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.drive import available, integrate
from torseur.machine.integrators.methods import Dop853
from torseur.machine.integrators.outcome import Code
from torseur.machine.integrators.problem import Problem
from torseur.simulation.formulations.mover import Mover, Straight, mover
from torseur.simulation.run.run import Run
from torseur.simulation.start.independent import independent_rows
from torseur.simulation.start.numeric_constraints import Held

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
    def _mover(self) -> Mover:
        held = Held(self.model)
        rows = independent_rows(held, self.start[: len(self.model.coordinates)], self.t)
        return mover(held, rows)

    @cached_property
    def _problem(self) -> Problem | None:
        """What the compiled integrator needs; None where there is none."""
        if not isinstance(self._mover, Straight) or not available():
            return None
        entries = self._mover.entries
        return Problem(entries["rate"], entries.get("closing"), entries.get("calming"))

    def carried(self, y: Array, t: float, after: float) -> Array:
        """The state at t + after."""
        if self._problem is None:
            rtol = self._rtol
            made = solve_ivp(self._mover.rate, (t, t + after), y, "DOP853", rtol=rtol, atol=rtol)
            if not made.success:
                raise SolveError(f"t = {made.t[-1]:.6g} s", f"{made.message}")
            return self._mover.kept(t + after, made.y[:, -1])
        attend = self._mover.attend if isinstance(self._mover, Straight) else None
        found = integrate(self._problem, y, [t, t + after], Dop853(self._rtol), attend=attend)
        if found.code == Code.INTERRUPTED:
            raise KeyboardInterrupt
        if len(found.states) < 2:
            problem = f"the motion could not be carried on by {after:.3g} s."
            raise SolveError(f"t = {found.time:.6g} s", problem)
        return found.states[-1]

    def kept(self, y: Array, t: float) -> Array:
        """The state put back on its constraints."""
        return self._mover.kept(t, y)
