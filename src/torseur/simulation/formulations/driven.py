"""Motions that are all imposed: positions and speeds from the constraints, nothing integrated."""

from __future__ import annotations

from itertools import pairwise
from typing import final

import numpy as np

from torseur.simulation.formulations.joint_start import Mover
from torseur.simulation.formulations.protocol import Moved, interrupted
from torseur.simulation.formulations.request import Request

Array = np.ndarray
Sample = tuple[Array, Array]  # a state and its rate

# Nodes and weights of Gauss and Legendre on [0, 1], and of the end: the work to order 6.
_NODES = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15), 1.0])
_WEIGHTS = np.array([5.0, 8.0, 5.0, 0.0]) / 18
_FAR = 0.2  # the most that a coordinate moves between two solutions [rad, or part of the size]
_AGREED = 3e-9  # of the work of a step, by Gauss and by Simpson
_SHORTEST = 2.0**-8  # of the step in which no coordinate moves far
# Nothing but rounding: a displacement [rad, or part of the size], and a work beside the kinetic
# energy of the largest mass at the largest speed.
_ROUNDING, _NOTHING = 1e-12, 1e-15


@final
class Driven:
    """By the constraints alone; the work by quadrature."""

    def __init__(self, moving: Mover) -> None:
        begin = moving.begin
        self.begin, self.start, self.notices = begin, begin.y, begin.notices
        self.samples, self.stepping = begin.samples, moving.stepping
        self._moving = moving

    def move(self, state: Array, request: Request) -> Moved:
        """The states at the times asked for, and notices."""
        first = float(request.times[0])
        states, notices = [self._moving.project(first, state)], []
        rate = self._moving.rate(first, states[0])
        longest = np.inf  # step that is tried
        try:
            for before, after in pairwise(request.times):
                (y, rate), longest = self._over((states[-1], rate), before, after, longest)
                states.append(y)
                if request.progress is not None:
                    request.progress(after)
        except KeyboardInterrupt:
            notices.append(interrupted(request.times[len(states) - 1]))
        return Moved(request.times[: len(states)], np.array(states), notices, is_whole=not notices)

    def _over(self, now: Sample, t: float, after: float, longest: float) -> tuple[Sample, float]:
        """From one sample to the next, no coordinate moving far in a step; the step to try next."""
        sizes = self.begin.model.sizes
        nq, inertia = len(sizes.coordinates), sizes.scales.mass * sizes.scales.length**2
        while t < after:
            rates = np.abs(now[1])
            fastest = (rates[:nq] / sizes.coordinates).max(initial=0.0)
            pushed = (rates[nq:-1] / sizes.displacements).max(initial=0.0)
            far = min(_FAR / max(fastest, 1e-300), (_FAR / max(pushed, 1e-300)) ** 0.5)
            whole = min(after - t, far)
            shortest = _SHORTEST * whole
            tried = min(whole, max(longest, shortest))
            stands = fastest * tried + pushed * tried**2 < _ROUNDING
            nothing = np.inf if stands else _NOTHING * inertia * fastest**2
            now, step = self._carried(now, t, tried, shortest, nothing)
            longest = step if step < tried else max(longest, 2 * step)
            t = after if step >= after - t else t + step
        return now, longest

    def _carried(
        self, now: Sample, t: float, step: float, shortest: float, nothing: float
    ) -> tuple[Sample, float]:
        """Sample a step later, and the step: halved until two quadratures of the work agree.

        They need not agree on a work less than `nothing`, nor in the shortest of the steps.
        """
        while True:
            y, then, rates = now[0], t, [now[1]]
            for node in _NODES:
                at = t + node * step
                y, then = self._moving.project(at, y + (at - then) * rates[-1]), at
                rates.append(self._moving.rate(at, y))
            powers = [x[-1] for x in rates]
            work = step * (_WEIGHTS @ powers[1:])
            simpson = step * (powers[0] + 4 * powers[2] + powers[-1]) / 6
            agreed = abs(work - simpson) <= max(_AGREED * step * np.abs(powers).max(), nothing)
            if agreed or step <= shortest:
                return (np.append(y[:-1], now[0][-1] + work), rates[-1]), step
            step = max(step / 2, shortest)
