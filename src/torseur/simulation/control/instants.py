"""When a loop of control measures and acts, beside the times at which samples are wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.simulation.control.loop import Loop

Array = np.ndarray
_ROUNDING = 1e-9  # of a sampling time: two instants that are one


@final
@dataclass(frozen=True)
class Instants:
    """The times of one run at which a law is asked, and at which its commands act if later."""

    measured: Array
    acting: Array  # both, in order
    whole: int  # samples that a command waits
    waits: bool  # and a part of a sample besides


def instants(loop: Loop, start: float, end: float) -> Instants:
    """start + k sample up to the end, and the delay after each."""
    count = int((end - start) / loop.sample + _ROUNDING) + 1
    whole = int(min(loop.delay / loop.sample + _ROUNDING, count))  # longer: it never acts
    rest = loop.delay - whole * loop.sample
    waits = whole < count and rest > _ROUNDING * loop.sample
    measured = start + np.arange(count) * float(loop.sample)
    later = (measured + rest)[measured + rest <= end] if waits else measured
    return Instants(measured, np.unique(np.concatenate([measured, later])), whole, waits)


def snapped(instants: Instants, times: Array, sample: float) -> Instants:
    """The same, those that are wanted times but for rounding being these."""

    def moved(own: Array) -> Array:
        place = np.clip(np.searchsorted(times, own), 1, len(times) - 1)
        before, after = times[place - 1], times[place]
        near = np.where(np.abs(before - own) < np.abs(after - own), before, after)
        return np.where(np.abs(near - own) <= _ROUNDING * sample, near, own)

    return replace(instants, measured=moved(instants.measured), acting=moved(instants.acting))
