"""Laws in the loop: a sampled motion obeys the exact recurrence, and what acts on it is counted."""

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError
from torseur.machine.control.sampler import asked_in_python
from torseur.simulation.control.control import Control, commanded_model
from torseur.simulation.control.loop import instants

SLED = {
    "parameters": {"m": "2 kg"},
    "bodies": {"sled": {"mass": "m"}},
    "joints": {
        "rail": {"type": "prismatic", "bodies": ["ground", "sled"], "axis": "x", "coordinate": "x"}
    },
    "initial": {"x": 0.3},
}
BOX = {
    "gravity": [0, -9.81, 0],
    "bodies": {"box": {"mass": 2, "inertia": [1, 1, 1]}},
    "joints": {
        "plane": {
            "type": "planar",
            "bodies": ["ground", "box"],
            "normal": "z",
            "coordinates": ["x", "y", "turn"],
        }
    },
    "contacts": {
        name: {"bodies": ["ground", "box"], "point": [x, -0.1, 0], "normal": "y", "friction": 0.5}
        for name, x in (("left", -0.1), ("right", 0.1))
    },
    "initial": {"y": 0.1},
}
T, K, D, M = 0.01, 40.0, 6.0, 2.0  # sampling time, gains, mass


@pytest.fixture(scope="module")
def sled():
    return ts.load(SLED)


@pytest.fixture(scope="module")
def box():
    return ts.load(BOX)


def example(name):
    return ts.load(files("torseur.examples") / f"{name}.yaml")


def pd(t, q, v):
    return -K * q - D * v


def recurrence(steps, delay=0, limit=np.inf, rest=0.0):
    """x, v and u of a mass whose force is −K x − D v, held, late by whole samples and a part."""
    x, v, held, commands = 0.3, 0.0, 0.0, [0.0] * (delay + 1)
    rows = []
    for _ in range(steps):
        commands = [float(np.clip(-K * x - D * v, -limit, limit)), *commands[:-1]]
        before, after = (held, commands[delay]) if rest else (commands[delay], commands[delay])
        rows.append((x, v, before))
        for u, h in ((before, rest), (after, T - rest)):
            x, v = x + v * h + u / M * h * h / 2, v + u / M * h
        held = after
    return np.array(rows)


@pytest.mark.parametrize(
    ("delay", "limit", "rest"), [(0, np.inf, 0.0), (2, np.inf, 0.0), (1, 5.0, 0.004), (0, 3.0, 0.0)]
)
def test_a_mass_under_sampled_control_follows_its_exact_recurrence(sled, delay, limit, rest):
    loop = ts.control.Loop(pd, T, delay * T + rest, saturation=limit)
    run = ts.simulate(sled, 1.0, control=loop)
    expected = recurrence(101, delay, limit, rest)
    assert run["x"] == pytest.approx(expected[:, 0], abs=1e-13)
    assert run["x."] == pytest.approx(expected[:, 1], abs=1e-12)
    assert run.input("x") == pytest.approx(expected[:, 2], abs=1e-11)


def test_a_law_in_python_and_the_same_law_as_text_move_alike(sled):
    first = ts.simulate(sled, 1.0, control=pd, sample=T)
    second = ts.simulate(sled, 1.0, control={"x": "-40*x - 6*x."}, sample=T)
    np.testing.assert_allclose(first.q, second.q, atol=1e-15)


def test_gains_of_a_law_are_parameters_of_the_run(sled):
    law = ts.control.TextLaw({"x": "-k*x - d*x."}, parameters={"k": 1.0, "d": D})
    run = ts.simulate(sled, 1.0, control=law, sample=T, parameters={"k": K})
    assert run["x"] == pytest.approx(recurrence(101)[:, 0], abs=1e-13)


def test_what_a_law_remembers_removes_the_error_that_a_load_leaves():
    loaded = ts.load(SLED | {"forces": {"load": {"type": "joint", "joint": "rail", "value": 3}}})
    law = ts.control.TextLaw(
        {"x": "-40*x - 20*x. - 60*sum"}, memory={"sum": 0.0}, remembered={"sum": "sum + 0.01*x"}
    )
    assert ts.simulate(loaded, 20.0, control=pd, sample=T)["x"][-1] == pytest.approx(3 / K)
    assert abs(ts.simulate(loaded, 20.0, control=law, sample=T)["x"][-1]) < 1e-9


