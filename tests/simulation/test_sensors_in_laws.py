"""Sensors that control laws, steppers and files read: causality, noise, loops, contacts."""

from functools import partial

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate

G, L = 9.81, 0.3
ERRORS = {
    "noise": {"acceleration": 0.1, "rate": 0.01},
    "bias": {"rate": ["1 deg/s", 0, 0]},
}
PENDULUM = {
    "gravity": [0, -G, 0],
    "bodies": {"b": {"mass": 2, "centre": [L, 0, 0], "inertia": [0.01, 0.01, 0.01]}},
    "joints": {"q": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z"}},
    "sensors": {
        "imu": {"type": "imu", "body": "b", "point": [L, 0, 0]},
        "noisy": {"type": "imu", "body": "b", **ERRORS},
        "counter": {"type": "encoder", "coordinate": "q", "resolution": 0.01},
        "wrist": {"type": "force-torque", "joint": "q"},
    },
}
WAYS = [{}, {"coordinates": "absolute"}, {"method": "symplectic", "step": 1e-3},
        {"method": "symplectic", "step": 1e-3, "coordinates": "absolute"}]  # fmt: skip


def recorded(model, command, **options):
    """A run under a law that records what it sees."""
    seen = []

    def law(t, q, v, sensors):
        values = {name: one.values.copy() for name, one in sensors.items()}
        seen.append((t, values))
        return command(t, q, v)

    options = {"control": law, "sample": 0.01, **options}
    run = ts.simulate(ts.load(model), 0.2, **options)
    return run, np.array([t for t, _ in seen]), {
        name: np.array([values[name] for _, values in seen]) for name in seen[0][1]
    }  # fmt: skip


@pytest.mark.parametrize("options", WAYS)
def test_the_imu_of_a_pendulum_in_a_law_measures_gravity_and_the_motion_before_the_command(options):
    """a − g along the arm: g sin q − l q'²; across: g cos q + l q'' with q'' under the old couple.

    J q'' = C − m g l cos q about the pivot, J = 0.01 + m l²; the first couple is 0.
    """
    run, t, seen = recorded(PENDULUM, lambda t, q, v: [np.cos(20 * t)], **options)
    q, v = (np.interp(t, run.t, run[name]) for name in ("q", "q."))
    before = np.concatenate([[0.0], np.cos(20 * t[:-1])])
    a = (before - 2 * G * L * np.cos(q)) / (0.01 + 2 * L**2)
    expected = [G * np.sin(q) - L * v**2, G * np.cos(q) + L * a]
    np.testing.assert_allclose(seen["imu"][:, :2], np.transpose(expected), atol=2e-6)
    np.testing.assert_allclose(seen["imu"][:, 5], v, atol=1e-9)
    # the wrist carries m (a − g); the couple about its axis is the old command
    np.testing.assert_allclose(seen["wrist"][:, :2], 2 * seen["imu"][:, :2], atol=1e-8)
    np.testing.assert_allclose(seen["wrist"][:, 5], before, atol=1e-8)


@pytest.mark.parametrize("options", WAYS[:2])
def test_a_law_and_the_run_that_is_read_afterwards_have_the_same_noise(options):
    """Of the same seed, sample by sample; rates do not depend on the command."""
    for seed in (0, 7):
        into = []
        law = ts.control.Loop(partial(recorded_rates, into), 0.01, seed=seed)
        run = ts.simulate(ts.load(PENDULUM), 0.2, control=law, **options)
        after = run.sensor("noisy", seed=seed)["w"]
        np.testing.assert_allclose(np.array(into), after[: len(into)], atol=1e-12)
        assert np.abs(np.diff(after, axis=0)).min() > 0


def recorded_rates(into, t, q, v, sensors):
    """Record the rates of a sensor; no force."""
    into.append(sensors["noisy"]["w"])
    return 0.0


def test_noise_depends_on_the_instant_and_not_on_other_samples():
    model = ts.load(PENDULUM)
    fine, coarse = (ts.simulate(model, at=at).sensor("noisy")["w_x"]
                    for at in ([0.1, 0.15, 0.2], [0.2]))  # fmt: skip
    assert fine[-1] == coarse[-1]


def test_a_text_law_reads_sensors_and_gives_the_motion_of_one_in_python():
    model = ts.load(PENDULUM)
    text = ts.simulate(model, 0.2, control={"q": "-0.5*noisy_w_z + counter_q"}, sample=0.01)
    python = ts.simulate(
        model,
        0.2,
        control=lambda t, q, v, sensors: sensors["counter"]["q"] - 0.5 * sensors["noisy"]["w_z"],
        sample=0.01,
    )
    np.testing.assert_allclose(text.q, python.q, atol=1e-12)
    rows = ts.simulate(
        model, 0.2, control={"q": "-0.5*noisy_w_z + counter_q"}, sample=0.01,
        initial={"q": np.array([0.0, 0.3])},
    )  # fmt: skip
    np.testing.assert_allclose(rows["q"][0], text["q"], atol=1e-12)


FALLING = {
    "gravity": [0, -G, 0],
    "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {"p": {"type": "planar", "bodies": ["ground", "b"], "normal": "z"}},
    "contacts": {
        "foot": {"bodies": ["ground", "b"], "point": [0, 0, 0], "normal": "y", "friction": 0.1,
                 "restitution": 0.5}
    },
    "sensors": {
        "foot": {"type": "contact", "contact": "foot"},
        "imu": {"type": "imu", "body": "b"},
    },
    "initial": {"p_x.": 5, "p_y": 0.1},
}  # fmt: skip


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("method", [{}, {"method": "moreau", "step": 1e-3}])
def test_a_law_feels_a_bouncing_body_and_its_sliding(coordinates, method):
    """Free fall and flights between shocks: nothing; at rest on the floor: g, and friction 0.1 g.

    A shock is an impulse at an instant: no sample has it.
    """
    options = {"coordinates": coordinates, **method}
    run, _, seen = recorded(
        FALLING | {"initial": {"p_x.": 5, "p_y": 0.01}}, lambda t, q, v: [0, 0, 0], **options
    )
    flying = seen["foot"][:, 0] < 1e-9
    assert flying[1] and not flying[-1]
    np.testing.assert_allclose(seen["imu"][flying][:, :2], 0, atol=1e-9)
    np.testing.assert_allclose(seen["imu"][-1, :2], [-0.1 * G, G], rtol=1e-7)
    np.testing.assert_allclose(seen["foot"][-1, [0]], 2 * G, rtol=1e-7)
    np.testing.assert_allclose(run.sensor("foot").values[-1], seen["foot"][-1], rtol=1e-6)


def test_an_imu_in_a_closed_loop_accelerates_as_poses_differ():
    model = ts.load("slider_crank")
    body = list(model.bodies)[-2]
    joint = list(model.joints)[-1]
    sensors = {
        "imu": {"type": "imu", "body": body},
        "pin": {"type": "force-torque", "joint": joint},
    }
    data = ts.load(model.yaml() + f"\nsensors: {sensors!r}\n".replace("'", ""))
    h = 1e-4
    run = ts.simulate(data, at=0.3 + h * np.arange(-1, 2), initial={"alpha.": 3.0})
    p = run.point(body)
    acceleration = (p[0] - 2 * p[1] + p[2]) / h**2
    gravity = np.array(evaluate(data.gravity, run.model.parameters), dtype=float)
    R = run.seen.poses[body][0][1]
    measured = run.sensor("imu").values[1]
    np.testing.assert_allclose(measured[:3], R.T @ (acceleration - gravity), atol=1e-4)
    np.testing.assert_array_equal(run.sensor("pin").values, run.reaction(joint, frame="joint"))
    felt = []
    ts.simulate(
        data, 0.05, control=lambda t, q, v, sensors: felt.append(sensors["pin"].values) or 0.0 * v,
        sample=0.01,
    )  # fmt: skip
    assert np.isfinite(felt).all() and np.abs(felt).max() > 0


def test_a_stepper_reads_sensors():
    stepper = ts.Stepper(ts.load(PENDULUM), 0.01)
    stepper.step(0.3)
    run = ts.simulate(ts.load(PENDULUM), 0.01, control=lambda t, q, v: [0.3], sample=0.01)
    np.testing.assert_allclose(
        stepper.sensor("imu").values, run.sensor("imu").values[-1], rtol=1e-8
    )
    again = stepper.sensor("noisy", seed=2)["a_x"]
    assert again == stepper.sensor("noisy", seed=2)["a_x"] != stepper.sensor("noisy", seed=3)["a_x"]
    resting = ts.Stepper(ts.load(FALLING | {"initial": {}}), 0.01, method="moreau", step=1e-3)
    resting.step()
    np.testing.assert_allclose(resting.sensor("foot")["N"], 2 * G, rtol=1e-8)


def test_a_contact_of_several_points_and_one_of_a_pile_have_the_sum_of_normal_forces():
    box = {
        "gravity": [0, 0, -G],
        "bodies": {"b": {"shape": {"box": {"size": [1, 1, 0.2]}}, "mass": 3, "inertia": [1, 1, 1]}},
        "joints": {"j": {"type": "free", "bodies": ["ground", "b"]}},
        "initial": {"j_z": 0.1},
    }
    lying = {"bodies": ["ground", "b"], "shape": "box", "size": [1, 1, 0.2], "normal": "z"}
    sensor = {"s": {"type": "contact", "contact": "c"}}
    pile = {"among": "all", "normal": "z"}
    for contact, more in ((lying, {}), (pile, {"body": "b"})):
        model = box | {"contacts": {"c": contact}, "sensors": {"s": sensor["s"] | more}}
        stepper = ts.Stepper(ts.load(model), 0.01, method="moreau", step=1e-3)
        stepper.step()
        np.testing.assert_allclose(stepper.sensor("s").values, [3 * G], rtol=1e-6)


def test_files_have_columns_of_sensors(tmp_path):
    run = ts.simulate(ts.load(PENDULUM), at=[0.0, 0.1])
    run.to_csv(tmp_path / "run.csv", of=["imu", "noisy.w", "counter.q"])
    head = (tmp_path / "run.csv").read_text("utf-8").splitlines()[0]
    assert head.count("imu.") == 6 and head.count("noisy.") == 3
    assert "imu.a_x [m/s^2]" in head and "counter.q [rad]" in head
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True)
    np.testing.assert_allclose(table["imua_x_ms2"], run.sensor("imu")["a_x"], atol=1e-12)
    run.save(tmp_path / "run.nc", of=["imu"])
    again = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_array_equal(again.sensor("noisy").values, run.sensor("noisy").values)
    with pytest.raises(ts.ModelError, match='column "speed" does not exist'):
        run.to_csv(tmp_path / "wrong.csv", of=["imu.speed"])


