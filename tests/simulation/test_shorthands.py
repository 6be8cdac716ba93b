"""Objects of the options of `simulate`, and the short spellings that stand for them."""

import inspect

import numpy as np
import pytest

import torseur as ts
from torseur.methods import RK4, Dop853, Euler, Moreau, Radau, Sampling, Symplectic

ARM = {
    "gravity": [0, -9.81, 0],
    "bodies": {
        name: {"mass": 1, "centre": [0.1, 0, 0], "inertia": [0.01, 0.01, 0.01]} for name in "ab"
    },
    "joints": {
        "q": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z"},
        "r": {"type": "pivot", "bodies": ["a", "b"], "axis": "z", "point": [[0.2, 0, 0], [0] * 3]},
    },
}
BALL = {
    "gravity": [0, 0, -9.81],
    "bodies": {"ball": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {
        "z": {
            "type": "slider",
            "bodies": ["ground", "ball"],
            "axis": "z",
            "limits": [-0.1, 1.0],
            "stop": {"restitution": 0},
        }
    },
}


def damp(t, q, v):
    return -0.3 * v


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ({"method": Dop853(rtol=1e-6)}, {"method": "dop853", "rtol": 1e-6}),
        ({"method": Dop853(1e-7, 1e-5)}, {"method": "dop853", "rtol": 1e-7, "atol": 1e-5}),
        ({"method": Dop853(max_step=1e-2)}, {"method": "dop853", "max_step": 1e-2}),
        ({"method": Radau(rtol=1e-6)}, {"method": "radau", "rtol": 1e-6}),
        ({"method": RK4(step=1e-3)}, {"method": "rk4", "step": 1e-3}),
        ({"method": RK4()}, {"method": "rk4"}),
        ({"method": RK4(), "step": 1e-3}, {"method": "rk4", "step": 1e-3}),
        ({"method": Euler(step=1e-4)}, {"method": "euler", "step": 1e-4}),
        ({"method": Symplectic(step=5e-3)}, {"method": "symplectic", "step": 5e-3}),
        ({"method": Symplectic(order=2, step=5e-3)}, {"method": "symplectic2", "step": 5e-3}),
        ({"method": Symplectic(order=6)}, {"method": "symplectic6"}),
        ({"sampling": Sampling(rate=50)}, {"rate": 50}),
        ({"sampling": Sampling(at=[0.1, 0.3])}, {"at": [0.1, 0.3]}),
        ({"sampling": Sampling()}, {}),
        ({"sampling": Sampling(rate=50), "rate": 50}, {"rate": 50}),
        (
            {"control": ts.control.Loop(damp, sample=0.01, delay=2e-3)},
            {"control": damp, "sample": 0.01, "delay": 2e-3},
        ),
    ],
)
def test_an_object_and_its_short_spelling_give_the_same_bits(whole, short):
    runs = [ts.simulate(ARM, 0.4, initial={"q": 0.5}, **x) for x in (whole, short)]
    assert np.array_equal(runs[0].t, runs[1].t)
    assert all(np.array_equal(runs[0][name], runs[1][name]) for name in ("q", "r", "q.", "r."))


def test_moreau_steps_of_an_object_are_those_of_the_name():
    runs = [
        ts.simulate(BALL, 0.3, rate=100, **x)
        for x in ({"method": Moreau(step=1e-3)}, {"method": "moreau", "step": 1e-3})
    ]
    assert np.array_equal(runs[0]["z"], runs[1]["z"])
    assert runs[0]["z"][-1] == pytest.approx(-0.1, abs=1e-6)  # it fell onto its stop


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": RK4(step=0.1), "step": 0.2}, "step is 0.2, but 0.1 in RK4"),
        ({"method": Dop853(), "rtol": 1e-6}, "rtol is 1e-06, but 1e-09 in Dop853"),
        ({"method": Dop853(), "step": 0.1}, "Dop853 has no step"),
        ({"method": RK4(), "max_step": 0.1}, "RK4 has no max_step"),
        ({"sampling": Sampling(rate=50), "rate": 20}, "rate is 20, but 50 in Sampling"),
        ({"sampling": Sampling(rate=50), "at": [0.1]}, "exclude each other"),
        ({"control": ts.control.Loop(damp, 0.01), "sample": 0.02}, "sample is 0.02, but 0.01"),
        ({"control": ts.control.Loop(damp, 0.01), "delay": 0.02}, "delay is 0.02, but 0.0"),
        ({"method": Dop853(rtol=2.0)}, "rtol is 2, not below 1"),
        ({"method": Dop853(rtol=-1.0)}, "rtol must be positive"),
        ({"method": Radau(max_step=-1.0)}, "max_step must be positive"),
        ({"method": Moreau(atol=-1.0)}, "atol must be positive"),
        ({"method": RK4(step=0.0)}, "step must be positive"),
        ({"method": RK4(step=1e-14)}, "more than 1e10"),
        ({"method": Symplectic(order=3)}, "order must be one of 2, 4, 6"),
    ],
)
def test_contradictions_and_impossible_settings_are_reported(options, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.simulate(ARM, 0.4, **options)


def test_batches_steppers_and_rollouts_take_the_same_objects():
    start = {"q": np.array([0.1, 0.5])}
    rows = [
        ts.simulate(ARM, 0.2, initial=start, rate=50, **x)
        for x in ({"method": RK4(step=1e-3)}, {"method": "rk4", "step": 1e-3})
    ]
    assert np.array_equal(rows[0]["q"], rows[1]["q"])
    steppers = [
        ts.Stepper(ARM, 0.01, **x).step([0.1, 0.0])
        for x in ({"method": Dop853(rtol=1e-5)}, {"method": "dop853", "rtol": 1e-5})
    ]
    assert np.array_equal(steppers[0].q, steppers[1].q)
    forces = np.ones((3, 4, 2))
    both = [
        ts.rollout(ARM, forces, 0.01, **x)
        for x in ({"method": Radau(rtol=1e-6)}, {"method": "radau", "rtol": 1e-6})
    ]
    assert np.array_equal(both[0]["q"], both[1]["q"])


def test_a_rollout_of_fixed_steps_that_lanes_do_not_move_keeps_its_step():
    """Rows that touch move one by one: the step given is also theirs."""
    forces = np.full((2, 30, 1), -1.0)
    coarse, fine = (
        ts.rollout(BALL, forces, 0.01, method=Moreau(step=step)) for step in (5e-3, 1e-4)
    )
    assert not np.array_equal(coarse["z"], fine["z"])
    t = fine.t[5]
    assert fine["z"][0, 5] == pytest.approx(-0.5 * (9.81 + 1.0) * t**2, rel=5e-3)


def test_short_spellings_are_arguments_of_the_public_function():
    known = inspect.signature(ts.simulate).parameters
    assert {"rate", "at", "rtol", "atol", "max_step", "step", "sample", "delay"} <= {*known}
    with pytest.raises(ts.ModelError, match='Did you mean "rtol"'):
        ts.simulate(ARM, 0.4, rtoll=1e-6)
