"""Paths in the least time: closed forms, linear programs, limits that are reached and kept."""

import numpy as np
import pytest
import scipy

import torseur as ts
from torseur.robotics.timing.speed_profile import IntervalLimits, fastest_profile

PUMA = ts.load("src/torseur/examples/puma560.yaml")
FOUR_BAR = ts.load("src/torseur/examples/four_bar.yaml")
POINTS = {
    "q1": [0, 0.6, 1.2], "q2": [0.3, 0.5, 0.8], "q3": [-2.5, -2.2, -1.6],
    "q4": [0, 0.1, 0.5], "q5": [0.5, 0.6, 1.0], "q6": [0, 0.5, 1],
}  # fmt: skip
TORQUES = {"q1": 80, "q2": 120, "q3": 60, "q4": 10, "q5": 10, "q6": 10}


def cart(**motor):
    """A mass of 2 kg on a rail, with friction if it is given."""
    motors = {"motors": {"M": {"joint": "A", "ratio": 1, **motor}}} if motor else {}
    return ts.load({
        "name": "cart",
        "bodies": {"b": {"mass": 2}},
        "joints": {"A": {"type": "slider", "bodies": ["ground", "b"], "axis": "x",
                         "coordinate": "x", "effort": 4, "velocity": 10}},
        **motors,
    })  # fmt: skip


def test_a_mass_is_pushed_half_way_and_braked_half_way():
    found = ts.robots.time_optimal(cart(), {"x": [0, 0.5]})  # effort of the joint: 2 m/s²
    assert found.duration == pytest.approx(2 * np.sqrt(0.5 / 2.0), rel=1e-12)
    np.testing.assert_allclose(found.use, 1, rtol=1e-9)
    assert set(found.active) == {"torque x"}
    np.testing.assert_allclose(found.q[[0, -1], 0], [0, 0.5], atol=1e-12)
    np.testing.assert_allclose(np.abs(found.torques), 4, rtol=1e-9)


def test_a_limit_of_speed_makes_a_trapezoid():
    for torque, acceleration in ((4.0, None), (None, 2.0)):
        found = ts.robots.time_optimal(
            cart(), {"x": [0, 0.5]}, torque=torque, acceleration=acceleration, speed=0.4
        )
        assert found.duration == pytest.approx(0.5 / 0.4 + 0.4 / 2, rel=1e-6)
        assert found.trajectory.extreme(1)[0] == pytest.approx(0.4, rel=1e-9)


def test_corners_are_passed_at_rest():
    path = ts.robots.trapezoidal({"x": [0, 0.5, 0.3]}, 1.0, 1.0)
    found = ts.robots.time_optimal(cart(), path)
    assert found.duration == pytest.approx(2 * np.sqrt(0.25) + 2 * np.sqrt(0.1), rel=1e-12)
    corner = int(np.abs(found.q[:, 0] - 0.5).argmin())
    assert found.v[corner, 0] == 0


def test_viscous_friction_helps_to_brake_as_its_law_says():
    """m dv/dt = F − d v up to the switch, −F − d v after it."""
    m, F, d, way = 2.0, 4.0, 3.0, 0.5

    def run(v0, force, t):
        end = force / d
        return end + (v0 - end) * np.exp(-d * t / m)

    def path(v0, force, t):
        end = force / d
        return end * t + (v0 - end) * m / d * (1 - np.exp(-d * t / m))

    def left(t):
        v = run(0, F, t)
        stop = m / d * np.log(1 + d * v / F)
        return path(0, F, t) + path(v, -F, stop) - way

    rise = scipy.optimize.brentq(left, 1e-6, 5)
    stop = m / d * np.log(1 + d * run(0, F, rise) / F)
    found = ts.robots.time_optimal(cart(viscous={"output": d}), {"x": [0, way]})
    # limits hold at both ends of each interval of the grid: it is slower by a part of an interval
    assert 1 <= found.duration / (rise + stop) <= 1 + 1e-3
    assert found.use.max() <= 1 + 1e-6


@pytest.fixture(scope="module")
def puma_found():
    return ts.robots.time_optimal(PUMA, POINTS, torque=TORQUES, speed=3.0)


