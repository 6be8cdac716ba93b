"""A row of a batch and the same motion alone have the same bits, whatever the number of lanes."""

from dataclasses import replace
from functools import cache
from operator import attrgetter

import numpy as np
import pytest

import torseur as ts

LANES = ("1", "8", *(pytest.param(x, marks=pytest.mark.slow) for x in ("2", "4")))
ROWS = 5  # no multiple of the lanes, so that some are idle
SPREAD = np.linspace(0.2, 1.4, ROWS)
LAW = {"theta1": "-3*theta1 - 0.4*theta1."}
LATE = ts.control.Loop(ts.control.TextLaw(LAW), 0.05, delay=0.02, noise={"theta1": 1e-3})
STOPPED = {
    "bodies": {"rod": {"mass": "m", "inertia": [0.1, 0.1, 0.1], "centre": [0, -0.5, 0]}},
    "joints": {"J": {"type": "pivot", "bodies": ["ground", "rod"], "axis": "z",
                     "coordinate": "theta"}},
    "parameters": {"m": 2.0},
    "gravity": [0, -9.81, 0],
    "events": {"low": "theta", "fast": {"zero": "theta. + 3", "stop": True}},
}  # fmt: skip
METHODS = {
    "dop853": {},
    "loose": {"rtol": 1e-5},
    "rk4": {"method": "rk4", "step": 3e-3},
    "euler": {"method": "euler", "step": 1e-3},
    "radau": {"method": "radau"},
}
# mechanism, duration, what differs from row to row, and options
CASES = {
    "tree": ("double_pendulum", 1.0, {"theta1": SPREAD}, {}, {}),
    "parameters": ("double_pendulum", 1.0, {"theta1": SPREAD}, {"m1": SPREAD, "l2": SPREAD}, {}),
    "quaternions": ("free_body", 1.0, {"flight_wx": SPREAD}, {"a": SPREAD}, {}),
    "events": (STOPPED, 1.0, {"theta": SPREAD}, {"m": SPREAD}, {}),
    "control": ("double_pendulum", 1.0, {"theta1": SPREAD}, {"m2": SPREAD},
                {"control": LAW, "sample": 0.03}),
    "late control": ("double_pendulum", 1.0, {"theta1": SPREAD}, {},
                     {"control": LATE}),
    "loop": ("slider_crank", 0.3, {"alpha": SPREAD}, {}, {}),
    "loop of masses": ("slider_crank", 0.3, {}, {"m3": SPREAD}, {}),
    "loop of lengths": ("four_bar", 0.3, {}, {"l2": 0.3 + 0.1 * SPREAD}, {}),
}  # fmt: skip


@cache
def model(case):
    name = CASES[case][0]
    return ts.compile(ts.load(name))


def moved(case, method, initial, parameters):
    _, duration, _, _, options = CASES[case]
    return ts.simulate(model(case), duration, rate=40.0, initial=initial, parameters=parameters,
                       threads=2, **options, **METHODS[method])  # fmt: skip


@cache
def alone(case, method, row):
    """The motion of a row by itself."""
    _, _, initial, parameters, _ = CASES[case]
    values = ({name: float(x[row]) for name, x in given.items()} for given in (initial, parameters))
    return moved(case, method, *values)


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_a_row_of_a_batch_has_the_bits_of_the_motion_alone(case, method, lanes, monkeypatch):
    monkeypatch.setenv("TORSEUR_LANES", lanes)
    _, _, initial, parameters, _ = CASES[case]
    runs = moved(case, method, initial, parameters)
    assert not any("one by one" in x for x in runs.notices) and not runs.reasons
    for row in range(ROWS):
        require_same(runs[row], alone(case, method, row))


def require_same(row, one):
    for array in map(attrgetter, ("t", "q", "v", "work", "inputs")):
        np.testing.assert_array_equal(array(row), array(one))
    happened = [(x.name, x.t, *x.state) for x in one.events]
    assert [(x.name, x.t, *x.state) for x in row.events] == happened


