"""Loops closed by Newton's method, some coordinates keeping their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.newton import LOOSE, Look, largest, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.branch import Branch
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-9


@final
class Loops:
    """What is to be closed: the loops, with some coordinates of closing joints where given.

    Displacements and openings are in parts of the size of the mechanism, or in radians.
    """

    def __init__(
        self,
        held: NumericConstraints,
        t: float,
        fixed: Sequence[int] = (),
        branch: Branch | None = None,
        kept: Sequence[str] = (),
    ) -> None:
        self.held, self.t, self.fixed = held, t, list(fixed)
        self._branch, self._kept = branch, kept
        self._sizes = held.model.sizes.displacements

    def opening(self, q: Array) -> Array:
        """How far everything is from where it should be."""
        found = self.held.opening(q, self.t)
        if self._branch is None or not self._kept:
            return found
        off, sizes = self._branch.changes(q), self._branch.sizes()
        return np.concatenate([found, [off[name] / sizes[name] for name in self._kept]])

    def slopes(self, q: Array) -> Array:
        """The derivative of the opening; what is fixed does not move."""
        held = self.held
        J = np.array(held.J(q, self.t))[held.positions] / held.gap_sizes[:, np.newaxis]
        if self._branch is not None and self._kept:
            own, sizes = self._branch.slopes(q), self._branch.sizes()
            J = np.concatenate([J, [own[name] / sizes[name] for name in self._kept]])
        J = J * self._sizes
        J[:, self.fixed] = 0.0
        return J

    def moved(self, q: Array, step: Array) -> Array:
        """The coordinates after a small displacement."""
        return advanced(self.held.model, q, step * self._sizes)

    def closed(self, q: Array) -> Array:
        """Everything closed, by the smallest change at each step."""

        def look(place: Array) -> Look[Array]:
            opening = self.opening(place)
            return Look(
                opening,
                lambda: -np.linalg.lstsq(self.slopes(place), opening, rcond=_RANK)[0],
                lambda step: self.moved(place, step),
            )

        found = returned(look, q, self.held.closed_within)
        if not found.is_closed and np.isfinite(found.opening).all():
            raise self._open(found.q, found.opening)
        return found.q

    def _open(self, q: Array, opening: Array) -> SolveError:
        """What stays open, and by how much."""
        held, count = self.held, len(self.held.positions)
        name, size = held.worst(held.gap(q, self.t)) if count else (self._kept[0], np.nan)
        if count and largest(opening[:count]) < held.closed_within(q, LOOSE):
            name, size = self._kept[0], float(np.abs(opening[count:]).max())
        if name in held.model.mechanism.joints:
            place, problem = f'joint "{name}"', say("the loop it closes stays open")
        elif name in self._kept:
            place, problem = f'coordinate "{name}"', say("it cannot have its value: it stays off")
        else:
            place, problem = f'constraint "{name}"', say("it cannot be held: it stays off")
        return SolveError(
            place,
            say("{problem} by {size:.3g} (m or rad).", problem, size),
            "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
        )


def closed(held: NumericConstraints, q: Array, fixed: list[int], t: float) -> Array:
    """The loops closed, some speeds being zero."""
    return Loops(held, t, fixed).closed(q)
