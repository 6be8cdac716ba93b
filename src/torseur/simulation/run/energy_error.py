"""How far a motion is from keeping its energy, beside the energies that it exchanged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Array = np.ndarray
# Of the energies themselves: exchanges below are not told from rounding to half its digits.
_LEAST = float(np.sqrt(np.finfo(float).eps))


def energy_drift(energy: Mapping[str, Array], scale: float) -> float:
    """The largest error of T + V − W over the run, beside what was exchanged.

    That is the largest T + |V − V₀| + |W|. Where hardly anything is exchanged, as at rest, √ε times
    the energies themselves or `scale` [J], of which the error is rounding.
    """
    T, V, W = (np.asarray(energy[name]) for name in ("kinetic", "potential", "work"))
    total = T + V - W
    exchanged = (T + np.abs(V - V[0]) + np.abs(W)).max()
    least = _LEAST * max(scale, float((T + np.abs(V) + np.abs(W)).max()))
    return float(np.abs(total - total[0]).max() / max(exchanged, least, 1e-300))
