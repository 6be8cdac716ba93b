"""Whatever the mechanism and the state: numbers, or one clear message; never a NaN."""

from dataclasses import replace

import numpy as np
import pytest
from random_systems import KINDS, random_system

import torseur as ts
from torseur.algebra.core.expr import ZERO


def spoilt(rng, made):
    """The mechanism with, now and then, a body without mass or without inertia."""
    bodies = {}
    for name, body in made.bodies.items():
        lot = rng.random()
        if lot < 0.1:
            body = replace(body, mass=ZERO, inertia=0 * body.inertia)
        elif lot < 0.2:
            body = replace(body, inertia=0 * body.inertia)
        bodies[name] = body
    return replace(made, bodies=bodies)


def assert_numbers_or_a_message(seed, coordinates):
    rng = np.random.default_rng(seed)
    made = spoilt(rng, random_system(rng, KINDS[seed % len(KINDS)]))
    try:
        run = ts.simulate(made, 0.05, rate=40, rtol=1e-6, coordinates=coordinates)
        reactions = [run.reaction(joint) for joint in made.joints]
    except (ts.SolveError, ts.ModelError) as error:
        assert str(error), "a failure says what happened"
        assert "nan" not in str(error).lower()
        return
    for values in (run.q, run.v, run.a, run.lambdas, *reactions):
        assert np.isfinite(values).all()


# in the last ones nothing has mass, imposed motions that stand still leave nothing to move, or a
# rod closes a loop
@pytest.mark.parametrize("seed", [*range(8), 18, 22, 38, 4005])
def test_a_random_mechanism_moves_or_says_why_not(seed):
    assert_numbers_or_a_message(seed, "joint")


@pytest.mark.sampled(12, kind=lambda seed: seed if seed >= 40 else None)
# in the last ones a body without mass is pushed: the steps shrink for ever
@pytest.mark.parametrize("seed", [*range(8, 40), 140, 159])
def test_a_random_mechanism_in_absolute_coordinates_moves_or_says_why_not(seed):
    assert_numbers_or_a_message(seed, "absolute")


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(10))
def test_ten_thousand_random_mechanisms_move_or_say_why_not(thousand):
    for seed in range(1000 * (thousand + 1), 1000 * (thousand + 2)):
        assert_numbers_or_a_message(seed, "absolute")
