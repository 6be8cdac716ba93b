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
