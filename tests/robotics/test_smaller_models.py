"""Smaller models of robots: sizes of terms, what is left out, the error that is measured."""

import subprocess
from dataclasses import replace
from shutil import which

import numpy as np
import pytest

import torseur as ts

PUMA = ts.load("src/torseur/examples/puma560.yaml")
RIGID = replace(PUMA, motors={})  # as it was counted in 1986: no rotors, no friction
PICK_AND_PLACE = ts.robots.quintic(
    {"q1": [0, 1.2, 0], "q2": [0.3, 0.8, 0.3], "q3": [-2.5, -1.6, -2.5], "q4": [0, 0.5, 0],
     "q5": [0.5, 1.0, 0.5], "q6": [0, 1, 0]}, [0, 0.8, 1.6],
)  # fmt: skip
PUBLISHED = 305  # operations of the model of Armstrong, Khatib and Burdick (1986) at 1 %


@pytest.fixture(scope="module")
def small():
    return ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.01)


def test_the_terms_of_two_bars_are_those_of_their_matrices():
    chain = "RZ(q1), TXK(0.5), RZ(q2), TXK(0.4);"
    values = {name: 1.0 for name in ts.load(chain, masses="lever").parameters}
    task = ts.robots.quintic({"q1": [0, 1], "q2": [0, -0.7]}, [0, 1])
    mechanism = ts.load(chain, masses="lever")
    found = ts.robots.term_sizes(mechanism, task, parameters=values)
    f = ts.compile(mechanism, parameters=values)
    q, v, a = task.q(), task.v(), task.a()
    M = f.mass_matrix(q)
    sizes = {(x.equation, x.term): x.peak for x in found}
    assert sizes["q1", "q2.."] == pytest.approx(abs(M[:, 0, 1] * a[:, 1]).max(), rel=1e-12)
    assert sizes["q2", "gravity"] == pytest.approx(abs(f.gravity(q)[:, 1]).max(), rel=1e-12)
    # h₂ of two bars is ½ (∂M₁₁/∂q₂ …) q̇₁²: no other product of speeds
    assert sizes["q2", "q1.^2"] == pytest.approx(abs(f.bias(q, v)[:, 1]).max(), rel=1e-9)
    assert ("q2", "q1. q2.") not in {k for k, x in sizes.items() if x > 1e-12}
    assert found.peaks["q1"] == pytest.approx(abs(f.inverse_dynamics(q, v, a)[:, 0]).max())


def test_the_reduced_puma_costs_less_than_the_published_one_at_one_part_in_a_hundred(small):
    assert small.operations.total <= 180
    rigid = ts.robots.reduced(RIGID, PICK_AND_PLACE, 0.01)
    assert rigid.operations.total <= 240 < PUBLISHED
    assert max(small.error, rigid.error) <= 0.01


def test_the_error_of_a_smaller_model_is_the_one_that_is_told(small):
    path = PICK_AND_PLACE
    q, v, a = path.q(), path.v(), path.a()
    full = ts.compile(PUMA).inverse_dynamics(q, v, a)
    error = abs(small.inverse_dynamics(q, v, a) - full).max(axis=0) / abs(full).max(axis=0)
    np.testing.assert_allclose(list(small.errors.values()), error, atol=1e-9)
    assert len(small.dropped) > 50
    assert max(x.share for x in small.dropped) <= 0.01
    between = path.sampled(997.0)  # instants that were not looked at
    q, v, a = between.q(), between.v(), between.a()
    full = ts.compile(PUMA).inverse_dynamics(q, v, a)
    off = abs(small.inverse_dynamics(q, v, a) - full).max(axis=0) / abs(full).max(axis=0)
    assert off.max() < 0.011


def test_a_tolerance_of_nothing_leaves_the_model_as_it_is():
    same = ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.0)
    assert same.operations == same.full
    assert same.error == 0
    assert same.dropped == ()


def test_without_velocity_terms_the_forces_are_those_of_inertia_weight_and_friction():
    made = ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.0, velocity_terms=False)
    f = ts.compile(PUMA)
    q, v, a = (x()[40] for x in (PICK_AND_PLACE.q, PICK_AND_PLACE.v, PICK_AND_PLACE.a))
    expected = f.mass_matrix(q) @ a + f.gravity(q) - f.applied(q, v)
    np.testing.assert_allclose(made.inverse_dynamics(q, v, a), expected, rtol=1e-10)
    assert 0.05 < made.error < 0.2  # the report of 1980 says up to 20 %


def test_an_arm_with_a_frozen_wrist_has_the_forces_of_the_held_posture():
    wrist = ("q4", "q5", "q6")
    made = ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.0, frozen=wrist)
    f = ts.compile(PUMA)
    q, v, a = (x()[40] for x in (PICK_AND_PLACE.q, PICK_AND_PLACE.v, PICK_AND_PLACE.a))
    held = np.concatenate([q[:3], PICK_AND_PLACE.q()[:, 3:].mean(axis=0)])
    still = np.array([1, 1, 1, 0, 0, 0])
    arm = f.inverse_dynamics(held, v * still, a * still)[:3]
    own = f.inverse_dynamics(q, v * (1 - still), a * (1 - still))[3:]
    np.testing.assert_allclose(made.inverse_dynamics(q, v, a), [*arm, *own], rtol=1e-9)
    assert made.error < 0.05


