"""Joints beside contacts among bodies: what they hold and carry, and the order of the steps."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import torseur as ts

G = 9.81
FAR = {"floor": {"among": "all", "normal": "z", "through": [0, 0, -9], "friction": 0.4}}
FLOOR = {"floor": {"among": "all", "normal": "z", "friction": 0.4}}
JOINTS: dict[str, dict[str, Any]] = {
    "revolute": {"axis": "y", "coordinate": "q"},
    "spherical": {},
    "universal": {"axes": ["y", "x"]},
    "prismatic": {"axis": "x", "coordinate": "q"},
    "cylindrical": {"axis": "x"},
    "planar": {"normal": "y"},
    "point contact": {"normal": "z"},
    "fixed": {},
}


def ball(radius=0.1, mass=1.0):
    moment = 0.4 * mass * radius**2
    return {"mass": mass, "inertia": [moment] * 3, "shape": {"sphere": {"radius": radius}}}


def bob(kind: str, contacts: dict[str, Any], **more: Any) -> ts.Mechanism:
    """A body with its centre 1 m off the joint that holds it to the ground, and a ball there."""
    offset = [0.6, 0, -0.8]
    body = {"mass": 1, "centre": offset, "inertia": [0.1, 0.2, 0.15]}
    body["shape"] = {"sphere": {"radius": 0.1, "at": offset}}
    joint = {"type": kind, "bodies": ["ground", "bob"], **JOINTS[kind]}
    sections = {"gravity": [3, 0, -G], "bodies": {"bob": body}, "joints": {"J": joint}}
    points = {"centre": ["bob", offset]}
    return ts.load({**sections, "contacts": contacts, "points": points, **more})


def worst(kind: str, step: float) -> float:
    """How far the centre is from where the joint alone lets it be, after half a second."""
    stepped = ts.simulate(bob(kind, FAR), 0.5, method="moreau", step=step, rate=10)
    exact = ts.simulate(bob(kind, {}), 0.5, rate=10)
    return float(np.abs(stepped.point("centre") - exact.point("centre")).max())


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_lets_move_what_it_lets_move_and_holds_the_rest(kind):
    coarse, fine = worst(kind, 4e-3), worst(kind, 2e-3)
    assert fine < 2e-2
    assert fine <= 0.6 * coarse or fine < 1e-9  # order 1


@cache
def hinged_lid() -> ts.Mechanism:
    """A lid on a hinge, as high as three balls that lie below it, and one that falls on it."""
    size = [1.0, 0.6, 0.05]
    lid = {"mass": 2, "centre": [0.5, 0, 0], "inertia": [0.06, 0.17, 0.23]}
    lid["shape"] = {"box": {"size": size, "at": [0.5, 0, 0]}}
    hinge = {"type": "revolute", "bodies": ["ground", "lid"], "axis": "y", "coordinate": "phi"}
    joints: dict[str, Any] = {"hinge": {**hinge, "point": [[0, 0, 0.225], [0, 0, 0]]}}
    places = [(0.8, -0.2, 0.1), (0.8, 0.2, 0.1), (0.5, 0.0, 0.1), (0.7, 0.0, 0.6)]
    initial = {}
    for k, place in enumerate(places):
        joints[f"b{k}"] = {"type": "free", "bodies": ["ground", f"b{k}"]}
        initial |= {f"b{k}_{axis}": x for axis, x in zip("xyz", place, strict=True)}
    bodies = {"lid": lid} | {f"b{k}": ball() for k in range(len(places))}
    contacts = {"all": {"among": "all", "friction": 0.4, "restitution": 0.3}, **FLOOR}
    gravity = {"gravity": [0, 0, -G], "bodies": bodies, "joints": joints}
    return ts.load({**gravity, "contacts": contacts, "initial": initial})


def require_steps(run: ts.Run, residual: float) -> None:
    """Energy never rises and its balance closes; contacts and joints hold what they hold."""
    energy = run.energy["kinetic"] + run.energy["potential"]
    assert np.diff(energy).max() < 1e-12 * abs(energy[0])
    assert run.energy_drift < 1e-12
    assert run.touching.residuals.max() < residual
    assert run.touching.penetrations.max() < 1e-7 * 0.1


def test_a_lid_that_a_ball_falls_on_loses_energy_and_stays_on_its_hinge():
    run = ts.simulate(hinged_lid(), 0.6, method="moreau", step=1e-3, rate=50)
    require_steps(run, 1e-9)
    struck = run.touching[int(np.searchsorted(run.t, 0.3))]
    assert any({"lid", "b3"} == {touch.first, touch.second} for touch in struck) or len(struck) > 3


def test_a_lid_at_rest_is_carried_by_its_hinge_and_its_balls():
    run = ts.simulate(hinged_lid(), 0.2, method="moreau", step=1e-3, rate=20)
    hinge = run.reaction("hinge")[2, :3]
    below = sum(
        touch.force if touch.first == "lid" else -touch.force
        for touch in run.touching[2]
        if "lid" in (touch.first, touch.second)
    )
    assert hinge + below == pytest.approx([0, 0, 2 * G], abs=1e-9)
    assert np.ptp(run["phi"]) == 0.0


def chain() -> ts.Mechanism:
    """Six links on ball joints, thrown on nine balls."""
    link = {"mass": 0.2, "centre": [0.1, 0, 0], "inertia": [1e-4, 4e-4, 4e-4]}
    link["shape"] = {"capsule": {"radius": 0.03, "length": 0.12, "axis": "x", "at": [0.1, 0, 0]}}
    joints: dict[str, Any] = {"l0": {"type": "free", "bodies": ["ground", "l0"]}}
    between = {"type": "spherical", "point": [[0.2, 0, 0], [0, 0, 0]]}
    joints |= {f"j{k}": {**between, "bodies": [f"l{k - 1}", f"l{k}"]} for k in range(1, 6)}
    initial = {"l0_z": 0.4, "l0_x": -0.5}
    for k in range(9):
        joints[f"b{k}"] = {"type": "free", "bodies": ["ground", f"b{k}"]}
        initial |= {f"b{k}_x": 0.21 * (k % 3) - 0.2, f"b{k}_y": 0.21 * (k // 3) - 0.2}
        initial |= {f"b{k}_z": 0.1}
    bodies = {f"l{k}": link for k in range(6)} | {f"b{k}": ball() for k in range(9)}
    contacts = {"all": {"among": "all", "friction": 0.4}, **FLOOR}
    sections = {"gravity": [0, 0, -G], "bodies": bodies, "joints": joints}
    return ts.load({**sections, "contacts": contacts, "initial": initial})


def test_a_chain_that_falls_on_a_heap_stays_together():
    run = ts.simulate(chain(), 0.4, method="moreau", step=2e-3, rate=50)
    require_steps(run, 1e-3)


def test_a_pendulum_that_strikes_a_floor_moves_as_from_event_to_event():
    law = {"friction": 0.0, "restitution": 0.5}
    start = {"initial": {"q": 1.2}}
    plane = {"normal": "z", "through": [0, 0, -0.95], **law}
    alone = {"floor": {"bodies": ["ground", "bob"], "shape": "ball", "radius": 0.1, **plane}}
    alone["floor"]["point"] = [0.6, 0, -0.8]
    exact = ts.simulate(bob("revolute", alone, **start), 0.6, rate=20, rtol=1e-10)
    assert any(event.cause == "shock" for event in exact.events)
    errors = [
        np.abs(
            ts.simulate(
                bob("revolute", {"floor": {"among": "all", **plane}}, **start),
                *(0.6,),
                method="moreau",
                step=step,
                rate=20,
            )["q"]
            - exact["q"]
        ).max()
        for step in (1e-3, 2.5e-4)
    ]
    assert errors[1] < 3e-3
    assert errors[1] < 0.4 * errors[0]


def test_a_couple_on_a_joint_turns_a_wheel_past_whole_turns():
    wheel = {"type": "revolute", "bodies": ["ground", "w"], "axis": "y", "coordinate": "q"}
    sections = {"bodies": {"w": ball()}, "joints": {"J": wheel}, "contacts": FAR}
    torque = {"motor": {"type": "joint", "joint": "J", "value": 0.1}}
    run = ts.simulate(ts.load({**sections, "forces": torque}), 2.0, method="moreau", step=1e-3)
    assert run["q"][-1] == pytest.approx(0.5 * 0.1 / 0.004 * 4, rel=1e-2)  # ½ C/I t², eight turns
    assert run["q."][-1] == pytest.approx(0.1 / 0.004 * 2, rel=1e-9)


def test_a_screw_that_comes_down_on_a_floor_moves_in_its_coordinate():
    """A joint that points do not hold: it sinks with g over the inertia of its turns, and stops."""
    pitch, mass, moment = 0.5, 1.0, 0.4 * 0.1**2
    screw = {"type": "screw", "bodies": ["ground", "b"], "axis": "z", "pitch": pitch}
    screw |= {"coordinate": "s"}
    sections = {"bodies": {"b": ball(mass=mass)}, "joints": {"S": screw}, "contacts": FLOOR}
    m = ts.load({**sections, "gravity": [0, 0, -G], "points": {"c": ["b", [0, 0, 0]]}})
    turn = 2 * np.pi * 0.3 / pitch
    run = ts.simulate(m, 1.0, method="moreau", step=1e-3, rate=100, initial={"s": turn})
    z = run.point("c")[:, 2]
    lead = pitch / (2 * np.pi)
    falling = run.t < 0.1
    rate = G * mass / (mass + moment / lead**2)
    assert z[falling] == pytest.approx(0.3 - 0.5 * rate * run.t[falling] ** 2, abs=1e-6)
    assert z[-1] == pytest.approx(0.1, abs=1e-9)


def test_friction_in_a_joint_acts_beside_contacts_among_bodies():
    """A pivot that rubs slows a wheel down by C/I, and one that rests is held."""
    pivot = {"type": "revolute", "bodies": ["ground", "b"], "axis": "z", "coordinate": "q"}
    rubs = {**pivot, "friction": {"constant": "0.1 N.m"}}
    m = ts.load({"bodies": {"b": ball()}, "joints": {"P": rubs}, "contacts": FAR})
    run = ts.simulate(m, 0.5, method="moreau", step=1e-3, rate=100, initial={"q.": 10.0})
    wanted = np.maximum(10.0 - 0.1 / 0.004 * run.t, 0.0)
    assert run["q."] == pytest.approx(wanted, abs=1e-9)
