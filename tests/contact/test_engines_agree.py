"""Motion from event to event and time stepping: the same motion, with an error as the step."""

from importlib.resources import files

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


STEPS = (1 / 250, 1 / 500, 1 / 1000, 1 / 2000, 1 / 4000)


def slope(errors):
    """The order that a line through the logarithms of errors has."""
    return np.polyfit(np.log(STEPS), np.log(errors), 1)[0]


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


# --- order 1, where nothing is left to chance -----------------------------------------------------


def over_floor(body, initial, gravity=(0, 0, -G), **law):
    """One free body above the floor z = 0, ready to be moved by steps."""
    return ts.compile(
        ts.load(
            {
                "gravity": list(gravity),
                "bodies": {"b": {"mass": 2.0, **body}},
                "joints": {"J": {"type": "free", "bodies": ["ground", "b"]}},
                "contacts": {"floor": {"among": "all", "normal": "z", **law}},
                "initial": initial,
            }
        )
    )


def at_times(model, step, times, name="J_x"):
    return ts.simulate(model, times[-1], method="moreau", step=step, at=list(times))[name]


def test_a_box_that_slides_and_stops_errs_by_half_a_step_of_the_speed_it_lost():
    """Places follow the speeds at the end of steps: h (v₀ − v)/2 is missing, to h²."""
    box = {"shape": {"box": {"size": [0.2, 0.2, 0.1]}}}
    model = over_floor(box, {"J_z": 0.05, "J_x.": 1.0}, friction=0.3)
    times, a = (0.2, 0.5), 0.3 * G
    exact = np.array([0.2 - a * 0.2**2 / 2, 1 / (2 * a)])
    errors = np.array([exact - at_times(model, step, times) for step in STEPS])
    lost = np.array([a * 0.2, 1.0])
    for found, step in zip(errors, STEPS, strict=True):
        np.testing.assert_allclose(found, 0.5 * step * lost, atol=a * step**2)
    for k in range(2):
        assert slope(errors[:, k]) == pytest.approx(1.0, abs=0.15)


def test_a_cylinder_that_slides_then_rolls_errs_as_the_step():
    """Llibre 2009, §2.2.10. Slip ends once, within a step: that adds h² to an error of h."""
    alpha, r, m = np.radians(20), 0.15, 2.0
    across = m * (3 * r**2 + 0.2**2) / 12
    body = {"inertia": [across, m * r**2 / 2, across],
            "shape": {"capsule": {"radius": r, "length": 0.2, "axis": "y"}}}  # fmt: skip
    down = (-G * np.sin(alpha), 0, -G * np.cos(alpha))
    model = over_floor(body, {"J_z": r, "J_x.": 2.0}, down, friction=0.3)
    source, times = files("torseur.examples") / "cylinder_sliding.yaml", (0.1, 0.3, 0.5)
    joints = ts.compile(ts.load(source))
    exact = ts.simulate(joints, 0.5, at=list(times), rtol=1e-12)["x"]
    errors = np.array([np.abs(at_times(model, step, times) - exact) for step in STEPS])
    for k in range(3):
        assert slope(errors[:, k]) == pytest.approx(1.0, abs=0.15)
    for step in STEPS[
        :3
    ]:  # in the coordinates of joints places follow mean speeds: only h² is left
        assert np.abs(at_times(joints, step, times, "x") - exact).max() < step**2


def test_the_mean_error_of_rebounds_over_offsets_of_the_steps_is_of_order_one():
    """Two shocks, the same two for every step. Where in its step a shock falls is chance; over
    eight offsets of the steps the mean is that of an even chance: a part of a step times the jump.
    """
    model = over_floor({"shape": {"sphere": {"radius": RADIUS}}}, {"J_z": 0.6}, restitution=0.5)
    first, fallen = np.sqrt(2 * 0.5 / G), np.sqrt(2 * G * 0.5)
    second = first + fallen / G  # and a third one at 0.798 s

    def height(t):
        s = t - second
        return fallen / 4 * s - G * s * s / 2

    def mean_error(step):
        found = []
        for k in range(8):
            offset = (k + 0.5) / 8 * step
            end = offset + round((0.75 - offset) / step) * step
            z = at_times(model, step, (offset, end), "J_z")[-1]
            found.append(abs(z - RADIUS - height(end)))
        return np.mean(found)

    errors = np.array([mean_error(step) for step in STEPS])
    assert slope(errors) == pytest.approx(1.0, abs=0.15)
    assert (errors < 1.5 * fallen * np.array(STEPS)).all()
