"""Where a branch loses or gains stability: found between two points, located, told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.optimize import brentq

from torseur.analyse.bifurcations.continuation import BranchPoint, branch_point, next_point

Array = np.ndarray
_TOGETHER = 1e-3  # rad, or m


@final
@dataclass(frozen=True)
class Crossing:
    """A place on a branch: "fold", "branch", "hopf", "flutter" or "divergence"."""

    kind: str
    point: BranchPoint
    frequency: float = 0.0  # of the pair that crosses [rad/s]


def crossings(a: BranchPoint, b: BranchPoint, length: float) -> list[Crossing]:
    """What happens on the way from a point to the next one, in order."""
    crossed = []
    folds = a.way[-1] * b.way[-1] < 0
    branches = _sign(a.bordered) * _sign(b.bordered) < 0
    if folds:
        crossed.append(_located("fold", a, length, lambda x: x.way[-1]))
    if branches:
        at = _located("branch", a, length, lambda x: _determinant(x.bordered, a.bordered))
        crossed.append(None if at is None else _straightened(at, a, b))
    if folds and branches and _at_once(crossed):
        crossed = crossed[1:]  # at the tip of a pitchfork the branch turns as well
    told = len(list(filter(None, crossed)))
    if a.unstable != b.unstable and not told:
        crossed.append(_exchange(a, b, length))
    ordered = [x for x in crossed if x is not None]
    return sorted(
        ordered, key=lambda x: float((x.point.value - a.value) * np.sign(b.value - a.value))
    )


def _straightened(at: Crossing, a: BranchPoint, b: BranchPoint) -> Crossing:
    """The crossing with the tangent of the branch that is followed through it.

    There the equations allow a plane of directions: that of the branch is the one between its
    tangents at equal distances before and after.
    """
    here, curve = at.point.here, at.point.curve
    before, after = (float(np.linalg.norm(curve.between(here, x.here))) for x in (a, b))
    step = 0.2 * min(before, after)
    if step <= 0:
        return at
    ends = []
    for x, distance in ((a, before), (b, after)):
        near = next_point(x, (distance - step) * (1 if x is a else -1))
        if near is None:
            return at
        ends.append(near.way)
    _, _, right = np.linalg.svd(at.point.matrix)
    plane = right[-2:]
    way = plane.T @ (plane @ (ends[0] + ends[1]))
    size = np.linalg.norm(way)
    if not size > 0.1:
        return at
    return replace(at, point=replace(at.point, way=way / size))


def _at_once(crossings: list[Crossing | None]) -> bool:
    """Whether a fold and a crossing of branches are at one place."""
    fold, branch = crossings
    if fold is None or branch is None:
        return False
    apart = fold.point.here.q - branch.point.here.q
    return bool(np.abs(apart).max(initial=0.0) < _TOGETHER)


def _sign(matrix: Array) -> float:
    return float(np.linalg.slogdet(matrix)[0])


def _determinant(matrix: Array, like: Array) -> float:
    """det, relative to that of another matrix."""
    sign, size = np.linalg.slogdet(matrix)
    return float(sign * np.exp(np.clip(size - np.linalg.slogdet(like)[1], -200, 200)))


def _located(
    kind: str, a: BranchPoint, length: float, test: Callable[[BranchPoint], float]
) -> Crossing | None:
    """The zero of a test along the branch."""
    kept: dict[float, BranchPoint] = {0.0: a}

    def value(x: float) -> float:
        there = next_point(a, x) if x else a
        if there is None:
            raise _Lost
        kept[x] = there
        return test(there)

    try:
        zero = brentq(value, 0.0, length, xtol=1e-14, rtol=1e-13)
    except (_Lost, ValueError):
        return _interpolated(kind, a, length, test)
    return Crossing(kind, kept.get(zero) or next_point(a, zero) or a)


def _interpolated(
    kind: str, a: BranchPoint, length: float, test: Callable[[BranchPoint], float]
) -> Crossing | None:
    """The zero of the polynomial through values around it, where Newton's method does not hold.

    Exactly where branches cross the equations are singular; the branch itself is smooth there.
    """
    nodes = length * (1 - np.cos(np.pi * np.arange(10) / 9)) / 2
    found = [(x, next_point(a, x) if x else a) for x in nodes]
    points = [(x, there) for x, there in found if there is not None]
    if len(points) < 6:
        return None
    at = np.array([x for x, _ in points]) / length
    path = BarycentricInterpolator(at, [test(there) for _, there in points])
    try:
        zero = brentq(path, 0.0, 1.0, xtol=1e-14)
    except ValueError:
        return None
    curve, near = a.curve, min(points, key=lambda x: abs(x[0] / length - zero))[1]
    values = [[*there.here.q, *there.here.v, there.value] for _, there in points]
    *state, parameter = BarycentricInterpolator(at, np.array(values))(zero)
    q, v = np.split(np.array(state), [len(a.here.q)])
    return Crossing(kind, branch_point(curve, curve.placed(near.here, q, v, parameter), a.way))


class _Lost(Exception):
    """The branch was lost between two points."""


# --- eigenvalues ----------------------------------------------------------------------------------


def _exchange(a: BranchPoint, b: BranchPoint, length: float) -> Crossing | None:
    """An eigenvalue crosses without a change in the number of equilibria."""
    more = b if b.unstable > a.unstable else a
    growing = more.small_motions.spectrum.values[more.small_motions.spectrum.growing]
    if np.abs(growing.imag).max() <= 1e-6 * np.abs(growing).max():
        zeros = int(min(x.small_motions.spectrum.zero.sum() for x in (a, b)))
        crossing = _located("divergence", a, length, lambda x: _lowest(x, zeros))
        # two that cross at once leave the sign of their product
        return crossing or _switched("divergence", a, length)
    if _damped(a) and _damped(b):
        crossing = _located("hopf", a, length, _rightmost)
    else:
        crossing = _switched("flutter", a, length)
    return crossing and replace(crossing, frequency=_pulsation(crossing.point))


def _lowest(x: BranchPoint, zeros: int) -> float:
    """The first coefficient of det(p − A) that is not always zero: it changes sign with λ²."""
    coefficients = np.poly(x.small_motions.A).real
    return float(coefficients[len(coefficients) - 1 - zeros])


def _damped(x: BranchPoint) -> bool:
    """Whether no pair of eigenvalues is on the imaginary axis."""
    spectrum = x.small_motions.spectrum
    return bool((spectrum.growing | spectrum.decaying | spectrum.zero).all())


def _pairs(x: BranchPoint) -> Array:
    values = x.small_motions.spectrum.values
    return np.asarray(values[np.abs(values.imag) > 1e-9 * np.abs(values).max()])


def _rightmost(x: BranchPoint) -> float:
    """The largest real part of the pairs."""
    return float(_pairs(x).real.max(initial=-np.inf))


def _pulsation(x: BranchPoint) -> float:
    pairs = _pairs(x)
    if not len(pairs):
        return 0.0
    return float(abs(pairs[int(pairs.real.argmax())].imag))


def _switched(kind: str, a: BranchPoint, length: float) -> Crossing | None:
    """Two pairs meet on the imaginary axis and leave it: bisection on the number that grow."""
    low, high = 0.0, length
    found = a
    for _ in range(60):
        middle = (low + high) / 2
        there = next_point(a, middle)
        if there is None:
            return None
        if there.unstable == a.unstable:
            low = middle
        else:
            high = middle
        found = there
    return Crossing(kind, found)
