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
    rank_of,
    reciprocal,
    rows,
    speed_before,
    speeds,
    vector,
)
from torseur.spatial.triples import plus


def fill_branches(model: Any, work: Any, motions: Any, M: Any, nv: int) -> None:
    """M ← of each speed its entries with those on the way from the ground, and with itself."""
    for i in range(1, bodies(model) + 1):
        body, here, carrier = rows(model, work, i, at.GROUND_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            own, row = motion_of(motions, k), address(M, k * nv)
            w, V = vector(own, at.MOTION), vector(own, at.MOTION + 3)
            linear, angular = whole_momentum(here, w, V)
            rank = rank_of(own)
            row[rank] = felt(own, at.MOTION, angular, linear) + body[at.REFLECTED]
            if body[at.REFLECTED] != 0.0:
                angular = plus(angular, spin_in_ground(body, carrier))
            for n in range(rank - 1, -1, -1):
                own = motion_of(motions, speed_before(own))
                row[n] = felt(own, at.MOTION, angular, linear)


def factorise(model: Any, work: Any, motions: Any, M: Any, nv: int) -> None:
    """M ← L, with the reciprocals of D on its diagonal; in the same places."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count - 1, -1, -1):
            k = start + m * step
            own, row = motion_of(motions, k), address(M, k * nv)
            rank = rank_of(own)
            inverse = reciprocal(body, row[rank])
            row[rank] = inverse
            for n in range(rank - 1, -1, -1):
                j = speed_before(own)
                share = row[n] * inverse
                take(address(M, j * nv), share, row, n + 1)
                row[n] = share
                own = motion_of(motions, j)


def solve_against(
    model: Any, work: Any, motions: Any, L: Any, nv: int, X: Any, width: int
) -> None:
    """X ← −M⁻¹ X, by rows of a width."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count - 1, -1, -1):
            k = start + m * step
            own, row = motion_of(motions, k), address(X, k * width)
            for n in range(rank_of(own) - 1, -1, -1):
                j = speed_before(own)
                take(address(X, j * width), L[k * nv + n], row, width)
                own = motion_of(motions, j)
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count):
            k = start + m * step
            own, row = motion_of(motions, k), address(X, k * width)
            rank = rank_of(own)
            scale(row, -L[k * nv + rank], width)
            for n in range(rank - 1, -1, -1):
                j = speed_before(own)
                take(row, L[k * nv + n], address(X, j * width), width)
                own = motion_of(motions, j)


def scale(row: Any, factor: Any, width: int) -> None:
    """A row is multiplied by a factor."""
    for n in range(width):
        row[n] *= factor


def take(row: Any, share: Any, other: Any, width: int) -> None:
    """A share of another row is taken from a row."""
    for n in range(width):
        row[n] -= share * other[n]
