"""Trajectories: areas, ends, limits that are just kept, files, and tools on their paths."""

import numpy as np
import pytest

import torseur as ts

TWO_BARS = "RZ(q1), TXK(0.5), RZ(q2), TXK(0.4);"
PUMA = ts.load("src/torseur/examples/puma560.yaml")
START = {"q1": 0.3, "q2": 0.5, "q3": -1.0, "q4": 0.2, "q5": 0.8, "q6": 0.1}


# --- coordinates --------------------------------------------------------------------------------


def test_the_area_under_a_trapezoid_of_speed_is_the_way():
    path = ts.robots.trapezoidal({"q1": [0.2, 1.4], "q2": [0, -0.3]}, speed=1.0, acceleration=4.0)
    assert path.duration == pytest.approx(1.2 / 1.0 + 1.0 / 4.0, rel=1e-14)  # way/V + V/A
    t = np.unique([*path.t, 0.25, path.duration - 0.25])
    way = np.trapezoid(path.v(t), t, axis=0)  # the speed is straight between the corners
    np.testing.assert_allclose(way, [1.2, -0.3], rtol=1e-12)
    np.testing.assert_allclose(path.extreme(1), [1.0, 0.25], rtol=1e-12)
    np.testing.assert_allclose(path.extreme(2), [4.0, 1.0], rtol=1e-12)


def test_a_way_too_short_for_the_limit_of_speed_is_a_triangle():
    path = ts.robots.trapezoidal({"q": [0, 0.1]}, speed=5.0, acceleration=2.0)
    assert path.duration == pytest.approx(2 * np.sqrt(0.1 / 2.0), rel=1e-14)
    assert path.extreme(1)[0] == pytest.approx(np.sqrt(0.1 * 2.0), rel=1e-12)


def test_a_quintic_has_the_ends_that_are_asked_for():
    path = ts.robots.quintic(
        {"q": [0, 1, "90 deg"]}, [0, 1, 3], speeds={"q": [0, 0.7, -0.2]},
        accelerations={"q": [0.1, 0, 0.3]},
    )  # fmt: skip
    ends = [0.0, 1.0, 3.0]
    np.testing.assert_allclose(path.q(ends)[:, 0], [0, 1, np.pi / 2], atol=1e-14)
    np.testing.assert_allclose(path.v(ends)[:, 0], [0, 0.7, -0.2], atol=1e-13)
    np.testing.assert_allclose(path.a(ends)[:, 0], [0.1, 0, 0.3], atol=1e-12)
    rest = ts.robots.quintic({"q": [0, 1]}, [0, 2])
    assert rest.extreme(1)[0] == pytest.approx(15 / 8 / 2, rel=1e-12)  # of 10τ³ − 15τ⁴ + 6τ⁵
    assert rest.extreme(2)[0] == pytest.approx(10 / np.sqrt(3) / 4, rel=1e-12)


def test_a_spline_passes_its_points_without_a_jump_of_acceleration():
    path = ts.robots.spline({"q": [0, 1, 0.5, 2]}, [0, 1, 1.5, 3])
    np.testing.assert_allclose(path.q([0, 1, 1.5, 3])[:, 0], [0, 1, 0.5, 2], atol=1e-14)
    np.testing.assert_allclose(path.a([1 - 1e-9, 1.5 - 1e-9]), path.a([1, 1.5]), atol=1e-6)
    assert abs(path.v([0, 3])).max() < 1e-13
    np.testing.assert_array_equal(path.v([-1, 4]), 0)  # before and after, it rests


def test_a_motion_is_scaled_until_its_limits_are_just_kept():
    path = ts.robots.quintic({"a": [0, 1], "b": [0, -2]}, [0, 1])
    slow = ts.robots.within_limits(path, speed={"b": 1.0}, acceleration=100.0)
    assert slow.extreme(1)[1] == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(slow.q(0.5 * slow.duration), path.q(0.5), rtol=1e-12)
    eased = ts.robots.within_limits(path, acceleration=3.0)
    assert eased.extreme(2).max() == pytest.approx(3.0, rel=1e-12)
    fast = ts.robots.within_limits(path, speed=100.0)
    assert fast.extreme(1).max() == pytest.approx(100.0, rel=1e-12)