# what differs from row to row: coordinates, speeds and parameters, which relations and sizes follow
LOOPS = {
    "slider_crank": ({"alpha": 4 * SPREAD, "alpha.": SPREAD}, {"l2": 0.4 + 0.2 * SPREAD}),
    "slider_crank_multipliers": ({"alpha": SPREAD}, {"l2": 0.3 + 0.02 * SPREAD}),
    "four_bar": ({"alpha": SPREAD}, {"l2": 0.3 + 0.1 * SPREAD}),
    "five_bar": ({"alpha": 1.5 + 0.3 * SPREAD, "beta": 1.0 + 0.1 * SPREAD}, {}),
    "delta_robot": ({"theta1": 0.6 + 0.1 * SPREAD}, {"l": 0.58 + 0.02 * SPREAD}),
    "whitworth": ({"alpha": SPREAD}, {"L": 0.35 + 0.1 * SPREAD}),
    "jansen_leg": ({"theta": 2 * SPREAD}, {}),
    "ball_governor": ({"alpha1": 0.3 + 0.2 * SPREAD}, {"a": 0.18 + 0.02 * SPREAD}),
    "speed_governor_relation": ({"alpha": 0.3 + 0.2 * SPREAD}, {"c": 0.04 + 0.01 * SPREAD}),
    "planetary_reducer": ({"theta1": SPREAD, "theta1.": SPREAD}, {"b": 0.02 + 0.01 * SPREAD}),
    "rolling_disc": ({"lean": 0.1 * SPREAD, "psi.": SPREAD}, {"r": 0.2 + 0.1 * SPREAD}),
    "unbalanced_rotor": ({"P1_wz": 10 * SPREAD, "P1_x": 0 * SPREAD, "P1_z": SPREAD}, {"m": SPREAD}),
}


@pytest.mark.parametrize("rows", [1, ROWS])
@pytest.mark.parametrize("coordinates", ["joint", pytest.param("absolute", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LOOPS)
def test_a_row_of_loops_starts_as_the_motion_alone(name, coordinates, rows):
    mechanism = ts.compile(replace(ts.load(name), motions={}))  # driven ones integrate nothing
    wide = [{n: x[:rows] for n, x in given.items()} for given in LOOPS[name]]
    options = {"coordinates": coordinates, "rate": 100.0}
    runs = ts.simulate(mechanism, 0.02, initial=wide[0], parameters=wide[1], **options)
    for row in range(rows):
        initial, parameters = ({n: float(x[row]) for n, x in given.items()} for given in wide)
        if row not in runs.reasons:
            one = ts.simulate(mechanism, 0.02, initial=initial, parameters=parameters, **options)
            require_same(runs[row], one)
    assert len(runs.reasons) < rows


def test_a_given_speed_of_a_closing_joint_is_that_of_every_row():
    crank = ts.compile(ts.load("slider_crank"))
    runs = ts.simulate(crank, 0.02, rate=100.0, initial={"alpha": SPREAD, "psi.": 1.0})
    for row in range(ROWS):
        assert runs[row]["psi."][0] == pytest.approx(1.0, rel=1e-12)
        initial = {"alpha": float(SPREAD[row]), "psi.": 1.0}
        require_same(runs[row], ts.simulate(crank, 0.02, rate=100.0, initial=initial))


def test_a_row_without_initial_values_is_refused_as_the_motion_alone():
    bars = ts.compile(ts.load("four_bar"))
    runs = ts.simulate(bars, 0.02, rate=100.0, parameters={"l2": np.array([0.35, 3.0, 0.4])})
    with pytest.raises(ts.ModelError) as refused:
        ts.simulate(bars, 0.02, parameters={"l2": 3.0})
    assert runs.reasons == {1: str(refused.value)}
    require_same(runs[2], ts.simulate(bars, 0.02, rate=100.0, parameters={"l2": 0.4}))
