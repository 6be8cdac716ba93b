"""Whether forces have a potential and add no energy, seen at states around one."""

from __future__ import annotations

import numpy as np

from torseur.analyse.at_a_state.statics import AtState, close_loops
from torseur.analyse.at_a_state.statics import steady_state as steady_at
from torseur.simulation.constraints.displacement import advanced


def has_energy(here: AtState) -> bool:
    """Whether the forces at rest have a potential and those that depend on speeds add no energy.

    Seen at states around this one. Forces have a potential when their derivatives are symmetric;
    the power of friction is the part of the power that does not change sign with the speeds.
    """
    model, rng = here.tangent.model, np.random.default_rng(0)
    quantities = here.tangent.quantities
    for spread in (0.0, 0.02, 0.2):
        step = here.chart.P @ (spread * rng.normal(size=len(here.chart.shifts)))
        q = close_loops(here.tangent, advanced(model, here.q, step), here.t, here.chart.shifts)
        if q is None:
            continue
        there = steady_at(here.tangent, q, here.v, here.t, kept=here.chart)
        for _ in range(3):
            u = there.chart.N @ rng.normal(size=there.chart.N.shape[1])
            power = sum(quantities.power(q, there.v + sign * u, here.t) for sign in (1, -1))
            power -= 2 * quantities.power(q, there.v, here.t) if here.v.any() else 0.0
            size = np.abs(there.terms.M @ u) @ np.abs(u) + here.largest * np.abs(u).max(initial=0.0)
            if power > 1e-9 * size:
                return False
        if not _irrotational(there):
            return False
    return True


def _irrotational(here: AtState) -> bool:
    """Whether the forces along the independent coordinates have symmetric derivatives."""
    h, at = 1e-5, here.chart
    columns = []
    for k in range(len(at.shifts)):
        forces = []
        for sign in (1, -1):
            q = advanced(here.tangent.model, here.q, sign * h * at.P[:, k])
            q_closed = close_loops(here.tangent, q, here.t, at.shifts)
            if q_closed is None:
                return False
            forces.append(steady_at(here.tangent, q_closed, here.v, here.t, kept=at).F)
        columns.append((forces[0] - forces[1]) / (2 * h))
    K = np.array(columns)
    return bool(np.abs(K - K.T).max(initial=0.0) <= 1e-6 * here.largest)
