"""Many motions at once: every row is the run that it would be alone."""

import json
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml

import torseur as ts
from torseur.machine import native
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact.model import ContactModel
from torseur.machine.llvm import jit, width
from torseur.simulation.batch import batch
from torseur.words.sentence import said

BAR = {
    "name": "bar",
    "gravity": [0, -9.81, 0],
    "parameters": {"l": 1.0, "m": 1.0},
    "bodies": {"bar": {"mass": "m", "centre": [0, "-l/2", 0], "inertia": [0, 0, "m*l^2/12"]}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "bar"], "axis": "z", "coordinate": "theta"}
    },
    "events": {"quarter": "theta - pi/2"},
}
EXAMPLES = Path(ts.__file__).parent / "examples"
PENDULUM = """
torseur: 1
name: pendulum
gravity: [0, -9.81, 0]
parameters: {l: {value: 1, unit: m}, m: {value: 1, unit: kg}, c: {value: 0, unit: N.m.s}}
bodies: {bar: {mass: m, centre: [0, -l, 0], inertia: [0, 0, 0]}}
joints: {O: {type: revolute, bodies: [ground, bar], axis: z, coordinate: theta}}
forces: {rub: {type: joint, joint: O, value: -c*theta.}}
points: {tip: [bar, [0, -l, 0]]}
initial: {theta: 0.5}
events: {low: theta}
"""
TOLERANCE = 1e-9  # of the integration: lane and run make the same steps, rounding apart
ROUNDED = 1e-11
RNG = np.random.default_rng(3)


def loaded(text):
    return ts.load(yaml.safe_load(text))


@cache
def pendulum() -> CompiledModel:
    return ts.compile(loaded(PENDULUM))


@cache
def double_pendulum() -> CompiledModel:
    return ts.compile(ts.load(EXAMPLES / "double_pendulum.yaml"))


@cache
def crank() -> CompiledModel:
    return ts.compile(ts.load(EXAMPLES / "slider_crank.yaml"))


def angles(count, wide=0.6):
    return RNG.uniform(-wide, wide, count)


# --- a row is a run -----------------------------------------------------------------------------


def test_every_lane_moves_as_a_run_of_its_own():
    theta, m1 = angles(6), RNG.uniform(0.5, 2.0, 6)
    runs = ts.simulate(double_pendulum(), 2.0, rate=20.0, initial={"theta1": theta},
                       parameters={"m1": m1})  # fmt: skip
    assert runs["theta1"].shape == (6, 41) and (runs.status == "done").all()
    for k in (0, 3, 5):
        alone = ts.simulate(double_pendulum(), 2.0, rate=20.0, initial={"theta1": theta[k]},
                            parameters={"m1": m1[k]})  # fmt: skip
        np.testing.assert_allclose(runs.q[k], alone.q, atol=ROUNDED)
        np.testing.assert_allclose(runs.v[k], alone.v, atol=10 * ROUNDED)
        np.testing.assert_allclose(runs["theta2.."][k], alone["theta2.."], atol=1e3 * ROUNDED)
        np.testing.assert_allclose(runs.point("tip")[k], alone.point("tip"), atol=ROUNDED)
        np.testing.assert_allclose(runs.energy["kinetic"][k], alone.energy["kinetic"], atol=1e-9)
        row = runs.row(k)
        np.testing.assert_allclose(row.reaction("O"), alone.reaction("O"), atol=1e-9)
        assert row.model.parameters["m1"] == m1[k]


@pytest.mark.parametrize("count", [1, 4, 7])
def test_any_number_of_rows_fits_the_lanes(count):
    theta = np.linspace(0.1, 0.5, count)
    runs = ts.simulate(pendulum(), 1.0, rate=10.0, initial={"theta": theta}, threads=1)
    assert len(runs) == count
    alone = ts.simulate(pendulum(), 1.0, rate=10.0, initial={"theta": theta[-1]})
    np.testing.assert_allclose(runs["theta"][-1], alone["theta"], atol=ROUNDED)


