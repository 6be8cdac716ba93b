"""Which integrator suits a motion: explicit steps, until stability and not accuracy limits them."""

from __future__ import annotations

from dataclasses import replace
from typing import final

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Reached
from torseur.simulation.formulations.fastest import fastest, fastest_rate
from torseur.simulation.formulations.mover import Straight
from torseur.simulation.start.numeric_constraints import Held

EXPLICIT, IMPLICIT = "DOP853 (explicit, order 8)", "Radau (implicit, order 5)"
# Short steps in a row before the question is asked, as in Hairer's programs; 0: it never is.
PATIENCE = {"auto": 15, "dop853": 0}
_DOUBT = 8  # times more of them after an answer that proved wrong
_STIFF = 3.0  # steps of DOP853, times the fastest rate, are limited by it above this
_STIFF_IF_SLOW = 0.5  # the same where the motion itself is slow
_SLOW = 0.05  # slow: its rate of change changes by this fraction of that
_WORTH = 4.0  # explicit steps in the time of an implicit one


@final
class Choice:
    """Asked at the pauses of a run; remembers what there is to say about its answers."""

    def __init__(self, held: Held, moving: Straight, start: Dop853, t: float) -> None:
        self._held, self._moving = held, moving
        self._explicit = start
        self._is_implicit = False
        self._limit = 0.0  # an explicit step times the fastest rate, where it was found stiff
        self._since = (t, 0)  # time and steps when it was last asked
        self._said: list[str] = []

    @property
    def notices(self) -> list[str]:
        """Which integrators were used, and why."""
        return self._said or [f"Integrated by {EXPLICIT}: not stiff."]

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        """The method to go on with; None: the same."""
        t, steps = self._since
        self._since = (reached.time, reached.steps)
        if not self._is_implicit and code != Code.STIFF:
            return None
        rate = fastest_rate(self._held.model, self._moving, reached.time, reached.state)
        if self._is_implicit:
            mean = (reached.time - t) / max(reached.steps - steps, 1)
            return self._back(reached, mean) if mean * rate < _WORTH * self._limit else None
        self._limit = reached.step * rate
        is_slow = reached.bend < _SLOW * self._limit
        if self._limit > (_STIFF_IF_SLOW if is_slow else _STIFF):
            return self._stiff(reached)
        return self._doubting()

    def _doubting(self) -> Method:
        self._explicit = replace(self._explicit, patience=_DOUBT * self._explicit.patience)
        return self._explicit

    def _stiff(self, reached: Reached) -> Method:
        found = fastest(self._held.model, self._moving, reached.time, reached.state)
        self._is_implicit = True
        self._said.append(
            f"Stiff at t = {reached.time:.3g} s: {found}. That kept {EXPLICIT} to steps of "
            f"{reached.step:.1e} s; {IMPLICIT} went on."
        )
        explicit = self._explicit
        same = Radau(explicit.rtol, explicit.atol, explicit.max_step)
        return implicit(self._moving, same)

    def _back(self, reached: Reached, mean: float) -> Method:
        self._is_implicit = False
        self._said.append(
            f"At t = {reached.time:.3g} s the steps of {IMPLICIT}, {mean:.1e} s, were too short to "
            f"be worth their price; {EXPLICIT} went on."
        )
        return self._doubting()


def implicit(moving: Straight, method: Radau) -> Radau:
    """Radau with the derivative of the motion, unless that is better taken by differences."""
    return replace(method, derivative=moving.derivative)
