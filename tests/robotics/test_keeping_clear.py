"""Robots that keep clear: whole paths, postures and plans, against closed-form distances."""

from itertools import pairwise

import numpy as np
import pytest
from arm_scenes import arm, ball_distance, own_distance

import torseur as ts

BALL, SIZE = np.array([0.7, 0.5, 0.0]), 0.1
SCENE = arm({"ball": ({"sphere": {"radius": SIZE}}, BALL)})
POINTS = {"q1": [-1.2, 0.2, 1.5], "q2": [0.9, -0.4, 0.8], "q3": [0.3, 0.7, -0.5]}


def distance(q):
    """The least distance in the scene, which shares no code with Torseur's."""
    return min(ball_distance(q, BALL, SIZE), own_distance(q))


def densely(points, count):
    """Rows along straight lines through points."""
    q, s = np.array(list(points.values())).T, np.linspace(0, 1, count)[:, None]
    return np.concatenate([a + s * (b - a) for a, b in pairwise(q)])


# --- whole paths ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_least_distance_of_a_path_is_that_of_dense_samples(seed):
    random = np.random.default_rng(seed)
    points = {f"q{k}": random.uniform(-1.5, 1.5, 4).tolist() for k in (1, 2, 3)}
    found = ts.robots.path_clearance(SCENE, points, tolerance=1e-4)
    dense = min(distance(q) for q in densely(points, 400))
    if dense < -0.1:
        assert found.distance < 0  # depths of capsules that cross are another question
    else:
        assert found.distance - 1e-4 <= dense <= found.distance + 2e-3
    at = distance(np.array([found.coordinates[f"q{k}"] for k in (1, 2, 3)]))
    assert at == pytest.approx(found.distance, abs=1e-9) or at < 0
    assert found.samples < 3000


def test_nothing_slips_through_between_samples():
    """A thin rod passes a pin of 1 mm at full speed: every 100th of the path is far from it."""
    pin = arm({"pin": ({"sphere": {"radius": 5e-4}}, [1.1, 0.0, 0.0])}, links=3)
    course = ts.robots.quintic({"q1": [-1.5, 1.4]}, [0, 1])
    rows = np.zeros((100, 3))
    rows[:, 0] = course.q(np.linspace(0, 1, 100))[:, 0]
    assert ts.robots.path_clearance(pin, course).distance < 0
    samples = [q for q in rows if ts.robots.collisions(pin, q)]
    assert len(samples) < 10
    found = ts.robots.path_clearance(pin, course, pairs=[("link1", "pin")])
    assert (found.first, found.second) == ("link1", "pin")
    assert found.distance == pytest.approx(1.1 - 0.45 - 5e-4, abs=1e-4)


def test_a_trajectory_that_bends_is_bounded_between_samples():
    path = ts.robots.spline(POINTS, [0, 1, 2])
    found = ts.robots.path_clearance(SCENE, path)
    dense = np.array([distance(q) for q in path.q(np.linspace(0, 2, 2000))])
    assert found.distance - 1e-4 <= dense.min() <= found.distance + 1e-3
    assert found.t == pytest.approx(2 * dense.argmin() / 1999, abs=5e-3)
    assert "between link" in str(found)


def test_coordinates_of_a_coupling_follow_and_others_rest():
    text = {"constraints": {"C": {"type": "relation", "zero": "q3 + 2*q2 - 0.3"}}}
    coupled = arm({"ball": ({"sphere": {"radius": SIZE}}, BALL)}, **text)
    found = ts.robots.path_clearance(coupled, {"q2": [-0.6, 0.8]}, at={"q1": 0.2})
    q2 = np.linspace(-0.6, 0.8, 1000)
    rows = np.column_stack([np.full(1000, 0.2), q2, 0.3 - 2 * q2])
    assert found.distance == pytest.approx(min(map(distance, rows)), abs=1e-3)
    assert found.coordinates["q3"] == pytest.approx(0.3 - 2 * found.coordinates["q2"])


# --- postures ------------------------------------------------------------------------------------

TARGET = [0.85, 0.25, 0.0]
BLOCK = {"block": ({"sphere": {"radius": 0.1}}, [0.45, -0.05, 0.0])}


def tip(q):
    return sum(0.4 * np.array([np.cos(a), np.sin(a), 0]) for a in np.cumsum(q))


def of_block(q):
    return min(ball_distance(q, np.array(BLOCK["block"][1]), 0.1), own_distance(q))


