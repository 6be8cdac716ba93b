"""Which integrator suits a motion: explicit steps, until stability and not accuracy limits them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, final

from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Reached
from torseur.machine.integrators.problem import Entry
from torseur.simulation.formulations.fastest import fastest, fastest_rate
from torseur.simulation.formulations.joint_start import Mover
from torseur.words.sentence import say

EXPLICIT, IMPLICIT = say("DOP853 (explicit, order 8)"), say("Radau (implicit, order 5)")
_DOUBT = 8  # times more of them after an answer that proved wrong
_STIFF = 3.0  # steps of DOP853, times the fastest rate, are limited by it above this
_STIFF_IF_SLOW = 0.5  # the same where the motion itself is slow
_SLOW = 0.05  # slow: its rate of change changes by this fraction of that
_WORTH = 4.0  # explicit steps in the time of an implicit one


_SURE = 1000  # short steps in a row that no singular position explains
_IMPLICIT = 200  # the most numbers of a state whose matrix of derivatives is soon factorised


class Implicit(Mover, Protocol):
    """What moves a state, and how its rate changes with it."""

    @property
    def derivative(self) -> Entry | None: ...


@final
class Choice:
    """Asked at the pauses of a run; remembers what there is to say about its answers."""

    def __init__(self, model: CompiledModel, moving: Implicit, start: Dop853, t: float) -> None:
        self._model, self._moving = model, moving
        self._explicit = start
        self._is_implicit = False
        self._limit = 0.0  # an explicit step times the fastest rate, where it was found stiff
        self._since = (t, 0)  # time and steps when it was last asked
        self._said: list[str] = []

    @property
    def notices(self) -> list[str]:
        """Which integrators were used, and why."""
        return self._said or [say("Integrated by {explicit}: not stiff.", EXPLICIT)]

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        """The method to go on with; None: the same."""
        t, steps = self._since
        self._since = (reached.time, reached.steps)
        if not self._is_implicit and code != Code.STIFF:
            return None
        rate = fastest_rate(self._model, self._moving, reached.time, reached.state)
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
        found = fastest(self._model, self._moving, reached.time, reached.state)
        self._is_implicit = True
        self._said.append(
            say(
                "Stiff at t = {time:.3g} s: {found}. That kept {explicit} to steps of {step:.1e} "
                "s; {implicit} went on.",
                reached.time,
                found,
                EXPLICIT,
                reached.step,
                IMPLICIT,
            )
        )
        explicit = self._explicit
        same = Radau(explicit.rtol, explicit.atol, explicit.max_step)
        return implicit(self._moving, same)

    def _back(self, reached: Reached, mean: float) -> Method:
        self._is_implicit = False
        self._said.append(
            say(
                "At t = {time:.3g} s the steps of {implicit}, {mean:.1e} s, were too short to be "
                "worth their price; {explicit} went on.",
                reached.time,
                IMPLICIT,
                mean,
                EXPLICIT,
            )
        )
        return self._doubting()


def implicit(moving: Implicit, method: Radau) -> Radau:
    """Radau with the derivative of the motion, unless that is better taken by differences."""
    return replace(method, derivative=moving.derivative)


@final
class Lasting:
    """Asked at the pauses of a run that is stiff: if it still is later on, Radau goes on.

    A singular position looks stiff too, but is soon behind. The implicit steps of a large mechanism
    would cost more than they save: the explicit ones go on.
    """

    def __init__(self, stepping: Method, size: int) -> None:
        self.notices: list[str] = []
        self._stepping, self._size = stepping, size

    def __call__(self, code: Code, reached: Reached) -> Method | None:
        if code != Code.STIFF:
            return None
        assert isinstance(self._stepping, Dop853), "only explicit steps are kept short"
        if self._stepping.patience < _SURE:
            self._stepping = replace(self._stepping, patience=_SURE)
            return self._stepping
        small = self._size <= _IMPLICIT
        what = (
            say("{implicit} went on", IMPLICIT) if small else say('method="radau" may be quicker')
        )
        self.notices.append(
            say(
                "Stiff at t = {time:.3g} s: stability kept {explicit} to steps of {step:.1e} s; "
                "{what}.",
                reached.time,
                EXPLICIT,
                reached.step,
                what,
            )
        )
        now = self._stepping
        same = Radau(now.rtol, now.atol, now.max_step)
        return same if small else replace(now, patience=0)
