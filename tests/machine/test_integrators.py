"""Compiled integrators keep their order, find events, keep loops closed and stop when they must."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import DOP853
from scipy.special import ellipk

from torseur.algebra.core.expr import expression, symbol
from torseur.equations.functions.kernel import kernel
from torseur.errors import ModelError
from torseur.machine.evaluator import kernel_code
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import driven, integrate
from torseur.machine.integrators.methods import RK4, Dop853, Radau
from torseur.machine.integrators.motion_memory import MotionMemory
from torseur.machine.integrators.problem import Events, Problem, entry

LOOSE = 1e6  # a tolerance that accepts every step: all are as long as they may be
STRICT = 1e-13
EARTH = 9.81
PERIGEE = np.array([0.5, 0.0, 0.0, np.sqrt(3.0)])  # of an ellipse of eccentricity ½, period 2π


def compiled(n, function):
    """A function of (y, t) as machine code."""
    names = tuple(f"y{k}" for k in range(n))
    y, t = [symbol(name, "input") for name in names], symbol("t", "input")
    output = np.array([expression(x) for x in function(y, t)], dtype=object)
    return entry(kernel_code(kernel("f", [("y", names), ("t", ("t",))], output), ""), np.zeros(0))


def problem(n, rate, events=None, directions=(), terminal=(), **projections):
    functions = {name: compiled(n, function) for name, function in projections.items()}
    if events is not None:
        functions["events"] = Events(compiled(n, events), directions, terminal)
    return Problem(compiled(n, rate), **functions)


def oscillation(y, t):
    return y[1], -y[0]


def swing(y, t):
    """A pendulum whose small oscillations have the pulsation 1."""
    return y[1], -np.sin(y[0])


def orbit(y, t):
    cube = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return y[2], y[3], -y[0] / cube, -y[1] / cube


def fall(y, t):
    return y[1], -EARTH


def rest(y, t):
    return (0 * t,)


def until(*instants):
    return lambda y, t: [t - instant for instant in instants]


def order(error, step):
    """The exponent of the step in the error."""
    return np.log2(error(step) / error(step / 2))


def test_a_memory_that_is_used_again_gives_the_states_of_a_new_one():
    """From another start, at other times, with another function watched for falling only."""
    method = Dop853(1e-10)

    def falling():
        rates = np.array([1.0, -1.0])
        watched = Events(compiled(2, lambda y, t: (y[0], y[1])), (-1, -1), (True, True), rates)
        return Problem(compiled(2, fall), events=watched)

    times = np.linspace(0.0, 3.0, 16)
    used = MotionMemory(falling(), np.array([2.0, 5.0]), times, method)
    assert driven(used).events[-1].time == pytest.approx(5.0 / EARTH, rel=1e-12)
    used.restart(np.array([1.0, -1.0]), times[4:])
    found = driven(used)
    new = integrate(falling(), [1.0, -1.0], times[4:], method)
    np.testing.assert_array_equal(found.states, new.states)
    assert (found.time, found.steps, found.evaluations) == (new.time, new.steps, new.evaluations)
    lasting = (np.sqrt(1 + 2 * EARTH) - 1) / EARTH
    assert found.time == pytest.approx(times[4] + lasting, rel=1e-12)


# --- accuracy -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "step", "known"), [(lambda h: Dop853(LOOSE, max_step=h), 1.0, 8), (RK4, 0.1, 4)]
)
def test_the_error_of_an_oscillation_has_the_order_of_the_method(method, step, known):
    oscillations = problem(2, oscillation)

    def error(h):
        run = integrate(oscillations, [1.0, 0.0], [0.0, 10.0], method(h))
        return np.abs(run.state - [np.cos(10.0), -np.sin(10.0)]).max()

    assert order(error, step) == pytest.approx(known, abs=0.2)


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-12])
def test_an_orbit_closes_within_the_tolerance_of_its_steps(rtol):
    run = integrate(problem(4, orbit), PERIGEE, [0.0, 2 * np.pi], Dop853(rtol))
    assert np.abs(run.state - PERIGEE).max() < run.steps * rtol


def test_between_steps_the_state_is_as_accurate_as_at_their_ends():
    times = np.linspace(0.0, 10.0, 173)
    exact = np.stack([np.cos(times), -np.sin(times)], axis=1)
    oscillations = problem(2, oscillation)

    def error(h):
        run = integrate(oscillations, exact[0], times, Dop853(LOOSE, max_step=h))
        return np.abs(run.states - exact).max()

    assert order(error, 1.0) == pytest.approx(8, abs=0.2)


def test_the_arithmetic_is_that_of_scipy():
    times = np.linspace(0.0, 3.0, 50)
    run = integrate(problem(4, orbit), PERIGEE, times, Dop853(1e-3, 1e-3, max_step=0.05))
    reference = scipy_states(orbit, PERIGEE, times, rtol=1e-3, atol=1e-3, max_step=0.05)
    np.testing.assert_allclose(run.states, reference, rtol=0, atol=1e-13)


def test_the_steps_are_those_of_scipy_after_the_first():
    """The first does not depend on units, as SciPy's does."""
    begun = []
    method = Dop853(1e-5, 1e-8)
    run = integrate(
        problem(4, orbit), PERIGEE, [0.0, 20.0], method, attend=lambda t, _: begun.append(t)
    )
    solver = DOP853(
        lambda t, y: np.array(orbit(y, t)), 0.0, PERIGEE, 20.0, rtol=1e-5, atol=1e-8,
        first_step=begun[1],
    )  # fmt: skip
    ends = [0.0]
    while solver.status == "running":
        solver.step()
        ends.append(solver.t)
    begun = sorted(set(begun))  # those that were rejected begin again
    assert run.steps == len(ends) - 1 == len(begun)
    assert run.rejections > 0
    # an error estimate is a small difference of large terms: rounding shows in its sixth digit
    np.testing.assert_allclose(begun, ends[:-1], rtol=0, atol=1e-6)