def test_the_power_of_commands_is_the_rate_of_energy_in_a_loop_of_bodies():
    def law(t, q, v):
        return {"alpha": 3 * np.sin(5 * t) - 0.1 * v[0]}

    loop = ts.control.Loop(law, 2e-3, delay=1e-3, actuators=["alpha"])
    run = ts.simulate(example("slider_crank"), 1.0, control=loop, rtol=1e-10)
    assert run.closure_error < 1e-14 and run.energy_drift < 1e-9
    assert np.abs(run.input("alpha")).max() > 1
    power = run.power["u[alpha]"]
    np.testing.assert_allclose(power, run.input("alpha") * run["alpha."], atol=1e-12)


def test_the_couple_of_a_command_passes_through_its_joint(sled):
    run = ts.simulate(sled, 0.5, control=pd, sample=T)
    np.testing.assert_allclose(run.reaction("rail")[:, 0], run.input("x"), atol=1e-12)
    np.testing.assert_allclose(run["x.."], run.input("x") / M, atol=1e-12)


def test_between_samples_the_motion_is_known_with_the_force_that_held(sled):
    run = ts.simulate(sled, 0.2, control=pd, sample=T)
    x, v, u = recurrence(21)[7]
    h = 0.0031
    there = run(7 * T + h)
    assert there["x"] == pytest.approx(x + v * h + u / M * h * h / 2, abs=1e-13)
    assert there["x.."] == pytest.approx(u / M, abs=1e-12)


def test_a_ball_joint_is_commanded_along_its_angular_velocity():
    top = ts.load(
        {
            "bodies": {"body": {"mass": 1, "inertia": [0.2, 0.2, 0.2]}},
            "joints": {"O": {"type": "spherical", "bodies": ["ground", "body"]}},
        }
    )
    run = ts.simulate(top, 1.0, control=lambda t, q, v: [0.1, 0.2, -0.1], sample=0.05)
    np.testing.assert_allclose(run.v[-1], [0.5, 1.0, -0.5], atol=1e-9)


def test_noise_and_resolution_are_those_asked_for_and_noise_follows_its_seed(sled):
    seen = []

    def law(t, q, v):
        seen.append((q[0], v[0]))
        return 0.0

    loop = ts.control.Loop(law, 1e-3, noise={"x": 0.01}, resolution={"x.": 0.25}, seed=3)
    ts.simulate(sled, 2.0, control=loop, initial={"x.": 0.6})
    first, seen = np.array(seen), []
    ts.simulate(sled, 2.0, control=loop, initial={"x.": 0.6})
    np.testing.assert_array_equal(first, np.array(seen))
    error = first[:, 0] - (0.3 + 0.6 * 1e-3 * np.arange(2001))
    assert error.std() == pytest.approx(0.01, rel=0.06)  # of 2001 values: four deviations
    assert set(first[:, 1]) == {0.5}


def test_a_box_sticks_under_a_command_below_its_limit_and_slides_under_one_above(box):
    def law(t, q, v):
        return {"x": 5.0 if t < 0.4999 else 15.0}

    run = ts.simulate(box, 1.0, control=law, sample=0.02, rtol=1e-10)
    held = run.t < 0.5
    assert np.ptp(run["x"][held]) == 0 and set(run.contact("left").state[held]) == {"stick"}
    slides = (15 - 0.5 * 2 * 9.81) / 2  # N = m g, F = mu N
    assert run["x"][-1] == pytest.approx(slides * 0.5**2 / 2, abs=1e-12)
    assert run.energy_drift < 1e-12


def test_a_large_tree_is_commanded_by_the_loop_over_its_bodies():
    """Commands that hold every joint against its weight leave it where it is."""
    links = ", ".join(f"RZ(q{k}), TXK(L{k})" for k in range(1, 51)) + ";"
    chain = ts.load(links, masses="lever", gravity=(0, -9.81, 0))
    values = {name: 0.1 for name in chain.parameters if name[0] in "LDM"}
    values |= {name: 1e-3 for name in chain.parameters if name[0] == "I"}
    held = ts.compile(chain).with_parameters(**values).gravity(np.zeros(50))
    run = ts.simulate(
        chain, 0.02, control=lambda t, q, v: held, sample=0.01, parameters=values, rate=100
    )
    assert np.abs(run.q).max() < 1e-12


