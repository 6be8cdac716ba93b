"""First-order states among the small motions of a mechanism.

Equations of rest have a freedom for each state, whose acceleration stands for the rate. In small
motions the state is z = (s, w, x): displacements, speeds, first-order states, and ẋ is the row of
that acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.analyse.at_a_state.statics import AtState
from torseur.model.values.numeric import state_freedoms

Array = np.ndarray


@final
@dataclass(frozen=True)
class StatePlaces:
    """The places of z in all displacements and speeds of a chart, (s, w)."""

    here: AtState
    turning: frozenset[int]  # displacements that turn for ever, which are left out

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The first-order states."""
        return state_freedoms(self.here.tangent.model.mechanism)

    @cached_property
    def _freedoms(self) -> frozenset[int]:
        speeds = self.here.tangent.speeds
        return frozenset(speeds.index(f"{name}.") for name in self.names)

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """The places in s of the displacements of bodies that do not turn."""
        left_out = self.turning | self._freedoms
        return tuple(k for k, i in enumerate(self.here.chart.shifts) if i not in left_out)

    @cached_property
    def speeds(self) -> tuple[int, ...]:
        """The places in w of the speeds of bodies."""
        return tuple(k for k, i in enumerate(self.here.chart.speeds) if i not in self._freedoms)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The places in s of the states x."""
        return tuple(k for k, i in enumerate(self.here.chart.shifts) if i in self._freedoms)

    @cached_property
    def rates(self) -> tuple[int, ...]:
        """The places in (s, w) of the speeds of states, whose accelerations stand for ẋ."""
        n = len(self.here.chart.shifts)
        return tuple(n + k for k, i in enumerate(self.here.chart.speeds) if i in self._freedoms)

    @property
    def bodies(self) -> list[int]:
        """The places in (s, w) of the displacements and the speeds of bodies."""
        return [*self.shifts, *(len(self.here.chart.shifts) + k for k in self.speeds)]

    @property
    def rows(self) -> list[int]:
        """The rows of (s, w)˙ that are ż."""
        return [*self.bodies, *self.rates]

    @property
    def columns(self) -> list[int]:
        """The columns of (s, w) that are z."""
        return [*self.bodies, *self.values]

    @property
    def lasting(self) -> tuple[int, ...]:
        """The places in s of everything that does not turn."""
        return tuple(k for k, i in enumerate(self.here.chart.shifts) if i not in self.turning)

    def among(self, whole: Array) -> Array:
        """A matrix on (s, w) as one on z: its rows and columns."""
        return np.asarray(whole[np.ix_(self.rows, self.columns)])

    @cached_property
    def spread(self) -> Array:
        """(s, w) from z, the displacements that turn left out; states have no speeds there."""
        at = self.here.chart
        rows = [*self.lasting, *(len(at.shifts) + k for k in range(len(at.speeds)))]
        ones = [[float(row == k) for k in self.columns] for row in rows]
        return np.array(ones).reshape(len(rows), len(self.columns))
