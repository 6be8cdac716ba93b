"""Laws command actuators and parameters by name: motions, ranges, limits, files, errors."""

import numpy as np
import pytest

import torseur as ts
from torseur.model.commands import command_range

SERVO = {"type": "servo", "coordinate": "x", "position": 0.1, "gain": 50, "damping": 4}
SLIDE = {
    "parameters": {"r": 0.3, "hip_2": 0.1, "m": 2},
    "bodies": {"b": {"mass": "m", "inertia": [1, 1, 1]}},
    "joints": {"x": {"type": "slider", "bodies": ["ground", "b"], "axis": "x", "limits": [-1, 1]}},
}
AT = np.linspace(0, 1, 11)


def servo(**entries):
    """A slide with a servo, called drive."""
    return ts.load(SLIDE | {"actuators": {"drive": SERVO | entries}})


def step(t):
    """2 x'' = 50 (1 − x) − 4 x', from rest."""
    w = np.sqrt(24)
    return 1 - np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w)


WAYS = [{}, {"coordinates": "absolute"}, {"method": "radau"}, {"method": "rk4", "step": 1e-3},
        {"method": "symplectic", "step": 1e-3}]  # fmt: skip


@pytest.mark.parametrize("options", WAYS)
def test_a_law_gives_a_servo_its_position(options):
    run = ts.simulate(servo(), at=AT, control=lambda t, q, v: {"drive": 0.3}, sample=0.1, **options)
    np.testing.assert_allclose(run["x"], 0.3 * step(AT), atol=1e-10)
    np.testing.assert_array_equal(run.input("drive"), 0.3)
    assert run.inputs.shape == (11, 1) and run.energy_drift < 1e-9


def test_text_laws_batches_rollouts_and_steppers_command_actuators():
    model = servo()
    text = ts.simulate(model, at=AT, control={"drive": "0.3 + 0*x"}, sample=0.1)
    rows = ts.simulate(
        model, at=AT, control={"drive": "r"}, sample=0.1, parameters={"r": np.array([0.3, -0.2])}
    )
    rolled = ts.rollout(model, {"drive": np.full((2, 10), 0.3)}, 0.1)
    stepper = ts.Stepper(model, 0.1)
    assert stepper.actuators == ("drive",)
    for _ in range(10):
        stepper.step({"drive": 0.3})
    np.testing.assert_allclose(text["x"], 0.3 * step(AT), atol=1e-10)
    np.testing.assert_allclose(rows["x"], np.outer([0.3, -0.2], step(AT)), atol=1e-10)
    np.testing.assert_allclose(rolled["x"][1], 0.3 * step(AT), atol=1e-8)
    np.testing.assert_allclose(stepper["x"], 0.3 * step(1.0), atol=1e-8)


def test_until_a_command_acts_an_actuator_has_that_of_the_description():
    model = servo()
    late = ts.simulate(model, at=AT, control=lambda t, q, v: [0.3], sample=0.1, delay=0.05)
    np.testing.assert_allclose(late.inputs[:2, 0], [0.1, 0.3])
    early = 0.1 * step(0.05)
    assert ts.simulate(model, at=[0.05])["x"][0] == pytest.approx(early, rel=1e-7)
    assert late(0.05)["x"] == pytest.approx(early, rel=1e-7)
    unnamed = ts.simulate(model, at=AT, control=lambda t, q, v: {}, sample=0.1)
    np.testing.assert_allclose(unnamed["x"], 0.1 * step(AT), atol=1e-10)
    stepper = ts.Stepper(model, 1.0).step()
    np.testing.assert_allclose(stepper["x"], 0.1 * step(1.0), atol=1e-8)


def test_a_parameter_called_as_the_actuator_is_its_command_within_its_range():
    """As of MJCF: the position is the clipped command over the gear."""
    model = ts.load(
        SLIDE | {"actuators": {"hip": SERVO | {"position": "clip(hip_2, -0.2, 0.25)/2"}}}
    )
    run = ts.simulate(model, at=AT, control=lambda t, q, v: {"hip": 0.5}, sample=0.1)
    np.testing.assert_allclose(run["x"], 0.125 * step(AT), atol=1e-10)
    np.testing.assert_array_equal(run.input("hip"), run.input("hip_2"))
    mechanism = ts.Stepper(model).model.mechanism
    assert command_range(mechanism, "hip_2", {}) == (-0.2, 0.25)
    assert ts.robots.servo_commands(model, {"x": 0.05}) == pytest.approx({"hip_2": 0.1})
    with pytest.raises(ts.ModelError, match="outside its range"):
        ts.robots.servo_commands(model, {"x": 0.5})


def test_ranges_of_commands_are_those_of_limits():
    motor = {"type": "motor", "coordinate": "x", "force": 0, "limit": ["-2 N", "3 N"]}
    model = ts.load(SLIDE | {"actuators": {"drive": motor}})
    assert command_range(ts.Stepper(model).model.mechanism, "drive", {}) == (-2, 3)
    assert command_range(ts.Stepper(servo()).model.mechanism, "drive", {}) == (-1, 1)
    free = {"type": "velocity servo", "coordinate": "x", "velocity": 0, "gain": 8}
    model = ts.load(SLIDE | {"actuators": {"drive": free}})
    assert command_range(ts.Stepper(model).model.mechanism, "drive", {}) == (-np.inf, np.inf)


