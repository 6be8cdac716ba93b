"""When a motion is known: samples, the end, any time between, and the runs that go on from it."""

from functools import cache

import numpy as np
import pytest
from closing_mechanisms import WIPER
from example_states import model as example
from numpy.testing import assert_allclose
from same_text import tells

import torseur as ts
from torseur.simulation.formulations.sampling import (
    MOST,
    RATE,
    TURN,
    Sampling,
    rate_for,
    schedule_of,
)

# One of each kind of motion: how it is made, and options that choose its formulation.
KINDS = {
    "tree": ("double_pendulum", {}),
    "free body": ("satellite", {"initial": {"flight_wx": 0.5, "flight_wy": 1.0}}),
    "loop": ("four_bar", {}),
    "loop in absolute coordinates": ("four_bar", {"coordinates": "absolute"}),
    "ball joints": ("wiper", {}),
    "ball joints in absolute coordinates": ("wiper", {"coordinates": "absolute"}),
    "rolling": ("rolling_disc", {}),
    "driven": ("whitworth", {}),
    "driven in absolute coordinates": ("whitworth", {"coordinates": "absolute"}),
    "moving with time": ("ball_governor", {}),
    "implicit": ("cart_pendulum", {"method": "radau", "rtol": 1e-9}),
    "symplectic": ("double_pendulum", {"method": "symplectic6", "step": 1e-3}),
    "symplectic loop": ("four_bar", {"method": "symplectic6", "step": 5e-4}),
    "fixed step": ("four_bar", {"method": "rk4", "step": 2e-4}),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


@cache
def model(name):
    return ts.compile(ts.load(WIPER)) if name == "wiper" else example(name)


@cache
def motion(kind, duration=0.4, rate=20.0):
    name, options = KINDS[kind]
    return ts.simulate(model(name), duration, **{"rate": rate, "rtol": 1e-10} | options)


def again(kind, times, **more):
    name, options = KINDS[kind]
    return ts.simulate(model(name), 0.4, **{"at": times, "rtol": 1e-10} | options | more)


def sizes(run):
    return {name: max(1.0, np.abs(run[name]).max()) for name in run.names}


# --- samples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_samples_keep_the_rate_and_the_end_is_one_of_them(seed):
    rng = np.random.default_rng(seed)
    duration, rate = 10.0 ** rng.uniform(-6, 2), 10.0 ** rng.uniform(-3, 3)
    start = float(rng.choice([0.0, -3.5, 1e3]))
    times = schedule_of(duration, Sampling(rate), start).times
    assert times[0] == start
    assert times[-1] == start + duration
    assert (np.diff(times) > 0).all()
    assert_allclose(times[:-1] - start, np.arange(len(times) - 1) / rate, rtol=0, atol=1e-12 * 1e3)
    assert times[-1] - times[-2] <= (1 + 1e-9) / rate


@pytest.mark.parametrize("count", [1, 2, 3, 7, 300])
@pytest.mark.parametrize("rate", [0.3, 3.0, 100.0, 1 / 0.7, 29.97])
def test_a_whole_number_of_intervals_has_no_sample_more(count, rate):
    assert len(schedule_of(count / rate, Sampling(rate), 0.0).times) == count + 1


def test_a_very_short_motion_moves():
    """A millisecond of a fall is ½ g t², in whatever coordinates and at whatever rate."""
    for options in ({}, {"rate": 100.0}, {"coordinates": "absolute"}, {"at": [0.001]}):
        run = ts.simulate(ts.load(FALLING), 0.001, **options)
        assert run.t[-1] == 0.001
        assert run["z"][-1] == pytest.approx(-9.81 * 0.001**2 / 2, rel=1e-9)


FALLING = {
    "gravity": [0, 0, -9.81],
    "bodies": {"stone": {"mass": 2}},
    "joints": {"P": {"type": "glissiere", "bodies": ["ground", "stone"], "axis": "z",
                     "coordinate": "z"}},
}  # fmt: skip


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_what_cannot_move_stays(coordinates):
    fixed = {"type": "fixed", "bodies": ["ground", "a"]}
    welded = ts.load({"bodies": {"a": {"mass": 1}}, "joints": {"A": fixed}})
    run = ts.simulate(welded, 0.5, coordinates=coordinates)
    assert (run.t[0], run.t[-1]) == (0.0, 0.5)
    assert run.reaction("A")[-1] == pytest.approx(run.reaction("A")[0])


def test_times_of_ones_own_are_those_of_the_run():
    times = [0.05, 0.1, 0.37]
    run = again("loop", times)
    assert run.t.tolist() == times
    assert run.span == (0.0, 0.4)
    assert len(run["gamma"]) == len(run.reaction("A")) == 3
    assert ts.simulate(model("four_bar"), at=times).span == (0.0, 0.37)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": [0.1, 0.1]}, "must increase"),
        ({"at": [0.1, np.nan]}, "finite times"),
        ({"at": []}, "finite times"),
        ({"at": [0.1, 3.0]}, r"not within the run, which lasts from 0 to 1 s"),
        ({"at": [-0.1, 0.3]}, "not within the run"),
        ({"at": [0.1], "rate": 5.0}, "exclude each other"),
        ({"start": np.inf}, "start must be finite"),
        ({"rate": 0.0}, "rate must be positive, got 0.0"),
        ({"rate": 1e15}, "the most is 1e[+]07"),
        ({"rate": np.inf}, "rate must be finite"),
        ({"duration": None}, "no duration is given"),
        ({"start": 1e20}, "Start nearer to zero"),
        ({"max_step": 0.0}, "max_step must be positive"),
        ({"atol": -1.0}, "atol must be positive"),
        ({"step": 0.0}, "step must be positive"),
    ],
)
def test_times_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ts.ModelError, match=message):
        ts.simulate(ts.load(FALLING), **{"duration": 1.0} | options)