def test_a_file_of_a_motion_is_read_as_it_was_written(tmp_path):
    path = ts.robots.quintic({"q1": [0, 1, 0.2], "q2": [0, 0.3, 1]}, [0, 1, 2])
    again = ts.robots.read_trajectory(path.save(tmp_path / "motion.csv"))
    t = np.linspace(0, 2, 77)
    assert again.names == path.names
    for name in "qva":  # the same polynomials between the same instants
        np.testing.assert_allclose(getattr(again, name)(t), getattr(path, name)(t), atol=1e-9)


def test_units_in_heads_bring_a_motion_to_radians(tmp_path):
    (tmp_path / "m.csv").write_text("t [ms];q1 [deg]\n0;0\n500;45,0\n1000;90\n")
    path = ts.robots.read_trajectory(tmp_path / "m.csv")
    np.testing.assert_allclose(path.q([0, 0.5, 1.0])[:, 0], [0, np.pi / 4, np.pi / 2], rtol=1e-14)


@pytest.mark.parametrize(("content", "message"), [
    ("t,q1\n", "1 rows"), ("0,1\n1,2\n2,3\n", "a name for each column"),
    ("x,q1\n0,0\n1,1\n", 'a column "t" is needed'), ("t,q1\n0,0\n0,1\n", "2 instants that"),
    ("t,q1\n0,0\n", "one instant, which is not a motion"),
    ("t,q1 [parsec]\n0,0\n1,1\n", "parsec"), ("t,q1\n0,0\n1,one\n", '"one" is not a number'),
    ("t,q1\n0,0\n1\n", "1 values in a row of 2 names"),
])  # fmt: skip
def test_a_file_that_is_no_motion_is_refused_with_its_line(tmp_path, content, message):
    (tmp_path / "m.csv").write_text(content)
    with pytest.raises(ts.ModelError) as error:
        ts.robots.read_trajectory(tmp_path / "m.csv")
    assert message in str(error.value)
    assert "m.csv" in error.value.place


def test_a_trajectory_stands_for_laws_of_time():
    path = ts.robots.quintic({"q": [0, 1]}, [0, 1]).sampled(400)
    law = path.expressions()["q"]
    from torseur.algebra.core.graph import evaluate

    assert float(evaluate(law, {"t": 0.37})) == pytest.approx(path.q(0.37)[0], abs=1e-8)


# --- inverse kinematics -------------------------------------------------------------------------


def test_two_bars_reach_a_point_at_the_angles_of_the_law_of_cosines():
    x, y = 0.5, 0.3
    found = ts.robots.inverse_kinematics(TWO_BARS, "tool", [x, y, 0], {"q2": 0.5})
    elbow = np.arccos((x * x + y * y - 0.25 - 0.16) / (2 * 0.5 * 0.4))
    shoulder = np.arctan2(y, x) - np.arctan2(0.4 * np.sin(elbow), 0.5 + 0.4 * np.cos(elbow))
    np.testing.assert_allclose(found.q, [shoulder, elbow], atol=1e-12)
    other = ts.robots.inverse_kinematics(TWO_BARS, "tool", [x, y, 0], {"q2": -0.5})
    assert other.q[1] == pytest.approx(-elbow, abs=1e-12)


def test_a_pose_of_the_puma_is_reached_from_rest():
    f = ts.compile(PUMA)
    X = f.pose("wrist", list(START.values()))
    found = ts.robots.inverse_kinematics(PUMA, "wrist", X)
    np.testing.assert_allclose(f.pose("wrist", found.q), X, atol=1e-12)


def test_what_the_point_leaves_free_goes_to_the_middle_of_the_limits():
    chain = "RZ(q1,-1,0.5), TXK(0.5), RZ(q2,-2,2), TXK(0.4), RZ(q3,-1,2), TXK(0.3);"
    found = ts.robots.inverse_kinematics(chain, "tool", [0.5, 0.5, 0])
    f = ts.compile(chain)
    J = f.jacobian("tool", found.q)[3:]
    free = np.linalg.svd(J)[2][-1]
    assert abs(free @ (np.array([-0.25, 0, 0.5]) - found.q)) < 1e-5  # nothing left to gain
    assert (found.q >= [-1, -2, -1]).all() and (found.q <= [0.5, 2, 2]).all()