def test_permuted_rows_give_permuted_results_whoever_moves_them():
    theta, c = angles(9), RNG.uniform(0, 1, 9)
    order = RNG.permutation(9)
    first = ts.simulate(pendulum(), 2.0, rate=10.0, initial={"theta": theta},
                        parameters={"c": c}, threads=1)  # fmt: skip
    second = ts.simulate(pendulum(), 2.0, rate=10.0, initial={"theta": theta[order]},
                         parameters={"c": c[order]}, threads=2)  # fmt: skip
    assert np.array_equal(second.q, first.q[order])
    assert np.array_equal(second.v, first.v[order])


def test_the_energy_of_every_row_is_balanced():
    runs = ts.simulate(pendulum(), 3.0, rate=20.0, initial={"theta": angles(5, 2.0)},
                       parameters={"c": np.linspace(0, 2, 5)})  # fmt: skip
    total = runs.energy["kinetic"] + runs.energy["potential"] - runs.energy["work"]
    assert np.abs(total - total[:, :1]).max() < 1e-7
    assert (runs.energy_drift < 1e-7).all() and runs.row(2).energy_drift < 1e-7


def test_loops_stay_closed_in_every_lane():
    alpha, m3 = np.linspace(0.3, 1.0, 5), np.linspace(0.4, 0.8, 5)
    runs = ts.simulate(crank(), 1.0, rate=20.0, initial={"alpha": alpha, "alpha.": 2.0},
                       parameters={"m3": m3})  # fmt: skip
    np.testing.assert_allclose(runs["alpha"][:, 0], alpha, atol=1e-12)
    np.testing.assert_allclose(runs["alpha."][:, 0], 2.0, atol=1e-12)
    for k in (0, 4):
        assert runs.row(k).closure_error < 1e-9
        start = {name: float(runs[name][k, 0]) for name in runs.names}
        alone = ts.simulate(crank(), 1.0, rate=20.0, initial=start, parameters={"m3": m3[k]})
        np.testing.assert_allclose(runs.q[k], alone.q, atol=1e-8)


def test_times_of_forces_are_those_of_each_lane():
    pushed = PENDULUM.replace("value: -c*theta.", "value: sin(3*t)")
    model = loaded(pushed.replace("c: {value: 0, unit: N.m.s}", "c: 0"))
    runs = ts.simulate(model, start=1.0, at=[1.5, 2.0], initial={"theta": np.array([0.1, 0.2])})
    alone = ts.simulate(model, start=1.0, at=[1.5, 2.0], initial={"theta": 0.2})
    assert runs.t.tolist() == [1.5, 2.0]
    np.testing.assert_allclose(runs["theta"][1], alone["theta"], atol=ROUNDED)


def test_steps_of_fixed_length_are_those_of_a_run():
    runs = ts.simulate(pendulum(), 1.0, rate=10.0, method="rk4", step=0.01,
                       initial={"theta": np.array([0.1, 0.4])})  # fmt: skip
    alone = ts.simulate(pendulum(), 1.0, rate=10.0, method="rk4", step=0.01, initial={"theta": 0.4})
    np.testing.assert_allclose(runs.q[1], alone.q, atol=1e-13)


# --- events --------------------------------------------------------------------------------------


def test_events_are_found_in_every_lane():
    theta = np.array([0.3, 0.6, 1.0, -0.2, 0.5])
    runs = ts.simulate(pendulum(), 3.0, rate=10.0, initial={"theta": theta})
    for k, x in enumerate(theta):
        alone = ts.simulate(pendulum(), 3.0, rate=10.0, initial={"theta": x})
        assert [e.name for e in alone.events] == [e.name for e in runs.events.of(k)]
        np.testing.assert_allclose(runs.event_times("low")[k], alone.events[0].t, atol=1e-9)
        np.testing.assert_allclose(runs.event_times("low", 1)[k], alone.events[1].t, atol=1e-9)