def test_a_run_that_an_event_ends_has_its_end_among_its_samples():
    falling = FALLING | {"events": {"floor": {"zero": "z + 1", "stop": True}}}
    for coordinates in ("joint", "absolute"):
        run = ts.simulate(ts.load(falling), 2.0, rate=10.0, coordinates=coordinates)
        assert run.t[-1] == pytest.approx(np.sqrt(2 / 9.81), rel=1e-9)
        assert run["z"][-1] == pytest.approx(-1.0, abs=1e-9)
        assert run.span[1] == run.t[-1] == run.events[0].t
        assert run(run.t[-1] - 1e-3)["z"] > -1.0


# --- any time between ---------------------------------------------------------------------------


@pytest.mark.sampled(8)
@every_kind
def test_between_samples_a_motion_is_known_as_well_as_at_them(kind):
    run, rng = motion(kind), np.random.default_rng(3)
    times = np.sort(rng.uniform(0, 0.4, 7))
    found, wanted = run(times), again(kind, times)
    for name, size in sizes(run).items():
        assert_allclose(found[name], wanted[name], rtol=0, atol=3e-8 * size, err_msg=name)
    assert found.samples.closure_error < 1e-10
    shuffled = rng.permutation(7)
    assert_allclose(run(times[shuffled]).q, found.q[shuffled], rtol=0, atol=0)


@every_kind
def test_at_a_sample_the_state_is_the_sample(kind):
    run = motion(kind)
    state = run(run.t[3])
    assert np.array_equal(state.q, run.q[3])
    assert np.array_equal(state.v, run.v[3])
    assert state.t == run.t[3]
    for name in run.names:
        assert state[name] == pytest.approx(run[name][3], abs=1e-12)
    assert set(state) == set(run.names)
    assert np.array_equal(run.end.q, run.q[-1])


