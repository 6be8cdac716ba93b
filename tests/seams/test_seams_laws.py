"""Runs against laws that the test writes itself: energy, momentum, Coulomb, Newton, symmetry.

Powers are made of forces and speeds that are read of the run and integrated here; impulses are
compared with the jumps of momentum that they cause; nothing of the engine's own balance is used.
"""

from itertools import pairwise

import numpy as np
import pytest
from seam_relations import Case, moved
from seam_scenes import GROUND

SEEDS = [seed for seed in range(36) if seed % 12 in (1, 2, 3, 4, 5)]  # free bodies that touch
NODES = np.polynomial.legendre.leggauss(12)[0]
NEAR = 1e-7  # [s] before and after a shock
EQUAL = 1e-7


def fine(case):
    """A run with samples on each stretch between events, none at an event; and these stretches."""
    ends = [0.0, *sorted({event.t for event in case.run.events}), float(case.times[-1])]
    pairs = [(a, b) for a, b in pairwise(ends) if b - a > 1e-6]
    stretches = [(a + b) / 2 + (b - a) / 2 * NODES for a, b in pairs]
    return moved(case.scene, case.mechanism, np.concatenate(stretches)), stretches


def bodies(case):
    """Name, mass and inertia of the free bodies, as drawn."""
    described, values = case.scene.description, case.scene.description["parameters"]

    def number(x):
        return values[x] if isinstance(x, str) else float(x)

    for name in case.scene.readings:
        body = described["bodies"][name]
        inertia = np.array([[number(x) for x in row] for row in body["inertia"]])
        yield name, number(body["mass"]), inertia


def kinetic(case, run):
    """½ m v² + ½ ω·I ω of all bodies, at the samples."""
    seen, total = case.scene.observe(run), np.zeros(len(run.t))
    for name, m, I in bodies(case):
        spin = seen[f"{name} spin"]
        own = I if spin.shape[1] == 3 else I[2:, 2:]
        total += 0.5 * m * (seen[f"{name}."] ** 2).sum(axis=1)
        total += 0.5 * np.einsum("ij,jk,ik->i", spin, own, spin)
    return total


def power(case, run):
    """Of weight, and of the friction of what slides: −μ N times the speed of sliding."""
    seen, total = case.scene.observe(run), np.zeros(len(run.t))
    described, values = case.scene.description, case.scene.description["parameters"]
    g = np.array([values.get(x, x) if isinstance(x, str) else x for x in described["gravity"]])
    for name, m, _ in bodies(case):
        v = seen[f"{name}."]
        total += m * (v @ g[: v.shape[1]].astype(float))
    for name in run.samples.contacts_named:
        law = described["contacts"][name].get("friction", 0.0)
        mu = values[law] if isinstance(law, str) else float(law)
        touch = run.contact(name)
        if mu and touch.slip.size:
            total -= mu * touch.normal * np.linalg.norm(touch.slip, axis=1)
    return total


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_between_shocks_energy_changes_by_the_integral_of_powers(seed):
    case = Case(seed)
    run, stretches = fine(case)
    energy, watts, place = kinetic(case, run), power(case, run), 0
    for times in stretches:
        own = slice(place, place + len(times))
        place += len(times)
        fit = np.polynomial.Polynomial.fit(times, watts[own], len(times) - 1).integ()
        size = max(1.0, np.abs(energy).max())
        gained = energy[own][-1] - energy[own][0]
        assert gained == pytest.approx(fit(times[-1]) - fit(times[0]), abs=EQUAL * size)


# --- shocks ---------------------------------------------------------------------------------------


def around(case, event):
    """The run just before and just after a shock that is alone for a while; else None."""
    others = [0.0, *(e.t for e in case.run.events if abs(e.t - event.t) > 1e-9)]
    if min(abs(t - event.t) for t in others) < 3 * NEAR:
        return None
    return moved(case.scene, case.mechanism, [event.t - NEAR, event.t + NEAR])


def alone(case):
    """Shocks of one body with the ground, each with the run around it and its description."""
    for event in case.run.events:
        together = [e for e in case.run.events if e.cause == "shock" and e.t == event.t]
        touch = case.scene.description["contacts"].get(event.name, {})
        if event.cause == "shock" and len(together) == 1 and touch["bodies"][0] == GROUND:
            ends = around(case, event)
            if ends is not None:
                yield event, ends, touch


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_jumps_of_momentum_are_the_impulses_of_shocks_and_obey_newton_and_coulomb(seed):
    """m Δv has the impulse along the normal and friction within its limit across it; the speed of
    the gap is reversed by Newton's e."""
    case = Case(seed)
    values = case.scene.description["parameters"]
    for event, ends, touch in alone(case):
        name = touch["bodies"][1]
        seen, m = case.scene.observe(ends), next(m for x, m, _ in bodies(case) if x == name)
        jump = m * np.diff(seen[f"{name}."], axis=0)[0]
        normal = np.array(touch["normal"], dtype=float)[: len(jump)]
        push, slack = float(jump @ normal), 1e-5 * max(1.0, event.impulse)
        assert push == pytest.approx(event.impulse, abs=slack)
        mu, e = (values.get(x, x) if isinstance(x, str) else x
                 for x in (touch.get("friction", 0.0), touch.get("restitution", 0.0)))  # fmt: skip
        assert np.linalg.norm(jump - push * normal) <= mu * push + slack
        if not isinstance(e, dict) and not case.run.notices:
            closing, leaving = ends.contact(event.name).gap / NEAR
            assert leaving == pytest.approx(e * closing, abs=1e-4 * max(1.0, closing))
