"""The potential around a state: whether forces have one, and what it does where it is flat.

Where its curvature vanishes in one direction, the next terms decide. For a displacement ε there the
other coordinates are brought to rest, and what is left is one force g(ε) = a₂ ε²/2 + a₃ ε³/6 + …
(Lyapunov and Schmidt), the slope of the potential along its valley. The potential has a strict
minimum if a₂ = 0 and a₃ > 0, and none if a₂ ≠ 0 or a₃ < 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from torseur.analyse.at_a_state.statics import AtState

Array = np.ndarray
_STEP = 0.02  # rad, or part of the size
_NOTHING = 1e-6  # of the stiffness: a coefficient that is rounding
_CANCELLED = 1e-8  # of the weight times the length: third differences of what cancels
_FAR = 0.4  # rad, or part of the size
_LEVEL = 1e-12  # of weights and stiffnesses: a force that is rounding
_EVEN = 1e-3  # a₂ over a₃, below which the valley is symmetric


def has_energy(state: AtState) -> bool:
    """Whether the forces at rest have a potential and those that depend on speeds add no energy.

    Seen at states around this one. Forces have a potential when their derivatives are symmetric;
    the power of friction is the part of the power that does not change sign with the speeds.
    """
    if state.tangent.slides is not None:
        return False
    rng, time = np.random.default_rng(0), state.tangent.model.sizes.scales.time
    for spread in (0.0, 0.02, 0.2):
        step = state.chart.P @ (spread * state.units * rng.normal(size=len(state.chart.shifts)))
        there = state.beside(step)
        if there is None:
            continue
        for _ in range(3):
            u = there.chart.N @ (there.arms / time * rng.normal(size=there.chart.N.shape[1]))
            power, size = even_power(there, u, state.largest)
            if power > 1e-9 * size:
                return False
        if not _irrotational(there):
            return False
    return True


def even_power(state: AtState, u: Array, largest: float) -> tuple[float, float]:
    """The part of the power that does not change sign with speeds u, and what it is compared with.

    That is the power of friction and of what drives; `largest` is the largest energy nearby.
    """
    power, size = state.tangent.quantities.power, np.abs(u)
    both = power(state.q, state.v + u, state.t) + power(state.q, state.v - u, state.t)
    still = 2 * power(state.q, state.v, state.t) if state.v.any() else 0.0
    rates = size / state.tangent.model.sizes.displacements
    compared = np.abs(state.terms.M @ u) @ size + largest * rates.max(initial=0.0)
    return both - still, float(compared)


def _irrotational(state: AtState) -> bool:
    """Whether the forces along the independent coordinates have symmetric derivatives."""
    h, at = 1e-5, state.chart
    columns = []
    for k in range(len(at.shifts)):
        shift = h * state.units[k] * at.P[:, k]
        ahead, behind = (state.beside(sign * shift) for sign in (1, -1))
        if ahead is None or behind is None:
            return False
        columns.append((ahead.F - behind.F) * state.arms / (2 * h))
    K = np.array(columns)
    return bool(np.abs(K - K.T).max(initial=0.0) <= 1e-6 * state.largest)


# --- where it is flat -----------------------------------------------------------------------------


def valley(state: AtState) -> str:
    """Shape of the potential along the direction of least stiffness at an equilibrium.

    It has a "minimum" or "falls" (no minimum) by the terms of the force there; it is "level" where
    there is no force at all at finite distances, within rounding, and "flat" as far as terms were
    looked at. Nothing if it is lost.
    """
    units = state.units
    K = units[:, None] * state.reduced.K * units
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    phi = vectors[:, int(np.abs(values).argmin())]
    sampled = {k: _remaining(state, phi, units, k * _STEP) for k in (1, -1, 2, -2)}
    forces = {k: g for k, (g, _) in sampled.items()}
    scale = max(float(np.abs(values).max(initial=0.0)), *(stiff for _, stiff in sampled.values()))
    if not np.isfinite([scale, *forces.values()]).all():
        return ""
    # a force that is rounding of weights says nothing, however large beside itself
    scale = max(scale, _CANCELLED / _NOTHING * state.tangent.weight)
    if _is_level(state, phi, units):
        return "level"
    quadratic, cubic = (a / scale for a in series_terms(forces, _STEP))
    if max(abs(quadratic), abs(cubic)) < _NOTHING:
        return "flat"
    return "minimum" if cubic > 0 and abs(quadratic) <= _EVEN * cubic else "falls"


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


def _is_level(state: AtState, phi: Array, units: Array) -> bool:
    """Whether no force is left far along the direction, beside stiffnesses and weights."""
    for distance in (_FAR, -_FAR, _FAR / 2, -_FAR / 2):
        g, stiff = _remaining(state, phi, units, distance)
        if not abs(g) <= max(_LEVEL * max(stiff, state.tangent.weight), state.noise):
            return False
    return True


def _remaining(state: AtState, phi: Array, units: Array, distance: float) -> tuple[float, float]:
    """g, and the largest stiffness there: the force is g φ at a `distance` along φ.

    NaN if it is lost.
    """
    at, s, g, stiff = state.chart, distance * phi, 0.0, 0.0
    for _ in range(20):
        there = state.beside(at.P @ (units * s))
        if there is None:
            return np.nan, np.nan
        K = units[:, None] * there.reduced.K * units
        stiff = float(np.abs(K).max())
        step, change = bordered_step(K, units * there.F, phi, phi, g, distance - float(phi @ s))
        s, g = s + step, g + change
        if np.abs(step).max() < 1e-13:
            break
    return float(g), stiff