def test_a_terminal_event_ends_its_row_only():
    model = loaded(PENDULUM.replace("low: theta", "low: {zero: theta, stop: true}"))
    runs = ts.simulate(model, 2.0, rate=10.0, initial={"theta": np.array([0.3, 1.2])})
    assert runs.status.tolist() == ["stopped", "stopped"]
    for k, x in enumerate((0.3, 1.2)):
        alone = ts.simulate(model, 2.0, rate=10.0, initial={"theta": x})
        assert runs.ended[k] == pytest.approx(alone.span[1], abs=1e-10)
        np.testing.assert_allclose(runs.row(k).q, alone.q, atol=ROUNDED)
        assert np.isnan(runs["theta"][k, -1])


# --- rows that fail, and what lanes do not move ---------------------------------------------------


def test_a_row_that_cannot_move_is_marked_and_the_others_go_on():
    runs = ts.simulate(pendulum(), 1.0, rate=10.0, initial={"theta": np.array([0.1, np.nan, 0.3])},
                       parameters={"m": np.array([1.0, 1.0, -1.0])})  # fmt: skip
    assert runs.status.tolist() == ["done", "failed", "failed"]
    assert "nan" in runs.reasons[1] and "negative" in runs.reasons[2]
    assert np.isfinite(runs["theta"][0]).all() and np.isnan(runs["theta"][1:]).all()
    with pytest.raises(ts.SolveError, match="row 1"):
        runs.row(1)


def test_a_motion_that_becomes_infinite_fails_alone():
    blown = PENDULUM.replace("value: -c*theta.", "value: c*theta.^3")
    model = loaded(blown.replace("unit: N.m.s", "unit: kg.m^2.s"))
    runs = ts.simulate(model, 5.0, rate=10.0, parameters={"c": np.array([0.0, 5.0, 0.01])})
    assert runs.status.tolist() == ["done", "failed", "done"]
    assert "t = " in runs.reasons[1] and len(runs.row(1).t) > 1


def test_stiff_rows_are_moved_by_the_method_made_for_them():
    runs = ts.simulate(pendulum(), 3.0, rate=10.0, parameters={"c": np.array([0.0, 3e4])})
    alone = ts.simulate(pendulum(), 3.0, rate=10.0, parameters={"c": 3e4})
    assert any("stiff" in x for x in runs.notices)
    np.testing.assert_allclose(runs["theta"][1], alone["theta"], atol=TOLERANCE)


def turned(law, **more):
    """A bar that an imposed motion turns against its weight."""
    return ts.load({**BAR, "motions": {"turn": {"coordinate": "theta", "law": law}}, **more})


def test_what_imposed_motions_move_runs_in_lanes_with_its_work_and_its_events():
    mechanism, w = turned("w*t", parameters={"l": 1.0, "m": 1.0, "w": 2.0}), np.linspace(1, 3, 9)
    runs = ts.simulate(mechanism, 2.0, rate=10.0, parameters={"w": w})
    assert not runs.notices and not runs.reasons
    np.testing.assert_allclose(runs["theta"], np.outer(w, runs.t), atol=1e-13)
    lifted = 9.81 / 2 * (1 - np.cos(runs["theta"]))
    np.testing.assert_allclose(runs.work, lifted, atol=1e-8)
    np.testing.assert_allclose(runs.event_times("quarter"), np.pi / 2 / w, atol=1e-12)
    alone = ts.simulate(mechanism, 2.0, rate=10.0, parameters={"w": w[4]})
    np.testing.assert_allclose(runs.work[4], alone.work, atol=1e-8)
    assert [x.t for x in alone.events] == pytest.approx([np.pi / 2 / w[4]], abs=1e-12)


def test_loops_that_a_motion_drives_are_as_alone():
    model = ts.compile(ts.load(EXAMPLES / "whitworth.yaml"))
    r = model.parameters["r"] * np.linspace(0.98, 1.02, 5)
    runs = ts.simulate(model, 1.0, rate=10.0, parameters={"r": r}, threads=1)
    alone = ts.simulate(model, 1.0, rate=10.0, parameters={"r": r[3]})
    assert not runs.notices
    np.testing.assert_allclose(runs.q[3], alone.q, atol=1e-10)
    np.testing.assert_allclose(runs.v[3], alone.v, atol=1e-10 * abs(alone.v).max())
    np.testing.assert_allclose(runs.work[3], alone.work, atol=1e-7 * abs(alone.work).max())


