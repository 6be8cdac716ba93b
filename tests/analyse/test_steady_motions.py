"""Steady motions are steady: what is given stays, and a simulation from one stays on it."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from example_states import EXAMPLES, model

import torseur as ts

PAIR = Path(__file__).parents[1] / "models" / "pair.yaml"
GIVEN = {
    "dumbbell_satellite": {"theta.": 1.66},
    "elliptic_pendulum": {"y.": 0.84},
    "even_governor": {},
    "gyroscope": {"alpha.": 1.7, "phi.": 1.2},
    "heavy_top": {"theta": 0.5, "psi.": 300.0},
    "rolling_wheel": {"theta.": 1.98},
    "spherical_pendulum": {"phi.": 5.0},
    "stanford_arm": {"q1.": 1.42, "q6.": 0.57},
    "turning_arm": {},
    "unbalanced_rotor": {"P1_wz": 0.55},
    "vertical_disc": {"theta.": 1.27, "phi.": 1.2},
    "wheel_three_parameters": {"x.": 1.88},
}


@cache
def pair():
    return ts.compile(ts.load(PAIR))


@cache
def single():
    """A body that hangs on the axle of one wheel, in a vertical plane."""
    wheel = {"type": "rolling", "bodies": ["ground", "wheel"], "shape": "disc", "radius": 0.15}
    place = {"type": "defined", "bodies": ["ground", "body"], "coordinates": ["x", "z", "theta"]}
    described = {
        "gravity": [0, 0, -9.81],
        "bodies": {
            "body": {"mass": 8, "centre": [0, 0, -0.05], "inertia": [0.5, 0.45, 0.2]},
            "wheel": {"mass": 1, "inertia": [0.007, 0.013, 0.007]},
        },
        "joints": {
            "place": {**place, "position": ["x", 0, "z"], "rotation": [{"y": "theta"}]},
            "A": {"type": "pivot", "bodies": ["body", "wheel"], "axis": "y", "coordinate": "s"},
        },
        "constraints": {"road": {**wheel, "normal": "z", "axis": "y"}},
        "initial": {"z": 0.15},
    }
    return ts.compile(ts.load(described))


def full_rank(made):
    """The rank of J where the mechanism starts."""
    start = ts.assemble(made, {})
    return np.linalg.matrix_rank(np.asarray(made.timed("constraint_jacobian")(start.q, 0.0)), 1e-9)


def check_steady(made, given, found):
    """Values given are there, true accelerations vanish, constraints hold, and all this lasts."""
    for x in found:
        values = {**x.coordinates, **x.speeds}
        assert {name: values[name] for name in given} == pytest.approx(given, rel=1e-14, abs=1e-14)
        names, at = x.here.tangent.speeds, x.here.chart
        J = x.here.terms.J
        if len(J) and np.linalg.matrix_rank(J, 1e-9) < full_rank(made):
            continue  # a dead point: no integrator starts there
        run = ts.simulate(made, 0.5, rate=20, initial=values, rtol=1e-10)
        still = [names[i] for i in at.shifts if i not in x.turning]
        size = max(1.0, np.abs(x.here.v).max())
        # a motion that is not stable leaves itself, from rounding, at the rate of its eigenvalues
        rates = ts.linearise(x).eigenvalues.real if at.speeds else np.zeros(1)
        grown = np.exp(0.5 * max(rates.max(initial=0.0), 0.0))
        for name in {*(names[i] for i in at.speeds), *still, *given}:
            wanted = {**x.coordinates, **x.speeds}[name]
            np.testing.assert_allclose(run[name], wanted, atol=1e-9 * size * grown, err_msg=name)
        assert np.abs(x.here.terms.gap).max(initial=0.0) < 1e-9
        assert np.abs(x.here.terms.u).max(initial=0.0) < 1e-9 * size


@pytest.mark.parametrize("name", GIVEN)
def test_a_simulation_stays_on_a_steady_motion(name):
    found = ts.stability.steady_motions(model(name), GIVEN[name], starts=4)
    assert len(found)
    check_steady(model(name), GIVEN[name], found[:2])


def _completed(made, seed):
    """What the messages ask for, one value at random after the other."""
    rng, given = np.random.default_rng(seed), {}
    for _ in range(8):
        try:
            return given, ts.stability.steady_motions(made, given, starts=8)
        except ts.ModelError as error:
            asked = re.search(r"Give \d+ more of: (.*?) \(with", str(error))
            if asked is None:
                return given, ()
            given[rng.choice(asked[1].split(", "))] = float(rng.uniform(0.5, 2.0))
    raise AssertionError("the messages ask for ever")


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_steady_motion_of_every_example_is_one(name):
    given, found = _completed(model(name), seed=EXAMPLES.index(name))
    check_steady(model(name), given, found)


# --- rolling --------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"s.": 10.0}, {"x.": 1.5}, {"s.": 10.0, "theta": np.pi}])
def test_a_wheel_rolls_as_it_is_told(given):
    """x. = r s., while the body hangs or stands."""
    found = ts.stability.steady_motions(single(), given, starts=3)
    for x in found:
        assert {n: x.speeds[n] for n in ("x.", "s.", "theta.")} == pytest.approx(
            {"x.": 1.5, "s.": 10.0, "theta.": 0.0}, abs=1e-12
        )
        assert x.stable.word == (
            "linearly stable" if abs(x.coordinates["theta"]) < 1 else "unstable"
        )
    assert len(found) == (1 if "theta" in given else 2)
    check_steady(single(), given, found)


def test_speeds_that_the_road_forbids_are_refused():
    with pytest.raises(ts.ModelError, match=r"x. = 1, s. = 10 contradict each other: road"):
        ts.stability.steady_motions(single(), {"s.": 10, "x.": 1})
    with pytest.raises(ts.ModelError, match=r'z = 0\.2 cannot be kept\. constraint "road"'):
        ts.stability.steady_motions(single(), {"z": 0.2, "s.": 1})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"sL.": 10.0, "psi.": 0.0}, {"x.": 1.5, "sR.": 10.0}),
        ({"sL.": 10.0, "sR.": 12.0}, {"x.": 1.65, "psi.": 0.6}),
        ({"x.": 1.5, "psi.": 0.0}, {"sL.": 10.0, "sR.": 10.0}),
    ],
)
def test_two_wheels_roll_as_they_are_told(given, wanted):
    """x. = r (ωL + ωR)/2 and ψ. = r (ωR − ωL)/2a, whatever is given of them."""
    found = ts.stability.steady_motions(pair(), given, starts=3)
    upright = [x for x in found if np.cos(x.coordinates["phi"]) > 0]
    assert upright
    for x in upright:
        speeds = x.speeds
        assert {name: speeds[name] for name in wanted} == pytest.approx(wanted, abs=1e-12)
        assert speeds["theta."] == 0
    check_steady(pair(), given, [x for x in found if x.stable])


@pytest.mark.slow
def test_speeds_that_contradict_each_other_are_refused_with_what_forbids_them():
    with pytest.raises(ts.ModelError, match=r"psi. = 1, sL. = 10, sR. = 10 contradict.*cl, cr"):
        ts.stability.steady_motions(pair(), {"sL.": 10, "sR.": 10, "psi.": 1})
    with pytest.raises(ts.ModelError, match=r'z = 0\.2 cannot be kept\. constraint "cl"'):
        ts.stability.steady_motions(pair(), {"z": 0.2})
    with pytest.raises(ts.ModelError, match="one of them changes while the others go on"):
        ts.stability.steady_motions(pair(), {"x.": 1.5, "psi.": 1.0}, starts=2)
    with pytest.raises(ts.ModelError, match=re.escape("Give 1 more of: psi. (with a dot")):
        ts.stability.steady_motions(pair(), {"sL.": 10}, starts=2)


def test_given_angles_keep_their_turns():
    (first, *_) = ts.stability.steady_motions(
        model("heavy_top"), {"theta": 0.5 + 2 * np.pi, "psi.": 300.0}, starts=4
    )
    assert first.coordinates["theta"] == 0.5 + 2 * np.pi


def test_a_vehicle_that_rolls_steadily_has_a_verdict():
    rolling = ts.linearise(single(), {"x.": 1.5, "s.": 10.0})
    assert rolling.steady.is_steady
    assert rolling.stable.word == "linearly stable"
    assert rolling.coordinates == ("theta",)
    upside_down = {"theta": np.pi, "x.": 1.5, "s.": 10.0}
    assert ts.linearise(single(), upside_down).stable.word == "unstable"
    # the same small motion as at rest: the body swings, the wheel rolls to and fro
    assert rolling.frequencies == pytest.approx(ts.linearise(single(), {}).frequencies, rel=1e-9)
    swinging = ts.linearise(single(), {"theta.": 1.0})
    assert swinging.stable.word == "undecided"
    assert "theta." in str(swinging.stable)


def test_a_state_that_was_found_brings_its_mechanism():
    found = ts.stability.steady_motions(model("heavy_top"), {"theta": 0.5, "psi.": 300.0})
    alone, beside = ts.linearise(found[0]), ts.linearise(model("heavy_top"), at=found[0])
    np.testing.assert_array_equal(alone.A, beside.A)
    assembled = ts.assemble(model("simple_pendulum"), {})
    np.testing.assert_array_equal(
        ts.linearise(assembled).A, ts.linearise(model("simple_pendulum"), at=assembled).A
    )
    with pytest.raises(ts.ModelError, match=re.escape("Give one of them, such as results[0].")):
        ts.linearise(found)
    with pytest.raises(ts.ModelError, match="has its own values, not m"):
        ts.linearise(found[0], parameters={"m": 2.0})
    with pytest.raises(ts.ModelError, match=r'"at" is \[0.1, 0.2\] \(list\)'):
        ts.linearise(model("heavy_top"), at=[0.1, 0.2])