TWO_POINTS = {
    "name": "two points",
    "gravity": [0, -9.81, 0],
    "bodies": {
        "upper": {"mass": 3, "centre": [0.5, 0, 0]},
        "lower": {"mass": 2, "centre": [0.4, 0, 0]},
    },
    "joints": {
        "O": {"type": "revolute", "bodies": ["ground", "upper"], "axis": "z", "coordinate": "q1"},
        "A": {
            "type": "revolute", "bodies": ["upper", "lower"], "axis": "z", "coordinate": "q2",
            "point": [[0.5, 0, 0], [0, 0, 0]],
        },
    },
    "forces": {"oil": {"type": "torsion damper", "joint": "A", "damping": 0.7}},
}  # fmt: skip


def test_terms_that_one_chooses_are_left_out_of_their_equation_and_of_no_other():
    task = ts.robots.quintic({"q1": [0.2, 1], "q2": [0.3, -0.7]}, [0, 1])
    chosen = [("q1", "q2. q1."), ("q2", "gravity"), ("q2", "q1.."), ("q1", "q2.^2")]
    made = ts.robots.reduced(TWO_POINTS, task, 0.0, without=chosen)
    (q1, q2), (v1, v2), (a1, a2) = (x()[30] for x in (task.q, task.v, task.a))
    m1, m2, l1, l2, g = 3, 2, 0.5, 0.4, 9.81
    k, s = m2 * l1 * l2 * np.cos(q2), m2 * l1 * l2 * np.sin(q2)
    # − 2 s q̇₁ q̇₂ and − s q̇₂² of the first, (m₂ l₂² + k) q̈₁ and m₂ g l₂ cos(q₁ + q₂) of the second
    weight = (m1 + m2) * g * l1 * np.cos(q1) + m2 * g * l2 * np.cos(q1 + q2)
    first = ((m1 + m2) * l1**2 + m2 * l2**2 + 2 * k) * a1 + (m2 * l2**2 + k) * a2 + weight
    second = m2 * l2**2 * a2 + s * v1**2 + 0.7 * v2
    found = made.inverse_dynamics([q1, q2], [v1, v2], [a1, a2])
    np.testing.assert_allclose(found, [first, second], rtol=1e-12)
    assert {(x.equation, x.term) for x in made.dropped} == {
        ("q1", "q1. q2."), ("q2", "gravity"), ("q2", "q1.."), ("q1", "q2.^2")
    }  # fmt: skip
    sizes = {(x.equation, x.term): x.share for x in ts.robots.term_sizes(TWO_POINTS, task)}
    for x in made.dropped:
        assert x.share == pytest.approx(sizes[x.equation, x.term], rel=1e-9)


def test_what_is_small_in_the_table_of_sizes_can_be_left_out_at_once():
    f, sizes = ts.compile(PUMA), ts.robots.term_sizes(PUMA, PICK_AND_PLACE)
    small = sizes.below(0.01)
    made = ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.0, without=small)
    assert made.operations.total < made.full.total
    q, v, a = PICK_AND_PLACE.q(), PICK_AND_PLACE.v(), PICK_AND_PLACE.a()
    full = f.inverse_dynamics(q, v, a)
    off = abs(made.inverse_dynamics(q, v, a) - full).max(axis=0) / abs(full).max(axis=0)
    np.testing.assert_allclose(list(made.errors.values()), off, atol=1e-9)
    # no more than all that was left out of an equation, were it largest at one instant
    for name, error in made.errors.items():
        assert error <= sum(x.share for x in small if x.equation == name) + 1e-12


def test_terms_are_left_out_beside_the_velocity_terms():
    k = 40
    chosen = [("q1", "applied"), ("q2", "gravity"), ("q3", "q1.^2")]
    made = ts.robots.reduced(PUMA, PICK_AND_PLACE, 0.0, velocity_terms=False, without=chosen)
    f = ts.compile(PUMA)
    q, v, a = (x()[k] for x in (PICK_AND_PLACE.q, PICK_AND_PLACE.v, PICK_AND_PLACE.a))
    weight, applied = f.gravity(q), f.applied(q, v)
    weight[1] = applied[0] = 0
    expected = f.mass_matrix(q) @ a + weight - applied
    np.testing.assert_allclose(made.inverse_dynamics(q, v, a), expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (("q7", "q1.."), 'reduced: equation "q7" does not exist.'),
        (("q1", "weight"), 'reduced: term "weight" does not exist.'),
    ],
)
def test_a_term_that_is_not_there_is_told(chosen, told):
    with pytest.raises(ts.ModelError) as caught:
        ts.robots.reduced(PUMA, PICK_AND_PLACE, without=[chosen])
    assert str(caught.value).startswith(told)
    assert "Known " in str(caught.value)


