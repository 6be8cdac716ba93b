"""What the motions are compared with, by equations that no engine uses.

Both are integrated by SciPy's DOP853 in angles to the horizontal, in which no joint can open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import solveh_banded

from benchmarks.moving.rods import GRAVITY, INERTIA, LENGTH, MASS, Rods, chain, windows

Array = np.ndarray
FINE = 1e-13  # relative tolerance; the chain adds angles, so that its ends are known to 1e-10 m


@final
@dataclass(frozen=True)
class Case:
    """Rods to be moved, when they are looked at, and where their watched ends are then."""

    rods: Rods
    times: Array  # of the samples, the first one zero [s]
    exact: Callable[[Array], Array]  # times → (times, watched, 2) [m]

    @property
    def duration(self) -> float:
        """How long they move [s]."""
        return float(self.times[-1])


def windows_case(count: int, duration: float, rate: float = 10.0) -> Case:
    """The windows of IFToMM A02: one freedom, the angle θ that all upright rods share.

    θ̈ = −(g/L) κ cos θ, κ = ((N+1)/2 + N) / ((N+1)/3 + N): the rods across move without turning.
    """
    stretch = ((count + 1) / 2 + count) / ((count + 1) / 3 + count)

    def rate_of(_: float, y: Array) -> Array:
        return np.array([y[1], -GRAVITY / LENGTH * stretch * np.cos(y[0])])

    rods = windows(count)
    return _case(rods, rate_of, np.array([np.pi / 2, -1.0]), duration, rate)


def chain_case(links: int, duration: float, rate: float = 10.0) -> Case:
    """A chain: the force in each pin makes the accelerations of both sides equal."""
    rods = chain(links)

    def rate_of(_: float, y: Array) -> Array:
        return np.concatenate([y[links:], _chain_accelerations(y[:links], y[links:])])

    return _case(rods, rate_of, np.zeros(2 * links), duration, rate)


def _case(
    rods: Rods,
    rate_of: Callable[[float, Array], Array],
    start: Array,
    duration: float,
    rate: float,
) -> Case:
    found = solve_ivp(
        rate_of, (0.0, duration), start, method="DOP853", rtol=FINE, atol=FINE, dense_output=True
    )

    def exact(times: Array) -> Array:
        angles = found.sol(times)[: len(start) // 2].T
        along = LENGTH * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        return np.cumsum(along, axis=1)

    return Case(rods, np.linspace(0.0, duration, round(duration * rate) + 1), exact)


def _chain_accelerations(angles: Array, rates: Array) -> Array:
    """The angular accelerations of a chain (rods).

    Rod i has the forces R_i at its end 0 and −R_(i+1) at its end 1. With e along the rod, n across
    it and P = L² n nᵀ/4I, its ends accelerate by
    (1/m ± P) R_i + (−1/m ± P) R_(i+1) + g ± ω² L e/2, + at end 0 and − at end 1: equal
    accelerations in every pin are a symmetric system with blocks of 2 next to its diagonal.
    """
    e = np.stack([np.cos(angles), np.sin(angles)])  # (2, rods)
    n = np.stack([-e[1], e[0]])
    turned = np.einsum("ai,bi->abi", n, n) * LENGTH**2 / (4 * INERTIA)
    eye = np.eye(2)[:, :, np.newaxis] / MASS
    diagonal = turned + eye
    diagonal[:, :, 1:] += turned[:, :, :-1] + eye
    beside = (turned - eye)[:, :, :-1]  # R_i in the row of pin i + 1
    inward = 0.5 * LENGTH * rates**2 * e
    known = -inward
    known[:, 1:] -= inward[:, :-1]
    known[1, 0] += GRAVITY
    bands = np.zeros((4, 2 * len(angles)))  # lower form: bands[k, j] is the entry (j + k, j)
    bands[0] = diagonal[[0, 1], [0, 1]].T.ravel()
    bands[1, ::2] = diagonal[1, 0]
    bands[1, 1:-1:2] = beside[0, 1]
    bands[2, :-2] = beside[[0, 1], [0, 1]].T.ravel()
    bands[3, :-2:2] = beside[1, 0]
    R = solveh_banded(bands, known.T.ravel(), lower=True, check_finite=False).reshape(-1, 2).T
    both = R.copy()
    both[:, :-1] += R[:, 1:]
    return -0.5 * LENGTH / INERTIA * (n * both).sum(axis=0)
