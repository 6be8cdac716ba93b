"""Which integrator suits a motion: explicit steps, until stability and not accuracy limits them."""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np

from torseur.backends.integrators.codes import Code
from torseur.backends.integrators.methods import Dop853, Method, Radau
from torseur.backends.integrators.outcome import Reached
from torseur.backends.integrators.problem import entry
from torseur.simulation.fastest import fastest, fastest_rate
from torseur.simulation.held import Held
from torseur.simulation.mover import Straight

Array = np.ndarray

EXPLICIT, IMPLICIT = "DOP853 (explicit, order 8)", "Radau (implicit, order 5)"
# Short steps in a row before the question is asked, as in Hairer's programs; 0: it never is.
PATIENCE = {"auto": 15, "dop853": 0}
_DOUBT = 8  # times more of them after an answer that proved wrong
_STABLE = 6.0  # steps of DOP853 times the fastest rate stay below this
_STIFF = 3.0  # and are held to be limited by it above this
_WORTH = 20.0  # a shorter implicit step, times that rate, costs more than explicit ones


@final
class Choice:
    """Asked at the pauses of a run; remembers what there is to say about its answers."""

    def __init__(self, held: Held, moving: Straight, rows: tuple[int, ...], start: Dop853) -> None:
        self._held, self._moving, self._rows = held, moving, rows
        self._explicit = start
        self._is_implicit = False
        self._since = (0.0, 0)  # time and steps when it was last asked
        self._said: list[str] = []

    @property
    def notices(self) -> list[str]:
        """Which integrators were used, and why."""
        return self._said or [f"Integrated by {EXPLICIT}: not stiff."]

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        """The method to go on with; None: the same."""
        t, steps = self._since
        self._since = (reached.time, reached.steps)
        if self._is_implicit:
            mean = (reached.time - t) / max(reached.steps - steps, 1)
            return self._back(reached) if self._costs_too_much(reached, mean) else None
        if code != Code.STIFF:
            return None
        rate = fastest_rate(self._moving, reached.time, reached.state)
        if not reached.step * rate > _STIFF:
            return self._doubting()
        return self._stiff(reached)

    def _costs_too_much(self, reached: Reached, mean: float) -> bool:
        return mean * fastest_rate(self._moving, reached.time, reached.state) < _WORTH

    def _doubting(self) -> Method:
        self._explicit = replace(self._explicit, patience=_DOUBT * self._explicit.patience)
        return self._explicit

    def _stiff(self, reached: Reached) -> Method:
        found = fastest(self._held.model, self._moving, reached.time, reached.state)
        self._is_implicit = True
        self._said.append(
            f"Stiff at t = {reached.time:.3g} s: {found}. {EXPLICIT} would need steps below "
            f"{_STABLE / found.rate:.1e} s; {IMPLICIT} went on."
        )
        return implicit(self._held, self._rows, self._explicit.rtol)

    def _back(self, reached: Reached) -> Method:
        self._is_implicit = False
        self._said.append(f"Not stiff at t = {reached.time:.3g} s: {EXPLICIT} went on.")
        return self._doubting()


def implicit(held: Held, rows: tuple[int, ...], rtol: float) -> Radau:
    """Radau with the derivative of the motion, unless that is better taken by differences."""
    derivative = held.model.rate_derivative(rows)
    return Radau(rtol, derivative=None if derivative is None else entry(*derivative))
