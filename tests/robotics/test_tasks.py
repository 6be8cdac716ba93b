"""What tasks need: forces, powers, reactions, motors, verdicts; powers balance and agree."""

import json
import pickle

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.cli.commands import commands

PUMA = ts.load("src/torseur/examples/puma560.yaml")
FOUR_BAR = ts.load("src/torseur/examples/four_bar.yaml")
DISC = {
    "name": "disc",
    "bodies": {"b": {"mass": 1, "inertia": [0.2, 0.2, 0.3]}},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z", "coordinate": "q",
              "limits": [-0.1, 0.9]},
    },
}  # fmt: skip
TURN = {f"q{k}": [0, 0.5, 0.2] for k in range(1, 7)}


@pytest.fixture(scope="module")
def puma_task():
    return ts.robots.inverse(PUMA, ts.robots.quintic(TURN, [0, 1, 2]))


# --- forces -------------------------------------------------------------------------------------


def test_the_forces_of_a_task_are_those_of_inverse_dynamics(puma_task):
    path = puma_task.trajectory
    found = ts.compile(PUMA).inverse_dynamics(path.q(), path.v(), path.a())
    np.testing.assert_allclose(puma_task.efforts, found, rtol=1e-12)
    np.testing.assert_array_equal(puma_task["q2"], puma_task.efforts[:, 1])


def test_a_file_whose_columns_are_in_another_order_says_the_same(puma_task, tmp_path):
    names = ["q3", "q1", "q2", "q6", "q5", "q4"]
    path = ts.robots.quintic({name: TURN[name] for name in names}, [0, 1, 2])
    found = ts.robots.inverse(PUMA, path.save(tmp_path / "task.csv"))
    assert found.actuators == tuple(names)
    np.testing.assert_allclose(found["q2"], puma_task["q2"], rtol=1e-9)


def test_the_work_of_forces_and_friction_is_what_the_energy_gains(puma_task):
    f, task = ts.compile(PUMA), ts.robots.inverse(PUMA, puma_task.trajectory, rate=4000)
    energy = f.kinetic_energy(task.q, task.v) + f.potential_energy(task.q)
    lost = np.trapezoid((f.applied(task.q, task.v) * task.v).sum(axis=1), task.t)
    gained = energy[-1] - energy[0]
    # squares of steps of 1/4000 s, and friction that jumps where joints turn back
    assert task.work.sum() + lost == pytest.approx(gained, abs=1e-5 * abs(task.work).sum())


def test_a_joint_carries_what_its_body_needs():
    """The last body of the Puma alone: force m (γ − g) in its joint."""
    path = ts.robots.quintic(TURN, [0, 1, 2])
    task = ts.robots.inverse(PUMA, path, rate=50)
    f, h = ts.compile(PUMA), 1e-4
    t = task.t[10]
    centre = np.array([
        f.pose("link6", path.q(t + s))[:3, :] @ [0, 0, 0.032, 1] for s in (-h, 0, h)
    ])  # fmt: skip
    acceleration = (centre[0] - 2 * centre[1] + centre[2]) / h**2
    expected = 0.09 * (acceleration - np.array([0, 0, -9.81]))
    np.testing.assert_allclose(task.reaction("J6")[10, :3], expected, atol=1e-6)


def test_a_linkage_needs_the_couple_that_its_energy_says():
    path = ts.robots.quintic({"alpha": [1.0, 2.0]}, [0, 1])
    task = ts.robots.inverse(FOUR_BAR, path, guess=ts.assemble(FOUR_BAR).coordinates, rate=300)
    f = ts.compile(FOUR_BAR)
    energy = f.kinetic_energy(task.q, task.v) + f.potential_energy(task.q)
    rate = np.gradient(energy, task.t, edge_order=2)
    np.testing.assert_allclose(task.powers[5:-5, 0], rate[5:-5], atol=2e-4 * abs(rate).max())  # h²
    assert abs(f.closure_gap(task.q)).max() < 1e-10
    again = f.inverse_dynamics(task.q, task.v, task.a, actuators=["alpha"])
    np.testing.assert_allclose(np.asarray(again).reshape(-1), task["alpha"], rtol=1e-7, atol=1e-9)


