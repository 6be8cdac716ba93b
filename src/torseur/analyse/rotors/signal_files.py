"""Signals measured on the bearings of a rotor, read from CSV files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from torseur.analyse.rotors.balancing import Synchronous, rotation_speed, synchronous
from torseur.errors import ModelError
from torseur.language.text.columns import needed_column, read_columns
from torseur.words.sentence import say

Array = np.ndarray
RUNS = ("bare", "trial1", "trial2")


@final
@dataclass(frozen=True, eq=False)
class Signals:
    """The signals of the gauges in one run of the rotor."""

    t: Array  # (samples) [s]
    values: Array  # (samples, gauges)
    angle: Array | None = None  # of the rotor (samples) [rad]; without it, speed × t

    def synchronous(self, speed: float) -> Synchronous:
        """The part that turns with the rotor."""
        return synchronous(speed * self.t if self.angle is None else self.angle, self.values)

    def speed(self) -> float:
        """The speed of the rotor, from its angle if it was measured, else from the signals."""
        if self.angle is not None:
            return float(np.polyfit(self.t, self.angle, 1)[0])
        return rotation_speed(self.t, self.values)


def read_signals(*paths: str | Path) -> tuple[Signals, Signals, Signals]:
    """The bare rotor and two trials, from one file of all or from three files of one each.

    A file has a row of names, then numbers. `t` is in seconds from the passage of the mark; of
    three files the other columns are gauges, except `angle` [rad]. In one file, columns begin with
    the run: bare_1, bare_2, trial1_1, trial1_2, trial2_1, trial2_2.
    """
    if len(paths) == 3:
        first, second, third = (_one_run(path) for path in paths)
        return first, second, third
    if len(paths) != 1:
        problem = say("{number} files were given.", len(paths))
        raise ModelError("signals", problem, "Give one file, or three: bare, trial 1, trial 2.")
    t, columns = _columns(paths[0])
    signals = []
    for run in RUNS:
        own = [x for name, x in columns.items() if name.startswith(f"{run}_")]
        if len(own) < 2:
            problem = say('two columns "{run}_1", "{run}_2" are needed; there are: ', run)
            raise ModelError(str(paths[0]), say("{problem}{columns}.", problem, ", ".join(columns)))
        signals.append(Signals(t, np.column_stack(own)))
    return signals[0], signals[1], signals[2]


def _one_run(path: str | Path) -> Signals:
    t, columns = _columns(path)
    gauges = [x for name, x in columns.items() if name not in ("t", "angle")]
    if len(gauges) < 2:
        problem = say("two gauges or more are needed; there are: {columns}.", ", ".join(columns))
        raise ModelError(str(path), problem)
    return Signals(t, np.column_stack(gauges), columns.get("angle"))


def _columns(path: str | Path) -> tuple[Array, dict[str, Array]]:
    """Times, and the columns by name; a unit in brackets after a name is left out."""
    columns = read_columns(path)
    t = needed_column("t", columns, path).values
    return t, {name: column.values for name, column in columns.items()}
