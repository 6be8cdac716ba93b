"""The search for an exciting motion: what a regressor of series is judged by, its slope, SLSQP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy

from torseur.errors import ModelError
from torseur.machine.compiled import CompiledModel
from torseur.output import write_table
from torseur.result import Result
from torseur.robotics.identification.base_parameters import BaseParameters
from torseur.robotics.states import States, regressor
from torseur.words.sentence import say

Array = np.ndarray
ITERATIONS = 40  # of one search
_SAMPLES = 8  # a period of the highest harmonic
_FINE = 40  # where limits are looked at in the end
_STEP = 1e-6  # of differences, in units of the mechanism
_INSIDE = 0.98  # of the limits, that samples between samples may not leave


@final
@dataclass(frozen=True, eq=False)
class MotionLimits:
    """Between which coordinates stay, and how large speeds and accelerations may be."""

    low: Array
    high: Array
    speed: Array
    acceleration: Array


@final
class Search:
    """The condition number, or the determinant, as a function of the coefficients of the series."""

    def __init__(
        self,
        model: CompiledModel,
        base: BaseParameters,
        limits: MotionLimits,
        harmonics: int,
        period: float,
        *,
        determinant: bool = False,
    ) -> None:
        self.model, self.base, self.limits, self.period = model, base, limits, period
        self.n, self.m = len(model.coordinates), 1 + 2 * harmonics
        self.harmonics, self.determinant = harmonics, determinant
        count = _SAMPLES * harmonics
        t = (np.arange(count) + 0.5) * period / count  # never at rest
        self.tables = basis(harmonics, period, t)
        self.scale: Array | None = None

    def random(self, rng: np.random.Generator) -> Array:
        """A series that fills the limits of each coordinate, at rest at first."""
        x = rng.normal(size=(self.n, self.m))
        free = _at_rest(self.harmonics, self.period)
        x[:, 1:] -= x[:, 1:] @ np.linalg.pinv(free) @ free
        x[:, 0] = (self.limits.low + self.limits.high) / 2
        motion = self._within(x)
        return np.asarray(motion.coefficients.ravel())

    def motion(self, x: Array) -> FourierMotion:
        """The series of coefficients, smaller where it leaves the limits between samples."""
        return self._within(x.reshape(self.n, self.m), largest=1.0)

    def _within(self, x: Array, largest: float = np.inf) -> FourierMotion:
        motion = FourierMotion(self.model.coordinates, self.period, x)
        states = motion.at(np.linspace(0, self.period, _FINE * self.harmonics))
        room = np.minimum(self.limits.high - x[:, 0], x[:, 0] - self.limits.low)
        sizes = (np.abs(states.q - x[:, 0]), np.abs(states.v), np.abs(states.a))
        peaks = [np.maximum(size.max(axis=0), 1e-300) for size in sizes]
        ends = (room, self.limits.speed, self.limits.acceleration)
        factors = np.min([end / peak for end, peak in zip(ends, peaks, strict=True)], axis=0)
        return motion.shrunk(np.minimum(factors, largest))

    def searched(self, start: Array, report: Callable[[Any], None]) -> Array:
        """The best coefficients that SLSQP finds from a start."""
        A, b = self._inequalities()
        E = self._rest()
        result = scipy.optimize.minimize(
            self.slope,
            start,
            jac=True,
            method="SLSQP",
            callback=report,
            constraints=[
                {"type": "ineq", "fun": lambda x: b - A @ x, "jac": lambda _: -A},
                {"type": "eq", "fun": lambda x: E @ x, "jac": lambda _: E},
            ],
            options={"maxiter": ITERATIONS, "ftol": 1e-4},
        )
        solution = self.motion(result.x).coefficients.ravel()
        better = np.isfinite(solution).all() and self.judged(solution) < self.judged(start)
        return np.asarray(solution if better else start)

    def _inequalities(self) -> tuple[Array, Array]:
        """A x ≤ b: positions, speeds and accelerations at the samples."""
        limits, eye = self.limits, np.eye(self.n)
        highs = (limits.high, limits.speed, limits.acceleration)
        lows = (limits.low, -limits.speed, -limits.acceleration)
        rows, ends = [], []
        for table, low, high in zip(self.tables, lows, highs, strict=True):
            full = np.einsum("ij,tk->tijk", eye, table).reshape(-1, self.n * self.m)
            middle, half = (low + high) / 2, _INSIDE * (high - low) / 2
            rows += [full, -full]
            ends += [np.tile(middle + half, len(table)), np.tile(half - middle, len(table))]
        return np.vstack(rows), np.concatenate(ends)

    def _rest(self) -> Array:
        """E x = 0: speeds and accelerations are zero at first."""
        at_rest = np.hstack([np.zeros((2, 1)), _at_rest(self.harmonics, self.period)])
        return np.kron(np.eye(self.n), at_rest)

    def _states(self, x: Array) -> States:
        series = x.reshape(self.n, self.m).T
        return States(*(table @ series for table in self.tables))

    def _columns(self, states: States) -> Array:
        """The regressor of the base parameters (samples, nv, base), of comparable rows."""
        rows = self.model.sizes.displacements[:, np.newaxis]
        return np.asarray((regressor(self.model, states) * rows) @ self.base.columns)

    def _scaled(self, states: States) -> Array:
        W = self._columns(states)
        if self.scale is None:  # that of the first motion, kept so that the function is smooth
            lengths = np.linalg.norm(W.reshape(-1, W.shape[2]), axis=0)
            self.scale = np.where(lengths > 0, lengths, 1.0)
        return np.asarray(W / self.scale)

    def condition(self, x: Array) -> float:
        """The condition number with columns of length 1."""
        W = self._columns(self._states(x)).reshape(-1, len(self.base))
        lengths = np.linalg.norm(W, axis=0)
        if not (lengths > 0).all():
            return float("inf")
        s = np.linalg.svd(W / lengths, compute_uv=False)
        return float(s[0] / s[-1]) if s[-1] > 0 else float("inf")

    def judged(self, x: Array) -> float:
        """Criterion to minimise: the condition number, or −½ log det Wᵀ W."""
        return -self.information(x) / 2 if self.determinant else self.condition(x)

    def information(self, x: Array) -> float:
        """log det Wᵀ W, of the regressor of base parameters in the units of the mechanism."""
        W = self._columns(self._states(x)).reshape(-1, len(self.base))
        s = np.linalg.svd(W, compute_uv=False)
        return float(2 * np.log(s).sum()) if s[-1] > 0 else float("-inf")

    def slope(self, x: Array) -> tuple[float, Array]:
        """log condition, or −½ log det Wᵀ W, and its slope.

        With W = U S Vᵀ, d log s = uᵀ dW v / s of each singular value: the largest and the smallest
        make the condition number, all of them the determinant. A sample depends on its own
        coordinates, speeds and accelerations only, so that differences of W by these 3 n numbers
        are enough.
        """
        states = self._states(x)
        W = self._scaled(states)
        U, s, right = np.linalg.svd(W.reshape(-1, W.shape[2]), full_matrices=False)
        small = max(float(s[-1]), 1e-12 * float(s[0]))
        if self.determinant:
            s = np.maximum(s, small)
            value, weights = -float(np.log(s).sum()), -(U / s) @ right
        else:
            value = float(np.log(s[0] / small))
            weights = np.outer(U[:, 0], right[0]) / s[0] - np.outer(U[:, -1], right[-1]) / small
        weights = weights.reshape(W.shape)
        slope = np.zeros((self.n, self.m))
        for table, which in zip(self.tables, ("q", "v", "a"), strict=True):
            for j in range(self.n):
                change = (weights * self._difference(states, which, j)).sum(axis=(1, 2))
                slope[j] += table.T @ change
        return value, slope.ravel()

    def _difference(self, states: States, which: str, j: int) -> Array:
        """The derivative of W by one coordinate, speed or acceleration of each sample."""
        sides = []
        for sign in (1.0, -1.0):
            change: dict[str, Any] = {which: np.array(getattr(states, which))}
            change[which][:, j] += sign * _STEP
            sides.append(self._scaled(replace(states, **change)))
        return np.asarray((sides[0] - sides[1]) / (2 * _STEP))


def _at_rest(harmonics: int, period: float) -> Array:
    """Speed and acceleration at first, for the sines and cosines of a series (2, 2 l)."""
    w = 2 * np.pi / period * np.arange(1, harmonics + 1)
    none = np.zeros(harmonics)
    return np.array([[*np.ones(harmonics), *none], [*none, *w]])


# --- Fourier series ------------------------------------------------------------------------------
#
# Swevers, Ganseman, Tükel, De Schutter and Van Brussel (1997): q = c + Σ (s_l sin lωt − k_l cos
# lωt) / (lω), so that s and k are amplitudes of speeds.


def basis(harmonics: int, period: float, t: Array) -> tuple[Array, Array, Array]:
    """Positions, speeds and accelerations at times, for each coefficient (3 × (times, 1 + 2 l)).

    The coefficients are c, then s_1 … s_l, then k_1 … k_l.
    """
    w = 2 * np.pi / period * np.arange(1, harmonics + 1)
    sin, cos = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    one, none = np.ones((len(t), 1)), np.zeros((len(t), 1))
    return (
        np.hstack([one, sin / w, -cos / w]),
        np.hstack([none, cos, sin]),
        np.hstack([none, -w * sin, w * cos]),
    )


@final
class FourierMotion(Result):
    """A finite Fourier series for each coordinate."""

    names: tuple[str, ...]
    period: float  # [s]
    coefficients: Array  # (coordinates, 1 + 2 harmonics): c, sines and cosines of speeds

    @property
    def harmonics(self) -> int:
        """Number of harmonics of the period."""
        return int((self.coefficients.shape[1] - 1) // 2)

    def at(self, t: Any) -> States:
        """Coordinates, speeds and accelerations at times, each (times, coordinates)."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        tables = basis(self.harmonics, self.period, times)
        return States(*(table @ self.coefficients.T for table in tables))

    def times(self, rate: float, periods: float = 1.0) -> Array:
        """Instants at a rate [1/s]."""
        if not (np.isfinite([rate, periods]).all() and rate > 0 and periods > 0):
            problem = say("rate {rate} and periods {periods} must be positive.", rate, periods)
            raise ModelError("motion", problem)
        return np.asarray(np.arange(round(periods * self.period * rate) + 1) / rate)

    def save(self, path: str | Path, rate: float = 100.0, periods: float = 1.0) -> Path:
        """A table of times, coordinates, speeds and accelerations, in SI units (CSV)."""
        t = self.times(rate, periods)
        states = self.at(t)
        heads = [name + dots for dots in ("", ".", "..") for name in self.names]
        return write_table(path, ["t", *heads], np.column_stack([t, states.q, states.v, states.a]))

    def shrunk(self, factors: Array) -> FourierMotion:
        """Motion about the same centre, each coordinate smaller by a factor."""
        scaled = np.array(self.coefficients)
        scaled[:, 1:] *= factors[:, np.newaxis]
        return FourierMotion(self.names, self.period, scaled)
