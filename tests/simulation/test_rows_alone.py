"""A row of a batch and the same motion alone have the same bits, whatever the number of lanes."""

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
def alone(case, method, row, start):
    """The motion of a row by itself, from the state that its loops were closed at."""
    _, _, initial, parameters, _ = CASES[case]
    given = {name: float(x[row]) for name, x in initial.items()} | dict(start)
    return moved(case, method, given, {name: float(x[row]) for name, x in parameters.items()})


def closed_start(case, runs, row):
    """Coordinates and speeds of a loop at its start: many are closed together, from the first."""
    if not model(case).constraints:
        return ()
    names = (*model(case).coordinates, *model(case).speeds)
    return tuple(zip(names, (*runs.q[row, 0].tolist(), *runs.v[row, 0].tolist()), strict=True))


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_a_row_of_a_batch_has_the_bits_of_the_motion_alone(case, method, lanes, monkeypatch):
    monkeypatch.setenv("TORSEUR_LANES", lanes)
    _, _, initial, parameters, _ = CASES[case]
    runs = moved(case, method, initial, parameters)
    assert not any("one by one" in x for x in runs.notices) and not runs.reasons
    for row in range(ROWS):
        one = alone(case, method, row, closed_start(case, runs, row))
        for array in map(attrgetter, ("t", "q", "v", "work", "inputs")):
            np.testing.assert_array_equal(array(runs[row]), array(one))
        happened = [(x.name, x.t, *x.state) for x in one.events]
        assert [(x.name, x.t, *x.state) for x in runs[row].events] == happened
