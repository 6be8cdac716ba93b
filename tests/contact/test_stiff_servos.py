"""Servos that are stiff for a step of Moreau: they act implicitly, to second order."""

import numpy as np
import pytest
from scipy.linalg import expm

import torseur as ts

TIMES = np.linspace(0, 0.1, 11)
STEPS = {"method": "moreau", "at": TIMES}
INERTIA = 1e-3


def link(mass=1.0):
    return {"mass": mass, "inertia": [INERTIA] * 3, "shape": {"sphere": {"radius": 0.01}}}


def turning(gain, damping, **servo):
    """A link turned by a servo without gravity, beside a ball that it never meets."""
    servo = {"type": "servo", "coordinate": "q", "position": 1, "gain": gain} | servo
    return ts.load({
        "name": "turning",
        "bodies": {"link": link(), "ball": link()},
        "joints": {
            "A": {"type": "pivot", "axis": "z", "bodies": ["ground", "link"], "coordinate": "q"},
            "B": {"type": "free", "bodies": ["ground", "ball"]},
        },
        "initial": {"B_z": 5},
        "actuators": {"servo": servo | {"damping": damping}},
        "contacts": {"all": {"among": "all"}},
    })  # fmt: skip


def exact(gain, damping):
    """q of INERTIA q'' = gain (1 − q) − damping q', from rest at 0."""
    A = np.array([[0, 1], [-gain / INERTIA, -damping / INERTIA]])
    return np.array([1 - (expm(A * t) @ [1, 0])[0] for t in TIMES])


@pytest.mark.parametrize(("gain", "damping"), [(500, 5), (2000, 20), (5000, 50)])
def test_a_stiff_servo_follows_its_equation_to_second_order_and_energy_closes(gain, damping):
    """Explicit steps would grow: damping · h/INERTIA is 5 and more."""
    far = []
    for step in (5e-4, 2.5e-4):
        run = ts.simulate(turning(gain, damping), step=step, **STEPS)
        assert run.energy_drift < 1e-12
        far.append(np.abs(run["q"] - exact(gain, damping)).max())
    assert far[1] < 3e-5
    assert far[0] / far[1] > 3.5


def test_a_spring_without_damping_neither_grows_nor_fades():
    run = ts.simulate(turning(1e4, 0), step=1e-3, **STEPS)
    energy = run.energy["kinetic"] + 1e4 / 2 * (1 - run["q"]) ** 2
    np.testing.assert_allclose(energy, 5000, rtol=1e-9)


def test_a_servo_at_its_limit_pushes_by_the_limit():
    run = ts.simulate(turning(5000, 50, limit=[-0.02, 0.02]), step=1e-3, **STEPS)
    np.testing.assert_allclose(run["q"], 20 * TIMES**2 / 2, atol=1e-12)


def arm(**more):
    """Two links with servos, of which the last is light, over a floor."""
    part, servo = {"type": "pivot", "axis": "y", "velocity": 3}, {"type": "servo"}
    return ts.load({
        "name": "arm",
        "gravity": [0, 0, -9.81],
        "bodies": {"upper": link(2.0) | {"centre": [0.2, 0, 0]},
                   "fore": link(0.05) | {"centre": [0.1, 0, 0], "inertia": [1e-6] * 3}},
        "joints": {
            "A": part | {"bodies": ["ground", "upper"], "coordinate": "a"},
            "B": part | {"bodies": ["upper", "fore"], "coordinate": "b",
                         "point": [[0.4, 0, 0], [0, 0, 0]]},
        },
        "actuators": {
            "one": servo | {"coordinate": "a", "position": 0.2, "gain": 900, "damping": 40},
            "two": servo | {"coordinate": "b", "position": 0.5, "gain": 300, "damping": 9},
        },
        "contacts": {"floor": {"among": "all", "normal": "z", "through": [0, 0, -2]}},
    } | more)  # fmt: skip


def test_coupled_joints_move_as_by_the_integrator_with_tolerances():
    exactly = ts.simulate(arm(contacts={}), at=TIMES, rtol=1e-11)
    far = []
    for step in (1e-3, 5e-4):
        run = ts.simulate(arm(), step=step, **STEPS)
        far.append(np.abs(run.q - exactly.q).max())
    assert far[1] < 1e-4
    assert far[0] / far[1] > 3.2


def test_rows_of_batches_and_steppers_move_as_the_run():
    m = arm()
    starts = {"a": [0.0, 0.1]}
    rows = ts.simulate(m, initial=starts, step=1e-3, **STEPS)
    alone = ts.simulate(m, initial={"a": 0.1}, step=1e-3, **STEPS)
    np.testing.assert_array_equal(rows.row(1).q, alone.q)
    stepper = ts.Stepper(m, 1e-2, method="moreau", step=1e-3, initial={"a": 0.1})
    for _ in range(10):
        stepper.step()
    np.testing.assert_allclose(stepper.q, alone.q[-1], rtol=0, atol=1e-12)
