"""The mass matrix in the ground, and systems of it solved along the branches: M = Lᵀ D L.

Nothing is filled in: only entries of two speeds on one branch are looked at. Reference:
Featherstone (2008), §6.5.
"""

from typing import Any

from torseur.dynamics.recursions import places as at
from torseur.dynamics.recursions.derivatives import felt, whole_momentum
from torseur.dynamics.recursions.ground_motion import spin_in_ground
from torseur.dynamics.recursions.rows import (
    address,
    bodies,
    motion_of,
    outward,
    reciprocal,
    rows,
    speed_before,
    speeds,
    vector,
    whole,
)
from torseur.spatial.triples import plus

STRIP = 48  # columns that are solved for together, so that they stay near the processor


def fill_branches(model: Any, work: Any, motions: Any, M: Any, paths: Any, nv: int) -> None:
    """M ← of each speed its entries with those on the way from the ground, and with itself.

    The same rows of `paths` say which speeds these are.
    """
    for i in range(1, bodies(model) + 1):
        body, here, carrier = rows(model, work, i, at.GROUND_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            own, row, path = motion_of(motions, k), address(M, k * nv), address(paths, k * nv)
            w, V = vector(own, at.MOTION), vector(own, at.MOTION + 3)
            linear, angular = whole_momentum(here, w, V)
            rank = whole(own[at.RANK])
            row[rank] = felt(own, at.MOTION, angular, linear) + body[at.REFLECTED]
            if body[at.REFLECTED] != 0.0:
                angular = plus(angular, spin_in_ground(body, carrier))
            for n in range(rank - 1, -1, -1):
                path[n] = own[at.BEFORE]
                own = motion_of(motions, speed_before(own))
                row[n] = felt(own, at.MOTION, angular, linear)


def factorise(model: Any, work: Any, motions: Any, M: Any, paths: Any, nv: int) -> None:
    """M ← L, with the reciprocals of D on its diagonal; in the same places."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count - 1, -1, -1):
            k = start + m * step
            row, path = address(M, k * nv), address(paths, k * nv)
            rank = whole(motion_of(motions, k)[at.RANK])
            inverse = reciprocal(body, row[rank])
            row[rank] = inverse
            for n in range(rank - 1, -1, -1):
                share = row[n] * inverse
                take(address(M, whole(path[n]) * nv), share, row, n + 1)
                row[n] = share


def solve_against(
    model: Any, work: Any, motions: Any, L: Any, paths: Any, nv: int, X: Any, width: int
) -> None:
    """X ← −M⁻¹ X, by rows of a width."""
    for first in range(0, width, STRIP):
        strip, n = address(X, first), min(STRIP, width - first)
        for i in range(bodies(model), 0, -1):
            body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
            start, count, step = outward(body)
            for m in range(count - 1, -1, -1):
                k = start + m * step
                rank = whole(motion_of(motions, k)[at.RANK])
                give(address(paths, k * nv), rank, k, address(L, k * nv), strip, width, n)
        for i in range(1, bodies(model) + 1):
            body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
            start, count, step = outward(body)
            for m in range(count):
                k = start + m * step
                rank = whole(motion_of(motions, k)[at.RANK])
                receive(address(paths, k * nv), rank, k, address(L, k * nv), strip, width, n)


def give(path: Any, rank: int, k: int, shares: Any, X: Any, width: int, n: int) -> None:
    """Shares of row k are taken from the rows before it, two at a time."""
    row = address(X, k * width)
    for m in range(0, rank - 1, 2):
        x, y = address(X, whole(path[m]) * width), address(X, whole(path[m + 1]) * width)
        f, g = shares[m], shares[m + 1]
        for c in range(n):
            x[c] -= f * row[c]
            y[c] -= g * row[c]
    for m in range(rank - rank % 2, rank):
        take(address(X, whole(path[m]) * width), shares[m], row, n)


def receive(path: Any, rank: int, k: int, shares: Any, X: Any, width: int, n: int) -> None:
    """Row k, divided by −D, less shares of the rows before it, four at a time."""
    row, factor = address(X, k * width), -shares[rank]
    for c in range(n):
        row[c] *= factor
    for m in range(0, rank - 3, 4):
        x, y = address(X, whole(path[m]) * width), address(X, whole(path[m + 1]) * width)
        z, t = address(X, whole(path[m + 2]) * width), address(X, whole(path[m + 3]) * width)
        d, e, f, g = shares[m], shares[m + 1], shares[m + 2], shares[m + 3]
        for c in range(n):
            row[c] -= d * x[c] + e * y[c] + (f * z[c] + g * t[c])
    for m in range(rank - rank % 4, rank):
        take(row, shares[m], address(X, whole(path[m]) * width), n)


def take(row: Any, share: Any, other: Any, n: int) -> None:
    """A share of another row is taken from a row."""
    for c in range(n):
        row[c] -= share * other[c]