def test_a_posture_keeps_clear_of_an_obstacle():
    scene = arm(BLOCK)
    plain = ts.robots.inverse_kinematics(scene, "tool", TARGET)
    assert of_block(plain.q) < 0 and plain.distance is None
    for clear in (0.0, 0.01, 0.03):
        found = ts.robots.inverse_kinematics(scene, "tool", TARGET, clear=clear)
        np.testing.assert_allclose(tip(found.q), TARGET, atol=1e-8)
        assert of_block(found.q) == pytest.approx(found.distance, abs=1e-9)
        assert found.distance >= clear and set(found.pair) <= {"link1", "link2", "link3", "block"}


def test_a_push_leaves_the_target_where_it_is_from_the_guess():
    """From a guess just inside the obstacle the posture is pushed, and no other start is needed."""
    scene, near = arm(BLOCK), {"q1": 0.62, "q2": -0.9, "q3": 0.9}
    target = tip(np.array(list(near.values())))
    found = ts.robots.inverse_kinematics(scene, "tool", target, near, prefer=near, clear=0.05)
    assert of_block(found.q) >= 0.05
    assert np.abs(found.q - list(near.values())).max() < 1.0


def test_of_many_targets_each_says_whether_it_is_reached_clear():
    targets = np.array([TARGET, [0.45, -0.05, 0], [3.0, 0, 0], [-0.5, 0.7, 0]])
    found = ts.robots.inverse_kinematics(arm(BLOCK), "tool", targets, clear=0.01)
    np.testing.assert_array_equal(found.reached, [True, False, False, True])
    for q, gap in zip(found.q[[0, 3]], found.distance[[0, 3]], strict=True):
        assert of_block(q) == pytest.approx(gap, abs=1e-9)
    assert "block" in found.pairs[1]  # the tool would be in it


def test_a_posture_of_a_coupled_arm_keeps_clear_with_its_coupling():
    text = {"constraints": {"C": {"type": "relation", "zero": "q4 + q3"}}}
    scene = arm(BLOCK, axes="zzzz", **text)
    found = ts.robots.inverse_kinematics(scene, "tool", [0.9, 0.5, 0], clear=0.02)
    assert found.q[3] == pytest.approx(-found.q[2], abs=1e-9)
    np.testing.assert_allclose(tip(found.q), [0.9, 0.5, 0], atol=1e-8)
    assert ball_distance(found.q, np.array(BLOCK["block"][1]), 0.1) >= 0.02 - 1e-12


def test_a_target_inside_an_obstacle_is_explained():
    with pytest.raises(ts.SolveError, match=r"link3 and block are .* deep in each other") as error:
        ts.robots.inverse_kinematics(arm(BLOCK), "tool", [0.45, -0.05, 0], clear=0.01)
    assert "keeps clear" in str(error.value)
    with pytest.raises(ts.ModelError, match="0 or more"):
        ts.robots.inverse_kinematics(arm(BLOCK), "tool", TARGET, clear=-1)
    with pytest.raises(ts.ModelError, match="shape"):
        ts.robots.inverse_kinematics("puma560", "wrist", [0.4, 0.2, 0.3], clear=0.01)


# --- plans ---------------------------------------------------------------------------------------

WALL = {f"post{k}": ({"sphere": {"radius": 0.12}}, [0.75, 0.0, 0.1 * k]) for k in (-1, 0, 1)}
START, GOAL = {"q1": -0.9, "q2": 0.3, "q3": 0.2}, {"q1": 0.9, "q2": -0.3, "q3": -0.2}


@pytest.fixture(scope="module")
def planned():
    return ts.robots.clear_path(arm(WALL), START, GOAL, clearance=0.02)


def of_wall(q):
    balls = (ball_distance(q, np.array([0.75, 0, 0.1 * k]), 0.12) for k in (-1, 0, 1))
    return min(*balls, own_distance(q))


def test_a_plan_leads_around_obstacles(planned):
    line = ts.robots.path_clearance(arm(WALL), {k: [START[k], GOAL[k]] for k in START})
    assert line.distance < 0
    ends = planned.points[[0, -1]]
    np.testing.assert_array_equal(ends, [list(START.values()), list(GOAL.values())])
    assert min(map(of_wall, densely(planned.path, 500))) > 0.02
    assert planned.least.distance > 0.02


