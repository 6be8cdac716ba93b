"""A formulation moves, and is sampled as it was asked or as finely as what moves asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, final

import numpy as np

from torseur.machine.integrators.methods import RK4, Euler, Symplectic
from torseur.simulation.formulations.protocol import Formulation, Moved
from torseur.simulation.formulations.request import Progress, Request
from torseur.simulation.formulations.sampling import PASSES, Sampling, coarse, factor_for
from torseur.simulation.run.samples import Happened
from torseur.simulation.run.track import Course, Track

Array = np.ndarray
S = TypeVar("S")  # samples
_NEARLY = 1e-9  # of a step, as in the integrators


@final
@dataclass(frozen=True)
class Sampled(Generic[S]):
    """A motion, its samples, and what there is to say of it."""

    course: Course[S]
    samples: S
    notices: tuple[str, ...]
    events: tuple[Happened, ...]


def sampled(
    moving: Formulation[S],
    asked: Sampling,
    smooth_rate: Callable[[S], float],  # the samples a second at which curves are smooth
    progress: Progress | None = None,
) -> Sampled[S]:
    """The motion; where no rate is given, it moves once more: how fast it is must be seen first."""
    found = moving.moved(moving.start, Request(asked.times, progress))
    course, rate = _course(moving, found), 0.0
    for _ in range(PASSES if asked.is_chosen and found.is_whole else 0):
        rate = smooth_rate(course.whole)
        factor = factor_for(asked, rate, _steps(moving, asked))
        if factor == 1:
            break
        finer = asked.finer(factor)
        again = moving.moved(moving.start, Request(finer.times, progress))
        if not again.is_whole:
            break
        asked, found, course = finer, again, _course(moving, again)
    shown = None if asked.given is None else np.isin(found.t, asked.given)
    notices = (*moving.notices, *found.notices, *coarse(asked, rate))
    return Sampled(course, course.sampled(shown), notices, found.events)


def _course(moving: Formulation[S], found: Moved) -> Course[S]:
    def onward(times: Array, state: Array) -> Array:
        further = moving.moved(state, Request(times, watches=False))
        if not further.is_whole:
            raise KeyboardInterrupt
        return further.states

    return Course(Track(found.t, found.states, onward), moving.samples)


def _steps(moving: Formulation[S], asked: Sampling) -> int | None:
    """The steps of an interval, if they are of fixed length."""
    if not isinstance(moving.stepping, RK4 | Euler | Symplectic):
        return None
    return 1 + int(asked.interval / moving.stepping.step - _NEARLY)