def test_a_limit_is_active_nearly_everywhere_and_none_is_passed(puma_found):
    found, limits = puma_found, np.array(list(TORQUES.values()))
    assert (found.use > 0.999).mean() > 0.97
    assert {x.split()[0] for x in found.active if x} == {"torque", "speed"}
    task = ts.robots.inverse(PUMA, found.trajectory, rate=4000)  # between grid points too
    assert (np.abs(task.efforts) / limits).max() < 1 + 1e-3
    assert np.abs(task.speeds).max() < 3.0 * (1 + 1e-5)
    np.testing.assert_allclose(
        found.q[[0, -1]], np.array(list(POINTS.values())).T[[0, -1]], atol=1e-9
    )
    inner = np.array([points[1] for points in POINTS.values()])
    t = np.linspace(0, found.duration, 20001)
    assert np.abs(found.trajectory.q(t) - inner).max(axis=1).min() < 1e-3  # it passes the point
    slower = ts.robots.within_limits(ts.robots.spline(POINTS, [0, 1, 2]), PUMA, torque=TORQUES)
    assert found.duration < slower.duration


def test_blends_shorten_a_path_that_would_rest_at_its_points():
    blend = ts.robots.blended(POINTS, speed=1.0, acceleration=4.0)
    rest = ts.robots.trapezoidal(POINTS, speed=1.0, acceleration=4.0)
    passing, resting = (
        ts.robots.time_optimal(PUMA, path, torque=TORQUES).duration for path in (blend, rest)
    )
    assert passing < 0.9 * resting
    assert blend.duration < rest.duration


def test_a_linkage_is_driven_at_the_limit_of_its_crank():
    guess = ts.assemble(FOUR_BAR).coordinates
    found = ts.robots.time_optimal(FOUR_BAR, {"alpha": [1.0, 2.0]}, torque=3.0, guess=guess)
    task = ts.robots.inverse(FOUR_BAR, found.trajectory, guess=guess)
    np.testing.assert_allclose(np.abs(task.efforts).max(), 3.0, rtol=1e-3)
    assert (found.use > 0.999).mean() > 0.97


def test_the_profile_is_the_one_of_linear_programs():
    """The same limits, from M, h and g, solved by HiGHS one linear program a grid point."""
    arm = ts.load("RY(q1), TXK(0.5), RY(q2), TXK(0.4);", masses="full", gravity=[0, 0, -9.81])
    values = dict.fromkeys(arm.parameters, 0.3)
    f = ts.compile(arm, parameters={k: v for k, v in values.items() if arm.parameters[k] is None})
    spline = scipy.interpolate.CubicSpline([0, 1, 2], [[0, 0.2], [0.6, 0.9], [0.7, 0.1]])
    count, limit = 40, np.array([12.0, 6.0])
    grid = np.linspace(0, 2, count + 1)
    a, b, c = (np.empty((2, count, 2)) for _ in range(3))
    for end in (0, 1):
        for i, s in enumerate(grid[end : count + end]):
            q, d1, d2 = (spline(s, k) for k in range(3))
            M = f.mass_matrix(q)
            a[end, i] = M @ d1 / limit
            b[end, i] = (M @ d2 + f.bias(q, d1)) / limit
            c[end, i] = f.gravity(q) / limit
    most = (2.0 / np.abs(spline(grid, 1)).max(axis=1)) ** 2
    limits = IntervalLimits(np.diff(grid), a, b, c, most)
    found = fastest_profile(limits)

    def program(i, cost, low, high, x=None):
        step = 2 * (grid[i + 1] - grid[i])
        rows = [(a[0, i], b[0, i], c[0, i]), (a[1, i] + step * b[1, i], b[1, i], c[1, i])]
        A = np.concatenate([np.stack([A, B], axis=1) for A, B, _ in rows])
        C = np.concatenate([C for _, _, C in rows])
        ends = np.array([[step, 1.0]])
        bounds = [(None, None), (0, most[i]) if x is None else (x, x)]
        return scipy.optimize.linprog(
            cost, np.concatenate([A, -A, ends, -ends]),
            np.concatenate([1 - C, 1 + C, [high], [-low]]), bounds=bounds,
        ).x  # fmt: skip

    low, high = np.zeros(count + 1), np.zeros(count + 1)
    for i in range(count - 1, -1, -1):
        high[i] = program(i, [0, -1], low[i + 1], high[i + 1])[1]
        low[i] = program(i, [0, 1], low[i + 1], high[i + 1])[1]
    np.testing.assert_allclose(found.high, high, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.low, low, rtol=1e-6, atol=1e-9)
    x = 0.0
    for i in range(count):
        u = program(i, [-1, 0], low[i + 1], high[i + 1], x)[0]
        x += 2 * (grid[i + 1] - grid[i]) * u
        assert found.x[i + 1] == pytest.approx(x, rel=1e-6, abs=1e-8)


def test_a_controller_follows_it(puma_found):
    law = ts.control.computed_torque(PUMA, puma_found, kp=900.0, kd=60.0)
    start = dict(zip(puma_found.names, map(float, puma_found.q[0]), strict=True))
    run = ts.simulate(PUMA, puma_found.duration, initial=start, control=law, sample=1e-3)
    end = [float(run[name][-1]) for name in puma_found.names]
    np.testing.assert_allclose(end, puma_found.q[-1], atol=2e-3)


