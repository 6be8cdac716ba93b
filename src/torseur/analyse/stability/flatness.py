"""Where the curvature of a potential vanishes in one direction: what the next terms do.

For a displacement ε along that direction the other coordinates are brought to rest, and what is
left is one force g(ε) = a₂ ε²/2 + a₃ ε³/6 + … (Lyapunov and Schmidt), the slope of the potential
along its valley. The potential has a strict minimum if a₂ = 0 and a₃ > 0, and none if a₂ ≠ 0 or
a₃ < 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.analyse.at_a_state.statics import AtState

Array = np.ndarray
_STEP = 0.02  # rad, or part of the size
_NOTHING = 1e-6  # of the stiffness: a coefficient that is rounding
_CANCELLED = 1e-8  # of the weight times the length: third differences of what cancels
_FAR = 0.4  # rad, or part of the size
_LEVEL = 1e-12  # of weights and stiffnesses: a force that is rounding
_EVEN = 1e-3  # a₂ over a₃, below which the valley is symmetric


@final
@dataclass(frozen=True)
class Valley:
    """The terms of the force along a direction in which there is no stiffness."""

    quadratic: float  # a₂, relative to the largest stiffness
    cubic: float  # a₃
    is_level: bool = False  # no force at all at finite distances, within rounding

    @property
    def kind(self) -> str:
        """ "minimum", "falls" (no minimum), "level", or "flat" as far as terms were looked at."""
        if self.is_level:
            return "level"
        if max(abs(self.quadratic), abs(self.cubic)) < _NOTHING:
            return "flat"
        if abs(self.quadratic) > _EVEN * abs(self.cubic):
            return "falls"
        return "minimum" if self.cubic > 0 else "falls"


def valley(here: AtState) -> Valley | None:
    """The terms along the direction of least stiffness at an equilibrium; None if it is lost."""
    units = here.units
    K = units[:, None] * here.reduced.K * units
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    phi = vectors[:, int(np.abs(values).argmin())]
    sampled = {k: _remaining(here, phi, units, k * _STEP) for k in (1, -1, 2, -2)}
    forces = {k: g for k, (g, _) in sampled.items()}
    scale = max(float(np.abs(values).max(initial=0.0)), *(stiff for _, stiff in sampled.values()))
    if not np.isfinite([scale, *forces.values()]).all():
        return None
    # a force that is rounding of weights says nothing, however large beside itself
    scale = max(scale, _CANCELLED / _NOTHING * here.tangent.weight)
    if _is_level(here, phi, units):
        return Valley(0.0, 0.0, True)
    quadratic, cubic = series_terms(forces, _STEP)
    return Valley(quadratic / scale, cubic / scale)


def series_terms(forces: Mapping[int, float], step: float) -> tuple[float, float]:
    """a₂ and a₃ of g(ε) = a₂ ε²/2 + a₃ ε³/6 + … from its values at ± one and two steps."""
    even = [(forces[k] + forces[-k]) / (k * step) ** 2 for k in (1, 2)]
    odd = [3 * (forces[k] - forces[-k]) / (k * step) ** 3 for k in (1, 2)]
    # the next terms of the series are of relative order ε²
    return (4 * even[0] - even[1]) / 3, (4 * odd[0] - odd[1]) / 3


def bordered_step(
    K: Array, left: Array, phi: Array, psi: Array, g: float, short: float
) -> tuple[Array, float]:
    """The change of x and of g that makes F(x) = g ψ with φ·x given, to first order.

    K are the slopes of F, `left` what it is, `short` what is missing of φ·x.
    """
    bordered = np.block([[K, -psi[:, np.newaxis]], [phi[np.newaxis], np.zeros((1, 1))]])
    step = np.linalg.lstsq(bordered, np.append(g * psi - left, short), rcond=1e-13)[0]
    return step[:-1], float(step[-1])


def _is_level(here: AtState, phi: Array, units: Array) -> bool:
    """Whether no force is left far along the direction, beside stiffnesses and weights."""
    for distance in (_FAR, -_FAR, _FAR / 2, -_FAR / 2):
        g, stiff = _remaining(here, phi, units, distance)
        if not abs(g) <= _LEVEL * max(stiff, here.tangent.weight):
            return False
    return True


def _remaining(here: AtState, phi: Array, units: Array, distance: float) -> tuple[float, float]:
    """g, and the largest stiffness there: the force is g φ at a `distance` along φ.

    NaN if it is lost.
    """
    at, s, g, stiff = here.chart, distance * phi, 0.0, 0.0
    for _ in range(20):
        there = here.beside(at.P @ (units * s))
        if there is None:
            return np.nan, np.nan
        K = units[:, None] * there.reduced.K * units
        stiff = float(np.abs(K).max())
        step, change = bordered_step(K, units * there.F, phi, phi, g, distance - float(phi @ s))
        s, g = s + step, g + change
        if np.abs(step).max() < 1e-13:
            break
    return float(g), stiff
