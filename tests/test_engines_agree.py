"""Motion from event to event and time stepping: the same motion, with an error as the step."""

import numpy as np
import pytest

import torseur as ts

G, RADIUS = 9.81, 0.1


def ball(floor, restitution, initial):
    laws = {"normal": "z", "friction": 0.3, "restitution": restitution}
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"ball": {"mass": 1.0, "shape": {"sphere": {"radius": RADIUS}}}},
            "joints": {"J": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {"floor": floor | laws},
            "initial": initial,
        }
    )


def places(seconds, restitution, initial, step=None):
    """Where the centre is: by steps, or from event to event."""
    touch = {"bodies": ["ground", "ball"], "shape": "ball", "radius": RADIUS}
    floor = touch if step is None else {"among": "all"}
    way = {"rtol": 1e-12} if step is None else {"method": "moreau", "step": step}
    run = ts.simulate(ball(floor, restitution, initial), seconds, rate=50, **way)
    return np.column_stack([run[f"J_{axis}"] for axis in "xyz"])


def orders(steps, errors):
    return np.diff(np.log(errors)) / np.diff(np.log(steps))


@pytest.mark.parametrize(
    ("seconds", "initial"),
    [
        (0.5, {"J_z": RADIUS, "J_x.": 2.0, "J_y.": 0.5}),
        (1.0, {"J_z": RADIUS, "J_x.": 2.0, "J_wy": 5.0}),
    ],
    ids=["slides", "slides, then rolls"],
)
def test_the_error_of_time_stepping_falls_as_the_step(seconds, initial):
    steps = [1 / 250, 1 / 500, 1 / 1000, 1 / 2000, 1 / 4000]
    exact = places(seconds, 0.0, initial)
    errors = [np.abs(places(seconds, 0.0, initial, step) - exact).max() for step in steps]
    assert orders(steps, errors) == pytest.approx(1.0, abs=0.02)
    assert errors[-1] < 1e-4


def test_a_rebound_is_late_by_a_step_at_most():
    """Its error is less than a step times the speeds around it; how much less is chance."""
    initial = {"J_z": 0.6, "J_x.": 1.0, "J_wy": 20.0}
    exact = places(0.7, 0.5, initial)
    fallen = np.sqrt(2 * G * 0.5)
    for step in (1 / 250, 1 / 730, 1 / 1000, 1 / 4000):
        error = np.abs(places(0.7, 0.5, initial, step) - exact).max()
        assert error < 1.5 * fallen * step


def test_a_ball_that_rolls_has_five_sevenths_of_its_speed_in_both():
    exact, stepped = (places(1.5, 0.0, {"J_z": RADIUS, "J_x.": 2.0}, h) for h in (None, 1e-3))
    for found, within in ((exact, 1e-9), (stepped, 1e-6)):
        speed = (found[-1, 0] - found[-11, 0]) / 0.2
        assert speed == pytest.approx(2.0 * 5 / 7, rel=within)
