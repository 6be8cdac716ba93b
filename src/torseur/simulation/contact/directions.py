"""The directions in which things start to slide: those of w, against their friction.

d ← w/|w| alone would go astray where sliding starts gently. The friction F d is moved against w and
brought back to its size, d ← (F d + ρ w)/|F d + ρ w|, which is the projection on Coulomb's cone;
from time to time Newton's method on the angles is tried, which ends what that begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.simulation.contact.situation import Found

Array = np.ndarray
Solve = Callable[[Array], Found]  # of directions
_MOST = 400  # steps
_NEWTON = 8  # of them until Newton's method is tried
_ALIGNED = 1e-14  # of a unit vector: a direction that no longer changes
_EXACT = 1e-13  # of the largest w: what is across a direction that is right
_SMALL = 1e-6  # an angle, for differences
_FAR = 0.3  # an angle that Newton's method does not turn by


@final
@dataclass(frozen=True)
class Turning:
    """Elements that start to slide, each with its rows."""

    which: Sequence[tuple[int, list[int]]]
    A: Array

    @cached_property
    def _tables(self) -> tuple[Array, Array, Array]:
        """(which, 3): the rows of each, and 1 where there is one; (which, 1): how far to step."""
        rows, there = np.zeros((len(self.which), 3), dtype=int), np.zeros((len(self.which), 3))
        for place, (_, own) in enumerate(self.which):
            rows[place, : len(own)], there[place, : len(own)] = own, 1.0
        trace = (self.A.diagonal()[rows] * there).sum(axis=1, keepdims=True)
        return rows, there, 1 / trace

    def stepped(self, directions: Array, found: Found) -> Array:
        """Every direction after a step of projection."""
        (rows, there, rho), elements = self._tables, [k for k, _ in self.which]
        before, turned = directions[elements], directions.copy()
        sizes = np.sqrt(np.square(found.z[rows] * there).sum(axis=1, keepdims=True))
        after = (sizes * before + rho * found.w[rows]) * there
        length = np.sqrt(np.square(after).sum(axis=1, keepdims=True))
        kept = (length == 0) | (there == 0)
        turned[elements] = np.where(kept, before, after / np.where(length == 0, 1.0, length))
        return turned

    def across(self, directions: Array, found: Found) -> Array:
        """What of w is across the directions."""
        parts = [
            found.w[rows] - d * (d @ found.w[rows])
            for k, rows in self.which
            for d in (directions[k, : len(rows)],)
        ]
        return np.concatenate(parts)

    def by_newton(self, directions: Array, found: Found, solve: Solve) -> Array:
        """The directions after a step of Newton's method, or as they are if that goes too far."""
        here = self.across(directions, found)
        sides = [(k, side) for k, rows in self.which for side in _sides(directions[k, : len(rows)])]
        moves = [self._moved(directions, k, side) for k, side in sides]
        slopes = [(self.across(x, solve(x)) - here) / _SMALL for x in moves]
        angles = np.linalg.lstsq(np.array(slopes).T, -here, rcond=None)[0]
        if np.abs(angles).max() > _FAR:
            return directions
        turned = directions + sum(
            a * (x - directions) / _SMALL for a, x in zip(angles, moves, strict=True)
        )
        for k, rows in self.which:
            turned[k, : len(rows)] = _unit(turned[k, : len(rows)], directions[k, : len(rows)])
        return np.asarray(turned)

    @staticmethod
    def _moved(directions: Array, k: int, move: Array) -> Array:
        turned = directions.copy()
        turned[k, : len(move)] += _SMALL * move
        turned[k, : len(move)] /= np.linalg.norm(turned[k, : len(move)])
        return turned


def aligned(turning: Turning, start: Array, solve: Solve) -> Array:
    """Directions along w, as near as rounding lets them be."""
    directions, found = start, solve(start)
    for step in range(1, _MOST):
        turned = turning.stepped(directions, found)
        if np.abs(turned - directions).max() < _ALIGNED:
            break
        directions, found = turned, solve(turned)
        if step % _NEWTON:
            continue
        off = np.abs(turning.across(directions, found)).max()
        if off <= _EXACT * np.abs(found.w).max():
            break
        tried = turning.by_newton(directions, found, solve)
        better = solve(tried)
        if np.abs(turning.across(tried, better)).max() < off:
            directions, found = tried, better
    return directions


def _unit(x: Array, otherwise: Array) -> Array:
    size = np.linalg.norm(x)
    return x / size if size > 0 else otherwise


def _sides(d: Array) -> Array:
    """Unit vectors across a direction, as rows."""
    q, _ = np.linalg.qr(np.column_stack([d, np.eye(len(d))]))
    return np.asarray(q[:, 1 : len(d)].T)