# --- runs in files, steps by hand -----------------------------------------------------------------


def test_a_controlled_run_is_read_back_with_what_acted(sled, tmp_path):
    law = ts.control.TextLaw({"x": "-k*x"}, parameters={"k": K})
    run = ts.simulate(sled, 0.5, control=law, sample=T)
    run.save(tmp_path / "run.nc")
    read = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_array_equal(read.input("x"), run.input("x"))
    np.testing.assert_array_equal(read["x.."], run["x.."])
    assert read.model.mechanism.commanded == ("x.",)


def test_inputs_are_part_of_a_description(tmp_path):
    described = ts.load(SLED | {"inputs": ["x"]})
    described.save(tmp_path / "sled.yaml")
    assert ts.load(tmp_path / "sled.yaml").inputs == ("x.",)
    assert ts.simulate(described, 0.1)["x"][-1] == 0.3  # nobody gives any
    with pytest.raises(ModelError, match=r'inputs\.0: .*coordinate "y" does not exist'):
        ts.load(SLED | {"inputs": ["y"]})


def test_steps_by_hand_are_those_of_a_run(sled):
    stepper = ts.Stepper(sled, T)
    run = ts.simulate(sled, 0.5, control=pd, sample=T)
    for _ in range(50):
        stepper.step(pd(stepper.t, stepper.q, stepper.v))
    assert stepper["x"] == pytest.approx(run["x"][-1], abs=1e-13)
    assert stepper.reset().state == {"x": 0.3, "x.": 0.0} and stepper.t == 0


def test_steps_by_hand_keep_loops_closed_and_contacts_in_their_law(box):
    crank = ts.Stepper(example("slider_crank"), 0.01, actuators=["alpha"])
    for _ in range(20):
        crank.step(0.5)
    assert np.abs(crank.model.closure_gap(crank.q)).max() < 1e-15
    pushed = ts.Stepper(box, 0.02, actuators=["x"])
    assert pushed.step(5.0)["x"] == 0.0
    assert pushed.step(15.0, 0.5)["x"] == pytest.approx((15 - 9.81) / 2 * 0.125, abs=1e-10)


# --- what is refused ------------------------------------------------------------------------------


def test_a_law_measures_the_view_of_a_state_that_is_integrated_in_other_variables(sled):
    """Integrated is (force, momentum, x, work); the law sees (x, speed, work, force)."""
    seen = []

    def law(t, q, v):
        seen.append((t, *q, *v))
        return -K * q - D * v

    loop = ts.control.Loop(law, T, noise={"x": 1e-3})
    control = Control(
        commanded_model(ts.compile(sled), loop, {}), loop, instants(loop, np.array([0, T]))
    )
    view, _ = asked_in_python(lambda t, y: [y[2], y[1] / M, y[3], y[0]], 4, 4)
    control.sees(view, 4, 0)
    force, *rest = control.acted(np.array([7.0, 3.0, 0.3, 5.0]), 0.25)
    ((t, x, v),) = seen
    assert (t, v) == (0.25, 1.5) and 0 < abs(x - 0.3) < 1e-2
    assert force == -K * x - D * 1.5 and rest == [3.0, 0.3, 5.0]