def test_its_text_and_figure(puma_found, tmp_path):
    assert "s; active limits: torque q1" in str(puma_found)
    assert puma_found.figure(tmp_path / "t.svg") is not None
    assert "<svg" in (tmp_path / "t.svg").read_text()


@pytest.mark.parametrize(("limits", "message"), [
    ({"torque": 2.0}, "already needs"),
    ({"torque": -1.0}, "must be positive"),
    ({"torque": {"q9": 1}}, "q9"),
    ({"speed": 1.0}, "no limit of torque or acceleration"),
])  # fmt: skip
def test_limits_that_cannot_be_kept_are_explained(limits, message):
    with pytest.raises((ts.ModelError, ts.SolveError), match=message):
        ts.robots.time_optimal(PUMA, POINTS, **limits)


def test_a_path_outside_the_range_of_a_joint_is_refused():
    chain = ts.load("RZ(q,-1,0.5), TXK(1);", masses="lever")
    values = dict.fromkeys((k for k, v in chain.parameters.items() if v is None), 1.0)
    with pytest.raises(ts.ModelError, match=r"q reaches 0\.8 on the path; its limit is 0\.5"):
        ts.robots.time_optimal(chain, {"q": [0, 0.8]}, torque=1.0, parameters=values)


# --- the same pace in another time ---------------------------------------------------------------


def test_a_scaled_motion_ends_at_a_limit():
    path = ts.robots.quintic({"a": [0, 1], "b": [0, -2]}, [0, 3.0])
    fast = ts.robots.within_limits(path, speed=4.0, acceleration=100.0)
    assert fast.duration < path.duration
    assert fast.extreme(1).max() == pytest.approx(4.0, rel=1e-12)


def test_a_scaled_motion_ends_at_a_limit_of_torque_against_the_weight():
    path = ts.robots.spline(POINTS, [0, 1, 2])
    for factor in (0.4, 3.0):  # from either side
        found = ts.robots.within_limits(path.slowed(factor), PUMA, torque=TORQUES)
        efforts = np.abs(ts.robots.inverse(PUMA, found).efforts) / list(TORQUES.values())
        assert efforts.max() == pytest.approx(1, rel=1e-9)
    with pytest.raises(ts.SolveError, match="no time is long enough"):
        ts.robots.within_limits(path, PUMA, torque=5.0)
    with pytest.raises(ts.ModelError, match="need a mechanism"):
        ts.robots.within_limits(path, torque=5.0)


def test_the_limits_of_the_file_count_where_none_are_given():
    found = ts.robots.within_limits(ts.robots.quintic({"x": [0, 0.5]}, [0, 9.0]), cart())
    assert found.extreme(2)[0] * 2 == pytest.approx(4.0, rel=1e-3)  # the greatest at an instant


# --- blends --------------------------------------------------------------------------------------


def test_blends_keep_limits_and_pass_points_nearby():
    points = {"a": [0, 1, 1.2, 0.5], "b": [0, 0.2, 1.0, 1.5]}
    path = ts.robots.blended(points, speed=1.0, acceleration=4.0)
    assert path.extreme(1).max() == pytest.approx(1.0) and path.extreme(2).max() == pytest.approx(4)
    q = path.q(np.linspace(0, path.duration, 5001))
    np.testing.assert_allclose(q[[0, -1]], [[0, 0], [0.5, 1.5]], atol=1e-12)
    # on one line with constant speed the parabola passes Δv t/8 beside the point
    near = ts.robots.blended(points, speed=1.0, acceleration=4.0, deviation=0.005)
    q = near.q(np.linspace(0, near.duration, 5001))
    for k in (1, 2):
        point = [points["a"][k], points["b"][k]]
        assert np.abs(q - point).max(axis=1).min() <= 0.005 * (1 + 1e-6)
    jump = np.abs(np.diff(near.v(np.linspace(0, near.duration, 20001)), axis=0)).max()
    assert jump < 4.0 * near.duration / 20000 * 1.01  # no jump of speed


def test_one_line_with_blends_is_a_trapezoid_or_two_parabolas():
    assert ts.robots.blended({"a": [0, 1]}, 10.0, 4.0).duration == pytest.approx(1.0, rel=1e-6)
    trapezoid = ts.robots.trapezoidal({"a": [0, 1]}, 0.5, 4.0)
    assert ts.robots.blended({"a": [0, 1]}, 0.5, 4.0).duration == pytest.approx(trapezoid.duration)
    with pytest.raises(ts.ModelError, match="are the same"):
        ts.robots.blended({"a": [0, 1, 1]}, 1.0, 1.0)
