"""A box on four feet that is pushed at random: it slides, spins and stops, and is never refused.

Its feet come to rest together, or all but the one about which the others turn last.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import torseur as ts

WEIGHT, HEIGHT, SAMPLE = 9.81, 0.3, 0.01
FEET = ((0.5, 0.4), (-0.5, 0.4), (0.5, -0.4), (-0.5, -0.4))
SOON = ((4, 2), (8, 2), (13, 5))  # pushes until all feet stop, or lift


def box() -> dict[str, Any]:
    """Of 1 kg, at rest on the ground."""
    law = {"bodies": ["ground", "A"], "normal": "z", "friction": 0.5}
    return {
        "gravity": [0, 0, -WEIGHT],
        "reactions": "least_norm",
        "bodies": {"A": {"mass": 1.0, "inertia": [0.1, 0.15, 0.2]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "A"]}},
        "contacts": {
            f"c{k}": {**law, "point": [*foot, -HEIGHT], "restitution": 0.3}
            for k, foot in enumerate(FEET)
        },
        "initial": {"A_z": HEIGHT},
    }


@cache
def model() -> Any:
    return ts.compile(ts.load(box()))


def pushed(seed: int, rtol: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """What is left of the balance of energy after each step, and what the feet took up to then."""
    forces = np.random.default_rng(seed).normal(size=(60, 6))[:steps] * 2
    stepper, balance, taken = ts.Stepper(model(), SAMPLE, rtol=rtol), [], []
    nq, nv, feet = len(stepper.q), len(stepper.v), len(FEET)
    for force in forces:
        stepper.step(force)
        v, y = stepper.v, stepper.y
        energy = 0.5 * v @ stepper.model.mass_matrix(stepper.q) @ v + WEIGHT * stepper["A_z"]
        balance.append(energy - WEIGHT * HEIGHT - y[nq + nv])
        taken.append(y[nq + nv + 1 + 6 :][:feet].sum())
    return np.array(balance), np.array([0.0, *taken])


def require_laws(seed: int, rtol: float, steps: int) -> None:
    """The balance closes to the tolerance of the speeds, and friction and shocks give no energy."""
    balance, taken = pushed(seed, rtol, steps)
    assert np.abs(balance).max() < 10 * rtol * WEIGHT * HEIGHT
    assert np.diff(taken).max() < rtol * WEIGHT * HEIGHT


@pytest.mark.parametrize(("seed", "steps"), SOON)
def test_a_pushed_box_slides_and_stops_and_friction_gives_no_energy(seed, steps):
    require_laws(seed, 1e-6, steps)


def shaken(seed: int, since: float, friction: tuple[float, ...] | None = None) -> dict[str, Any]:
    """The box under forces and a couple that come and go, from an instant on."""
    rng = np.random.default_rng(seed)
    sizes, rates = rng.uniform(2, 9, 2), rng.uniform(3, 20, 3)
    made, mu = box(), rng.uniform(0.3, 0.8)
    couple = rng.uniform(0, 4)
    for k, contact in enumerate(made["contacts"].values()):
        contact |= {"friction": friction[k] if friction else mu, "restitution": 0.0}
    x, y, c = (
        f"{size}*sin({rate}*(t + {since}))"
        for size, rate in zip((*sizes, couple), rates, strict=True)
    )
    push = {"type": "wrench", "body": "A", "force": [x, y, 0], "couple": [0, 0, c]}
    return {**made, "forces": {"push": push}}


def require_balance(scene: dict[str, Any], duration: float) -> ts.Run:
    run = ts.simulate(ts.load(scene), duration, rate=100 / min(duration, 1.0))
    taken = sum(run.contact(name).work for name in scene["contacts"])
    assert run.energy_drift < 1e-7
    assert np.diff(taken).max() < 1e-9 * WEIGHT * HEIGHT
    return run


def test_a_box_rests_while_any_share_of_friction_can_hold_it_and_then_starts_smoothly():
    run = require_balance(shaken(0, 1.1731), 1e-3)
    assert 0 < len(run.events) < 20
    assert np.abs(run.v[0]).max() == 0.0 < np.abs(run.v[-1]).max()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_box_that_is_shaken_slides_and_stops_and_its_balance_closes(seed):
    require_balance(shaken(seed, 0.0), 1.2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4, 5])
def test_feet_that_rub_differently_start_and_stop_too(seed):
    require_balance(shaken(seed, 0.0, (0.35, 0.7, 0.5, 0.45)), 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
@pytest.mark.parametrize("seed", range(24))
def test_a_box_that_is_pushed_sixty_times_is_never_refused(seed, rtol):
    require_laws(seed, rtol, 60)
