"""Whether what touches can rest: forces within all limits of friction, as clear as they can be.

Of forces that have a choice, A z + c = 0 leaves z₀ + N y. The least distance s to a limit, of
μ N − |T| of each element, is made as large as can be: a small problem of second-order cones, solved
by Newton's method on its logarithmic barrier (Boyd and Vandenberghe 2004, *Convex Optimization*,
§11.3 and §11.6). Where s > 0 nothing needs to slide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.negligible import RANK
from torseur.simulation.contact.situation import Situation

Array = np.ndarray
_CLEAR = 1e-10  # of the largest force: a distance from a limit that is one
_GROWTH, _MOST, _NEWTON = 30.0, 1e13, 40  # of the weight of s; its largest; steps for each
_NEAR = 0.1  # of s: what the largest may have more
_DONE = 1e-9  # a decrement of the barrier that is none
_LARGE = 1e3  # times the forces at hand: a distance that has no bound


@final
@dataclass(frozen=True)
class _Limits:
    """μ N − |T| of elements, as a − |T|: a and T are affine in x = (y, s), rows (…, 1 + x)."""

    a: Array  # (elements, 1 + x)
    T: Array  # (elements, 3, 1 + x)

    def at(self, x: Array) -> tuple[Array, Array]:
        """Their values."""
        one = np.concatenate([[1.0], x])
        return self.a @ one, self.T @ one

    def value(self, x: Array) -> float:
        """−Σ log(a² − |T|²); infinite where not all are kept."""
        a, T = self.at(x)
        if not (a > np.linalg.norm(T, axis=1)).all():
            return np.inf
        return -float(np.log(a * a - np.square(T).sum(axis=1)).sum())

    def barrier(self, x: Array) -> tuple[float, Array, Array]:
        """−Σ log(a² − |T|²), its gradient and its second derivatives."""
        a, T = self.at(x)
        q = a * a - np.square(T).sum(axis=1)
        own, by = self.a[:, 1:], self.T[:, :, 1:]
        slopes = 2 * (a[:, np.newaxis] * own - np.einsum("ki,kij->kj", T, by)) / q[:, np.newaxis]
        bends = np.einsum("ki,kj->kij", own, own) - np.einsum("kmi,kmj->kij", by, by)
        bent = slopes.T @ slopes - 2 * (bends / q[:, np.newaxis, np.newaxis]).sum(axis=0)
        return -float(np.log(q).sum()), -slopes.sum(axis=0), bent


def resting_forces(seen: Situation, elements: Array, rows: Sequence[int]) -> Array | None:
    """Forces of all rows, those of an island within its limits; None: it must move, or is not told.

    It is told where nothing of it slides yet, and friction is Coulomb's at normal forces.
    """
    table, A = seen.contacts.table[elements], seen.A
    plain = (table[:, at.LOAD] == at.NORMAL_LOAD) & (table[:, at.WRAPPED] == 0.0)
    plain &= (table[:, at.PATCH] == at.NO_PATCH) & (table[:, at.SPRING] < 0)
    if not (plain | ((table[:, at.COUNT] == 0.0) & (table[:, at.NORMAL] >= 0))).all():
        return None
    place = np.asarray(rows)
    scale = 1 / np.sqrt(A.diagonal()[place])
    sizes, ways = np.linalg.eigh(A[np.ix_(place, place)] * np.outer(scale, scale))
    moved = sizes > RANK * sizes[-1]
    held = ways[:, moved].T @ (-scale * seen.c[place]) / sizes[moved]
    if moved.all() or not held.any():
        return None
    forces = np.zeros((len(A), 2 + int((~moved).sum())))  # by 1, y and s
    size = np.linalg.norm(held)
    forces[place, 0] = scale * (ways[:, moved] @ held) / size
    forces[place, 1:-1] = scale[:, np.newaxis] * ways[:, ~moved]
    x = _clearest(_limits(seen, table, forces))
    if x is None or x[-1] <= _CLEAR:
        return None
    return np.asarray(forces @ np.concatenate([[1.0], x]) * size)


def _limits(seen: Situation, table: Array, forces: Array) -> _Limits:
    """Those of elements, each in units of what its rows are compared with."""
    fineness, count = seen.contacts["fineness"], len(table)
    a, T = np.zeros((count, forces.shape[1])), np.zeros((count, 3, forces.shape[1]))
    for k, line in enumerate(table):
        rubbing = line[at.FIRST : at.FIRST + int(line[at.COUNT])].astype(int)
        normal = int(line[at.LOAD_FROM] if len(rubbing) else line[at.NORMAL])
        unit = 1 / fineness[rubbing[0] if len(rubbing) else normal]
        a[k] = (line[at.STATIC] if len(rubbing) else 1.0) * forces[normal] * unit
        T[k, : len(rubbing)] = forces[rubbing] * unit
    a[:, -1] = -1.0 / fineness.max()
    return _Limits(a, T)


def _clearest(limits: _Limits) -> Array | None:
    """(y, s) with the largest s; None where it has no bound."""
    x = np.zeros(limits.a.shape[1] - 1)
    a, T = limits.at(x)
    unit = -limits.a[0, -1]
    x[-1] = float((a - np.linalg.norm(T, axis=1)).min()) / unit - 1.0
    weight, degree = 1.0, 2 * len(a)
    while weight < _MOST:
        for _ in range(_NEWTON):
            value, slope, bent = limits.barrier(x)
            slope[-1] -= weight
            step = -np.linalg.lstsq(bent, slope, rcond=1e-14)[0]
            fall = -float(slope @ step)
            if not fall > _DONE:
                break
            before, x = x, _along(limits, x, step, weight, value, fall)
            if x is before:
                break
            if not abs(x[-1]) < _LARGE:
                return None
        more = degree / weight  # what the largest s may be above this one
        if x[-1] + more <= _CLEAR or more <= _NEAR * x[-1]:
            break
        weight *= _GROWTH
    return x


def _along(
    limits: _Limits, x: Array, step: Array, weight: float, value: float, fall: float
) -> Array:
    """A part of a step by which the barrier falls; where rounding hides it, none."""
    part, here = 1.0, value - weight * x[-1]
    while part > 1e-12:
        to, wanted = x + part * step, here - 0.1 * part * fall
        if limits.value(to) - weight * to[-1] <= wanted:
            return np.asarray(to)
        part *= 0.5
    return x
