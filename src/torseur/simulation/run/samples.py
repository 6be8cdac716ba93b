"""Sample interface common to all formulations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NoReturn, Protocol, TypeVar, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.freed_samples import FreedSamples
from torseur.simulation.run.joint_samples import JointSamples
from torseur.words.sentence import say

Array = np.ndarray
# Of the energies themselves: exchanges below are not told from rounding to half its digits.
_LEAST = float(np.sqrt(np.finfo(float).eps))


Samples = JointSamples | AbsoluteSamples | FreedSamples  # a run reads the same of each
S = TypeVar("S")  # samples
_ROUNDING = 1e-12  # of the length of a run: a time beyond its ends by this is at its end


@final
@dataclass(frozen=True, eq=False)
class Happened:
    """An event that was found: its name, its instant and the state then.

    At a contact it has a cause (touch, lift-off, limit of friction, end of sliding, shock) and an
    effect (open, stick, slip), a shock its normal impulse.
    """

    __repr__ = brief
    _repr_html_ = notebook.html

    name: str
    t: float  # [s]
    state: Array  # coordinates, speeds and work
    cause: str = ""
    effect: str = ""
    impulse: float = 0.0  # [N s or N m s]


class Readable(Protocol):
    """Quantities of a run that plots and files read by name."""

    @property
    def samples(self) -> Samples: ...
    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...
    @property
    def names(self) -> dict[str, str]: ...  # coordinates and speeds with their units
    def __getitem__(self, name: str) -> Array: ...
    @property
    def energy(self) -> dict[str, Array]: ...
    @property
    def notices(self) -> tuple[str, ...]: ...
    @property
    def events(self) -> tuple[Happened, ...]: ...
    @property
    def energy_drift(self) -> float: ...
    @property
    def closure_error(self) -> float: ...
    def point(self, name: str, derivative: int = 0) -> Array: ...
    def drive(self, motion: str) -> Array: ...
    def reaction(self, joint: str) -> Array: ...


# --- the motion between samples -------------------------------------------------------------------


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
        "run", problem, say("Requested: t = {times:g} s; the samples are at run.t.", times[-1])
    )


def energy_drift(energy: Mapping[str, Array], scale: float | Array) -> Array:
    """The largest error of T + V − W over a run, or over each of many, beside what was exchanged.

    That is the largest T + |V − V₀| + |W|. Where hardly anything is exchanged, as at rest, √ε times
    the energies themselves or `scale` [J], of which the error is rounding.
    """
    T, V, W = (np.asarray(energy[name]) for name in ("kinetic", "potential", "work"))
    total = T + V - W
    exchanged = (T + np.abs(V - V[..., :1]) + np.abs(W)).max(axis=-1)
    least = _LEAST * np.maximum(scale, (T + np.abs(V) + np.abs(W)).max(axis=-1))
    error = np.abs(total - total[..., :1]).max(axis=-1)
    return np.asarray(error / np.maximum(np.maximum(exchanged, least), 1e-300))