def scipy_states(rate, start, times, **options):
    solver = DOP853(lambda t, y: np.array(rate(y, t)), times[0], start, times[-1], **options)
    states = [start]
    while solver.status == "running":
        solver.step()
        inside = solver.dense_output()
        states += [inside(t) for t in times[len(states) :] if t <= solver.t]
    return np.array(states)


def test_a_component_with_a_wide_tolerance_does_not_shorten_the_steps():
    fast = problem(2, lambda y, t: (-y[0], np.cos(300 * t)))
    start, times = [1.0, 0.0], [0.0, 3.0]
    both = integrate(fast, start, times, Dop853(1e-6, 1e-9))
    one = integrate(fast, start, times, Dop853(1e-6, np.array([1e-9, 1e9])))
    assert one.steps < both.steps / 10
    assert one.state[0] == pytest.approx(np.exp(-3.0), rel=1e-6)


def test_no_step_is_longer_than_allowed():
    run = integrate(problem(1, rest), [1.0], [0.0, 10.0], Dop853(max_step=0.01))
    assert run.steps >= 1000
    assert integrate(problem(1, rest), [1.0], [0.0, 10.0], Dop853()).steps < 20


def test_a_fixed_step_is_shortened_until_it_divides_the_interval():
    run = integrate(problem(2, oscillation), [1.0, 0.0], [0.0, 1.0, 1.5], RK4(0.3))
    assert run.steps == 4 + 2
    assert run.time == 1.5


# --- events -------------------------------------------------------------------------------------


def test_a_pendulum_is_upright_at_odd_quarters_of_its_period():
    amplitude = 2.0
    quarter = ellipk(np.sin(amplitude / 2) ** 2)
    watched = problem(2, swing, lambda y, t: (y[0],), (0,), (False,))
    run = integrate(watched, [amplitude, 0.0], [0.0, 6 * quarter], Dop853(STRICT, STRICT))
    times = [event.time for event in run.events]
    np.testing.assert_allclose(times, quarter * np.array([1, 3, 5]), rtol=1e-12)


def test_the_time_of_an_event_by_a_fixed_step_has_the_order_of_the_method():
    watched = problem(2, oscillation, lambda y, t: (y[0],), (0,), (True,))

    def error(h):
        run = integrate(watched, [1.0, 0.0], np.arange(0.0, 2.0, h), RK4(h))
        return abs(run.time - np.pi / 2)

    assert error(0.02) < 1e-8
    assert order(error, 0.08) > 3.5