def test_an_error_in_a_law_is_raised_as_it_is(sled):
    def broken(t, q, v):
        return 1 / 0 if t > 0.05 else 0.0

    with pytest.raises(ZeroDivisionError):
        ts.simulate(sled, 1.0, control=broken, sample=T)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": lambda t, q, v: [1, 2], "sample": T}, r"at t = 0 s: it gave \(2,\) numbers"),
        ({"control": lambda t, q, v: "x", "sample": T}, "it gave 'x', which is not numbers"),
        ({"control": lambda t, q, v: np.nan, "sample": T}, "it gave nan, which is not finite"),
        ({"control": lambda t, q, v: {"y": 1}, "sample": T}, 'actuator "y" does not exist'),
        ({"control": {"x": "-k*y"}, "sample": T}, '"-k\\*y": .*"k" does not exist'),
        ({"control": pd}, "control has no sampling time"),
        ({"sample": T}, "but no control"),
        ({"control": pd, "sample": -1}, "sampling time must be positive, got -1"),
        ({"control": pd, "sample": T, "delay": -1}, "delay must be zero or positive"),
        ({"control": pd, "sample": T, "method": "moreau"}, "nothing touches"),
        ({"control": pd, "sample": 1e-9}, "more than 1e"),
    ],
)
def test_what_is_wrong_with_a_loop_is_said(sled, options, message):
    with pytest.raises(ModelError, match=message):
        ts.simulate(sled, 1.0, **options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"actuators": 3}, "the actuators are 3"),
        ({"actuators": [1.0]}, r"the actuators are \[1.0\]"),
        ({"saturation": "x"}, "limits of .* are 'x'"),
        ({"saturation": {"x": (1, 2, 3)}}, r"limits of .* are \(1, 2, 3\)"),
        ({"saturation": (2, 1)}, "limits of .* are 2.0 and 1.0"),
        ({"noise": 1.0}, "values by name are expected"),
        ({"noise": {"x": "y"}}, "not a number"),
        ({"resolution": {"x": -1}}, "must be zero or positive"),
    ],
)
def test_what_is_wrong_around_a_law_is_said(sled, given, message):
    with pytest.raises(ModelError, match=message):
        ts.simulate(sled, 0.1, control=ts.control.Loop(pd, T, **given))


def test_a_stepper_takes_what_every_function_takes_for_a_mechanism(sled):
    assert ts.Stepper(SLED, T).step(1.0)["x"] == ts.Stepper(sled, T).step(1.0)["x"]
    with pytest.raises(ModelError, match="cannot be read from a value of type int"):
        ts.Stepper(3)
    with pytest.raises(ModelError, match="the forces are 'x', not numbers"):
        ts.Stepper(SLED, T).step("x")


def test_forces_that_could_move_nothing_are_refused():
    with pytest.raises(ModelError, match="leave nothing that forces could move"):
        ts.simulate(example("jansen_leg"), 0.1, control=lambda t, q, v: 0.0 * v, sample=T)


def test_forces_on_what_cannot_move_are_refused_for_that():
    welded = {"bodies": {"a": {"mass": 1}},
              "joints": {"post": {"type": "fixed", "bodies": ["ground", "a"]}}}  # fmt: skip
    with pytest.raises(ModelError, match="it cannot move: its mobility is 0, and forces change"):
        ts.simulate(welded, 0.1, control=lambda t, q, v: 0.0 * v, sample=T)


@pytest.mark.parametrize("name, joint", [("cart_pole", "hinge"), ("slider_crank", "B")])
def test_a_law_measures_the_reactions_that_a_run_tells(name, joint):
    model, seen = example(name), []
    joint = joint if joint in model.joints else list(model.joints)[1]

    def idle(t, q, v, r):
        seen.append(r)
        return {}

    named = [f"{letter}_{joint}" for letter in "XYZLMN"]
    loop = ts.control.Loop(idle, 0.02, reactions=named)
    run = ts.simulate(model, 0.2, control=loop, at=np.arange(11) * 0.02)
    told = run.reaction(joint, frame="joint")
    assert np.abs(np.array(seen) - told).max() < 1e-9 * np.abs(told).max()


def test_a_law_measures_by_machine_code_what_over_constraint_leaves_determined():
    """The joints of a flat linkage determine forces in its plane, and no others."""
    strict, seen = replace(example("slider_crank"), reactions=""), []

    def idle(t, q, v, r):
        seen.append(r)
        return {}

    loop = ts.control.Loop(idle, 0.01, reactions=["X_B", "Y_B", "N_A"])
    run = ts.simulate(strict, 0.1, control=loop, at=np.arange(11) * 0.01)
    told = [run.reaction(joint, frame="joint")[:, k] for joint, k in (("B", 0), ("B", 1), ("A", 5))]
    assert np.abs(np.array(seen).T - told).max() < 1e-9 * np.abs(told).max()
    with pytest.raises(ModelError, match="do not determine Z_A, L_A"):
        loop = ts.control.Loop(lambda t, q, v, r: {}, 0.01, reactions=["Z_A", "X_A", "L_A"])
        ts.simulate(strict, 0.1, control=loop)


