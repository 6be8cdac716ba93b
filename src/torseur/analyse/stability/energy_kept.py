"""Whether forces have a potential and add no energy, seen at states around one."""

from __future__ import annotations

import numpy as np

from torseur.analyse.at_a_state.statics import AtState

Array = np.ndarray


def has_energy(here: AtState) -> bool:
    """Whether the forces at rest have a potential and those that depend on speeds add no energy.

    Seen at states around this one. Forces have a potential when their derivatives are symmetric;
    the power of friction is the part of the power that does not change sign with the speeds.
    """
    rng = np.random.default_rng(0)
    for spread in (0.0, 0.02, 0.2):
        step = here.chart.P @ (spread * rng.normal(size=len(here.chart.shifts)))
        there = here.beside(step)
        if there is None:
            continue
        for _ in range(3):
            u = there.chart.N @ rng.normal(size=there.chart.N.shape[1])
            power, size = even_power(there, u, here.largest)
            if power > 1e-9 * size:
                return False
        if not _irrotational(there):
            return False
    return True


def even_power(here: AtState, u: Array, largest: float) -> tuple[float, float]:
    """The part of the power that does not change sign with speeds u, and what it is compared with.

    That is the power of friction and of what drives; `largest` is the largest load nearby.
    """
    power, size = here.tangent.quantities.power, np.abs(u)
    both = power(here.q, here.v + u, here.t) + power(here.q, here.v - u, here.t)
    still = 2 * power(here.q, here.v, here.t) if here.v.any() else 0.0
    compared = np.abs(here.terms.M @ u) @ size + largest * size.max(initial=0.0)
    return both - still, float(compared)


def _irrotational(here: AtState) -> bool:
    """Whether the forces along the independent coordinates have symmetric derivatives."""
    h, at = 1e-5, here.chart
    columns = []
    for k in range(len(at.shifts)):
        ahead, behind = (here.beside(sign * h * at.P[:, k]) for sign in (1, -1))
        if ahead is None or behind is None:
            return False
        columns.append((ahead.F - behind.F) / (2 * h))
    K = np.array(columns)
    return bool(np.abs(K - K.T).max(initial=0.0) <= 1e-6 * here.largest)
