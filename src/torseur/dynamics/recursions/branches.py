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
)
from torseur.spatial.triples import plus


def fill_branches(model: Any, work: Any, motions: Any, M: Any, nv: int) -> None:
    """M ← the mass matrix by rows: of each speed with itself and with those before it."""
    for i in range(1, bodies(model) + 1):
        body, here, carrier = rows(model, work, i, at.GROUND_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            own, row = motion_of(motions, k), address(M, k * nv)
            linear, angular = whole_momentum(
                here, vector(own, at.MOTION), vector(own, at.MOTION + 3)
            )
            row[k] = felt(own, at.MOTION, angular, linear) + body[at.REFLECTED]
            if body[at.REFLECTED] != 0.0:
                angular = plus(angular, spin_in_ground(body, carrier))
            j = speed_before(own)
            while j >= 0:
                other = motion_of(motions, j)
                row[j] = felt(other, at.MOTION, angular, linear)
                j = speed_before(other)


def factorise(model: Any, work: Any, motions: Any, M: Any, nv: int) -> None:
    """M ← L, with the reciprocals of D on its diagonal."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for n in range(count - 1, -1, -1):
            k = start + n * step
            row = address(M, k * nv)
            inverse = reciprocal(body, row[k])
            row[k] = inverse
            i_speed = speed_before(motion_of(motions, k))
            while i_speed >= 0:
                share, other = row[i_speed] * inverse, address(M, i_speed * nv)
                j = i_speed
                while j >= 0:
                    other[j] -= share * row[j]
                    j = speed_before(motion_of(motions, j))
                row[i_speed] = share
                i_speed = speed_before(motion_of(motions, i_speed))


def solve_against(
    model: Any, work: Any, motions: Any, L: Any, nv: int, X: Any, width: int
) -> None:
    """X ← −M⁻¹ X, by rows of a width."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for n in range(count - 1, -1, -1):
            k = start + n * step
            j = speed_before(motion_of(motions, k))
            while j >= 0:
                take(address(X, j * width), L[k * nv + j], address(X, k * width), width)
                j = speed_before(motion_of(motions, j))
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for n in range(count):
            k = start + n * step
            row = address(X, k * width)
            scale(row, -L[k * nv + k], width)
            j = speed_before(motion_of(motions, k))
            while j >= 0:
                take(row, L[k * nv + j], address(X, j * width), width)
                j = speed_before(motion_of(motions, j))


def scale(row: Any, factor: Any, width: int) -> None:
    """A row is multiplied by a factor."""
    for n in range(width):
        row[n] *= factor


def take(row: Any, share: Any, other: Any, width: int) -> None:
    """A share of another row is taken from a row."""
    for n in range(width):
        row[n] -= share * other[n]