# --- control in the loop ------------------------------------------------------------------------

GAINS = {"theta": "-k*theta - c*theta."}
LOOPS = {
    "at once": lambda m: {"control": GAINS, "sample": 0.01},
    "later": lambda m: {"control": GAINS, "sample": 0.01, "delay": 0.025},
    "with all that a loop has": lambda m: {"control": ts.control.Loop(
        ts.control.pid(m, {"theta": 0.3}, 20.0, 5.0, 2.0), 0.01, saturation=3.0,
        noise={"theta": 1e-3}, resolution={"theta.": 1e-4})},
}  # fmt: skip


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_compiled_law_acts_on_every_row_as_on_one_motion(loop):
    mechanism = ts.load({**BAR, "parameters": {"l": 1.0, "m": 1.0, "k": 20.0, "c": 2.0}})
    theta, k = np.linspace(0.1, 1.0, 11), np.linspace(5.0, 30.0, 11)
    given = {"rate": 20.0, **loop(mechanism)}
    runs = ts.simulate(mechanism, 1.0, initial={"theta": theta}, parameters={"k": k}, **given)
    assert not runs.notices and not runs.reasons
    for row in (0, 7):
        alone = ts.simulate(mechanism, 1.0, initial={"theta": theta[row]},
                            parameters={"k": k[row]}, **given)  # fmt: skip
        np.testing.assert_allclose(runs["theta"][row], alone["theta"], atol=1e-13)
        np.testing.assert_allclose(runs.inputs[row], alone.inputs, atol=1e-12)
        np.testing.assert_allclose(runs.row(row).reaction("O"), alone.reaction("O"), atol=1e-11)


def test_the_gains_of_a_law_differ_from_row_to_row(tmp_path):
    mechanism, law = ts.load(BAR), ts.control.pd(ts.load(BAR), {"theta": 0.0}, 20.0, 2.0)
    name, stiff = next(x for x in law.parameters if x.startswith("kp")), np.array([5.0, 20.0, 80.0])
    given = {"control": law, "sample": 0.01, "rate": 10.0, "initial": {"theta": 0.5}}
    runs = ts.simulate(mechanism, 1.0, parameters={name: stiff}, **given)
    alone = ts.simulate(mechanism, 1.0, parameters={name: 80.0}, **given)
    np.testing.assert_allclose(runs["theta"][2], alone["theta"], atol=1e-13)
    assert np.ptp(runs["theta"][:, -1]) > 0.01
    runs.save(tmp_path / "tuned.nc")
    again = ts.load_runs(tmp_path / "tuned.nc")  # with what acted on it
    np.testing.assert_allclose(again.row(2).reaction("O"), alone.reaction("O"), atol=1e-11)


def test_a_law_in_python_is_asked_one_row_after_the_other():
    runs = ts.simulate(ts.load(BAR), 0.2, rate=10.0, initial={"theta": np.array([0.1, 0.2])},
                       control=lambda t, q, v: -10 * q, sample=0.05)  # fmt: skip
    assert runs.notices == ("Moved one by one: its law is a function of Python.",)
    np.testing.assert_allclose(runs["theta"][1], 2 * runs["theta"][0], rtol=0.02)
    assert runs.inputs.shape == (2, 3, 1)


def test_contacts_are_moved_one_by_one():
    runs = ts.simulate(
        EXAMPLES / "bouncing_ball.yaml", 0.5, rate=20.0, initial={"y": np.array([0.6, 0.9])}
    )
    alone = ts.simulate(EXAMPLES / "bouncing_ball.yaml", 0.5, rate=20.0, initial={"y": 0.9})
    assert "one by one" in runs.notices[0]
    np.testing.assert_allclose(runs["y"][1], alone["y"], atol=TOLERANCE)


