"""Events that machine code settles, judged by an oracle that shares no code with it."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from random_contacts import random_scene
from settled_oracle import Judge, judged

import torseur as ts
from torseur.machine.compiled import compile
from torseur.machine.contact import tables
from torseur.simulation.control.loop import with_commands
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.joint_start import joint_start
from torseur.simulation.formulations.request import Beginning

PUSHED = {
    "gravity": [0, -9.81, 0],
    "bodies": {"box": {"mass": 2, "inertia": [1, 1, 1]}, "arm": {"mass": 1, "inertia": [1, 1, 1]}},
    "joints": {
        "plane": {
            "type": "planar",
            "bodies": ["ground", "box"],
            "normal": "z",
            "coordinates": ["x", "y", "turn"],
        },
        "pivot": {
            "type": "revolute",
            "bodies": ["box", "arm"],
            "axis": "z",
            "coordinate": "angle",
        },
    },
    "contacts": {
        name: {
            "bodies": ["ground", "box"],
            "point": [x, -0.1, 0],
            "normal": "y",
            "friction": 0.5,
            "restitution": 0.6,
        }
        for name, x in (("left", -0.1), ("right", 0.1))
    },
    "initial": {"y": 0.1},
}
DRAWN = 60


@cache
def formulation(rough=False):
    described = deepcopy(PUSHED)
    if rough:
        described["joints"]["pivot"]["friction"] = {"coefficient": 0.2, "radius": 0.1}
    model = compile(with_commands(ts.load(described), ("x", "turn", "angle"), {}))
    return ContactFormulation(joint_start(model, Beginning({}, 0.0)))


def random_state(moving, rng):
    """On the floor, on one corner or above it; at rest, sliding, or falling."""
    names, y = [*moving.contacts.model.coordinates, *moving.contacts.model.speeds], moving.start
    y = y.copy()
    given = dict(zip(names, y, strict=False))
    tilt = rng.choice([0.0, 1.0]) * rng.uniform(-0.5, 0.5)
    given["turn"], given["angle"] = tilt, rng.uniform(-1, 1)
    given["y"] = 0.1 * (np.cos(tilt) + abs(np.sin(tilt))) + rng.choice([0.0, 0.0, 0.0, 0.3])
    for speed, size in (("x.", 1.0), ("angle.", 1.0)):
        given[speed] = rng.choice([0.0, size]) * rng.normal()
    given["y."] = rng.choice([0.0, -1.0])
    y[: len(names)] = [given[name] for name in names]
    return y


def test_shocks_and_modes_are_those_that_agree():
    moving, rng, judge = formulation(), np.random.default_rng(1), Judge()
    for _ in range(DRAWN):
        judge.settle(moving.contacts, 0.0, random_state(moving, rng))
    assert judge.wrong == []
    assert (judge.served, judge.left) == (DRAWN, 0)
    assert judge.enumerated > 40


def test_modes_after_an_act_obey_the_laws():
    moving, rng, judge = formulation(rough=True), np.random.default_rng(2), Judge()
    inputs = slice(len(moving.begin.y) - 3, len(moving.begin.y))
    for _ in range(DRAWN):
        y = random_state(moving, rng)
        judge.settle(moving.contacts, 0.0, y)
        y[inputs] = rng.normal(size=3) * [10.0, 1.0, 1.0]
        judge.settle(moving.contacts, 0.0, y)
    assert judge.wrong == []
    assert (judge.served, judge.left) == (2 * DRAWN, 0)


@pytest.mark.parametrize("seed", [3, 21, 23, 27, 43, 50])
def test_events_of_runs_obey_the_laws(seed, monkeypatch):
    judge, scene = judged(monkeypatch), random_scene(seed)
    ts.simulate(ts.load(scene.described), scene.duration, rate=20 / scene.duration)
    assert judge.wrong == []
    assert judge.left == 0
    assert judge.served > 1


@pytest.mark.parametrize("seed", [1, 2, 135, 211, 363])
def test_where_no_motion_is_reported_the_enumeration_of_modes_has_none(seed, monkeypatch):
    judge, scene = judged(monkeypatch), random_scene(seed)
    with pytest.raises(ts.SolveError, match="Painlevé"):
        ts.simulate(ts.load(scene.described), scene.duration, rate=20 / scene.duration)
    assert judge.wrong == []
    assert (judge.left, judge.enumerated) == (1, 1)


def landing(impacts, law):
    """A box with an arm that falls on its corners, one first."""
    described = deepcopy(PUSHED) | {"impacts": impacts}
    for contact in described["contacts"].values():
        contact["restitution"] = {law: 0.6}
    described["initial"] = {"y": 0.4, "turn": 0.2, "x.": 0.3}
    return ts.load(described)


def test_impulses_in_turn_and_by_poisson_obey_their_laws(monkeypatch):
    judge = judged(monkeypatch)
    for impacts in ("sequential", "simultaneous"):
        for law in ("newton", "poisson"):
            ts.simulate(landing(impacts, law), 1.0, rate=20)
    assert judge.wrong == []
    assert judge.served > 20
    assert judge.enumerated > 5


def test_notes_of_many_shocks_in_one_instant_find_room(monkeypatch):
    """A ball between two walls whose gaps close: the table of notes grows, and nothing is lost."""
    usual = ts.simulate(landing("sequential", "newton"), 1.0, rate=20)
    monkeypatch.setattr(tables, "LINES", 1)
    model = compile(landing("sequential", "newton"))
    cramped = ts.simulate(model, 1.0, rate=20)
    told = [
        [(e.name, e.t, e.cause, e.effect, e.impulse) for e in x.events] for x in (usual, cramped)
    ]
    assert told[0] == told[1]
    assert len(told[0]) > 5
    np.testing.assert_array_equal(cramped.q, usual.q)
