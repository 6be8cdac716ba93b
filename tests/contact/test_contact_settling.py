"""What machine code does at an event is what a choice of modes would do, or it is left to that."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

import torseur as ts
from torseur.machine.compiled import compile
from torseur.machine.contact import layout as at
from torseur.simulation.contact.path import Path
from torseur.simulation.contact.settling import Settling
from torseur.simulation.control.loop import controlled
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
    model = compile(controlled(ts.load(described), ("x", "turn", "angle"), {}))
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


def settled(moving, y, in_code=False):
    """The state and the modes of a settling, and the events it noted."""
    settling, path = Settling(moving.contacts), Path(moving.contacts, np.array([0.0, 1.0]))
    settling._bounces_in_code = in_code
    after = y.copy()
    modes = settling.settle(path, 0.0, after, None)
    told = [(one.name, one.cause, one.effect, round(one.impulse, 12)) for one in path.events]
    return after, modes.kinds, told


def test_a_shock_as_machine_code_is_the_one_that_a_search_finds():
    moving, rng, shocks = formulation(), np.random.default_rng(1), 0
    for _ in range(DRAWN):
        y = random_state(moving, rng)
        code, search = settled(moving, y, in_code=True), settled(moving, y)
        assert code[1:] == search[1:]
        assert code[0] == pytest.approx(search[0], abs=1e-12)
        shocks += bool(moving.contacts.call(at.BOUNCE, y, 0.0)[-1])
    assert shocks > 5


def test_modes_that_are_told_to_stay_are_those_that_a_search_finds():
    moving, rng, stays, changes = formulation(rough=True), np.random.default_rng(2), 0, 0
    inputs = slice(len(moving.begin.y) - 3, len(moving.begin.y))
    for _ in range(DRAWN):
        y, kinds, _ = settled(moving, random_state(moving, rng))
        y[inputs] = rng.normal(size=3) * [10.0, 1.0, 1.0]
        told = moving.contacts.call(at.STAY, y, 0.0).copy()
        after, chosen, _ = settled(moving, y)
        if told[-1]:
            stays += 1
            assert chosen == kinds
            assert told[:-1] == pytest.approx(after, abs=1e-12)
        else:
            assert told[:-1] == pytest.approx(y, abs=0)
            changes += chosen != kinds
    assert stays > 10 and changes > 5