TOUCHING = {
    "a ball": ({"J_y": 1.1, "J_x.": 1.0}, "J_y", {}),
    "a ball of another size": ({"J_y": 0.8, "J_x.": 1.0}, "J_y", {"r": [0.1, 0.2, 0.15]}),
    "other laws": ({"J_y": 0.6}, "J_x.", {"mu": [0.0, 0.3, 0.6], "e": [0.3, 0.9, 0.0]}),
}


def thrown_ball(initial):
    return {
        "gravity": [0, -9.81, 0],
        "parameters": {"r": 0.1, "mu": 0.3, "e": 0.6},
        "bodies": {"b": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"J": {"type": "planar", "bodies": ["ground", "b"], "normal": "z"}},
        "contacts": {"c": {"bodies": ["ground", "b"], "shape": "sphere", "radius": "r",
                           "normal": "y", "friction": "mu", "restitution": "e"}},
        "events": {"high": "J_y - 0.4"},
        "initial": initial,
    }  # fmt: skip


@pytest.mark.parametrize("name", TOUCHING)
def test_a_row_that_touches_is_its_single_motion_bit_for_bit(name):
    start, moved, swept = TOUCHING[name]
    model, values = ts.compile(ts.load(thrown_ball(start))), np.array([0.5, 0.7, 1.2])
    wide = {key: np.array(x) for key, x in swept.items()}
    runs = ts.simulate(model, 1.5, rate=40.0, initial={moved: values}, parameters=wide)
    assert not runs.reasons
    for k, value in enumerate(values):
        own = {key: x[k] for key, x in swept.items()}
        alone = ts.simulate(model, 1.5, rate=40.0, initial={moved: value}, parameters=own)
        for one in (runs.row(k), pickle.loads(pickle.dumps(runs)).row(k)):
            np.testing.assert_array_equal(one.samples.states, alone.samples.states)
            assert [(e.name, e.t, e.cause, e.impulse) for e in one.events] == [
                (e.name, e.t, e.cause, e.impulse) for e in alone.events
            ]
            assert one.notices == alone.notices
        np.testing.assert_array_equal(runs.q[k], alone.q)
        assert runs.energy_drift[k] == pytest.approx(alone.energy_drift, rel=1e-6)
        assert runs.event_times("high")[k] == next(e.t for e in alone.events if e.name == "high")


def leaning(t, q, v):
    """A law of Python: it pushes back."""
    return -4 * q[:1] - v[:1]


def integrating():
    """A law of Python that remembers: it begins anew with every motion."""
    summed = [0.0]

    def law(t, q, v):
        summed[0] = q[0] if t == 0 else summed[0] + q[0]
        return -2 * q[:1] - 0.1 * summed[0]

    return law


PUSHED = {
    "a text": {"control": {"J_x": "-k*J_x - J_x."}, "sample": 0.03},
    "a late loop with noise": {"control": ts.control.Loop(
        ts.control.TextLaw({"J_x": "-k*J_x"}), 0.05, delay=0.02, noise={"J_x": 1e-3},
        saturation=1.0)},
    "a function": {"control": leaning, "sample": 0.03},
    "a function that remembers": {"control": integrating(), "sample": 0.03},
}  # fmt: skip
BY = {
    "events": {},
    "radau": {"method": "radau"},
    "rk4": {"method": "rk4", "step": 2e-3},
    "moreau": {"method": "moreau", "step": 2e-3},
    "moreau's own step": {"method": "moreau"},
}


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("law", [None, *PUSHED])
def test_a_row_that_touches_under_control_is_its_single_motion_bit_for_bit(law, by):
    given = thrown_ball({"J_y": 0.3, "J_x.": 1.0})
    given["parameters"]["k"], given["inputs"] = 3.0, ["J_x"]
    model, values, k = ts.compile(ts.load(given)), np.array([0.5, 0.7, 1.2]), [1.0, 4.0, 2.0]
    options = {"rate": 40.0, **(PUSHED[law] if law else {}), **BY[by]}
    radius = np.array([0.1, 0.2, 0.3])
    runs = ts.simulate(model, 0.7, initial={"J_x.": values},
                       parameters={"k": np.array(k), "r": radius}, **options)  # fmt: skip
    assert not runs.reasons
    for row, value in enumerate(values):
        own = {"k": k[row], "r": radius[row]}
        alone = ts.simulate(model, 0.7, initial={"J_x.": value}, parameters=own, **options)
        for one in (runs.row(row), pickle.loads(pickle.dumps(runs)).row(row)):
            np.testing.assert_array_equal(one.samples.states, alone.samples.states)
            assert [(e.name, e.t, e.cause) for e in one.events] == [
                (e.name, e.t, e.cause) for e in alone.events
            ]
            assert one.notices == alone.notices
        np.testing.assert_array_equal(runs.inputs[row], alone.inputs)


