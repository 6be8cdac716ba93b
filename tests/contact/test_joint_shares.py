"""Joints that hold a body twice share its load as bearings do, and so their friction.

Couples in them are as small as can be, then forces. The loads of a door on two pivots, and of a
carriage on two rails, are found here by Newton and Euler's equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import torseur as ts

G = 9.81
WAYS: dict[str, dict[str, Any]] = {
    "joint": {"rtol": 1e-10},
    "absolute": {"coordinates": "absolute", "rtol": 1e-10},
    "steps": {"method": "moreau", "step": 1e-5},
}

# --- a door on two pivots -------------------------------------------------------------------------

MASS, OUT, HIGH, INERTIA, RADIUS = 20.0, 0.4, 0.35, 1.5, 0.01  # centre at (OUT, 0, HIGH)


def door(apart: float, frictions: tuple[float, float], order: int, **more: Any) -> dict[str, Any]:
    """Hung on pivots at z = 0 and above; the first in order has the coordinate."""
    pivots = {
        name: {
            "type": "revolute",
            "bodies": ["ground", "door"],
            "axis": "z",
            "point": [[0, 0, z], [0, 0, z]],
            **({"friction": {"coefficient": mu, "radius": RADIUS}} if mu else {}),
        }
        for name, z, mu in zip(("low", "high"), (0.0, apart), frictions, strict=True)
    }
    joints = dict(list(pivots.items())[::order])
    next(iter(joints.values()))["coordinate"] = "theta"
    body = {"mass": MASS, "centre": [OUT, 0, HIGH], "inertia": [2, 3, INERTIA]}
    given = {"bodies": {"door": body}, "joints": joints, "initial": {"theta.": 1.0}}
    return {"gravity": [0, 0, -G], **given, **more}


def loads(acceleration: float, apart: float, speed: float = 1.0) -> tuple[float, float]:
    """The forces across the axis of a door in the pivots below and above.

    In the axes of the door, moments about the pivot below: −s y₂ = −m d h α and
    s x₂ + m g d = −m d h ω².
    """
    x = -MASS * OUT * (HIGH * speed**2 + G) / apart
    y = MASS * OUT * HIGH * acceleration / apart
    low = np.hypot(-MASS * OUT * speed**2 - x, MASS * OUT * acceleration - y)
    return float(low), float(np.hypot(x, y))


def slowing(apart: float, frictions: tuple[float, float]) -> float:
    """I α = −r (μ₁ N₁ + μ₂ N₂), with N that depend on α."""
    inertia = INERTIA + MASS * OUT**2

    def off(a: float) -> float:
        return inertia * a + RADIUS * float(np.dot(frictions, loads(a, apart)))

    return float(brentq(off, -10.0, 0.0, xtol=1e-14))


@pytest.mark.sampled(4, kind=lambda way, **_: way)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("frictions", [(0.1, 0.1), (0.3, 0.05), (0.0, 0.2)])
@pytest.mark.parametrize("apart", [1.0, 0.3])
@pytest.mark.parametrize("way", WAYS)
def test_a_door_on_two_pivots_slows_down_by_the_loads_of_two_bearings(way, apart, frictions, order):
    made = ts.load(door(apart, frictions, order, reactions="least_norm"))
    run = ts.simulate(made, 2e-3, rate=1000, **WAYS[way])
    expected = slowing(apart, frictions)
    assert run["theta.."][0] == pytest.approx(expected, rel=1e-9)
    slower = 1.0 - run["theta."][-1]
    assert slower == pytest.approx(-expected * run.t[-1], rel=1e-3)
    for name, load in zip(("low", "high"), loads(expected, apart), strict=True):
        force, couple = run.reaction(name)[0, :3], run.reaction(name)[0, 3:5]
        assert np.hypot(*force[:2]) == pytest.approx(load, rel=1e-9)
        assert force[2] == pytest.approx(MASS * G / 2, rel=1e-9)
        assert couple == pytest.approx([0.0, 0.0], abs=1e-9 * MASS * G * OUT)


def test_that_the_motion_depends_on_the_share_is_told_before_unless_it_is_accepted():
    def told(**more: Any) -> list[str]:
        run = ts.simulate(ts.load(door(1.0, (0.1, 0.1), 1, **more)), 1e-3)
        return [x for x in run.notices if "share their load" in x]

    (notice,) = told()
    assert "low, high" in notice
    assert "the motion depends on it" in notice
    assert not told(reactions="least_norm")


# --- a carriage on two rails ----------------------------------------------------------------------


def carriage(aside: float, frictions: tuple[float, float], order: int) -> dict[str, Any]:
    """Of 5 kg, sliding along x on rails at y = ±0.5, its centre aside."""
    rails = {
        name: {
            "type": "prismatic",
            "bodies": ["ground", "carriage"],
            "axis": "x",
            "point": [[0, y, 0], [0, y, 0]],
            "friction": mu,
        }
        for name, y, mu in zip(("left", "right"), (0.5, -0.5), frictions, strict=True)
    }
    joints = dict(list(rails.items())[::order])
    next(iter(joints.values()))["coordinate"] = "x"
    return {
        "gravity": [0, 0, -G],
        "reactions": "least_norm",
        "bodies": {"carriage": {"mass": 5, "centre": [0, aside, 0], "inertia": [0.2, 0.3, 0.4]}},
        "joints": joints,
        "initial": {"x.": 1.0},
    }


@pytest.mark.sampled(3, kind=lambda way, **_: way)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("aside", [0.0, 0.2, -0.45])
@pytest.mark.parametrize("way", WAYS)
def test_two_rails_share_the_weight_by_its_place_between_them(way, aside, order):
    """N₁ + N₂ = m g and N₁/2 − N₂/2 = m g y: the rail that is nearer carries more."""
    frictions = (0.1, 0.3)
    run = ts.simulate(ts.load(carriage(aside, frictions, order)), 0.1, rate=50, **WAYS[way])
    shares = np.array([0.5 + aside, 0.5 - aside])
    slower = G * float(np.dot(frictions, shares))
    assert run["x."][-1] == pytest.approx(1.0 - slower * 0.1, rel=1e-8)
    for name, share in zip(("left", "right"), shares, strict=True):
        load = 5 * G * share
        assert run.contact(f"{name}: friction").normal == pytest.approx(load, rel=1e-8)
        assert run.reaction(name)[1, 1:3] == pytest.approx([0.0, load], abs=1e-8 * 5 * G)


def test_a_plane_mechanism_has_nothing_to_share_across_its_plane():
    crank = {
        "gravity": [0, -G, 0],
        "bodies": {
            "crank": {"mass": 1, "centre": [0.1, 0, 0], "inertia": [0.01, 0.01, 0.01]},
            "rod": {"mass": 1, "centre": [0.25, 0, 0], "inertia": [0.02, 0.02, 0.02]},
            "piston": {"mass": 1, "inertia": [0.01, 0.01, 0.01]},
        },
        "joints": {
            "O": {
                "type": "revolute",
                "bodies": ["ground", "crank"],
                "axis": "z",
                "coordinate": "a",
            },
            "A": {
                "type": "revolute",
                "bodies": ["crank", "rod"],
                "axis": "z",
                "point": [[0.2, 0, 0], [0, 0, 0]],
                "coordinate": "b",
            },
            "B": {
                "type": "revolute",
                "bodies": ["rod", "piston"],
                "axis": "z",
                "point": [[0.5, 0, 0], [0, 0, 0]],
            },
            "C": {
                "type": "prismatic",
                "bodies": ["ground", "piston"],
                "axis": "x",
                "friction": 0.2,
            },
        },
        "initial": {"a": 0.5, "a.": 3.0},
    }
    run = ts.simulate(ts.load(crank), 0.05)
    assert not any("share their load" in notice for notice in run.notices)
