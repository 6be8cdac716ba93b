"""The mass matrix in the ground, and systems of it solved along the branches: M = Lᵀ D L.

Nothing is filled in: only entries of two speeds on one branch are looked at. Reference:
Featherstone (2008), §6.5.
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_rows import (
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
from torseur.dynamics.recursions.derivatives import felt, whole_momentum
from torseur.dynamics.recursions.ground_motion import spin_in_ground
from torseur.spatial.triples import plus

STRIP = 32  # columns that are solved for together, so that they stay near the processor
LINE = 8  # numbers of a line of the processor's memory, with which strips begin


def fill_branches(model: Any, work: Any, motions: Any, M: Any, paths: Any, nv: int) -> None:
    """M ← of each speed its entries with those on the way from the ground, and with itself.

    The same rows of `paths` say which speeds these are.
    """
    for i in range(1, bodies(model) + 1):
        body, current, carrier = rows(model, work, i, at.GROUND_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            motion, row, path = motion_of(motions, k), address(M, k * nv), address(paths, k * nv)
            w, V = vector(motion, at.MOTION), vector(motion, at.MOTION + 3)
            linear, angular = whole_momentum(current, w, V)
            rank = whole(motion[at.RANK])
            row[rank] = felt(motion, at.MOTION, angular, linear) + body[at.REFLECTED]
            if body[at.REFLECTED] != 0.0:
                angular = plus(angular, spin_in_ground(body, carrier))
            for n in range(rank - 1, -1, -1):
                path[n] = motion[at.BEFORE]
                motion = motion_of(motions, speed_before(motion))
                row[n] = felt(motion, at.MOTION, angular, linear)


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


def lay_beyond(model: Any, work: Any, motions: Any, L: Any, paths: Any, nv: int) -> None:
    """After its own entry, each row of L gets the shares that the speeds beyond have in it.

    The same rows of `paths` say how many there are, and which: so that both ways of a solution
    gather rows, which is quicker than giving shares away.
    """
    for k in range(nv):
        paths[k * nv + whole(motion_of(motions, k)[at.RANK])] = 0.0
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count):
            k = start + m * step
            row, path = address(L, k * nv), address(paths, k * nv)
            for n in range(whole(motion_of(motions, k)[at.RANK])):
                before = whole(path[n]) * nv  # a row of rank n
                last = whole(paths[before + n]) + 1
                paths[before + n] = last
                paths[before + n + last] = k
                L[before + n + last] = row[n]


def solve_one(model: Any, work: Any, motions: Any, L: Any, paths: Any, nv: int, x: Any) -> None:
    """x ← −M⁻¹ x."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count - 1, -1, -1):
            k = start + m * step
            diagonal = k * nv + whole(motion_of(motions, k)[at.RANK])
            for n in range(diagonal + 1, diagonal + 1 + whole(paths[diagonal])):
                x[k] -= L[n] * x[whole(paths[n])]
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count):
            k = start + m * step
            diagonal = k * nv + whole(motion_of(motions, k)[at.RANK])
            x[k] *= -L[diagonal]
            for n in range(k * nv, diagonal):
                x[k] -= L[n] * x[whole(paths[n])]


def solve_against(
    model: Any, work: Any, motions: Any, L: Any, paths: Any, nv: int, X: Any, width: int, strip: Any
) -> None:
    """X ← −M⁻¹ X, by rows of a width; `strip` is room for some columns of X.

    The last nv columns of X are diagonal: a row there is zero until rows beyond it are not.
    """
    for first in range(0, width, STRIP):
        n = min(STRIP, width - first)
        for k in range(nv):
            for c in range(n):
                strip[k * STRIP + c] = X[k * width + first + c]
            for c in range(n, STRIP):
                strip[k * STRIP + c] = 0.0
        last = first + n - 1 - (width - nv) if first >= width - nv else nv
        solve_strip(model, work, motions, L, paths, nv, strip, last)
        for k in range(nv):
            for c in range(n):
                X[k * width + first + c] = strip[k * STRIP + c]


def solve_strip(
    model: Any, work: Any, motions: Any, L: Any, paths: Any, nv: int, strip: Any, last: int
) -> None:
    """Solve a strip of columns that fits the cache; rows after the last one are zero."""
    for i in range(bodies(model), 0, -1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count - 1, -1, -1):
            k = start + m * step
            diagonal = k * nv + whole(motion_of(motions, k)[at.RANK])
            which, shares = address(paths, diagonal + 1), address(L, diagonal + 1)
            beyond = whole(paths[diagonal])
            while beyond > 0 and which[beyond - 1] > last:
                beyond -= 1
            receive(which, beyond, address(strip, k * STRIP), shares, strip)
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.GROUND_WIDTH)
        start, count, step = outward(body)
        for m in range(count):
            k = start + m * step
            rank = whole(motion_of(motions, k)[at.RANK])
            row, shares = address(strip, k * STRIP), address(L, k * nv)
            factor = -shares[rank]
            for c in range(STRIP):
                row[c] *= factor
            receive(address(paths, k * nv), rank, row, shares, strip)


def receive(which: Any, count: int, row: Any, shares: Any, strip: Any) -> None:
    """Shares of other rows of a strip are taken from a row."""
    for m in range(count):
        take(row, shares[m], address(strip, whole(which[m]) * STRIP), STRIP)


def take(row: Any, share: Any, other: Any, n: int) -> None:
    """A share of another row is taken from a row."""
    for c in range(n):
        row[c] -= share * other[c]