def test_rows_that_touch_share_the_tables_of_their_contacts(monkeypatch):
    made, build = [], ContactModel.__init__
    monkeypatch.setattr(ContactModel, "__init__", lambda x, m: made.append(x) or build(x, m))
    for more in ({}, {"control": leaning, "sample": 0.05}, {"method": "moreau", "step": 5e-3}):
        made.clear()
        given = thrown_ball({"J_y": 0.3}) | {"inputs": ["J_x"]}
        ts.simulate(ts.load(given), 0.2, rate=10, initial={"J_x.": np.linspace(0, 1, 9)}, **more)
        assert len(made) == 2  # of the first row, and of all others


def test_a_law_that_fails_in_a_row_that_touches_is_the_reason_of_that_row():
    def law(t, q, v):
        return np.nan if v[0] > 1.1 else 0.0

    given = thrown_ball({"J_y": 0.3}) | {"inputs": ["J_x"]}
    runs = ts.simulate(ts.load(given), 0.2, rate=10, initial={"J_x.": np.array([0.5, 1.2, 0.7])},
                       control=law, sample=0.05)  # fmt: skip
    assert runs.status.tolist() == ["done", "failed", "done"]
    assert "which is not finite" in runs.reasons[1]


@pytest.mark.parametrize("name", ["governor_with_friction", "rocking_block", "shoe_brake"])
def test_rows_of_examples_that_touch_are_their_single_motions_bit_for_bit(name):
    """Loops are closed row by row; what no machine code settles is searched for."""
    model = ts.compile(ts.load(name))
    speed = model.speeds[0]
    values = np.array([0.0, 0.1, 0.2])
    runs = ts.simulate(model, 0.3, rate=40.0, initial={speed: values})
    assert not runs.reasons
    for k, value in enumerate(values):
        alone = ts.simulate(model, 0.3, rate=40.0, initial={speed: value})
        np.testing.assert_array_equal(runs.q[k], alone.q)
        np.testing.assert_array_equal(runs.v[k], alone.v)
        assert [e.t for e in runs.row(k).events] == [e.t for e in alone.events]


@pytest.mark.parametrize("name", ["bouncing_ball", "double_pendulum"])
def test_rows_are_sampled_at_the_times_given_and_end_where_the_motion_ends(name):
    m, at = ts.load(name), [0.1, 0.25]
    speed = f"{m.coordinates[0]}."
    runs = ts.simulate(m, 0.4, at=at, initial={speed: np.array([0.0, 1.0])})
    whole = ts.simulate(m, at=[0.4], initial={speed: 1.0})
    for t in (runs.t, runs[0].t, runs[1].t):
        np.testing.assert_array_equal(t, at)
    np.testing.assert_allclose(runs.ended, 0.4)
    assert runs.end[speed][1] == pytest.approx(whole[speed][-1], abs=1e-8)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"initial": {"theta": np.zeros(3)}, "parameters": {"m": np.ones(2)}}, "different lengths"),
        ({"initial": {"phi": np.zeros(3)}}, "phi"),
        ({"parameters": {"k": np.ones(3)}}, "k"),
        ({"initial": {"theta": np.zeros((2, 2))}}, "shape"),
        ({"initial": {"theta": np.zeros(2)}, "threads": 0}, "threads"),
    ],
)
def test_a_wrong_batch_is_refused_in_one_message(values, message):
    with pytest.raises(ts.ModelError, match=message) as refused:
        ts.simulate(pendulum(), 1.0, **values)
    assert said(refused.value.problem, "fr") != refused.value.problem