def test_the_trajectory_of_a_plan_and_its_fastest_motion_keep_clear(planned):
    model, path = arm(WALL), planned.trajectory
    rounded = path.q(np.linspace(0, path.duration, 2000))
    assert min(map(of_wall, rounded)) > 0.02
    fast = ts.robots.time_optimal(model, path, torque=50.0, speed=2.0)
    found = ts.robots.path_clearance(model, fast.trajectory)
    assert found.distance > 0.02 - 1e-4
    assert fast.duration < path.duration


def test_the_same_seed_gives_the_same_plan(planned):
    again = ts.robots.clear_path(arm(WALL), START, GOAL, clearance=0.02)
    np.testing.assert_array_equal(again.points, planned.points)


def test_a_plan_without_obstacles_in_between_is_a_line():
    found = ts.robots.clear_path(SCENE, {"q1": -1.5}, {"q1": -1.0})
    assert len(found.points) == 2 and "2 points" in str(found)
    assert found.trajectory.duration > 0


@pytest.mark.parametrize(("call", "message"), [
    (dict(start={"q1": 0.6}, goal=GOAL), r"start: link\d and ball are .* deep in each other"),
    (dict(start=START, goal={"q1": 0.6}), r"goal: link\d and ball"),
    (dict(start=START, goal={"q1": 1.7}, budget=3), "no path was found with"),
    (dict(start=START, goal=GOAL, clearance=-1), "0 or more"),
    (dict(start={"q1": 9}, goal=GOAL), "outside of its limits"),
    (dict(start=START, goal=GOAL, moving=["q1"]), '"q2" does not move'),
    (dict(start=START, goal=GOAL, moving=["q9"]), "q9"),
    (dict(start=START, goal=GOAL, pairs=[("link1", "hand")]), "hand"),
])  # fmt: skip
def test_plans_that_cannot_be_are_explained(call, message):
    with pytest.raises((ts.ModelError, ts.SolveError), match=message):
        ts.robots.clear_path(SCENE, **call)


def test_loops_that_bend_a_path_are_refused():
    with pytest.raises(ts.ModelError, match="its loops bend the path"):
        ts.robots.clear_path("four_bar", {}, {})


def test_a_plan_moves_the_leader_of_a_coupling_and_keeps_a_free_base_in_its_place():
    finger = {"capsule": {"radius": 0.02, "length": 0.3, "axis": "x"}}
    bodies = {name: {"mass": 1, "collision": [{"shape": finger, "position": [0.2, 0, 0]}]}
              for name in ("left", "right")}  # fmt: skip
    joints = {name: {"type": "pivot", "bodies": ["base", name], "axis": "z", "coordinate": name[0],
                     "point": [[0, side, 0], [0, 0, 0]]}
              for name, side in (("left", 0.1), ("right", -0.1))}  # fmt: skip
    gripper = ts.load({
        "name": "gripper",
        "bodies": {"base": {"mass": 1}, **bodies},
        "joints": {"F": {"type": "free", "bodies": ["ground", "base"]}, **joints},
        "constraints": {"mimic": {"type": "relation", "zero": "r + l"}},
    })  # fmt: skip
    found = ts.robots.clear_path(gripper, {"l": 0.5}, {"l": -0.2}, clearance=0.01)
    assert found.names == ("l",)
    # the tips are nearest at the end: 0.35 m from the joints, 0.2 m apart
    expected = 0.2 - 2 * 0.35 * np.sin(0.2) - 2 * 0.02
    assert found.least.distance == pytest.approx(expected, abs=2e-3)
    with pytest.raises(ts.ModelError, match="goal: left and right"):
        ts.robots.clear_path(gripper, {"l": 0.5}, {"l": -0.4}, clearance=0.01)
    with pytest.raises(ts.ModelError, match="does not move"):
        ts.robots.clear_path(gripper, {"F_x": 0.0}, {"F_x": 1.0}, clearance=0.01)


def test_parameters_change_shapes_and_obstacles():
    model = arm(
        {"ball": ({"sphere": {"radius": "R"}}, ["2*R + 0.5", 0.5, 0])}, parameters={"R": 0.1}
    )
    for R in (0.1, 0.2):
        expected = ball_distance(np.zeros(3), np.array([2 * R + 0.5, 0.5, 0]), R)
        f = ts.compile(model).with_parameters(R=R)
        gaps = [f.distance(f"link{k}", "ball", np.zeros(3)) for k in (1, 2, 3)]
        assert min(gaps) == pytest.approx(expected, abs=1e-12)
        path = {"q1": [0.0, 0.05]}
        found = ts.robots.path_clearance(model, path, parameters={"R": R}, tolerance=1e-3)
        assert found.distance <= expected + 1e-3
