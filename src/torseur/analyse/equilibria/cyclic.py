"""Cyclic displacements, on which nothing depends, and balances that last.

A coordinate is cyclic when neither the independent accelerations nor the rates of the others depend
on it: in a steady motion it may turn for ever.
"""

from __future__ import annotations

import numpy as np

from torseur.analyse.at_a_state.statics import AtState, Unknowns, closed_state
from torseur.errors import ModelError
from torseur.words.sentence import say


def cyclic_displacements(state: AtState, speed: float = 0.0) -> frozenset[int]:
    """The displacements that no independent acceleration and no rate of the others depends on.

    Seen at states around this one: at rest, or with random independent speeds of about `speed`.
    """
    rng = np.random.default_rng(2)
    tangent, at = state.tangent, state.chart
    lengths = tangent.model.sizes.displacements
    flat = np.ones(len(at.shifts), dtype=bool)
    rates = np.zeros((len(at.shifts), len(at.shifts)), dtype=bool)
    for _ in range(4):
        step = at.P @ (0.3 * state.units * rng.normal(size=len(at.shifts)))
        v = state.v + speed * lengths * rng.normal(size=tangent.size)
        steady = state.beside(step, v)
        if steady is None:
            continue
        there = steady.moving()
        arms = lengths[list(at.speeds), np.newaxis]
        kinetic = np.abs(there.reduced.M * arms * arms.T).max(initial=0.0) * speed**2
        size = max(1e3 * there.rounding, 1e-9 * kinetic)
        flat &= (np.abs(there.reduced.K * arms * state.units) <= size).all(axis=0)
        shaken = there.reduced.H / state.units[:, np.newaxis] * state.units
        rates |= np.abs(shaken) > 1e-9 * max(speed, 1e-300)
    while True:
        shaken = rates[~flat].any(axis=0) if (~flat).any() else np.zeros_like(flat)
        if not (flat & shaken).any():
            return frozenset(i for k, i in enumerate(at.shifts) if flat[k])
        flat &= ~shaken


def check_autonomous(state: AtState) -> None:
    """Reject loads that depend on time; imposed motions may."""
    later = state.t + 0.7123
    loads = [state.tangent.at(state.q, t, state.v).r for t in (state.t, later)]
    changes = (loads[1] - loads[0]) * state.tangent.model.sizes.displacements
    if np.abs(changes).max(initial=0.0) > 1e-9 * max(state.largest, 1e-300):
        raise ModelError(
            f'mechanism "{state.tangent.model.mechanism.name}"',
            say(
                "a load depends on time: it changes between t = {t:g} s and {later:g} s.",
                state.t,
                later,
            ),
            "Give t=… to take it as it is at that instant.",
        )


def stays_balanced(state: AtState, sought: Unknowns) -> bool:
    """Whether the state is still balanced when what moves has gone on for a while.

    The speeds that are to be constant are the same then: in a steady motion the independent ones,
    those given and those of what stands still; under imposed motions all of them.
    """
    if not state.v.any() or not (state.tangent.model.mechanism.motions or sought.turning):
        return True
    lengths = state.tangent.model.sizes.displacements
    size = float(np.abs(state.v / lengths).max())
    constant = list(range(state.tangent.size))
    if sought.turning:
        resting = (i for i in state.chart.shifts if i not in sought.turning)
        constant = sorted({*state.chart.speeds, *(i for i, _ in sought.given_speeds), *resting})
    for angle in (0.4, 1.7):
        later = angle / size
        q = state.q.copy()
        for _, link in state.tangent.model.system.tree:
            if not link.joint.turning:
                q[link.q] += later * state.v[link.v]
        after = state.t + later
        there = closed_state(state.tangent, q, after, state.v, sought, previous=state.chart)
        if there is None:
            return False
        changed = np.abs((there.v - state.v) / lengths)[constant].max(initial=0.0)
        if not sought.balanced(there) or changed > 1e-7 * size:
            return False
    return True
