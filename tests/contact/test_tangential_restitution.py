"""Shocks that reverse sliding: the superball, and balls whose friction limits what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError

G = 9.81


def ball(friction: float | None, restitution: Any, radius: float = 0.05) -> ts.Mechanism:
    """A ball above a plane, of mass 1 and moment 2/5 r²."""
    contact = {"bodies": ["ground", "b"], "shape": "ball", "radius": radius, "normal": "z"}
    law = {} if friction is None else {"friction": friction}
    return ts.load({
        "gravity": [0, 0, -G],
        "bodies": {"b": {"mass": 1, "shape": {"sphere": {"radius": radius}}}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
        "contacts": {"floor": {**contact, **law, "restitution": restitution}},
    })  # fmt: skip


def bounced(model: Any, start: dict[str, float]) -> ts.Run:
    """Just after the first shock, that of a fall by 0.2 m."""
    fall = float(np.sqrt(2 * 0.2 / G))
    return ts.simulate(model, at=[0.0, fall + 1e-3], initial={"F_z": 0.25, **start})


def expected(v: float, w: float, e: float, r: float = 0.05) -> tuple[float, float]:
    """Speed and spin after a shock that leaves the speed of sliding s = v − r w at −e s.

    The angular momentum about the point of contact, m r v + 2/5 m r² w, is kept.
    """
    change = -(1 + e) * (v - r * w) / (1 + 5 / 2)
    return v + change, w - change * 5 / (2 * r)


@pytest.mark.parametrize(("v", "w"), [(1.0, 0.0), (0.0, 30.0), (1.0, -20.0), (0.5, 10.0)])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_superball_reverses_its_speed_of_sliding(v, w, e):
    run = bounced(ball(10.0, {"newton": 1.0, "tangential": e}), {"F_x.": v, "F_wy": w})
    after = expected(v, w, e)
    assert run["F_x."][-1] == pytest.approx(after[0], rel=1e-9, abs=1e-12)
    assert run["F_wy"][-1] == pytest.approx(after[1], rel=1e-9, abs=1e-9)


def test_a_hard_superball_loses_no_energy_and_comes_back_under_a_table():
    """Garwin (1969): the second bounce of a ball thrown without spin returns the first."""
    model = ball(10.0, {"newton": 1.0, "tangential": 1.0})
    start = {"F_z": 0.25, "F_x.": 1.0}
    run = ts.simulate(model, 1.2, rate=200, initial=start)
    energy = run.energy["kinetic"] + run.energy["potential"]
    assert np.ptp(energy) < 1e-9 * energy[0]
    first, second = expected(1.0, 0.0, 1.0), expected(*expected(1.0, 0.0, 1.0), 1.0)
    assert first[0] == pytest.approx(3 / 7)
    assert second == pytest.approx((1.0, 0.0), abs=1e-12)
    shocks = run.t[1:][np.abs(np.diff(run["F_x."])) > 1e-3]
    between = (run.t > shocks[1] + 0.01) & (run.t < shocks[2] - 0.01)
    assert run["F_x."][between] == pytest.approx(1.0, abs=1e-9)


def test_friction_limits_what_comes_back():
    """Walton (1993): the impulse of friction is μ times that of the normal, at most."""
    mu, e, u = 0.1, 0.8, float(np.sqrt(2 * G * 0.2))
    run = bounced(ball(mu, {"newton": e, "tangential": 0.5}), {"F_x.": 2.0})
    assert run["F_x."][-1] == pytest.approx(2.0 - mu * (1 + e) * u, rel=1e-9)


def test_two_directions_of_sliding_come_back_together():
    model = ball(10.0, {"newton": 0.9, "tangential": 0.6})
    run = bounced(model, {"F_x.": 0.8, "F_y.": -0.6})
    assert run["F_x."][-1] == pytest.approx(expected(0.8, 0.0, 0.6)[0], rel=1e-9)
    assert run["F_y."][-1] == pytest.approx(expected(-0.6, 0.0, 0.6)[0], rel=1e-9)


def test_absolute_coordinates_and_batches_bounce_alike():
    model = ball(10.0, {"newton": 1.0, "tangential": 0.7})
    start = {"F_z": 0.25, "F_x.": 1.0}
    one = ts.simulate(model, 0.5, rate=50, initial=start)
    other = ts.simulate(model, 0.5, rate=50, initial=start, coordinates="absolute")
    rows = ts.simulate(model, 0.5, rate=50, initial={**start, "F_x.": np.array([1.0, 2.0])})
    assert other["F_x"][-1] == pytest.approx(one["F_x"][-1], abs=1e-9)
    assert rows["F_x"][0][-1] == pytest.approx(one["F_x"][-1], abs=1e-9)


@pytest.mark.parametrize(
    ("friction", "restitution", "words"),
    [
        (None, {"newton": 1, "tangential": 1}, "acts by friction"),
        (0.5, {"poisson": 1, "tangential": 1}, "Newton's law only"),
        (0.5, {"newton": 1, "tangential": 1.5}, "between 0 and 1"),
        (0.5, {"tangential": 1}, "exactly one law"),
    ],
)
def test_what_has_no_meaning_is_refused(friction, restitution, words):
    with pytest.raises(ModelError, match=words):
        ball(friction, restitution)


def test_steps_refuse_it_by_name():
    model = ball(0.5, {"newton": 1, "tangential": 1})
    with pytest.raises(ModelError, match=r'"floor" has a tangential restitution'):
        ts.simulate(model, 0.1, method="moreau", step=1e-3)
