"""Mechanisms with joints that touch, stop and rub, by steps of Moreau and Jean: their laws."""

from functools import cache
from importlib.resources import files

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.errors import ModelError

G, LINK = 9.81, 0.2


@cache
def example(name):
    return ts.compile(ts.load(files("torseur.examples") / f"{name}.yaml"))


@cache
def chain(count=4, restitution=0.0, friction=0.4):
    """Links in a plane above a floor, which touch at their ends."""
    names = [f"l{k}" for k in range(count)]
    end = {"shape": "ball", "radius": 0.02, "normal": "z", "friction": friction}
    end["restitution"] = restitution
    link = {"mass": 0.2, "centre": [LINK / 2, 0, 0], "inertia": [1e-4, 7e-4, 7e-4]}
    hinge = {"type": "revolute", "axis": "y", "point": [[LINK, 0, 0], [0, 0, 0]]}
    joints = {"J0": {"type": "planar", "bodies": ["ground", "l0"], "normal": "y"}}
    joints |= {f"J{k}": {**hinge, "bodies": names[k - 1 : k + 1]} for k in range(1, count)}
    touch = {f"c{k}": {**end, "bodies": ["ground", x], "point": [LINK, 0, 0]}
             for k, x in enumerate(names)}  # fmt: skip
    touch["start"] = {**end, "bodies": ["ground", "l0"]}
    bent = {f"J{k}": 0.3 * (-1) ** k for k in range(1, count)}
    return ts.compile(
        ts.load(
            {
                "gravity": [0, 0, -G],
                "bodies": dict.fromkeys(names, link),
                "joints": joints,
                "contacts": touch,
                "initial": {"J0_z": 0.3, "J0_angle": 0.2, **bent},
            }
        )
    )


@cache
def crank():
    """A crank, a rod and a piston: a loop, whose piston is stopped."""
    text = (files("torseur.examples") / "slider_crank.yaml").read_text(encoding="utf-8")
    stop = {"stop": {"gap": "x - 0.25", "restitution": 0.5}}
    return ts.compile(ts.load(yaml.safe_load(text) | {"contacts": stop}))


def stepped(model, seconds, step=1e-3, rate=100, **options):
    return ts.simulate(model, seconds, method="moreau", step=step, rate=rate, **options)


def error(model, seconds, step, **options):
    """The largest of any coordinate, beside the motion from event to event."""
    exact = ts.simulate(model, seconds, rate=100, rtol=1e-11, **options)
    return np.abs(stepped(model, seconds, step, **options).q - exact.q).max()


def total_energy(run):
    return run.energy["kinetic"] + run.energy["potential"]


# --- beside the motion from event to event -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seconds", "most"),
    [
        ("stick_slip", 14.0, 2.0),  # friction in a slide, static above kinetic
        ("pendulum_between_stops", 1.2, 0.5),  # stops of a joint, with shocks
        ("rocking_block", 0.9, 10.0),  # shocks with friction, two contacts
        ("wheelie", 0.6, 1.0),  # a motorcycle: wheels that stick, slide and lift
        ("governor_with_friction", 0.4, 2.0),  # a sliding pair inside of a loop
        ("screw_jack", 0.1, 1e-9),  # friction by the load of a joint, which holds
        ("capstan", 0.1, 1e-9),  # a rope about a drum
    ],
)
def test_steps_err_by_no_more_than_their_length(name, seconds, most):
    """Times the speeds of each: 1 m/s or rad/s, ten of a block that falls over."""
    for step in (2e-3, 5e-4):
        assert error(example(name), seconds, step) <= most * step


def test_without_shocks_a_step_is_of_order_two():
    """A wheel lifts off: no speed jumps."""
    coarse, fine = (error(example("wheelie"), 0.28, step) for step in (4e-3, 1e-3))
    assert np.log(coarse / fine) / np.log(4) > 1.7


def test_with_shocks_in_a_loop_the_error_is_of_order_one():
    for step in (1e-3, 2e-4):
        assert error(crank(), 0.6, step) < 4 * 15.0 * step  # at 15 rad/s: four steps