def test_a_time_outside_a_run_is_refused():
    with pytest.raises(
        ts.ModelError, match=r"t = 0\.5 s is outside the run, which lasts from 0 to 0\.4 s"
    ):
        motion("loop")(0.5)
    one = ts.Run.of_states(model("four_bar"), np.zeros(1), np.zeros((1, 7)))
    with pytest.raises(ts.ModelError, match="not made by simulate"):
        one(0.0)


def test_every_reading_of_a_run_can_be_had_at_other_times():
    run = motion("loop")
    there = run.at([0.123, 0.31])
    wanted = again("loop", [0.123, 0.31])
    assert_allclose(there.reaction("D"), wanted.reaction("D"), atol=1e-6)
    assert_allclose(there.energy["kinetic"], wanted.energy["kinetic"], rtol=1e-7)


# --- from another time, from another run ---------------------------------------------------------


@every_kind
def test_a_run_goes_on_from_another(kind):
    run = motion(kind)
    name, options = KINDS[kind]
    rest = {key: x for key, x in options.items() if key != "initial"}
    after = ts.simulate(model(name), 0.2, **{"rate": 20.0, "rtol": 1e-10, "initial": run} | rest)
    whole = motion(kind, 0.6)
    assert after.span == pytest.approx((0.4, 0.6))
    assert not [x for x in after.notices if "did not fit" in x]
    for each, size in sizes(whole).items():
        if each[-3:-1] == "_q":  # of the quaternions a and −a either is right
            continue
        assert_allclose(after[each], whole[each][8:], rtol=0, atol=1e-7 * size, err_msg=each)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_whole_turns_of_a_closing_joint_are_kept_from_run_to_run(coordinates):
    spun = {"alpha.": 40.0}
    options = {"rate": 200.0, "coordinates": coordinates}
    first = ts.simulate(model("four_bar"), 0.5, initial=spun, **options)
    assert np.abs(first["beta"]).max() > 4 * np.pi
    second = ts.simulate(model("four_bar"), 0.5, initial=first, **options)
    whole = ts.simulate(model("four_bar"), 1.0, initial=spun, **options)
    for name in ("alpha", "beta", "gamma", "delta"):
        assert_allclose(second[name], whole[name][100:], atol=1e-5)
        assert_allclose(whole(whole.t[::7] + 1e-4)[name], whole[name][::7], atol=0.1)