def test_a_run_ends_where_a_falling_body_meets_the_ground():
    dropped = problem(2, fall, lambda y, t: (y[0],), (-1,), (True,))
    times = np.linspace(0.0, 1.0, 101)
    run = integrate(dropped, [1.0, 0.0], times, Dop853())
    landing = np.sqrt(2 / EARTH)
    assert run.code == Code.TERMINAL_EVENT
    assert run.time == pytest.approx(landing, rel=1e-13)
    assert run.state == pytest.approx([0.0, -EARTH * landing], abs=1e-12)
    assert len(run.states) == np.count_nonzero(times <= landing)
    assert [(event.time, event.index) for event in run.events] == [(run.time, 0)]
    assert np.array_equal(run.events[0].state, run.state)


def test_a_run_goes_on_from_the_event_that_ended_it_to_the_next_one():
    watched = problem(2, oscillation, lambda y, t: (y[0],), (0,), (True,))
    times, start, t = [], [1.0, 0.0], 0.0
    for _ in range(4):
        run = integrate(watched, start, [t, t + 10.0], Dop853(1e-12))
        start, t = run.state, run.time
        times.append(t)
    assert times == pytest.approx(np.pi * (np.arange(4) + 0.5), rel=1e-11)


@pytest.mark.parametrize("method", [Dop853(1e-11), RK4(0.03), Radau(1e-9)], ids=str)
def test_a_motion_goes_on_from_events_that_machine_code_settles(method):
    """A ball bounces with half its speed; where nothing more is told of it, its motion ends."""

    def bounce(y, t):  # the last number tells whether it goes on: up to 1.2 s
        return y[0], -y[1] / 2, (1 + (1.2 - t).sign()) / 2

    def height(y, t):
        return (y[0], y[1])

    watched = Events(compiled(2, height), (-1, np.nan), (True, False), np.array([1.0, -1.0]))
    ball = Problem(compiled(2, fall), events=watched, settle=compiled(2, bounce))
    times = np.linspace(0.0, 2.0, 11)
    run = integrate(ball, [1.0, 0.0], times, method)
    drop = np.sqrt(2 / EARTH)
    bounces = drop * np.array([1, 2, 2.5, 2.75])  # 0.45, 0.90, 1.13 and 1.24 s
    assert run.code == Code.TERMINAL_EVENT
    assert run.time == pytest.approx(bounces[-1], rel=1e-9)
    assert [event.index for event in run.events] == [0], "those that are settled are not told"
    assert run.state == pytest.approx([0.0, run.state[1]], abs=1e-9)
    last = [bounces[bounces <= t] for t in times[: len(run.states)]]
    up = [EARTH * drop / 2 ** len(x) for x in last]
    since = [t - x[-1] if len(x) else 0.0 for t, x in zip(times, last, strict=False)]
    high = [u * s - EARTH * s * s / 2 for u, s in zip(up, since, strict=True)]
    high = np.where([len(x) > 0 for x in last], high, 1 - EARTH * times[: len(last)] ** 2 / 2)
    np.testing.assert_allclose(run.states[:, 0], high, atol=1e-8)
    unsettled = integrate(replace(ball, settle=None), [1.0, 0.0], times, method)
    assert unsettled.time == pytest.approx(drop, rel=1e-9)


@pytest.mark.parametrize(("direction", "first"), [(1, 1.5), (-1, 0.5), (0, 0.5)])
def test_only_crossings_in_the_direction_asked_for_are_events(direction, first):
    watched = problem(2, oscillation, lambda y, t: (y[0],), (direction,), (False,))
    run = integrate(watched, [1.0, 0.0], [0.0, 5 * np.pi], Dop853(1e-11))
    times = np.pi * np.arange(first, 5.0, 1.0 if direction == 0 else 2.0)
    assert [event.time for event in run.events] == pytest.approx(times, rel=1e-10)


def test_events_of_one_step_are_told_in_order_of_time():
    instants = (7.1, 3.3, 3.4, 8.9, 0.2)
    watched = problem(1, rest, until(*instants), (0,) * 5, (False,) * 5)
    run = integrate(watched, [1.0], [0.0, 1e3], Dop853())
    assert run.steps < 20
    assert [event.time for event in run.events] == pytest.approx(sorted(instants), rel=1e-13)
    assert [event.index for event in run.events] == list(np.argsort(instants))


def test_nothing_is_told_after_the_event_that_ends_the_run():
    watched = problem(1, rest, until(3.4, 3.3, 3.5), (0,) * 3, (True, False, False))
    run = integrate(watched, [1.0], [0.0, 3.35, 1e3], Dop853())
    assert [event.index for event in run.events] == [1, 0]
    assert run.time == pytest.approx(3.4, rel=1e-13)
    assert len(run.states) == 2


