"""A run that opens its loops or loses its energy is an error, never a result."""

import numpy as np
import pytest
from test_simulate import FOUR_BAR, GUESS

import torseur as ts
from torseur.simulation.run.run import Run
from torseur.simulation.run.watch import LOST, OPEN, check_run

PENDULUM = {
    "gravity": [0, -9.81, 0],
    "bodies": {"arm": {"mass": 1, "centre": [1, 0, 0], "inertia": [0, 0, 0.1]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"}},
}


def run_of(described, duration=1.0, **options):
    return ts.simulate(ts.load(described), duration, rate=50, **options)


def tampered(run, column, by):
    """The same run with one coordinate or speed moved, the more the later."""
    states = np.column_stack([run.q, run.v, run.work])
    states[:, column] += by * run.t
    return Run.of_states(run.model, run.t, states)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_sound_run_is_returned_as_it_is(coordinates):
    run = run_of(FOUR_BAR, initial=GUESS, coordinates=coordinates)
    assert check_run(run, 1e-9) is run
    assert not any("balance" in notice for notice in run.notices)


def test_a_run_whose_loop_opens_is_refused_with_the_joint_the_gap_and_the_instant():
    run = run_of(FOUR_BAR, initial=GUESS)
    check_run(tampered(run, 1, 0.1 * OPEN), 1e-9)
    with pytest.raises(ts.SolveError, match=r't = 1 s: "D" is open by 0\.0\d+ \(m or rad\)'):
        check_run(tampered(run, 1, 0.1), 1e-9)


def test_a_run_whose_energy_is_lost_is_refused_and_a_smaller_loss_is_told():
    run = run_of(PENDULUM)
    speed = run["O."][-1]
    with pytest.raises(ts.SolveError, match=r"t = \d\S* s: the balance of energy is off by 0\.\d+"):
        check_run(tampered(run, 1, 4 * LOST * speed), 1e-9)
    small = check_run(tampered(run, 1, 1e-4 * speed), 1e-9)
    assert any("balance of energy is off by" in notice for notice in small.notices)


def test_long_steps_of_fixed_length_lose_energy_with_a_notice():
    run = run_of(PENDULUM, 5.0, method="euler", step=0.02)
    assert run.energy_drift > 1e-3
    assert any("a shorter step makes it better" in notice for notice in run.notices)


def test_a_state_that_is_not_a_number_is_refused():
    run = run_of(PENDULUM)
    with pytest.raises(ts.SolveError, match="the state is not a number"):
        check_run(tampered(run, 0, np.nan), 1e-9)