def test_over_a_workspace_the_model_is_a_little_larger_and_serves_every_state_looked_at():
    anywhere = ts.robots.anywhere(PUMA, 2.0, 4.0, samples=200)
    made = ts.robots.reduced(PUMA, anywhere, 0.01)
    assert made.error <= 0.01
    assert made.operations.total < PUBLISHED


def test_a_smaller_model_is_exported_like_any_other(small, tmp_path):
    files = small.export("numpy", tmp_path)
    space = {}
    exec(files[0].read_text(encoding="utf-8"), space)
    q, v, a = (x()[40] for x in (PICK_AND_PLACE.q, PICK_AND_PLACE.v, PICK_AND_PLACE.a))
    constants = space["inverse_dynamics_constants"](np.zeros(0))
    found = space["inverse_dynamics"](constants, q, v, a)
    np.testing.assert_allclose(found, small.inverse_dynamics(q, v, a), rtol=1e-10)
    assert "operations" in small.text().lower()


@pytest.mark.skipif(which("cc") is None, reason="no C compiler")
def test_a_smaller_model_in_c_compiles(small, tmp_path):
    small.export("c", tmp_path)
    call = ["cc", "-std=c99", "-Wall", "-Werror", "-c", "puma560_reduced.c"]
    subprocess.run(call, cwd=tmp_path, check=True)


def test_a_linkage_is_refused():
    path = ts.robots.quintic({"alpha": [0, 1]}, [0, 1])
    with pytest.raises(ts.ModelError):
        ts.robots.reduced("src/torseur/examples/four_bar.yaml", path)


STANFORD = ts.load("src/torseur/examples/stanford_arm.yaml")
TURN = ts.robots.quintic(
    {f"q{k}": [0.1 * k, 0.8 - 0.2 * k, -0.3] for k in range(1, 7)}, [0, 0.8, 1.6]
)


@pytest.mark.parametrize("robot", [PUMA, RIGID, STANFORD], ids=["puma", "rigid", "stanford"])
@pytest.mark.parametrize("tolerance", [0.0, 0.01])
def test_a_smaller_model_is_never_larger_than_the_whole(robot, tolerance):
    for frozen in (("q4", "q5", "q6"), ("q6",), ("q1",)):
        made = ts.robots.reduced(robot, TURN, tolerance, frozen=frozen)
        assert made.operations.total <= made.full.total, frozen
    made = ts.robots.reduced(robot, TURN, tolerance, velocity_terms=False)
    assert made.operations.total <= made.full.total


def test_chosen_terms_that_save_nothing_are_kept_or_said_to_save_nothing():
    small = ts.robots.term_sizes(STANFORD, TURN).below(0.001)
    exact = ts.robots.reduced(STANFORD, TURN, 0.0, without=small)
    assert exact.operations.total > exact.full.total
    assert "saves nothing: the whole model is shorter" in str(exact)
    some = ts.robots.anywhere(STANFORD, 2.0, 4.0, samples=200)
    many = ts.robots.term_sizes(STANFORD, some).below(0.01)
    pruned = ts.robots.reduced(STANFORD, some, 0.01, without=many)
    assert pruned.operations.total < pruned.full.total
    assert pruned.error <= 0.01


def test_a_frozen_wrist_is_one_body_with_the_link_that_carries_it():
    """Its forces are those of the arm with that posture, in fewer operations than the whole arm."""
    wrist = ("q4", "q5", "q6")
    made = ts.robots.reduced(STANFORD, TURN, 0.0, frozen=wrist)
    assert made.operations.total < made.full.total
    f, held = ts.compile(STANFORD), TURN.q().copy()
    held[:, 3:] = held[:, 3:].mean(axis=0)
    still = np.array([1, 1, 1, 0, 0, 0])
    arm = f.inverse_dynamics(held, TURN.v() * still, TURN.a() * still)[:, :3]
    found = made.inverse_dynamics(TURN.q(), TURN.v(), TURN.a())[:, :3]
    np.testing.assert_allclose(found, arm, atol=1e-9 * abs(arm).max())


@pytest.mark.parametrize("robot", [PUMA, STANFORD], ids=["puma", "stanford"])
def test_the_error_anywhere_holds_at_states_that_were_not_looked_at(robot):
    made = ts.robots.reduced(robot, ts.robots.anywhere(robot, 2.0, 4.0), 0.05)
    assert made.error <= 0.05
    chance = np.random.default_rng(7)
    q = ts.robots.anywhere(robot, 2.0, 4.0, samples=20_000).q
    v, a = (size * chance.choice([-1.0, 1.0], q.shape) for size in (2.0, 4.0))
    full = ts.compile(robot).inverse_dynamics(q, v, a)
    off = abs(made.inverse_dynamics(q, v, a) - full).max(axis=0) / abs(full).max(axis=0)
    assert off.max() < 1.2 * made.error  # the largest of so many, once more