def test_a_driven_linkage_agrees_with_a_run_of_the_same_motion():
    law = "1 + 0.3*sin(2*t)"
    form = json.loads(json.dumps(_plain(FOUR_BAR)))
    form["motions"] = {"drive": {"coordinate": "alpha", "law": law}}
    run = ts.simulate(form, 1.0, rate=50, initial={"alpha": 1.0})
    t = np.linspace(0, 1, 201)
    path = ts.robots.spline({"alpha": 1 + 0.3 * np.sin(2 * t)}, t, at_rest=False)
    guess = dict(zip(run.model.coordinates, run.q[0], strict=True))
    task = ts.robots.inverse(FOUR_BAR, path, guess=guess)
    inner = slice(40, 160)  # the spline has no acceleration at its ends
    drive = np.interp(t, run.t, run.drive("drive"))
    np.testing.assert_allclose(task["alpha"][inner], drive[inner], atol=2e-3 * abs(drive).max())
    joint = next(iter(FOUR_BAR.joints))
    passing = np.array([np.interp(t, run.t, x) for x in run.reaction(joint).T]).T
    np.testing.assert_allclose(
        task.reaction(joint)[inner], passing[inner], atol=3e-3 * abs(passing).max()
    )


def _plain(mechanism):
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(mechanism.yaml())


def test_the_file_of_a_run_is_a_motion(tmp_path):
    """A linkage that falls freely needs nothing at its crank to do so."""
    run = ts.simulate(FOUR_BAR, 0.25, rate=800, initial={"alpha": 1.0})
    run.to_csv(tmp_path / "run.csv")
    guess = dict(zip(run.model.coordinates, run.q[0], strict=True))
    task = ts.robots.inverse(FOUR_BAR, tmp_path / "run.csv", actuators=["alpha"], guess=guess)
    weight = abs(run.model.gravity(run.q)[:, 0]).max()
    assert abs(task["alpha"][2:-2]).max() < 1e-4 * weight  # accelerations are those of a spline


def test_what_actuators_cannot_do_is_refused():
    path = ts.robots.quintic(TURN, [0, 1, 2])
    with pytest.raises(ts.SolveError, match="q2, q3, q4, q5, q6 needs a force too"):
        ts.robots.inverse(PUMA, path, actuators=["q1"])
    with pytest.raises(ts.ModelError, match="the motion of q2"):
        ts.robots.inverse(PUMA, ts.robots.quintic({"q1": [0, 1]}, [0, 1]))


# --- motors -------------------------------------------------------------------------------------


def test_the_root_mean_square_of_a_sine_is_its_amplitude_over_the_root_of_two():
    t = np.linspace(0, 2 * np.pi, 401)
    path = ts.robots.spline({"q": 0.4 + 0.4 * np.sin(t)}, t, at_rest=False)
    task = ts.robots.inverse(DISC, path)
    assert task.peak[0] == pytest.approx(0.3 * 0.4, rel=1e-3)
    assert task.rms[0] == pytest.approx(0.3 * 0.4 / np.sqrt(2), rel=1e-3)  # of the spline


def test_the_best_ratio_of_a_pure_inertia_is_the_root_of_the_inertias():
    task = ts.robots.inverse(DISC, ts.robots.quintic({"q": [0, 0.8]}, [0, 1]))
    row = ts.robots.motor_sheet(task, {"q": {"ratio": 10, "rotor_inertia": 1e-4}})["q"]
    assert row.best_ratio == pytest.approx(np.sqrt(0.3 / 1e-4), rel=1e-6)
    top = abs(task.accelerations).max()
    assert row.best_peak == pytest.approx(2 * np.sqrt(0.3 * 1e-4) * top, rel=1e-9)
    assert row.peak == pytest.approx((0.3 / 10 + 10 * 1e-4) * top, rel=1e-12)