def test_what_the_point_leaves_free_comes_near_to_what_is_preferred():
    chain, goal = "RZ(q1), TXK(0.5), RZ(q2), TXK(0.4), RZ(q3), TXK(0.3);", [0.5, 0.5, 0]
    f = ts.compile(chain)
    for angle in ("60 deg", "-20 deg"):
        found = ts.robots.inverse_kinematics(chain, "tool", goal, {"q2": 1}, prefer={"q1": angle})
        assert found.coordinates["q1"] == pytest.approx(np.radians(float(angle[:-4])), abs=1e-6)
        np.testing.assert_allclose(f.point("tool", found.q), goal, atol=1e-12)
    far = ts.robots.inverse_kinematics(chain, "tool", goal, prefer={"q1": 3.0}).coordinates["q1"]
    # the other two bars are stretched at most, by the law of cosines
    most = np.pi / 4 + np.arccos((0.25 + 0.5 - 0.49) / (2 * 0.5 * np.sqrt(0.5)))
    assert far == pytest.approx(most, abs=1e-4)
    with pytest.raises(ts.ModelError, match='coordinate "q9" does not exist'):
        ts.robots.inverse_kinematics(chain, "tool", goal, prefer={"q9": 0})


SEVEN = (
    "RZ(q1,-2.9,2.9), TZK(0.33), RY(q2,-1.7,1.7), TZK(0.32), RZ(q3,-2.9,2.9), TXK(0.08), "
    "RY(q4,-3.0,-0.07), TZK(0.38), RZ(q5,-2.9,2.9), RY(q6,0,3.7), TXK(0.09), RZ(q7,-2.9,2.9), "
    "TZK(0.2);"
)


def test_an_arm_of_seven_joints_reaches_every_pose_it_can_take():
    f = ts.compile(SEVEN)
    low = np.array([-2.9, -1.7, -2.9, -3.0, -2.9, 0, -2.9])
    high = np.array([2.9, 1.7, 2.9, -0.07, 2.9, 3.7, 2.9])
    poses = f.pose("tool", np.random.default_rng(0).uniform(low, high, (60, 7)))
    found = ts.robots.inverse_kinematics(f, "tool", poses)
    assert found.reached.all()
    np.testing.assert_allclose(f.pose("tool", found.q), poses, atol=1e-12)
    assert ((found.q >= low) & (found.q <= high)).all()
    for k in (0, 31):  # a target alone has the bits of a batch
        alone = ts.robots.inverse_kinematics(f, "tool", poses[k])
        np.testing.assert_array_equal(alone.q, found.q[k])
        free = np.linalg.svd(f.jacobian("tool", alone.q))[2][-1]
        at_limit = (alone.q <= low + 1e-9) | (alone.q >= high - 1e-9)
        if not at_limit.any():
            assert abs(free @ ((low + high) / 2 - alone.q)) < 1e-4  # nothing left to gain


def test_many_points_say_which_are_reached():
    points = np.array([[0.5, 0.3, 0], [2.0, 0, 0], [0.2, -0.6, 0]])
    found = ts.robots.inverse_kinematics(TWO_BARS, "tool", points)
    np.testing.assert_array_equal(found.reached, [True, False, True])
    assert np.linalg.norm(found.residual[1]) == pytest.approx(1.1, abs=1e-6)  # stretched: 0.9
    reached = ts.compile(TWO_BARS).point("tool", found.q)
    np.testing.assert_allclose(reached[[0, 2]], points[[0, 2]], atol=1e-12)


