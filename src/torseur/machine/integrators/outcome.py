"""What an integration gives: states, events, and the reason why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code

Array = np.ndarray


@final
@dataclass(frozen=True)
class Event:
    """A change of sign of an event function."""

    time: float
    index: int  # of the function
    state: Array


@final
@dataclass(frozen=True)
class Reached:
    """Where a run is when it pauses."""

    time: float
    state: Array
    step: float  # the one to try next
    steps: int  # accepted so far
    bend: float  # h |Δẏ| / |Δy| of the last step, if it was asked to look for stiffness


@final
@dataclass(frozen=True)
class Outcome:
    """The states at the times that were reached, and how the run went."""

    states: Array  # (samples reached, n)
    events: tuple[Event, ...]  # in order of time
    code: Code
    time: float  # where the run ended
    state: Array  # there
    steps: int
    rejections: int
    evaluations: int  # of the derivative