def test_wrong_sensors_of_laws_are_refused():
    model = ts.load(PENDULUM)
    loop = ts.control.Loop(lambda t, q, v, s: 0.0, 0.01, sensors=["gps"])
    with pytest.raises(ts.ModelError, match='sensor "gps" does not exist'):
        ts.simulate(model, 0.1, control=loop)
    with pytest.raises(ts.ModelError, match='"imu_b_x"'):
        ts.simulate(model, 0.1, control={"q": "imu_b_x"}, sample=0.01)
    with pytest.raises(ts.ModelError, match="is called with"):
        ts.control.Loop(lambda t, q, v: 0.0, 0.01, sensors=["imu"])
    turning = ts.load(PENDULUM | {"frame": {"rotation": [0, 0, 1]}})
    with pytest.raises(ts.ModelError, match="the ground moves"):
        ts.simulate(turning, 0.1, control={"q": "imu_a_x"}, sample=0.01)


FACING = {
    "bodies": {
        "cart": {"mass": 1, "shape": {"box": {"size": [0.2, 0.2, 0.2]}}},
        "post": {"mass": 1, "shape": {"sphere": {"radius": 0.25}}},
    },
    "joints": {
        "A": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"},
        "B": {"type": "fixed", "bodies": ["ground", "post"], "point": [[5, 0, 0], [0, 0, 0]]},
    },
    "sensors": {
        "ahead": {"type": "range", "body": "cart", "axis": "x", "noise": 0.01, "reach": 4.7},
    },
    "initial": {"x.": 2.0},
}