def test_a_ball_rebounds_at_the_instant_its_gap_closes():
    """A shock is within a step, and forces act before it and after it."""
    run = stepped(example("bouncing_ball"), 3.0, 2e-3)
    exact = ts.simulate(example("bouncing_ball"), 3.0, rate=100, rtol=1e-12)
    np.testing.assert_allclose(run["y"], exact["y"], atol=1e-7)
    shocks = [event.t for event in run.events if event.cause == "shock"]
    wanted = [event.t for event in exact.events if event.cause == "shock"]
    np.testing.assert_allclose(shocks, wanted, atol=1e-7)


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_chain_that_is_dropped_never_gains_energy(restitution):
    run = stepped(chain(restitution=restitution), 0.8, 2e-3)
    energy = total_energy(run)
    assert np.diff(energy).max() <= 0.8 * (G * 2e-3) ** 2  # the square of what a step falls by
    residual = float(run.notices[0].split("at most ")[1].split(" ")[0])
    assert residual < 1e-9


def test_a_chain_comes_to_rest_and_stays_to_the_last_bit():
    run = stepped(chain(), 1.5)
    assert np.array_equal(run.q[-20:], run.q[-1:].repeat(20, axis=0))
    assert not run.v[-20:].any()
    carried = sum(run.contact(f"c{k}").normal[-1] for k in range(4))
    assert carried + run.contact("start").normal[-1] == pytest.approx(4 * 0.2 * G, rel=1e-9)


def test_what_sticks_does_not_move_by_a_single_bit():
    run = stepped(example("box_on_slope"), 1.0)
    assert np.array_equal(run.q, run.q[:1].repeat(len(run.q), axis=0))
    assert list(run.contact("low").state[1:]) == ["stick"] * 100


def test_loops_stay_closed_and_nothing_is_left_inside_a_stop():
    run = stepped(crank(), 0.6)
    assert run.closure_error < 1e-13
    leaving = run["x"] - 0.25
    assert leaving.min() > -1e-3 * np.abs(run["x."]).max()  # a step late, at most


def test_momentum_passes_a_shock_of_two_that_no_force_holds():
    ends = ("first", "second")
    m = ts.load(
        {
            "gravity": [0, 0, 0],
            "bodies": {name: {"mass": 1 + k} for k, name in enumerate(ends)},
            "joints": {
                name: {"type": "prismatic", "bodies": ["ground", name], "axis": "x",
                       "coordinate": name} for name in ends
            },
            "contacts": {"hit": {"gap": "second - first", "restitution": 0.7}},
            "initial": {"first": 0.0, "first.": 2.0, "second": 1.0, "second.": -1.0},
        }
    )  # fmt: skip
    run = stepped(m, 1.0)
    np.testing.assert_allclose(run["first."] + 2 * run["second."], 0.0, atol=1e-13)
    assert run["second."][-1] - run["first."][-1] == pytest.approx(0.7 * 3.0, rel=1e-12)
    assert run["second"][-1] == pytest.approx(2 / 3 + 0.7 * 2 / 3, rel=1e-9)
    assert run.energy_drift < 1e-12


def test_a_rod_passes_the_paradox_of_painleve():
    """Where forces have no answer impulses do: the rod jams and is thrown over."""
    m = ts.load(
        {
            "gravity": [0, -G, 0],
            "bodies": {"rod": {"mass": 1, "inertia": [0, 1 / 12, 1 / 12]}},
            "joints": {"plane": {"type": "planar", "bodies": ["ground", "rod"], "normal": "z",
                                 "coordinates": ["x", "y", "theta"]}},
            "contacts": {"tip": {"bodies": ["ground", "rod"], "point": [-0.5, 0, 0], "normal": "y",
                                 "friction": 2.5}},
            "initial": {"y": 0.5 * np.sin(np.pi / 3), "theta": np.pi / 3, "x.": -3},
        }
    )  # fmt: skip
    run = stepped(m, 0.3)
    assert np.diff(total_energy(run)).max() < 1e-4
    assert run.contact("tip").gap.min() > -1e-9
    assert next(event.cause for event in run.events) == "end of sliding"  # at once


# --- what is told --------------------------------------------------------------------------------


