"""Outcome of an integration: states, events, and the reason why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code

Array = np.ndarray
ROW, TIME, INDEX, STATE = range(4)  # columns of the table of events; the state is all the rest


@final
@dataclass(frozen=True)
class SignChange:
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
    events: tuple[SignChange, ...]  # in order of time
    code: Code
    time: float  # where the run ended
    state: Array  # there
    steps: int
    rejections: int
    evaluations: int  # of the derivative


@final
@dataclass(frozen=True)
class RowsOutcome:
    """Outcome of the motions of all rows."""

    states: Array  # (rows, samples, n); not a number where a motion did not come to
    codes: Array  # (rows,): why each ended, as `Code`
    ended: Array  # (rows,): when
    last: Array  # (rows, n): the states then
    balance: Array  # (rows, 3): error of the energy, energy exchanged, energies themselves
    events: Array  # (events, 3 + n): row, time, index of the function, state; by row and time
