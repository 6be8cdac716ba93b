"""Steps by hand: forces held from step to step, steps of any length, and steps that fail."""

import copy
import pickle

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError
from torseur.machine.integrators.motion_memory import MotionMemory

SLED = {
    "bodies": {"sled": {"mass": 2}},
    "joints": {
        "rail": {"type": "prismatic", "bodies": ["ground", "sled"], "axis": "x", "coordinate": "x"}
    },
    "initial": {"x": 0.3},
}
BALL = {
    "gravity": [0, -9.81, 0],
    "bodies": {"ball": {"mass": 0.1}},
    "joints": {
        "fall": {"type": "prismatic", "bodies": ["ground", "ball"], "axis": "y", "coordinate": "y"}
    },
    "contacts": {"floor": {"bodies": ["ground", "ball"], "normal": "y"}},
    "events": {"half": {"zero": "y - 0.5", "stop": True}},
    "initial": {"y": 1.0},
}
RNG = np.random.default_rng(5)


def pushed(stepper, forces, durations):
    """The state after steps of given lengths, each with its own forces."""
    for force, duration in zip(forces, durations, strict=True):
        stepper.step(force, duration)
    return stepper


# --- the motion -----------------------------------------------------------------------------------


@pytest.mark.parametrize("durations", [
    np.full(50, 0.01),
    np.tile([1e-9, 0.1, 1e-4, 2.0, 1e-6], 10),
    RNG.uniform(1e-4, 0.5, 50),
], ids=["equal", "from nanoseconds to seconds", "any"])  # fmt: skip
def test_constant_forces_give_parabolas_whatever_the_lengths_of_the_steps(durations):
    forces = RNG.uniform(-3, 3, len(durations))
    x, v, t = 0.3, 0.0, 0.0
    for a, h in zip(forces / 2, durations, strict=True):
        x, v, t = x + v * h + a * h**2 / 2, v + a * h, t + h
    stepper = pushed(ts.Stepper(SLED), forces[:, np.newaxis], durations)
    assert (stepper["x"], stepper["x."]) == (pytest.approx(x), pytest.approx(v))
    assert stepper.t == pytest.approx(t, abs=1e-12)


@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_an_arm_goes_where_a_run_under_the_same_forces_goes(rtol):
    forces, sample = 5 * RNG.normal(size=(200, 2)), 0.01

    def law(t, q, v):
        return forces[min(round(t / sample), len(forces) - 1)]

    run = ts.simulate("double_pendulum", 2.0, control=law, sample=sample, rtol=1e-12)
    stepper = pushed(ts.Stepper("double_pendulum", sample, rtol=rtol), forces, [None] * 200)
    wanted = [run[name][-1] for name in stepper.model.coordinates]
    np.testing.assert_allclose(stepper.q, wanted, atol=1e3 * rtol)


def test_a_step_in_parts_ends_where_the_whole_one_does():
    forces = 5 * RNG.normal(size=(60, 2))
    whole = pushed(ts.Stepper("double_pendulum"), forces, np.full(60, 0.02))
    parts = pushed(
        ts.Stepper("double_pendulum"),
        np.repeat(forces, 3, axis=0),
        np.tile([1e-5, 0.019, 99e-5], 60),
    )
    np.testing.assert_allclose(parts.y, whole.y, atol=1e-6)


def test_events_that_end_runs_do_not_end_steps():
    """Nobody asked for them: the ball falls on, past the height where a run would stop."""
    stepper = ts.Stepper(BALL, 0.4).step()
    assert stepper["y"] == pytest.approx(1 - 9.81 * 0.4**2 / 2)


