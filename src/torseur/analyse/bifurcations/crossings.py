"""Changes of stability along a branch: located between two points, classified, normal forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.optimize import brentq

from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.bifurcations.continuation import BranchPoint, branch_point, next_point
from torseur.analyse.stability.potential import bordered_step, series_terms

Array = np.ndarray
_TOGETHER = 1e-3  # rad, or m
_EPSILON = 0.02  # of a displacement along the kernel [rad, or part of the size]


@final
@dataclass(frozen=True)
class Crossing:
    """A place on a branch: "fold", "branch", "hopf", "flutter" or "divergence"."""

    kind: str
    point: BranchPoint
    frequency: float = 0.0  # of the pair that crosses [rad/s]


def crossings(a: BranchPoint, b: BranchPoint, length: float) -> list[Crossing]:
    """Crossings between a point and the next one, in order."""
    crossed = []
    folds = a.way[-1] * b.way[-1] < 0
    branches = _sign(a.bordered) * _sign(b.bordered) < 0
    if folds:
        crossed.append(_zero_along("fold", a, length, lambda x: x.way[-1]))
    if branches:
        at = _zero_along("branch", a, length, lambda x: _determinant(x.bordered, a.bordered))
        crossed.append(None if at is None else _straightened(at, a, b))
    if folds and branches and _at_once(crossed):
        crossed = crossed[1:]  # at the tip of a pitchfork the branch turns as well
    text = len(list(filter(None, crossed)))
    if a.unstable != b.unstable and not text:
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
    state, curve = at.point.here, at.point.curve
    before, after = (float(np.linalg.norm(curve.between(state, x.here))) for x in (a, b))
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


def _zero_along(
    kind: str, a: BranchPoint, length: float, test: Callable[[BranchPoint], float]
) -> Crossing | None:
    """The zero of a test along the branch."""
    points: dict[float, BranchPoint] = {0.0: a}

    def value(x: float) -> float:
        there = next_point(a, x) if x else a
        if there is None:
            raise _Lost
        points[x] = there
        return test(there)

    try:
        zero = brentq(value, 0.0, length, xtol=1e-14, rtol=1e-13)
    except (_Lost, ValueError):
        return _interpolated_zero(kind, a, length, test)
    return Crossing(kind, points.get(zero) or next_point(a, zero) or a)


def _interpolated_zero(
    kind: str, a: BranchPoint, length: float, test: Callable[[BranchPoint], float]
) -> Crossing | None:
    """The zero of the polynomial through values around it, where Newton's method does not hold.

    Exactly where branches cross the equations are singular; the branch itself is smooth there.
    """
    nodes = length * (1 - np.cos(np.pi * np.arange(10) / 9)) / 2
    result = [(x, next_point(a, x) if x else a) for x in nodes]
    points = [(x, there) for x, there in result if there is not None]
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
        crossing = _zero_along("divergence", a, length, lambda x: _lowest(x, zeros))
        # two that cross at once leave the sign of their product
        return crossing or _bisection("divergence", a, length)
    if _damped(a) and _damped(b):
        crossing = _zero_along("hopf", a, length, _rightmost)
    else:
        crossing = _bisection("flutter", a, length)
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


def _bisection(kind: str, a: BranchPoint, length: float) -> Crossing | None:
    """Two pairs meet on the imaginary axis and leave it: bisection on the number that grow."""
    low, high = 0.0, length
    result = a
    for _ in range(60):
        middle = (low + high) / 2
        there = next_point(a, middle)
        if there is None:
            return None
        if there.unstable == a.unstable:
            low = middle
        else:
            high = middle
        result = there
    return Crossing(kind, result)


# --- branches near a crossing --------------------------------------------------------------------
#
# At a crossing the stiffness has a kernel φ. For a displacement ε along φ the other unknowns are
# solved for, and what remains is one number g(ε) = a₂ ε²/2 + a₃ ε³/6 + … (Lyapunov and Schmidt).
# At a Hopf point the first Lyapunov coefficient decides (Kuznetsov 2004, §5.4).


def normal_form(at: BranchPoint) -> tuple[float, float]:
    """a₂ and a₃ at a singular point, with displacements in the units of the curve.

    The sign is that in which K is positive where it is stable.
    """
    J = at.matrix[:, :-1]
    left, _, right = np.linalg.svd(J)
    phi, psi = right[-1], left[:, -1]
    psi = psi * (np.sign(psi @ _mass(at) @ phi) or 1.0)
    values = {sign: _remaining(at, phi, psi, sign * _EPSILON) for sign in (1, -1, 2, -2)}
    return series_terms(values, _EPSILON)


def _mass(at: BranchPoint) -> Array:
    """The inertia between equations and unknowns, where both are displacements."""
    state, sought = at.here, at.curve.sought
    places, mass = sought.places(state.chart), np.zeros(at.matrix[:, :-1].shape)
    for j, i in enumerate(places.moved):
        if i in state.chart.speeds:
            column = state.reduced.M[places.equations, state.chart.speeds.index(i)]
            mass[: len(column), j] = column
    return mass


def _remaining(at: BranchPoint, phi: Array, psi: Array, size: float) -> float:
    """g: F(x) = g ψ with φ·x = size, at the parameter of the point; NaN if it is lost."""
    curve, state = at.curve, at.here
    gone, g = size * phi, 0.0
    current = curve.state_after(state, np.append(gone, 0.0))
    for _ in range(20):
        if current is None:
            return np.nan
        units = curve.units(current)[:-1]
        J = curve.sought.jacobian(current) * units
        left, short = curve.sought.residual(current), size - float(phi @ gone)
        step, change = bordered_step(J, left, phi, psi, g, short)
        current = curve.state_after(current, np.append(step, 0.0))
        gone, g = gone + step, g + change
        if np.abs(step).max() < 1e-13:
            break
    return g


def crossing_direction(at: BranchPoint) -> Array:
    """The direction of the other branch: in the kernel, across the one that is followed."""
    _, _, right = np.linalg.svd(at.matrix)
    plane = right[-2:]
    along = plane @ at.way
    other = plane.T @ np.array([-along[1], along[0]])
    return np.asarray(other / np.linalg.norm(other))


# --- Hopf -----------------------------------------------------------------------------------------


def lyapunov_coefficient(at: BranchPoint) -> float:
    """l₁ at a Hopf point: negative when a stable oscillation appears (supercritical)."""
    state = at.here
    f = _Field(state, at.curve.sought.turning)
    A = f.jacobian(np.zeros(f.size))
    values, vectors = np.linalg.eig(A)
    pairs = [k for k in range(len(values)) if values[k].imag > 0]
    k = min(pairs, key=lambda j: abs(values[j].real))
    omega, q = values[k].imag, vectors[:, k]
    adjoint, left = np.linalg.eig(A.T)
    p = left[:, int(np.abs(adjoint + 1j * omega).argmin())]
    q = q / np.linalg.norm(q)
    p = p / np.conj(np.vdot(p, q))
    B, C = f.second, f.third
    eye = np.eye(f.size)
    flat = np.linalg.solve(A, B(q, np.conj(q)))
    twice = np.linalg.solve(2j * omega * eye - A, B(q, q))
    total = C(q, q, np.conj(q)) - 2 * B(q, flat) + B(np.conj(q), twice)
    return float(np.vdot(p, total).real / (2 * omega))


@final
class _Field:
    """(s, w)˙ as a function of independent coordinates and speeds, with its derivatives.

    The first are exact; the others are differences of them.
    """

    def __init__(self, state: AtState, turning: frozenset[int]) -> None:
        self._here = state
        at = state.chart
        self._shifts = [k for k, i in enumerate(at.shifts) if i not in turning]
        self.size = len(self._shifts) + len(at.speeds)

    def jacobian(self, x: Array) -> Array:
        """A at a state near the point."""
        state, at = self._here, self._here.chart
        count = len(self._shifts)
        shift = at.P[:, self._shifts] @ x[:count]
        v = state.v.copy()
        v[list(at.speeds)] += x[count:]
        there = state.beside(shift, v)
        assert there is not None, "a small displacement closes"
        A = there.moving().reduced.A
        states = [*self._shifts, *range(len(at.shifts), len(at.shifts) + len(at.speeds))]
        return A[np.ix_(states, states)]

    def _along(self, direction: Array, order: int) -> Array:
        """The derivative of A along a real direction, once or twice."""
        h = 1e-4 if order == 1 else 1e-3
        plus, minus = self.jacobian(h * direction), self.jacobian(-h * direction)
        if order == 1:
            return np.asarray((plus - minus) / (2 * h))
        return np.asarray((plus - 2 * self.jacobian(0 * direction) + minus) / h**2)

    def second(self, a: Array, b: Array) -> Array:
        """∂²f a b."""
        return np.asarray(self._along(a.real, 1) @ b + 1j * self._along(a.imag, 1) @ b)

    def third(self, a: Array, b: Array, c: Array) -> Array:
        """∂³f a b c, by polarisation in the first two."""

        def twice(x: Array, y: Array) -> Array:
            return np.asarray((self._along(x + y, 2) - self._along(x - y, 2)) / 4)

        parts = (a.real, a.imag), (b.real, b.imag)
        real = twice(parts[0][0], parts[1][0]) - twice(parts[0][1], parts[1][1])
        imaginary = twice(parts[0][0], parts[1][1]) + twice(parts[0][1], parts[1][0])
        return np.asarray((real + 1j * imaginary) @ c)