# --- inputs, derivatives, files -------------------------------------------------------------------


def test_a_rollout_is_what_a_stepper_does():
    forces = RNG.normal(size=(3, 20, 1))
    runs = ts.rollout(pendulum(), forces, 0.05, initial={"theta": np.array([0.1, 0.2, 0.3])})
    moving = ts.Stepper(pendulum(), 0.05, initial={"theta": 0.3})
    for k in range(20):
        moving.step(forces[2, k])
    np.testing.assert_allclose(runs["theta"][2, -1], moving.q[0], atol=1e-8)
    np.testing.assert_array_equal(runs.inputs[:, :-1], forces)
    assert (runs.energy_drift < 1e-7).all()
    named = ts.rollout(pendulum(), {"theta": forces[:, :, 0]}, 0.05, method="rk4", step=0.005,
                       initial={"theta": np.array([0.1, 0.2, 0.3])})  # fmt: skip
    np.testing.assert_allclose(named["theta"], runs["theta"], atol=1e-6)


def test_the_actuator_of_a_rollout_may_stand_alone_as_that_of_a_stepper():
    forces = RNG.normal(size=(2, 5, 1))
    alone, listed = (ts.rollout(pendulum(), forces, actuators=x) for x in ("theta", ["theta"]))
    np.testing.assert_array_equal(alone["theta"], listed["theta"])


def test_inputs_that_do_not_fit_are_refused():
    with pytest.raises(ts.ModelError, match="shape"):
        ts.rollout(pendulum(), np.zeros((2, 5, 3)))
    with pytest.raises(ts.ModelError, match="rows"):
        ts.rollout(pendulum(), np.zeros((2, 5, 1)), initial={"theta": np.zeros(3)})


def test_derivatives_of_a_batch_are_those_of_its_rows():
    theta = np.array([0.2, 0.5, -0.4])
    found = ts.sensitivity(pendulum(), 1.0, ("l", "theta"), rate=10.0, initial={"theta": theta})
    alone = ts.sensitivity(pendulum(), 1.0, ("l", "theta"), rate=10.0, initial={"theta": -0.4})
    np.testing.assert_allclose(found.S[2], alone.S, atol=1e-9)
    np.testing.assert_allclose(found.of("theta", "l")[2], alone.of("theta", "l"), atol=1e-9)
    np.testing.assert_allclose(found.row(2)["tip.x"], alone["tip.x"], atol=1e-9)


def test_derivatives_of_loops_follow_each_row():
    names = {"alpha": np.array([0.5, 0.8])}
    found = ts.sensitivity(crank(), 0.3, ("Cm",), rate=10.0, initial=names)
    wide = [ts.simulate(crank(), 0.3, rate=10.0, initial=names, parameters={"Cm": 1.5 + h})
            for h in (1e-4, -1e-4)]  # fmt: skip
    slope = (wide[0]["alpha"] - wide[1]["alpha"]) / 2e-4
    np.testing.assert_allclose(found["alpha"][:, :, 0], slope, atol=1e-6)


