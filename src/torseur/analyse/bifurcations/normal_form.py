"""What a crossing looks like nearby: which branches leave it, and whether they are stable.

At a crossing the stiffness has a kernel φ. For a displacement ε along φ the other unknowns are
solved for, and what remains is one number g(ε) = a₂ ε²/2 + a₃ ε³/6 + … (Lyapunov and Schmidt).
At a Hopf point the first Lyapunov coefficient decides (Kuznetsov 2004, §5.4).
"""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.bifurcations.continuation import BranchPoint
from torseur.analyse.stability.potential import bordered_step, series_terms

Array = np.ndarray
_EPSILON = 0.02  # of a displacement along the kernel [rad, or part of the size]


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
    here, sought = at.here, at.curve.sought
    own, mass = sought.places(here.chart), np.zeros(at.matrix[:, :-1].shape)
    for j, i in enumerate(own.moved):
        if i in here.chart.speeds:
            column = here.reduced.M[own.equations, here.chart.speeds.index(i)]
            mass[: len(column), j] = column
    return mass


def _remaining(at: BranchPoint, phi: Array, psi: Array, size: float) -> float:
    """g: F(x) = g ψ with φ·x = size, at the parameter of the point; NaN if it is lost."""
    curve, here = at.curve, at.here
    gone, g = size * phi, 0.0
    current = curve.moved(here, np.append(gone, 0.0))
    for _ in range(20):
        if current is None:
            return np.nan
        units = curve.units(current)[:-1]
        J = curve.sought.jacobian(current) * units
        left, short = curve.sought.residual(current), size - float(phi @ gone)
        step, change = bordered_step(J, left, phi, psi, g, short)
        current = curve.moved(current, np.append(step, 0.0))
        gone, g = gone + step, g + change
        if np.abs(step).max() < 1e-13:
            break
    return g


def crossing_direction(at: BranchPoint) -> Array:
    """The direction of the other branch: in the kernel, across the one that is followed."""
    _, _, right = np.linalg.svd(at.matrix)
    plane = right[-2:]
    own = plane @ at.way
    other = plane.T @ np.array([-own[1], own[0]])
    return np.asarray(other / np.linalg.norm(other))


# --- Hopf -----------------------------------------------------------------------------------------


def lyapunov_coefficient(at: BranchPoint) -> float:
    """l₁ at a Hopf point: negative when a stable oscillation appears (supercritical)."""
    here = at.here
    f = _Field(here, at.curve.sought.turning)
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

    def __init__(self, here: AtState, turning: frozenset[int]) -> None:
        self._here = here
        at = here.chart
        self._shifts = [k for k, i in enumerate(at.shifts) if i not in turning]
        self.size = len(self._shifts) + len(at.speeds)

    def jacobian(self, x: Array) -> Array:
        """A at a state near the point."""
        here, at = self._here, self._here.chart
        count = len(self._shifts)
        shift = at.P[:, self._shifts] @ x[:count]
        v = here.v.copy()
        v[list(at.speeds)] += x[count:]
        there = here.beside(shift, v)
        assert there is not None, "a small displacement closes"
        A = there.moving().reduced.A
        kept = [*self._shifts, *range(len(at.shifts), len(at.shifts) + len(at.speeds))]
        return A[np.ix_(kept, kept)]

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
