"""Curves beside an animation: what one looks for first, what says nothing last, others offered."""

import base64

import numpy as np
import pytest

import torseur as ts
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.panels import ordered
from torseur.report.viewer.embedded import document
from torseur.simulation.run.quantities import Curve

MOVES, RESTS = np.array([0.0, 1.0, 2.0]), np.full(3, 4.0)
PENDULUM = {
    "gravity": [0, -9.81, 0],
    "bodies": {"arm": {"mass": 1, "centre": [0, -0.5, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "a"}},
    "points": {"P": ["arm", [0, -1, 0]]},
    "initial": {"a": 1},
}


def panel(name, values, unit="1"):
    return (Curve(name, unit, values),)


def test_drives_and_reactions_come_first_quaternions_and_constants_last():
    panels = {
        "coordinates 1": panel("q_w", MOVES),
        "coordinates m": panel("x", MOVES),
        "speeds m/s": panel("x.", RESTS),
        "energies": panel("kinetic", MOVES),
        "reactions": panel("O", MOVES),
        "drives N·m": panel("motor", MOVES),
    }
    kinds = [kind.split(" ")[0] for kind in ordered(panels)]
    assert kinds == ["drives", "reactions", "coordinates", "energies", "coordinates", "speeds"]
    assert list(ordered(panels))[-2:] == ["coordinates 1", "speeds m/s"]


def test_forces_that_stay_constant_come_before_quaternions_and_zeros_last():
    panels = {"coordinates 1": panel("q_w", MOVES), "reactions": panel("O", RESTS, "N")}
    assert list(ordered(panels)) == ["reactions", "coordinates 1"]
    panels["reactions"] = panel("O", 0 * RESTS, "N")
    assert list(ordered(panels)) == ["coordinates 1", "reactions"]


def test_what_is_zero_but_for_rounding_is_zero():
    noise = 1e-14 * MOVES
    panels = {"reactions": panel("plane", noise, "N"), "pressing N": panel("floor", RESTS, "N")}
    (found,) = ordered(panels)["reactions"]
    assert not found.values.any()
    alone = {"speeds m/s": panel("x.", noise, "m/s")}
    assert ordered(alone)["speeds m/s"][0].values[-1] == noise[-1]


def test_what_stays_constant_is_last_in_its_panel():
    both = (Curve("still", "m", RESTS), Curve("moves", "m", MOVES))
    (found,) = ordered({"coordinates m": both}).values()
    assert [curve.name for curve in found] == ["moves", "still"]


@pytest.fixture(scope="module")
def run():
    return ts.simulate(ts.load(PENDULUM), 0.5, rate=40)


def test_a_page_offers_every_other_quantity_of_a_run(run):
    offered = {curve["name"]: curve for curve in document(movement(run))["offered"]}
    assert {"a..", "P.x", "P.velocity.y", "P.acceleration.x", "O.force.x", "O.force.y"} <= {
        *offered
    }
    assert "O.couple.x" not in offered  # it is zero
    curve = offered["O.force.y"]
    steps = np.frombuffer(base64.b64decode(curve["values"]), dtype="<i2")
    found = curve["middle"] + curve["step"] * steps
    given = run.reaction("O")[:, 1]
    assert np.abs(found - given).max() <= np.ptp(given) / 65534  # half of a step, and rounding


def test_a_drive_is_among_the_first_curves():
    driven = ts.load(PENDULUM | {"motions": {"motor": {"coordinate": "a", "law": "1 + 0.5*t^2"}}})
    first = next(iter(movement(ts.simulate(driven, 0.2, rate=40)).curves))
    assert first == "drives N·m"
