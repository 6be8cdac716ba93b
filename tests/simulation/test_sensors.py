"""Sensors: closed forms of what they measure, noise, and their errors."""

import numpy as np
import pytest

import torseur as ts

IMU = {"type": "imu", "body": "b", "point": [0.2, 0, 0]}
FREE = {
    "gravity": [0, 0, -9.81],
    "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {"z": {"type": "slider", "bodies": ["ground", "b"], "axis": "z"}},
    "sensors": {"imu": IMU},
}
TABLE = FREE | {
    "parameters": {"w": 3},
    "joints": {"q": {"type": "pivot", "bodies": ["ground", "b"], "axis": "z"}},
    "initial": {"q.": "w"},
}
HELD = {"hold": {"type": "joint", "joint": "z", "value": 19.62}}


def test_an_imu_at_rest_measures_the_reaction_of_gravity_and_in_free_fall_nothing():
    rest = ts.simulate(ts.load(FREE | {"forces": HELD}), at=[0.0, 0.5]).sensor("imu")
    np.testing.assert_allclose(rest.values, [[0, 0, 9.81, 0, 0, 0]] * 2, atol=1e-12)
    fall = ts.simulate(ts.load(FREE), at=[0.0, 0.5]).sensor("imu")
    np.testing.assert_allclose(fall.values, np.zeros((2, 6)), atol=1e-12)
    assert fall.names == ("a_x", "a_y", "a_z", "w_x", "w_y", "w_z")
    assert fall.units == ("m/s^2",) * 3 + ("rad/s",) * 3
    np.testing.assert_array_equal(fall["a_z"], fall.values[:, 2])


def test_an_imu_on_a_turntable_measures_the_centripetal_acceleration_and_the_rate():
    """r = 0.2 m along x at 3 rad/s: −r ω² along x; turned axes measure the same vectors."""
    turned = IMU | {"rotation": [{"z": "90 deg"}, {"x": "180 deg"}]}
    model = ts.load(TABLE | {"sensors": {"imu": IMU, "turned": turned}})
    run = ts.simulate(model, at=[0.0, 0.7, 2.0])
    np.testing.assert_allclose(run.sensor("imu").values, [[-1.8, 0, 9.81, 0, 0, 3]] * 3, atol=1e-9)
    # x of the sensor along y of the body, y along x, z downwards
    expected = [[0, -1.8, -9.81, 0, 0, -3]] * 3
    np.testing.assert_allclose(run.sensor("turned").values, expected, atol=1e-9)


def test_noise_and_bias_are_those_of_the_description_and_of_the_seed():
    errors = {
        "noise": {"acceleration": 0.1, "rate": [0, 0, "w/1000"]},
        "bias": {"rate": ["1 deg/s", 0, 0]},
    }
    model = ts.load(TABLE | {"sensors": {"imu": IMU | errors, "other": IMU | errors}})
    run = ts.simulate(model, at=np.linspace(0, 2, 4000))
    first, again = run.sensor("imu", seed=5).values, run.sensor("imu", seed=5).values
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, run.sensor("imu", seed=6).values)
    assert not np.array_equal(first, run.sensor("other", seed=5).values)
    exact = [-1.8, 0, 9.81, np.pi / 180, 0, 3]
    spread = np.array([0.1, 0.1, 0.1, 0, 0, 0.003])
    assert (np.abs(first.mean(axis=0) - exact) <= 5 * spread / np.sqrt(4000) + 1e-9).all()
    np.testing.assert_allclose(first.std(axis=0), spread, rtol=0.06, atol=1e-8)


def test_a_force_torque_sensor_measures_the_reaction_in_the_axes_of_the_joint():
    """A mass of 2 kg at 0.5 m on a turntable: −m r ω² along its arm, its weight, and m g r."""
    body = {"b": {"mass": 2, "centre": [0.5, 0, 0], "inertia": [1, 1, 1]}}
    wrist = {"sensors": {"wrist": {"type": "force-torque", "joint": "q"}}}
    run = ts.simulate(ts.load(TABLE | {"bodies": body} | wrist), at=[0.0, 0.7])
    measured = run.sensor("wrist")
    np.testing.assert_array_equal(measured.values, run.reaction("q", frame="joint"))
    np.testing.assert_allclose(measured.values, [[-9, 0, 19.62, 0, -9.81, 0]] * 2, atol=1e-8)
    assert measured.names[3:] == ("M_x", "M_y", "M_z")