def test_a_floor_is_pressed_by_the_force_that_a_law_measures_and_sums_up(box):
    press = ts.control.TextLaw(
        {"y": "-push"},
        memory={"push": 0.0},
        remembered={"push": "push + 0.5*(50 - N_left - N_right)"},
    )
    run = ts.simulate(box, 1.0, control=press, sample=0.01)
    pressing = run.contact("left").normal + run.contact("right").normal
    assert pressing[0] == pytest.approx(2 * 9.81)
    assert pressing[-1] == pytest.approx(50, abs=1e-9)


def test_reactions_are_measured_late_with_noise_and_in_steps_like_the_state():
    model = example("cart_pole")
    given = {"delay": 0.015, "noise": {"Y_hinge": 0.1}, "resolution": {"Y_hinge": 0.05}, "seed": 3}
    text = ts.control.TextLaw({"x": "0.2*Y_hinge - x."})
    written = ts.simulate(model, 0.5, control=ts.control.Loop(text, 0.01, **given))
    seen = []

    def law(t, q, v, r):
        seen.append(r[0])
        return [0.2 * r[0] - v[0]]

    loop = ts.control.Loop(law, 0.01, reactions="Y_hinge", **given)
    run = ts.simulate(model, 0.5, control=loop)
    assert np.abs(run.q - written.q).max() < 1e-12
    steps = np.array(seen) / 0.05
    assert np.abs(steps - steps.round()).max() < 1e-9


def test_a_reaction_that_is_none_is_named_with_those_there_are(sled):
    with pytest.raises(ModelError, match='reaction "X_track" does not exist'):
        loop = ts.control.Loop(lambda t, q, v, r: [0.0], 0.01, reactions=["X_track"])
        ts.simulate(sled, 0.1, control=loop)


def test_a_number_is_a_command_that_stays(sled):
    """x = x₀ + F t²/(2 m)."""
    run = ts.simulate(sled, 1.0, control={"x": 3.0}, sample=T)
    assert run["x"][-1] == pytest.approx(0.3 + 3.0 / (2 * M), rel=1e-9)


@pytest.mark.parametrize(
    ("law", "told"),
    [
        (lambda t: 0.0, r"the law has the arguments \(t\), but is called with \(t, q, v\)"),
        (lambda t, q, v: None, "it gave nothing"),
        (["-x"], 'names with texts, such as {"theta": "-k\\*theta"}'),
    ],
)
def test_a_law_that_cannot_be_asked_is_told_before_it_moves(sled, law, told):
    with pytest.raises(ModelError, match=told):
        ts.simulate(sled, 1.0, control=law, sample=T)


def test_a_law_with_defaults_or_any_arguments_is_asked(sled):
    for law in (lambda t, q, v, k=2.0: -k * q, lambda *state: -2.0 * state[1]):
        run = ts.simulate(sled, 0.1, control=law, sample=T)
        assert run["x."][-1] < 0


def test_a_run_keeps_its_commands_when_the_mechanism_moves_under_another_law():
    """M a = Q + … at every sample, whatever was simulated since."""
    mechanism = ts.load("compound_pendulum")
    name = mechanism.speeds[0]
    runs = [
        ts.simulate(mechanism, 0.2, control=lambda t, q, v, c=c: c + 0 * v, sample=0.02)
        for c in (1.0, -5.0)
    ]
    for run, force in zip(runs, (1.0, -5.0), strict=True):
        model = ts.compile(mechanism)
        Q = np.full_like(run.v, force)
        np.testing.assert_allclose(run.a, model.forward_dynamics(run.q, run.v, Q), rtol=1e-12)
        np.testing.assert_array_equal(run[f"{name}."], run.a[:, 0])


def test_parameters_of_a_law_are_those_of_each_simulation():
    def law(k):
        return ts.control.TextLaw({"theta": "-k*theta"}, {"k": k})

    def moved(mechanism, k, **options):
        return ts.simulate(mechanism, 0.3, control=law(k), sample=0.01, rate=100, **options)

    first = ts.load("compound_pendulum")
    starts = {"initial": {"theta": np.array([0.3, 0.4])}}
    for options in ({"initial": {"theta": 0.3}}, starts):
        moved(first, 2.0, **options)
        again = moved(first, 7.0, **options)
        alone = moved(ts.load("compound_pendulum"), 7.0, **options)
        assert again.model.parameters["k"] == 7.0
        np.testing.assert_array_equal(again["theta"], alone["theta"])