def test_ball_joints_turn_to_a_pose_half_a_turn_away():
    arm = ts.load({
        "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}, "b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {
            "A": {"type": "spherical", "bodies": ["ground", "a"]},
            "B": {"type": "spherical", "bodies": ["a", "b"], "point": [[0.5, 0, 0], [0, 0, 0]]},
        },
        "frames": {"tool": {"body": "b", "position": [0.4, 0, 0]}},
    })  # fmt: skip
    f = ts.compile(arm)
    goal = np.eye(4)
    goal[:3, :3] = np.diag([-1.0, -1.0, 1.0])  # half a turn about z
    goal[:3, 3] = [-0.4, 0.3, 0.4]
    found = ts.robots.inverse_kinematics(arm, "tool", goal)
    np.testing.assert_allclose(f.pose("tool", found.q), goal, atol=1e-9)
    assert np.linalg.norm(found.q[:4]) == pytest.approx(1, abs=1e-12)


def test_a_target_out_of_reach_says_how_far_and_what_holds_it():
    with pytest.raises(ts.SolveError) as error:
        ts.robots.inverse_kinematics(TWO_BARS, "tool", [2, 0, 0])
    assert '"tool" stays 1.1' in str(error.value)
    limited = "RZ(q1,-0.5,0.5), TXK(0.5);"
    with pytest.raises(ts.SolveError, match="at their limits: q1"):
        ts.robots.inverse_kinematics(limited, "tool", [0, 0.5, 0])


def test_loops_stay_closed_while_a_point_is_brought_somewhere():
    four_bar = ts.load("src/torseur/examples/four_bar.yaml")
    f, start = ts.compile(four_bar), ts.assemble(four_bar)
    goal = f.point("P", ts.assemble(four_bar, {"alpha": 0.4}).q)
    found = ts.robots.inverse_kinematics(four_bar, "P", goal, start.coordinates)
    np.testing.assert_allclose(f.point("P", found.q), goal, atol=1e-9)
    assert abs(f.closure_gap(found.q)).max() < 1e-9


# --- tools --------------------------------------------------------------------------------------


def test_a_tool_on_a_line_stays_on_it_and_turns_about_one_axis():
    f = ts.compile(PUMA)
    X = f.pose("wrist", list(START.values()))
    goal = X.copy()
    goal[:3, 3] += [-0.1, 0.05, -0.1]
    goal[:3, :3] = X[:3, :3] @ ts.attitude.rodrigues(np.array([0, 0, 1.0]), 0.7)
    path = ts.robots.line(PUMA, "wrist", goal, 1.0, START)
    poses = f.pose("wrist", path.q())
    away = np.cross(poses[:, :3, 3] - X[:3, 3], [-0.1, 0.05, -0.1]) / 0.15
    assert abs(away).max() < 1e-6
    turns = np.einsum("ji,kjl->kil", X[:3, :3], poses[:, :3, :3])
    np.testing.assert_allclose(turns[:, 2, 2], 1, atol=1e-6)  # z of the tool stays
    tau = 0.3
    s = 10 * tau**3 - 15 * tau**4 + 6 * tau**5
    R = X[:3, :3].T @ f.pose("wrist", path.q(0.3))[:3, :3]
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(0.7 * s, abs=1e-6)  # slerp
    np.testing.assert_allclose(poses[-1], goal, atol=1e-9)
    h = 1e-5
    np.testing.assert_allclose(
        (path.q(0.4 + h) - path.q(0.4 - h)) / (2 * h), path.v(0.4), atol=1e-6
    )


def test_a_tool_on_a_circle_comes_back_with_its_orientation_kept():
    f = ts.compile(PUMA)
    X = f.pose("wrist", list(START.values()))
    centre = X[:3, 3] + [-0.1, 0, 0]
    path = ts.robots.circle(PUMA, "wrist", centre, [0, 0, 1], 2.0, START, orientation="kept")
    poses = f.pose("wrist", path.q())
    np.testing.assert_allclose(np.linalg.norm(poses[:, :3, 3] - centre, axis=1), 0.1, atol=1e-6)
    np.testing.assert_allclose(poses[:, :3, :3], np.tile(X[:3, :3], (len(poses), 1, 1)), atol=1e-6)
    np.testing.assert_allclose(path.q()[-1], path.q()[0], atol=1e-8)


def test_a_line_that_leaves_the_workspace_says_when():
    with pytest.raises(ts.SolveError, match=r"t = 0\.\d+ s"):
        ts.robots.line(TWO_BARS, "tool", [2, 0, 0], 1.0, {"q2": 1.0})