@pytest.mark.parametrize("options", [{}, {"coordinates": "absolute"},
                                     {"method": "moreau", "step": 1e-3}])  # fmt: skip
def test_a_law_brakes_by_the_range_that_the_run_measures_afterwards(options):
    """What a law sees of the way ahead is what the run has at the same instants, noise included."""
    floor = {"floor": {"among": ["cart"], "normal": "z", "through": [0, 0, -1]}}
    scene = FACING | ({"contacts": floor} if "method" in options else {})
    run, t, seen = recorded(
        scene, lambda t, q, v: [-3 * v[0]], at=np.linspace(0, 0.2, 21), **options
    )
    read = np.interp(t, run.t, run.sensor("ahead")["distance"])
    np.testing.assert_allclose(seen["ahead"][:, 0], read[: len(t)], atol=1e-8)
    assert run["x."][-1] == pytest.approx(2 * np.exp(-0.6), rel=0.02)


def test_a_text_law_measures_a_range():
    law = ts.control.TextLaw({"x": "3*(ahead_distance - 4.75 + x)"})
    still = {**FACING, "sensors": {"ahead": {"type": "range", "body": "cart", "axis": "x"}}}
    run = ts.simulate(ts.load(still), 0.2, control=law, sample=0.01)
    np.testing.assert_allclose(run["x."], 2.0, atol=1e-9)  # the range is 4.75 − x: no force