# --- what is saved --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "rk4", "radau"])
@pytest.mark.parametrize("name", ["double_pendulum", "stanford_arm", "slider_crank"])
def test_a_saved_stepper_goes_on_bit_by_bit(name, method):
    model = ts.compile(ts.load(name))
    count = len(ts.Stepper(model).actuators)
    forces, durations = RNG.normal(size=(60, count)), RNG.choice([1e-5, 1e-3, 0.02], 60)
    here = pushed(ts.Stepper(model, method=method), forces[:30], durations[:30])
    saved = pickle.dumps(here)
    there = [pickle.loads(saved), copy.deepcopy(here)]
    pushed(here, forces[30:], durations[30:])
    for one in there:
        pushed(one, forces[30:], durations[30:])
        np.testing.assert_array_equal(one.y, here.y)
        assert one.t == here.t
    again = pushed(there[0].reset(), forces, durations)
    np.testing.assert_array_equal(again.y, here.y)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(("forces", "duration", "message"), [
    ([1.0, 2.0], None, "2 forces are given, 1 expected"),
    ([[1.0]], None, "1 forces are given, 1 expected"),
    ([np.nan], None, "not finite"),
    (np.inf, None, "not finite"),
    ([-np.inf], None, "not finite"),
    ("x", None, "not numbers"),
    (1.0, 0.0, "must be positive, got 0"),
    (1.0, -1e-3, "must be positive, got -0.001"),
    (1.0, np.nan, "must be positive, got nan"),
    (1.0, np.inf, "must be positive, got inf"),
])  # fmt: skip
def test_wrong_forces_and_durations_are_refused_and_nothing_moves(forces, duration, message):
    stepper = ts.Stepper(SLED).step(1.0)
    before, t = stepper.q, stepper.t
    with pytest.raises(ModelError, match=message):
        stepper.step(forces, duration)
    np.testing.assert_array_equal(stepper.q, before)
    assert stepper.t == t


@pytest.mark.parametrize("model", [SLED, BALL], ids=["joint", "contact"])
def test_an_interrupted_step_is_raised_and_leaves_the_state(model, monkeypatch):
    stepper, advance = ts.Stepper(model, 0.01).step(), MotionMemory.advance

    def interrupted(memory, budget):
        advance(memory, budget)
        raise KeyboardInterrupt  # as from the keyboard, also where signals are ignored

    before, t = stepper.y, stepper.t
    with monkeypatch.context() as patch:
        patch.setattr(MotionMemory, "advance", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stepper.step()
    np.testing.assert_array_equal(stepper.y, before)
    assert stepper.t == t
    other = ts.Stepper(model, 0.01).step().step()
    np.testing.assert_allclose(stepper.step().q, other.q, rtol=1e-9)


def test_a_stepper_that_touches_starts_again_as_a_new_one():
    """Tables of contacts are used again; steps before a reset leave nothing in them."""
    known = ts.Stepper(ts.load("rocking_block"), 0.02)
    speed = known.model.speeds[-1]
    for _ in range(30):
        known.step()
    for given in ({}, {speed: 0.4}):
        known.reset(given)
        new = ts.Stepper(ts.load("rocking_block"), 0.02).reset(given)
        for _ in range(30):
            np.testing.assert_array_equal(known.step().y, new.step().y)


PUSHED = {
    "gravity": [0, 0, -9.81],
    "bodies": {
        "block": {"mass": 1, "collision": [{"shape": {"box": {"size": [0.2, 0.2, 0.2]}}}]},
        "ball": {"mass": 0.5, "shape": {"sphere": {"radius": 0.1}}},
    },
    "joints": {
        "S": {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x", "coordinate": "s",
              "point": [[0, 0, 0.1], [0, 0, 0]]},
        "F": {"type": "free", "bodies": ["ground", "ball"]},
    },
    "contacts": {"floor": {"among": ["ball"], "normal": "z", "friction": 0.4},
                 "pair": {"among": ["block", "ball"], "friction": 0.2}},
    "initial": {"F_z": 0.1, "F_x": 0.25},
}  # fmt: skip


@pytest.mark.parametrize("mechanism", ["rocking_block", PUSHED], ids=["contacts", "among bodies"])
def test_steps_of_moreau_are_those_of_a_run_under_the_same_forces(mechanism):
    model = ts.load(mechanism)

    def law(t, q, v):
        return 0.5 * np.cos(3 * t) * np.ones(len(v)) - 0.1 * v

    steps = {"method": "moreau", "step": 1e-3}
    run = ts.simulate(model, 0.5, control=law, sample=0.01, rate=100, **steps)
    moving = ts.Stepper(model, 0.01, **steps)
    for _ in range(2):  # the second time from a reset
        for _ in range(50):
            moving.step(law(moving.t, moving.q, moving.v))
        # the instants of a stepper are sums, those of a run multiples: equal but for rounding
        np.testing.assert_allclose(moving.q, run.q[-1], rtol=0, atol=1e-13)
        np.testing.assert_allclose(moving.v, run.v[-1], rtol=0, atol=1e-12)
        moving.reset()


def test_methods_that_a_stepper_does_not_have_are_refused_by_name():
    with pytest.raises(ModelError, match='"symplectic" is not available'):
        ts.Stepper("double_pendulum", method="symplectic")
    with pytest.raises(ModelError, match="nothing touches"):
        ts.Stepper("double_pendulum", method="moreau")
