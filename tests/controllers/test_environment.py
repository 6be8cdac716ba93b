"""Environments of gymnasium: a policy moves a mechanism as a stepper does."""

from importlib.resources import files

import numpy as np
import pytest

import torseur as ts

gymnasium = pytest.importorskip("gymnasium")


def upright(t, q, v, forces):
    return np.cos(q[1]) - 0.001 * forces[0] ** 2


@pytest.fixture(scope="module")
def pole():
    return ts.compile(ts.load(files("torseur.examples") / "cart_pole.yaml"))


def made(pole, **more):
    given = {"saturation": 20.0, "spread": {"theta": 0.2, "x.": 0.1}, "duration": 0.5}
    return ts.control.environment(pole, upright, **(given | more))


def test_the_checker_of_gymnasium_finds_nothing(pole):
    from gymnasium.utils.env_checker import check_env

    check_env(made(pole), skip_render_check=True)


def test_spaces_have_the_limits_of_joints_and_the_bounds_of_inputs():
    arm = ts.load({
        "bodies": {"rod": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z",
                         "coordinate": "a", "limits": [-1, 2], "effort": 5}},
    })  # fmt: skip
    env = ts.control.environment(arm, lambda t, q, v, u: 0.0, sample=0.1)
    assert (env.action_space.low, env.action_space.high) == (-5, 5)
    assert env.observation_space.low.tolist() == [-1, -np.inf]
    env.reset(options={"initial": {"a": 1.95, "a.": 1.0}})
    seen, _, over, late, told = env.step([7.0])
    assert over and not late and seen[0] == 2 and told["forces"] == 5


def test_steps_of_an_environment_are_those_of_a_stepper_and_follow_the_seed(pole):
    env = made(pole)
    first, _ = env.reset(seed=4)
    other, _ = env.reset(seed=5)
    again, _ = env.reset(seed=4)
    assert (first == again).all() and (first != other).any()
    stepper = ts.Stepper(pole, 0.02, rtol=1e-6).reset(dict(zip(("x", "theta", "x.", "theta."),
                                                                first, strict=True)))  # fmt: skip
    for force in (3.0, -50.0):
        seen, reward, over, _, _ = env.step(np.array([force]))
        stepper.step(np.clip(force, -20, 20))
        assert (seen == [*stepper.q, *stepper.v]).all() and not over
    assert reward == upright(0, stepper.q, stepper.v, [-20.0])


def test_an_episode_ends_in_time_or_where_it_is_said_to_be_over(pole):
    env = made(pole, over=lambda t, q, v: abs(q[1]) > 0.5, duration=0.06)
    env.reset(seed=1)
    late = [env.step([0.0])[3] for _ in range(3)]
    assert late == [False, False, True]
    env.reset(options={"initial": {"theta": 0.51, "theta.": 1.0}})
    assert env.step([0.0])[2]
    with pytest.raises(ts.ModelError, match="angle"):
        made(pole, spread={"angle": 1})


# --- many copies at once --------------------------------------------------------------------------


def uprights(t, q, v, forces):
    return np.cos(q[:, 1]) - 0.001 * forces[:, 0] ** 2


def copies_of(mechanism, count, reward=uprights, **more):
    return ts.control.environments(mechanism, reward, count, **({"saturation": 20.0} | more))


def test_copies_in_lanes_move_as_one_environment_does(pole):
    one, many = made(pole, spread={}), copies_of(pole, 5, duration=0.5)
    one.reset(), many.reset(seed=1)
    for k in range(20):
        seen, reward, _, late, _ = one.step([3.0 * (-1) ** k])
        all_seen, rewards, lost, all_late, _ = many.step(np.full((5, 1), 3.0 * (-1) ** k))
        np.testing.assert_allclose(all_seen, np.tile(seen, (5, 1)), atol=1e-12)
        np.testing.assert_allclose(rewards, reward, atol=1e-12)
        assert not lost.any() and (all_late == late).all()


def test_copies_differ_by_their_spread_and_follow_the_seed(pole):
    many = copies_of(pole, 4, spread={"theta": 0.2})
    first, _ = many.reset(seed=3)
    again, _ = many.reset(seed=3)
    np.testing.assert_array_equal(first, again)
    middle = copies_of(pole, 1).reset(seed=1)[0][0, 1]
    assert len(set(first[:, 1].tolist())) == 4 and np.abs(first[:, 1] - middle).max() <= 0.2


def test_a_copy_whose_episode_is_over_starts_anew_in_the_next_step(pole):
    many = copies_of(pole, 3, over=lambda t, q, v: q[:, 0] > 0.01, spread={})
    start, _ = many.reset(seed=1)
    push = np.array([[20.0], [0.0], [-20.0]])
    ends = []
    for _ in range(8):
        seen, rewards, lost, _, text = many.step(push)
        ends.append(lost)
        if len(ends) > 1 and ends[-2][0]:
            np.testing.assert_array_equal(seen[0], start[0])
            assert rewards[0] == 0.0 and text["t"][0] == 0.0 and not lost[0]
    assert any(x[0] for x in ends) and not any(x[1] or x[2] for x in ends)


def test_copies_with_contacts_move_one_by_one():
    bob = ts.load(files("torseur.examples") / "pendulum_between_stops.yaml")
    many = copies_of(bob, 2, reward=lambda t, q, v, forces: q[:, 0])
    many.reset(seed=1)
    stepper = ts.Stepper(bob, 0.02, rtol=1e-6)
    for _ in range(15):
        seen, *_ = many.step(np.zeros((2, 1)))
        stepper.step([0.0])
    np.testing.assert_array_equal(seen, np.tile([*stepper.q, *stepper.v], (2, 1)))


def test_the_checker_of_gymnasium_accepts_the_spaces_of_copies(pole):
    many = copies_of(pole, 3)
    seen, _ = many.reset(seed=1)
    assert many.observation_space.contains(seen)
    assert many.action_space.contains(many.action_space.sample())
    assert many.single_observation_space.contains(seen[0])


def test_copies_are_counted_and_named_at_the_door(pole):
    with pytest.raises(ts.ModelError, match="at least 1"):
        copies_of(pole, 0)
    with pytest.raises(ts.ModelError, match="wings"):
        copies_of(pole, 2, spread={"wings": 1.0})
    many = copies_of(pole, 2)
    many.reset(seed=1)
    for actions, message in (
        ([1.0, 2.0, 3.0], "shape"), ([[np.nan], [0.0]], "finite"), ("push", "not numbers"),
    ):  # fmt: skip
        with pytest.raises(ts.ModelError, match=message):
            many.step(actions)