def test_events_of_steps_have_the_causes_of_those_that_are_located():
    ride = stepped(example("wheelie"), 0.4)
    exact = ts.simulate(example("wheelie"), 0.4)
    assert [(e.name, e.cause) for e in ride.events] == [(e.name, e.cause) for e in exact.events]
    np.testing.assert_allclose([e.t for e in ride.events], [e.t for e in exact.events], atol=2e-3)


def test_a_step_is_chosen_and_told_where_none_is_given():
    run = ts.simulate(example("box_on_slope"), 0.1, method="moreau")
    assert any(note.startswith("Steps of Moreau and Jean of") for note in run.notices)


def test_forces_by_reactions_and_mechanisms_in_which_nothing_touches_are_refused():
    with pytest.raises(ModelError, match="steps cannot follow that"):
        stepped(example("shoe_brake"), 0.1)
    with pytest.raises(ModelError, match="nothing touches in"):
        stepped(example("double_pendulum"), 0.1)


@pytest.mark.parametrize(
    ("law", "reason"),
    [
        ({"stiffness": 1e5}, "is a spring, in whose period many steps must lie"),
        ({"patch": {"radius": 0.02}, "friction": 0.3}, "rubs over a patch"),
    ],
    ids=["spring", "patch"],
)
def test_laws_that_have_no_place_in_a_step_are_refused_with_the_reason(law, reason):
    m = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"b": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
            "joints": {"J": {"type": "free", "bodies": ["ground", "b"]}},
            "contacts": {"foot": {"bodies": ["ground", "b"], "normal": "z", **law}},
        }
    )
    with pytest.raises(ModelError, match=f'"foot" {reason}.*steps cannot follow that'):
        stepped(m, 0.1)


def thrown(**law):
    """A ball that slides as it falls."""
    foot = {"bodies": ["ground", "b"], "shape": "ball", "radius": 0.1, "normal": "z", **law}
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"b": {"mass": 1.0, "inertia": [0.004, 0.004, 0.004]}},
            "joints": {"J": {"type": "free", "bodies": ["ground", "b"]}},
            "contacts": {"foot": foot},
            "initial": {"J_z": 0.3, "J_x.": 1.0},
        }
    )


def test_poissons_law_in_steps_gives_back_a_part_of_the_impulse_and_is_of_order_one():
    m = thrown(friction=0.3, restitution={"poisson": 0.6})
    exact = ts.simulate(m, 0.5, rate=50)
    coarse, fine = (ts.simulate(m, 0.5, method="moreau", step=h, rate=50) for h in (2e-3, 5e-4))
    off = [np.abs(run.q - exact.q).max() for run in (coarse, fine)]
    assert off[1] < 2e-3
    assert off[1] < 0.4 * off[0]
    assert fine.energy_drift < 1e-6
    shock = next(event for event in fine.events if event.cause == "shock")
    fall = np.sqrt(2 * G * 0.2)
    assert shock.impulse == pytest.approx(1.6 * fall, rel=1e-2)


def test_a_run_by_steps_is_saved_goes_on_and_is_read_again(tmp_path):
    model = example("stick_slip")
    whole, half = stepped(model, 0.4), stepped(model, 0.2)
    later = stepped(model, 0.2, initial=half)
    assert later["s"][-1] == pytest.approx(whole["s"][-1], abs=1e-12)
    whole.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    name = again.samples.contacts_named[0]
    assert list(again.contact(name).state) == list(whole.contact(name).state)


# --- under control -------------------------------------------------------------------------------


@cache
def pushed_block():
    """2 kg on a floor with friction 0.3 that is pushed along it."""
    return ts.compile(
        ts.load(
            {
                "gravity": [0, -G, 0],
                "bodies": {"b": {"mass": 2.0, "inertia": [1, 1, 1]}},
                "joints": {"J": {"type": "planar", "bodies": ["ground", "b"], "normal": "z"}},
                "contacts": {"floor": {"bodies": ["ground", "b"], "point": [0, 0, 0],
                                       "normal": "y", "friction": 0.3}},
            }
        )
    )  # fmt: skip


def push(t, q, v):
    """8 N between 0.1 and 0.3 s."""
    return [8.0 if 0.0999 < t < 0.2999 else 0.0]