def test_a_function_that_crosses_zero_and_comes_back_within_a_step_has_two_events():
    watched = problem(1, rest, lambda y, t: ((t - 400) * (t - 600),), (0,), (False,))
    run = integrate(watched, [1.0], [0.0, 1e3], Dop853())
    assert [event.time for event in run.events] == pytest.approx([400.0, 600.0], rel=1e-13)


def test_to_start_at_zero_or_to_touch_zero_is_no_event():
    watched = problem(1, rest, lambda y, t: (t, t * (t - 1) ** 2, t - t), (0,) * 3, (True,) * 3)
    run = integrate(watched, [1.0], [0.0, 1.0, 2.0], RK4(0.25))
    assert run.code == Code.DONE
    assert not run.events


def test_any_number_of_events_is_told():
    watched = problem(1, rest, lambda y, t: (np.sin(np.pi * (t + 0.5)),), (0,), (False,))
    run = integrate(watched, [1.0], [0.0, 2000.0], RK4(0.3))
    assert [event.time for event in run.events] == pytest.approx(np.arange(2000) + 0.5, rel=1e-12)


# --- pauses -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [Dop853(1e-8), RK4(0.01)])
def test_pauses_change_nothing(method):
    watched = problem(4, orbit, lambda y, t: (y[0], y[1]), (0, 1), (False, False))
    times = np.linspace(0.0, 20.0, 77)
    at_once = integrate(watched, PERIGEE, times, method, pause=60.0)
    halting = integrate(watched, PERIGEE, times, method, pause=0.0)
    assert np.array_equal(at_once.states, halting.states)
    assert at_once.steps == halting.steps
    assert at_once.evaluations == halting.evaluations
    assert len(at_once.events) == len(halting.events) == 7 + 3
    for one, other in zip(at_once.events, halting.events, strict=True):
        assert (one.time, one.index) == (other.time, other.index)
        assert np.array_equal(one.state, other.state)


def test_an_interruption_returns_what_was_computed():
    def interrupt(t):
        if t > 5.0:
            raise KeyboardInterrupt

    times = np.linspace(0.0, 20.0, 201)
    whole = integrate(problem(4, orbit), PERIGEE, times, Dop853())
    run = integrate(problem(4, orbit), PERIGEE, times, Dop853(), progress=interrupt, pause=0.0)
    assert run.code == Code.INTERRUPTED
    assert 5.0 < run.time < 20.0
    assert len(run.states) == np.count_nonzero(times <= run.time)
    assert np.array_equal(run.states, whole.states[: len(run.states)])


# --- loops --------------------------------------------------------------------------------------


def taut(y, t):
    """A particle on a circle of radius 1, hanging, in Cartesian coordinates."""
    tension = (y[2] ** 2 + y[3] ** 2 - EARTH * y[1]) / (y[0] ** 2 + y[1] ** 2)
    return y[2], y[3], -tension * y[0], -tension * y[1] - EARTH


def back_on_the_circle(y, t):
    gap = y[0] ** 2 + y[1] ** 2 - 1
    part = gap / (2 * (y[0] ** 2 + y[1] ** 2))
    return y[0] - part * y[0], y[1] - part * y[1], y[2], y[3], gap**2


def along_the_circle(y, t):
    outward = (y[0] * y[2] + y[1] * y[3]) / (y[0] ** 2 + y[1] ** 2)
    return y[0], y[1], y[2] - outward * y[0], y[3] - outward * y[1]


@pytest.mark.parametrize("method", [Dop853(1e-4), RK4(0.02)])
def test_projection_keeps_a_particle_on_its_circle(method):
    hung = problem(4, taut, project_positions=back_on_the_circle, project_speeds=along_the_circle)
    start, times = [1.0, 0.0, 0.0, 0.0], np.linspace(0.0, 10.0, 500)

    def distances(run):
        x, y, u, v = run.states.T
        return max(np.abs(np.hypot(x, y) - 1).max(), np.abs(x * u + y * v).max())

    kept = integrate(hung, start, times, method)
    assert kept.code == Code.DONE
    assert distances(kept) < 1e-12
    assert distances(integrate(problem(4, taut), start, times, method)) > 1e-6