def test_a_contact_sensor_measures_the_force_of_the_contact():
    """A sliding block of 2 kg: N = m g, friction 0.1 N."""
    model = {
        "gravity": [0, -9.81, 0],
        "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1]}},
        "joints": {"p": {"type": "planar", "bodies": ["ground", "b"], "normal": "z"}},
        "contacts": {
            "foot": {"bodies": ["ground", "b"], "point": [0, 0, 0], "normal": "y", "friction": 0.1}
        },
        "sensors": {"foot": {"type": "contact", "contact": "foot"}},
        "initial": {"p_x.": 5},
    }
    run = ts.simulate(ts.load(model), at=[0.1, 0.4])
    measured = run.sensor("foot")
    np.testing.assert_array_equal(measured.values, run.contact("foot").force)
    np.testing.assert_allclose(measured["N"], 19.62, rtol=1e-8)
    np.testing.assert_allclose(np.hypot(measured["T_1"], measured["T_2"]), 1.962, rtol=1e-8)


def test_an_encoder_rounds_to_its_resolution():
    sensors = {
        "coarse": {"type": "encoder", "coordinate": "q", "resolution": "0.5 rad"},
        "exact": {"type": "encoder", "coordinate": "q"},
    }
    run = ts.simulate(ts.load(TABLE | {"sensors": sensors}), at=[0.1, 0.2, 0.3])
    np.testing.assert_allclose(run.sensor("coarse").values, [[0.5], [0.5], [1.0]])
    np.testing.assert_array_equal(run.sensor("exact").values[:, 0], run["q"])
    assert run.sensor("exact").units == ("rad",)


def test_sensors_are_kept_in_files(tmp_path):
    model = ts.load(TABLE)
    model.save(tmp_path / "m.yaml")
    assert ts.load(tmp_path / "m.yaml").sensors["imu"].body == "b"
    ts.simulate(model, at=[0.5]).save(tmp_path / "run.nc")
    values = ts.load_run(tmp_path / "run.nc").sensor("imu").values
    np.testing.assert_allclose(values, [[-1.8, 0, 9.81, 0, 0, 3]], atol=1e-9)


@pytest.mark.parametrize(
    ("sensor", "problem"),
    [
        ({"type": "gps"}, 'sensor type "gps" does not exist'),
        ({"type": "imu"}, 'the entry "body" is missing'),
        (IMU | {"body": "c"}, '"c" does not exist'),
        (IMU | {"noise": {"speed": 1}}, 'unknown entry "speed"'),
        (IMU | {"bias": {"rate": "1 m/s"}}, "where"),
        ({"type": "contact", "contact": "foot"}, 'contact "foot" does not exist'),
        ({"type": "force-torque", "joint": "A"}, 'joint "A" does not exist'),
        ({"type": "encoder", "coordinate": "q", "resolution": "1 mm"}, "where"),
    ],
)
def test_wrong_sensors_are_refused(sensor, problem):
    with pytest.raises(ts.ModelError, match=problem):
        ts.load(TABLE | {"sensors": {"s": sensor}})


def test_wrong_questions_about_sensors_are_refused():
    run = ts.simulate(ts.load(TABLE), at=[0.1])
    with pytest.raises(ts.ModelError, match='sensor "gps" does not exist'):
        run.sensor("gps")
    with pytest.raises(ts.ModelError, match="the seed is -1"):
        run.sensor("imu", seed=-1)
    turning = ts.load(TABLE | {"frame": {"rotation": [0, 0, 1]}})
    with pytest.raises(ts.ModelError, match="the ground moves"):
        ts.simulate(turning, at=[0.1]).sensor("imu")
