"""What lanes move: functions of the state as vector code, and the rows that start."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.machine.evaluator import Evaluator
from torseur.machine.integrators.problem import StateSizes

Array = np.ndarray


@final
@dataclass(frozen=True)
class LaneFunction:
    """A compiled function of (y, t), at the parameters of every row, or of all."""

    evaluator: Evaluator
    values: Array  # (rows or 1, parameters of the function)


@final
@dataclass(frozen=True)
class LaneAct:
    """What changes the state of a row at instants: machine code of [record, y, t, output]."""

    address: int
    places: Array  # (rows): the addresses of the records
    acting: Array  # (samples): whether it acts there
    owner: Any  # kept alive as long as the code is used


@final
@dataclass(frozen=True)
class LaneProblem:
    """ẏ = f(y, t), with loops to be kept closed, events to be found and inputs from outside."""

    functions: dict[str, LaneFunction]  # by the names of the record
    directions: tuple[float, ...] = ()  # of events: −1 falling, +1 rising, 0 both
    terminal: tuple[bool, ...] = ()  # of events: whether a motion ends there
    act: LaneAct | None = None  # None: inputs are those that rows are given beforehand


@final
@dataclass(frozen=True)
class Rows:
    """The motions to be made: where each starts, what it is compared with, what is given to it."""

    starts: Array  # (rows, n)
    times: Array  # (samples,)
    sizes: StateSizes  # usual and grain: (rows or 1, n); most: (n,)
    inputs: Array = field(default_factory=lambda: np.zeros((1, 1, 0)))  # (rows or 1, samples, …)


@final
@dataclass(frozen=True)
class LaneOutcome:
    """What became of all rows."""

    states: Array  # (rows, samples, n); not a number where a motion did not come to
    codes: Array  # (rows,): why each ended, as `Code`
    ended: Array  # (rows,): when
    last: Array  # (rows, n): the states then
    steps: Array  # (rows, 2): accepted and rejected
    balance: Array  # (rows, 3): error of the energy, energy exchanged, energies themselves
    events: Array  # (events, 3 + n): row, time, index of the function, state; by row and time


def is_possible(functions: dict[str, Any]) -> bool:
    """Whether functions can be made vector code: not where they run in a loop, or in NumPy."""
    codes = (x.entries for x in functions.values())
    return all(getattr(x, "more", None) is not None for x in codes)