def test_what_is_closed_already_is_still_normalised():
    def turn(y, t):
        return -y[1], y[0]

    def of_unit_norm(y, t):
        norm = np.sqrt(y[0] ** 2 + y[1] ** 2)
        return y[0] / norm, y[1] / norm, 0

    run = integrate(
        problem(2, turn, project_positions=of_unit_norm),
        [1.0, 0.0],
        np.linspace(0.0, 9.0, 50),
        Dop853(1e-3),
    )
    np.testing.assert_allclose(np.hypot(*run.states.T), 1.0, rtol=1e-15)


def test_a_particle_on_a_circle_swings_as_a_pendulum():
    hung = problem(
        4,
        taut,
        lambda y, t: (y[0],),
        (0,),
        (False,),
        project_positions=back_on_the_circle,
        project_speeds=along_the_circle,
    )
    quarter = ellipk(0.5) / np.sqrt(EARTH)  # released from the horizontal
    run = integrate(hung, [1.0, 0.0, 0.0, 0.0], [0.0, 6 * quarter], Dop853(1e-12))
    times = [event.time for event in run.events]
    np.testing.assert_allclose(times, quarter * np.array([1, 3, 5]), rtol=1e-11)
    for event in run.events:
        assert event.state == pytest.approx([0.0, -1.0, event.state[2], 0.0], abs=1e-11)


# --- ends ---------------------------------------------------------------------------------------


def test_a_solution_that_goes_to_infinity_makes_the_step_too_small():
    run = integrate(problem(1, lambda y, t: (y[0] ** 2,)), [1.0], [0.0, 0.5, 2.0], Dop853())
    assert run.code == Code.STEP_TOO_SMALL
    assert run.time == pytest.approx(1.0, rel=1e-8)  # y = 1 / (1 − t)
    assert run.states[:, 0] == pytest.approx([1.0, 2.0], rel=1e-8)


def test_a_derivative_that_does_not_exist_further_on_ends_the_run_there():
    half_line = problem(1, lambda y, t: (np.sqrt(1 - t),))
    run = integrate(half_line, [0.0], [0.0, 0.5, 2.0], Dop853())
    assert run.code == Code.NOT_FINITE
    assert run.time == pytest.approx(1.0, abs=1e-12)
    assert run.state == pytest.approx([2 / 3], rel=1e-8)
    assert len(run.states) == 2
    assert integrate(half_line, [0.0], [0.0, 2.0], RK4(0.1)).code == Code.NOT_FINITE


def test_a_derivative_that_does_not_exist_at_the_start_ends_the_run_at_once():
    run = integrate(problem(1, lambda y, t: (1 / y[0],)), [0.0], [0.0, 1.0], Dop853())
    assert (run.code, run.time, run.steps) == (Code.NOT_FINITE, 0.0, 0)


def test_a_step_that_only_looks_beyond_the_end_of_a_domain_is_shortened():
    landing = problem(1, lambda y, t: (-np.sqrt(y[0]),))  # y = (1 − t/2)²
    run = integrate(landing, [1.0], [0.0, 1.999], Dop853(1e-6))
    assert run.code == Code.DONE
    assert run.rejections > 0
    assert run.state == pytest.approx([0.0005**2], abs=1e-8)


@pytest.mark.parametrize("method", [Dop853(), RK4(0.1)])
def test_a_loop_that_cannot_close_ends_the_run(method):
    broken = problem(
        1, lambda y, t: (1,), project_positions=lambda y, t: (y[0], (t - 0.5) * np.abs(t - 0.5))
    )
    run = integrate(broken, [0.0], [0.0, 0.3, 1.0], method)
    assert run.code == Code.LOOP_OPEN
    assert 0.3 < run.time <= 0.51
    assert len(run.states) == 2


def test_one_sample_is_the_start():
    run = integrate(problem(2, oscillation), [1.0, 0.0], [3.0], Dop853())
    assert (run.code, run.time, run.states.tolist()) == (Code.DONE, 3.0, [[1.0, 0.0]])


@pytest.mark.parametrize(
    ("times", "method", "told"),
    [
        ([0.0, 2.0, 1.0], Dop853(), "increase"),
        ([0.0, 1.0], Dop853(rtol=0.0), "rtol"),
        ([0.0, 1.0], Dop853(atol=np.array([1e-9, -1.0])), "atol"),
        ([0.0, 1.0], RK4(0.0), "step"),
    ],
)
def test_what_makes_no_sense_is_refused(times, method, told):
    with pytest.raises(ModelError, match=told):
        integrate(problem(2, oscillation), [1.0, 0.0], times, method)
