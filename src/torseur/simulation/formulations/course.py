"""The course of a motion: from its start, by a method, to a run of the samples asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import RK4, Euler, Method, Symplectic
from torseur.machine.integrators.outcome import Code, Outcome
from torseur.simulation.formulations.request import Progress, Request
from torseur.simulation.formulations.sampling import (
    PASSES,
    Sampling,
    asked_rate,
    coarse,
    factor_for,
)
from torseur.simulation.run.run import Happened, Origin, Read, Run
from torseur.simulation.run.track import Track

Array = np.ndarray
_NEARLY = 1e-9  # of a step, as in the integrators


@final
@dataclass(frozen=True)
class Moved:
    """The states reached, and what there is to say about them."""

    t: Array
    states: Array
    notices: list[str] = field(default_factory=list)
    events: tuple[Any, ...] = ()  # as `Course.happened` reads them
    is_whole: bool = True  # not interrupted from the keyboard


def reached(found: Outcome, times: Array) -> tuple[Array, Array]:
    """The samples of a run, and its end where that is none of them: an event, an interruption."""
    t = times[: len(found.states)]
    early = found.code in (Code.TERMINAL_EVENT, Code.INTERRUPTED)
    if not early or not len(t) or not found.time > t[-1]:
        return t, found.states
    return np.append(t, found.time), np.vstack([found.states, found.state])


@final
@dataclass(frozen=True)
class Course:
    """A mechanism about to move."""

    model: CompiledModel
    start: Array  # its state, as the integrator knows it
    move: Callable[[Array, Request], Moved]
    read: Read  # coordinates, speeds and work from such states
    happened: Callable[[Any], Happened]  # an event, from what `move` gives
    notices: tuple[str, ...] = ()
    stepping: Method | None = None
    given: Mapping[str, float] = field(default_factory=dict)  # coordinates to start from

    def run(self, asked: Sampling, progress: Progress | None) -> Run:
        """The run; where no rate is given, sampled as finely as what moves asks for.

        It then moves once more: how fast it will be is not known before.
        """
        found = self.move(self.start, Request(asked.times, progress))
        origin, rate = self._origin(found), 0.0
        for _ in range(PASSES if asked.is_chosen and found.is_whole else 0):
            rate = asked_rate(origin.whole)
            factor = factor_for(asked, rate, self._steps(asked))
            if factor == 1:
                break
            finer = asked.finer(factor)
            again = self.move(self.start, Request(finer.times, progress))
            if not again.is_whole:
                break
            asked, found, origin = finer, again, self._origin(again)
        notices = (*self.notices, *found.notices, *coarse(asked, rate))
        events = tuple(self.happened(x) for x in found.events)
        if asked.given is None:
            return origin.sampled(found.t, found.states, notices, events)
        shown = np.isin(found.t, asked.given)
        return origin.sampled(found.t[shown], found.states[shown], notices, events)

    def _origin(self, found: Moved) -> Origin:
        return Origin(self.model, Track(found.t, found.states, self._onward), self.read, self.given)

    def _onward(self, times: Array, state: Array) -> Array:
        found = self.move(state, Request(times, watches=False))
        if not found.is_whole:
            raise KeyboardInterrupt
        return found.states

    def _steps(self, asked: Sampling) -> int | None:
        """The steps of an interval, if they are of fixed length."""
        if not isinstance(self.stepping, RK4 | Euler | Symplectic):
            return None
        return 1 + int(asked.interval / self.stepping.step - _NEARLY)
