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
SHOCKS, REBOUNDS, TOUCHES = range(140), range(60), range(100)  # by Newton, by Poisson, at rest


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


def check(errors):
    """Where the oracle has an answer, which is nearly everywhere, the engine has it too."""
    known = {seed: x for seed, x in errors.items() if x is not None}
    assert len(known) > 0.8 * len(errors)
    assert {seed: x for seed, x in known.items() if x > EQUAL} == {}


# every fifth scene has every kind, as there are four
QUICKLY = pytest.param(5, id="some")
ALL = pytest.param(1, id="all", marks=pytest.mark.slow)


@pytest.mark.parametrize("every", [QUICKLY, ALL])
@pytest.mark.parametrize(("poisson", "seeds"), [(False, SHOCKS), (True, REBOUNDS)])
def test_speeds_after_shocks_are_those_of_the_modes_that_agree(poisson, seeds, every):
    check({seed: wrong_speeds(seed, poisson) for seed in seeds[::every]})


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


@pytest.mark.parametrize("every", [QUICKLY, ALL])
def test_accelerations_of_what_touches_are_those_of_the_modes_that_agree(every):
    check({seed: wrong_acceleration(seed) for seed in TOUCHES[::every]})