def test_a_motor_gives_the_power_that_the_output_takes_and_the_gear_loses():
    task = ts.robots.inverse(DISC, ts.robots.quintic({"q": [0, 0.8]}, [0, 1]))
    row = ts.robots.motor_sheet(task, {"A": {"ratio": 20, "efficiency": 0.8}})["q"]
    out, motor = task.powers[:, 0], row.torque * row.speed
    np.testing.assert_allclose(motor[out > 0], out[out > 0] / 0.8, rtol=1e-12)
    np.testing.assert_allclose(motor[out < 0], out[out < 0] * 0.8, rtol=1e-12)


def test_motors_of_the_mechanism_turn_at_their_ratios_and_give_its_forces(puma_task):
    sheet = ts.robots.motor_sheet(puma_task)
    ratios = [row.motor.ratio for row in sheet.rows]
    torque = np.column_stack([row.torque for row in sheet.rows])
    np.testing.assert_allclose(torque * ratios, puma_task.efforts, rtol=1e-9, atol=1e-9)
    with pytest.raises(ts.ModelError, match="in the mechanism already"):
        ts.robots.motor_sheet(puma_task, {"q1": {"ratio": 3}})


def test_a_verdict_names_every_limit_that_is_passed_with_its_time_and_margin():
    path = ts.robots.quintic({"q": [0, 1.0]}, [0, 1])
    task = ts.robots.inverse(DISC, path)
    table = {"q": {"ratio": 10, "peak_torque": "0.1 N.m", "rated_torque": 1.0, "max_speed": 15}}
    sheet = ts.robots.motor_sheet(task, table)
    passed = {check.what: check for check in sheet.violations}
    assert not sheet.executable
    assert set(passed) == {"position", "motor torque", "motor speed"}
    assert passed["position"].margin == pytest.approx(-0.1, abs=1e-9)  # 0.1 of a range of 1
    assert passed["position"].time == 1.0
    assert passed["motor speed"].value == pytest.approx(18.75, rel=1e-4)
    assert passed["motor torque"].margin == pytest.approx(1 - 0.03 * 5.7735 / 0.1, rel=1e-3)
    assert "the task cannot be executed" in str(sheet)
    slow = ts.robots.inverse(DISC, ts.robots.quintic({"q": [0, 0.8]}, [0, 3]))
    assert ts.robots.motor_sheet(slow, table).executable


def test_limits_of_joints_are_limits_of_the_task():
    limited = json.loads(json.dumps(DISC))
    limited["joints"]["A"] |= {"effort": 1.0, "velocity": 1.5}
    task = ts.robots.inverse(limited, ts.robots.quintic({"q": [0, 0.8]}, [0, 1]))
    checks = {x.what: x for x in ts.robots.motor_sheet(task).checks}
    assert checks["speed"].margin == pytest.approx(1 - 1.5 / 1.5, abs=1e-3)
    assert checks["effort"].margin == pytest.approx(1 - 0.3 * 0.8 * 5.7735, rel=1e-2)


def test_the_shortest_time_of_a_pure_inertia_goes_with_the_root_of_its_couple():
    path = ts.robots.quintic({"q": [0, 0.8]}, [0, 1])
    task = ts.robots.inverse(DISC, path)
    needed = 0.3 * abs(task.accelerations).max()
    for share in (0.25, 4.0):  # of what the task needs
        motors = {"q": {"peak_torque": share * needed}}
        found = ts.robots.shortest_time(task, motors)
        assert found.duration == pytest.approx(1 / np.sqrt(share), rel=2e-4)
        assert ts.robots.motor_sheet(ts.robots.inverse(DISC, found), motors).executable


def test_what_no_time_can_mend_is_told():
    path = ts.robots.quintic({"q": [0, 1.0]}, [0, 1])
    with pytest.raises(ts.SolveError, match="no time is long enough: q: position"):
        ts.robots.shortest_time(ts.robots.inverse(DISC, path), {"q": {"peak_torque": 9.0}})
    with pytest.raises(ts.ModelError, match="any time will do"):
        ts.robots.shortest_time(ts.robots.inverse(DISC, path))


# --- coordinates of motors ----------------------------------------------------------------------


