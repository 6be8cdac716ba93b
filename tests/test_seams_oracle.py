"""Shocks and accelerations of small systems, against an enumeration of modes in plain NumPy.

The oracle shares no code with Torseur: M and J are written by hand. Where no modes agree, or where
modes that move differently do, there is nothing to compare. Where Newton's rule with friction
would create energy, less is given back, which the oracle does not know.
"""

import numpy as np
import pytest
from mode_oracle import acceleration, after_newton, after_poisson
from oracle_scenes import calm, struck

import torseur as ts

EQUAL = 1e-8
SHOCKS, REBOUNDS, REACHED = 140, 60, 100  # scenes by Newton's rule, by Poisson's, at rest


def speeds_after(touching):
    """Speeds at the instant of the start, which is after its shocks."""
    run = ts.simulate(ts.load(touching.described), 1e-6, at=[0.0, 1e-6], rtol=1e-10)
    return np.array([run[name][0] for name in touching.speeds]), run


def wrong_speeds(seed, poisson):
    """How far speeds after shocks are off; nothing where the oracle has no answer."""
    touching = struck(seed, poisson)
    rule = after_poisson if poisson else after_newton
    wanted = rule(touching.system, touching.v, touching.e)
    if wanted is None:
        return None
    found, _ = speeds_after(touching)
    return float(np.abs(found - wanted).max() / max(1.0, np.abs(touching.v).max()))


@pytest.mark.parametrize(("poisson", "count"), [(False, SHOCKS), (True, REBOUNDS)])
def test_speeds_after_shocks_are_those_of_the_modes_that_agree(poisson, count):
    errors = {seed: wrong_speeds(seed, poisson) for seed in range(count)}
    known = {seed: x for seed, x in errors.items() if x is not None}
    assert len(known) > 0.8 * count
    assert {seed: x for seed, x in known.items() if x > EQUAL} == {}


def wrong_acceleration(seed):
    """How far accelerations of what touches are off; nothing without a single answer."""
    touching = calm(seed)
    known = touching.system, touching.v, touching.force, touching.curvature
    wanted = acceleration(*known)
    if wanted is None:
        return None
    run = ts.simulate(ts.load(touching.described), 1e-6, at=[0.0, 1e-6], rtol=1e-10)
    found = np.array([run[f"{name}."][0] for name in touching.speeds])
    return float(np.abs(found - wanted).max() / max(1.0, np.abs(wanted).max()))


def test_accelerations_of_what_touches_are_those_of_the_modes_that_agree():
    errors = {seed: wrong_acceleration(seed) for seed in range(REACHED)}
    known = {seed: x for seed, x in errors.items() if x is not None}
    assert len(known) > 0.8 * REACHED
    assert {seed: x for seed, x in known.items() if x > EQUAL} == {}