def test_a_law_commands_a_parameter_of_a_force_beside_a_force():
    push = {"push": {"type": "joint", "joint": "x", "value": "r"}}
    loop = ts.control.Loop(lambda t, q, v: {"r": 1.0, "x.": 3.0}, 0.1, actuators=["r", "x"])
    run = ts.simulate(ts.load(SLIDE | {"forces": push}), at=AT, control=loop)
    np.testing.assert_allclose(run["x"], AT**2, rtol=1e-9)


def test_a_run_with_commands_is_kept_in_a_file(tmp_path):
    run = ts.simulate(servo(), at=AT, control=lambda t, q, v: {"drive": np.cos(t)}, sample=0.1)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_allclose(again.a, run.a, atol=1e-12)
    np.testing.assert_array_equal(again.input("drive"), run.input("drive"))
    rows = ts.rollout(servo(), np.full((2, 10, 1), 0.3), 0.1)
    rows.save(tmp_path / "rows.nc")
    np.testing.assert_allclose(ts.load_runs(tmp_path / "rows.nc").a, rows.a, atol=1e-12)


def test_inputs_of_a_description_are_actuators_too():
    model = ts.load(SLIDE | {"actuators": {"drive": SERVO}, "inputs": ["drive"]})
    assert model.inputs == ("drive",)
    assert ts.load(model.yaml()).inputs == ("drive",)
    run = ts.simulate(model, at=AT, control=lambda t, q, v: [0.3], sample=0.1)
    np.testing.assert_allclose(run["x"], 0.3 * step(AT), atol=1e-10)
    assert ts.load(run.model.mechanism.yaml()) == model


def test_what_is_derived_of_a_model_that_ran_is_the_description():
    run = ts.simulate(servo(), at=AT, control=lambda t, q, v: [0.3], sample=0.1)
    assert str(ts.derive(run.model)) == str(ts.derive(servo()))


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ({"m": "1"}, '"m" cannot be commanded: "bodies" depends on it'),
        ({"r": "1"}, '"r" cannot be commanded: no force has it'),
        ({"drives": "1"}, 'actuator "drives" does not exist'),
    ],
)
def test_wrong_commands_are_refused(command, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.simulate(servo(), 0.1, control=command, sample=0.1)
    spring = {"s": {"type": "torsion spring", "joint": "q", "stiffness": "r"}}
    model = ts.load(WHEEL | {"forces": spring, "parameters": {"r": 3}})
    with pytest.raises(ts.ModelError, match='"r" cannot be commanded: "s" depends on it'):
        ts.simulate(model, 0.1, control={"r": "1"}, sample=0.1)


# --- limits that are passed ---------------------------------------------------------------------

WHEEL = {
    "bodies": {"b": {"mass": 2, "inertia": [1, 1, 0.5]}},
    "joints": {
        "q": {
            "type": "pivot",
            "bodies": ["ground", "b"],
            "axis": "z",
            "effort": 5,
            "limits": [-1, 1],
        }
    },
}
HUNDRED = {"q": "100"}
MOTOR = {"actuators": {"drive": {"type": "motor", "coordinate": "q", "force": 0}}}


def clipping(model):
    """The model with efforts that clip."""
    return model | {"joints": {"q": model["joints"]["q"] | {"clip": True}}}


def test_batches_and_rollouts_report_rows_that_pass_limits():
    model = ts.load(WHEEL)
    rows = ts.simulate(
        model, 0.2, control=HUNDRED, sample=0.01, initial={"q": np.array([0.0, 0.1])}
    )
    rolled = ts.rollout(model, np.array([[[0.0]] * 20, [[100.0]] * 20]), 0.01)
    for runs, count in ((rows, "2 of 2"), (rolled, "1 of 2")):
        assert any(count in x for x in runs.notices)
        assert any("its command is above the effort 5 N·m" in x for x in runs.notices)
    assert not rolled.row(0).notices
    assert any("above its limit" in x for x in rolled.row(1).notices)
    stepper = ts.Stepper(model, 0.01).step(100.0)
    assert any("above the effort" in x for x in stepper.current.notices)


def test_efforts_clip_the_commands_of_rollouts_and_the_forces_of_actuators():
    """5 N·m on 0.5 kg·m² for 0.2 s."""
    rolled = ts.rollout(ts.load(clipping(WHEEL)), np.full((2, 20, 1), 100.0), 0.01)
    np.testing.assert_allclose(rolled["q."][:, -1], 2.0, rtol=1e-9)
    run = ts.simulate(ts.load(clipping(WHEEL) | MOTOR), 0.2, control={"drive": "100"}, sample=0.01)
    np.testing.assert_allclose(run["q."][-1], 2.0, rtol=1e-9)
    assert not any("effort" in x for x in run.notices)


def test_an_actuator_above_the_effort_of_its_joint_is_reported():
    run = ts.simulate(ts.load(WHEEL | MOTOR), 0.1, control={"drive": "100"}, sample=0.01)
    assert any('actuator "drive": its force is above the effort 5 N·m' in x for x in run.notices)