def test_both_models_give_the_same_power():
    equations, f = ts.robots.motor_equations(PUMA), ts.compile(PUMA)
    ratios = np.array([float(evaluate(x, {})) for x in equations.ratios])
    q, v, a = np.random.default_rng(0).uniform(-1, 1, (3, 6))
    torques = equations.evaluate(ratios * q, ratios * v, ratios * a)
    Q = f.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(torques * ratios, Q, rtol=1e-10)
    assert torques @ (ratios * v) == pytest.approx(Q @ v, rel=1e-10)
    assert all(equations.A[i, j] is equations.A[j, i] for i in range(6) for j in range(i))


def test_each_part_of_the_model_of_motors_is_that_of_the_joints_seen_through_the_gears():
    equations, f = ts.robots.motor_equations(PUMA), ts.compile(PUMA)
    ratios = np.array([float(evaluate(x, {})) for x in equations.ratios])
    q, v = np.random.default_rng(1).uniform(-1, 1, (2, 6))
    state = dict(zip(equations.coordinates, ratios * q, strict=True))
    state |= {f"{x}.": y for x, y in zip(equations.coordinates, ratios * v, strict=True)}
    known = state | dict(PUMA.parameters)

    def part(name):
        return np.array(evaluate(getattr(equations, name), known), dtype=float)

    near = dict(rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(part("A"), f.mass_matrix(q) / np.outer(ratios, ratios), **near)
    np.testing.assert_allclose(part("B"), f.bias(q, v) / ratios, **near)
    np.testing.assert_allclose(part("P"), -f.gravity(q) / ratios, **near)
    friction = part("F_V") @ (ratios * v) + part("F_S")
    np.testing.assert_allclose(friction, -f.applied(q, v) / ratios, **near)
    assert (np.diag(part("F_V")) > 0).all() and (part("F_S") * ratios * v > 0).all()


# --- the command --------------------------------------------------------------------------------


def test_the_command_writes_forces_and_judges_the_task(tmp_path):
    (tmp_path / "disc.yaml").write_text(json.dumps(DISC))
    ts.robots.quintic({"q": [0, 1.0]}, [0, 1]).save(tmp_path / "task.csv")
    (tmp_path / "motors.yaml").write_text("q: {ratio: 10, peak_torque: 0.1, max_speed: 100}\n")
    call = ["inverse", str(tmp_path / "disc.yaml"), "--motion", str(tmp_path / "task.csv"),
            "--motors", str(tmp_path / "motors.yaml"), "--reactions"]  # fmt: skip
    told = CliRunner().invoke(commands, [*call, "-o", str(tmp_path / "out.csv")])
    assert told.exit_code == 0, told.output
    assert "the task cannot be executed" in told.output
    assert (tmp_path / "out.csv").read_text().startswith("t [s],effort_q [N·m],power_q [W],A_force")
    data = json.loads(CliRunner().invoke(commands, [*call, "--json"]).output)
    assert data["sheet"]["executable"] is False
    assert data["actuators"]["q"]["peak"] == pytest.approx(0.3 * 5.7735, rel=1e-3)
    CliRunner().invoke(commands, [*call, "-o", str(tmp_path / "out.nc")])
    from scipy.io import netcdf_file

    with netcdf_file(str(tmp_path / "out.nc"), mmap=False) as file:
        assert file.variables["effort_q"].units.decode() == "N·m"


def test_a_coordinate_that_the_model_moves_already_is_refused():
    moved = json.loads(json.dumps(DISC))
    moved["motions"] = {"drive": {"coordinate": "q", "law": "0.1*t"}}
    with pytest.raises(ts.ModelError, match='follows the motion "drive" already'):
        ts.robots.inverse(moved, ts.robots.quintic({"q": [0, 0.8]}, [0, 1]))


def test_results_of_tasks_can_be_sent_elsewhere(puma_task):
    puma_task.reaction("J1")
    sheet = pickle.loads(pickle.dumps(ts.robots.motor_sheet(puma_task)))
    np.testing.assert_array_equal(sheet.task.efforts, puma_task.efforts)
    assert sheet.executable
