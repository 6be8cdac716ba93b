"""Periodic motions of coordinates: finite Fourier series, and tables of them.

Swevers, Ganseman, Tükel, De Schutter and Van Brussel (1997): q = c + Σ (s_l sin lωt − k_l cos lωt)
/ (lω), so that s and k are amplitudes of speeds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.output import write_table
from torseur.result import Result
from torseur.robotics.states import States
from torseur.words.sentence import say

Array = np.ndarray


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
        """How many multiples of the frequency of the period it has."""
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
        """The same about the same centre, the motion of each coordinate smaller by a factor."""
        scaled = np.array(self.coefficients)
        scaled[:, 1:] *= factors[:, np.newaxis]
        return FourierMotion(self.names, self.period, scaled)
