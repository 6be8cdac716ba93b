"""Loops closed by Newton's method, some coordinates keeping their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import LOOSE, Look, largest, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.closing_branch import ClosingBranch, Pin
from torseur.simulation.start.numeric_tree import least_step
from torseur.words.sentence import say

Array = np.ndarray


@final
class LoopClosing:
    """Loops to close, with some coordinates of closing joints where given.

    Displacements and openings are in parts of the size of the mechanism, or in radians.
    """

    def __init__(
        self,
        constraints: NumericConstraints,
        t: float,
        fixed: Sequence[int] = (),
        branch: ClosingBranch | None = None,
        pins: Sequence[Pin] = (),
        metric: Callable[[Array], Array] | None = None,
    ) -> None:
        self.held, self.t, self.fixed = constraints, t, list(fixed)
        self._branch, self._kept, self._metric = branch, pins, metric
        self._sizes = constraints.model.sizes.displacements
        self._free = [k for k in range(len(self._sizes)) if k not in self.fixed]

    @property
    def is_fixed(self) -> bool:
        """Whether no coordinate can move: all guesses are the same one."""
        return not self._free

    def opening(self, q: Array) -> Array:
        """Gaps of the loops and of the pins."""
        gaps = self.held.opening(q, self.t)
        if self._branch is None or not self._kept:
            return gaps
        off = self._branch.deviations(q)
        return np.concatenate([gaps, *(off[pin] for pin in self._kept)])

    def slopes(self, q: Array) -> Array:
        """The derivative of the opening; what is fixed does not move."""
        constraints = self.held
        J = (
            np.array(constraints.J(q, self.t))[constraints.positions]
            / constraints.gap_sizes[:, np.newaxis]
        )
        if self._branch is not None and self._kept:
            rows = self._branch.tree.rows(q)
            J = np.concatenate(
                [J * self._sizes, [rows[name] for pin in self._kept for name in pin.speeds]]
            )
        else:
            J = J * self._sizes
        J[:, self.fixed] = 0.0
        return np.asarray(J)

    def displaced(self, q: Array, step: Array) -> Array:
        """The coordinates after a small displacement."""
        return advanced(self.held.model, q, step * self._sizes)

    def closed(self, q: Array) -> Array:
        """Everything closed, by the smallest change at each step, in the metric at the guess."""
        metric: Array | None = None

        def step(place: Array, opening: Array) -> Array:
            nonlocal metric
            if metric is None and self._metric is not None:
                metric = self._metric(q)[np.ix_(self._free, self._free)]
            displacement = np.zeros(len(self._sizes))
            displacement[self._free] = least_step(
                self.slopes(place)[:, self._free], -opening, metric
            )
            return displacement

        def look(place: Array) -> Look[Array]:
            opening = self.opening(place)
            return Look(
                opening, lambda: step(place, opening), lambda along: self.displaced(place, along)
            )

        result = returned(look, q, self.held.closed_within)
        if not result.is_closed and np.isfinite(result.opening).all():
            raise self._open(result.q, result.opening)
        return result.q

    def _open(self, q: Array, opening: Array) -> SolveError:
        """Loops that stay open, with their gaps."""
        constraints, count = self.held, len(self.held.positions)
        names = [pin.coordinates[0] for pin in self._kept for _ in pin.speeds]
        if count and largest(opening[:count]) >= constraints.closed_within(q, LOOSE):
            name, size = constraints.worst(constraints.gap(q, self.t))
        else:
            worst = int(np.abs(opening[count:]).argmax())
            name, size = names[worst], float(abs(opening[count + worst]))
        if name in constraints.model.mechanism.joints:
            place, problem = f'joint "{name}"', say("the loop it closes stays open")
        elif name in names:
            place, problem = f'coordinate "{name}"', say("it cannot have its value: it stays off")
        else:
            place, problem = f'constraint "{name}"', say("it cannot be held: it stays off")
        return SolveError(
            place,
            say("{problem} by {size:.3g} (m or rad).", problem, size),
            "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
        )