@pytest.mark.parametrize("start", [-2.0, 0.7, 100.0])
@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_forces_tables_and_events_know_the_time_a_run_starts_at(start, coordinates):
    """x¨ = cos t from rest: x = cos t₀ − cos t − (t − t₀) sin t₀."""
    pushed = {
        "bodies": {"box": {"mass": 1}},
        "joints": {"P": {"type": "glissiere", "bodies": ["ground", "box"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {"push": {"type": "joint", "joint": "P", "value": "cos(t)"}},
        "events": {"bell": {"zero": f"t - {start + 0.5}"}},
    }  # fmt: skip
    for method in ("auto", "radau", "rk4"):
        run = ts.simulate(
            ts.load(pushed), 1.0, rate=50.0, start=start, coordinates=coordinates, method=method
        )
        t = run.t
        wanted = np.cos(start) - np.cos(t) - (t - start) * np.sin(start)
        assert_allclose(run["x"], wanted, atol=1e-7)
        assert run(start + 0.123)["x"] == pytest.approx(
            np.cos(start) - np.cos(start + 0.123) - 0.123 * np.sin(start), abs=1e-7
        )
        assert run.events[0].t == pytest.approx(start + 0.5, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("name", ["whitworth", "ferris_wheel", "cardan_shaft", "ball_governor"])
def test_imposed_motions_start_where_they_are_at_that_time(name, coordinates):
    run = ts.simulate(model(name), 0.2, start=0.31, rate=50.0, coordinates=coordinates)
    whole = ts.simulate(model(name), 0.52, rate=50.0, coordinates=coordinates)
    for motion_of in run.model.mechanism.motions.values():
        coordinate = motion_of.coordinate
        assert_allclose(run[coordinate], whole(np.minimum(run.t, 0.52))[coordinate], atol=1e-8)
    assert run.t[0] == 0.31
    assert run.closure_error < 1e-10
    assert run.energy_drift < 1e-6


def lagrangian():
    return ts.formalisms.lagrangian(
        "m*x.^2/2 - k*x^2/2 + F*t*x", ["x"], parameters={"m": 2, "k": 8, "F": 1}
    )


@pytest.mark.parametrize("form", ["lagrangian", "hamiltonian"])
def test_equations_start_go_on_and_are_known_between_samples_too(form):
    made = lagrangian() if form == "lagrangian" else lagrangian().hamiltonian
    whole = ts.simulate(made, 3.0, rate=10.0, start=1.0, initial={"x": 0.5})
    first = ts.simulate(made, 1.75, rate=10.0, start=1.0, initial={"x": 0.5})
    second = ts.simulate(made, 1.25, rate=10.0, initial=first)
    assert first.t[-1] == second.t[0] == 2.75
    assert_allclose(whole(second.t)["x"], second["x"], atol=1e-8)
    # x = t F/k + A cos ω(t − 1) + B sin ω(t − 1), ω = 2
    t = np.array([1.01, 2.345, 3.999])
    wanted = t / 8 + (0.5 - 1 / 8) * np.cos(2 * (t - 1)) - 1 / 16 * np.sin(2 * (t - 1))
    assert_allclose(whole(t)["x"], wanted, atol=1e-8)
    assert whole(2.345)["x"] == pytest.approx(wanted[1], abs=1e-8)
    own = ts.simulate(made, 3.0, at=t, start=1.0, initial={"x": 0.5})
    assert_allclose(own["x"], wanted, atol=1e-8)
    assert_allclose(own["x.."], -4 * wanted + t / 2, atol=1e-7)
    assert len(ts.simulate(made, 0.001).t) > 1


# --- as finely as what moves asks for -------------------------------------------------------------


def crank(speed):
    return ts.load({
        "bodies": {"crank": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z"}},
        "points": {"P": ["crank", [1, 0, 0]]},
        "initial": {"O.": speed},
    })  # fmt: skip


@pytest.mark.parametrize("speed", [5.0, 50.0, 300.0])
@pytest.mark.parametrize("options", [{}, {"coordinates": "absolute"}, {"method": "dop853"}])
def test_the_path_of_a_fast_crank_is_a_circle_and_not_a_polygon(speed, options):
    run = ts.simulate(crank(speed), 0.5, **options)
    assert np.abs(np.diff(run["O"])).max() <= TURN * 1.02
    middles = (run.point("P")[1:] + run.point("P")[:-1]) / 2
    assert np.linalg.norm(middles, axis=1).min() > 1 - TURN**2 / 7  # chords stay near the circle
    assert_allclose(np.diff(run.t), run.t[1], rtol=1e-6)
    assert np.isin(np.arange(50) / RATE, run.t).all()


def test_a_fast_vibration_is_drawn_as_a_wave():
    vibrating = FALLING | {
        "gravity": [0, 0, 0],
        "forces": {"k": {"type": "joint", "joint": "P", "value": "-2*(2*pi*40)^2*z"}},
        "initial": {"z": 1e-6},
    }
    run = ts.simulate(ts.load(vibrating), 0.3)
    assert np.ptp(run["z"]) == pytest.approx(2e-6, rel=1e-2)
    assert 1 / np.diff(run.t).max() > 50 * 40


def test_a_rate_that_is_given_is_kept_and_one_that_is_chosen_has_a_limit():
    assert len(ts.simulate(crank(300.0), 0.5, rate=10.0).t) == 6
    slow = ts.simulate(crank(1.0), 5.0)
    assert len(slow.t) == 501
    assert slow.notices == ts.simulate(crank(1.0), 5.0, rate=100.0).notices
    long = ts.simulate(crank(300.0), 100.0)
    assert len(long.t) <= MOST + 1
    assert "give a rate" in long.notices[-1]
    assert tells(long.notices[-1], "smooth curves of this motion need about 3e+03", rel=0.5)


@pytest.mark.parametrize("name", ["four_bar", "whitworth", "double_pendulum", "cart_pendulum"])
def test_both_coordinates_are_sampled_alike_by_default(name):
    one, other = (
        ts.simulate(model(name), 0.3, coordinates=c, rtol=1e-10) for c in ("joint", "absolute")
    )
    assert np.array_equal(one.t, other.t)


def test_a_finer_sampling_of_fixed_steps_leaves_the_steps_as_they_are():
    run = ts.simulate(crank(50.0), 0.2, method="rk4", step=1e-3)
    given = ts.simulate(crank(50.0), 0.2, method="rk4", step=1e-3, rate=100.0)
    assert len(run.t) > len(given.t)
    assert_allclose(run["O"][np.isin(run.t, given.t)], given["O"], rtol=1e-14)


# --- methods ------------------------------------------------------------------------------------


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_euler_is_of_first_order(coordinates):
    wanted = ts.simulate(model("double_pendulum"), 0.2, rate=10.0, rtol=1e-11).q[-1]

    def error(step):
        options = {"rate": 10.0, "method": "euler", "step": step, "coordinates": coordinates}
        return np.abs(ts.simulate(model("double_pendulum"), 0.2, **options).q[-1] - wanted).max()

    assert error(1e-4) / error(5e-5) == pytest.approx(2.0, rel=0.02)
    assert error(1e-4) < 1e-3


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("method", ["auto", "dop853", "radau"])
def test_a_short_pulse_is_met_by_steps_that_are_shorter_than_it(method, coordinates):
    """∫ exp(−((t − 5)/w)²) dt = w √π; without a longest step it may be stepped over."""
    hit = FALLING | {
        "gravity": [0, 0, 0],
        "forces": {"blow": {"type": "joint", "joint": "P", "value": "exp(-((t-5.03)/1e-3)^2)"}},
    }
    options = {"rate": 1.0, "method": method, "coordinates": coordinates}
    run = ts.simulate(ts.load(hit), 10.0, max_step=2e-3, **options)
    assert run["z."][-1] == pytest.approx(1e-3 * np.sqrt(np.pi) / 2, rel=1e-5)


def test_an_absolute_tolerance_is_kept_and_by_default_follows_the_size_of_the_motion():
    swing = FALLING | {
        "gravity": [0, 0, 0],
        "forces": {"k": {"type": "joint", "joint": "P", "value": "-2*z"}},
        "initial": {"z": 1e-12},
    }

    def error(**options):
        run = ts.simulate(ts.load(swing), 20.0, rate=10.0, **options)
        return np.abs(run["z"] / 1e-12 - np.cos(run.t)).max()

    assert error() < 1e-7 < error(atol=1e-17)


def test_an_option_that_a_method_does_not_use_is_told():
    run = ts.simulate(ts.load(FALLING), 0.1, step=1e-3)
    assert 'step is not used: "auto" chooses its steps' in run.notices[0]
    run = ts.simulate(ts.load(FALLING), 0.1, method="rk4", step=1e-3, max_step=1e-4)
    assert 'max_step is not used: "rk4" has a fixed step' in run.notices[0]


def test_what_stands_still_but_for_rounding_asks_for_nothing():
    turning = np.linspace(0, 5, 101)
    noise = 1e-15 * np.random.default_rng(0).normal(size=101)
    table = np.column_stack([turning, 1 + noise])
    rates = np.column_stack([np.ones(101), np.abs(noise) * 1e3])
    assert rate_for(table, rates, ["rad", "rad/s"], np.ones((101, 1))) == pytest.approx(10.0)