def controlled(law, **options):
    loop = ts.control.Loop(law, sample=0.01, actuators=["J_x"])
    return ts.simulate(pushed_block(), 0.6, control=loop, method="moreau", rate=100, **options)


def test_a_law_acts_on_steps_from_sample_to_sample():
    """It starts at once with (8 − 0.3 m g)/m, then slows down with 0.3 g and rests exactly."""
    run = controlled(push, step=1e-3)
    faster, slower = 4.0 - 0.3 * G, 0.3 * G
    top = 0.2 * faster
    rest = 0.3 + top / slower
    way = 0.02 * faster + top**2 / (2 * slower)
    speed = np.interp(run.t, [0, 0.1, 0.3, rest, 0.6], [0, 0, top, 0, 0])
    assert np.abs(run["J_x."] - speed)[run.t != run.t[np.searchsorted(run.t, rest)]].max() < 1e-9
    assert run["J_x"][-1] == pytest.approx(way, abs=1e-3 * top)  # it stops within a step
    assert run["J_x."][-1] == 0.0
    assert [x.effect for x in run.events] == ["slip", "stick"]
    assert [x.t for x in run.events] == pytest.approx([0.1, rest], abs=2e-3)
    assert run.energy_drift < 1e-9


def test_the_work_of_a_commanded_force_is_that_along_its_way_through_shocks():
    """A force presses a body against a stop, from which it rebounds."""
    slide = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x", "coordinate": "x"}
    m = ts.load({
        "bodies": {"b": {"mass": 1.0, "inertia": [1, 1, 1]}},
        "joints": {"P": slide}, "inputs": ["x"], "initial": {"x": 0.05},
        "contacts": {"stop": {"gap": "x", "restitution": 0.5}},
    })  # fmt: skip
    run = stepped(m, 1.0, control={"x": -10.0}, sample=1e-2)
    assert run["x"].min() >= -1e-15
    assert len(run.events) > 4
    assert run.energy_drift < 1e-3


def test_the_same_law_as_text_gives_the_same_steps_to_the_last_bit():
    text = ts.simulate(pushed_block(), 0.3, control={"J_x": "8 - 20*J_x. - 5*J_x"}, sample=0.01,
                       method="moreau", step=1e-3, rate=100)  # fmt: skip
    q = list(pushed_block().coordinates).index("J_x")
    loop = ts.control.Loop(
        lambda t, x, v: [8 - 20 * v[q] - 5 * x[q]], sample=0.01, actuators=["J_x"]
    )
    asked = ts.simulate(pushed_block(), 0.3, control=loop, method="moreau", step=1e-3, rate=100)
    np.testing.assert_array_equal(text.q, asked.q)


def test_a_row_of_a_batch_under_control_is_the_single_run():
    given = np.array([0.0, 0.5, 1.0])
    options = {"control": {"J_x": "8 - 20*J_x."}, "sample": 0.01, "rate": 50}
    options |= {"method": "moreau", "step": 1e-3}
    runs = ts.simulate(pushed_block(), 0.2, initial={"J_x.": given}, **options)
    for k, speed in enumerate(given):
        alone = ts.simulate(pushed_block(), 0.2, initial={"J_x.": float(speed)}, **options)
        np.testing.assert_array_equal(runs[k].q, alone.q)


def test_what_a_law_raises_in_steps_is_raised():
    def law(t, q, v):
        raise ValueError("no sensor")

    with pytest.raises(ValueError, match="no sensor"):
        controlled(law, step=1e-3)


def test_a_law_measures_reactions_in_steps():
    """The normal force is the weight, and a law that gives half of it starts to slide."""
    seen = []

    def law(t, q, v, reactions):
        seen.append(reactions[0])
        return [0.5 * reactions[0]]

    loop = ts.control.Loop(law, sample=0.01, actuators=["J_x"], reactions=["N_floor"])
    run = ts.simulate(pushed_block(), 0.1, control=loop, method="moreau", step=1e-3, rate=100)
    np.testing.assert_allclose(seen, 2 * G, rtol=1e-9)
    assert run["J_x."][-1] == pytest.approx(0.1 * 0.2 * G, rel=1e-9)
