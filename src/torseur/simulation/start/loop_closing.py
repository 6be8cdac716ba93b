"""Loops closed by Newton's method, some coordinates keeping their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

import numpy as np

from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.simulation.start.branch import Branch
from torseur.simulation.start.numeric_constraints import Held

Array = np.ndarray
# Newton's method halves its step until the gap shrinks; a loop that closes does so in a few steps.
_STEPS, _HALVINGS = 100, 12
_FAR = 0.5  # the most that a step moves anything [rad, or part of the size]
_SOLVED = 1e-6  # of the opening: what a longer step may leave, as of gears, which are linear
_RANK = 1e-9
_LOOSE = 1e3  # a gap that no longer shrinks passes if it is less than this many closed ones


def advanced(model: CompiledModel, q: Array, step: Array) -> Array:
    """The coordinates after a small displacement given in speeds."""
    moved = q.copy()
    for _, link in model.system.tree:
        moved[link.q] = q[link.q] + link.joint.rates(q[link.q], step[link.v])
    return with_unit_quaternions(model, moved)


def with_unit_quaternions(model: CompiledModel, q: Array) -> Array:
    """The coordinates with quaternions of unit norm."""
    for _, link in model.system.tree:
        if link.joint.turning:
            own = q[link.q]
            own[-4:] /= np.linalg.norm(own[-4:])
    return q


@final
class Loops:
    """What is to be closed: the loops, with some coordinates of closing joints where given.

    Displacements and openings are in parts of the size of the mechanism, or in radians.
    """

    def __init__(
        self,
        held: Held,
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
        """Newton's method with the smallest change at each step."""
        opening = self.opening(q)
        for _ in range(_STEPS):
            size = np.linalg.norm(opening)
            if not _largest(opening) >= self.held.closed_within(q):
                return q
            step = -np.linalg.lstsq(self.slopes(q), opening, rcond=_RANK)[0]
            for part, enough in _parts(float(np.abs(step).max(initial=0.0))):
                trial = self.moved(q, part * step)
                further = self.opening(trial)
                if np.linalg.norm(further) < enough * size:
                    break
            else:
                break
            q, opening = trial, further
        if _largest(opening) < self.held.closed_within(q, _LOOSE):
            return q
        raise self._open(q, opening)

    def _open(self, q: Array, opening: Array) -> SolveError:
        """What stays open, and by how much."""
        held, count = self.held, len(self.held.positions)
        name, size = held.worst(held.gap(q, self.t)) if count else (self._kept[0], np.nan)
        if count and _largest(opening[:count]) < held.closed_within(q, _LOOSE):
            name, size = self._kept[0], float(np.abs(opening[count:]).max())
        if name in held.model.mechanism.joints:
            place, problem = f'joint "{name}"', "the loop it closes stays open"
        elif name in self._kept:
            place, problem = f'coordinate "{name}"', "it cannot have its value: it stays off"
        else:
            place, problem = f'constraint "{name}"', "it cannot be held: it stays off"
        return SolveError(
            place,
            f"{problem} by {size:.3g} (m or rad).",
            "Are the lengths long enough to reach? Give a closer guess, or pin fewer coordinates.",
        )


def _parts(step: float) -> Iterator[tuple[float, float]]:
    """The parts of a step that are tried: all of it, then no more than is far, then halves.

    Each with the part of the opening that it must leave behind.
    """
    longest = min(1.0, _FAR / max(step, 1e-300))
    if longest < 1.0:
        yield 1.0, _SOLVED
    yield from ((longest / 2**halving, 1.0) for halving in range(_HALVINGS))


def closed(held: Held, q: Array, fixed: list[int], t: float) -> Array:
    """The loops closed, some speeds being zero."""
    return Loops(held, t, fixed).closed(q)


def _largest(opening: Array) -> float:
    return float(np.abs(opening).max(initial=0.0))