def test_a_batch_is_saved_with_all_that_belongs_to_it(tmp_path):
    runs = ts.simulate(pendulum(), 1.0, rate=10.0, initial={"theta": np.array([0.1, np.nan, 0.3])},
                       parameters={"m": np.array([1.0, 2.0, 3.0])})  # fmt: skip
    runs.save(tmp_path / "batch.nc")
    again = ts.load_runs(tmp_path / "batch.nc")
    assert repr(again) == repr(runs) and again.reasons == runs.reasons
    assert repr(ts.load_run(tmp_path / "batch.nc")) == repr(runs)  # whatever the file holds
    np.testing.assert_array_equal(again.q, runs.q)
    np.testing.assert_array_equal(again.events.t, runs.events.t)
    np.testing.assert_allclose(again.row(2).reaction("O"), runs.row(2).reaction("O"))
    drawn = runs.plot("theta", path=tmp_path / "bands.png", rows=2)
    assert (tmp_path / "bands.png").exists() and len(drawn.axes) == 1
    assert runs.to_xarray()["theta"].shape == (3, 11)
    more = ts.simulate(
        pendulum(), 1.0, rate=10.0, initial={n: x[[0, 2]] for n, x in runs.end.items()}
    )
    np.testing.assert_allclose(more["theta"][:, 0], runs["theta"][[0, 2], -1])


# --- how wide vectors are -------------------------------------------------------------------------


def test_the_width_of_vectors_follows_the_processor(monkeypatch):
    assert width.widths("+sse2") == (2,) and width.widths("+sse2,+avx,+avx2") == (4,)
    assert width.widths("+avx,+avx512f") == (4, 8)
    monkeypatch.setattr(width, "measured", {4: 1.0, 8: 0.7}.__getitem__)
    assert width.quickest((4, 8)) == 8
    monkeypatch.setattr(width, "measured", {4: 1.0, 8: 0.98}.__getitem__)
    assert width.quickest((4, 8)) == 4
    monkeypatch.setenv("TORSEUR_PORTABLE", "1")
    monkeypatch.delenv("TORSEUR_LANES", raising=False)
    assert jit.target() == ("", "") and width.width() == 2


@pytest.mark.parametrize("lanes", ["2", "8"])
def test_functions_are_the_same_in_any_number_of_lanes(lanes, monkeypatch):
    q = RNG.normal(size=(11, 2))
    one = np.array([double_pendulum().mass_matrix(x) for x in q])
    monkeypatch.setenv("TORSEUR_LANES", lanes)
    own = ts.compile(ts.load(EXAMPLES / "double_pendulum.yaml"))
    np.testing.assert_allclose(own.mass_matrix(q), one, rtol=1e-14)
    M = own.inverse_dynamics_derivatives(q, q, q)
    np.testing.assert_allclose(M[10], own.inverse_dynamics_derivatives(q[10], q[10], q[10]))


@pytest.mark.slow
@pytest.mark.parametrize("lanes", ["2", "8"])
def test_motions_are_the_same_in_any_number_of_lanes(lanes):
    theta = np.linspace(-0.5, 0.5, 11)
    usual = ts.simulate(double_pendulum(), 1.0, rate=10.0, initial={"theta1": theta}, threads=1)
    text = (
        "import numpy as np, torseur as ts; from pathlib import Path;"
        "m = Path(ts.__file__).parent / 'examples' / 'double_pendulum.yaml';"
        "theta = np.linspace(-0.5, 0.5, 11);"
        "found = ts.simulate(m, 1.0, rate=10.0, initial={'theta1': theta}, threads=1);"
        "print(found.q.tolist())"
    )
    told = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True,
                          env={**os.environ, "TORSEUR_LANES": lanes})  # fmt: skip
    np.testing.assert_array_equal(json.loads(told.stdout), usual.q)


def test_memory_of_a_large_result_is_used_again_only_once_nobody_holds_it():
    first = native.empty((400, 400))
    place, part = first.ctypes.data, first[3:, ::2]
    first[:] = 1.0
    del first
    other = native.empty((400, 400))  # a part of the first is still held
    assert other.ctypes.data != place
    other[:] = 2.0
    assert (part == 1.0).all()
    del part
    assert native.empty((400, 400)).ctypes.data == place


def test_of_many_rows_the_extremes_are_looked_at_first(monkeypatch):
    monkeypatch.setattr(batch, "_ALL_CHECKED", 3)
    m = np.array([1.0, 2.0, 3.0, -1.0, 4.0, 5.0])
    runs = ts.simulate(pendulum(), 0.1, rate=10.0, parameters={"m": m})
    assert list(runs.reasons) == [3]
