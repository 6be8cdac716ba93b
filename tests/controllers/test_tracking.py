"""Laws that follow a task with a wrong model, as the 1980 report tried, and the terms of forces."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from test_controllers import ARM

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.cli.files.demo import ROBOT
from torseur.cli.files.examples import examples
from torseur.cli.robots.tracking import tracking as command
from torseur.controllers.tracking import mistaken, mistaken_numbers

HALF = np.pi / 2


@pytest.fixture(scope="module")
def arm():
    return ts.load(ARM)


@pytest.fixture(scope="module")
def robot():
    return ts.load(files("torseur.examples") / "robot_1980.yaml")


@pytest.fixture(scope="module")
def task():
    return ts.control.reaching({"q1": -1.0, "q2": 0.2}, {"q1": 0.5, "q2": 1.2}, 0.8)


@pytest.mark.slow
def test_the_experiment_of_1980_has_a_name_of_its_own(tmp_path):
    answer = CliRunner().invoke(examples, ["inria-control", "-o", str(tmp_path / "errors.svg")])
    page = (Path(__file__).parents[2] / "docs" / "control.md").read_text(encoding="utf-8")
    told = page[page.index("robot-1980\n") :].splitlines()
    assert answer.output.splitlines()[:6] == told[:6]
    assert (tmp_path / "errors.svg").exists()
    assert "inria-control" in CliRunner().invoke(examples, []).output


def test_the_terms_of_a_motion_add_up_to_its_inverse_dynamics(arm, task):
    found, f = ts.control.terms(arm, task, 0.8, samples=21), ts.compile(arm)
    q, v, a = (task.at(found.t, k) for k in range(3))
    assert found.total == pytest.approx(f.inverse_dynamics(q, v, a), abs=1e-12)
    assert found.gravity == pytest.approx(f.gravity(q), abs=1e-12)
    assert found.velocity == pytest.approx(f.bias(q, v), abs=1e-12)
    assert found.dynamic + found.gravity == pytest.approx(found.total, abs=1e-12)


def test_the_share_of_speeds_does_not_depend_on_the_pace_and_falls_with_the_way(robot):
    """Speeds² and accelerations are both as 1/T²; as the way squared, and as the way."""
    start = {name: 0.2 for name in robot.coordinates}
    shares = []
    for way, pace in ((1.0, 1.0), (1.0, 3.0), (0.1, 1.0)):
        goal = {name: 0.2 + way for name in start}
        task = ts.control.reaching(start, goal, pace)
        found = ts.control.terms(robot, task, pace, samples=101)
        shares.append(found.share("velocity", "dynamic")[:3])
    assert shares[0] == pytest.approx(shares[1], rel=1e-9)
    assert (shares[2] < 0.35 * shares[0]).all()


def test_predicted_forces_follow_better_than_servos_with_a_model_ten_percent_wrong(arm, task):
    found = ts.control.tracking(arm, task, 1.2, 12.0, error=0.1, seed=3)
    assert list(found.errors) == ["pd", "pd + gravity", "pd + feed_forward", "computed_torque"]
    better = found.better
    assert better["pd"] == 1.0 < better["pd + gravity"] < better["pd + feed_forward"]
    assert better["pd + feed_forward"] > 4
    assert set(found.believed) == {"m1", "m2"}
    assert "peaks of the terms" in str(found) and found.document["better"] == better


def test_what_laws_believe_need_be_no_body(arm, task):
    """A flat link: with moments a tenth off, one exceeds the sum of the two others."""
    flat = json.loads(json.dumps(ARM))
    name = next(iter(flat["bodies"]))
    flat["bodies"][name]["inertia"] = ["A", "B", "C"]
    flat["parameters"] = {**flat.get("parameters", {}), "A": 0.01, "B": 0.01, "C": 0.02}
    found = ts.control.tracking(ts.load(flat), task, 0.3, sample=5e-3)
    assert {"A", "B", "C"} <= set(found.believed)
    lines = str(found).split("\n")
    assert len({len(line) for line in lines[:5]}) == 1  # columns below each other


def test_with_the_right_model_only_the_samples_are_left(arm, task):
    """The error of a force that is held is of the first order in the sampling time."""
    left = [
        ts.control.tracking(arm, task, 1.0, 12.0, error=0.0, sample=T).rms("computed_torque")
        for T in (2e-3, 1e-3)
    ]
    assert left[0] < 1e-3 and left[0] / left[1] == pytest.approx(2.0, rel=0.05)


def test_what_is_mistaken_is_masses_and_not_lengths(robot):
    wrong = mistaken(robot, 0.1, seed=1)
    right = robot.parameters
    assert {"M6", "D3", "IZ6"} <= set(wrong) and not {"L2", "B1"} & set(wrong)
    assert {round(wrong[x] / right[x], 12) for x in wrong} == {0.9, 1.1}


def test_masses_that_are_numbers_are_mistaken_too():
    """The Puma has no parameters of masses: each number is off by a tenth, and motions follow."""
    puma = ts.load(files("torseur.examples") / "puma560.yaml")
    assert mistaken(puma, 0.1) == {}
    wrong = mistaken_numbers(puma, 0.1, seed=1)
    for name, body in puma.bodies.items():
        right, other = (
            np.array([float(evaluate(x, {})) for x in (b.mass, *b.centre, *b.inertia.flat)])
            for b in (body, wrong.bodies[name])
        )
        known = right != 0
        ratios = np.round(other[known] / right[known], 12)
        assert set(ratios.tolist()) <= {0.9, 1.1}
        np.testing.assert_array_equal(wrong.bodies[name].inertia, wrong.bodies[name].inertia.T)
    goal = {name: "0.2*t^2" for name in puma.coordinates}
    off, exact = (ts.control.tracking(puma, goal, 0.05, error=e, sample=5e-3) for e in (0.3, 0.0))
    assert off.rms("computed_torque") > 2 * exact.rms("computed_torque")


def test_the_example_is_the_robot_of_the_phrase(robot):
    phrase = ts.load(ROBOT, masses="lever")
    shared = {x: robot.parameters[x] for x in phrase.parameters if x in robot.parameters}
    shared |= {"G": -9.81}
    still = {"B1": 0.0, "B4": 0.0, "IZ6": 0.0}
    of_phrase = ts.compile(phrase, parameters=shared)
    of_example = ts.compile(robot, parameters=still)
    for q, v, a in np.random.default_rng(0).normal(size=(4, 3, 6)):
        expected = of_phrase.inverse_dynamics(q, v, a)
        assert of_example.inverse_dynamics(q, v, a) == pytest.approx(expected, abs=1e-11)


def test_a_pole_falls_at_the_rate_of_its_closed_form():
    pole = ts.load(files("torseur.examples") / "cart_pole.yaml")
    m1, m2, length = (pole.parameters[x] for x in ("m1", "m2", "l"))
    rate = np.sqrt(6 * 9.81 * (m1 + m2) / (length * (4 * m1 + m2)))
    found = ts.linearise(pole, {"x": 0, "theta": 0}, inputs=["x"])
    assert found.eigenvalues.real.max() == pytest.approx(rate, rel=1e-9)


def test_inputs_of_a_description_are_inputs_of_its_small_motions():
    described = ARM | {"inputs": ["q2"], "gravity": [0, 0, 0]}
    found = ts.linearise(ts.load(described), {"q1": 0.3, "q2": 0.2})
    assert found.inputs == ("q2",) and found.B.shape == (4, 1)


def test_the_command_tells_errors_and_terms(tmp_path, arm):
    arm.save(tmp_path / "arm.yaml")
    words = [str(tmp_path / "arm.yaml"), "--to", "q1=40 deg", "--duration", "0.5", "--json"]
    picture = tmp_path / "errors.svg"
    answer = CliRunner().invoke(command, [*words, "--plot", str(picture)])
    assert answer.exit_code == 0, answer.output
    document = json.loads(answer.stdout)
    assert set(document["better"]) == set(document["rms"]) and picture.exists()
    assert document["terms"]["coordinates"] == ["q1", "q2"]
