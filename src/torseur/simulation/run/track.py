"""The state of a motion at any time, from the states that were kept along it.

Dense output: from the last state kept before a time, the motion is integrated once more, by the
same integrator to the same tolerance, up to that time. It is as accurate as the samples, holds the
constraints, suits every formulation and needs no memory; it costs the steps of a part of an
interval between two samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NoReturn, TypeVar, final

import numpy as np

from torseur.errors import ModelError
from torseur.words.sentence import say

Array = np.ndarray
S = TypeVar("S")  # samples
_ROUNDING = 1e-12  # of the length of a run: a time beyond its ends by this is at its end


@final
@dataclass(frozen=True)
class Course(Generic[S]):
    """States kept along a motion, its start and its end among them, and how they are read."""

    t: Array  # (kept)
    states: Array  # (kept, size), as the integrator knows them
    onward: Callable[[Array, Array], Array]  # (times, state at the first) → states at the times
    read: Callable[[Array, Array, S | None], S]  # times, states, samples of the whole motion

    @cached_property
    def whole(self) -> S:
        """All that was kept of it."""
        return self.read(self.t, self.states, None)

    def sampled(self, selection: Array | None) -> S:
        """Stored samples, or a part of them."""
        if selection is None:
            return self.whole
        return self.read(self.t[selection], self.states[selection], self.whole)

    def at(self, times: Array) -> S:
        """Samples at any times within it, in any order."""
        inside = self._within(np.atleast_1d(np.asarray(times, dtype=float)))
        return self.read(inside, self._states(inside), self.whole)

    def _within(self, times: Array) -> Array:
        """Times of the motion, refused where it did not go."""
        start, end = float(self.t[0]), float(self.t[-1])
        slack = _ROUNDING * max(end - start, abs(start), abs(end))
        outside = times[~((times >= start - slack) & (times <= end + slack))]
        if len(outside):
            raise ModelError(
                "run",
                say(
                    "t = {outside:g} s is outside the run, which lasts from {start:g} to {end:g} "
                    "s.",
                    outside[0],
                    start,
                    end,
                ),
                "Simulate longer, or go on from it: simulate(…, initial=run).",
            )
        return np.asarray(np.clip(times, start, end))

    def _states(self, times: Array) -> Array:
        """The states at any times of the motion, each from the last state kept not after it."""
        distinct, back = np.unique(times, return_inverse=True)
        place = np.searchsorted(self.t, distinct, side="right") - 1
        result = self.states[place]
        between = np.flatnonzero(distinct > self.t[place])
        groups = np.split(between, np.flatnonzero(np.diff(place[between])) + 1)
        for group in groups if len(between) else ():
            k = place[group[0]]
            later = np.concatenate([self.t[k : k + 1], distinct[group]])
            result[group] = self.onward(later, self.states[k])[1:]
        return np.asarray(result[back])


def nothing_between(times: Array, state: Array) -> NoReturn:
    """The way onward of a motion that was made in another process."""
    problem = "it was made in another process: nothing is known between its samples."
    raise ModelError(
        "run", problem, say("Asked for t = {times:g} s; its samples are at run.t.", times[-1])
    )
