"""Starts and instants at which a motion cannot go on: the message names what is the matter."""

import numpy as np
import pytest

import torseur as ts

BOX = {"mass": 2.0, "inertia": [0.1, 0.1, 0.1]}


def slider(**more):
    joint = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}
    stop = {"limits": [-1, 0.5], "stop": {"restitution": 0.5}} if more.pop("stopped", True) else {}
    return ts.load({"bodies": {"b": BOX}, "joints": {"A": joint | stop}, **more})


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_drive_against_its_own_stop_is_named_with_the_stop_and_the_instant(coordinates):
    """x = t meets the stop at 0.5 m at 0.5 s; there is no friction to change."""
    model = slider(motions={"drive": {"coordinate": "x", "law": "t"}})
    with pytest.raises(ts.SolveError) as error:
        ts.simulate(model, 2.0, coordinates=coordinates)
    told = str(error.value)
    assert told.startswith("t = 0.5 s:")
    assert '"drive" drives against "x: upper stop"' in told
    assert "friction" not in told


def test_a_drive_that_steps_cannot_push_through_a_stop_is_told_what_holds_it_up():
    model = slider(motions={"drive": {"coordinate": "x", "law": "t"}})
    with pytest.raises(
        ts.SolveError, match=r'"drive" is open .*\n.*a contact or a stop hold it up'
    ):
        ts.simulate(model, 2.0, method="moreau")


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("stopped", [True, False])
def test_a_law_of_force_that_is_zero_over_zero_is_named_with_the_state(stopped, coordinates):
    law = {"pull": {"type": "law", "joint": "A", "value": "sin(x)/x"}}
    with pytest.raises(ts.SolveError) as error:
        ts.simulate(slider(stopped=stopped, forces=law), 1.0, coordinates=coordinates)
    told = str(error.value)
    assert 'force "pull" is infinite or undefined here' in told
    assert "= 0" in told.split("The mechanism was at")[1]
    assert "friction" not in told


def test_a_root_of_a_negative_number_ahead_is_named_beside_a_stop():
    """Pushed by more than 1 N from rest, 2 kg are at 0.2 m, where the root ends, before 0.9 s."""
    law = {"pull": {"type": "law", "joint": "A", "value": "1 + sqrt(0.2 - x)"}}
    with pytest.raises(ts.SolveError, match='force "pull" is infinite or undefined a little ahead'):
        ts.simulate(slider(forces=law), 1.0)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("depth", [0.0, 1e-6, 1e-4])
def test_a_body_inside_a_surface_that_gives_way_starts_compressed(depth, coordinates):
    """It swings about δ = m g/k as any spring: δ + (depth − δ) cos ω t, while it presses."""
    k, m, g, radius = 1e5, 2.0, 9.81, 0.1
    sunk = m * g / k
    floor = {"bodies": ["ground", "b"], "shape": "ball", "radius": radius, "stiffness": k}
    model = ts.load(
        {
            "bodies": {"b": BOX},
            "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
            "contacts": {"floor": floor},
            "gravity": [0, 0, -g],
            "initial": {"F_z": radius - depth},
        }
    )
    run = ts.simulate(model, 0.01, coordinates=coordinates)
    expected = radius - sunk - (depth - sunk) * np.cos(np.sqrt(k / m) * run.t)
    np.testing.assert_allclose(run["F_z"], expected, atol=1e-9)


def node(mass):
    """A body on a slide, between the ground and another body, by two springs of 100 N/m."""
    slide = {"type": "prismatic", "axis": "x"}
    spring = {"type": "spring", "stiffness": 100, "length": 1}
    return ts.load(
        {
            "bodies": {"n": {"mass": mass}, "b": BOX},
            "joints": {
                "A": slide | {"bodies": ["ground", "n"], "coordinate": "x"},
                "B": slide | {"bodies": ["ground", "b"], "coordinate": "y"},
            },
            "forces": {
                "s": spring | {"between": [["ground", [-1, 0, 0]], ["n", [0, 0, 0]]]},
                "t": spring | {"between": [["n", [0, 0, 0]], ["b", [1, 0, 0]]]},
            },
            "initial": {"x": 0.05, "y": 0.1},
        }
    )


@pytest.mark.parametrize("mass", [0, 1e-6])
def test_a_body_swings_on_two_springs_as_on_one_whatever_the_mass_of_the_node_between(mass):
    """1/k = 1/100 + 1/100; a node without mass stays where the springs pull alike."""
    run = ts.simulate(node(mass), 1.0)
    np.testing.assert_allclose(run["y"], 0.1 * np.cos(np.sqrt(50 / 2.0) * run.t), atol=1e-6)
    np.testing.assert_allclose(run["x"], run["y"] / 2, atol=1e-6)
